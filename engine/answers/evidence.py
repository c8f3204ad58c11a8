"""The events that an answer rests on, as people and programs get them."""

from __future__ import annotations

from collections.abc import Sequence

from ...operators.resolution import Resolution
from ...retrieval.occurrences import with_others
from ...store.graph import Graph
from ...store.rdf import NamedNode
from .answer import Evidence

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


_QUERY = """
SELECT ?e ?class ?source ?id ?start ?end ?label {
  VALUES ?e { %EVENTS% }
  ?e a ?class . OPTIONAL { ?e ev:source ?source } OPTIONAL { ?e ev:sourceId ?id } OPTIONAL { ?e ev:start ?start }
  OPTIONAL { ?e ev:end ?end } OPTIONAL { ?e rdfs:label ?label }
}
"""


def _short(iri: str | None) -> str:
    return (iri or "").rsplit("#", 1)[-1].rsplit("/", 1)[-1]
