"""Trees resolved as a question's are, without what statistics know of the data."""

from __future__ import annotations

from dataclasses import dataclass

from reqap_kg.engine.asking.resolving import resolved
from reqap_kg.operators.nodes import Node
from reqap_kg.operators.resolution import Resolution
from reqap_kg.retrieval.context import RetrieveContext


@dataclass(frozen=True)
class ResolvedTree:
    """What a tree's searches and keys stand for, and what the reader must know besides its notes."""

    resolution: Resolution
    warnings: tuple[str, ...]


def resolve(tree: Node, context: RetrieveContext) -> ResolvedTree:
    """The resolution of a tree. Raises NoSuchData for a key that no event has."""
    resolution, said = resolved(tree, context, lambda found: found, [], strict=True)
    return ResolvedTree(resolution, said.warnings)
