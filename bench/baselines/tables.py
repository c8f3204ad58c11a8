"""What a life's sources show, as tables in DuckDB: one per kind of record, its keys as columns, no neural operator.

The records are taken as the import mapped them (units, moments and names of keys alike in all sources), so that the
baseline has the benefit of it. Nothing is here that was read from a text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb

from ...ontology.namespaces import DERIVED, EV, KEY, OWL, RDF, RDFS, XSD
from ...operators.checking.types import BOOL, DATE, DATETIME, FLOAT, INT, LIST, STR, Kind, Type, type_of_attribute
from ...operators.standard import STANDARD
from ...store.event_kinds import internal_properties
from ...store.graph import Graph
from ...store.index.index import ValueIndex
from ...store.rdf import Literal, NamedNode
from ...store.vocabulary import Vocabulary
from ...store.words import fold, key_words

EVENT, LABEL, TEXT = "_event", "_label", "_text"
"""Columns that every table has: the record's IRI, its name in a list, all its texts, folded."""
_START, _END, _PRECISION = EV + "start", EV + "end", EV + "timePrecision"
_HIDDEN: Final = frozenset({_START, _END, EV + "day", EV + "timeCertainty", _PRECISION, EV + "sourceType"})
_VOCABULARIES: Final = (RDF, OWL, DERIVED)
_TYPES: Final[Mapping[str, Type]] = {
    **dict.fromkeys((XSD + "integer", XSD + "int", XSD + "long"), INT),
    **dict.fromkeys((XSD + "decimal", XSD + "double", XSD + "float"), FLOAT),
    XSD + "boolean": BOOL,
    XSD + "dateTime": DATETIME,
    XSD + "date": DATE,
}
_SQL_TYPES: Final[Mapping[Kind, str]] = {
    Kind.INT: "BIGINT",
    Kind.FLOAT: "DOUBLE",
    Kind.STR: "VARCHAR",
    Kind.BOOL: "BOOLEAN",
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.DATETIME: "TIMESTAMP",
    Kind.DURATION: "DOUBLE",
    Kind.LIST: "VARCHAR[]",
}
"""How a column of each type is declared; a duration is in seconds."""

Held = Mapping[str, Mapping[str, Sequence[Literal]]]
"""Values by property, by record."""


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever signs it has."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text as a literal of SQL."""
    return "'" + value.replace("'", "''") + "'"


def sql_type(kind: Kind) -> str:
    """The type of SQL that holds values of a kind."""
    return _SQL_TYPES[kind]


@dataclass(frozen=True)
class Column:
    """A column: its type, and the property that it holds (None for what a query computed)."""

    type: Type
    iri: str | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """A kind of record: `classes` are the IRIs of its class, `columns` those beside EVENT, LABEL and TEXT."""

    name: str
    iri: str
    columns: Mapping[str, Column] = field(default_factory=dict)


class Tables:
    """The tables of one life, in memory."""

    def __init__(self, graph: Graph, index: ValueIndex, vocabulary: Vocabulary) -> None:
        self.database = duckdb.connect(":memory:", config={"threads": 1})
        self.vocabulary = vocabulary
        self._hidden = internal_properties(graph)
        seen: set[str] = set()
        classes = [iri for iri, _ in index.classes()]
        self.tables = tuple(self._table(iri, graph, seen) for iri in sorted(classes, key=self._depth))

    def of_classes(self, classes: Sequence[str]) -> tuple[Table, ...]:
        """The tables of these classes and of those below them."""
        wanted = set(self.vocabulary.closed(classes))
        return tuple(table for table in self.tables if table.iri in wanted)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Names of the columns, and the rows, of a query with these values. Raises duckdb.Error."""
        found = self.database.execute(sql, list(values))
        return tuple(column[0] for column in found.description or ()), found.fetchall()

    def count(self, sql: str) -> int:
        """The number in the first row of a query."""
        return int(self.database.execute(sql).fetchall()[0][0])

    def _depth(self, iri: str) -> tuple[int, str]:
        """Narrower classes first: a record is in one table."""
        info = self.vocabulary.classes.get(iri)
        return (-len(info.ancestors) if info else 0, iri)

    def _table(self, iri: str, graph: Graph, seen: set[str]) -> Table:
        info = self.vocabulary.classes.get(iri)
        name = key_words(info.label if info else iri.rsplit("/", 1)[-1]).replace(" ", "_")
        held = {event: values for event, values in _records(iri, graph, self._hidden).items() if event not in seen}
        seen.update(held)
        properties = sorted({prop for values in held.values() for prop in values} - _HIDDEN - {RDFS + "label"})
        columns = {_column_name(prop): (prop, _type_of(prop, held, self.vocabulary)) for prop in properties}
        filled = {name: (kind, _cells(prop, kind, held)) for name, (prop, kind) in columns.items()}
        filled |= {EVENT: (STR, list(held)), LABEL: (STR, _cells(RDFS + "label", STR, held)), TEXT: (STR, _texts(held))}
        filled |= _moments(held)
        self._write(name, filled)
        known = {name: Column(kind, prop) for name, (prop, kind) in columns.items()}
        return Table(name, iri, known | {name: Column(type_of_attribute(kind)) for name, kind in STANDARD.items()})

    def _write(self, table: str, filled: Mapping[str, tuple[Type, list[Any]]]) -> None:
        """A table of cells given as texts, or lists of texts."""
        parts, values = [], []
        for name, (kind, cells) in filled.items():
            listed = kind.kind is Kind.LIST
            declared = "VARCHAR[][]" if listed else "VARCHAR[]"
            parts.append(f"TRY_CAST(unnest(CAST(? AS {declared})) AS {sql_type(kind.kind)}) AS {quoted(name)}")
            values.append(cells)
        self.database.execute(f"CREATE TABLE {quoted(table)} AS SELECT {', '.join(parts)}", values)


def _records(iri: str, graph: Graph, hidden: frozenset[str]) -> Held:
    found: dict[str, defaultdict[str, list[Literal]]] = {}
    for event, prop, value in graph.select(f"SELECT DISTINCT ?e ?p ?v WHERE {{ ?e a {NamedNode(iri)} ; ?p ?v }}"):
        if event is None or prop is None:
            continue
        values = found.setdefault(event.value, defaultdict(list))
        name = prop.value
        if isinstance(value, Literal) and not (name in hidden - _HIDDEN or name.startswith(_VOCABULARIES)):
            values[name].append(value)
    return dict(sorted(found.items(), key=lambda entry: (_first(entry[1], _START) or "~", entry[0])))


def _column_name(prop: str) -> str:
    local = prop.removeprefix(KEY) if prop.startswith(KEY) else prop.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
    return key_words(local).replace(" ", "_")


def _type_of(prop: str, held: Held, vocabulary: Vocabulary) -> Type:
    """The type that all values have; several values of a record are a list."""
    info = vocabulary.properties.get(prop)
    if any(len(values.get(prop, ())) > 1 for values in held.values()) or (info is not None and info.multiple):
        return LIST
    kinds = {_TYPES.get(str(value.datatype.value), STR) for values in held.values() for value in values.get(prop, ())}
    kind = FLOAT if kinds == {INT, FLOAT} else kinds.pop() if len(kinds) == 1 else STR
    return Type(kind.kind, None, info.unit) if info is not None and kind in (INT, FLOAT) else kind


def _cells(prop: str, kind: Type, held: Held) -> list[Any]:
    if kind.kind is Kind.LIST:
        return [sorted(value.value for value in values.get(prop, ())) or None for values in held.values()]
    return [_first(values, prop) for values in held.values()]


def _first(values: Mapping[str, Sequence[Literal]], prop: str) -> str | None:
    return min((value.value for value in values.get(prop, ())), default=None)


def _texts(held: Held) -> list[str]:
    """All texts of a record, folded, with a sign between them that no word has."""
    return [" | ".join(dict.fromkeys(_folded(values))) for values in held.values()]


def _folded(values: Mapping[str, Sequence[Literal]]) -> Iterator[str]:
    for prop, found in values.items():
        if prop not in _HIDDEN:
            yield from (fold(value.value) for value in found if value.datatype.value == XSD + "string")


def _moments(held: Held) -> dict[str, tuple[Type, list[Any]]]:
    """The attributes that every event has; a record known to the day only has no time of day."""
    found: dict[str, tuple[Type, list[Any]]] = {}
    for side, prop in (("start", _START), ("end", _END)):
        moments = [(_first(values, prop) or "")[:19] for values in held.values()]
        whole = [_first(values, _PRECISION) == "day" for values in held.values()]
        found[f"{side}_datetime"] = (DATETIME, [moment.replace("T", " ") or None for moment in moments])
        found[f"{side}_date"] = (DATE, [moment[:10] or None for moment in moments])
        clocks = [None if day or "T" not in moment else moment[11:] for moment, day in zip(moments, whole, strict=True)]
        found[f"{side}_time"] = (Type(Kind.TIME), clocks)
    return found
