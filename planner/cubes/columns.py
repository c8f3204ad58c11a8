"""Columns that numbers are about: by what is named beside them, by their unit, by how large they are said to be."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from ...store.vocabulary import UnitInfo, Vocabulary
from .cube import TIME, Attribute, Measure
from .query import Condition, Kept
from .row import Row
from .trees import quoted

_PRICES = frozenset(
    ["price", "cost", "fee", "amount", "revenue", "sales", "worth", "value", "paid", "spend", "turnover", "income"]
)
_LENGTHS = frozenset({"duration", "minutes", "length", "time"})
_COMPOUND = frozenset({"square", "cubic", "per"})
_BETWEEN = ("to", "both", "either")
_AGES = frozenset({"age"})
NEGATING = ("Not", "Never")
"""Roles of words that leave out."""


@dataclass(frozen=True)
class Found:
    """A condition with its place among the pieces; `values` are the members that it is about, each by itself."""

    condition: Condition
    at: int
    last: int
    values: tuple[str, ...] = ()
    negated: bool = False
    listed: bool = False
    """Whether its members are put together by "and"."""

    def of(self, value: str, attribute: Attribute) -> Found:
        """The condition for one of its members."""
        return replace(self, condition=member(attribute, (value,), False, value), values=(value,))


@dataclass
class Columns:
    """The columns of a row's facts, and what has been found of which facts and groups count."""

    row: Row
    vocabulary: Vocabulary
    found: list[Found]
    kept: list[tuple[int, Kept]]
    refused: bool = False
    notes: list[str] = field(default_factory=list)

    def column_in(self, unit: UnitInfo) -> Attribute | None:
        """The measure whose values are in a unit of this kind, the most liked of several."""
        known = [one for one in self._columns() if isinstance(one, Measure) and self._fits(one, unit, strict=True)]
        return max(known, key=lambda one: (one.preference, one.iri), default=None)

    def factor(self, column: Attribute, unit: UnitInfo) -> str:
        """What a value of a column is multiplied by to be in a unit; empty for nothing."""
        own = self._unit_of(column)
        if own is None or own.iri == unit.iri or own.kind != unit.kind:
            return ""
        one, other = Decimal(str(own.factor)), Decimal(str(unit.factor))
        sign, number = ("*", one / other) if one > other else ("/", other / one)
        return f"{sign} {round(number, 9).normalize():f}"

    def _target(
        self, first: int, last: int, unit: UnitInfo | None, money: bool
    ) -> tuple[Attribute, tuple[int, ...]] | None:
        """What a number is of: the column named beside it, or the one in that unit."""
        row = self.row
        for place in (row.after(last), row.before(first)):
            column = row.column(place)
            if column is None or place is None:
                continue
            if row.facts not in column.facts:
                return None  # it is of other facts
            if column.is_number and self._fits(column, unit):
                counting = isinstance(column, Measure) and column.aggregate in ("count", "distinct")
                if not counting:
                    sides = (row.after(last), row.before(first))
                    return column, tuple(at for at in sides if at is not None and row.column(at) == column)
        said = row.pieces[first].words.lower()
        labels = (
            _AGES
            if "old" in said or "young" in said
            else _LENGTHS
            if "long" in said or "short" in said
            else _PRICES
            if money
            else ()
        )
        columns = self._columns()
        by_unit = [one for one in columns if unit is not None and self._fits(one, unit, strict=True)]
        by_label = [
            one for one in columns if any(word in label.lower().split() for word in labels for label in one.labels)
        ]
        known = by_unit or by_label
        if not known and unit is not None and "degree" in unit.labels:
            known = [one for one in columns if any("temperature" in label.lower() for label in one.labels)]
        if not known and unit is not None:
            names = {name.lower() for name in (unit.symbol, *unit.labels)}
            plain = {one.iri: {w for label in one.labels for w in label.lower().split()} for one in columns}
            known = [one for one in columns if names & plain[one.iri] and not _COMPOUND & plain[one.iri]]
        own = {one.iri: self._unit_of(one) for one in known}
        best = max(
            known, key=lambda one: (unit is not None and own[one.iri] == unit, one.preference, one.iri), default=None
        )
        return (best, ()) if best is not None else None

    def _columns(self) -> list[Attribute]:
        cube, facts = self.row.cube, self.row.facts
        known: list[Attribute] = [*cube.measures.values(), *cube.dimensions.values()]
        counting = ("count", "distinct")
        return [
            one
            for one in known
            if facts in one.facts and one.is_number and not (isinstance(one, Measure) and one.aggregate in counting)
        ]

    def _fits(self, column: Attribute, unit: UnitInfo | None, *, strict: bool = False) -> bool:
        own = self._unit_of(column)
        if unit is None or own is None:
            return not strict
        return own.kind == unit.kind

    def _unit_of(self, column: Attribute) -> UnitInfo | None:
        if column.unit:
            return next((one for one in self.vocabulary.units.values() if one.symbol == column.unit), None)
        plain = [label for label in column.labels if not _COMPOUND.intersection(label.lower().split())]
        for label in plain:  # "minutes" and "weight in kg" say theirs
            for word in reversed(label.replace("(", " ").replace(")", " ").split()):
                found = self.vocabulary.unit_named(word)
                if found is not None and len(word) > 1:
                    return found
        return None

    def _in_unit(self, number: Decimal, unit: UnitInfo | None, column: Attribute) -> str:
        own = self._unit_of(column)
        if unit is not None and own is not None and own.kind == unit.kind and own.iri != unit.iri:
            number = Decimal(str(round(float(number) * unit.factor / own.factor, 6)))
        return f"{number.normalize():f}"

    def _of_unit(self, last: int, column: Attribute) -> tuple[int, ...]:
        """The "per tonne" behind a number, where the column's label says it."""
        row = self.row
        if row.role(last + 1) != "Per" or last + 2 >= len(row.pieces):
            return ()
        word = row.pieces[last + 2].words.lower()
        return (
            (last + 1, last + 2)
            if any("per" in label.lower().split() and word in label.lower() for label in column.labels)
            else ()
        )

    def _is_negated(self, at: int) -> bool:
        return bool(self._negators(at))

    def _negators(self, at: int) -> list[int]:
        """The "not" before a place, with only small words, "by" and a name of the facts between."""
        row = self.row
        before = row.before(at, ("Light", "By"))
        if before is not None and row.role(before) == "And" and row.pieces[before].words.lower() in _BETWEEN:
            before = row.before(before)
        carries = before is not None and row.role(before) in ("facts", "dimension") and before not in row.read
        if carries and row.role(row.before(before or 0)) in NEGATING:
            if row.role(before) == "dimension":
                row.take(before)  # "except the depots in Brussels"
            before = row.before(before or 0)
        if row.role(before) in NEGATING and before is not None and not self._asks_members(before):
            return [before, *(i for i in range(before + 1, at) if row.role(i) in ("By",))]
        return []

    def _asks_members(self, at: int) -> bool:
        """Whether members are asked for that never did something."""
        row = self.row
        return row.role(at) == "Never" and any(
            row.dimension(i) is not None and row.role(row.before(i, ("Light", "Exists"))) in ("", "Which", "HowMany")
            for i in range(at)
        )

    # ------------------------------------------------------------ times

    def _noun(self, at: int) -> int | None:
        """The dimension whose members are meant, if it is the noun before a place, rather than facts."""
        row = self.row
        for place in range(at - 1, -1, -1):
            role = row.role(place)
            if role == "facts" and row.measure(place + 1) is None:
                return None
            found = row.dimension(place)
            if (
                found is not None
                and place not in row.read
                and row.truth(found) is None
                and row.role(row.before(place)) not in ("By", "Per")
            ):
                return place if not any(row.role(other) == "facts" for other in range(place)) else None
        return None

    def _amount(self, at: int | None) -> tuple[Decimal, UnitInfo | None, bool, int] | None:
        """The number at a place, its unit, whether it is of money, and the last piece of it."""
        row = self.row
        if at is None or row.role(at) != "Number" or at in row.read:
            return None
        piece = row.pieces[at]
        number, unit, last = Decimal(piece.said("number")), None, at
        if piece.said("a_unit"):
            unit = self.vocabulary.units.get(piece.said("a_unit"))
        elif row.role(at + 1) == "Unit":
            unit, last = self.vocabulary.units.get(row.pieces[at + 1].meanings[0].iri), at + 1
        elif row.role(at + 1) == "Share" and row.pieces[at + 1].words.lower() in ("percent", "%"):
            last = at + 1
        return number, unit, "m" in piece.variables, last


def member(dimension: Attribute, values: tuple[str, ...], negated: bool, words: str) -> Condition:
    listed = ", ".join(quoted(value) for value in values)
    own = f'{{}}["{dimension.key}"]'
    if len(values) == 1:
        return Condition(f"{own} {'!=' if negated else '=='} {listed}", (dimension,), words, dimension.iri)
    return Condition(f"{own} {'not in' if negated else 'in'} [{listed}]", (dimension,), words, dimension.iri)


def is_time(found: Found) -> bool:
    """Whether a condition is one of time."""
    return found.condition.on == TIME
