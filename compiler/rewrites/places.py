"""Going through a tree from the top, with what a place in it depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ...operators.expressions import Expression
from ...operators.names import field_names, holds_answer
from ...operators.nodes import Aggregate, Apply, ArgMax, ArgMin, Extract, GroupBy, Map, Node, Retrieve, open_questions
from ...operators.standard import standard_attributes
from .attributes import Shape, attributes, shape
from .expressions import with_trees
from .lists import list_reading


@dataclass(frozen=True)
class Place:
    """Where a node stands.

    `standard` are the standard attributes that the whole tree uses, `named` the names of the EXTRACTs above, which a
    RETRIEVE does not give by itself. `shown`: whether the attributes of the node's rows may be answered as they are,
    so that their order, and which one was added last, must stay. `queries` are those of the RETRIEVEs above, outermost
    first: they say how keys are read.
    """

    standard: tuple[str, ...]
    named: frozenset[str] = frozenset()
    shown: bool = True
    queries: tuple[str, ...] = ()

    def attributes(self, node: Node) -> tuple[str, ...] | None:
        """The attributes of a node at this place, None where they cannot be known."""
        return attributes(node, self.standard, self.named)

    def below(self, node: Node) -> Place:
        """The place of a node's inputs."""
        if isinstance(node, Retrieve):
            return replace(self, queries=(*self.queries, node.query))
        if isinstance(node, Extract):
            return replace(self, named=self.named | set(node.names))
        if isinstance(node, GroupBy | Aggregate | ArgMin | ArgMax):
            return replace(self, named=frozenset(), shown=False)
        if isinstance(node, Map):
            return replace(self, shown=False) if self.shown and shape(node.input) is Shape.GROUPS else self
        if isinstance(node, Apply) and self.shown and not list_reading(node.function).gives_rows:
            return replace(self, shown=False)
        return self

    def inside(self) -> Place:
        """The place of a tree inside an expression."""
        return Place(self.standard)


@dataclass(frozen=True)
class Setting:
    """What rewrites know of a whole tree: the moment of asking, the standard attributes that it uses, and whether a
    question in it is still open."""

    now: datetime
    standard: tuple[str, ...]
    open: bool

    @classmethod
    def of(cls, tree: Node, now: datetime) -> Setting:
        """The setting of a tree."""
        return cls(now, standard_attributes(tree), bool(open_questions(tree)))

    @property
    def place(self) -> Place:
        """The place of the whole tree."""
        return Place(self.standard)


Step = Callable[[Node, Place], Node]
"""One change of the top of a tree; it gives the node itself where there is nothing to change."""


def top_down(tree: Node, setting: Setting, step: Step) -> Node:
    """The tree with `step` done at every node until it changes nothing more, parents first, also inside expressions."""
    return _stepped(tree, setting.place, step)


def _stepped(node: Node, place: Place, step: Step) -> Node:
    while (changed := step(node, place)) is not node:
        node = changed
    return descended(node, place, lambda child, at: _stepped(child, at, step))


def descended(node: Node, place: Place, change: Step) -> Node:
    """The node with its inputs, and the trees inside its expressions, changed; itself where nothing changes."""
    below = place.below(node)
    changed: dict[str, Any] = {}
    for name in field_names(type(node)):
        value = getattr(node, name)
        made = value
        if isinstance(value, Node):
            made = change(value, below)
        elif isinstance(value, Expression) and holds_answer(value):
            made = with_trees(value, lambda tree: change(tree, place.inside()))
        if made is not value:
            changed[name] = made
    return replace(node, **changed) if changed else node  # type: ignore[type-var]
