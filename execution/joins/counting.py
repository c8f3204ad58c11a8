"""What only counts or sums over the pairs of a JOIN that no bound narrows, said without the pairs.

`i1.start > i2.end` alone pairs each row with half of all others. But how many partners a row has is found by sorting
(ReQAP, appendix A.2), and that is all that a count, a sum, a mean or a group's size needs; least and greatest need only
whether there is one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from ...compiler.rewrites.attributes import sides
from ...compiler.rewrites.expressions import with_parts
from ...operators.derived import Matches
from ...operators.expressions import (
    Attribute,
    Binary,
    Builtin,
    Call,
    Comparison,
    Comprehension,
    Expression,
    Function,
    Lambda,
    Literal,
    Name,
)
from ...operators.nodes import Apply, ArgMax, ArgMin, Avg, Filter, GroupBy, Join, Map, Max, Min, Node, Sum
from .joining import parted

_FORWARD, _BACKWARD = frozenset({">", ">="}), frozenset({"<", "<="})
_COUNT, _PRODUCT = "number of matches", "times the matches"


@singledispatch
def counting(_node: Node, _standard: tuple[str, ...]) -> Node | None:
    """The same over one side of the JOIN, with how many partners each row has; None where pairs are needed."""
    return None


@counting.register
def _(node: Apply, standard: tuple[str, ...]) -> Node | None:
    matches = _one_side(node.input, (), standard) if _is_len(node.function) else None
    return None if matches is None else Sum(matches[0], _COUNT)


@counting.register
def _(node: Sum, standard: tuple[str, ...]) -> Node | None:
    found = _one_side(node.input, (node.name,), standard)
    if found is None:
        return None
    matches, (name,) = found
    return Sum(Map(matches, Lambda("e", Binary("*", _of(name), _of(_COUNT))), _PRODUCT), _PRODUCT)


@counting.register
def _(node: Avg, standard: tuple[str, ...]) -> Node | None:
    found = _one_side(node.input, (node.name,), standard)
    if found is None:
        return None
    matches, (name,) = found
    known = Filter(matches, Lambda("e", Comparison(_of(name), ("is not",), (Literal(None),))))
    quotient = Binary("/", _sum(Binary("*", _of(name), _of(_COUNT))), _sum(_of(_COUNT)))
    return Apply(known, Lambda("l", quotient))


@counting.register(Min)
@counting.register(Max)
def _(node: Min | Max, standard: tuple[str, ...]) -> Node | None:
    found = _one_side(node.input, (node.name,), standard)
    return None if found is None else replace(node, input=_having(found[0]), name=found[1][0])


@counting.register(ArgMin)
@counting.register(ArgMax)
def _(node: ArgMin | ArgMax, standard: tuple[str, ...]) -> Node | None:
    found = _one_side(node.input, (node.arg_name, node.value_name), standard)
    if found is None:
        return None
    matches, (arg, value) = found
    return replace(node, input=_having(matches), arg_name=arg, value_name=value)


@counting.register
def _(node: Map, standard: tuple[str, ...]) -> Node | None:
    if not isinstance(node.input, GroupBy) or not _is_len(node.function):
        return None
    found = _one_side(node.input.input, node.input.names, standard)
    if found is None or found[1] != node.input.names:  # rows answer with the names that JOIN gave
        return None
    return Map(GroupBy(_having(found[0]), node.input.names), Lambda("l", _sum(_of(_COUNT))), node.name)


def _one_side(node: Node, names: tuple[str, ...], standard: tuple[str, ...]) -> tuple[Matches, tuple[str, ...]] | None:
    """The side of a JOIN that has all the attributes, with its matches, and what it calls the attributes."""
    if not isinstance(node, Join) or not _is_unbounded(node.condition):
        return None
    held = sides(node, standard, frozenset())
    if held is None or not set(names) <= held.keys():
        return None
    places = {held[name][0] for name in names} or {0}
    if len(places) > 1:
        return None
    own = tuple(held[name][1] for name in names)
    if places == {1}:
        return Matches(node.right, node.left, _swapped(node.condition), _COUNT, own), own
    return Matches(node.left, node.right, node.condition, _COUNT, own), own


def _is_unbounded(condition: Expression) -> bool:
    """Whether the two sides are compared from one direction only, and by nothing else."""
    found = parted(condition)
    operators = {operator for _, operator, _ in found.compared}
    return (
        bool(operators)
        and not found.rest
        and found.nearest is None
        and any(operators <= direction for direction in (_FORWARD, _BACKWARD))
    )


def _is_len(function: Function) -> bool:
    if isinstance(function, Builtin):
        return function.name == "len"
    return function.body == Call("len", (Name(function.parameter),))


def _having(matches: Matches) -> Node:
    return replace(matches, having=True)


def _of(name: str) -> Expression:
    return Attribute(Name("e"), name)


def _sum(element: Expression) -> Expression:
    return Call("sum", (Comprehension("generator", element, "e", Name("l")),))


def _swapped(expression: Expression) -> Expression:
    """An expression with i1 for i2 and i2 for i1."""
    if isinstance(expression, Name):
        return Name({"i1": "i2", "i2": "i1"}.get(expression.identifier, expression.identifier))
    return with_parts(expression, _swapped)
