"""The parts of conditions."""

from __future__ import annotations

from datetime import date

from .expressions import Attribute, Boolean, Call, Comparison, Expression, Literal, Name
from .names import free_names, holds_answer

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""What a comparison becomes with its sides exchanged."""
_DAY = 3
"""Parts of a moment down to its day."""


def operands(condition: Expression) -> tuple[Expression, ...]:
    """The parts of `a and b and c`, each of which must hold."""
    if isinstance(condition, Boolean) and condition.operator == "and":
        return tuple(part for operand in condition.operands for part in operands(operand))
    return (condition,)


def links(condition: Expression) -> tuple[Expression, ...]:
    """The comparisons of two neighbours that a chain `a < b < c` stands for; the condition itself if it is none."""
    if not isinstance(condition, Comparison) or len(condition.operators) == 1:
        return (condition,)
    neighbours = (condition.left, *condition.rights)
    pairs = zip(neighbours, condition.operators, neighbours[1:], strict=False)
    return tuple(Comparison(left, (operator,), (right,)) for left, operator, right in pairs)


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of `a and b and c`, and of `a < b < c`, each of which must hold."""
    return tuple(link for part in operands(condition) for link in links(part))


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
    if not isinstance(part, Comparison) or part.operators[0] not in FLIPPED or holds_answer(part):
        return None
    one, operator, other = part.left, part.operators[0], part.rights[0]
    if (free_names(one), free_names(other)) == ({"i2"}, {"i1"}):
        one, operator, other = other, FLIPPED[operator], one
    return (one, operator, other) if (free_names(one), free_names(other)) == ({"i1"}, {"i2"}) else None


def on_or_across(name: str, day: date) -> Boolean:
    """The condition on a row of this name that it began on a day, or before it and lasted until then."""

    def of(attribute: str, sign: str) -> Comparison:
        written = Call("date", (Literal(day.year), Literal(day.month), Literal(day.day)))
        return Comparison(Attribute(Name(name), attribute), (sign,), (written,))

    return Boolean("or", (of("start_date", "=="), Boolean("and", (of("start_date", "<"), of("end_date", ">=")))))


def day_across(condition: Expression) -> date | None:
    """The day of such a condition; None for any other."""
    first = condition.operands[0] if isinstance(condition, Boolean) else None
    if not isinstance(first, Comparison) or not isinstance(first.left, Attribute):
        return None
    row, written = first.left.base, first.rights[0]
    parts = [one.value for one in written.arguments if isinstance(one, Literal)] if isinstance(written, Call) else []
    if not isinstance(row, Name) or len(parts) != _DAY or not all(type(part) is int for part in parts):
        return None
    try:
        day = date(*parts)  # type: ignore[arg-type]
    except ValueError:
        return None
    return day if condition == on_or_across(row.identifier, day) else None
