"""What operators do to solutions, and patterns inside of them: what the passes and the printer ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import singledispatch
from typing import Any, TypeVar

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
    Pattern,
    Read,
    Select,
    Step,
    Union,
    Values,
    Var,
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
    """The node with each pattern that stands directly in it changed; those of EXISTS, too."""
    if isinstance(node, Select | Join | LeftJoin | Exists):
        return replace(node, pattern=change(node.pattern))
    if isinstance(node, Union):
        return replace(node, patterns=tuple(map(change, node.patterns)))
    return _with_parts(node, change) if isinstance(node, Filter | Extend) and holds_patterns(node) else node


def holds_patterns(node: Node) -> bool:
    """Whether an EXISTS stands anywhere in it."""
    return isinstance(node, Exists) or any(map(holds_patterns, node.parts()))


def _with_parts(node: N, change: Callable[[Pattern], Pattern]) -> N:
    if isinstance(node, Exists):
        return within(node, change)
    made: dict[str, Any] = {}
    for field in fields(node):  # type: ignore[arg-type]
        held = getattr(node, field.name)
        if isinstance(held, Node):
            made[field.name] = _with_parts(held, change)
        elif isinstance(held, tuple):
            made[field.name] = tuple(_with_parts(one, change) for one in held)
    return replace(node, **made)  # type: ignore[type-var]


def surely_bound(pattern: Pattern) -> frozenset[Var]:
    """Variables that every solution of a pattern binds."""
    bound = frozenset[Var]()
    for step in pattern:
        bound |= _bound(step, bound)
    return bound


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
