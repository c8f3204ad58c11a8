"""Resolves the open parts of a tree, bottom up: its RETRIEVEs, then the keys of its EXTRACTs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Final
from urllib.parse import quote

from ...compiler.facts import Spellings, spellings_in, with_facts
from ...errors import NoSuchData
from ...execution.computed import Place
from ...execution.context import Table
from ...execution.derivations.values_read import wider
from ...execution.run import run_at
from ...execution.units import units_to_change
from ...extraction.extract import Resolved, Unresolved, resolve_attribute
from ...ontology.namespaces import KEY
from ...operators.message_queries import read_message_query
from ...operators.nodes import AttributeType, Extract, Node, Retrieve, queries, walk
from ...operators.resolution import AttributeMatch, DerivedMatch, Resolution, RetrieveMatch
from ...retrieval.context import RetrieveContext
from ...retrieval.retrieve import resolve_retrieve
from ...retrieval.retrieved import RETRIEVED, Retrieved
from ...retrieval.talk.messages import asks_about, said_about

_UNREAD = (
    "texts were not read ahead for '{}': what only they tell of it is not in the answer (reqap-kg index reads them)"
)
_ATTRIBUTES: Final = Table[tuple[str, RetrieveMatch, str, AttributeType], Resolved | Unresolved]("attributes")
_SPELLINGS: Final = Table[None, Spellings]("spellings")


@dataclass(frozen=True)
class Searches:
    """What the queries of a tree stand for, notes and warnings, and the queries that were searched in vain."""

    matches: dict[str, RetrieveMatch]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    in_vain: tuple[str, ...]


def resolve_retrieves(tree: Node, context: RetrieveContext, *, with_told: bool = False) -> Searches:
    """What the queries of a tree stand for: of what is recorded, the records alone, or `with_told` also what only texts
    tell of such events."""
    ranked = tuple(asks_about(tree))
    about = {node.query: content for node in ranked if (content := read_message_query(node.query)) is not None}
    asked = dict.fromkeys(node.query for node in walk(tree) if isinstance(node, Retrieve) and node.query not in about)
    found = {query: _retrieved(query, context) for query in asked}
    unread = tuple(_UNREAD.format(query) for query, retrieved in found.items() if retrieved.unread)
    if not with_told and not _are_told(found.values()):
        found = {query: retrieved.on_record for query, retrieved in found.items()}
    for query, content in about.items():
        sources = [node.source for node in ranked if node.query == query and node.source is not None]
        matches = {query: retrieved.match for query, retrieved in found.items()}
        told = said_about(content, sources, context, lambda source, known=matches: _events(source, known, context))
        found[query] = Retrieved(*told)
    notes = (*(note for retrieved in found.values() for note in retrieved.notes), *unread)
    warnings = tuple(warning for retrieved in found.values() for warning in retrieved.warnings)
    in_vain = tuple(query for query, retrieved in found.items() if retrieved.in_vain)
    return Searches({query: retrieved.match for query, retrieved in found.items()}, notes, warnings, in_vain)


def named_classes(tree: Node, context: RetrieveContext) -> frozenset[str]:
    """The classes that the queries of a tree name; it must have been resolved."""
    return frozenset(iri for one in _resolved_before(tree, context) for iri in one.named)


def texts_tell_more(tree: Node, context: RetrieveContext) -> bool:
    """Whether texts tell of events besides the records that a resolved tree has."""
    held = _resolved_before(tree, context)
    return any(one.records is not None for one in held) and not _are_told(held)


def _resolved_before(tree: Node, context: RetrieveContext) -> list[Retrieved]:
    """What the queries of a tree stand for, of those that have been resolved."""
    held = context.known[RETRIEVED]
    return [held[node.query] for node in walk(tree) if isinstance(node, Retrieve) and node.query in held]


def _are_told(found: Iterable[Retrieved]) -> bool:
    """Whether a tree has events of a kind that nothing records: then it takes those that are recorded as they are
    told, too, since what happened after a match did so with or without the watch."""
    return any(not one.named and isinstance(one.match, DerivedMatch) for one in found)


def resolve_attributes(
    tree: Node, retrieves: dict[str, RetrieveMatch], context: RetrieveContext, *, strict: bool = True
) -> tuple[dict[tuple[str, str], AttributeMatch], tuple[str, ...], tuple[str, ...]]:
    """Attributes by (query, key), notes and warnings; those that are added or compared are in one unit.

    A key need only be known of one of the events of a JOIN. Raises NoSuchData for keys that nothing answers, or, not
    `strict`, lets them be missing in every event; TreeTypeError for quantities that never are in one unit.
    """
    asked = _asked(tree)
    found = {
        (query, key): _attribute(query, retrieves[query], key, kind, context) for (query, key), kind in asked.items()
    }
    resolved = {place: outcome for place, outcome in found.items() if not isinstance(outcome, Unresolved)}
    unknown = _unknown(tree, found)
    if unknown and strict:
        told = tuple(map(str, unknown))
        raise NoSuchData("; ".join(told), words=tuple(dict.fromkeys(u.key for u in unknown)), details=told)
    for outcome in unknown:
        absent = AttributeMatch((KEY + quote(outcome.key, safe=""),))
        resolved[outcome.query, outcome.key] = Resolved(absent, (), (str(outcome),))
    matches = {place: outcome.match for place, outcome in resolved.items()}
    for (query, key), unit in units_to_change(tree, asked, matches, context.vocabulary).items():
        again = resolve_attribute(query, retrieves[query], key, asked[query, key], context, unit=unit)
        assert not isinstance(again, Unresolved)
        resolved[query, key] = again
    notes = tuple(note for outcome in resolved.values() for note in outcome.notes)
    warnings = tuple(warning for outcome in resolved.values() for warning in outcome.warnings)
    return {place: outcome.match for place, outcome in resolved.items()}, notes, warnings


def _events(source: Node, retrieves: dict[str, RetrieveMatch], context: RetrieveContext) -> tuple[str, ...]:
    """The events of a list whose content is to be ranked."""
    attributes, _, _ = resolve_attributes(source, retrieves, context)
    spellings = context.once(_SPELLINGS, None, lambda: spellings_in(context.graph))
    named = Resolution(tuple(retrieves.items()), tuple(attributes.items()))
    resolution = with_facts(named, context.index.statistics, spellings)
    now = datetime.fromisoformat(context.now)
    place = Place(context.graph, resolution, now, context.generation, depends=context.depends)
    return run_at(source, place, context.index_folder).events


def _retrieved(query: str, context: RetrieveContext) -> Retrieved:
    """What a query stands for, which stays so as long as the store is open."""
    return context.once(RETRIEVED, query, lambda: resolve_retrieve(query, context))


def _attribute(
    query: str, match: RetrieveMatch, key: str, kind: AttributeType, context: RetrieveContext
) -> Resolved | Unresolved:
    return context.once(
        _ATTRIBUTES, (query, match, key, kind), lambda: resolve_attribute(query, match, key, kind, context)
    )


def _unknown(tree: Node, found: Mapping[tuple[str, str], Resolved | Unresolved]) -> list[Unresolved]:
    """The keys of EXTRACTs that none of their events' queries answers."""
    missing: dict[tuple[str, str], Unresolved] = {}
    for node in walk(tree):
        if isinstance(node, Extract):
            for name in node.names:
                outcomes = [found[query, name] for query in queries(node.input)]
                refused = [outcome for outcome in outcomes if isinstance(outcome, Unresolved)]
                if len(refused) == len(outcomes):
                    missing.update({(outcome.query, outcome.key): outcome for outcome in refused})
    return list(missing.values())


def _asked(tree: Node) -> dict[tuple[str, str], AttributeType]:
    """The type by (query, key) of what every EXTRACT reads, for each RETRIEVE that feeds it."""
    found: dict[tuple[str, str], AttributeType] = {}
    for node in walk(tree):
        if isinstance(node, Extract):
            for query, (name, kind) in product(queries(node.input), zip(node.names, node.types, strict=True)):
                found[query, name] = wider(found.get((query, name), kind), kind)
    return found
