"""One event, by its IRI or by the identifier that its source gave it."""

from __future__ import annotations

from typing import Any, Final

from ...engine.answers.evidence import COLUMNS, attributes_table, evidence
from ...store.generations import EventGraph
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode
from ...store.vocabulary import Vocabulary, load_vocabulary
from ..holding import Held

_SECONDS: Final = 20.0
_IS_EVENT: Final = "ASK { %s a/rdfs:subClassOf* ev:Event }"
_CALLED: Final = "SELECT DISTINCT ?e { ?e ev:sourceId %s ; a/rdfs:subClassOf* ev:Event } ORDER BY ?e LIMIT 20"


class Events:
    """Looks events up, beside whatever else is asked; on any thread but the engine's."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._vocabulary: tuple[str, Vocabulary] | None = None

    def found(self, name: str) -> list[dict[str, Any]]:
        """The events of that IRI or identifier: several where sources gave the same one. Raises as `Held.read`."""
        return self._held.read(lambda graph: self._read(graph, name), seconds=_SECONDS)

    def _read(self, graph: EventGraph, name: str) -> list[dict[str, Any]]:
        events = evidence(graph, _named(graph, name))
        table = attributes_table(graph, events, self._words(graph))
        return [
            {
                "iri": event.iri,
                "type": event.type,
                "source": event.source,
                "source_id": event.source_id,
                "start": event.start,
                "end": event.end,
                "label": event.label,
                "values": {
                    column: value
                    for column, value in zip(table.columns[len(COLUMNS) :], row[len(COLUMNS) :], strict=True)
                    if value is not None
                },
            }
            for event, row in zip(events, table.rows, strict=True)
        ]

    def _words(self, graph: EventGraph) -> Vocabulary:
        """The vocabulary of a generation, read once."""
        kept = self._vocabulary
        if kept is None or kept[0] != graph.generation:
            kept = self._vocabulary = graph.generation, load_vocabulary(graph)
        return kept[1]


def _named(graph: Graph, name: str) -> list[str]:
    """IRIs of the events that a name stands for."""
    node = _iri(name)
    if node is not None and graph.ask(_IS_EVENT % node):
        return [name]
    return [event.value for (event,) in graph.select(_CALLED % Literal(name)) if event is not None]


def _iri(name: str) -> NamedNode | None:
    try:
        return NamedNode(name)
    except ValueError:  # an identifier that is no IRI
        return None
