"""Told happenings (derived_events.py) in the graph, and what they are linked to: records, and what other texts tell."""

from __future__ import annotations

from collections.abc import Iterable

from ...models.coreference.model import Link
from ...ontology.namespaces import EV
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ...texts.document import TextKind
from ..coreference.links import Linked, Teller
from ..documents import TELLING, TEXT_CLASSES

TELLS, TOLD_IN, SAME = EV + "tells", EV + "toldIn", EV + "sameHappening"
_RECORD, _CALENDAR, _TEXT = range(3)

__all__ = ["SAME", "TELLING", "TELLS", "TOLD_IN", "with_told"]


def _teller(klass: str, start: str) -> Teller:
    """What a told happening is linked to: a record, a calendar entry, or what another text tells."""
    if klass == TELLING:
        return Teller(_TEXT, "", start)
    kind = TEXT_CLASSES.get(klass)
    if kind is None:
        return Teller(_RECORD, klass, start)
    return Teller(_CALENDAR if kind is TextKind.CALENDAR else _TEXT, str(kind), start)


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
        tellers.setdefault(other.value, _teller(klass.value, start.value if start else ""))
    return Linked(tuple(links), tellers)
