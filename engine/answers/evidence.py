"""The events that an answer rests on, as people and programs get them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...ontology.namespaces import EV, RDFS
from ...operators.resolution import AttributeMatch, Resolution
from ...retrieval.context import RetrieveContext
from ...retrieval.occurrences import with_others
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term
from ...store.vocabulary import Vocabulary
from .answer import Evidence, Plain, Table

_AT_ONCE: Final = 2000


def values_of(events: Sequence[str], match: AttributeMatch, context: RetrieveContext) -> dict[str, Any]:
    """Values by event: of the first property that the event has; several of them as a list."""
    found: dict[str, Any] = {}
    for begin in range(0, len(events), _AT_ONCE):
        nodes = " ".join(str(NamedNode(iri)) for iri in events[begin : begin + _AT_ONCE])
        for iri in match.properties:
            query = f"SELECT DISTINCT ?e ?v {{ VALUES ?e {{ {nodes} }} ?e {NamedNode(iri)} ?v }} ORDER BY ?e ?v"
            of_property: dict[str, list[Any]] = {}
            for event, value in context.graph.select(query):
                if event is not None and value is not None:
                    of_property.setdefault(event.value, []).append(plain(value))
            for event, values in of_property.items():
                found.setdefault(event, values[0] if len(values) == 1 else values)
    return found


def plain(term: Term) -> Any:
    """A term as a plain value: numbers as such, all else as its text."""
    if isinstance(term, Literal) and term.datatype.value.rsplit("#", 1)[-1] in ("integer", "decimal", "double"):
        number = float(term.value)
        return int(number) if number.is_integer() else number
    return term.value


_BATCH = 2000


def evidence(graph: Graph, events: Sequence[str]) -> tuple[Evidence, ...]:
    """The events of these IRIs, in time order; an IRI that is no event of the graph is left out."""
    found: dict[str, Evidence] = {}
    for begin in range(0, len(events), _BATCH):
        nodes = " ".join(str(NamedNode(iri)) for iri in events[begin : begin + _BATCH])
        for row in graph.select(_QUERY.replace("%EVENTS%", nodes)):
            iri, kind, source, source_id, start, end, label = (term.value if term else None for term in row)
            if iri is not None and iri not in found:
                name = (source or "").rsplit("/", 1)[-1]
                found[iri] = Evidence(iri, _short(kind), name, source_id or "", start, end, label or "")
    return tuple(sorted(found.values(), key=lambda event: (event.start or "", event.iri)))


def evidence_behind(
    graph: Graph, events: tuple[Evidence, ...], listed: Sequence[str], resolution: Resolution
) -> tuple[Evidence, ...]:
    """The events, with all others that tell of the same happenings as those listed."""
    behind = with_others(listed, (match for _, match in resolution.retrieves), graph)
    return events if len(behind) == len(listed) else evidence(graph, behind)


def attributes_table(graph: Graph, events: Sequence[Evidence], vocabulary: Vocabulary) -> Table:
    """A row for each event: when it began and ended, what it is, its kind and source, then its attributes by their
    labels, those of most events first; several values of one stand in one cell, parted by "; "."""
    held: dict[str, dict[str, list[Plain]]] = {}
    labels: dict[str, str] = {}
    for begin in range(0, len(events), _BATCH):
        nodes = " ".join(str(NamedNode(event.iri)) for event in events[begin : begin + _BATCH])
        query = f"SELECT ?e ?p ?v {{ VALUES ?e {{ {nodes} }} ?e ?p ?v FILTER(isLiteral(?v)) }}"
        found = {(e.value, p.value, plain(v)) for e, p, v in graph.select(query) if e and p and v}
        for event, prop, value in sorted(found, key=_in_order):  # a store takes several times as long for that
            if prop in _SHOWN:
                continue
            label = labels.get(prop) or labels.setdefault(prop, _column(prop, labels, vocabulary))
            if label:
                held.setdefault(label, {}).setdefault(event, []).append(value)
    names = sorted(held, key=lambda label: (-len(held[label]), label))
    rows = ((*_named(event), *(_cell(held[name].get(event.iri, ())) for name in names)) for event in events)
    return Table((*COLUMNS, *names), tuple(rows))


def _in_order(row: tuple[str, str, Plain]) -> tuple[str, str, float, str]:
    """By event and property, numbers by their size."""
    event, prop, value = row
    return event, prop, value if isinstance(value, int | float) else 0.0, str(value)


def _named(event: Evidence) -> tuple[Plain | None, ...]:
    return (event.start, event.end, event.label, event.type, event.source, event.source_id, event.iri)


def _cell(values: Sequence[Plain]) -> Plain | None:
    """One value as it is, several as a text."""
    if len(values) < 2:
        return values[0] if values else None
    return "; ".join(map(str, values))


def _column(prop: str, others: Mapping[str, str], vocabulary: Vocabulary) -> str:
    """What the column of a property is called, as no other is, whatever its case; "" for what tells of the record
    alone."""
    info = vocabulary.properties.get(prop)
    label = "" if info is not None and info.internal else vocabulary.property_label(prop) or ""
    taken = {name.casefold() for name in (*COLUMNS, *others.values())}
    return f"{label} ({_short(prop)})" if label.casefold() in taken and label else label


COLUMNS: Final = ("start", "end", "what", "kind", "source", "source id", "iri")
_SHOWN: Final = frozenset({EV + "start", EV + "end", EV + "sourceId", RDFS + "label", EV + "day"})
_QUERY = """
SELECT ?e ?class ?source ?id ?start ?end ?label {
  VALUES ?e { %EVENTS% }
  ?e a ?class . OPTIONAL { ?e ev:source ?source } OPTIONAL { ?e ev:sourceId ?id } OPTIONAL { ?e ev:start ?start }
  OPTIONAL { ?e ev:end ?end } OPTIONAL { ?e rdfs:label ?label }
}
"""


def _short(iri: str | None) -> str:
    return (iri or "").rsplit("#", 1)[-1].rsplit("/", 1)[-1]
