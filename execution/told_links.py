"""Told happenings (told_events.py) in the graph, and what they are linked to: records, and what other texts tell."""

from __future__ import annotations

from collections.abc import Iterable

from ..models.occurrence_model import Link
from ..ontology.namespaces import EV
from ..store.graph import Graph
from ..store.rdf import NamedNode
from .documents import TELLING
from .occurrence_links import Linked, Teller

TELLS, TOLD_IN, SAME = EV + "tells", EV + "toldIn", EV + "sameHappening"
_RECORD, _TEXT = 0, 2

__all__ = ["SAME", "TELLING", "TELLS", "TOLD_IN", "with_told"]


def with_told(linked: Linked, events: Iterable[str], graph: Graph) -> Linked:
    """The links of a store with those of told happenings, where any of the events is one."""
    told = [event for event in events if "#told-" in event]
    if not told:
        return linked
    rows = graph.select(
        f"SELECT DISTINCT ?e ?o ?class ?start {{ ?e {NamedNode(SAME)} ?o . ?o a ?class "
        "OPTIONAL { ?o ev:start ?start } }"
    )
    links, tellers = list(linked.links), dict(linked.tellers or {})
    for event, other, klass, start in rows:
        if event is None or other is None or klass is None:
            continue
        links.append(Link(other.value, event.value, 1.0))
        rank = _TEXT if klass.value == TELLING else _RECORD
        tellers.setdefault(
            other.value, Teller(rank, klass.value if rank == _RECORD else "", start.value if start else "")
        )
    return Linked(tuple(links), tellers)
