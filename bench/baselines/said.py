"""What an expression is in SQL: its text, its type, and which attribute of a table a name means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ...operators.checking.types import ANY, DAYS, NUMBERS, Kind, Type, type_of_attribute
from ...operators.nodes import AttributeType
from ...store.vocabulary import Vocabulary
from ...store.words import key_words, stems
from .tables import Column

NUMBER: Final = r"'-?[0-9]+(?:\.[0-9]+)?'"
_READ: Final = {
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.DATETIME: "TIMESTAMP",
    Kind.BOOL: "BOOLEAN",
}


@dataclass(frozen=True)
class Said:
    """A value in SQL. `items` is the type of a list's items. `row`: it is a row, or with `many` a list of rows, with
    these columns. `missing`: no table has such a column; `sql` is then all texts of the record."""

    sql: str
    type: Type = ANY
    items: Type = ANY
    row: Mapping[str, Column] = field(default_factory=dict)
    many: bool = False
    missing: bool = False

    @property
    def listed(self) -> bool:
        """Whether it is a list of values or of rows."""
        return self.many or self.type.kind is Kind.LIST

    def item(self, sql: str) -> Said:
        """One item of the list, under a name."""
        return Said(sql, row=self.row) if self.many else Said(sql, self.items)

    def like(self, sql: str) -> Said:
        """A list of the same items."""
        return replace(self, sql=sql)


def column_of(name: str, columns: Mapping[str, Column], vocabulary: Vocabulary) -> str | None:
    """The column that an attribute's name means: of that name; of a property that is called so; whose name has all its
    words, or all whose words it has. None where there is none."""
    if name in columns:
        return name
    spoken = key_words(name)
    meant = [info.iri for info in vocabulary.properties_named(spoken)]
    for iri in meant:
        for column, held in columns.items():
            if held.iri == iri:
                return column
    wanted = set(stems(spoken))
    own = {column: set(stems(key_words(column))) for column, held in columns.items() if held.iri is not None}
    wider = [column for column, words in own.items() if wanted and wanted <= words]
    narrower = [column for column, words in own.items() if words and words < wanted]
    return min(wider, key=len, default=None) or max(narrower, key=len, default=None)


def read_as(sql: str, held: Type, wanted: AttributeType) -> Said:
    """A column's value as the type that EXTRACT asks for."""
    kind = type_of_attribute(wanted, held.unit if held.kind in NUMBERS else None)
    if wanted is AttributeType.LIST:
        alone = f"CASE WHEN {sql} IS NULL THEN NULL ELSE [CAST({sql} AS VARCHAR)] END"
        listed = sql if held.kind is Kind.LIST else alone
        return Said(listed, kind, Type(Kind.STR))
    one, of = (f"{sql}[1]", Type(Kind.STR)) if held.kind is Kind.LIST else (sql, held)
    return Said(_cast(one, of, kind), kind)


def _cast(sql: str, held: Type, wanted: Type) -> str:
    if wanted.kind is Kind.STR:
        return f"CAST({sql} AS VARCHAR)"
    if wanted.kind in (*NUMBERS, Kind.DURATION):
        read = f"TRY_CAST(regexp_extract(CAST({sql} AS VARCHAR), {NUMBER}) AS DOUBLE)"
        number = sql if held.kind in NUMBERS else read
        return f"CAST(trunc({number}) AS BIGINT)" if wanted.kind is Kind.INT else number
    return f"TRY_CAST({sql} AS {_READ[wanted.kind]})"


def as_day(value: Said) -> str:
    """A moment as its day."""
    return f"CAST({value.sql} AS DATE)" if value.type.kind is Kind.DATETIME else value.sql


def alike(left: Said, right: Said) -> tuple[str, str]:
    """Both sides of a comparison: a moment beside a day is compared as a day, texts without case."""
    kinds = {left.type.kind, right.type.kind}
    if kinds == DAYS:
        return as_day(left), as_day(right)
    if Kind.STR in kinds and kinds & {*DAYS, Kind.TIME}:
        kind = next(iter(kinds - {Kind.STR}))
        return f"TRY_CAST({left.sql} AS {_READ[kind]})", f"TRY_CAST({right.sql} AS {_READ[kind]})"
    if kinds == {Kind.STR}:
        return f"lower({left.sql})", f"lower({right.sql})"
    return left.sql, right.sql
