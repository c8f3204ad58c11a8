"""What conditions and functions give, and which of them could never be computed; see `meanings`.

`evaluate` says what expressions mean. An expression of a kind that is not described here is taken to be fine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import singledispatch

from ...errors import TreeTypeError
from ..expressions import (
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
    Loops,
    Method,
    Name,
    Negative,
    Not,
    Slice,
    Target,
)
from ..nodes import Node
from ..syntax.printing import format_expression
from .checking_functions import OF_LISTS, call, method
from .meanings import EventMeaning, ListMeaning, Meaning, common, comparable, items_of, kind_of, said, type_of, unknown
from .types import ANY, BOOL, FLOAT, INT, NONE, ORDERED, STR, Kind, Type, binary_type, field_type

_PARTS = frozenset({"year", "month", "day", "hour", "minute", "second", "days", "seconds"})
_LITERALS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


@dataclass(frozen=True)
class TypeScope:
    """What names stand for, and what a tree inside an expression answers: a value, or a list of them."""

    names: Mapping[str, Meaning]
    answer: Callable[[Node], Meaning]

    def bind(self, **names: Meaning) -> TypeScope:
        """The scope with more names."""
        return replace(self, names={**self.names, **names})


def meaning_of_function(function: Function, argument: Meaning, scope: TypeScope) -> Meaning:
    """What a function gives of an argument. Raises TreeTypeError."""
    if isinstance(function, Builtin):
        return meaning_of(Call(function.name, (Name("x"),)), scope.bind(x=argument))
    return meaning_of(function.body, scope.bind(**{function.parameter: argument}))


def meaning_of(expression: Expression, scope: TypeScope) -> Meaning:
    """What an expression stands for. Raises TreeTypeError, naming the innermost part that is wrong."""
    try:
        return _meaning(expression, scope)
    except TreeTypeError as bad:
        if "`" in str(bad):
            raise
        raise TreeTypeError(f"{bad}, in `{format_expression(expression)}`") from bad


@singledispatch
def _meaning(_expression: Expression, _scope: TypeScope) -> Meaning:
    return ANY


@_meaning.register
def _(expression: Literal, _scope: TypeScope) -> Meaning:
    return _LITERALS[type(expression.value)]


@_meaning.register
def _(expression: Name, scope: TypeScope) -> Meaning:
    if expression.identifier not in scope.names:
        raise TreeTypeError(f"no name {expression.identifier} here; there are: {', '.join(scope.names) or 'none'}")
    return scope.names[expression.identifier]


@_meaning.register
def _(expression: Attribute, scope: TypeScope) -> Meaning:
    base = meaning_of(expression.base, scope)
    if isinstance(base, EventMeaning):
        return base.attribute(expression.name)
    if isinstance(base, ListMeaning) and isinstance(base.item, EventMeaning) and expression.name in base.keys:
        return base.item.attribute(expression.name)
    if unknown(base):
        return ANY
    hint = f'; name one of them: any(e["{expression.name}"] … for e in …)' if isinstance(base, ListMeaning) else ""
    raise TreeTypeError(f"only events have attributes, and this is {said(base)}{hint}")


@_meaning.register
def _(expression: Field, scope: TypeScope) -> Meaning:
    base = meaning_of(expression.base, scope)
    if isinstance(expression.base, Method) and expression.base.name == "isocalendar":
        return INT
    if isinstance(base, EventMeaning):
        return base.attribute(expression.name)
    if unknown(base):
        return field_type(_owner(expression.name), expression.name) if expression.name in _PARTS else ANY
    return field_type(type_of(base), expression.name) if expression.name in _PARTS else ANY


def _owner(name: str) -> Type:
    return Type(Kind.DURATION if name in ("days", "seconds") else Kind.DATETIME)


@_meaning.register
def _(expression: Method, scope: TypeScope) -> Meaning:
    base = meaning_of(expression.base, scope)
    return method(expression.name, base, [meaning_of(argument, scope) for argument in expression.arguments])


@_meaning.register
def _(expression: Index, scope: TypeScope) -> Meaning:
    if isinstance(expression.base, Answer):
        return scope.answer(expression.base.tree)
    base = meaning_of(expression.base, scope)
    if isinstance(base, ListMeaning):
        return base.at(expression.position)
    found = items_of(base)
    if found is None:
        raise TreeTypeError(f"{said(base)} has no positions")
    return found


@_meaning.register
def _(expression: Slice, scope: TypeScope) -> Meaning:
    base = meaning_of(expression.base, scope)
    if items_of(base) is None:
        raise TreeTypeError(f"{said(base)} has no parts")
    return ListMeaning(base.item, keys=base.keys) if isinstance(base, ListMeaning) else base


@_meaning.register
def _(expression: Binary, scope: TypeScope) -> Meaning:
    left, right = meaning_of(expression.left, scope), meaning_of(expression.right, scope)
    if unknown(left) or unknown(right) or isinstance(left, ListMeaning) or isinstance(right, ListMeaning):
        return ANY
    if expression.operator in ("//", "%") and kind_of(left) is Kind.DURATION:
        return ANY
    return binary_type(expression.operator, _counted(left), _counted(right))


def _counted(meaning: Meaning) -> Type:
    return INT if meaning == BOOL else type_of(meaning)


@_meaning.register
def _(expression: Negative, scope: TypeScope) -> Meaning:
    value = meaning_of(expression.operand, scope)
    if not unknown(value) and kind_of(value) not in (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.DURATION):
        raise TreeTypeError(f"{said(value)} has no negative")
    return value


@_meaning.register
def _(expression: Not, scope: TypeScope) -> Meaning:
    meaning_of(expression.operand, scope)
    return BOOL


@_meaning.register
def _(expression: Boolean, scope: TypeScope) -> Meaning:
    found = [meaning_of(operand, scope) for operand in expression.operands]
    return common(found)


@_meaning.register
def _(expression: Comparison, scope: TypeScope) -> Meaning:
    sides = [expression.left, *expression.rights]
    for left, operator, right in zip(sides, expression.operators, sides[1:], strict=False):
        _compared(left, operator, right, scope)
    return BOOL


def _compared(left: Expression, operator: str, right: Expression, scope: TypeScope) -> None:
    item = meaning_of(left, scope)
    if operator in ("in", "not in"):
        _contained(item, right, scope)
        return
    other = meaning_of(right, scope)
    if Kind.NONE in (kind_of(item), kind_of(other)):
        if operator not in ("==", "!=", "is", "is not"):
            raise TreeTypeError("None has no order")
        return
    if not comparable(item, other) or not (_readable(left, other) and _readable(right, item)):
        raise TreeTypeError(f"{said(item)} cannot be compared with {said(other)}")
    if operator not in ("==", "!="):
        for side in (item, other):
            if not unknown(side) and kind_of(side) not in ORDERED and not _sortable(side):
                raise TreeTypeError(f"{said(side)} has no order")


def _sortable(side: Meaning) -> bool:
    """Whether it is a tuple: lists of an event have no order of their own."""
    return isinstance(side, ListMeaning) and side.parts is not None


def _readable(expression: Expression, other: Meaning) -> bool:
    """Whether a text beside a date or time is one."""
    if not isinstance(expression, Literal) or not isinstance(expression.value, str) or not isinstance(other, Type):
        return True
    if other.kind not in (Kind.DATE, Kind.TIME, Kind.DATETIME):
        return True
    try:
        time.fromisoformat(expression.value) if other.kind is Kind.TIME else datetime.fromisoformat(expression.value)
    except ValueError:
        return False
    return True


def _contained(item: Meaning, collection: Expression, scope: TypeScope) -> None:
    if isinstance(collection, Answer):
        scope.answer(collection.tree)
        return
    whole = meaning_of(collection, scope)
    if items_of(whole) is None and not isinstance(whole, EventMeaning):
        raise TreeTypeError(f"nothing is in {said(whole)}; a list or a text is needed")
    if kind_of(whole) is Kind.STR and not unknown(item) and kind_of(item) is not Kind.STR:
        raise TreeTypeError(f"{said(item)} cannot be in a text")


@_meaning.register
def _(expression: Conditional, scope: TypeScope) -> Meaning:
    meaning_of(expression.test, scope)
    return common((meaning_of(expression.then, scope), meaning_of(expression.otherwise, scope)))


@_meaning.register
def _(expression: Collection, scope: TypeScope) -> Meaning:
    parts = tuple(meaning_of(item, scope) for item in expression.items)
    return ListMeaning(common(parts), None if expression.kind == "set" else parts)


@_meaning.register
def _(expression: Comprehension, scope: TypeScope) -> Meaning:
    whole, inside = _loop(expression.variable, expression.iterable, expression.conditions, scope)
    made = meaning_of(expression.element, inside)
    kept = expression.kind != "set" and expression.element == Name(expression.variable)
    keys = whole.keys if kept and isinstance(whole, ListMeaning) else ()
    return ListMeaning(made, keys=keys)


@_meaning.register
def _(expression: Loops, scope: TypeScope) -> Meaning:
    for loop in expression.loops:
        _, scope = _loop(loop.target, loop.iterable, loop.conditions, scope)
    made = meaning_of(expression.element, scope)
    return ListMeaning(made)


def _loop(
    target: Target, iterable: Expression, conditions: tuple[Expression, ...], scope: TypeScope
) -> tuple[Meaning, TypeScope]:
    """The list that a loop goes through, and the scope inside it."""
    whole = _run_over(iterable, scope)
    item = items_of(whole)
    if item is None:
        raise TreeTypeError(f"there is nothing to go through in {said(whole)}")
    inside = scope.bind(**_loop_names(target, item))
    for test in conditions:
        meaning_of(test, inside)
    return whole, inside


def _run_over(expression: Expression, scope: TypeScope) -> Meaning:
    """What a loop or a function of a list is given: of a tree inside all values that it answers."""
    return (
        ListMeaning(scope.answer(expression.tree)) if isinstance(expression, Answer) else meaning_of(expression, scope)
    )


def _loop_names(target: Target, item: Meaning) -> dict[str, Meaning]:
    """The names of a loop: one for the item, or several for its parts."""
    if isinstance(target, str):
        return {target: item}
    found: dict[str, Meaning] = {}
    for position, inner in enumerate(target):
        found |= _loop_names(inner, item.at(position) if isinstance(item, ListMeaning) else ANY)
    return found


@_meaning.register
def _(expression: Answer, scope: TypeScope) -> Meaning:
    return scope.answer(expression.tree)


@_meaning.register(Lambda)
@_meaning.register(Builtin)
def _(_expression: Function, _scope: TypeScope) -> Meaning:
    raise TreeTypeError("a function is not a value")


@_meaning.register
def _(expression: Call, scope: TypeScope) -> Meaning:
    if expression.function == "nearest":
        raise TreeTypeError("nearest(i1.a, i2.b) stands only in a JOIN's condition, beside its other parts")
    only = len(expression.arguments) == 1 and expression.function != "len"
    read = _run_over if only and expression.function in OF_LISTS else meaning_of
    arguments = [read(argument, scope) for argument in expression.arguments]
    keywords = {name: value for name, value in expression.keywords if not isinstance(value, Lambda | Builtin)}
    for value in keywords.values():
        meaning_of(value, scope)
    key = dict(expression.keywords).get("key")
    by = None
    if isinstance(key, Lambda | Builtin):
        whole = items_of(arguments[0]) if arguments else ANY
        by = meaning_of_function(key, ANY if whole is None else whole, scope)
    return call(expression.function, arguments, by)
