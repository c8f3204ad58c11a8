"""Cheap tests are made before expensive ones: the side of an `and` that decides is enough
(operators.evaluation.evaluate).

Only the parts of whole conditions are ordered, those alike stay as they stand. The sides of a JOIN are never exchanged:
the order of its rows and the names of its attributes depend on them.
"""

from __future__ import annotations

from dataclasses import replace

from ...operators.conditions import operands
from ...operators.expressions import Expression
from ...operators.nodes import Filter, Join, Node
from .cost import cost
from .expressions import conjunction
from .places import Place, Setting, top_down


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
