"""JOIN on equal days and texts: a shared variable, which a store joins by hashing.

What the condition says of one side alone filters that side; what else it says is tested of the pairs. A condition
without such an equality is refused: execution finds its pairs by sorting (execution.joins.joining).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..errors import TreeTypeError
from ..operators.checking.types import Kind
from ..operators.conditions import conjuncts, sides
from ..operators.expressions import Attribute, Collection, Comparison, Expression, Literal
from ..operators.names import free_names, holds_answer, joined_names
from .expressions.expressions import Expressions, Row
from .expressions.typed_values import Value
from .scope import Context, Rows, named, surely
from .sparql.algebra import Filter, Pattern, Var, group

_MOST = 10**18
"""Whole numbers up to here have one form in the store."""


def joined(context: Context, left: Rows, right: Rows, condition: Expression) -> Rows:
    """The pairs of rows, with the attributes of both."""
    rest: list[Expression] = []
    spread = len(conjuncts(condition))
    for part in conjuncts(condition):
        names = frozenset() if holds_answer(part) else free_names(part)
        if names == {"i1"}:
            left = kept(context, left, part, {"i1": Row(left.columns)})
        elif names == {"i2"}:
            right = kept(context, right, part, {"i2": Row(right.columns)})
        elif (found := _equated(context, part, left, right)) is not None:
            left, right = found
            spread = 0
        else:
            rest.append(part)
    if spread:
        raise TreeTypeError("pairs that no equal day or text finds are found by sorting")
    scope = {"i1": Row(left.columns), "i2": Row(right.columns)}
    tests = (step for part in rest for step in filters(context, part, scope))
    pattern = (*group(left.pattern), *group(right.pattern), *tests)
    columns = joined_names(left.columns, right.columns)
    order, trace = (*left.order, *right.order), left.trace.beside(right.trace)
    return Rows(pattern, columns, (*left.events, *right.events), {**left.raw, **right.raw}, order, trace)


def kept(context: Context, rows: Rows, condition: Expression, names: Mapping[str, Row | Value]) -> Rows:
    """The rows that a condition holds for. Those with a given text are looked up by it, where that is possible."""
    for part in conjuncts(condition):
        chosen = _chosen(context, part, names)
        found = context.reads.restricted(rows.pattern, *chosen) if chosen is not None else None
        rows = rows.adding(*filters(context, part, names)) if found is None else replace(rows, pattern=found)
    return rows


def _chosen(
    context: Context, part: Expression, names: Mapping[str, Row | Value]
) -> tuple[Var, tuple[str, ...] | tuple[int, ...]] | None:
    """The variable and the values of a condition that an attribute is one of some fixed texts, or of some fixed whole
    numbers; None for another."""
    if not isinstance(part, Comparison) or part.operators[0] not in ("==", "in"):
        return None
    attribute, other = part.left, part.rights[0]
    if part.operators[0] == "==" and isinstance(other, Attribute):
        attribute, other = other, attribute
    items = other.items if isinstance(other, Collection) and part.operators[0] == "in" else (other,)
    held = [item.value for item in items if isinstance(item, Literal)]
    texts = tuple(dict.fromkeys(item for item in held if isinstance(item, str)))
    numbers = tuple(dict.fromkeys(item for item in held if type(item) is int and abs(item) < _MOST))
    if not isinstance(attribute, Attribute) or (part.operators[0] == "in" and items == (other,)):
        return None
    value = Expressions(context, names, []).value(attribute)
    if len(held) != len(items) or not isinstance(value.expr, Var):
        return None
    if value.kind is Kind.STR and texts and all(isinstance(item, str) for item in held):
        return value.expr, texts
    if value.kind is Kind.INT and numbers and all(item in numbers for item in held):
        return value.expr, numbers
    return None


def filters(context: Context, condition: Expression, names: Mapping[str, Row | Value]) -> Pattern:
    """Operators that keep what a condition holds for."""
    scope = Expressions(context, names, [])
    tests = [Filter(scope.condition(part)) for part in conjuncts(condition)]
    return (*scope.lets, *tests)


def _equated(context: Context, part: Expression, left: Rows, right: Rows) -> tuple[Rows, Rows] | None:
    """Both sides with a variable in common, where the part says that a day or text of one equals one of the other."""
    compared = sides(part)
    if compared is None or compared[1] != "==":
        return None
    first = Expressions(context, {"i1": Row(left.columns)}, [])
    second = Expressions(context, {"i2": Row(right.columns)}, [])
    a, b = first.term(compared[0]), second.term(compared[2])
    if a.kind is not b.kind or a.kind not in (Kind.DATE, Kind.STR):
        return None
    shared = context.names.fresh("same")
    made = list[Rows]()
    for rows, scope, value in ((left, first, a), (right, second, b)):
        naming, at = named(context, value.expr, "side")
        found = context.having(rows.adding(*scope.lets, *naming), at)
        made.append(found.adding(*surely(((at, shared),))))
    return made[0], made[1]
