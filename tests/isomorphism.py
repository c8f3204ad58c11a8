"""Whether two datasets say the same, whatever their blank nodes are called."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad


def isomorphic(left: Iterable[Quad], right: Iterable[Quad]) -> bool:
    """Whether two datasets say the same, blank nodes being free to have other names (RDF 1.1 Concepts, 3.6)."""
    return _canonical(left) == _canonical(right)


def _canonical(quads: Iterable[Quad]) -> set[Quad]:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return set(dataset)
