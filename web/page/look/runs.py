"""A day's events in order, runs of the same kind as one: 21 songs, mostly of one artist, to 08:31."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ....store.words import normalise
from ....texts.words import plural
from .events import Event
from .kinds import Things
from .life import Life

LEAST: Final = 3
"""Events that make a run."""
_PAUSE: Final = 45 * 60
"""Seconds without an event after which another run begins."""
_MOSTLY: Final = 0.5
_SOME: Final = 2


@dataclass(frozen=True)
class Run:
    """Events of one kind and source that follow one another: what they are called, what most of them have in common,
    and when the last began."""

    events: tuple[Event, ...]
    called: str
    mostly: str
    until: str

    @property
    def first(self) -> Event:
        """The event by whose time and kind the run stands."""
        return self.events[0]


def runs_of(events: Sequence[Event], life: Life, things: Things) -> list[Event | Run]:
    """Events in their order, runs in the place of their first."""
    begun: dict[tuple[str, str], list[Event]] = {}
    groups: list[list[Event]] = []
    for event in events:
        key = (event.kind, event.source)
        group = begun.get(key)
        if group is None or not event.is_timed or not _follows(group[-1], event):
            group = begun[key] = []
            groups.append(group)
        group.append(event)
    found: list[Event | Run] = []
    for group in groups:
        found += [_run(group, life, things)] if len(group) >= LEAST else group
    return sorted(found, key=_place)


def _place(one: Event | Run) -> tuple[bool, str, str]:
    first = one.first if isinstance(one, Run) else one
    return first.is_timed, (first.start or "")[:19], first.iri


def _follows(one: Event, other: Event) -> bool:
    if not one.is_timed or not one.start or not other.start:
        return False
    ended = max(one.start[:19], (one.end or "")[:19])
    return (datetime.fromisoformat(other.start[:19]) - datetime.fromisoformat(ended)).total_seconds() <= _PAUSE


def _run(group: Sequence[Event], life: Life, things: Things) -> Run:
    first, last = group[0], group[-1]
    return Run(tuple(group), f"{len(group):,} {_noun(first, life)}", _mostly(group, life, things), last.clock)


def _noun(event: Event, life: Life) -> str:
    """What several events are called: what names one of them, where that is a name for the kind too (songs)."""
    info = life.vocabulary.classes.get(event.kind)
    naming = life.vocabulary.properties.get(info.label_property or "") if info is not None else None
    if info is not None and naming is not None:
        said = {normalise(label) for label in info.alt_labels}
        if normalise(naming.label) in said:
            return plural(naming.label)
    return plural(life.word(event.kind))


def _mostly(group: Sequence[Event], life: Life, things: Things) -> str:
    """What most of the events have in common: mostly The National; else the two that are most frequent."""
    info = life.vocabulary.classes.get(group[0].kind)
    for prop in _shared(group, info.label_property if info is not None else None, life, things):
        counts = Counter(text for event in group for text in event.texts(prop))
        named = [text for text, number in counts.most_common(_SOME)]
        if len(counts) == 1:
            return named[0]
        if counts[named[0]] > _MOSTLY * len(group):
            return f"mostly {named[0]}"
        others = len(counts) - len(named)
        return ", ".join(named) + (f" and {others} more" if others else "")
    return ""


def _shared(group: Sequence[Event], naming: str | None, life: Life, things: Things) -> list[str]:
    """Properties that tell the events of a run apart from those of others: of their kind alone, said of nearly all, the
    fewest different values first."""
    found: list[tuple[bool, int, str]] = []
    for kind in things.kinds:
        for prop in kind.properties:
            info = life.vocabulary.properties.get(prop)
            if prop == naming or (info is not None and info.domain != (group[0].kind,)):
                continue
            having = sum(1 for event in group if event.texts(prop))
            if having * 10 >= len(group) * 9:
                found.append((not (info is not None and info.multiple), kind.number, prop))
    return [prop for *_, prop in sorted(found)]
