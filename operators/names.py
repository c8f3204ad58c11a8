"""What expressions are made of: their parts, the names that they leave open, whether a tree stands inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache, lru_cache
from typing import TypeVar

from .expressions import Answer, Comprehension, Expression, Lambda, Loops, Name, target_names

T = TypeVar("T")


@lru_cache(maxsize=4096)
def free_names(expression: Expression) -> frozenset[str]:
    """The names that an expression uses and does not bind itself."""
    if isinstance(expression, Name):
        return frozenset({expression.identifier})
    if isinstance(expression, Answer):
        return frozenset()
    if isinstance(expression, Loops):
        return _free_in_loops(expression)
    below = frozenset[str]()
    bound = {expression.parameter} if isinstance(expression, Lambda) else set[str]()
    for part in parts(expression):
        inner = free_names(part)
        if isinstance(expression, Comprehension) and part is not expression.iterable:
            inner -= {expression.variable}
        below |= inner
    return below - bound


def _free_in_loops(expression: Loops) -> frozenset[str]:
    """Each loop sees the names of those before it, the element those of all."""
    found, bound = frozenset[str](), frozenset[str]()
    for loop in expression.loops:
        found |= free_names(loop.iterable) - bound
        bound |= frozenset(target_names(loop.target))
        found = found.union(*(free_names(test) - bound for test in loop.conditions))
    return found | (free_names(expression.element) - bound)


@lru_cache(maxsize=4096)
def holds_answer(expression: Expression) -> bool:
    """Whether a tree stands anywhere inside."""
    return isinstance(expression, Answer) or any(holds_answer(part) for part in parts(expression))


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside, left to right; trees inside are not entered."""
    found: list[Expression] = []
    pending: list[object] = [getattr(expression, name) for name in reversed(field_names(type(expression)))]
    while pending:
        value = pending.pop()
        if isinstance(value, Expression):
            found.append(value)
        elif isinstance(value, tuple):
            pending.extend(reversed(value))
    return tuple(found)


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The names of the fields of a class of nodes or expressions, in order."""
    return tuple(field.name for field in fields(kind))


def joined_names(left: Mapping[str, T], right: Mapping[str, T]) -> dict[str, T]:
    """The attributes of both sides of a JOIN; one of the right whose name is taken gets a number: `start_2`."""
    held = dict(left)
    for name, value in right.items():
        free, count = name, 1
        while free in held or (count > 1 and free in right):
            count += 1
            free = f"{name}_{count}"
        held[free] = value
    return held
