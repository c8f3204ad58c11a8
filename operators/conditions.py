"""The parts of a JOIN's condition."""

from __future__ import annotations

from .expressions import Boolean, Call, Comparison, Expression
from .names import free_names, holds_answer

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of `a and b and c`, and of `a < b < c`, each of which must hold."""
    if isinstance(condition, Boolean) and condition.operator == "and":
        return tuple(part for operand in condition.operands for part in conjuncts(operand))
    if isinstance(condition, Comparison) and len(condition.operators) > 1:
        sides = (condition.left, *condition.rights)
        pairs = zip(sides, condition.operators, sides[1:], strict=False)
        return tuple(Comparison(left, (operator,), (right,)) for left, operator, right in pairs)
    return (condition,)


def conjunction(parts: tuple[Expression, ...]) -> Expression | None:
    """All parts together; None of none."""
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Boolean("and", parts)


def nearest_keys(part: Expression) -> tuple[Expression, Expression] | None:
    """The two keys of `nearest(i1.a, i2.b)`; None for any other part."""
    if isinstance(part, Call) and part.function == "nearest" and len(part.arguments) == 2:
        return part.arguments[0], part.arguments[1]
    return None


def sides(part: Expression) -> tuple[Expression, str, Expression] | None:
    """A comparison of something of i1 with something of i2, in this order; None for anything else."""
    if not isinstance(part, Comparison) or part.operators[0] not in _FLIPPED or holds_answer(part):
        return None
    one, operator, other = part.left, part.operators[0], part.rights[0]
    if (free_names(one), free_names(other)) == ({"i2"}, {"i1"}):
        one, operator, other = other, _FLIPPED[operator], one
    return (one, operator, other) if (free_names(one), free_names(other)) == ({"i1"}, {"i2"}) else None
