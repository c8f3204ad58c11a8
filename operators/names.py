"""Which names an expression leaves open, and whether a tree stands inside it."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache

from .expressions import Answer, Comprehension, Expression, Lambda, Name


@lru_cache(maxsize=4096)
def free_names(expression: Expression) -> frozenset[str]:
    """The names that an expression uses and does not bind itself."""
    if isinstance(expression, Name):
        return frozenset({expression.identifier})
    if isinstance(expression, Answer):
        return frozenset()
    below = frozenset[str]()
    bound = {expression.parameter} if isinstance(expression, Lambda) else set[str]()
    for part in _parts(expression):
        inner = free_names(part)
        if isinstance(expression, Comprehension) and part is not expression.iterable:
            inner -= {expression.variable}
        below |= inner
    return below - bound


@lru_cache(maxsize=4096)
def holds_answer(expression: Expression) -> bool:
    """Whether a tree stands anywhere inside."""
    return isinstance(expression, Answer) or any(holds_answer(part) for part in _parts(expression))


def _parts(expression: Expression) -> list[Expression]:
    found: list[Expression] = []
    pending: list[object] = [getattr(expression, at.name) for at in fields(expression)]  # type: ignore[arg-type]
    while pending:
        value = pending.pop()
        if isinstance(value, Expression):
            found.append(value)
        elif isinstance(value, tuple):
            pending.extend(value)
    return found
