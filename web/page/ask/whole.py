"""All events behind an answer that rests on very many: looked up when somebody wants them, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ....engine.answers.answer import Answer, Evidence
from ....engine.answers.evidence import evidence
from ....engine.knowledge import KnowledgeGraph
from .kept import Happening, Kept

_STARTS: Final = "SELECT ?e ?t { ?e ev:start ?t }"


def ordered(kept: Kept, known: KnowledgeGraph) -> dict[str, str]:
    """When each of them was, by IRI, in the order of their times."""
    if "order" not in kept.later:
        behind = [iri for plan in kept.plans for iri in known.events_of(plan, now=kept.at)]
        starts = {e.value: t.value for e, t in known.graph.select(_STARTS) if e is not None and t is not None}
        times = {iri: starts.get(iri, "") for iri in behind}
        kept.later["order"] = dict(sorted(times.items(), key=lambda one: (one[1], one[0])))
    return kept.later["order"]


def size_of(kept: Kept, known: KnowledgeGraph) -> int:
    """How many happenings there are."""
    return len(ordered(kept, known)) if kept.answer.more_events else len(kept.happenings)


def happened(kept: Kept, known: KnowledgeGraph, first: int, most: int) -> Sequence[Happening]:
    """Some of them, from the first on."""
    if not kept.answer.more_events:
        return kept.happenings[first : first + most]
    shown = list(ordered(kept, known))[first : first + most]
    return [Happening(event, start=event.start) for event in _marked(kept, evidence(known.graph, shown))]


def _marked(kept: Kept, events: Sequence[Evidence]) -> list[Evidence]:
    """Events with what is only told of them, as far as it is known."""
    told = {event.iri: event.basis for event in kept.answer.events}
    return [replace(event, basis=told.get(event.iri, event.basis)) for event in events]


def with_all(kept: Kept, known: KnowledgeGraph) -> Answer:
    """The answer with each happening once, and when it was: for what is only drawn over time."""
    answer = kept.answer
    if not answer.more_events:
        own = {event.iri for event in answer.events}
        once = (one for one in kept.happenings if one.event.iri in own)
        return replace(answer, events=tuple(replace(one.event, start=one.start) for one in once))
    events = tuple(Evidence(iri, "", "", "", start, None, "") for iri, start in ordered(kept, known).items())
    return replace(answer, events=events, more_events=False)
