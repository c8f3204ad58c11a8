"""Membership in compiled expressions: `in`, any() and all() over list attributes, fixed values and other trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...errors import TreeTypeError
from ...operators.checking.types import STR, Kind
from ...operators.expressions import Answer, Collection, Comprehension, Expression
from ...operators.names import free_names
from ...operators.syntax.printing import format_expression
from ..scope import Single, Values, known, rows_of
from ..sparql.algebra import (
    FALSE,
    TRUE,
    Expr,
    Extend,
    Filter,
    LeftJoin,
    Not,
    Pattern,
    Select,
    both,
    call,
    coalesced,
    either,
)
from .items import first_items
from .typed_values import ExpressionScope, Value, compare, compared, fixed_value

_HASHED: Final = frozenset({Kind.DATE, Kind.DATETIME, Kind.STR, Kind.INT})
"""Kinds of whose values equal ones are the same term."""


def contained(scope: ExpressionScope, item: Expression, collection: Expression) -> Expr:
    """`item in collection`: of a list attribute, a text, fixed values, or the values of another tree."""
    if isinstance(collection, Collection):
        return _one_of(scope, item, [scope.value(other) for other in collection.items])
    if isinstance(collection, Answer):
        return _answered(scope, item, collection)
    if isinstance(collection, Comprehension):
        return quantified(scope, "any", collection, lambda inner, v: compared("==", scope.value(item), v, inner.let))
    whole = scope.value(collection)
    if whole.known and isinstance(whole.fixed, tuple):
        return _one_of(scope, item, [fixed_value(other) for other in whole.fixed if other is not None])
    value = scope.value(item)
    if whole.items is not None:

        def equal(at: Expr) -> Pattern:
            return (Filter(compared("==", Value(at, STR), value, scope.let)),)

        return first_items(scope.context, whole.items, equal)
    if whole.kind is not Kind.STR or value.kind is not Kind.STR:
        raise TreeTypeError(f"a {whole.type} cannot hold a {value.type}")
    return call("CONTAINS", whole.expr, value.expr)


def _one_of(scope: ExpressionScope, item: Expression, others: list[Value]) -> Expr:
    value = scope.value(item)
    tests = [compared("==", value, other, scope.let) for other in others]
    return either(*tests) if tests else compare("!=", value.expr, value.expr)


def _answered(scope: ExpressionScope, item: Expression, collection: Answer) -> Expr:
    """Whether a value is among those that another tree answers."""
    answer = scope.context.answer(collection.tree)
    if isinstance(answer, Single):
        return coalesced(compared("==", scope.value(item), scope.value(collection), scope.let), FALSE)
    rows = answer.rows if isinstance(answer, Values) else rows_of(answer, "in")
    name = "" if isinstance(answer, Values) else rows.focus
    if name is None or rows.columns[name].items is not None:
        raise TreeTypeError("it is not clear which attribute of the tree is meant")
    value, column = scope.term(item), rows.columns[name]
    if value.kind is not column.type.kind or value.kind not in _HASHED:
        raise TreeTypeError(f"a {value.type} among values that are each a {column.type}")
    # Joined by hashing; false is among no values of these kinds, and keeps rows that lack the item.
    key, found = scope.context.names.fresh("item"), scope.context.names.fresh("found")
    scope.lets.append(Extend(key, coalesced(value.expr, FALSE)))
    columns = (Extend(key, column.variable), Extend(found, TRUE))
    scope.lets.append(LeftJoin((Select(columns, known(scope.context, rows, column), distinct=True),)))
    return call("BOUND", found)


def quantified(
    scope: ExpressionScope, name: str, argument: Expression, test: Callable[[ExpressionScope, Value], Expr]
) -> Expr:
    """any() or all(), of a comprehension over a list attribute or of fixed items."""
    if not isinstance(argument, Comprehension):
        return _joined(name, [test(scope, value) for value in _elements(scope, argument)])
    over = argument.iterable
    if isinstance(over, Collection) or free_names(over) == frozenset():
        bound = [scope.inside({argument.variable: value}, scope.lets) for value in _elements(scope, over)]
        tests = [_conditioned(argument, inner, name, test) for inner in bound]
        return _joined(name, tests)
    items = scope.value(over).items
    if items is None:
        raise TreeTypeError(f"`{format_expression(over)}` is not a list")
    wanted = name == "any"
    found = first_items(scope.context, items, lambda at: _item_test(scope, argument, at, test, wanted=wanted))
    return found if wanted else Not(found)


def _elements(scope: ExpressionScope, expression: Expression) -> list[Value]:
    if isinstance(expression, Collection):
        return [scope.value(item) for item in expression.items]
    fixed = scope.value(expression).fixed
    if isinstance(fixed, tuple):
        return [fixed_value(item) for item in fixed if item is not None]
    raise TreeTypeError(f"`{format_expression(expression)}` is not a list")


def _joined(name: str, tests: list[Expr]) -> Expr:
    """Items without a value do not count."""
    empty, join = (FALSE, either) if name == "any" else (TRUE, both)
    return join(*(coalesced(test, empty) for test in tests)) if tests else empty


def _conditioned(loop: Comprehension, inner: ExpressionScope, name: str, test: Any) -> Expr:
    result = test(inner, inner.value(loop.element))
    kept = [inner.condition(condition) for condition in loop.conditions]
    if not kept:
        return result
    held = coalesced(both(*kept), FALSE)
    return both(held, result) if name == "any" else either(Not(held), result)


def _item_test(scope: ExpressionScope, loop: Comprehension, at: Expr, test: Any, *, wanted: bool) -> Pattern:
    """Keeps the items that pass a test; what it names is bound inside of EXISTS, too."""
    inner = scope.inside({loop.variable: Value(at, STR)}, [])
    result = test(inner, inner.value(loop.element))
    conditions = [inner.condition(condition) for condition in loop.conditions]
    return (*inner.lets, Filter(both(*conditions, result if wanted else Not(result))))
