"""What several texts tell of one day: a calendar entry, a post and a mail about the same match, which nothing records.

Where no record shows a happening, the model that links texts with records has little to go by. Within a query for one
kind of event it is enough that two texts tell of the same day, at no other time of it, and of nothing different.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations
from typing import Final

from ...execution.derivations.derive import Hit
from ...models.coreference.model import Link
from ...ontology.namespaces import EV
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ...store.words import normalise
from ...texts.document import Document
from ...texts.time.times import Known, event_time
from ..context import ExtractContext
from ..coreference.links import CALENDAR, TEXT, Linked, MentionSource
from ..documents import TELLING, TEXT_CLASSES, documents

_APART: Final = timedelta(hours=3)
"""Times of one day that are further apart than this are of two happenings."""
_SURE: Final = 0.7
_NAMES: Final = ("workoutType", "movieTitle", "product")
"""Properties that tell happenings of one kind apart."""
_BOUGHT: Final = EV + "Purchase"


@dataclass(frozen=True)
class _Account:
    """What a text, or a happening told in it, says of the when and what; `time` only where it is said."""

    event: str
    kind: str
    text: str
    day: date
    time: datetime | None
    values: frozenset[str]
    start: str


def linked_by_day(hits: Sequence[Hit], classes: Sequence[str], context: ExtractContext) -> Linked:
    """Links between texts of a query for one kind of event that tell of one happening."""
    if len(hits) < 2:
        return Linked()
    by_day: dict[date, list[_Account]] = defaultdict(list)
    for account in _accounts([hit.event for hit in hits], context):
        by_day[account.day].append(account)
    must_share = _BOUGHT in classes
    found = [
        Link(one.event, other.event, _SURE)
        for accounts in by_day.values()
        for one, other in combinations(accounts, 2)
        if _same(one, other, must_share=must_share)
    ]
    named = {event for link in found for event in (link.one, link.other)}
    mention_sources = {
        account.event: MentionSource(
            CALENDAR if account.kind == EV + "CalendarEntry" else TEXT, account.kind, account.start
        )
        for accounts in by_day.values()
        for account in accounts
        if account.event in named
    }
    return Linked(tuple(found), mention_sources)


def _same(one: _Account, other: _Account, *, must_share: bool) -> bool:
    if one.text == other.text or (one.kind == other.kind == EV + "CalendarEntry"):
        return False
    if one.time is not None and other.time is not None and abs(one.time - other.time) > _APART:
        return False
    if one.values and other.values:
        return not one.values.isdisjoint(other.values)
    return not must_share


def _accounts(events: Sequence[str], context: ExtractContext) -> list[_Account]:
    graph = context.graph
    told = _told(events, graph)
    read = documents([event for event in events if event not in told], graph)
    kinds = _kinds(read, graph)
    found = [_of_text(document, kinds.get(event, "")) for event, document in read.items()]
    return [*(account for account in found if account is not None), *told.values()]


def _of_text(document: Document, kind: str) -> _Account | None:
    """A text by the day that it tells of: its own where it says none, that of a calendar entry its start."""
    start = document.start
    if start is not None:
        timed = start if (start.hour, start.minute) != (0, 0) else None
        return _Account(document.event, kind, document.event, start.date(), timed, frozenset(), start.isoformat())
    when = event_time(document)
    if when is None or when.known is Known.WRITTEN:
        return None  # a text that says no day may be of any before it
    timed = datetime.combine(when.day, when.time) if when.time is not None else None
    return _Account(document.event, kind, document.event, when.day, timed, frozenset(), when.day.isoformat())


def _told(events: Iterable[str], graph: Graph) -> dict[str, _Account]:
    """The told happenings among events."""
    nodes = " ".join(str(NamedNode(event)) for event in events if "#told-" in event)
    names = " ".join(str(NamedNode(EV + name)) for name in _NAMES)
    if not nodes:
        return {}
    rows = graph.select(
        f"SELECT ?e ?start ?v {{ VALUES ?e {{ {nodes} }} ?e ev:start ?start "
        f"OPTIONAL {{ VALUES ?p {{ {names} }} ?e ?p ?v }} }}"
    )
    starts: dict[str, str] = {}
    values: dict[str, set[str]] = defaultdict(set)
    for event, start, value in rows:
        if event is not None and start is not None:
            starts[event.value] = start.value
            values[event.value] |= {normalise(value.value)} if value is not None else set()
    return {event: _of_telling(event, start, frozenset(values[event])) for event, start in starts.items()}


def _of_telling(event: str, start: str, values: frozenset[str]) -> _Account:
    moment = datetime.fromisoformat(start)
    timed = moment if (moment.hour, moment.minute) != (0, 0) else None
    return _Account(event, TELLING, event.partition("#told-")[0], moment.date(), timed, values, start)


def _kinds(read: Mapping[str, Document], graph: Graph) -> dict[str, str]:
    nodes = " ".join(str(NamedNode(event)) for event in read)
    rows = graph.select(f"SELECT ?e ?c {{ VALUES ?e {{ {nodes} }} ?e a ?c }}")
    return {e.value: c.value for e, c in rows if e is not None and c is not None and c.value in TEXT_CLASSES}
