"""Standard attributes that are used below the EXTRACT that names them.

A RETRIEVE gives the standard attributes that no EXTRACT above it names. In

    EXTRACT(l=FILTER(l=RETRIEVE(...), filter=lambda e: e["end_date"] > e["start_date"]), attr_names=["start_date"], ...)

FILTER would so have no `start_date`, though it reads as if every event had one. Here FILTER gets an EXTRACT of its own.
"""

from __future__ import annotations

from dataclasses import replace

from ..derived import Shared
from ..nodes import Apply, ArgMax, ArgMin, Avg, Extract, Filter, GroupBy, Join, Map, Max, Min, Node, Sum, Unnest, walk
from ..standard import STANDARD, names_of

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
