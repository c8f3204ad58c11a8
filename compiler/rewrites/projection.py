"""Attributes that nothing above uses are neither extracted nor computed.

What the root answers as rows keeps all its attributes. Below a JOIN a name is dropped only where the numbering of the
others (`name_2`) stays. A standard attribute that the tree uses stays extracted: a RETRIEVE would give it instead.
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from ...operators.expressions import Function, Lambda
from ...operators.nodes import (
    Aggregate,
    Apply,
    ArgMax,
    ArgMin,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Retrieve,
    Sum,
    Unnest,
)
from .attributes import Shape, merged, shape, sides
from .expressions import reads
from .lists import list_reading
from .places import Place, Setting, descended

Needed = frozenset[str] | None
"""The attributes of rows that something above uses; None for all of them."""


def projection(tree: Node, setting: Setting) -> Node:
    """The tree without attributes that nothing uses. A tree with open questions is left as it is."""
    return tree if setting.open else _whole(tree, setting.place)


def _whole(tree: Node, place: Place) -> Node:
    """A tree of its own: groups answer their keys, rows all that they have."""
    return _node(tree, frozenset() if shape(tree) is Shape.GROUPS else None, place)


def _below(node: Node, place: Place, *needed: Needed) -> Node:
    """The node with what is not needed of its inputs left out; trees inside expressions are trees of their own."""
    wanted = iter(needed)

    def change(child: Node, at: Place) -> Node:
        want = next(wanted, "own")
        return _whole(child, at) if isinstance(want, str) else _node(child, want, at)

    return descended(node, place, change)


@singledispatch
def _node(node: Node, _needed: Needed, place: Place) -> Node:
    return _below(node, place, None, None)


@_node.register
def _(node: Retrieve, needed: Needed, place: Place) -> Node:
    return _below(node, place, needed)


@_node.register
def _(node: Extract, needed: Needed, place: Place) -> Node:
    if needed is None:
        return _below(node, place, None)
    kept = [name for name in node.names if name in needed or name in place.standard]
    made = _below(node, place, needed - set(kept))
    assert isinstance(made, Extract)
    if not kept:
        return made.input
    if len(kept) == len(node.names):
        return made
    types = dict(zip(node.names, node.types, strict=True))
    return replace(made, names=tuple(kept), types=tuple(types[name] for name in kept))


@_node.register
def _(node: Filter, needed: Needed, place: Place) -> Node:
    given = shape(node.input)
    if given is Shape.ROWS:
        return _below(node, place, _both(needed, reads(node.condition.body, node.condition.parameter)))
    return _below(node, place, _both(needed, _of_list(node.condition)) if given is Shape.GROUPS else None)


@_node.register
def _(node: Map, needed: Needed, place: Place) -> Node:
    given, function = shape(node.input), node.function
    if given is Shape.GROUPS:
        return _below(node, place, _of_list(function))
    if given is not Shape.ROWS or not isinstance(function, Lambda):
        return _below(node, place, None)
    if needed is not None and node.name not in needed:
        return _node(node.input, needed, place)
    rest = None if needed is None else needed - {node.name}
    return _below(node, place, _both(rest, reads(function.body, function.parameter)))


@_node.register
def _(node: Apply, needed: Needed, place: Place) -> Node:
    if shape(node.input) not in (Shape.ROWS, Shape.GROUPS):
        return _below(node, place, None)
    reading = list_reading(node.function)
    return _below(node, place, _both(needed, reading.names) if reading.gives_rows else reading.names)


@_node.register
def _(node: GroupBy, needed: Needed, place: Place) -> Node:
    return _below(node, place, _both(needed, frozenset(node.names)))


@_node.register
def _(node: Unnest, needed: Needed, place: Place) -> Node:
    if needed is None:
        return _below(node, place, None)
    return _below(node, place, needed - {node.item_name or node.name} | {node.name})


@_node.register(Min)
@_node.register(Max)
@_node.register(Sum)
@_node.register(Avg)
def _(node: Aggregate, _needed: Needed, place: Place) -> Node:
    return _below(node, place, frozenset({node.name}))


@_node.register(ArgMin)
@_node.register(ArgMax)
def _(node: ArgMin | ArgMax, _needed: Needed, place: Place) -> Node:
    return _below(node, place, frozenset({node.arg_name, node.value_name}))


@_node.register
def _(node: Join, needed: Needed, place: Place) -> Node:
    below = place.below(node)
    held = sides(node, place.standard, below.named)
    first, second = reads(node.condition, "i1"), reads(node.condition, "i2")
    if needed is None or held is None or first is None or second is None:
        return _below(node, place, None, None)
    used = {name: held[name] for name in needed if name in held}
    right = {own for side, own in used.values() if side == 1}
    # A name that both have must stay on the left, or the right one would lose its number.
    left = {own for side, own in used.values() if side == 0} | {name for name in right if held.get(name) == (0, name)}
    made = _below(node, place, first | left, second | right)
    assert isinstance(made, Join)
    now = merged(below.attributes(made.left) or (), below.attributes(made.right) or ())
    if all(now.get(name) == side for name, side in used.items()):
        return made
    return _below(node, place, None, None)


def _both(one: Needed, other: Needed) -> Needed:
    return None if one is None or other is None else one | other


def _of_list(function: Function) -> Needed:
    """What a function of a group reads of its members."""
    reading = list_reading(function)
    return None if reading.gives_rows else reading.names
