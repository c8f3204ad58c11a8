"""A tree without one of its happenings: what somebody decides of an event that it is not sure was meant."""

from __future__ import annotations

from datetime import datetime

from ...operators.base import Node
from ...operators.expressions import Attribute, Boolean, Call, Comparison, Lambda, Literal, Name
from ...operators.nodes import Filter, Retrieve, rebuilt

_ROW = Name("attr")


def without(tree: Node, query: str, start: datetime) -> Node:
    """The tree, whose search for a phrase leaves out what began at that moment; what has no time stays."""
    began = Attribute(_ROW, "start_datetime")
    parts = [start.year, start.month, start.day, start.hour, start.minute, start.second, start.microsecond]
    while len(parts) > 5 and parts[-1] == 0:
        parts.pop()
    moment = Call("datetime", tuple(map(Literal, parts)))
    unknown = Comparison(began, ("is",), (Literal(None),))
    other = Comparison(began, ("!=",), (moment,))
    condition = Lambda(_ROW.identifier, Boolean("or", (unknown, other)))
    return rebuilt(tree, lambda node: Filter(node, condition) if _is_search(node, query) else node)


def _is_search(node: Node, query: str) -> bool:
    return isinstance(node, Retrieve) and node.query == query and node.source is None
