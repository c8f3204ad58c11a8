"""What is in the store, without a value of it: what an assistant needs to write trees and queries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from ...engine.importing.catalog import read_catalog
from ...engine.knowledge import KnowledgeGraph
from ...ontology.namespaces import EV, PREFIXES
from ...store.queries.results import short_iri
from ...store.rdf import NamedNode
from . import models
from .bounds import Bounds
from .models import Given

_MOST_ATTRIBUTES: Final = 40
_MOST_SOURCES: Final = 100
_MOST_KINDS: Final = 100
_PREFIXES: Final = ("ev", "key", "data", "graph", "rq", "fn", "rdf", "rdfs", "xsd", "schema", "skos")
_UNASKED: Final = frozenset(
    EV + name for name in ("start", "end", "day", "startInstant", "endInstant", "source", "sourceId")
)
"""What every event has, by other names in trees: start_date, start_time, end_date, …"""
_SPANS: Final = """
SELECT ?kind (MIN(?start) AS ?first) (MAX(?start) AS ?last) { ?e a ?kind ; ev:start ?start } GROUP BY ?kind
"""
_TREES: Final = (
    (
        "How many workouts were there in 2024?",
        'APPLY(l=FILTER(l=RETRIEVE(query="workouts"), filter=lambda attr: attr["start_date"].year == 2024), fct=len)',
    ),
    (
        "How many workouts were longer than an hour?",
        'APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["duration"], attr_types=[timedelta]), '
        'filter=lambda attr: attr["duration"] > timedelta(hours=1)), fct=len)',
    ),
    (
        "How many workouts were there in each month of 2024?",
        'MAP(l=GROUP_BY(l=MAP(l=FILTER(l=RETRIEVE(query="workouts"), filter=lambda attr: attr["start_date"].year == '
        '2024), fct=lambda attr: attr["start_date"].month, res_name="month"), attr_names=["month"]), fct=len, '
        'res_name="workouts")',
    ),
)
_QUERIES: Final = (
    (
        "How many events of each kind are there?",
        "SELECT ?kind (COUNT(DISTINCT ?e) AS ?events) { ?e a ?kind ; ev:start ?start } GROUP BY ?kind "
        "ORDER BY DESC(?events)",
    ),
    (
        "What were the latest workouts?",
        "SELECT DISTINCT ?e ?start ?label { ?e a ev:Workout ; ev:start ?start ; rdfs:label ?label } "
        "ORDER BY DESC(?start) LIMIT 10",
    ),
    (
        "When did I run? (rq:matches finds events by what a phrase means, as RETRIEVE does)",
        'SELECT DISTINCT ?e ?start { ?e ev:start ?start FILTER(rq:matches(?e, "I ran")) } ORDER BY ?start',
    ),
)


def describe_data(known: KnowledgeGraph, _: models.DescribeData, now: datetime, bounds: Bounds) -> Given:
    """Kinds of events with their attributes, sources, prefixes, and examples."""
    kinds = sorted(_kinds(known, bounds), key=lambda kind: (-kind.events, kind.name))[:_MOST_KINDS]
    sources = [
        models.Source(
            name=bounds.said(one.name), format=one.format, imported=one.imported, records=one.records, events=one.events
        )
        for one in read_catalog(known.graph)
    ]
    content = models.Description(
        now=now.isoformat(timespec="seconds"),
        kinds=kinds,
        sources=sources[:_MOST_SOURCES],
        prefixes={name: PREFIXES[name] for name in _PREFIXES},
        trees=[models.Example(question=question, answered_by=tree) for question, tree in _TREES],
        queries=[models.Example(question=question, answered_by=query) for question, query in _QUERIES],
    )
    return Given(content, rows=len(kinds))


def _kinds(known: KnowledgeGraph, bounds: Bounds) -> Iterator[models.Kind]:
    counts = known.index.statistics.classes
    spans = {
        kind.value: (first.value[:10], last.value[:10])
        for kind, first, last in known.graph.select(_SPANS)
        if kind is not None and first is not None and last is not None
    }
    for info in known.vocabulary.event_classes():
        if info.iri in counts and counts[info.iri].events:
            first, last = spans.get(info.iri, (None, None))
            yield models.Kind(
                name=bounds.said(info.label),
                type=short_iri(NamedNode(info.iri)),
                events=counts[info.iri].events,
                first=first,
                last=last,
                attributes=list(_attributes(known, info.iri, bounds))[:_MOST_ATTRIBUTES],
            )


def _attributes(known: KnowledgeGraph, kind: str, bounds: Bounds) -> Iterator[models.Attribute]:
    """The attributes that events of a kind have, those of most events first."""
    for prop, _ in known.index.all_properties([kind]):
        info, label = known.vocabulary.properties.get(prop), known.vocabulary.property_label(prop)
        if label is None or prop in _UNASKED or (info is not None and info.internal):
            continue
        used = known.index.statistics.properties.get(prop)
        types = sorted(short_iri(NamedNode(iri)) for iri in used.datatypes if iri) if used is not None else []
        yield models.Attribute(
            name=bounds.said(label).replace(" ", "_"),
            property=bounds.said(short_iri(NamedNode(prop))),
            types=types,
            unit=info.unit if info is not None else None,
        )
