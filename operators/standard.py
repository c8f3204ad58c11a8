"""Attributes that every event has, so that a tree may use them without an EXTRACT (ReQAP, Table 15, example 2)."""

from __future__ import annotations

import re
from dataclasses import fields

from .expressions import Attribute, Expression
from .nodes import AttributeType, Extract, Node, walk

STANDARD: dict[str, AttributeType] = {
    "start_date": AttributeType.DATE,
    "start_time": AttributeType.TIME,
    "start_datetime": AttributeType.DATETIME,
    "end_date": AttributeType.DATE,
    "end_time": AttributeType.TIME,
    "end_datetime": AttributeType.DATETIME,
}


def standard_attributes(tree: Node) -> tuple[str, ...]:
    """The standard attributes that a tree uses; a RETRIEVE gives those that no EXTRACT above it names."""
    used = used_names(tree)
    return tuple(name for name in STANDARD if name in used)


def used_names(tree: Node) -> frozenset[str]:
    """Every text in a tree but what its EXTRACTs name: the attributes that something uses are among them.

    A name that JOIN numbered (`end_2`) stands for itself and for what it was before.
    """
    found = {name for node in walk(tree) for name in _names(node)}
    return frozenset(found | {re.sub(r"_\d+$", "", name) for name in found})


def _names(node: Node) -> set[str]:
    """Names that a node uses, as text or inside an expression; those of EXTRACT it makes itself."""
    found: set[str] = set()
    if isinstance(node, Extract):
        return found
    pending: list[object] = [getattr(node, at.name) for at in fields(node)]  # type: ignore[arg-type]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, tuple):
            pending.extend(value)
        elif isinstance(value, Expression):
            if isinstance(value, Attribute):
                found.add(value.name)
            pending.extend(getattr(value, at.name) for at in fields(value))  # type: ignore[arg-type]
    return found
