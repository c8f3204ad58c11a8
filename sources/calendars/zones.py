"""Time zones of calendars: IANA names, Windows names, names with a vendor in front, and zones defined in the file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from math import prod
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from .lines import Block

__all__ = ["LIBRARY_ERRORS", "Definitions", "Zones", "zone_named"]

LIBRARY_ERRORS: Final = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError, ArithmeticError, LookupError,
    NotImplementedError, RecursionError, OSError,
)  # fmt: skip
"""What the calendar libraries raise, beside their own errors (all ValueErrors), on input that breaks their rules;
OSError for the name of a zone that is too long for a file's."""

_TZID = re.compile(r';TZID=("[^"]*"|[^;:"]*)', re.IGNORECASE)
_OFFSET = re.compile(r"(?:\(?(?:UTC|GMT)\s*)([+-])(\d{1,2}):?(\d\d)?\)?$", re.IGNORECASE)
_MOST_ZONES: Final = 500
_MOST_CHANGES: Final = 2_500
"""Changes of the offset that one definition may tell of: a rule since 1601 for each half of the year makes 1,000."""
_MOST_OF_FILE: Final = 50_000
"""Changes that all definitions of a file may tell of together."""
_LAST_YEAR: Final = 2100
"""After it a zone stays as it is then: rules without an end would be followed up to the year 9999."""
_RULE_PARTS: Final = frozenset(
    ("FREQ", "INTERVAL", "BYMONTH", "BYDAY", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSECOND", "UNTIL", "COUNT", "WKST")
)


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


class Definitions:
    """The zones that one file defines, over all its calendars: the same definition is made known once."""

    def __init__(self) -> None:
        self._left = _MOST_OF_FILE
        self._made: dict[str, str | ZoneProblem] = {}

    def define(self, block: Block) -> str | ZoneProblem:
        """The name under which the library knows the zone of a definition, or why it cannot be used."""
        if block.problem:
            return ZoneProblem(block.problem)
        text = "\n".join(block.lines)
        name = "zone-" + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
        if name not in self._made:
            self._made[name] = self._define(block, name)
        return self._made[name]

    def _define(self, block: Block, name: str) -> str | ZoneProblem:
        changes = _changes(block)
        if isinstance(changes, ZoneProblem):
            return changes
        if changes > self._left:
            return ZoneProblem(f"the time zones of this file change their offset more than {_MOST_OF_FILE} times")
        self._left -= changes
        return _define(block, name)


class ZoneProblem(str):
    """Why a definition of a zone cannot be used."""

    __slots__ = ()


class Zones:
    """The zones that one calendar's entries may name."""

    def __init__(self, blocks: Iterable[Block], definitions: Definitions) -> None:
        self._blocks: dict[str, Block] = {}
        for block in list(blocks)[:_MOST_ZONES]:
            if name := _value(block, "TZID"):
                self._blocks.setdefault(name.strip("/"), block)
        self._definitions = definitions
        self._known: dict[str, tuple[str, bool]] = {}
        self.problems: dict[int, str] = {}
        """Why definitions that entries name could not be used, by the line on which they begin."""

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
            own = self._definitions.define(block)
            if not isinstance(own, ZoneProblem):
                return own, False
            self.problems[block.line] = f"{name[:80]}: {own}; times in it are taken as they stand"[:300]
        return (self._fixed(zone), False) if isinstance(zone, timezone) else ("", True)

    def _fixed(self, zone: timezone) -> str:
        own = self._definitions.define(_fixed_block(zone))
        return "" if isinstance(own, ZoneProblem) else own


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


def _changes(block: Block) -> int | ZoneProblem:
    """How often the offset changes by a definition, counted without computing one of the changes.

    Only yearly rules are taken: nothing else occurs in earnest, and finer ones can be made endless.
    """
    changes, start = 0, 1
    for line in block.lines:
        name, value = re.split(r"[;:]", line, maxsplit=1)[0].upper(), line.upper()
        if name == "DTSTART" and (year := line.partition(":")[2].strip()[:4]).isdecimal():
            start, changes = int(year), changes + 1
        elif name == "RDATE":
            changes += value.count(",") + 1
        elif name in ("RRULE", "EXRULE"):
            pairs = (part.partition("=") for part in value.partition(":")[2].split(";") if part)
            parts = {key: said for key, _, said in pairs}
            if parts.get("FREQ") != "YEARLY" or name == "EXRULE" or not parts.keys() <= _RULE_PARTS:
                return ZoneProblem("its rules are not plain yearly ones")
            until = parts.get("UNTIL", "")[:4]
            last = min(int(until) if until.isdecimal() else _LAST_YEAR, _LAST_YEAR)
            changes += max(0, last - start) * _a_year(parts)
        if changes > _MOST_CHANGES:
            return ZoneProblem(f"its offset changes more than {_MOST_CHANGES} times")
    return changes


def _a_year(parts: Mapping[str, str]) -> int:
    """How many dates a yearly rule has in a year at the most."""
    count = {name: value.count(",") + 1 for name, value in parts.items()}
    months = count.get("BYMONTH", 12)
    weekdays = count.get("BYDAY", 1) * (1 if re.search(r"\d", parts.get("BYDAY", "")) else 5)
    days = min(count.get("BYMONTHDAY", 31), weekdays if "BYDAY" in parts else 31)
    return months * days * prod(count.get(name, 1) for name in ("BYHOUR", "BYMINUTE", "BYSECOND"))


def _ended(line: str) -> str:
    """A rule's line with an end, where it has none or a later one."""
    if not line.upper().startswith("RRULE"):
        return line
    found = re.search(r"UNTIL=(\d{4})", line, re.IGNORECASE)
    if found and int(found[1]) <= _LAST_YEAR:
        return line
    kept = [part for part in line.split(";") if not part.upper().startswith(("UNTIL=", "COUNT="))]
    return ";".join((*kept, f"UNTIL={_LAST_YEAR}1231T000000Z"))


def _define(block: Block, name: str) -> str | ZoneProblem:
    """Makes a zone that the file defines known to the library, under a name that depends on the definition.

    The library keeps zones by name for the whole process; two files may define different zones of the same name.
    """
    lines = [
        f"TZID:{name}" if _split(line)[0].split(";")[0].upper() == "TZID" else _ended(line) for line in block.lines
    ]
    try:
        icalendar.Timezone.from_ical("\r\n".join(lines) + "\r\n")
    except LIBRARY_ERRORS as bad:
        return ZoneProblem(f"cannot be parsed: {bad}")
    return name if _is_usable(name) else ZoneProblem("it tells of no offset")


def _fixed_block(zone: timezone) -> Block:
    text = str(zone).removeprefix("UTC").replace(":", "") or "+0000"
    lines = [
        "BEGIN:VTIMEZONE", f"TZID:{text}", "BEGIN:STANDARD", "DTSTART:19700101T000000", f"TZOFFSETFROM:{text}",
        f"TZOFFSETTO:{text}", "END:STANDARD", "END:VTIMEZONE",
    ]  # fmt: skip
    return Block("VTIMEZONE", 0, lines)


def _is_usable(name: str) -> bool:
    """Whether the library resolves the name, and the zone has offsets."""
    probe = f'BEGIN:VEVENT\r\nDTSTART;TZID="{name}":20240701T120000\r\nEND:VEVENT\r\n'
    try:
        event: Any = icalendar.Event.from_ical(probe)
        return event["DTSTART"].dt.utcoffset() is not None
    except LIBRARY_ERRORS:
        return False
