"""Which events of a store tell of the same happening: links, found once for each state of the store and kept by it.

Beside them stand what only texts tell, as events of their own (mentions/derived_events.py), and the calendar entries of
what texts tell: who took part may stand there, and not in the text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ...execution.context import Table
from ...execution.derivations.values_read import CacheFile
from ...models.coreference.accounts import Account
from ...models.coreference.model import Link, links, load_weights
from ...ontology.namespaces import EV, LEXICONS
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ...store.vocabulary import Vocabulary
from ...texts.document import TextKind
from ...texts.lexicon.lexicon import Lexicon
from ..context import ExtractContext
from ..documents import READS, TELLING, TEXT_CLASSES
from ..page import Found
from .accounts import accounts_of, classes_of_texts

METHOD: Final = "3"
"""Changes when the same events and weights may give other links."""
_NAME: Final = "occurrences"
RECORD, CALENDAR, TEXT = range(3)
TELLS, TOLD_IN, SAME = EV + "tells", EV + "toldIn", EV + "sameHappening"
SURE: Final = 0.6
"""Probability of a link from which on a record counts as found where a text about it was, and an entry tells who was
there."""


@dataclass(frozen=True, slots=True)
class MentionSource:
    """A linked event: how good it is for standing for a happening (0 best), its kind, its start."""

    rank: int
    kind: str
    start: str


@dataclass(frozen=True)
class Linked:
    """The links of a store, surest first, and what is known of the events that they link."""

    links: tuple[Link, ...] = ()
    mention_sources: Mapping[str, MentionSource] | None = None

    @cached_property
    def by_event(self) -> Mapping[str, tuple[Link, ...]]:
        """The links of each event."""
        found: dict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            found[link.one].append(link)
            found[link.other].append(link)
        return {event: tuple(own) for event, own in found.items()}

    def mention_source(self, event: str) -> MentionSource:
        """What is known of an event."""
        return (self.mention_sources or {}).get(event, MentionSource(TEXT, "", ""))


NO_LINKS: Final = Linked()
_LINKS: Final = Table[None, tuple[str, Linked]]("links")
"""The links of the store with the identity of what they were found from."""
_ACCOUNTS: Final = Table[str, list[Account]]("accounts")


def reads(vocabulary: Vocabulary) -> tuple[str, ...]:
    """What links depend on."""
    return (*READS, *classes_of_texts(vocabulary), LEXICONS)


def model_hash() -> str:
    """Names the way in which links are found."""
    return f"{load_weights().identity}-{METHOD}"


def store_links(context: ExtractContext) -> Linked:
    """The links of the whole store, from its index folder if they are there, else found now."""
    state = context.generation
    if context.depends is not None:
        state = context.depends.digest(reads(context.vocabulary))
    identity = f"{model_hash()} {state}"
    kept = context.known[_LINKS].get(None)
    if kept is not None and kept[0] == identity:
        return kept[1]
    found = kept_links(context.index_folder, state)
    if found is None:
        found = _links_between(store_accounts(context))
        CacheFile(context.index_folder, _NAME, identity).write(_as_json(found))
    context.known[_LINKS][None] = (identity, found)
    return found


def kept_links(folder: Path | None, state: str) -> Linked | None:
    """The links that were found for a state of what they read, and kept in an index folder; None where none were."""
    held = CacheFile(folder, _NAME, f"{model_hash()} {state}").read()
    return None if held is None else _linked(held)


def find_links(graph: Graph, vocabulary: Vocabulary, lexicon: Lexicon) -> Linked:
    """Reads all texts and records of a store and links those that tell of the same happening."""
    return _links_between(accounts_of(graph, vocabulary, lexicon))


def store_accounts(context: ExtractContext) -> list[Account]:
    """The accounts of the store's events, read once while it is open."""
    return context.once(
        _ACCOUNTS, context.generation, lambda: accounts_of(context.graph, context.vocabulary, context.lexicon)
    )


def _links_between(accounts: Sequence[Account]) -> Linked:
    found = links(accounts, load_weights())
    named = {event for link in found for event in (link.one, link.other)}
    return Linked(found, {account.event: _source_of(account) for account in accounts if account.event in named})


def _source_of(account: Account) -> MentionSource:
    rank = RECORD if account.record else CALENDAR if account.calendar else TEXT
    return MentionSource(rank, account.kind, account.start.isoformat())


def _linked(held: Mapping[str, Any]) -> Linked:
    events = [(str(iri), MentionSource(int(rank), str(kind), str(start))) for iri, rank, kind, start in held["events"]]
    made = (Link(events[one][0], events[other][0], float(score)) for one, other, score in held["links"])
    return Linked(tuple(made), dict(events))


def _as_json(found: Linked) -> dict[str, Any]:
    mention_sources = found.mention_sources or {}
    places = {event: place for place, event in enumerate(mention_sources)}
    return {
        "events": [[event, source.rank, source.kind, source.start] for event, source in mention_sources.items()],
        "links": [[places[link.one], places[link.other], link.score] for link in found.links],
    }


def parted(events: Sequence[str], linked: Linked) -> tuple[tuple[str, ...], ...]:
    """The events by happening; in each first the one that stands for it: the record, else the calendar entry, else the
    earliest text. Happenings in the order of their first events.

    Links are followed surest first, those between the events before those over others, and never so that two calendar
    entries or two records of one class become one: a text that tells of both belongs to the surer one.
    """
    groups = _Groups(linked)
    wanted = set(events)
    between, over = _links_of(events, wanted, linked)
    for link in (*between, *over):
        groups.join(link)
    found: dict[str, list[str]] = defaultdict(list)
    for event in dict.fromkeys(events):
        found[groups.root(event)].append(event)
    return tuple(tuple(sorted(own, key=lambda event: _standing(event, linked))) for own in found.values())


def _links_of(events: Iterable[str], wanted: set[str], linked: Linked) -> tuple[list[Link], list[Link]]:
    """The links between the events, and those of all others that can be reached from them, surest first."""
    met, pending, mine = set(wanted), list(events), set[Link]()
    while pending:
        own = linked.by_event.get(pending.pop(), ())
        mine.update(own)
        reached = {event for link in own for event in (link.one, link.other)} - met
        met |= reached
        pending += reached
    ordered = sorted(mine, key=lambda link: (-link.score, link.one, link.other))
    inside = [link for link in ordered if link.one in wanted and link.other in wanted]
    return inside, [link for link in ordered if link.one not in wanted or link.other not in wanted]


def shown_by(events: Sequence[str], linked: Linked) -> dict[str, str]:
    """The record that shows what an event tells of, for those of the events that are no records and have a sure link to
    one which is not among them."""
    found: dict[str, str] = {}
    given = set(events)
    for event in events:
        for link in sorted(linked.by_event.get(event, ()), key=lambda link: -link.score):
            other = link.other if link.one == event else link.one
            if (
                link.score >= SURE
                and linked.mention_source(other).rank == RECORD
                and linked.mention_source(event).rank != RECORD
            ):
                if other not in given:
                    found[event] = other
                break
    return found


def _standing(event: str, linked: Linked) -> tuple[int, str, str]:
    source = linked.mention_source(event)
    return source.rank, source.start, event


class _Groups:
    """Sets of events that are joined as long as they hold no two of what there is one of."""

    def __init__(self, linked: Linked) -> None:
        self._linked = linked
        self._parent: dict[str, str] = {}
        self._kinds: dict[str, frozenset[str]] = {}

    def root(self, event: str) -> str:
        """The event that stands for its set."""
        while (parent := self._parent.get(event, event)) != event:
            event = parent
        return event

    def join(self, link: Link) -> None:
        """Makes two sets one, if they may be; twins of two exports may."""
        one, other = self.root(link.one), self.root(link.other)
        if one == other:
            return
        mine, yours = self._single(one), self._single(other)
        if mine & yours and not self._twins(link):
            return
        self._parent[other] = one
        self._kinds[one] = mine | yours

    def _single(self, root: str) -> frozenset[str]:
        """The kinds in a set of which a happening has one."""
        source = self._linked.mention_source(root)
        return self._kinds.get(root, frozenset({source.kind}) if source.rank < TEXT else frozenset())

    def _twins(self, link: Link) -> bool:
        one, other = self._linked.mention_source(link.one), self._linked.mention_source(link.other)
        return one.kind == other.kind and one.rank < TEXT


def entries_of(events: Iterable[str], linked: Linked) -> dict[str, str]:
    """The calendar entry that each text surely speaks of, for those of the events that are texts and speak of one."""
    found: dict[str, str] = {}
    for event in events:
        links = linked.by_event.get(event, ())
        if not links or linked.mention_source(event).rank != TEXT:
            continue
        surest = max(links, key=lambda link: (link.score, link.one, link.other))
        other = surest.other if surest.one == event else surest.one
        if surest.score >= SURE and linked.mention_source(other).rank == CALENDAR:
            found[event] = other
    return found


def with_entries(
    found: Mapping[str, tuple[Found, ...]], entries: Mapping[str, str], told: Mapping[str, tuple[Found, ...]]
) -> dict[str, tuple[Found, ...]]:
    """The values of events with those that were `told` by the entries of theirs, each once."""
    joined = dict(found)
    for event, entry in entries.items():
        own = found.get(event, ())
        known = {str(one.value) for one in own}
        more = tuple(
            Found(one.value, 0, 0, one.confidence, "") for one in told.get(entry, ()) if str(one.value) not in known
        )
        if own or more:
            joined[event] = (*own, *more)
    return joined


def _told_source(klass: str, start: str) -> MentionSource:
    """What a told happening is linked to: a record, a calendar entry, or what another text tells."""
    if klass == TELLING:
        return MentionSource(TEXT, "", start)
    kind = TEXT_CLASSES.get(klass)
    if kind is None:
        return MentionSource(RECORD, klass, start)
    return MentionSource(CALENDAR if kind is TextKind.CALENDAR else TEXT, str(kind), start)


def with_told(linked: Linked, events: Iterable[str], graph: Graph) -> Linked:
    """The links of a store with those of told happenings, where any of the events is one."""
    told = [event for event in events if "#told-" in event]
    if not told:
        return linked
    rows = graph.select(
        f"SELECT DISTINCT ?e ?o ?class ?start {{ ?e {NamedNode(SAME)} ?o . ?o a ?class "
        "OPTIONAL { ?o ev:start ?start } }"
    )
    links, mention_sources = list(linked.links), dict(linked.mention_sources or {})
    for event, other, klass, start in rows:
        if event is None or other is None or klass is None:
            continue
        links.append(Link(other.value, event.value, 1.0))
        mention_sources.setdefault(other.value, _told_source(klass.value, start.value if start else ""))
    return Linked(tuple(links), mention_sources)
