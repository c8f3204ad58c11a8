"""Which of several exports of one calendar has the newest version of an entry (RFC 5545, 3.8.7).

A UID alone does not make two entries one: anybody may write it into a file. Versions are compared where the files say
that they are the same calendar's, by its name and by what wrote it; an invitation by mail (METHOD) is no such export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .lines import Block, CalendarText

__all__ = ["Version", "calendar_of", "own_properties", "property_of", "versions_of"]

Version = tuple[int, str, str]
"""SEQUENCE, LAST-MODIFIED and DTSTAMP: the highest of an entry and its changed instances."""
_STAMP = re.compile(r"\d{8}T\d{6}Z")


def property_of(calendar: CalendarText, name: str) -> str | None:
    """The value of a property of the calendar itself."""
    for line in calendar.properties:
        head, colon, value = line.partition(":")
        if colon and head.split(";")[0].strip().upper() == name:
            return value.strip()
    return None


def calendar_of(calendar: CalendarText) -> str | None:
    """By what exports of a calendar are known to be of the same one; None where they say too little."""
    if (property_of(calendar, "METHOD") or "PUBLISH").upper() != "PUBLISH":
        return None
    title = property_of(calendar, "X-WR-CALNAME") or property_of(calendar, "NAME")
    return f"{title}\n{property_of(calendar, 'PRODID') or ''}" if title else None


def versions_of(calendar: CalendarText) -> dict[str, Version]:
    """The version of each entry by UID; of those whose own properties are there, not only a changed instance's."""
    found: dict[str, Version] = {}
    whole: set[str] = set()
    for block in calendar.entries:
        said = dict(own_properties(block))
        if block.kind != "VEVENT" or block.problem or not (uid := said.get("UID")):
            continue
        number = said.get("SEQUENCE", "")
        version = (
            int(number) if re.fullmatch(r"\d{1,9}", number) else 0,
            _stamp(said.get("LAST-MODIFIED")),
            _stamp(said.get("DTSTAMP")),
        )
        before = found.get(uid, version)
        found[uid] = (max(before[0], version[0]), max(before[1], version[1]), max(before[2], version[2]))
        if "RECURRENCE-ID" not in said:
            whole.add(uid)
    return {uid: version for uid, version in found.items() if uid in whole}


def own_properties(block: Block) -> Iterator[tuple[str, str]]:
    """Names and values of the lines of an entry, without those of its alarms; of several of a name the first counts."""
    depth = 0
    for line in reversed(block.lines):
        head, colon, value = line.partition(":")
        name = head.split(";")[0].strip().upper()
        if name in ("BEGIN", "END"):
            depth += 1 if name == "END" else -1
        elif colon and depth == 1:
            yield name, value.strip()


def _stamp(value: str | None) -> str:
    return value if value and _STAMP.fullmatch(value) else ""
