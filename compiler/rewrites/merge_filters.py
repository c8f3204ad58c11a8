"""FILTER over FILTER becomes one FILTER, so that the order of its tests can be chosen.

Only over rows: conditions over groups fold their members, each in a subquery of its own.
"""

from __future__ import annotations

from ...operators.nodes import Filter, Node
from .attributes import Shape, shape
from .filters import within
from .places import Place, Setting, top_down


def merge_filters(tree: Node, setting: Setting) -> Node:
    """The tree with neighbouring FILTERs merged; the lower one's tests come first."""
    return top_down(tree, setting, _merged)


def _merged(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Filter) or shape(node.input) is not Shape.ROWS:
        return node
    merged = within(node.input, node.condition)
    return node if isinstance(merged, Filter) and merged.input is node.input else merged
