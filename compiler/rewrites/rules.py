"""The rewrites in their order, and `rewrite`, which applies them until nothing changes.

Each rewrite is a pure function of a tree and what is known of it as a whole (places.Setting): the tree that it gives
answers the same over every graph (rows, their order and names, and the events behind them), and is cheaper, or lets
another rewrite make it so. None knows the store. As in sqlglot's optimizer, each has a module and a file of examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from functools import lru_cache

from ...operators.conditions import operands
from ...operators.derived import Shared
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
from ...operators.names import field_names, holds_answer, parts
from ...operators.nodes import Filter, GroupBy, Join, Node, Unnest, walk
from ...operators.standard import STANDARD, standard_attributes, with_own_reads
from .attributes import Shape, shape
from .expressions import conjunction
from .filters import filters_below_extract, filters_below_groups, filters_below_join, filters_below_rows, within
from .fold_constants import fold_constants
from .places import Place, Setting, descended, top_down
from .projection import projection


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


WORTH = (Join, GroupBy, Unnest)
"""A sub-tree without any of these, and without the answer of another, is cheaper computed twice than kept."""


def share_subtrees(tree: Node, setting: Setting) -> Node:
    """The tree with its repeated sub-trees wrapped, where computing them is worth keeping."""
    if setting.open or sum(map(_works, walk(tree))) < 2:
        return tree
    sharing = _Sharing(Counter())
    sharing.count(tree, setting.place)
    return sharing.wrap(tree, setting.place) if max(sharing.seen.values(), default=0) > 1 else tree


def _works(node: Node) -> bool:
    if isinstance(node, WORTH):
        return True
    values = (getattr(node, name) for name in field_names(type(node)))
    return any(isinstance(value, Expression) and holds_answer(value) for value in values)


@dataclass(frozen=True)
class _Sharing:
    """Counts sub-trees, and wraps those seen twice."""

    seen: Counter[tuple[Node, frozenset[str], tuple[str, ...]]]

    def count(self, node: Node, place: Place) -> Node:
        if not isinstance(node, Shared):
            if _worth(node):
                self.seen[_key(node, place)] += 1
            descended(node, place, self.count)
        return node

    def wrap(self, node: Node, place: Place) -> Node:
        if isinstance(node, Shared):
            return node
        if _worth(node) and self.seen[_key(node, place)] > 1:
            return Shared(node)
        return descended(node, place, self.wrap)


def _worth(node: Node) -> bool:
    return shape(node) in (Shape.ROWS, Shape.VALUES) and any(map(_works, walk(node)))


def _key(node: Node, place: Place) -> tuple[Node, frozenset[str], tuple[str, ...]]:
    return node, place.named & set(place.standard), place.queries


def merge_filters(tree: Node, setting: Setting) -> Node:
    """The tree with neighbouring FILTERs merged; the lower one's tests come first."""
    return top_down(tree, setting, _merged)


def _merged(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Filter) or shape(node.input) is not Shape.ROWS:
        return node
    merged = within(node.input, node.condition)
    return node if isinstance(merged, Filter) and merged.input is node.input else merged


Rewrite = Callable[[Node, Setting], Node]
"""Tree and what is known of it → tree; the tree itself where there is nothing to change."""

REWRITES: tuple[Rewrite, ...] = (
    # First, so that equal conditions look equal, and conditions that always hold are gone.
    fold_constants,
    # Before anything moves into a sub-tree: a filter that only one of its places has would make it two sub-trees.
    share_subtrees,
    # Before conditions move: the parts of neighbours move together.
    merge_filters,
    # From the top of usual trees to their bottom, so that one round brings a condition all the way down.
    filters_below_groups,
    filters_below_rows,
    filters_below_extract,
    filters_below_join,
    # After the moves, which part EXTRACTs: what only a condition below needed is not carried further up.
    projection,
    # Last: where the conditions ended says which of them meet.
    order_conditions,
)

MOST_ROUNDS = 20
"""Rounds over all rewrites; ordinary trees need two or three."""


@dataclass(frozen=True)
class Rewritten:
    """A tree after rewriting, and the names of the rewrites that changed it, each once, in the order of first use."""

    tree: Node
    applied: tuple[str, ...]


def rewrite(tree: Node, now: datetime, rules: Sequence[Rewrite] = REWRITES) -> Rewritten:
    """The tree after all rewrites, round after round until nothing changes; `now` is what date.today() means.

    The tree may hold open questions (QUD): what depends on them is left as it is. Raises nothing of its own.
    """
    applied: dict[str, None] = {}
    tree = with_own_reads(tree)
    setting = Setting.of(tree, now)
    for _ in range(MOST_ROUNDS):
        before = tree
        for rule in rules:
            made = rule(tree, setting)
            if made is tree or made == tree:
                continue
            after = replace(setting, standard=standard_attributes(made))
            if _answers_alike(tree, setting, made, after):
                tree, setting = made, after
                applied[rule.__name__] = None
        if tree is before:
            break
    return Rewritten(tree, tuple(applied))


def _answers_alike(before: Node, first: Setting, after: Node, second: Setting) -> bool:
    """Whether the rows of both have the same attributes.

    A rewrite may have taken away the last use of a standard attribute (`x["start_date"] > d or True`), which rows then
    no longer have. Where rows are the answer that would be seen.
    """
    if first.standard == second.standard or shape(before) is Shape.VALUES:
        return True
    return first.place.attributes(before) == second.place.attributes(after)
