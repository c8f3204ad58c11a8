"""Resolves the open parts of a tree, bottom up: its RETRIEVEs, then the keys of its EXTRACTs."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import NotUnderstood
from ..operators.nodes import AttributeType, Extract, Node, Retrieve, queries, walk
from ..operators.resolution import AttributeMatch, Resolution, RetrieveMatch
from .extract import Unresolved, resolve_attribute
from .retrieve import RetrieveContext, resolve_retrieve


@dataclass(frozen=True)
class Resolved:
    """A tree's resolution, and what the reader must know besides its notes."""

    resolution: Resolution
    warnings: tuple[str, ...] = ()


def resolve(tree: Node, context: RetrieveContext) -> Resolved:
    """Finds what each query and key of the tree stands for. New findings of models are written as derivations.

    Raises NotUnderstood when a key of an EXTRACT is none that the events have; it names what comes near.
    """
    retrieves, notes, warnings = resolve_retrieves(tree, context)
    attributes, more, told = resolve_attributes(tree, retrieves, context)
    resolution = Resolution(tuple(retrieves.items()), tuple(attributes.items()), tuple(dict.fromkeys((*notes, *more))))
    return Resolved(resolution, tuple(dict.fromkeys((*warnings, *told))))


def resolve_retrieves(
    tree: Node, context: RetrieveContext
) -> tuple[dict[str, RetrieveMatch], tuple[str, ...], tuple[str, ...]]:
    """Matches by query, notes and warnings."""
    asked = dict.fromkeys(node.query for node in walk(tree) if isinstance(node, Retrieve))
    found = {query: resolve_retrieve(query, context) for query in asked}
    notes = tuple(note for retrieved in found.values() for note in retrieved.notes)
    warnings = tuple(warning for retrieved in found.values() for warning in retrieved.warnings)
    return {query: retrieved.match for query, retrieved in found.items()}, notes, warnings


def resolve_attributes(
    tree: Node, retrieves: dict[str, RetrieveMatch], context: RetrieveContext
) -> tuple[dict[tuple[str, str], AttributeMatch], tuple[str, ...], tuple[str, ...]]:
    """Attributes by (query, key), notes and warnings. Raises NotUnderstood for keys that nothing answers."""
    found = {
        (query, key): resolve_attribute(query, retrieves[query], key, kind, context)
        for query, key, kind in _asked(tree)
    }
    unknown = [outcome for outcome in found.values() if isinstance(outcome, Unresolved)]
    if unknown:
        raise NotUnderstood("; ".join(map(str, unknown)), words=tuple(dict.fromkeys(u.key for u in unknown)))
    resolved = {place: outcome for place, outcome in found.items() if not isinstance(outcome, Unresolved)}
    notes = tuple(note for outcome in resolved.values() for note in outcome.notes)
    warnings = tuple(warning for outcome in resolved.values() for warning in outcome.warnings)
    return {place: outcome.match for place, outcome in resolved.items()}, notes, warnings


def _asked(tree: Node) -> tuple[tuple[str, str, AttributeType], ...]:
    """(query, key, type) of every EXTRACT, one for each RETRIEVE that feeds it."""
    found = [
        (query, key, kind)
        for node in walk(tree)
        if isinstance(node, Extract)
        for query in queries(node.input)
        for key, kind in zip(node.names, node.types, strict=True)
    ]
    return tuple(dict.fromkeys(found))
