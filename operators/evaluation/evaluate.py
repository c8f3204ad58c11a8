"""What expressions mean: their value over plain Python values. The compiler's SPARQL must agree with this.

Values: int, Decimal (all fractional numbers), str, bool, date, time, datetime, timedelta, relativedelta, tuples (for
lists and sets), rows (mappings from attribute to value, a missing attribute left out or None),
tuples of rows. None is a missing value; a list without items is an empty tuple.

An expression over a missing value, a division by zero, or a number read from a text that is none has no value:
`NoValue` is raised. `x is None` asks; `and`, `or` need only the side that decides, and give a default as Python's do
(`x or 0`); a condition without a value does not hold; inside any(), all() and folds (sum, min, …) items without a
value do not count.

Nothing but NoValue and TreeTypeError is raised. What is computed is bounded (`budget`): TreeTypeError beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...errors import TreeTypeError
from ..expressions import (
    Answer,
    Builtin,
    Call,
    Collection,
    Comprehension,
    Expression,
    Function,
    Lambda,
    Loop,
    Loops,
    Target,
    target_names,
)
from . import evaluate_values as _values  # noqa: F401 - what it registers is part of the evaluator
from .budget import Steps, bounded
from .evaluator import (
    Environment,
    answers_of,
    evaluate,
    evaluate_function,
    holds,
    or_none,
    present,
    steps_of,
    truth,
    value_of,
)
from .functions import FOLDS, FUNCTIONS, called, distinct, items
from .plain_values import NoValue, shown

__all__ = ["Environment", "NoValue", "Steps", "evaluate", "evaluate_function", "holds", "truth"]


@value_of.register
def _(expression: Collection, environment: Environment) -> Any:
    found = tuple(or_none(part, environment) for part in expression.items)
    return _distinct(found, environment) if expression.kind == "set" else found


def _distinct(found: tuple[Any, ...], environment: Environment) -> Any:
    steps_of(environment).weigh(found)
    return called("a set", distinct, [found], {})


@value_of.register
def _(expression: Comprehension, environment: Environment) -> Any:
    scopes = _scopes((Loop(expression.variable, expression.iterable, expression.conditions),), environment)
    values = tuple(or_none(expression.element, scope) for scope in scopes)
    return _distinct(values, environment) if expression.kind == "set" else bounded(values, steps_of(environment))


@value_of.register
def _(expression: Loops, environment: Environment) -> Any:
    values = tuple(or_none(expression.element, scope) for scope in _scopes(expression.loops, environment))
    return _distinct(values, environment) if expression.kind == "set" else bounded(values, steps_of(environment))


def _scopes(loops: tuple[Loop, ...], environment: Environment) -> Iterator[Environment]:
    """What the names stand for in each turn of the loops, the first one outermost."""
    if not loops:
        yield environment
        return
    loop = loops[0]
    for value in _run_over(loop.iterable, environment):
        steps_of(environment).take()
        scope = _bound(loop.target, value, environment)
        if all(holds(test, scope) for test in loop.conditions):
            yield from _scopes(loops[1:], scope)


def _bound(target: Target, value: Any, environment: Environment) -> Environment:
    if isinstance(target, str):
        return environment.bind(target, value)
    parts = (None,) * len(target) if value is None else items(value)
    if len(parts) != len(target):
        raise TreeTypeError(f"{shown(value)} has {len(parts)} parts, not {', '.join(target_names(target))}")
    for inner, part in zip(target, parts, strict=True):
        environment = _bound(inner, part, environment)
    return environment


def _run_over(expression: Expression, environment: Environment) -> tuple[Any, ...]:
    """The items of a list, or all values that a tree answers."""
    if isinstance(expression, Answer):
        return answers_of(expression, environment)
    return items(present(expression, environment))


def _one_by_one(expression: Expression, environment: Environment) -> Iterator[Any]:
    """The items of a list, those of a generator computed only as far as they are asked for."""
    if isinstance(expression, Comprehension) and expression.kind == "generator":
        loops = (Loop(expression.variable, expression.iterable, expression.conditions),)
        return (or_none(expression.element, scope) for scope in _scopes(loops, environment))
    if isinstance(expression, Loops) and expression.kind == "generator":
        return (or_none(expression.element, scope) for scope in _scopes(expression.loops, environment))
    values = _run_over(expression, environment)
    steps_of(environment).take(len(values))
    return iter(values)


# ---------------------------------------------------------------- trees and functions
@value_of.register
def _(expression: Answer, environment: Environment) -> Any:
    return called("a tree's answer", lambda found: min(found, default=None), [answers_of(expression, environment)], {})


# ---------------------------------------------------------------- functions
@value_of.register(Lambda)
@value_of.register(Builtin)
def _(_expression: Function, _environment: Environment) -> Any:
    raise TreeTypeError("a function is not a value")


@value_of.register
def _(expression: Call, environment: Environment) -> Any:
    special = _SPECIAL.get(expression.function)
    if special is not None:
        return special(expression, environment)
    steps = steps_of(environment)
    arguments = [present(argument, environment) for argument in expression.arguments]
    for argument in arguments:
        steps.weigh(argument)
    keywords = {key: present(value, environment) for key, value in expression.keywords}
    name = expression.function
    result = bounded(called(f"{name}()", FUNCTIONS[name], arguments, keywords), steps)
    if isinstance(result, tuple):
        steps.take(len(result))
    return result


def _fold(call: Call, environment: Environment) -> Any:
    """A function of one list."""
    name, argument = call.function, call.arguments[0]
    if name == "len":
        return called("len()", FOLDS[name], [present(argument, environment)], {})
    values = _run_over(argument, environment)
    steps_of(environment).weigh(values)
    return bounded(called(f"{name}()", FOLDS[name], [values], {}), steps_of(environment))


def _quantified(call: Call, environment: Environment) -> bool:
    """any() and all() look no further than the first item that decides."""
    known = (truth(value) for value in _one_by_one(call.arguments[0], environment) if value is not None)
    return any(known) if call.function == "any" else all(known)


def _ordered(call: Call, environment: Environment) -> Any:
    """sorted(), min(), max(); items without a key are left out."""
    keywords = dict(call.keywords)
    name, steps = call.function, steps_of(environment)
    values = (
        _run_over(call.arguments[0], environment)
        if len(call.arguments) == 1
        else tuple(present(argument, environment) for argument in call.arguments)
    )
    keyed = _keyed(values, keywords.get("key"), environment)
    steps.weigh(tuple(key for key, _ in keyed))
    reverse = name == "max" or ("reverse" in keywords and truth(evaluate(keywords["reverse"], environment)))
    ordered = called(f"{name}()", _in_order, [keyed, reverse], {})
    if name == "sorted":
        return ordered
    if ordered:
        return ordered[0]
    if "default" not in keywords:
        raise NoValue
    return evaluate(keywords["default"], environment)


def _keyed(values: tuple[Any, ...], key: Expression | None, environment: Environment) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    for value in values:
        try:
            held = evaluate_function(key, value, environment) if isinstance(key, Lambda | Builtin) else value
        except NoValue:
            continue
        if held is not None and not (isinstance(held, tuple) and None in held):
            found.append((held, value))
    return found


def _in_order(keyed: list[tuple[Any, Any]], reverse: bool) -> tuple[Any, ...]:
    return tuple(value for _, value in sorted(keyed, key=lambda pair: pair[0], reverse=reverse))


def _next(call: Call, environment: Environment) -> Any:
    for value in _one_by_one(call.arguments[0], environment):
        return value
    if len(call.arguments) == 1:
        raise NoValue
    return evaluate(call.arguments[1], environment)


def _now(call: Call, environment: Environment) -> Any:
    return environment.now.date() if call.function == "date.today" else environment.now


def _truth(call: Call, environment: Environment) -> bool:
    return truth(evaluate(call.arguments[0], environment))


def _nearest(_call: Call, _environment: Environment) -> Any:
    raise TreeTypeError("nearest() is a part of a JOIN's condition")


_SPECIAL: dict[str, Callable[[Call, Environment], Any]] = {
    **dict.fromkeys(FOLDS, _fold),
    **dict.fromkeys(("any", "all"), _quantified),
    **dict.fromkeys(("sorted", "min", "max"), _ordered),
    **dict.fromkeys(("date.today", "datetime.now"), _now),
    "next": _next,
    "bool": _truth,
    "nearest": _nearest,
}
