"""Entries of a calendar and their occurrences: revisions, recurrence rules, moved and changed instances.

The expansion itself is recurring-ical-events' (RFC 5545, 3.8.5); here entries are made fit for it one series at a time,
and rules that would never end are stopped first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Final

import icalendar
import recurring_ical_events
import x_wr_timezone
from icalendar import vBroken

from .lines import Block, own_properties
from .rules import RuleProblem, Searches, cost_of_entry, last_wanted
from .zones import LIBRARY_ERRORS, Zones

__all__ = ["Entry", "Occurrence", "Series", "cost_of", "expand", "parse_entry", "series_of"]

_SINGLE: Final = ("UID", "DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "SEQUENCE", "STATUS", "SUMMARY", "LOCATION")
_STRUCTURE: Final = ("DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SEQUENCE")
_RECURRENCE: Final = ("RRULE", "RDATE", "EXDATE")
_VOLATILE: Final = ("DTSTAMP", "X-LIC-ERROR")


@dataclass
class Entry:
    """One VEVENT as the library understands it, with its place and with what of it was not understood."""

    component: Any
    line: int
    digest: str
    zone_unknown: bool = False
    length: Length | None = None
    """What its DURATION says."""
    dropped: dict[str, str] = field(default_factory=dict)
    """Properties that are malformed, by name: they stay keys of the record but do not count."""

    @property
    def uid(self) -> str:
        return str(self.component.get("UID") or "").strip()

    @property
    def is_change(self) -> bool:
        """Whether it changes one instance of a series (or that and all following)."""
        return "RECURRENCE-ID" in self.component

    @property
    def sequence(self) -> int:
        return int(self.component.get("SEQUENCE", 0))


@dataclass(frozen=True)
class Series:
    """One entry with its changed instances; `name` is unique in the file and the same in every export."""

    name: str
    entries: tuple[Entry, ...]

    @property
    def line(self) -> int:
        return self.entries[0].line

    @property
    def recurs(self) -> bool:
        return any(key in entry.component for entry in self.entries for key in ("RRULE", "RDATE", "RECURRENCE-ID"))


@dataclass(frozen=True)
class Occurrence:
    """One time that an entry takes place; `slot` names the place in its series, None for what happens once."""

    component: Any
    start: Time
    end: Time | None
    slot: str | None


def parse_entry(block: Block, zones: Zones) -> Entry | str:
    """The entry of a VEVENT block, or why it is none."""
    if block.problem:
        return block.problem
    unknown = False
    lines: list[str] = []
    for line in block.lines:
        written, missing = zones.rewrite(line) if "TZID=" in line.upper() else (line, False)
        lines.append(written)
        unknown = unknown or missing
    try:
        component: Any = icalendar.Event.from_ical("\r\n".join(lines) + "\r\n")
    except LIBRARY_ERRORS as bad:
        return f"cannot be parsed: {bad}"[:200]
    kept = [line for line in block.lines if not line.upper().startswith(_VOLATILE)]
    digest = hashlib.blake2b("\n".join(kept).encode("utf-8", "replace"), digest_size=8).hexdigest()
    entry = Entry(component, block.line, digest, unknown)
    _make_single(component)
    for name in _STRUCTURE:
        if name in component and not _is_sound(name, component[name]):
            entry.dropped[name] = _text(component.pop(name))
    if "DURATION" in component:
        entry.length = stated_length(dict(own_properties(block)).get("DURATION"))
    if not _is_sound("DTSTART", component.get("DTSTART")):
        told = next((text for name, text in component.errors if name in (None, "DTSTART")), None)
        return f"no DTSTART: {told}"[:300] if told else "no DTSTART"
    if not entry.uid:
        component["UID"] = icalendar.vText(digest)
    return entry


def _text(value: Any) -> str:
    values = value if isinstance(value, list) else [value]
    written = (item.to_ical() for item in values)
    return ", ".join(text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text) for text in written)


def _make_single(component: Any) -> None:
    for name in _SINGLE:
        if isinstance(component.get(name), list):
            component[name] = component[name][0]


def _is_sound(name: str, value: Any) -> bool:
    """Whether a property that the expansion reads is what it should be; the parser lets anything through."""
    if isinstance(value, list):
        return all(_is_sound(name, item) for item in value)
    if isinstance(value, vBroken):
        return False
    if name in ("RDATE", "EXDATE"):
        return all(isinstance(item.dt, date | tuple) for item in getattr(value, "dts", [None]) if item)
    if name == "SEQUENCE":
        return isinstance(value, int)
    if name == "RRULE":
        return isinstance(value, dict) and "FREQ" in value
    return isinstance(getattr(value, "dt", None), timedelta if name == "DURATION" else date)


# ---------------------------------------------------------------- series


def series_of(entries: Iterable[Entry]) -> Iterator[Series | tuple[Entry, str]]:
    """Entries by UID, in the order of the file; what is a repetition or an older version, with the reason."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.uid, []).append(entry)
    for uid, group in groups.items():
        mains = [entry for entry in group if not entry.is_change]
        changes = [entry for entry in group if entry.is_change]
        if len(mains) > 1:
            mains, outdated = _newest(mains)
            yield from outdated
        # Writers that give every entry the same UID: each stays its own, changes belong to the first.
        yield Series(uid, (*mains[:1], *changes))
        for entry in mains[1:]:
            yield Series(f"{uid}#{entry.digest}", (entry,))


def _newest(mains: list[Entry]) -> tuple[list[Entry], list[tuple[Entry, str]]]:
    """Of entries with one UID those that count, and the others with why they do not."""
    outdated: list[tuple[Entry, str]] = []
    different: dict[str, Entry] = {}
    for entry in mains:
        if entry.digest in different:
            outdated.append((entry, "the same entry again"))
        different.setdefault(entry.digest, entry)
    latest = max(entry.sequence for entry in different.values())
    by_start: dict[Any, Entry] = {}
    for entry in different.values():
        start = entry.component["DTSTART"].dt
        newer = by_start.get(start)
        if entry.sequence < latest or (newer is not None and _changed(newer) > _changed(entry)):
            outdated.append((entry, "an older version of an entry"))
        else:
            if newer is not None:
                outdated.append((newer, "an older version of an entry"))
            by_start[start] = entry
    return sorted(by_start.values(), key=lambda entry: entry.line), outdated


def _changed(entry: Entry) -> datetime:
    stated = entry.component.get("LAST-MODIFIED")
    moment = stated.dt if not isinstance(stated, list) and _is_sound("LAST-MODIFIED", stated) else None
    if not isinstance(moment, datetime):
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


# ---------------------------------------------------------------- occurrences


def cost_of(series: Series) -> int:
    """How much an occurrence of a series counts (`cost_of_entry`)."""
    try:
        return max(cost_of_entry(entry.component) for entry in series.entries)
    except (RuleProblem, *LIBRARY_ERRORS):
        return 1


def expand(
    series: Series, horizon: datetime, zone: tzinfo | None, most: int, searches: Searches
) -> tuple[list[Occurrence], str | None]:
    """Occurrences up to `horizon` (wall clock), by time, and what went wrong. `zone`: X-WR-TIMEZONE of the calendar;
    `most`: occurrences that one rule may yield; `searches`: those of the file.

    What happens once is given whenever it is. A series whose rule is not understood is its first time alone.
    """
    components = [entry.component for entry in series.entries]
    lengths = [entry.length for entry in series.entries]
    try:
        components = _in_zone(components, zone)
        if len(components) == 1 and not any(name in components[0] for name in (*_RECURRENCE, "RECURRENCE-ID")):
            return [_single(components[0], lengths[0])], None
        problem: str | None = None
        if most < 1:
            raise RuleProblem("the calendar's other entries recur too often (limits.file_occurrences)")
        stop = max([horizon, *(_clock(component["DTSTART"].dt) + timedelta(days=1) for component in components[:1])])
        for component in components:
            stop, stopped = last_wanted(component, stop, most, searches)
            problem = problem or stopped
        found = list(_recurring(components, lengths, stop))
        return sorted(found, key=lambda item: _clock(item.start)), problem
    except (RuleProblem, *LIBRARY_ERRORS) as bad:
        first = components[0]
        for name in _RECURRENCE:
            first.pop(name, None)
        return [_single(first, lengths[0])], f"its recurrence is not understood, kept once: {bad}"[:300]


def _in_zone(components: Sequence[Any], zone: tzinfo | None) -> list[Any]:
    if zone is None:
        return list(components)
    calendar = icalendar.Calendar()
    for component in components:
        calendar.add_component(component)
    written: list[Any] = list(x_wr_timezone.to_standard(calendar, timezone=zone).subcomponents)
    for before, after in zip(components, written, strict=True):
        # The converted values are made anew, without the parameter that makes a change count for what follows.
        if "RECURRENCE-ID" in before and "RANGE" in before["RECURRENCE-ID"].params:
            after["RECURRENCE-ID"].params["RANGE"] = before["RECURRENCE-ID"].params["RANGE"]
    return written


def _single(component: Any, stated: Length | None) -> Occurrence:
    start = component["DTSTART"].dt
    end = component["DTEND"].dt if "DTEND" in component else None
    if end is None and "DURATION" in component:
        end = (stated or Length(0, component["DURATION"].dt)).after(start)
    if end is None and not isinstance(start, datetime):
        end = start + timedelta(days=1)
    if end is not None and _clock(end) < _clock(start) and isinstance(end, datetime) == isinstance(start, datetime):
        start, end = end, start
    slot = _slot(component["RECURRENCE-ID"].dt) if "RECURRENCE-ID" in component else None
    return Occurrence(component, start, end, slot)


def _recurring(components: list[Any], stated: list[Length | None], stop: datetime) -> Iterator[Occurrence]:
    calendar = icalendar.Calendar()
    changes: dict[Time, Time] = {}
    ends: dict[Time | None, tuple[Any, Length | None]] = {}
    whole_days = False
    for component, length in zip(components, stated, strict=True):
        calendar.add_component(component)
        ends[component["RECURRENCE-ID"].dt if "RECURRENCE-ID" in component else None] = component, length
        if "RECURRENCE-ID" in component:
            changes[component["RECURRENCE-ID"].dt] = component["DTSTART"].dt
        else:
            whole_days = not isinstance(component["DTSTART"].dt, datetime)
    begin = max(min(_dates(components)), datetime(2, 1, 1)) - timedelta(days=2)
    query = recurring_ical_events.of(calendar, keep_recurrence_attributes=True)
    for found in query.between(begin, stop):
        occurrence: Any = found
        start, end = occurrence["DTSTART"].dt, occurrence["DTEND"].dt
        identity = occurrence["RECURRENCE-ID"]
        slot = identity.dt
        if (source := ends.get(slot, ends.get(None))) is not None:
            end = _end(*source, start, end)
        if slot not in changes and whole_days and isinstance(start, datetime):
            start = slot = start.date()  # a date that the library had to compare with a date-time
        elif identity.params.get("RANGE") == "THISANDFUTURE":
            slot = _before_change(start, changes[slot], slot)
        yield Occurrence(occurrence, start, end, _slot(slot))


def _end(component: Any, stated: Length | None, start: Time, end: Time) -> Time:
    """When an instance ends: the library counts on the clock; what a period of an RDATE states is left as it is."""
    length = length_of(component, stated)
    if length is None:
        return end
    ends: Any = component.get("DTEND")
    counted = component["DURATION"].dt if ends is None else ends.dt - component["DTSTART"].dt
    own: Any = end
    return length.after(start) if own - start == counted else end


def _dates(components: Iterable[Any]) -> Iterator[datetime]:
    for component in components:
        yield _clock(component["DTSTART"].dt)
        added = component.get("RDATE", [])
        for dates in added if isinstance(added, list) else [added]:
            yield from (_clock(item.dt[0] if isinstance(item.dt, tuple) else item.dt) for item in dates.dts)


def _before_change(start: Time, moved_to: Time, moved_from: Time) -> Time:
    """Where an instance stood before it and all that follow were moved from `moved_from` to `moved_to`."""
    if isinstance(moved_to, datetime) and isinstance(moved_from, datetime):
        aware = moved_to.tzinfo is not None and moved_from.tzinfo is not None
        return start - (moved_to - moved_from if aware else _clock(moved_to) - _clock(moved_from))
    return start - (_clock(moved_to) - _clock(moved_from))


def _slot(value: Time) -> str:
    if not isinstance(value, datetime):
        return f"{value:%Y%m%d}"
    if value.tzinfo is None:
        return f"{value:%Y%m%dT%H%M%S}"
    return f"{value.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _clock(value: Time) -> datetime:
    """The wall clock of a date or date-time."""
    return value.replace(tzinfo=None) if isinstance(value, datetime) else datetime.combine(value, time())


Time = date | datetime
_WRITTEN: Final = re.compile(
    r"\s*\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?\s*", re.IGNORECASE
)


@dataclass(frozen=True)
class Length:
    """Days that end at the same clock time, and an exact span after them."""

    days: int
    exact: timedelta

    def after(self, start: Time) -> Time:
        """When something ends that begins at `start`."""
        if not isinstance(start, datetime):
            start = datetime.combine(start, time()) if self.exact % timedelta(days=1) else start
        if not isinstance(start, datetime) or start.tzinfo is None:
            return start + timedelta(days=self.days) + self.exact
        day = start + timedelta(days=self.days)
        return (day.astimezone(UTC) + self.exact).astimezone(start.tzinfo) if self.exact else day


def stated_length(text: str | None) -> Length | None:
    """The value of a DURATION; None for none, and for one that is no plain duration."""
    found = _WRITTEN.fullmatch(text or "")
    if found is None or not any(found.groups()):
        return None
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in found.groups())
    return Length(7 * weeks + days, timedelta(hours=hours, minutes=minutes, seconds=seconds))


def length_of(component: Any, stated: Length | None) -> Length | None:
    """How long each instance of an entry lasts; `stated` is its DURATION. None where the clock alone tells."""
    if stated is not None or "DTEND" not in component:
        return stated
    start, end = component["DTSTART"].dt, component["DTEND"].dt
    if not all(isinstance(value, datetime) and value.tzinfo is not None for value in (start, end)):
        return None
    return Length(0, end.astimezone(UTC) - start.astimezone(UTC))
