"""Accounts: what one event says of a happening, in a form in which two events can be compared.

A workout and a calendar entry state their time; a mail or a post tells of days, which its time expressions name. Both
have words, people and values. Two accounts that tell of the same happening are linked, as
RETRIEVE's de-duplication asks for (the paper's step 5 of section 3.2.1 knows overlapping times only).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from ...store.words import fold, stems
from ...texts.document import Document, TextKind
from ...texts.lexicon.lexicon import Lexicon, deciding
from ...texts.people.mentions import How, Profile, mentions
from ...texts.quantities.lengths import distances
from ...texts.quantities.money import money
from ...texts.time.times import When, times

_DAY: Final = 24 * 60
_PARTS: Final = (
    (re.compile(r"\b(morning|breakfast|sunrise|dawn|brunch)\b"), (5 * 60, 12 * 60)),
    (re.compile(r"\b(noon|midday|lunch|lunchtime)\b"), (11 * 60 + 30, 15 * 60)),
    (re.compile(r"\bafternoon\b"), (12 * 60, 18 * 60 + 30)),
    (re.compile(r"\b(evening|tonight|night|dinner|supper)\b"), (17 * 60, _DAY + 4 * 60)),
)
_BESIDE: Final = 14
"""So many characters after a time expression may say the part of the day ("on Monday at lunch")."""
_OFF: Final = re.compile(
    r"\b(cancell?ed|called off|can(?:no|')t (?:make|come|travel)|postponed|declined|not going|no longer)\b"
    r"|\b(?:is|are|it'?s) off\b"
)
_SELF: Final = re.compile(r"\b(i|we|my|our|me|us|i'm|i've|we've)\b")


@dataclass(frozen=True, slots=True)
class Told:
    """Days `day` to `last` that an account may be about; `minutes` the part of the day, from and until, after midnight
    of the first day. `clock`: a time was said; `said`: the day stands in the text, is not that of writing."""

    day: date
    last: date
    minutes: tuple[int, int] | None = None
    clock: bool = False
    said: bool = True


@dataclass(frozen=True, slots=True)
class Account:
    """What an event says.

    `kind` is the kind of text (mail, calendar, ...) or, of an event that describes itself, its class. `start` and `end`
    are when it took place, or was written (`end` None). `words` are all stems but those of people's names, `naming`
    those of what names it (title, location), `place` of the location or sender, `called` of what events of its class
    are called and what one does with them. `values` are the lexicon's by key. `stated`: the time is that of the
    happening; `off`: it says that something will not be; `personal`: somebody who is known wrote it, or it says "we".
    """

    event: str
    kind: str
    start: datetime
    end: datetime | None
    told: tuple[Told, ...]
    words: frozenset[str]
    naming: frozenset[str] = frozenset()
    place: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    sender: str = ""
    values: Mapping[str, frozenset[str]] | None = None
    sums: frozenset[str] = frozenset()
    distances: tuple[float, ...] = ()
    off: bool = False
    stated: bool = True
    text: bool = False
    by_owner: bool = True
    personal: bool = True
    source: str = ""

    @property
    def calendar(self) -> bool:
        """Whether it is a calendar entry."""
        return self.kind == TextKind.CALENDAR

    @property
    def record(self) -> bool:
        """Whether it describes itself."""
        return not self.text and not self.calendar

    @property
    def minutes(self) -> int:
        """Minutes of the day at the start."""
        return self.start.hour * 60 + self.start.minute

    @property
    def last_day(self) -> date:
        """The last day, of which one that ends by five in the morning has none of its own."""
        if self.end is None:
            return self.start.date()
        return max(self.start.date(), (self.end - timedelta(hours=5)).date())


def account_of_text(document: Document, lexicon: Lexicon, profile: Profile, *, source: str = "") -> Account:
    """What a mail, post, note, chat message or calendar entry says."""
    text = document.text
    calendar = document.kind is TextKind.CALENDAR
    start = document.start if calendar and document.start else document.written
    named = [mention for mention in mentions(document, profile) if mention.how is not How.RECIPIENT]
    sender = next((mention.names[0] for mention in named if mention.how is How.SENDER and mention.names), "")
    people = frozenset(fold(m.names[0]) for m in named if m.names and m.how is not How.SENDER and not m.ambiguous)
    known = {fold(person.name) for person in profile.people}
    naming = stems(f"{document.title} {document.location}") if calendar else stems(document.title)
    called = {word for m in named if m.how is How.SAID for word in stems(text[m.start : m.end])}
    return Account(
        event=document.event,
        kind=str(document.kind),
        start=start,
        end=document.end if calendar else None,
        told=() if calendar else told_times(document),
        words=frozenset(stems(f"{text} {document.sender}")) - called,
        naming=frozenset(naming) - called,
        place=frozenset(stems(document.location if calendar else document.sender if not document.by_owner else "")),
        people=people,
        sender=fold(sender or document.sender),
        values=values_of(text, lexicon),
        sums=sums_of(text),
        distances=tuple(float(found.kilometres) for found in distances(text)),
        off=bool(_OFF.search(fold(text))),
        stated=calendar,
        text=not calendar,
        by_owner=document.by_owner,
        personal=document.by_owner or fold(sender or document.sender) in known or bool(_SELF.search(fold(text))),
        source=source,
    )


def account_of_record(
    event: str,
    kind: str,
    start: datetime,
    end: datetime | None,
    name: str,
    texts: Iterable[str],
    lexicon: Lexicon,
    *,
    called: Iterable[str] = (),
    sums: Iterable[float] = (),
    kilometres: Iterable[float] = (),
    source: str = "",
) -> Account:
    """What an event of a self-describing class `kind` says: its `name` (a title, a product), its other `texts`, the
    sums of money and distances that it states; events of its class are `called` so."""
    naming = frozenset(stems(name))
    return Account(
        event=event,
        kind=kind,
        start=start,
        end=end,
        told=(),
        words=naming.union(*(stems(text) for text in texts)),
        naming=naming,
        called=frozenset(word for text in called for word in stems(text)),
        values=values_of(name, lexicon),
        sums=frozenset(f"{sum_:.2f}" for sum_ in sums),
        distances=tuple(kilometres),
        source=source,
    )


def values_of(text: str, lexicon: Lexicon) -> dict[str, frozenset[str]]:
    """What the lexicon reads in a text, by key; weak hints only where nothing else is said."""
    found: dict[str, set[str]] = {}
    for cue in deciding(lexicon.cues(text)):
        found.setdefault(cue.key, set()).add(fold(cue.value))
    return {key: frozenset(values) for key, values in found.items()}


def sums_of(text: str) -> frozenset[str]:
    """The sums of money in a text, without their currencies."""
    return frozenset(f"{sum_.value:.2f}" for sum_ in money(text))


def told_times(document: Document) -> tuple[Told, ...]:
    """The days that a text may be about: those it says, and that of writing."""
    written = document.written
    lowered = document.text.lower()
    found = [_told(when, lowered, written.date()) for when in times(document) if not when.vague]
    now = written.hour * 60 + written.minute
    own = Told(written.date(), written.date(), (0, now), said=False)
    return tuple(dict.fromkeys((*found, own)))


def _told(when: When, lowered: str, written: date) -> Told:
    last = when.last_day or when.day
    if when.time is not None:
        first = when.time.hour * 60 + when.time.minute
        until = when.end_time.hour * 60 + when.end_time.minute if when.end_time else first
        return Told(when.day, last, (first, max(first, until)), clock=True, said=when.day_said or when.day != written)
    around = lowered[max(0, when.start - 1) : when.end + _BESIDE]
    part = next((minutes for sign, minutes in _PARTS if sign.search(around)), None)
    return Told(when.day, last, part)


def days_of(account: Account) -> Iterable[tuple[date, int]]:
    """The days under which an account is filed, with how far off they are from what it says."""
    if account.stated:
        yield account.start.date(), 0
        if account.last_day != account.start.date():
            yield account.last_day, 0
        return
    said = [told for told in account.told if told.said]
    for told in said:
        yield told.day, 0
        if told.last != told.day:
            yield told.last, 0
    written = account.start.date()
    for back in range(3):
        yield written - timedelta(days=back), back
