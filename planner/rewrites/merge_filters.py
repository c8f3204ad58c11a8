"""FILTER over FILTER becomes one FILTER, so that the order of its tests can be chosen.

Only over rows: conditions over groups fold their members, each in a subquery of its own.
"""

from __future__ import annotations

from dataclasses import replace

from ...operators.nodes import Filter, Node
from .attributes import Shape, shape
from .expressions import conjunction, renamed_row
from .places import Place, Setting, top_down


def merge_filters(tree: Node, setting: Setting) -> Node:
    """The tree with neighbouring FILTERs merged; the lower one's tests come first."""
    return top_down(tree, setting, _merged)


def _merged(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Filter) or shape(node.input) is not Shape.ROWS:
        return node
    lower = node.input
    body = renamed_row(node.condition.body, node.condition.parameter, lower.condition.parameter)
    if body is None:
        return node
    return Filter(lower.input, replace(lower.condition, body=conjunction((lower.condition.body, body))))
