"""Attributes that every event has, so that a tree may use them without an EXTRACT (ReQAP, Table 15, example 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .expressions import Expression
from .names import field_names
from .nodes import AttributeType, Extract, Node, walk

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
