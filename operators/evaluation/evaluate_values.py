"""Evaluates expressions of single values: names, parts, methods, arithmetic, conditions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from ...errors import TreeTypeError
from ..expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Method,
    Name,
    Negative,
    Not,
    Slice,
)
from .arithmetic import binary
from .budget import bounded
from .evaluator import Environment, answers_of, evaluate, present, steps_of, truth, value_of
from .functions import METHODS, called, field, item, items, section
from .plain_values import NoValue, compare, same, shown


@value_of.register
def _(expression: Literal, _environment: Environment) -> Any:
    value = expression.value
    return Decimal(repr(value)) if isinstance(value, float) else value


@value_of.register
def _(expression: Name, environment: Environment) -> Any:
    try:
        return environment.names[expression.identifier]
    except KeyError as bad:
        raise TreeTypeError(f"no name {expression.identifier} here") from bad


@value_of.register
def _(expression: Attribute, environment: Environment) -> Any:
    row = evaluate(expression.base, environment)
    if isinstance(row, Mapping):
        return row.get(expression.name)
    if row is None:
        raise NoValue
    raise TreeTypeError(f"only events have attributes, such as {expression.name!r}")


@value_of.register
def _(expression: Field, environment: Environment) -> Any:
    base = expression.base
    if expression.name in ("week", "year") and isinstance(base, Method) and base.name == "isocalendar":
        value = present(base.base, environment)
        if not isinstance(value, date):
            raise TreeTypeError(f"{shown(value)} has no .isocalendar()")
        return value.isocalendar()[1 if expression.name == "week" else 0]
    value = present(base, environment)
    if isinstance(value, Mapping):
        return value.get(expression.name)
    try:
        return field(value, expression.name)
    except AttributeError as bad:
        raise TreeTypeError(f"{shown(value)} has no .{expression.name}") from bad


@value_of.register
def _(expression: Method, environment: Environment) -> Any:
    value = present(expression.base, environment)
    name, steps = expression.name, steps_of(environment)
    method = METHODS.get(type(value), {}).get(name)
    if method is None:
        raise TreeTypeError(f"{shown(value)} has no .{name}()")
    arguments = [present(argument, environment) for argument in expression.arguments]
    keywords = {key: present(part, environment) for key, part in expression.keywords}
    steps.weigh(value)
    for argument in arguments:
        steps.weigh(argument)
    return bounded(called(f".{name}()", method, [value, *arguments], keywords), steps)


@value_of.register
def _(expression: Index, environment: Environment) -> Any:
    base = expression.base
    value = answers_of(base, environment) if isinstance(base, Answer) else present(base, environment)
    return item(value, expression.position)


@value_of.register
def _(expression: Slice, environment: Environment) -> Any:
    found = section(present(expression.base, environment), expression.start, expression.stop)
    steps_of(environment).take(len(found))
    return found


@value_of.register
def _(expression: Binary, environment: Environment) -> Any:
    left, right = present(expression.left, environment), present(expression.right, environment)
    steps = steps_of(environment)
    operator = expression.operator
    return bounded(called("arithmetic", binary, [operator, left, right, steps], {}), steps)


@value_of.register
def _(expression: Negative, environment: Environment) -> Any:
    return called("-", lambda value: -value, [present(expression.operand, environment)], {})


@value_of.register
def _(expression: Not, environment: Environment) -> Any:
    return not truth(evaluate(expression.operand, environment))


@value_of.register
def _(expression: Boolean, environment: Environment) -> Any:
    """The operand that decides, else the last: Python's rule. A missing one leaves open whether truth values hold,
    but does not keep `x or 0` from giving its default.
    """
    deciding = expression.operator == "or"
    missing, value = False, None
    for operand in expression.operands:
        try:
            value = evaluate(operand, environment)
            if truth(value) is deciding:
                return value
        except NoValue:
            missing, value = True, None
    if missing and (not deciding or value is None or isinstance(value, bool)):
        raise NoValue
    return value


@value_of.register
def _(expression: Comparison, environment: Environment) -> Any:
    sides = [expression.left, *expression.rights]
    chain = tuple(
        Comparison(left, (operator,), (right,))
        for left, operator, right in zip(sides, expression.operators, sides[1:], strict=False)
    )
    if len(chain) > 1:
        return evaluate(Boolean("and", chain), environment)
    operator, right = expression.operators[0], expression.rights[0]
    if right == Literal(None) and operator in ("==", "!=", "is", "is not"):
        return _missing(expression.left, environment) is (operator in ("==", "is"))
    if operator in ("in", "not in"):
        return _in(expression.left, right, environment) is (operator == "in")
    left, other = present(expression.left, environment), present(right, environment)
    steps = steps_of(environment)
    steps.weigh(left)
    steps.weigh(other)
    return compare(operator, left, other)


def _missing(expression: Expression, environment: Environment) -> bool:
    try:
        return evaluate(expression, environment) in (None, ())
    except NoValue:
        return True


def _in(wanted: Expression, collection: Expression, environment: Environment) -> bool:
    trees = isinstance(collection, Answer)
    whole = answers_of(collection, environment) if isinstance(collection, Answer) else evaluate(collection, environment)
    if (trees or isinstance(collection, Attribute | Comprehension)) and isinstance(whole, tuple):
        try:  # a list of the graph: an item that is missing is not in it
            return _holds_item(whole, present(wanted, environment), environment)
        except NoValue:
            return False
    value = present(wanted, environment)
    if isinstance(whole, str):
        if not isinstance(value, str):
            raise TreeTypeError(f"{shown(value)} in a text")
        steps_of(environment).take(len(whole) // 200)
        return value in whole
    if whole is None:
        raise NoValue
    if isinstance(whole, Mapping):  # an event: whether it has the attribute
        return isinstance(value, str) and whole.get(value) not in (None, ())
    if _holds_item(items(whole), value, environment):
        return True
    if isinstance(whole, tuple) and None in whole:
        raise NoValue
    return False


def _holds_item(whole: tuple[Any, ...], value: Any, environment: Environment) -> bool:
    steps_of(environment).weigh(whole)
    steps_of(environment).weigh(value)
    return any(other is not None and same(value, other) for other in whole)


@value_of.register
def _(expression: Conditional, environment: Environment) -> Any:
    try:
        holding = truth(evaluate(expression.test, environment))
    except NoValue:
        if expression.test != expression.then:
            raise
        holding = False  # `x if x else 0` is `x or 0`
    return evaluate(expression.then if holding else expression.otherwise, environment)
