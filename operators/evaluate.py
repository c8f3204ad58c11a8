"""What expressions mean: their value over plain Python values. The compiler's SPARQL must agree with this.

Values: int, Decimal (all fractional numbers), str, bool, date, time, datetime, timedelta, relativedelta, tuples (for
lists), rows (mappings from attribute to value, a missing attribute left out or None), tuples of rows. None is a missing
value; a list without items is an empty tuple.

An expression over a missing value, a division by zero, or a number read from a text that is none has no value:
`NoValue` is raised. `x is None` asks; `and`, `or` need only the side that decides; a condition without a value does not
hold; inside any(), all() and folds (sum, min, …) items without a value do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import ROUND_FLOOR, Decimal
from functools import singledispatch
from typing import Any

from ..errors import TreeTypeError
from .expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
    Builtin,
    Call,
    Collection,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Field,
    Function,
    Index,
    Lambda,
    Literal,
    Method,
    Name,
    Negative,
    Not,
    Slice,
)
from .folds import FOLDS, distinct
from .nodes import Node
from .values import NoValue, calendar_part, compare, constructed, same, text_of

__all__ = ["Environment", "NoValue", "evaluate", "evaluate_function", "holds"]


@dataclass(frozen=True)
class Environment:
    """What an expression may refer to: names, the moment of asking, and how a tree inside is answered."""

    names: Mapping[str, Any]
    now: datetime
    answers: Callable[[Node], tuple[Any, ...]] | None = None
    """The values that a tree inside an expression answers."""

    def bind(self, name: str, value: Any) -> Environment:
        """The environment with one more name."""
        return replace(self, names={**self.names, name: value})


def evaluate_function(function: Function, value: Any, environment: Environment) -> Any:
    """The function's value of one argument. Raises NoValue, TreeTypeError."""
    if isinstance(function, Lambda):
        return evaluate(function.body, environment.bind(function.parameter, value))
    return evaluate(Call(function.name, (Name("x"),)), environment.bind("x", value))


def holds(expression: Expression, environment: Environment) -> bool:
    """Whether a condition holds; one without a value does not."""
    try:
        return truth(evaluate(expression, environment))
    except NoValue:
        return False


def truth(value: Any) -> bool:
    """Truth of a value: of texts, lists and numbers as in Python. Raises NoValue for a missing one."""
    if value is None:
        raise NoValue
    if isinstance(value, bool | str | tuple | int | Decimal | timedelta):
        return bool(value)
    return True


@singledispatch
def evaluate(expression: Expression, _environment: Environment) -> Any:
    """The expression's value. Raises NoValue where it has none, TreeTypeError where it makes no sense."""
    raise TypeError(f"not an expression: {type(expression).__name__}")


@evaluate.register
def _(expression: Literal, _environment: Environment) -> Any:
    value = expression.value
    return Decimal(repr(value)) if isinstance(value, float) else value


@evaluate.register
def _(expression: Name, environment: Environment) -> Any:
    return environment.names[expression.identifier]


@evaluate.register
def _(expression: Attribute, environment: Environment) -> Any:
    row = evaluate(expression.base, environment)
    if not isinstance(row, Mapping):
        raise TreeTypeError(f"only events have attributes, such as {expression.name!r}")
    return row.get(expression.name)


@evaluate.register
def _(expression: Field, environment: Environment) -> Any:
    base = expression.base
    if expression.name in ("week", "year") and isinstance(base, Method) and base.name == "isocalendar":
        return calendar_part(_present(base.base, environment), 1 if expression.name == "week" else 0)
    value = _present(base, environment)
    if isinstance(value, timedelta):
        return value.days if expression.name == "days" else value.seconds
    try:
        return getattr(value, expression.name)
    except AttributeError as bad:
        raise TreeTypeError(f"{value!r} has no .{expression.name}") from bad


@evaluate.register
def _(expression: Method, environment: Environment) -> Any:
    value = _present(expression.base, environment)
    arguments = [_present(argument, environment) for argument in expression.arguments]
    if expression.name == "total_seconds":
        return Decimal(value // timedelta(microseconds=1)) / 1_000_000
    if expression.name == "isocalendar":
        return tuple(value.isocalendar())
    try:
        result = getattr(value, expression.name)(*arguments)
    except AttributeError as bad:
        raise TreeTypeError(f"{value!r} has no .{expression.name}()") from bad
    return result.replace(microsecond=0) if isinstance(result, time) else result


@evaluate.register
def _(expression: Index, environment: Environment) -> Any:
    value = _present(expression.base, environment)
    try:
        return value[expression.position]
    except IndexError as bad:
        raise NoValue from bad


@evaluate.register
def _(expression: Slice, environment: Environment) -> Any:
    return _present(expression.base, environment)[expression.start : expression.stop]


@evaluate.register
def _(expression: Binary, environment: Environment) -> Any:
    left, right = _present(expression.left, environment), _present(expression.right, environment)
    return _binary(expression.operator, left, right)


def _binary(operator: str, left: Any, right: Any) -> Any:
    if isinstance(left, date) and isinstance(right, date) and isinstance(left, datetime) != isinstance(right, datetime):
        return _binary(operator, _moment(left), _moment(right))
    if isinstance(left, timedelta) and isinstance(right, Decimal) and operator in "*/":
        return _scaled(operator, left, right)
    if isinstance(right, timedelta) and isinstance(left, Decimal):
        return _binary(operator, right, left)
    if operator in ("/", "//", "%") and not right:
        raise NoValue
    try:
        return _arithmetic(operator, left, right)
    except (TypeError, OverflowError) as bad:
        raise TreeTypeError(f"{text_of(left)} {operator} {text_of(right)} cannot be computed") from bad


def _quotient(left: Any, right: Any) -> Any:
    if not isinstance(left, timedelta):
        return Decimal(left) / Decimal(right)
    microsecond = timedelta(microseconds=1)
    return (
        Decimal(left // microsecond) / Decimal(right // microsecond) if isinstance(right, timedelta) else left / right
    )


def _scaled(operator: str, length: timedelta, factor: Decimal) -> timedelta:
    if operator == "/" and not factor:
        raise NoValue
    microseconds = Decimal(length // timedelta(microseconds=1))
    return timedelta(microseconds=round(microseconds * factor if operator == "*" else microseconds / factor))


def _moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def _arithmetic(operator: str, left: Any, right: Any) -> Any:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "/":
        return _quotient(left, right)
    quotient = int((Decimal(left) / Decimal(right)).to_integral_value(ROUND_FLOOR))
    return quotient if operator == "//" else left - right * quotient


@evaluate.register
def _(expression: Negative, environment: Environment) -> Any:
    return -_present(expression.operand, environment)


@evaluate.register
def _(expression: Not, environment: Environment) -> Any:
    return not truth(evaluate(expression.operand, environment))


@evaluate.register
def _(expression: Boolean, environment: Environment) -> Any:
    deciding = expression.operator == "or"
    missing = False
    for operand in expression.operands:
        try:
            if truth(evaluate(operand, environment)) is deciding:
                return deciding
        except NoValue:
            missing = True
    if missing:
        raise NoValue
    return not deciding


@evaluate.register
def _(expression: Comparison, environment: Environment) -> Any:
    sides = [expression.left, *expression.rights]
    chain = tuple(
        Comparison(left, (operator,), (right,))
        for left, operator, right in zip(sides, expression.operators, sides[1:], strict=False)
    )
    if len(chain) > 1:
        return evaluate(Boolean("and", chain), environment)
    operator, right = expression.operators[0], expression.rights[0]
    if right == Literal(None):
        return _missing(expression.left, environment) is (operator in ("==", "is"))
    if operator in ("in", "not in"):
        return _in(expression.left, right, environment) is (operator == "in")
    return compare(operator, _present(expression.left, environment), _present(right, environment))


def _missing(expression: Expression, environment: Environment) -> bool:
    try:
        return evaluate(expression, environment) in (None, ())
    except NoValue:
        return True


def _in(item: Expression, collection: Expression, environment: Environment) -> bool:
    trees = isinstance(collection, Answer)
    whole = _answers(collection, environment) if isinstance(collection, Answer) else evaluate(collection, environment)
    if (trees or isinstance(collection, Attribute | Comprehension)) and isinstance(whole, tuple):
        try:  # a list of the graph: an item that is missing is not in it
            value = _present(item, environment)
        except NoValue:
            return False
        return any(other is not None and same(value, other) for other in whole)
    value = _present(item, environment)
    if isinstance(whole, str):
        return value in whole
    if whole is None:
        raise NoValue
    if any(other is not None and same(value, other) for other in whole):
        return True
    if None in whole:
        raise NoValue
    return False


@evaluate.register
def _(expression: Conditional, environment: Environment) -> Any:
    chosen = expression.then if truth(evaluate(expression.test, environment)) else expression.otherwise
    return evaluate(chosen, environment)


@evaluate.register
def _(expression: Collection, environment: Environment) -> Any:
    return tuple(_or_none(item, environment) for item in expression.items)


@evaluate.register
def _(expression: Comprehension, environment: Environment) -> Any:
    items = _present(expression.iterable, environment)
    scopes = [environment.bind(expression.variable, item) for item in items]
    kept = [scope for scope in scopes if all(holds(test, scope) for test in expression.conditions)]
    values = [_or_none(expression.element, scope) for scope in kept]
    return distinct(values) if expression.kind == "set" else tuple(values)


def _or_none(expression: Expression, environment: Environment) -> Any:
    try:
        return evaluate(expression, environment)
    except NoValue:
        return None


def _present(expression: Expression, environment: Environment) -> Any:
    value = evaluate(expression, environment)
    if value is None:
        raise NoValue
    return value


@evaluate.register
def _(expression: Answer, environment: Environment) -> Any:
    return min(_answers(expression, environment), default=None)


def _answers(expression: Answer, environment: Environment) -> tuple[Any, ...]:
    if environment.answers is None:
        raise TreeTypeError("a tree inside an expression can only be answered over a graph")
    return environment.answers(expression.tree)


@evaluate.register(Lambda)
@evaluate.register(Builtin)
def _(_expression: Function, _environment: Environment) -> Any:
    raise TreeTypeError("a function is not a value")


@evaluate.register
def _(expression: Call, environment: Environment) -> Any:
    name = expression.function
    if name in ("any", "all"):
        return _quantified(name, expression.arguments[0], environment)
    if name in ("sorted", "min", "max") and (keys := dict(expression.keywords)):
        return _by_key(name, expression.arguments, keys, environment)
    if name in FOLDS and len(expression.arguments) == 1:
        return FOLDS[name](_present(expression.arguments[0], environment))
    arguments = [_present(argument, environment) for argument in expression.arguments]
    if name in ("min", "max"):
        return FOLDS[name](tuple(arguments))
    keywords = {key: _present(value, environment) for key, value in expression.keywords}
    if name in ("date.today", "datetime.now", "datetime.today"):
        return environment.now.date() if name == "date.today" else environment.now
    return constructed(name, arguments, keywords)


def _quantified(name: str, argument: Expression, environment: Environment) -> bool:
    values = _present(argument, environment)
    known = [truth(value) for value in values if value is not None]
    return any(known) if name == "any" else all(known)


def _by_key(name: str, arguments: Any, keywords: Mapping[str, Expression], environment: Environment) -> Any:
    """sorted(), min(), max() with a key; items whose key has no value are left out."""
    keyed: list[tuple[Any, Any]] = []
    key = keywords.get("key")
    for item in _present(arguments[0], environment):
        try:
            value = evaluate_function(key, item, environment) if isinstance(key, Lambda | Builtin) else item
        except NoValue:
            continue
        if value is not None:
            keyed.append((value, item))
    reverse = truth(evaluate(keywords["reverse"], environment)) if "reverse" in keywords else name == "max"
    ordered = tuple(item for _, item in sorted(keyed, key=lambda pair: pair[0], reverse=reverse))
    if name == "sorted":
        return ordered
    if not ordered:
        raise NoValue
    return ordered[0]
