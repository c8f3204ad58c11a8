"""What testing an expression costs, roughly: enough to say which of two tests is made first."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from functools import lru_cache

from ...operators.conditions import operands
from ...operators.expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
    Call,
    Collection,
    Comparison,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Method,
    Name,
    Negative,
    Not,
)
from ...operators.names import parts
from ...operators.nodes import Filter, Join, Node
from ...operators.standard import STANDARD
from .expressions import conjunction
from .places import Place, Setting, top_down


class Cost(IntEnum):
    """Classes of costs, cheapest first."""

    CONSTANT = 0
    MOMENT = 1
    """Of the standard attributes: every event has them as such, and an index may find them."""
    VALUE = 2
    """Comparisons and arithmetic of other attributes."""
    TEXT = 3
    """Searching in texts and changing them."""
    LIST = 4
    """Going through lists; anything unusual."""
    TREE = 5
    """The answer of another tree."""


_MOMENTS = frozenset({"weekday", "isoweekday", "isocalendar", "date", "time", "total_seconds"})
_PLAIN = (Literal, Name, Field, Index, Negative, Not, Boolean, Binary, Comparison, Conditional, Collection)
_CALLS = frozenset(
    {"abs", "round", "int", "float", "bool", "date", "time", "datetime", "timedelta", "relativedelta"}
    | {"date.today", "datetime.now", "date.fromisoformat", "time.fromisoformat"}
    | {"datetime.fromisoformat", "datetime.combine"}
)


@lru_cache(maxsize=4096)
def cost(expression: Expression) -> Cost:
    """The cost of the dearest part of an expression."""
    return max((_own(expression), *map(cost, parts(expression))))


def _own(expression: Expression) -> Cost:
    if isinstance(expression, Answer):
        return Cost.TREE
    if isinstance(expression, Attribute):
        return Cost.MOMENT if expression.name in STANDARD else Cost.VALUE
    if isinstance(expression, Comparison) and {"in", "not in"} & set(expression.operators):
        return _membership(expression)
    if isinstance(expression, Method):
        return Cost.CONSTANT if expression.name in _MOMENTS else Cost.TEXT
    if isinstance(expression, Call):
        return Cost.CONSTANT if expression.function in _CALLS else Cost.LIST
    return Cost.CONSTANT if isinstance(expression, _PLAIN) else Cost.LIST


def _membership(expression: Comparison) -> Cost:
    """`x in [1, 2]` is a few comparisons; `"a" in x` searches."""
    few = all(isinstance(right, Collection) for right in expression.rights)
    return Cost.CONSTANT if few else Cost.TEXT


def order_conditions(tree: Node, setting: Setting) -> Node:
    """The tree with the parts of its FILTERs' and JOINs' conditions in the order of their cost."""
    return top_down(tree, setting, _ordered)


def _ordered(node: Node, _place: Place) -> Node:
    if isinstance(node, Filter):
        body = _cheap_first(node.condition.body)
        return node if body is node.condition.body else replace(node, condition=replace(node.condition, body=body))
    if isinstance(node, Join):
        condition = _cheap_first(node.condition)
        return node if condition is node.condition else replace(node, condition=condition)
    return node


def _cheap_first(condition: Expression) -> Expression:
    found = operands(condition)
    ordered = sorted(found, key=cost)
    return condition if ordered == list(found) else conjunction(ordered)
