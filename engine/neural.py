"""RETRIEVE and EXTRACT alone, for people and for batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..errors import NotUnderstood, UsageError
from ..execution.extract import Unresolved, resolve_attribute
from ..execution.retrieve import RetrieveContext, matched_events, resolve_retrieve
from ..execution.values_written import original_property
from ..operators.nodes import AttributeType
from ..operators.resolution import AttributeMatch, ClassMatch
from ..store.rdf import Literal, NamedNode, Term
from .answer import Evidence
from .evidence import evidence


@dataclass(frozen=True)
class Hit:
    """An event that a query means; `occurrence` is the event itself until occurrences are told apart."""

    event: Evidence
    score: float

    @property
    def occurrence(self) -> str:
        """Which happening it is: hits of the same happening share it."""
        return self.event.iri

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
    """The values of keys for the events that a phrase means. Raises NotUnderstood for a key that nothing answers."""
    found = resolve_retrieve(query, context)
    events = [hit.event for hit in matched_events(found.match, context.graph)]
    notes = [*found.notes, *found.warnings]
    columns: dict[str, dict[str, Any]] = {}
    for key in keys:
        outcome = resolve_attribute(query, found.match, key, AttributeType.STR, context)
        if isinstance(outcome, Unresolved):
            raise NotUnderstood(str(outcome), words=(key,))
        notes.extend((*outcome.notes, *outcome.warnings))
        columns[key] = _values(events, outcome.match, context)
    rows = tuple(
        {"event": event.label, "iri": event.iri, **{key: columns[key].get(event.iri) for key in keys}}
        for event in evidence(context.graph, events)
    )
    return Extraction(rows, tuple(dict.fromkeys(notes)))


def extract_value(source_id: str, key: str, kind: str, context: RetrieveContext) -> tuple[Any, str | None]:
    """The value of a key for one event by its source's own id, and the text that it was read from."""
    if kind not in tuple(AttributeType):
        raise UsageError(f"unknown type {kind!r}; expected one of {', '.join(AttributeType)}")
    forms = [Literal(source_id)] + ([Literal(int(source_id))] if source_id.isdecimal() else [])
    accepted = " ".join(map(str, forms))
    rows = context.graph.select(f"SELECT ?e ?c {{ VALUES ?id {{ {accepted} }} ?e ev:sourceId ?id ; a ?c }}")
    if not len(rows):
        raise UsageError(f"no event has the source id {source_id!r}")
    event, klass = rows.rows[0]
    assert isinstance(event, NamedNode)
    assert isinstance(klass, NamedNode)
    match = ClassMatch((klass.value,))
    outcome = resolve_attribute(klass.value, match, key, AttributeType(kind), context)
    if isinstance(outcome, Unresolved):
        return None, None
    value = _values([event.value], outcome.match, context).get(event.value)
    if value is None:
        return None, None
    properties = tuple(original_property(name, context.graph) for name in outcome.match.properties)
    written = _values([event.value], replace(outcome.match, properties=properties), context)
    return value, str(written.get(event.value, value))


def _values(events: list[str], match: AttributeMatch, context: RetrieveContext) -> dict[str, Any]:
    """Values by event: of the first property that the event has; several of them as a list."""
    found: dict[str, Any] = {}
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    for iri in match.properties:
        query = f"SELECT DISTINCT ?e ?v {{ VALUES ?e {{ {nodes} }} ?e {NamedNode(iri)} ?v }} ORDER BY ?e ?v"
        of_property: dict[str, list[Any]] = {}
        for event, value in context.graph.select(query):
            if event is not None and value is not None:
                of_property.setdefault(event.value, []).append(_plain(value))
        for event, values in of_property.items():
            found.setdefault(event, values[0] if len(values) == 1 else values)
    return found


def _plain(term: Term) -> Any:
    if isinstance(term, Literal) and term.datatype.value.rsplit("#", 1)[-1] in ("integer", "decimal", "double"):
        number = float(term.value)
        return int(number) if number.is_integer() else number
    return term.value
