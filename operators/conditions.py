"""The parts of conditions."""

from __future__ import annotations

from datetime import date

from .expressions import Attribute, Boolean, Call, Comparison, Expression, Literal, Name
from .names import free_names, holds_answer

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""What a comparison becomes with its sides exchanged."""


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


def written_day(day: date) -> Call:
    """A day as trees write it: `date(2024, 3, 1)`."""
    return Call("date", (Literal(day.year), Literal(day.month), Literal(day.day)))


def fixed_day(value: Expression) -> date | None:
    """The day of `date(2024, 3, 1)` or `datetime(2024, 3, 1, 12)`; None for anything else."""
    if not isinstance(value, Call) or value.function not in ("date", "datetime") or value.keywords:
        return None
    numbers = [part.value for part in value.arguments[:3] if isinstance(part, Literal) and type(part.value) is int]
    try:
        return date(*numbers) if len(numbers) == 3 else None
    except ValueError:  # no such day
        return None


def on_or_across(name: str, day: date) -> Boolean:
    """The condition on a row of this name that it began on a day, or before it and lasted until then."""

    def of(attribute: str, sign: str) -> Comparison:
        return Comparison(Attribute(Name(name), attribute), (sign,), (written_day(day),))

    return Boolean("or", (of("start_date", "=="), Boolean("and", (of("start_date", "<"), of("end_date", ">=")))))


def day_across(condition: Expression) -> date | None:
    """The day of such a condition; None for any other."""
    first = condition.operands[0] if isinstance(condition, Boolean) else None
    if not isinstance(first, Comparison) or not isinstance(first.left, Attribute):
        return None
    row, day = first.left.base, fixed_day(first.rights[0])
    if not isinstance(row, Name) or day is None:
        return None
    return day if condition == on_or_across(row.identifier, day) else None
