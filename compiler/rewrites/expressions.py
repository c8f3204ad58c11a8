"""What the rewrites ask of expressions: which attributes they read, their conjuncts, and copies with other names.

Everything here is careful in one direction: where an expression does something unforeseen with a row (hands it on
whole, binds its name again), the answer is None, and the rewrite that asked leaves the expression where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ...operators.conditions import operands
from ...operators.expressions import Answer, Attribute, Boolean, Expression, Lambda, Literal, Name
from ...operators.names import field_names, free_names, parts
from ...operators.nodes import Node


def with_parts(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with its direct parts changed; itself where nothing changes. Trees inside stay as they are."""
    changed: dict[str, Any] = {}
    for name in field_names(type(expression)):
        value = getattr(expression, name)
        made = _changed(value, change)
        if made is not value:
            changed[name] = made
    return replace(expression, **changed) if changed else expression  # type: ignore[type-var]


def _changed(value: Any, change: Callable[[Expression], Expression]) -> Any:
    if isinstance(value, Expression):
        return change(value)
    if isinstance(value, tuple):
        made = tuple(_changed(item, change) for item in value)
        return value if all(new is old for new, old in zip(made, value, strict=True)) else made
    return value


def with_trees(expression: Expression, change: Callable[[Node], Node]) -> Expression:
    """The expression with the trees inside it changed; itself where nothing changes."""
    if isinstance(expression, Answer):
        tree = change(expression.tree)
        return expression if tree is expression.tree else Answer(tree)
    return with_parts(expression, lambda part: with_trees(part, change))


@lru_cache(maxsize=4096)
def bound_names(expression: Expression) -> frozenset[str]:
    """A superset of the names that lambdas and comprehensions inside bind: texts that name no attribute or value."""
    found: set[str] = set()
    if not isinstance(expression, Name | Literal | Attribute | Answer):
        pending: list[object] = [getattr(expression, name) for name in field_names(type(expression))]
        while pending:
            value = pending.pop()
            if isinstance(value, str):
                found.add(value)
            elif isinstance(value, tuple):
                pending.extend(value)
    return frozenset(found).union(*map(bound_names, parts(expression)))


@lru_cache(maxsize=4096)
def reads(expression: Expression, row: str) -> frozenset[str] | None:
    """The attributes that an expression reads from the row called `row`; None where it does more with it."""
    return None if row in bound_names(expression) else _reads(expression, row)


def _reads(expression: Expression, row: str) -> frozenset[str] | None:
    if isinstance(expression, Attribute) and expression.base == Name(row):
        return frozenset({expression.name})
    if expression == Name(row):
        return None
    below = [_reads(part, row) for part in parts(expression)]
    known = [names for names in below if names is not None]
    return frozenset[str]().union(*known) if len(known) == len(below) else None


def renamed_row(expression: Expression, old: str, new: str) -> Expression | None:
    """The expression with the row `old` called `new`; None where one of the names means something else inside."""
    if old == new:
        return expression
    if {old, new} & bound_names(expression) or new in free_names(expression):
        return None
    return _renamed(expression, old, new)


def _renamed(expression: Expression, old: str, new: str) -> Expression:
    if expression == Name(old):
        return Name(new)
    return with_parts(expression, lambda part: _renamed(part, old, new))


def renamed_attributes(expression: Expression, row: str, names: Callable[[str], str]) -> Expression:
    """The expression with the attributes of `row` under other names; `reads` must know what it reads."""
    if isinstance(expression, Attribute) and expression.base == Name(row):
        name = names(expression.name)
        return expression if name == expression.name else Attribute(expression.base, name)
    return with_parts(expression, lambda part: renamed_attributes(part, row, names))


def as_filter(expression: Expression, row: str) -> Lambda | None:
    """A part of a JOIN's condition about the row `row` as a FILTER's condition."""
    for parameter in ("attr", "event", "row"):
        body = renamed_row(expression, row, parameter)
        if body is not None:
            return Lambda(parameter, body)
    return None


def conjunction(found: Iterable[Expression]) -> Expression:
    """One condition that holds where all of these hold; `True` for none."""
    flat = tuple(part for condition in found for part in operands(condition))
    if not flat:
        return Literal(True)
    return flat[0] if len(flat) == 1 else Boolean("and", flat)
