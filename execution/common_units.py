"""Attributes that a tree adds up or compares come out in one unit: kilometres beside metres are converted first.

Expressions compute with plain numbers, in the graph as in Python. So units are settled before, where EXTRACT reads the
values; quantities that cannot be in one unit (kilometres and kilocalories, two currencies) are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import combinations, pairwise, product

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
from ..operators.resolution import AttributeMatch
from ..store.vocabulary import Vocabulary
from .units import convertible, unit_called

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
