"""iCalendar files (.ics): every entry, and every time that a recurring one takes place up to the horizon."""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally
from ..peek import decode
from ..text import plain, slug, stem_slug
from ..unique_identifiers import UniqueIdentifiers
from .lines import Block, CalendarText, calendar_of, property_of, read_calendars, versions_of
from .record import record_of, status_of
from .rules import Searches
from .series import Entry, Occurrence, Series, cost_of, expand, parse_entry, series_of
from .zones import LIBRARY_ERRORS, Definitions, Zones, zone_named

_WHOLE: Final = re.compile(r"^(?:X-WR-CALNAME|NAME|METHOD[ \t]*+:[ \t]*+(?!PUBLISH))\b", re.IGNORECASE | re.MULTILINE)
"""What a calendar has that is exported as one, and what is sent by mail, which changes other people's entries."""


@dataclass
class Part:
    """What the files of a folder say of one UID."""

    is_series: bool = False
    """Whether one of them has the entry itself."""
    changes: list[Entry] = field(default_factory=list[Entry])
    """Instances in files without the entry itself."""


def is_part(file: InputFile) -> bool:
    """Whether a file is one entry of a calendar that is a folder: one UID, and no name of a calendar."""
    head = decode(file.head())
    return _WHOLE.search(head) is None and len(set(_uids(head))) <= 1


def _uids(text: str) -> Iterator[str]:
    """The UIDs of entries; those of their alarms are none."""
    depth = 0
    for line in text.splitlines():
        name, _, value = line.partition(":")
        key = name.split(";")[0].strip().upper()
        if key in ("BEGIN", "END"):
            depth += 1 if key == "BEGIN" else -1
        elif key == "UID" and depth == 2:
            yield value.strip()


def note_parts(calendar: CalendarText, parts: MutableMapping[str, Part]) -> None:
    """Notes which series a file has, and its changes of instances of others."""
    zones = Zones(calendar.zones, Definitions())
    entries = [entry for block in calendar.entries if (entry := _entry(block, zones)) is not None]
    whole = {entry.uid for entry in entries if not entry.is_change}
    for entry in entries:
        part = parts.setdefault(entry.uid, Part())
        if entry.uid in whole:
            part.is_series = True
        else:
            part.changes.append(entry)


def join_parts(entries: list[Entry], parts: MutableMapping[str, Part]) -> tuple[list[Entry], list[Entry]]:
    """The entries of a file with the changes that other files have of them; and its own that stand with theirs."""
    whole = {entry.uid for entry in entries if not entry.is_change}
    away = [entry for entry in entries if entry.uid not in whole and entry.uid in parts and parts[entry.uid].is_series]
    kept = [entry for entry in entries if entry not in away]
    for uid in dict.fromkeys(entry.uid for entry in entries if entry.uid in whole and entry.uid in parts):
        changes, parts[uid].changes = parts[uid].changes, []
        kept += changes
    return kept, away


def _entry(block: Block, zones: Zones) -> Entry | None:
    """The entry of a block; None where there is none, which is told when the file is read."""
    try:
        entry = parse_entry(block, zones) if block.kind == "VEVENT" else None
    except LIBRARY_ERRORS:
        return None
    return entry if isinstance(entry, Entry) else None


__all__ = ["FORMAT"]

_BEGIN = re.compile(r"\s*BEGIN[ \t]*:[ \t]*VCALENDAR\b", re.IGNORECASE)
_FOLD = re.compile(r"\r?\n[ \t]")
_NAME = re.compile(r"^(?:X-WR-CALNAME|NAME)(?:;[^:\r\n]*)?:(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_TOLD: Final = ("_start", "_startInstant", "_end", "_summary", "_description", "_location", "_organizer")
_KINDS: Final = {"VTODO": "a task", "VJOURNAL": "a journal entry", "VFREEBUSY": "a free/busy time"}


def _recognise(file: InputFile) -> float:
    head = _FOLD.sub("", decode(file.head(4096)).lstrip("\ufeff\x00"))  # lines may be folded at every character
    return 1.0 if _BEGIN.match(head) else 0.0


def _source_name(file: InputFile) -> str:
    found = _NAME.search(decode(file.head()))
    title = _FOLD.sub("", found.group(1)) if found else ""
    name = slug(plain(re.sub(r"\\(.)", r"\1", title)))
    name = name or stem_slug(file.path)
    return f"calendar-{name}" if name not in ("", "calendar") else "calendar"


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """One record per occurrence: properties under their names, and what the map reads, with `_` in front."""
    reading = _Reading(file.path, context)
    with file.open() as stream:
        for calendar in read_calendars(stream, context.limits.record_bytes):
            yield from reading.calendar(calendar)
    yield from reading.tally.report()


def _survey(file: InputFile, context: ReadContext) -> None:
    """Notes the newest version of each entry: an older export of a calendar stands back behind a newer one. Of single
    entries of a folder, notes series, and changes of instances whose series is in another file."""
    single = is_part(file)
    with file.open() as stream:
        for calendar in read_calendars(stream, context.limits.record_bytes):
            if name := calendar_of(calendar):
                for uid, version in versions_of(calendar).items():
                    context.newest[name, uid] = max(version, context.newest.get((name, uid), version))
            elif single:
                note_parts(calendar, context.parts)


class _Reading:
    """What one file has shown so far."""

    def __init__(self, path: str, context: ReadContext) -> None:
        self.tally = Tally(path)
        self._path = path
        self._horizon = datetime.fromisoformat(context.now).replace(tzinfo=None) + timedelta(days=context.horizon_days)
        self._owner = frozenset(" ".join(name.split()).casefold() for name in context.owner_names if name.strip())
        self._left = context.limits.file_occurrences
        self._definitions = Definitions()
        self._searches = Searches()
        self._seen: dict[str, tuple[str, ...]] = {}
        self._apart = UniqueIdentifiers(self.tally, context, key="UID", again="the same entry again")
        self._newest = context.newest
        self._parts = context.parts

    def calendar(self, calendar: CalendarText) -> Iterator[Record | BadRecord]:
        zones = Zones(calendar.zones, self._definitions)
        entries: list[Entry] = []
        for block in calendar.entries:
            if block.kind != "VEVENT":
                name = _KINDS.get(block.kind, f"a component {block.kind}")
                self.tally.add(f"line {block.line}", f"{name}, not a calendar entry", group=block.kind)
                continue
            try:
                entry = parse_entry(block, zones)
            except LIBRARY_ERRORS as bad:
                entry = f"cannot be parsed: {bad}"[:300]
            if isinstance(entry, Entry):
                entries.append(entry)
            else:
                yield BadRecord(self._path, _where(block.line, _uid(block.lines)), entry)
        entries, away = join_parts(entries, self._parts)
        for entry in away:
            self.tally.add(_where(entry.line, entry.uid), "a change of a series in another file, and read with it")
        for line, problem in zones.problems.items():
            yield BadRecord(self._path, f"VTIMEZONE (line {line})", problem, key="TZID")
        if not calendar.closed:
            yield BadRecord(self._path, f"calendar (line {calendar.line})", "cut off: no END:VCALENDAR", key="END")
        zone = _calendar_zone(calendar)
        cancelled = (property_of(calendar, "METHOD") or "").upper() == "CANCEL"
        title = plain(re.sub(r"\\(.)", r"\1", property_of(calendar, "X-WR-CALNAME") or ""))
        found = [(cost_of(series), series) for series in self._counting(entries, calendar)]
        # What costs most comes last: what is spent on it is taken from nothing else.
        for cost, series in sorted(found, key=lambda pair: pair[0]):
            yield from self._series(series, cost, zone, title, cancelled=cancelled)

    def _counting(self, entries: list[Entry], calendar: CalendarText) -> Iterator[Series]:
        """The series that are neither a repetition nor an older version; those that are go to the tally."""
        outdated = self._outdated(calendar)
        for series in series_of(entries):
            if not isinstance(series, Series):
                self.tally.add(_where(series[0].line, series[0].uid), series[1])
            elif series.entries[0].uid in outdated:
                self.tally.add(_where(series.line, series.name), "an older version of an entry")
            else:
                yield series

    def _outdated(self, calendar: CalendarText) -> set[str]:
        """UIDs of which another file has a newer version in the same calendar."""
        name = calendar_of(calendar)
        if name is None or not self._newest:
            return set()
        versions = versions_of(calendar)
        return {uid for uid, version in versions.items() if version < self._newest.get((name, uid), version)}

    def _series(
        self, series: Series, cost: int, zone: tzinfo | None, title: str, *, cancelled: bool
    ) -> Iterator[Record | BadRecord]:
        where = _where(series.line, series.name)
        name = self._name(series, where)
        if name is None:
            return
        try:
            occurrences, problem = expand(series, self._horizon, zone, self._left // cost, self._searches)
            self._left -= cost * len(occurrences) if series.recurs else 0
        except LIBRARY_ERRORS as bad:
            yield BadRecord(self._path, where, f"its times cannot be computed: {bad}"[:300])
            return
        if problem:
            yield BadRecord(self._path, where, problem, key="RRULE")
        yield from self._malformed(series)
        missed: dict[str, int] = {}
        for occurrence in occurrences:
            reason = "cancelled" if cancelled else status_of(occurrence.component, self._owner)
            if reason:
                missed[reason] = missed.get(reason, 0) + 1
                continue
            try:
                record = self._record(occurrence, series, name, title)
                if self._apart.take(record, where, *(record.get(key) for key in _TOLD)):
                    yield record
            except LIBRARY_ERRORS as bad:
                yield BadRecord(self._path, where, f"cannot be read: {bad}"[:300])
        for reason, count in missed.items():
            yield BadRecord(self._path, where, reason, count)
        if not occurrences:
            yield BadRecord(self._path, where, "its rule gives no time at which it takes place")

    def _malformed(self, series: Series) -> Iterator[BadRecord]:
        for entry in series.entries:
            for key, value in entry.dropped.items():
                reason = f"{key} is malformed: {value}"[:300]
                yield BadRecord(self._path, _where(entry.line, series.name), reason, key=key)

    def _record(self, occurrence: Occurrence, series: Series, name: str, title: str) -> Record:
        record = record_of(occurrence, self._owner)
        if any("\ufffd" in record[key] for key in ("_summary", "_description", "_location")):
            self.tally.add(_where(series.line, series.name), "bytes that are no text", key="text")
        for entry in series.entries[:1]:
            record |= {key: value for key, value in entry.dropped.items() if key not in record}
        if title:
            record.setdefault("X-WR-CALNAME", title)
        if series.entries[0].zone_unknown:
            record["_certainty"] = "assumed"
        record["_recurring"] = series.recurs
        record["_id"] = name if occurrence.slot is None else f"{name}#{occurrence.slot}"
        return record

    def _name(self, series: Series, where: str) -> str | None:
        """The series' identifier in this file; None when the same stood in an earlier calendar of the file."""
        content = tuple(sorted(entry.digest for entry in series.entries))
        known = self._seen.setdefault(series.name, content)
        if known is content:
            return series.name
        if known == content:
            self.tally.add(where, "the same entry again")
            return None
        return f"{series.name}#{content[0]}"


def _where(line: int, uid: str) -> str:
    return f"VEVENT {uid[:80]} (line {line})" if uid else f"VEVENT (line {line})"


def _uid(lines: list[str]) -> str:
    return next((line[4:].strip() for line in lines if line[:4].upper() == "UID:"), "")


def _calendar_zone(calendar: CalendarText) -> tzinfo | None:
    """X-WR-TIMEZONE: the zone in which the calendar's owner reads times that are in UTC or in no zone."""
    name = property_of(calendar, "X-WR-TIMEZONE")
    zone = zone_named(name) if name else None
    return None if zone is UTC else zone


FORMAT = Format(
    name="icalendar",
    label="iCalendar",
    map_file="icalendar.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
    survey=_survey,
    is_part=is_part,
    shared_name="calendar",
)
