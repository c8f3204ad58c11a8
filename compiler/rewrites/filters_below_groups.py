"""Conditions that speak only of the keys of groups are asked of the events, before these are grouped.

FILTER over MAP over GROUP_BY: all members of a group have its keys, so the same groups stay, whole. Events without a
key are in no group either way. FILTERs over the groups in between choose among whole groups and change nothing in this.
"""

from __future__ import annotations

from dataclasses import replace

from ...operators.expressions import Expression
from ...operators.nodes import Filter, GroupBy, Map, Node
from .filters import attributes_read, filtered, tests
from .places import Place, Setting, top_down


def filters_below_groups(tree: Node, setting: Setting) -> Node:
    """The tree with conditions over keys below the GROUP_BY."""
    return top_down(tree, setting, _moved)


def _moved(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Map):
        return node
    groups = _groups(node.input.input)
    if groups is None:
        return node
    keys = frozenset(groups.names) - {node.input.name}
    movable = [test for test in tests(node) if _about(node, test, keys)]
    if not movable:
        return node
    rows = replace(node.input, input=_below(node.input.input, node, movable))
    return filtered(rows, node, (test for test in tests(node) if test not in movable))


def _groups(node: Node) -> GroupBy | None:
    """The GROUP_BY below FILTERs over its groups."""
    while isinstance(node, Filter):
        node = node.input
    return node if isinstance(node, GroupBy) else None


def _about(node: Filter, test: Expression, keys: frozenset[str]) -> bool:
    names = attributes_read(node, test)
    return names is not None and bool(names) and names <= keys


def _below(node: Node, like: Filter, movable: list[Expression]) -> Node:
    if isinstance(node, Filter):
        return replace(node, input=_below(node.input, like, movable))
    assert isinstance(node, GroupBy)
    return replace(node, input=filtered(node.input, like, movable))
