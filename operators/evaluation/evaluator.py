"""The frame of the evaluator: what names stand for, the bound on steps, and the dispatch on an expression's class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import singledispatch
from typing import Any

from ...errors import TreeTypeError
from ..expressions import Answer, Call, Expression, Function, Lambda, Name
from ..nodes import Node
from .budget import Steps
from .plain_values import NoValue


@dataclass(frozen=True)
class Environment:
    """What an expression may refer to: names, the moment of asking, and how a tree inside is answered.

    `steps` bounds what is computed. Without it each call of this module has its own bound; whoever computes a function
    row by row gives one `Steps.for_items(number of rows)` to all of them.
    """

    names: Mapping[str, Any]
    now: datetime
    answers: Callable[[Node], tuple[Any, ...]] | None = None
    """The values that a tree inside an expression answers."""
    steps: Steps | None = None

    def bind(self, name: str, value: Any) -> Environment:
        """The environment with one more name."""
        return Environment({**self.names, name: value}, self.now, self.answers, self.steps)


def evaluate_function(function: Function, value: Any, environment: Environment) -> Any:
    """The function's value of one argument. Raises NoValue, TreeTypeError."""
    if environment.steps is None:
        steps = Steps.for_items(len(value) if isinstance(value, tuple) else 0)
        environment = Environment(environment.names, environment.now, environment.answers, steps)
    if isinstance(function, Lambda):
        return evaluate(function.body, environment.bind(function.parameter, value))
    return evaluate(Call(function.name, (Name("x"),)), environment.bind("x", value))


def holds(expression: Expression, environment: Environment) -> bool:
    """Whether a condition holds; one without a value does not. Raises TreeTypeError."""
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


_HANDLERS: dict[type[Expression], Callable[[Any, Environment], Any]] = {}
"""What value_of dispatches to, found once: its own look-up is half of the time that a small expression takes."""


def evaluate(expression: Expression, environment: Environment) -> Any:
    """The expression's value. Raises NoValue where it has none, TreeTypeError where it makes no sense."""
    steps = environment.steps
    if steps is not None:
        steps.left -= 1
        if steps.left < 0:
            raise TreeTypeError("too much to compute")
        kind = type(expression)
        handler = _HANDLERS.get(kind)
        if handler is None:
            handler = _HANDLERS[kind] = value_of.dispatch(kind)
        return handler(expression, environment)
    try:
        return value_of(expression, Environment(environment.names, environment.now, environment.answers, Steps()))
    except RecursionError as bad:
        raise TreeTypeError("nested too deep") from bad


def steps_of(environment: Environment) -> Steps:
    """What is left to compute."""
    return environment.steps if environment.steps is not None else Steps()


@singledispatch
def value_of(expression: Expression, _environment: Environment) -> Any:
    """One expression's value, of one class; `evaluate` is what to call."""
    raise TreeTypeError(f"a {type(expression).__name__.lower()} is not a value")


def or_none(expression: Expression, environment: Environment) -> Any:
    """The expression's value, None where it has none."""
    try:
        return evaluate(expression, environment)
    except NoValue:
        return None


def present(expression: Expression, environment: Environment) -> Any:
    """The expression's value. Raises NoValue where it has none or is missing."""
    value = evaluate(expression, environment)
    if value is None:
        raise NoValue
    return value


def answers_of(expression: Answer, environment: Environment) -> tuple[Any, ...]:
    """All values that a tree inside an expression answers."""
    if environment.answers is None:
        raise TreeTypeError("a tree inside an expression can only be answered over a graph")
    return environment.answers(expression.tree)
