"""Sub-trees that stand several times in a tree are computed once: each is wrapped in `Shared`, the outermost only.

What a sub-tree means depends on more than its text: on the RETRIEVEs above it (which say how keys are read) and on the
EXTRACTs above it (whose names a RETRIEVE does not give by itself). Sub-trees are the same only where these are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...operators.derived import Shared
from ...operators.expressions import Expression
from ...operators.names import field_names, holds_answer
from ...operators.nodes import GroupBy, Join, Node, Unnest, walk
from .attributes import Shape, shape
from .places import Place, Setting, descended

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
