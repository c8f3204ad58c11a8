"""A calendar that is a folder with a file for each entry, as synchronising programs write it (vdirsyncer, CalDAV).

A changed instance may be a file of its own there: it is put to its series. A UID alone does not make two entries one,
since anybody may write it into a file; so this is done only among files that are such parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Final

from ..base import InputFile
from ..peek import decode
from .lines import Block, CalendarText
from .series import Entry, parse_entry
from .zones import LIBRARY_ERRORS, Definitions, Zones

__all__ = ["Part", "is_part", "join_parts", "note_parts"]

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
