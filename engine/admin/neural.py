"""RETRIEVE and EXTRACT alone, for people and for batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import NotUnderstood
from ...extraction.coreference.merged_values import standing_for
from ...extraction.extract import Unresolved, resolve_attribute
from ...operators.nodes import AttributeType
from ...retrieval.context import RetrieveContext
from ...retrieval.retrieve import resolve_retrieve
from ...retrieval.retrieved import matched_events
from ..answers.answer import Evidence
from ..answers.evidence import evidence, values_of


@dataclass(frozen=True)
class Hit:
    """An event that a query means. `occurrence` is which happening it is: hits of the same happening share the IRI of
    the event that stands for it."""

    event: Evidence
    score: float
    occurrence: str

    def as_json(self) -> dict[str, Any]:
        """The event with its score and occurrence."""
        return {**vars(self.event), "score": self.score, "occurrence": self.occurrence}


@dataclass(frozen=True)
class Retrieval:
    """What RETRIEVE found for a query, best first."""

    query: str
    hits: tuple[Hit, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Extraction:
    """One row per event: `event` (its label) and a value, a list of values or None per key."""

    rows: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]


def extract_rows(keys: tuple[str, ...], query: str, context: RetrieveContext) -> Extraction:
    """The values of keys for the events that a phrase means, those that tell of the same happening as one. Raises
    NotUnderstood for a key that nothing answers."""
    found = resolve_retrieve(query, context)
    others = standing_for(found.match, context.graph)
    events = [hit.event for hit in matched_events(found.match, context.graph) if hit.event not in others]
    notes = [*found.notes, *found.warnings]
    columns: dict[str, dict[str, Any]] = {}
    for key in keys:
        outcome = resolve_attribute(query, found.match, key, AttributeType.STR, context)
        if isinstance(outcome, Unresolved):
            raise NotUnderstood(str(outcome), words=(key,))
        notes.extend((*outcome.notes, *outcome.warnings))
        columns[key] = values_of(events, outcome.match, context)
    rows = tuple(
        {"event": event.label, "iri": event.iri, **{key: columns[key].get(event.iri) for key in keys}}
        for event in evidence(context.graph, events)
    )
    return Extraction(rows, tuple(dict.fromkeys(notes)))


def retrieve_hits(query: str, context: RetrieveContext) -> Retrieval:
    """The events that a phrase means, best first."""
    found = resolve_retrieve(query, context)
    hits = matched_events(found.match, context.graph)
    events = {event.iri: event for event in evidence(context.graph, [hit.event for hit in hits])}
    standing = standing_for(found.match, context.graph)
    rows = tuple(
        Hit(events[hit.event], hit.score, standing.get(hit.event, hit.event)) for hit in hits if hit.event in events
    )
    return Retrieval(query, rows, (*found.notes, *found.warnings))
