"""Records out of occurrences of calendar entries: every property under its own name, and what the map reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from icalendar import vBinary, vCalAddress, vCategory, vDDDLists, vDDDTypes, vGeo, vRecur

from ..base import Record, as_told
from ..text import html_to_text, looks_like_html, plain, unescape
from .series import Occurrence, Time

__all__ = ["people_of", "record_of", "status_of"]

_ESCAPE = re.compile(r"\\([\\;,nN])")
_NOT_PEOPLE: Final = frozenset({"ROOM", "RESOURCE"})


def record_of(occurrence: Occurrence, owner: frozenset[str]) -> Record:
    """The record of one occurrence; `owner` holds the person's names and addresses in lower case."""
    component = occurrence.component
    found: Record = {}
    for name, value in component.items():
        read = [item for part in (value if isinstance(value, list) else [value]) for item in _values(part)]
        if read:
            found[str(name).upper()] = read[0] if len(read) == 1 else read
    record = as_told(found.items())
    alarms = [_as_text(alarm.get("TRIGGER")) for alarm in component.subcomponents if alarm.name == "VALARM"]
    if alarms:
        record["VALARM"] = [alarm for alarm in alarms if alarm]
    record |= _times(occurrence)
    record["_summary"] = plain(unescape(_joined(record.get("SUMMARY")))).replace("\n", " ")
    record["_description"] = _readable(_joined(record.get("DESCRIPTION")) or _joined(record.get("X-ALT-DESC")))
    record["_location"] = ", ".join(
        part.strip() for part in plain(unescape(_joined(record.get("LOCATION")))).split("\n")
    )
    record["_categories"] = list(_strings(record.get("CATEGORIES")))
    record["_organizer"] = [name for name, _, _ in people_of(component, "ORGANIZER")]
    record["_participants"] = [
        name
        for name, address, state in people_of(component, "ATTENDEE")
        if state != "DECLINED" and not {name.casefold(), address} & owner
    ]
    return record


def status_of(component: Any, owner: frozenset[str]) -> str | None:
    """Why an occurrence did not take place for the person: it was cancelled, or they declined; else None."""
    if str(component.get("STATUS") or "").strip().upper() == "CANCELLED":
        return "cancelled"
    for name, address, state in people_of(component, "ATTENDEE"):
        if state == "DECLINED" and {name.casefold(), address} & owner:
            return "declined"
    return None


def people_of(component: Any, name: str) -> Iterator[tuple[str, str, str]]:
    """Name, address in lower case, and answer (PARTSTAT) of each person of a property; rooms are no people."""
    values = component.get(name, [])
    for value in values if isinstance(values, list) else [values]:
        parameters = getattr(value, "params", {})
        if str(parameters.get("CUTYPE", "")).upper() in _NOT_PEOPLE:
            continue
        address = re.sub(r"^mailto:", "", str(value), flags=re.IGNORECASE).strip()
        stated = parameters.get("CN")
        shown = plain(str(stated[0] if isinstance(stated, list) and stated else stated or "")).strip("\"' ")
        if shown or address:
            yield shown or address, address.lower(), str(parameters.get("PARTSTAT", "")).upper()


# ---------------------------------------------------------------- times


def _times(occurrence: Occurrence) -> Record:
    """`_start`, `_end` as wall clock, `_startInstant`, `_endInstant` with offset, `_days…`, `_duration` in seconds.

    An all-day entry ends, for whoever asks, within its last day, not on the day after, as DTEND says.
    """
    start, end = occurrence.start, occurrence.end
    found: Record = {"DTSTART": _iso(start), "_start": _wall(start), "_startInstant": _instant(start)}
    all_day = not isinstance(start, datetime)
    if end is not None:
        found["DTEND"] = _iso(end)
        if all_day and (not isinstance(end, datetime) or end.time() == time()):
            last = (end.date() if isinstance(end, datetime) else end) - timedelta(days=1)
            end = datetime.combine(max(last, start), time(23, 59, 59))
            found["_duration"] = (end.date() - start).days * 86400 + 86400
        elif (length := _length(start, end)) > 0:
            found["_duration"] = length
        else:
            end = None
    if end is not None:
        found["_end"], found["_endInstant"] = _wall(end), _instant(end)
    found["_allDay"] = all_day
    found["_precision"] = "day" if all_day else "second" if isinstance(start, datetime) and start.second else "minute"
    zoned = all_day or (isinstance(start, datetime) and start.tzinfo is not None)
    found["_certainty"] = "stated" if zoned else "assumed"
    return found


def _length(start: Time, end: Time) -> int:
    """Seconds from start to end: along the time line where both have a zone, else by the clock."""
    first, last = (value if isinstance(value, datetime) else datetime.combine(value, time()) for value in (start, end))
    if first.tzinfo is not None and last.tzinfo is not None:
        return round((last.astimezone(UTC) - first.astimezone(UTC)).total_seconds())
    return round((last.replace(tzinfo=None) - first.replace(tzinfo=None)).total_seconds())


def _wall(value: Time) -> str:
    """The local time as stated, without offset, so that winter in London is not taken for UTC; UTC with its Z."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.replace(tzinfo=None).isoformat() + ("Z" if _is_utc(value) else "")
    return value.isoformat()


def _is_utc(value: datetime) -> bool:
    return str(value.tzinfo) in ("UTC", "Etc/UTC", "Etc/GMT", "GMT", "tzutc()")


def _instant(value: Time) -> str | None:
    if not isinstance(value, datetime) or value.tzinfo is None:
        return None
    offset = value.utcoffset()
    # Before standard time, offsets have seconds, which no xsd:dateTime can write.
    return None if offset is None or offset.seconds % 60 else value.isoformat().replace("+00:00", "Z")


def _iso(value: Any) -> str:
    if isinstance(value, datetime):
        return _instant(value) or value.replace(tzinfo=None).isoformat()
    if isinstance(value, tuple):
        return "/".join(_iso(part) for part in value)
    return value.isoformat() if isinstance(value, date | time) else str(value)


# ---------------------------------------------------------------- values


def _values(value: Any) -> Iterable[str | int | float]:
    """A property's value as JSON-like values; none for what is empty or binary."""
    if isinstance(value, vCategory):
        return [text for item in value.cats if (text := plain(str(item)))]
    if isinstance(value, vDDDLists):
        return [_iso(item.dt) for item in value.dts]
    if isinstance(value, bool | int | float):
        return [value if isinstance(value, bool) else int(value) if isinstance(value, int) else float(value)]
    text = "" if isinstance(value, vBinary) else _as_text(value)
    return [text] if text else []


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, vDDDTypes):
        return _iso(value.dt)
    if isinstance(value, vRecur):
        return value.to_ical().decode("utf-8", "replace")
    if isinstance(value, vGeo):
        return f"{value.latitude};{value.longitude}"
    if isinstance(value, vCalAddress):
        return re.sub(r"^mailto:", "", str(value), flags=re.IGNORECASE)
    text = str(value)
    if type(value).__name__ == "vUnknown":  # properties that the library does not know keep their escapes
        text = _ESCAPE.sub(lambda found: "\n" if found.group(1) in "nN" else found.group(1), text)
    return plain(text)


def _strings(value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item.strip():
            yield item.strip()


def _joined(value: Any) -> str:
    return "\n\n".join(_strings(value))


def _readable(text: str) -> str:
    return html_to_text(text, keep_newlines=True) if looks_like_html(text) else plain(unescape(text))
