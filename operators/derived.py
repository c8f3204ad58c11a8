"""Nodes that execution puts into a tree, never a person or a planner: parts that are computed once, beside the query.

Their results stand in the graph as derived triples, so that the tree as a whole is still one SPARQL query.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..errors import TreeTypeError
from .expressions import Expression
from .nodes import Node, rebuilt
from .syntax.printing import format_tree


@dataclass(frozen=True)
class Shared(Node):
    """A sub-tree that stands several times in a tree and is computed once."""

    tree: Node


@dataclass(frozen=True)
class Matches(Node):
    """The rows of `left`, each with the number of rows of `right` that the condition holds for, under `name`.

    What is only counted or summed over the pairs of a JOIN needs no pair: the count is found by sorting both sides
    (ReQAP, appendix A.2). Rows without a match have 0, or are left out where only those `having` one are wanted.
    """

    left: Node
    right: Node
    condition: Expression
    name: str
    needed: tuple[str, ...] = ()
    """The attributes of `left` that something needs."""
    having: bool = False


class DerivedShape(StrEnum):
    """What a derived part answers."""

    ROWS = "rows"
    VALUES = "values"
    VALUE = "value"


@dataclass(frozen=True)
class DerivedColumn:
    """An attribute of derived rows: `kind` as in operators.checking.types, and the IRI that holds it for each row.

    `origin` is (position of the row's event, key) where the attribute is read from that event instead.
    """

    name: str
    kind: str
    predicate: str = ""
    origin: tuple[int, str] | None = None
    part: str | None = None
    unit: str | None = None
    unit_property: str | None = None


@dataclass(frozen=True)
class Derived(Node):
    """Rows, values or one value that stand in the graph `iri`.

    `events[i]` are the queries that retrieved the i-th event of each row. `pairs`: rows are triples between two events,
    else nodes with a position. `behind` is the tree whose events the rows rest on, where they hold
    none; of groups, the rows have the keys.
    """

    source: Node
    iri: str
    columns: tuple[DerivedColumn, ...]
    events: tuple[tuple[str, ...], ...] = ()
    pairs: bool = False
    shape: DerivedShape = DerivedShape.ROWS
    behind: Node | None = None
    focus: str | None = None

    def __post_init__(self) -> None:
        if self.pairs and len(self.events) != 2:
            raise TreeTypeError("pairs have two events")


def original(tree: Node) -> Node:
    """The tree as it was before anything was computed: what people read."""
    return rebuilt(tree, _unwrapped)


def _unwrapped(node: Node) -> Node:
    if isinstance(node, Derived):
        return node.source
    return node.tree if isinstance(node, Shared) else node


@format_tree.register
def _(node: Derived) -> str:
    """In messages a derived tree is shown as the one that it was made of."""
    return format_tree(node.source)


@format_tree.register
def _(node: Shared) -> str:
    """The same of a part that is computed once."""
    return format_tree(node.tree)
