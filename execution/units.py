"""Which unit an attribute's values are in: as the ontology says, as the key's name says, or as each record says.

Quantities of one kind convert (ontology/units.ttl has kinds and factors); currencies never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from itertools import combinations, pairwise, product
from urllib.parse import unquote

from ..errors import TreeTypeError
from ..operators.expressions import (
    Attribute,
    Binary,
    Call,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Index,
    Loops,
    Negative,
    Slice,
)
from ..operators.nodes import AttributeType, Map, Node, walk
from ..operators.reading.read_amounts import seconds_in
from ..operators.resolution import AttributeMatch
from ..store.vocabulary import UnitInfo, Vocabulary, key_label

TIME = "http://qudt.org/vocab/quantitykind/Time"
MEASURED = frozenset({AttributeType.INT, AttributeType.FLOAT, AttributeType.DURATION})
"""Types whose values have a unit."""
_BRACKETED = re.compile(r"[(\[]([^()\[\]]+)[)\]]$")
"""A unit at the end of a column's name: Distance (m)."""
_CURRENCY = re.compile("[A-Z]{3}")
"""ISO 4217: SEK is no second."""
_LARGEST = Decimal(10) ** 17
_STEP = Decimal("1E-10")
_UNIT_WORDS = (("unit",), ("units",), ("currency",), ("uom",))
_UNIT_NAMES = frozenset({"value", "amount", "quantity", "measurement", "measure", "result", "reading"})
_MONEY_NAMES = frozenset(
    {"price", "cost", "amount", "total", "sum", "fee", "value", "paid", "spent", "charge", "payment", "tip", "balance"}
)
_NO_SUFFIX = frozenset(
    {"m", "s", "h", "d", "g", "min", "second", "sec", "foot", "degree", "day", "days", "week", "weeks"}
)
"""Last words of keys that need not be units: a start_day, a heart_rate_min."""


@dataclass(frozen=True, slots=True)
class Stated:
    """Where the unit of a property's values is stated: `fixed` for all of them, or per event in `property`.

    `official`: the ontology states it, so that values of other kinds of quantity are none.
    """

    fixed: str | None = None
    property: str | None = None
    official: bool = False


def stated_unit(prop: str, kind: AttributeType, observed: Sequence[str], vocabulary: Vocabulary) -> Stated:
    """How the unit of a property's values is stated; `observed` are the properties that its events have."""
    if kind not in MEASURED:
        return Stated()
    info = vocabulary.properties.get(prop)
    if info is not None:
        return Stated(info.unit, info.unit_property if info.unit is None else None, info.unit is not None)
    words = (key_label(prop) or "").split()
    sibling = _sibling(words, observed)
    if sibling is not None:
        return Stated(property=sibling)
    bracketed = _BRACKETED.search(unquote(prop))
    unit = unit_called(bracketed[1], vocabulary, kind) if bracketed else None
    return Stated(unit.symbol if unit else _in_name(words, kind, vocabulary))


def unit_called(text: str, vocabulary: Vocabulary, kind: AttributeType = AttributeType.FLOAT) -> UnitInfo | None:
    """The unit that a word or sign means, in the languages that lengths of time are read in; None for an unknown one.

    In a DURATION `m` is a minute, else a metre.
    """
    found = vocabulary.unit_named(text.strip().rstrip(".")) if kind is not AttributeType.DURATION else None
    if found is None and kind is not AttributeType.DURATION:
        known = vocabulary.units.values()
        found = next((unit for unit in known if text.strip(" .").casefold() in map(str.casefold, unit.written)), None)
    if found is not None:
        return found
    seconds = seconds_in(text) if not _CURRENCY.fullmatch(text.strip()) else None
    times = (unit for unit in vocabulary.units.values() if unit.kind == TIME)
    return next((unit for unit in times if seconds is not None and abs(unit.factor - float(seconds)) < 1e-9), None)


def converted(value: Decimal, old: UnitInfo, new: UnitInfo) -> Decimal | None:
    """A number of `old` units in `new` ones, to ten decimals; None for quantities of different kinds."""
    if not convertible(old, new):
        return None
    if old.symbol == new.symbol:
        return value
    before, after = Decimal(str(old.offset)), Decimal(str(new.offset))
    exact = (value + before) * Decimal(str(old.factor)) / Decimal(str(new.factor)) - after
    return exact.quantize(_STEP).normalize() if abs(exact) < _LARGEST else exact


def convertible(old: UnitInfo, new: UnitInfo) -> bool:
    """Whether both measure the same kind of quantity."""
    return bool(old.kind) and old.kind == new.kind


def _sibling(words: Sequence[str], observed: Sequence[str]) -> str | None:
    """The source key beside one that holds its unit: distance_unit beside distance, unit beside a value."""
    own = {tuple((key_label(iri) or "").split()): iri for iri in observed if key_label(iri)}
    for unit in _UNIT_WORDS:
        for name in ((*words, *unit), (*unit, "of", *words)):
            if words and name in own:
                return own[name]
    for unit in _UNIT_WORDS:
        general = _MONEY_NAMES if unit == ("currency",) else _UNIT_NAMES
        if unit in own and not general.isdisjoint(words):
            return own[unit]
    return None


def _in_name(words: Sequence[str], kind: AttributeType, vocabulary: Vocabulary) -> str | None:
    """The unit that a key's name ends or begins with: distance_km, duration_ms, ms_played."""
    if not words:
        return None
    if kind is AttributeType.DURATION:
        last, first = seconds_in(words[-1]), seconds_in(words[0]) if len(words[0]) > 1 else None
        return words[-1] if last is not None else words[0] if first is not None and words[0] != "min" else None
    found = vocabulary.unit_named(words[-1]) if words[-1] not in _NO_SUFFIX else None
    return found.symbol if found is not None and (len(words) > 1 or found.kind == TIME) else None


Place = tuple[str, str]
"""Query and key of an attribute."""
_SAME_UNIT = frozenset({"abs", "round", "float", "int", "min", "max", "sum", "mean", "sorted", "list", "set"})
"""Functions whose value is in the unit of their arguments."""
_COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})


def units_to_change(
    tree: Node, kinds: Mapping[Place, AttributeType], matches: Mapping[Place, AttributeMatch], vocabulary: Vocabulary
) -> dict[Place, str]:
    """The unit that attributes must be read in instead of their own, so that all that meet have the same.

    Raises TreeTypeError where quantities of different kinds are added or compared.
    """
    units = {
        place: match.unit
        for place, match in matches.items()
        if match.unit and kinds[place] in (AttributeType.INT, AttributeType.FLOAT)
    }
    if len(set(units.values())) < 2:
        return {}
    computed = {node.name for node in walk(tree) if isinstance(node, Map)}
    pairs = [pair for pair in _pairs(tree) if computed.isdisjoint(pair)]
    changes: dict[Place, str] = {}
    for group in _groups(pairs, {key for _, key in units}):
        members = [(place, unit) for place, unit in units.items() if place[1] in group]
        changes |= _changes(members, pairs, vocabulary)
    return changes


def _changes(
    members: list[tuple[Place, str]], pairs: list[tuple[str, str]], vocabulary: Vocabulary
) -> dict[Place, str]:
    """The unit of the first member, for all that are in another."""
    changes: dict[Place, str] = {}
    first, unit = members[0]
    wanted = unit_called(unit, vocabulary)
    for place, own in members[1:]:
        if own == unit:
            continue
        known = unit_called(own, vocabulary)
        if wanted is not None and known is not None and convertible(known, wanted):
            changes[place] = unit
        elif first[1] != place[1] or (place[1], place[1]) in pairs:
            raise TreeTypeError(
                f"'{first[1]}' is in {unit} and '{place[1]}' in {own}; they can be neither added nor compared"
            )
    return changes


def _groups(pairs: list[tuple[str, str]], names: set[str]) -> list[set[str]]:
    """Names that meet, directly or through others; each name meets itself (of another query)."""
    groups = [{name} for name in sorted(names)]
    for pair in pairs:
        if not names.issuperset(pair):
            continue
        meeting = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group.isdisjoint(pair)] + [set[str]().union(*meeting)]
    return groups


def _pairs(tree: Node) -> Iterator[tuple[str, str]]:
    """Pairs of attributes that expressions of the tree add, subtract or compare."""
    for node in walk(tree):
        for field in fields(node):  # type: ignore[arg-type]
            value = getattr(node, field.name)
            if isinstance(value, Expression):
                for part in _parts(value):
                    yield from _meeting(part)


def _parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all below it, but for trees inside."""
    pending: list[object] = [expression]
    while pending:
        at = pending.pop()
        if isinstance(at, tuple):
            pending.extend(at)
        elif isinstance(at, Expression):
            yield at
            pending.extend(getattr(at, field.name) for field in fields(at))  # type: ignore[arg-type]


def _meeting(expression: Expression) -> Iterator[tuple[str, str]]:
    """The pairs of attributes that one operation brings together."""
    if isinstance(expression, Binary) and expression.operator in ("+", "-"):
        yield from product(_measured(expression.left), _measured(expression.right))
    elif isinstance(expression, Comparison):
        for operator, (left, right) in zip(
            expression.operators, pairwise((expression.left, *expression.rights)), strict=True
        ):
            if operator in _COMPARED:
                yield from product(_measured(left), _measured(right))
    elif isinstance(expression, Call) and expression.function in ("min", "max", "nearest"):
        for left, right in combinations(expression.arguments, 2):
            yield from product(_measured(left), _measured(right))


def _measured(expression: Expression) -> frozenset[str]:
    """The attributes in whose unit the value of an expression is."""
    if isinstance(expression, Attribute):
        return frozenset({expression.name})
    below: tuple[Expression, ...] = ()
    if isinstance(expression, Negative):
        below = (expression.operand,)
    elif isinstance(expression, Binary) and expression.operator in ("+", "-"):
        below = (expression.left, expression.right)
    elif isinstance(expression, Conditional):
        below = (expression.then, expression.otherwise)
    elif isinstance(expression, Call) and expression.function in _SAME_UNIT:
        below = expression.arguments
    elif isinstance(expression, Comprehension | Loops):
        below = (expression.element,)
    elif isinstance(expression, Index | Slice):
        below = (expression.base,)
    return frozenset[str]().union(*map(_measured, below))
