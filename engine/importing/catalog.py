"""What the store knows of its sources: written at import, read by status, forget and the next import."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ...ontology.namespaces import EV, PROV, RDF_TYPE, RDFS, XSD, catalog_graph, source_graph
from ...sources.unique_identifiers import KEPT_APART
from ...store.graph import Graph
from ...store.rdf import BlankNode, Literal, NamedNode, Quad, Term
from .report import SourceReport

_SPAN: Final = "SELECT (MIN(?start) AS ?first) (MAX(?start) AS ?last) { ?e ev:start ?start }"
_RECORDED: Final = (
    "SELECT (MAX(?start) AS ?last) { ?e ev:start ?start FILTER NOT EXISTS { ?e a ev:CalendarEntry } "
    "FILTER NOT EXISTS { ?e a ev:Telling } }"
)


def span_of(graph: Graph) -> tuple[str, str] | None:
    """The first and the last day of any event; None where there is none."""
    ((first, last),) = graph.select(_SPAN).rows
    return (first.value[:10], last.value[:10]) if first is not None and last is not None else None


def recorded_until(graph: Graph) -> str | None:
    """The last day of what was recorded; entries of calendars reach beyond it, since they say what is to come. None
    where nothing but such entries is there."""
    ((last,),) = graph.select(_RECORDED).rows
    return last.value[:10] if last is not None else None


@dataclass(frozen=True)
class SourceEntry:
    """One imported source, as the catalog has it."""

    name: str
    format: str
    digest: str
    imported: str
    records: int
    events: int
    triples: int
    skipped: int
    home_zone: str


def catalog_quads(report: SourceReport, *, home_zone: str, now: datetime) -> Iterator[Quad]:
    """The catalog of one source: counts, files, and every skipped record with its place and reason."""
    graph = NamedNode(catalog_graph(report.name))
    source = NamedNode(source_graph(report.name))

    def quad(subject: NamedNode | BlankNode, predicate: str, value: Term) -> Quad:
        return Quad(subject, NamedNode(predicate), value, graph)

    yield quad(source, RDF_TYPE, NamedNode(EV + "Source"))
    yield quad(source, RDFS + "label", Literal(report.name))
    yield quad(source, EV + "format", Literal(report.format))
    yield quad(source, EV + "contentDigest", Literal(report.digest))
    yield quad(source, EV + "homeZone", Literal(home_zone))
    stamp = Literal(now.isoformat(timespec="seconds"), datatype=NamedNode(XSD + "dateTime"))
    yield quad(source, PROV + "generatedAtTime", stamp)
    for name, number in (
        ("recordCount", report.records),
        ("eventCount", report.events),
        ("tripleCount", report.triples),
        ("skippedCount", report.skipped_count),
    ):
        yield quad(source, EV + name, Literal(number))
    for path in report.files:
        yield quad(source, EV + "file", Literal(path))
    for link, path, where, reason, count in _kept_out(report):
        node = BlankNode()
        yield quad(source, EV + link, node)
        yield quad(node, RDF_TYPE, NamedNode(EV + "SkippedRecord"))
        yield quad(node, EV + "path", Literal(path))
        yield quad(node, EV + "where", Literal(where))
        yield quad(node, EV + "reason", Literal(reason))
        yield quad(node, EV + "count", Literal(count))


def _kept_out(report: SourceReport) -> Iterator[tuple[str, str, str, str, int]]:
    """Skipped records, then values that could not be read, with the property that leads to them first."""
    for bad in report.skipped:
        yield "skippedRecord", bad.path, bad.where, bad.reason, bad.count
    for reason, count in sorted(report.overflow.items()):
        yield "skippedRecord", "", "", reason, count
    for bad in report.unread:
        yield "unreadValue", bad.path, bad.where, _unread(bad.key or "", bad.reason), bad.count
    for (key, reason), count in sorted(report.unread_overflow.items()):
        yield "unreadValue", "", "", _unread(key, reason), count


def _unread(key: str, reason: str) -> str:
    return f"{key}: {reason}" if reason == KEPT_APART else f"kept without {key}: {reason}"


_ENTRIES = """
SELECT ?name ?format ?digest ?imported ?records ?events ?triples ?skipped ?zone {
  ?source a ev:Source ; rdfs:label ?name ; ev:format ?format ; ev:contentDigest ?digest ;
    prov:generatedAtTime ?imported ; ev:recordCount ?records ; ev:eventCount ?events ;
    ev:tripleCount ?triples ; ev:skippedCount ?skipped ; ev:homeZone ?zone .
} ORDER BY ?name
"""


def read_catalog(graph: Graph) -> tuple[SourceEntry, ...]:
    """The imported sources, by name."""
    found: list[SourceEntry] = []
    for row in graph.select(_ENTRIES):
        text = [term.value if term is not None else "" for term in row]
        found.append(SourceEntry(*text[:4], *(int(n) for n in text[4:8]), text[8]))  # type: ignore[arg-type]
    return tuple(found)
