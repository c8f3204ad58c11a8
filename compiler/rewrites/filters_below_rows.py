"""Conditions are tested before what adds to rows, where they do not need what is added: below MAP, UNNEST and RETRIEVE.

RETRIEVE over the rows of another tree adds nothing; asking it of fewer rows is less to read.
"""

from __future__ import annotations

from dataclasses import replace

from ...operators.expressions import Expression
from ...operators.nodes import Filter, Map, Node, Retrieve, Unnest
from .attributes import Shape, shape
from .filters import attributes_read, filtered, tests
from .places import Place, Setting, top_down


def filters_below_rows(tree: Node, setting: Setting) -> Node:
    """The tree with FILTERs below the MAPs, UNNESTs and RETRIEVEs that they do not need."""
    return top_down(tree, setting, _moved)


def _moved(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter):
        return node
    over, added = node.input, _added(node.input)
    if added is None:
        return node
    movable = [test for test in tests(node) if _free(node, test, added)]
    if not movable:
        return node
    if isinstance(over, Retrieve):
        assert over.source is not None
        rows: Node = replace(over, source=filtered(over.source, node, movable))
    else:
        assert isinstance(over, Map | Unnest)
        rows = replace(over, input=filtered(over.input, node, movable))
    return filtered(rows, node, (test for test in tests(node) if test not in movable))


def _added(node: Node) -> frozenset[str] | None:
    """The attributes that a node adds to the rows below it; None where it does something else."""
    if isinstance(node, Retrieve) and node.source is not None:
        return frozenset()
    if isinstance(node, Map) and shape(node.input) is Shape.ROWS:
        return frozenset({node.name})
    return frozenset({node.item_name or node.name}) if isinstance(node, Unnest) else None


def _free(node: Filter, test: Expression, added: frozenset[str]) -> bool:
    names = attributes_read(node, test)
    return names is not None and not names & added
