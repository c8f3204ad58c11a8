"""Stage 5 of RETRIEVE: de-duplication. What tells of one happening becomes one occurrence.

First the hits are completed (`find_occurrences`): a record that shows what a found text tells is found with it. Then
hits of the same happening are joined to one row (`join_occurrences`). The paper joins what overlaps in time; here a
mail of the day after is joined, too (`extraction/coreference`).

The second is a derivation that rests on the RETRIEVE's own, so that it is made again by itself when links between
texts and records change. It holds only what there is to change: `#of`, from an event to the one that stands for its
happening, whose row has the values of all (`extraction/coreference/merged_values.py`); and where some happening is
told by texts only, which may be of another day, `#start` and `#end`: when all of them took place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from ..execution.derivations.derive import Hit, Step, activity_triples, is_derived, keep, read_hits
from ..extraction.coreference.links import NO_LINKS, Linked, model_hash, parted, reads, shown_by, store_links, with_told
from ..extraction.coreference.merged_values import OPERATOR, standing_for
from ..extraction.documents import documents, text_events
from ..ontology.namespaces import XSD
from ..operators.resolution import DerivedMatch, RetrieveMatch
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode, Triple
from ..texts.document import Document
from ..texts.time.times import EventTime, Known, event_time
from .candidate_set import CandidateSet
from .context import RetrieveContext
from .relevance_score import COMPANY

BY_DAY = "by-day-1"
"""Changes when the links besides may be others for the same texts."""
SAME, START, END = "#of", "#start", "#end"
"""What the properties of such a derivation end in."""


@dataclass(frozen=True)
class Occurrence:
    """A happening: the event that stands for it, and the others that tell of it."""

    event: str
    others: tuple[str, ...] = ()


def find_occurrences(found: CandidateSet, context: RetrieveContext) -> CandidateSet:
    """The hits with the records that show what they tell. Records are meant for themselves where the query names their
    class, and left out where it asks for company."""
    search = found.search
    if search.models.events is None or search.scope.named or COMPANY.search(search.query):
        return found
    return replace(found, kept=_with_records(found.kept, context))


def occurrences(events: Iterable[str], context: RetrieveContext, besides: Linked = NO_LINKS) -> tuple[Occurrence, ...]:
    """The happenings that events tell of, in the order of their first events; `besides` are links of these events that
    are followed like those of the store."""
    found = tuple(events)
    linked = with_told(store_links(context), found, context.graph)
    if besides.links:
        mention_sources = {**(besides.mention_sources or {}), **(linked.mention_sources or {})}
        linked = Linked((*linked.links, *besides.links), mention_sources)
    return tuple(Occurrence(group[0], group[1:]) for group in parted(found, linked))


def _with_records(hits: Sequence[Hit], context: RetrieveContext) -> tuple[Hit, ...]:
    """Hits with the records that show what they tell of: a marathon in the calendar is the workout of that morning."""
    shown = shown_by([hit.event for hit in hits], store_links(context))
    scores = {shown[hit.event]: hit.score for hit in reversed(hits) if hit.event in shown}
    return (*hits, *(Hit(record, score) for record, score in scores.items()))


def join_occurrences(activity: str, context: RetrieveContext, besides: Linked | None = None) -> DerivedMatch:
    """What a RETRIEVE found, with the hits of the same happening as one. `besides` are links of its hits that go before
    those of the store."""
    match, graph = DerivedMatch(activity), activity.removesuffix("#activity")
    way = None if besides is None else BY_DAY
    used = (graph, *reads(context.vocabulary))
    step = context.step(OPERATOR, activity, OPERATOR, model_hash(), reads=used, reading=way)
    if not is_derived(context.graph, step):
        _write(step, match, context, besides or NO_LINKS)
    return _read(step, match, context.graph)


def _read(step: Step, match: DerivedMatch, graph: Graph) -> DerivedMatch:
    """The match with what the derivation changes; as it was where that is nothing."""
    several, moved = (graph.ask(f"ASK {{ ?e {NamedNode(step.graph + name)} ?v }}") for name in (SAME, START))
    return replace(match, happenings=step.graph, moved=moved) if several or moved else match


def _write(step: Step, match: DerivedMatch, context: RetrieveContext, besides: Linked) -> None:
    found = occurrences((hit.event for hit in read_hits(context.graph, match.activity)), context, besides)
    triples = activity_triples(context.graph, step, context.now, results=len(found))
    same = NamedNode(step.graph + SAME)
    triples += [Triple(NamedNode(event), same, NamedNode(one.event)) for one in found for event in one.others]
    triples += _time_triples(step, _moments(found, context.graph))
    keep(context.graph, step, triples)


# ---------------------------------------------------------------- when it happened
@dataclass(frozen=True)
class Moment:
    """When a happening took place; a day where no time is known."""

    start: datetime | date
    end: datetime | date | None


def _moments(found: Sequence[Occurrence], graph: Graph) -> dict[str, Moment]:
    """When each happening took place; nothing where all took place when their records say."""
    stated = _stated([one.event for one in found], graph)
    texts = set(text_events(graph))
    told = {one.event: one for one in found if one.event in texts}
    read = documents([event for one in told.values() for event in (one.event, *one.others)], graph)
    moved = {event: moment for event, one in told.items() if (moment := _told(one, read)) is not None}
    return {**stated, **moved} if moved else {}


def _told(one: Occurrence, read: Mapping[str, Document]) -> Moment | None:
    """When a happening took place that only texts tell of, where it is another day or time than that of writing."""
    found = [
        (document, when)
        for event in (one.event, *one.others)
        if (document := read.get(event)) is not None
        and document.start is None
        and (when := event_time(document)) is not None
        and when.known is Known.SAID
    ]
    if not found or (first := read.get(one.event)) is None or first.start is not None:
        return None
    _, when = max(found, key=lambda entry: (entry[1].time is not None, entry[1].score))
    return _moment(when)


def _moment(when: EventTime) -> Moment:
    start = _at(when.day, when.time)
    if when.last_day is not None and when.last_day > when.day:
        return Moment(start, _at(when.last_day, when.end_time))
    if when.end_time is not None and when.time is not None:
        later = timedelta(days=1) if when.end_time < when.time else timedelta()
        return Moment(start, datetime.combine(when.day, when.end_time) + later)
    return Moment(start, None)


def _at(day: date, clock: time | None) -> datetime | date:
    return datetime.combine(day, clock) if clock is not None else day


def _stated(events: Sequence[str], graph: Graph) -> dict[str, Moment]:
    """When events are stated to have taken place."""
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    rows = graph.select(
        f"SELECT ?e (MIN(?s) AS ?start) (MAX(?t) AS ?end) (COUNT(?d) AS ?days) {{ VALUES ?e {{ {nodes} }} "
        "?e ev:start ?s OPTIONAL { ?e ev:end ?t } "
        'OPTIONAL { ?e ev:timePrecision "day" BIND(1 AS ?d) } } GROUP BY ?e'
    )
    found: dict[str, Moment] = {}
    for event, start, end, days in rows:
        if event is not None and start is not None:
            untimed = days is not None and days.value != "0"
            first = datetime.fromisoformat(start.value)
            last = datetime.fromisoformat(end.value) if end is not None else None
            found[event.value] = Moment(first.date(), last and last.date()) if untimed else Moment(first, last)
    return found


def _time_triples(step: Step, moments: Mapping[str, Moment]) -> list[Triple]:
    triples = []
    for event, moment in moments.items():
        for name, value in ((START, moment.start), (END, moment.end)):
            if value is not None:
                triples.append(Triple(NamedNode(event), NamedNode(step.graph + name), _time(value)))
    return triples


def _time(value: datetime | date) -> Literal:
    kind = "dateTime" if isinstance(value, datetime) else "date"
    text = value.isoformat(timespec="seconds") if isinstance(value, datetime) else value.isoformat()
    return Literal(text, datatype=NamedNode(XSD + kind))


# ---------------------------------------------------------------- reading
def with_others(events: Sequence[str], matches: Iterable[RetrieveMatch], graph: Graph) -> tuple[str, ...]:
    """Events with all others that tell of the same happenings, for evidence."""
    behind: dict[str, list[str]] = {}
    for match in matches if events else ():
        for event, first in standing_for(match, graph).items():
            behind.setdefault(first, []).append(event)
    return tuple(dict.fromkeys(other for event in events for other in (event, *sorted(behind.get(event, ())))))
