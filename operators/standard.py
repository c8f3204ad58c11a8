"""Attributes that every event has, so that a tree may use them without an EXTRACT (ReQAP, Table 15, example 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from .derived import Shared
from .expressions import Expression
from .names import field_names
from .nodes import (
    Apply,
    ArgMax,
    ArgMin,
    AttributeType,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Sum,
    Unnest,
    walk,
)

STANDARD: dict[str, AttributeType] = {
    "start_date": AttributeType.DATE,
    "start_time": AttributeType.TIME,
    "start_datetime": AttributeType.DATETIME,
    "end_date": AttributeType.DATE,
    "end_time": AttributeType.TIME,
    "end_datetime": AttributeType.DATETIME,
}


_NUMBER = re.compile(r"_\d+$")


def standard_attributes(tree: Node) -> tuple[str, ...]:
    """The standard attributes that a tree uses; a RETRIEVE gives those that no EXTRACT above it names."""
    used = used_names(tree)
    return tuple(name for name in STANDARD if name in used)


def used_names(tree: Node) -> frozenset[str]:
    """Every text in a tree but what its EXTRACTs name: the attributes that something uses are among them.

    A name that JOIN numbered (`end_2`) stands for itself and for what it was before.
    """
    found = {name for node in walk(tree) for name in names_of(node)}
    return frozenset(found | {_NUMBER.sub("", name) for name in found})


def names_of(node: Node) -> frozenset[str]:
    """Names that a node uses, as text or inside an expression; those of EXTRACT it makes itself."""
    return frozenset() if isinstance(node, Extract) else frozenset(_texts(node))


def _texts(held: Node | Expression) -> Iterator[str]:
    pending: list[object] = [getattr(held, name) for name in field_names(type(held))]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            pending.extend(value)
        elif isinstance(value, Expression):
            yield from _inside(value)


@lru_cache(maxsize=4096)
def _inside(expression: Expression) -> frozenset[str]:
    """Every text in an expression; trees inside are not entered."""
    return frozenset(_texts(expression))


_SAME_ROWS = (Filter, Map, Unnest, Apply)
_FOLDING = (GroupBy, Min, Max, Sum, Avg, ArgMin, ArgMax)


def with_own_reads(tree: Node) -> Node:
    """The tree in which every operator has the standard attributes that it uses; the same one where all have."""
    if not any(isinstance(node, Extract) and STANDARD.keys() & node.names for node in walk(tree)):
        return tree
    made = _with(tree, frozenset())
    return tree if made == tree else made


def _with(node: Node, named: frozenset[str]) -> Node:
    """A node whose rows EXTRACTs above give these names."""
    if isinstance(node, Extract):
        return replace(node, input=_with(node.input, named | frozenset(node.names)))
    if isinstance(node, Shared):
        return replace(node, tree=_with(node.tree, named))
    if isinstance(node, _SAME_ROWS):
        return replace(node, input=_reading(_with(node.input, named), named & names_of(node)))
    if isinstance(node, Join):
        used = named & names_of(node)
        left, right = (_reading(_with(side, named), used) for side in (node.left, node.right))
        return replace(node, left=left, right=right)
    if isinstance(node, _FOLDING):
        return replace(node, input=_with(node.input, frozenset()))
    return node


def _reading(node: Node, used: frozenset[str]) -> Node:
    """The node, with those of the names read that are standard attributes and that nothing in it reads."""
    missing = [name for name in STANDARD if name in used and name not in _read(node)]
    if not missing:
        return node
    return Extract(node, tuple(missing), tuple(STANDARD[name] for name in missing))


def _read(node: Node) -> frozenset[str]:
    """The names that EXTRACTs give a node's rows."""
    if isinstance(node, Extract):
        return frozenset(node.names) | _read(node.input)
    if isinstance(node, _SAME_ROWS):
        return _read(node.input)
    if isinstance(node, Join):
        return _read(node.left) | _read(node.right)
    return _read(node.tree) if isinstance(node, Shared) else frozenset()
