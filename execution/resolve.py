"""Resolves the open parts of a tree, bottom up: its RETRIEVEs, then the keys of its EXTRACTs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from ..errors import NotUnderstood
from ..operators.nodes import AttributeType, Extract, Node, Retrieve, queries, walk
from ..operators.resolution import AttributeMatch, Resolution, RetrieveMatch
from .common_units import units_to_change
from .extract import Unresolved, resolve_attribute
from .retrieve import RetrieveContext, resolve_retrieve
from .values_read import wider


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
    """Attributes by (query, key), notes and warnings; those that are added or compared are in one unit.

    Raises NotUnderstood for keys that nothing answers, TreeTypeError for quantities that never are in one unit.
    """
    asked = _asked(tree)
    found = {
        (query, key): resolve_attribute(query, retrieves[query], key, kind, context)
        for (query, key), kind in asked.items()
    }
    unknown = [outcome for outcome in found.values() if isinstance(outcome, Unresolved)]
    if unknown:
        raise NotUnderstood("; ".join(map(str, unknown)), words=tuple(dict.fromkeys(u.key for u in unknown)))
    resolved = {place: outcome for place, outcome in found.items() if not isinstance(outcome, Unresolved)}
    matches = {place: outcome.match for place, outcome in resolved.items()}
    for (query, key), unit in units_to_change(tree, asked, matches, context.vocabulary).items():
        again = resolve_attribute(query, retrieves[query], key, asked[query, key], context, unit=unit)
        assert not isinstance(again, Unresolved)
        resolved[query, key] = again
    notes = tuple(note for outcome in resolved.values() for note in outcome.notes)
    warnings = tuple(warning for outcome in resolved.values() for warning in outcome.warnings)
    return {place: outcome.match for place, outcome in resolved.items()}, notes, warnings


def _asked(tree: Node) -> dict[tuple[str, str], AttributeType]:
    """The type by (query, key) of what every EXTRACT reads, for each RETRIEVE that feeds it."""
    found: dict[tuple[str, str], AttributeType] = {}
    for node in walk(tree):
        if isinstance(node, Extract):
            for query, (name, kind) in product(queries(node.input), zip(node.names, node.types, strict=True)):
                found[query, name] = wider(found.get((query, name), kind), kind)
    return found
