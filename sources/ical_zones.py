"""Time zones of calendars: IANA names, Windows names, names with a vendor in front, and zones defined in the file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from .ical_lines import Block

__all__ = ["LIBRARY_ERRORS", "Zones", "zone_named"]

LIBRARY_ERRORS: Final = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, ArithmeticError, LookupError,
    NotImplementedError, RecursionError,
)  # fmt: skip
"""What the calendar libraries raise, beside their own errors (all ValueErrors), on input that breaks their rules."""

_TZID = re.compile(r';TZID=("[^"]*"|[^;:"]*)', re.IGNORECASE)
_OFFSET = re.compile(r"(?:\(?(?:UTC|GMT)\s*)([+-])(\d{1,2}):?(\d\d)?\)?$", re.IGNORECASE)
_MOST_ZONES: Final = 500


@lru_cache(maxsize=1000)
def zone_named(name: str) -> tzinfo | None:
    """The zone of an IANA or Windows name, also behind a vendor's prefix, or of a fixed offset; None when unknown."""
    clean = name.strip().strip('"').strip("/").strip()
    if clean.upper() in ("UTC", "GMT", "Z", "ETC/UTC", "ETC/GMT"):
        return UTC
    parts = clean.split("/")
    if len(clean) > 200 or len(parts) > 12:
        return None
    candidates = ["/".join(parts[start:]) for start in range(len(parts))]
    for candidate in (WINDOWS_TO_OLSON.get(clean), clean.replace(" ", "_"), *candidates):
        if candidate:
            try:
                return ZoneInfo(candidate)
            except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder
                continue
    fixed = _OFFSET.fullmatch(clean)
    if fixed and int(fixed.group(2)) < 15:
        span = timedelta(hours=int(fixed.group(2)), minutes=int(fixed.group(3) or 0))
        return timezone(span if fixed.group(1) == "+" else -span)
    return None


class Zones:
    """The zones that one calendar's entries may name."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks: dict[str, Block] = {}
        for block in list(blocks)[:_MOST_ZONES]:
            if (name := _value(block, "TZID")) and block.problem is None:
                self._blocks.setdefault(name.strip("/"), block)
        self._known: dict[str, tuple[str, bool]] = {}

    def rewrite(self, line: str) -> tuple[str, bool]:
        """A content line whose TZID is one that the library resolves, and whether it named a zone nobody knows."""
        head, colon, value = _split(line)
        found = _TZID.search(head)
        if found is None:
            return line, False
        name = found.group(1).strip('"').strip().strip("/")
        if name not in self._known:
            self._known[name] = self._resolve(name)
        own, unknown = self._known[name]
        replaced = f';TZID="{own}"' if own else ""
        if own == "UTC":
            replaced, value = "", value if value.endswith("Z") else ",".join(f"{part}Z" for part in value.split(","))
        return head[: found.start()] + replaced + head[found.end() :] + colon + value, unknown

    def _resolve(self, name: str) -> tuple[str, bool]:
        zone = zone_named(name)
        if zone is UTC:
            return "UTC", False
        if isinstance(zone, ZoneInfo):
            return zone.key, False
        block = self._blocks.get(name)
        if block is not None:
            place = zone_named(_value(block, "X-LIC-LOCATION") or "")
            if isinstance(place, ZoneInfo):
                return place.key, False
            if own := _define(block):
                return own, False
        return (_define_fixed(zone), False) if isinstance(zone, timezone) else ("", True)


def _split(line: str) -> tuple[str, str, str]:
    """Name and parameters, the colon, and the value; a colon in quotes is none."""
    quoted = False
    for index, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == ":" and not quoted:
            return line[:index], ":", line[index + 1 :]
    return line, "", ""


def _value(block: Block, name: str) -> str | None:
    for line in block.lines:
        head, _, value = _split(line)
        if head.split(";")[0].upper() == name:
            return value.strip()
    return None


def _define(block: Block) -> str | None:
    """Makes a zone that the file defines known to the library, under a name that depends on the definition.

    The library keeps zones by name for the whole process; two files may define different zones of the same name.
    Only yearly rules are taken: nothing else occurs in earnest, and finer ones can be made endless.
    """
    for line in block.lines:
        if line.upper().startswith("RRULE") and "FREQ=YEARLY" not in line.upper():
            return None
    text = "\n".join(block.lines)
    name = "zone-" + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    lines = [f"TZID:{name}" if _split(line)[0].split(";")[0].upper() == "TZID" else line for line in block.lines]
    try:
        icalendar.Timezone.from_ical("\r\n".join(lines) + "\r\n")
    except LIBRARY_ERRORS:
        return None
    return name if _is_usable(name) else None


def _define_fixed(zone: timezone) -> str:
    text = str(zone).removeprefix("UTC").replace(":", "") or "+0000"
    lines = [
        "BEGIN:VTIMEZONE", f"TZID:{text}", "BEGIN:STANDARD", "DTSTART:19700101T000000", f"TZOFFSETFROM:{text}",
        f"TZOFFSETTO:{text}", "END:STANDARD", "END:VTIMEZONE",
    ]  # fmt: skip
    return _define(Block("VTIMEZONE", 0, lines)) or ""


def _is_usable(name: str) -> bool:
    """Whether the library resolves the name, and the zone has offsets."""
    probe = f'BEGIN:VEVENT\r\nDTSTART;TZID="{name}":20240701T120000\r\nEND:VEVENT\r\n'
    try:
        event: Any = icalendar.Event.from_ical(probe)
        return event["DTSTART"].dt.utcoffset() is not None
    except LIBRARY_ERRORS:
        return False
