"""Events as assistants get them: the fields that the settings allow, and no more of each text than these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from ...engine.answers.answer import Evidence
from ...engine.answers.evidence import evidence
from ...engine.knowledge import KnowledgeGraph
from ...ontology.namespaces import EV
from ...store.graph import Graph
from ...store.rdf import NamedNode
from . import models
from .bounds import Bounds, as_in_store
from .models import Given

_ARE_EVENTS: Final = "SELECT DISTINCT ?e { VALUES ?e { %EVENTS% } ?e a/rdfs:subClassOf* ev:Event }"
_TEXTS_OF: Final = f"""
SELECT DISTINCT ?e ?t {{
  VALUES ?e {{ %EVENTS% }} VALUES ?p {{ {" ".join(str(NamedNode(EV + name)) for name in ("text", "description"))} }}
  ?e ?p ?t
}} ORDER BY ?e ?p ?t
"""
_NAMES: Final = ("type", "source", "source_id", "start", "end", "label")


def evidence_of(known: KnowledgeGraph, given: models.EvidenceOf, _: datetime, bounds: Bounds) -> Given:
    """What is told of the events of these IRIs."""
    wanted = list(dict.fromkeys(given.events))
    meant = {iri: (iri, as_in_store(iri)) for iri in wanted[: bounds.most]}
    there = events_among(known.graph, [name for names in meant.values() for name in names])
    found = evidence(known.graph, list(there))[: bounds.most]
    told = told_events(known.graph, found, bounds)
    unknown = [bounds.said(iri) for iri, names in meant.items() if there.isdisjoint(names)]
    iris = tuple(one.iri for one in found)
    return Given(models.Events(events=told, unknown=unknown, more=len(wanted) > bounds.most), iris, len(told))


def told_events(graph: Graph, events: Sequence[Evidence], bounds: Bounds) -> list[models.Event]:
    """The first of these events, as many as one call gives."""
    some = events[: bounds.most]
    texts = _texts_of(graph, [event.iri for event in some]) if "text" in bounds.fields else {}
    return [_told(event, texts.get(event.iri), bounds) for event in some]


def events_among(graph: Graph, iris: Sequence[str]) -> frozenset[str]:
    """Those of the IRIs that events have."""
    nodes = [node for iri in iris if (node := _node(iri)) is not None]
    if not nodes:
        return frozenset()
    rows = graph.select(_ARE_EVENTS.replace("%EVENTS%", " ".join(map(str, nodes))))
    return frozenset(event.value for (event,) in rows if event is not None)


def _told(event: Evidence, text: str | None, bounds: Bounds) -> models.Event:
    held = vars(event)
    values = {name: bounds.text(held[name]) for name in _NAMES if name in bounds.fields and held[name]}
    return models.Event(
        iri=bounds.iri(event.iri), basis=event.basis, text=bounds.text(text) if text else None, **values
    )


def _texts_of(graph: Graph, events: Sequence[str]) -> Mapping[str, str]:
    """What events say at length."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    for event, text in graph.select(_TEXTS_OF.replace("%EVENTS%", nodes)) if events else ():
        if event is not None and text is not None:
            found[event.value].append(text.value)
    return {event: "\n".join(texts) for event, texts in found.items()}


def _node(iri: str) -> NamedNode | None:
    try:
        return NamedNode(iri)
    except ValueError:  # no IRI, so that no event has it
        return None
