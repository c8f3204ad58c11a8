"""Which attributes the rows of a node have, and what kind of thing a node gives: without any knowledge of the store."""

from __future__ import annotations

from enum import Enum, auto

from ...operators.derived import Shared
from ...operators.names import joined_names
from ...operators.nodes import (
    Aggregate,
    Apply,
    ArgMax,
    ArgMin,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Node,
    Retrieve,
    Unnest,
)
from ...operators.standard import standard_attributes
from .lists import list_reading

Side = tuple[int, str]
"""An attribute of one side of a JOIN: 0 or 1, and its name there."""


class Shape(Enum):
    """What a node gives."""

    ROWS = auto()
    GROUPS = auto()
    VALUES = auto()


def shape(node: Node) -> Shape | None:
    """What a node gives; None where that cannot be said."""
    if isinstance(node, Retrieve | Extract | Join | Unnest):
        return Shape.ROWS
    if isinstance(node, GroupBy):
        return Shape.GROUPS
    if isinstance(node, Aggregate | ArgMin | ArgMax):
        return Shape.VALUES
    if isinstance(node, Shared):
        return shape(node.tree)
    if isinstance(node, Filter):
        return shape(node.input)
    if isinstance(node, Map):
        return Shape.ROWS if shape(node.input) in (Shape.ROWS, Shape.GROUPS) else None
    if isinstance(node, Apply):
        return _applied(node)
    return None


def _applied(node: Apply) -> Shape | None:
    below = shape(node.input)
    if below is Shape.VALUES:
        return Shape.VALUES
    reading = list_reading(node.function)
    if not reading.gives_rows:
        return Shape.VALUES
    return Shape.ROWS if below is Shape.ROWS and reading.names is not None else None


def attributes(
    node: Node, standard: tuple[str, ...] | None = None, named: frozenset[str] = frozenset()
) -> tuple[str, ...] | None:
    """The attributes of a node's rows in order, the keys of its groups; None where they cannot be known.

    `standard` are the standard attributes that the whole tree uses (those that `node` uses, if not given), `named` the
    names of EXTRACTs above it: a RETRIEVE gives the former without the latter.
    """
    standard = standard_attributes(node) if standard is None else standard
    if isinstance(node, Retrieve):
        if node.source is not None:
            return attributes(node.source, standard, named)
        return tuple(name for name in standard if name not in named)
    if isinstance(node, Extract):
        return _added(attributes(node.input, standard, named | set(node.names)), node.names)
    if isinstance(node, Filter | Apply):
        return attributes(node.input, standard, named)
    if isinstance(node, Map):
        return _added(attributes(node.input, standard, named), (node.name,))
    if isinstance(node, Unnest):
        return _added(attributes(node.input, standard, named), (node.item_name or node.name,))
    if isinstance(node, Join):
        both = sides(node, standard, named)
        return None if both is None else tuple(both)
    if isinstance(node, Shared):
        return attributes(node.tree, standard, named)
    return node.names if isinstance(node, GroupBy) else None


def _added(held: tuple[str, ...] | None, names: tuple[str, ...]) -> tuple[str, ...] | None:
    return None if held is None else tuple(dict.fromkeys((*held, *names)))


def sides(node: Join, standard: tuple[str, ...], named: frozenset[str]) -> dict[str, Side] | None:
    """The attributes of a JOIN in order, each with where it comes from; None where they cannot be known.

    The numbering of names that both sides have is that of nodes.Join.
    """
    left, right = attributes(node.left, standard, named), attributes(node.right, standard, named)
    return None if left is None or right is None else merged(left, right)


def merged(left: tuple[str, ...], right: tuple[str, ...]) -> dict[str, Side]:
    """The attributes of pairs of rows with these attributes, in order, each with where it comes from."""
    mine: dict[str, Side] = {name: (0, name) for name in left}
    return joined_names(mine, {name: (1, name) for name in right})
