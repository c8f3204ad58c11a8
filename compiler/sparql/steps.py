"""What operators do to solutions, and patterns inside of them: what the passes and the printer ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch
from itertools import accumulate
from operator import is_
from typing import Any, TypeVar

from ...ontology.namespaces import EV
from .algebra import (
    BGP,
    Aggregate,
    Call,
    Exists,
    Expr,
    Extend,
    Filter,
    Iri,
    Join,
    LeftJoin,
    Literal,
    Node,
    Not,
    Pattern,
    Read,
    Select,
    Step,
    Union,
    Values,
    Var,
    triple,
)

N = TypeVar("N", bound=Node)


def bound_idly(step: Step) -> Var | None:
    """The variable that an operator binds without changing how many solutions there are; None for other operators."""
    if isinstance(step, Extend) or (isinstance(step, Read) and (step.optional or step.sure)):
        return step.variable
    return None


def bound_for_sure(step: Step) -> frozenset[Var]:
    """The variable that a Filter asks to be bound, and asks nothing else."""
    asks = isinstance(step, Filter) and isinstance(step.test, Call) and step.test.function == "BOUND"
    return step.variables if asks else frozenset()


def bindable(step: Step) -> frozenset[Var]:
    """Variables that an operator may bind, or has in common with those before it."""
    if isinstance(step, Extend):
        return frozenset({step.variable})
    return frozenset() if isinstance(step, Filter) else step.variables


def within(node: N, change: Callable[[Pattern], Pattern]) -> N:
    """The node with each pattern that stands directly in it changed, those of EXISTS, too; itself where none is."""
    if isinstance(node, Select | Join | LeftJoin | Exists):
        pattern = change(node.pattern)
        return node if _stays(node.pattern, pattern) else replace(node, pattern=pattern)
    if isinstance(node, Union):
        patterns = tuple(map(change, node.patterns))
        return node if all(map(_stays, node.patterns, patterns)) else replace(node, patterns=patterns)
    return _with_parts(node, change) if isinstance(node, Filter | Extend) and node.holds_patterns else node


def _stays(before: Pattern, after: Pattern) -> bool:
    return len(before) == len(after) and all(map(is_, before, after))


def _with_parts(node: N, change: Callable[[Pattern], Pattern]) -> N:
    if isinstance(node, Exists):
        return within(node, change)
    made: dict[str, Any] = {}
    for name in node.__match_args__:
        held = getattr(node, name)
        if isinstance(held, Node):
            made[name] = _with_parts(held, change)
        elif isinstance(held, tuple):
            made[name] = tuple(_with_parts(one, change) for one in held)
    return replace(node, **made)  # type: ignore[type-var]


def surely_bound(pattern: Pattern) -> frozenset[Var]:
    """Variables that every solution of a pattern binds."""
    return bound_before(pattern)[-1]


def bound_before(pattern: Pattern) -> list[frozenset[Var]]:
    """Variables that every solution binds before each operator of a pattern, and behind the last."""
    return list(accumulate(pattern, _bound_with, initial=frozenset[Var]()))


def _bound_with(before: frozenset[Var], step: Step) -> frozenset[Var]:
    bound = _bound(step, before)
    return before if bound <= before else before | bound


@singledispatch
def _bound(_step: Step, _before: frozenset[Var]) -> frozenset[Var]:
    return frozenset()


@_bound.register
def _(step: BGP, _before: frozenset[Var]) -> frozenset[Var]:
    return step.variables


@_bound.register
def _(step: Values, _before: frozenset[Var]) -> frozenset[Var]:
    return step.variables


@_bound.register
def _(step: Read, _before: frozenset[Var]) -> frozenset[Var]:
    return frozenset() if step.optional else step.variables


@_bound.register
def _(step: Join, _before: frozenset[Var]) -> frozenset[Var]:
    return surely_bound(step.pattern)


@_bound.register
def _(step: Union, _before: frozenset[Var]) -> frozenset[Var]:
    return frozenset.intersection(*map(surely_bound, step.patterns))


@_bound.register
def _(step: Filter, _before: frozenset[Var]) -> frozenset[Var]:
    return bound_for_sure(step)


@_bound.register
def _(step: Extend, before: frozenset[Var]) -> frozenset[Var]:
    return frozenset({step.variable}) if _has_value(step.value, before) else frozenset()


@_bound.register
def _(step: Select, _before: frozenset[Var]) -> frozenset[Var]:
    inside = surely_bound(step.pattern)
    found = (column if isinstance(column, Extend) else Extend(column, column) for column in step.columns)
    return frozenset(column.variable for column in found if _has_value(column.value, inside))


def _has_value(value: Expr, bound: frozenset[Var]) -> bool:
    """Whether an expression surely has a value; False where that is not plain to see."""
    if isinstance(value, Var):
        return value in bound
    if isinstance(value, Call) and value.function == "COALESCE":
        return any(_has_value(option, bound) for option in value.arguments)
    return isinstance(value, Iri | Literal) or (isinstance(value, Aggregate) and value.function == "COUNT")


_PRECISION = Iri(EV + "timePrecision")


def lowered(pattern: Pattern) -> Pattern:
    """The pattern with each Read as other operators."""
    return tuple(made for step in pattern for made in _lowered(within(step, lowered)))


def _lowered(step: Step) -> Pattern:
    if not isinstance(step, Read):
        return (step,)
    held = step.held if step.whole else step.variable
    found: Pattern = (triple(step.event, step.property, held),)
    if step.timed:
        found += (no_day(step.event),)
    if step.whole:
        found = (Select((step.event, step.variable), (*found, Extend(step.variable, held))),)
    return (LeftJoin(found),) if step.optional else found


def no_day(event: Var) -> Filter:
    """Keeps events whose time is more than a day: a day without a time is not midnight."""
    return Filter(Not(Exists((triple(event, _PRECISION, Literal("day")),))))
