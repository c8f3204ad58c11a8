"""Constant parts of expressions become literals; conditions that need no test lose it.

`date.today().year - 1` → 2023, `60 * 60` → 3600, `timedelta(days=1) * 3` → timedelta(days=3), `True and x` → x,
`not not x` → x, FILTER by what always holds → its input. What has no value (`1 / 0`), and what no literal can say, is
left as it is, so that the three-valued logic of missing values stays (see operators.evaluation.evaluate).

Some numbers carry with them what they are (a month is answered as March, a length of time in seconds). Where the value
itself may be answered, such a part is not folded.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from ...errors import TreeTypeError
from ...operators.evaluation.budget import Steps
from ...operators.evaluation.evaluate import Environment, NoValue, evaluate
from ...operators.expressions import (
    Boolean,
    Builtin,
    Call,
    Collection,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Field,
    Index,
    Lambda,
    Literal,
    Loop,
    Loops,
    Method,
    Not,
)
from ...operators.names import free_names, holds_answer, parts
from ...operators.nodes import Apply, Filter, Join, Map, Node
from .expressions import with_parts
from .places import Setting, top_down

_MAKERS = frozenset(
    {"date", "time", "datetime", "timedelta", "relativedelta"}
    | {"date.fromisoformat", "time.fromisoformat", "datetime.fromisoformat"}
)
"""Calls that say a value as a literal would, where their arguments are literals."""
_TELLING = frozenset({"weekday", "isoweekday", "isocalendar", "total_seconds"})
"""Methods whose number says what it is."""
_KEPT = (Literal, Lambda, Builtin, Comprehension, Loops, Loop, Collection)
"""Already as short as it gets, or nothing that a literal could say."""
_MOST_TEXT, _MOST_STEPS = 1_000, 2_000
"""What is longer, or takes longer to compute, is left to whoever runs the tree."""


def fold_constants(tree: Node, setting: Setting) -> Node:
    """The tree with its constants computed; `setting.now` is what date.today() means."""
    return top_down(tree, setting, lambda node, _: _folded(node, setting.now))


def _folded(node: Node, now: datetime) -> Node:
    if isinstance(node, Filter):
        body = folded_condition(node.condition.body, now)
        if isinstance(body, Literal) and body.value is True:
            return node.input
        return node if body is node.condition.body else replace(node, condition=replace(node.condition, body=body))
    if isinstance(node, Join):
        condition = folded_condition(node.condition, now)
        if condition is node.condition or isinstance(condition, Literal):  # a JOIN is not written without a condition
            return node
        return replace(node, condition=condition)
    if isinstance(node, Map | Apply) and isinstance(node.function, Lambda):
        body = _value(node.function.body, now, shown=True)
        return node if body is node.function.body else replace(node, function=replace(node.function, body=body))
    return node


@lru_cache(maxsize=2048)
def folded_condition(expression: Expression, now: datetime) -> Expression:
    """A condition of which only matters whether it holds."""
    if (constant := _constant(expression, now)) is not None:
        return _as_truth(constant)
    if isinstance(expression, Boolean):
        return _boolean(expression, now)
    if isinstance(expression, Not):
        inner = folded_condition(expression.operand, now)
        if isinstance(inner, Not):
            return inner.operand
        return expression if inner is expression.operand else Not(inner)
    return _value(expression, now, shown=False)


def _as_truth(constant: Expression) -> Expression:
    if isinstance(constant, Literal) and isinstance(constant.value, int | float | str):
        return Literal(bool(constant.value))
    return constant


def _boolean(expression: Boolean, now: datetime) -> Expression:
    operands = tuple(folded_condition(operand, now) for operand in expression.operands)
    deciding = Literal(expression.operator == "or")
    if deciding in operands:
        return deciding
    left = tuple(operand for operand in operands if operand != Literal(not deciding.value))
    if len(left) < 2:
        return left[0] if left else Literal(not deciding.value)
    unchanged = all(new is old for new, old in zip(left, expression.operands, strict=False))
    return expression if unchanged and len(left) == len(expression.operands) else Boolean(expression.operator, left)


def _value(expression: Expression, now: datetime, *, shown: bool) -> Expression:
    """An expression whose value matters; `shown`: also what its type says about it."""
    if not (shown and _telling(expression)) and (constant := _constant(expression, now)) is not None:
        return constant
    if isinstance(expression, Not):
        inner = folded_condition(expression.operand, now)
        return expression if inner is expression.operand else Not(inner)
    if isinstance(expression, Conditional):
        default = expression.test == expression.then  # `x if x else y` means `x or y`: both must stay alike
        test = _value(expression.test, now, shown=shown) if default else folded_condition(expression.test, now)
        then, other = (_value(part, now, shown=shown) for part in (expression.then, expression.otherwise))
        same = test is expression.test and then is expression.then and other is expression.otherwise
        return expression if same else Conditional(test, then, other)
    if isinstance(expression, Comprehension):
        return _comprehension(expression, now, shown=shown)
    below = shown and not isinstance(expression, Comparison)
    try:
        return with_parts(expression, lambda part: _value(part, now, shown=below))
    except TreeTypeError:  # what it would be is written in another way: a literal for -1, an Index for x[1]
        return expression


def _comprehension(expression: Comprehension, now: datetime, *, shown: bool) -> Expression:
    tests = tuple(folded_condition(test, now) for test in expression.conditions)
    kept = tuple(test for test in tests if test != Literal(True))
    changed = with_parts(replace(expression, conditions=()), lambda part: _value(part, now, shown=shown))
    assert isinstance(changed, Comprehension)
    made = replace(changed, conditions=kept)
    return expression if made == expression else made


def _telling(expression: Expression) -> bool:
    """Whether the value of a constant, or of a part of it, says what it is."""
    if isinstance(expression, Comparison):
        return False
    if isinstance(expression, Field | Index) or (isinstance(expression, Method) and expression.name in _TELLING):
        return True
    return any(map(_telling, parts(expression)))


@lru_cache(maxsize=2048)
def _constant(expression: Expression, now: datetime) -> Expression | None:
    """The literal that an expression is worth, None where it has none or is one."""
    if isinstance(expression, _KEPT) or _is_made(expression):
        return None
    if free_names(expression) or holds_answer(expression):
        return None
    try:
        return _written(evaluate(expression, Environment({}, now, steps=Steps(_MOST_STEPS))))
    except (NoValue, TreeTypeError):
        return None


def _is_made(expression: Expression) -> bool:
    return (
        isinstance(expression, Call)
        and expression.function in _MAKERS
        and all(isinstance(part, Literal) for part in parts(expression))
    )


def _written(value: Any) -> Expression | None:
    """A value as an expression, None where none says exactly this value."""
    if isinstance(value, bool | int):
        return Literal(value) if abs(value) < 10**30 else None
    if isinstance(value, str):
        return Literal(value) if len(value) <= _MOST_TEXT else None
    if isinstance(value, Decimal):
        number = float(value)
        return Literal(number) if value.is_finite() and Decimal(repr(number)) == value else None
    if isinstance(value, timedelta):
        return _length(value)
    if isinstance(value, datetime):
        at = (value.year, value.month, value.day, value.hour, value.minute, value.second)
        return _call("datetime", at) if value.microsecond == 0 and value.tzinfo is None else None
    if isinstance(value, date):
        return _call("date", (value.year, value.month, value.day))
    if isinstance(value, time):
        return _call("time", (value.hour, value.minute, value.second)) if value.microsecond == 0 else None
    return None


def _length(value: timedelta) -> Expression | None:
    if value.microseconds:
        return None
    held = {"days": value.days, "seconds": value.seconds}
    keywords = tuple((name, Literal(number)) for name, number in held.items() if number) or (("days", Literal(0)),)
    return Call("timedelta", (), keywords)


def _call(function: str, numbers: tuple[int, ...]) -> Expression:
    return Call(function, tuple(Literal(number) for number in numbers))
