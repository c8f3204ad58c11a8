"""GPX (1.0 and 1.1): each recorded track with times is a workout; waypoints, routes and other tracks are counted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Any, Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from ..text import slug
from .record import ASSUMED, STATED, instant, positive, quantity, set_moments, set_workout
from .sports import is_vehicle, sport_name
from .tracks import Track
from .xml_elements import local, root_name, xml_elements

__all__ = ["FORMAT"]

_TEXTS: Final = ("name", "type", "desc", "cmt", "src", "number")
_APPLE: Final = b'creator="Apple Health Export"'
_NO_TIME: Final = "a track whose points have no times: when it was is not known"
_LEFT: Final = {"wpt": "a waypoint is a place, not a workout", "rte": "a route is a plan, not a workout"}


def _recognise(file: InputFile) -> float:
    return 1.0 if root_name(file.head()) == "gpx" else 0.0


def _complete(element: Any, depth: int) -> bool:
    """Points, the texts of a track, a segment's end, a track's end, and what is only counted."""
    name = local(element)
    if depth == 3:
        return name == "trkpt"
    return depth == 1 or (depth == 2 and name in (*_TEXTS, "trkseg", "rtept"))


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """A record a track: its texts, and what its points add up to. Times without a zone are UTC, as in the standard."""
    if _APPLE in file.head(4096):
        yield BadRecord(file.path, "track", "a route of Apple Health: its workout is in export.xml")
        return
    tally = Tally(file.path)
    identities = Identities()
    reading = _Reading()
    for element in xml_elements(file, context.limits, "gpx", _complete):
        name, parent = local(element), element.getparent()
        if name == "trkpt":
            reading.point(element)
        elif name == "trkseg":
            reading.track.segment()
        elif name in _TEXTS and parent is not None and local(parent) == "trk":
            reading.texts.setdefault(name, (element.text or "").strip())
        elif name == "trk":
            where = f"track, line {element.sourceline}"
            record = reading.record(context)
            if isinstance(record, str):
                tally.add(where, record)
            else:
                record["_id"] = identities.of(*(record.get(key) for key in ("_startInstant", "_endInstant", "_label")))
                yield record
            reading = _Reading()
        elif name in _LEFT:
            tally.add(f"{name}, line {element.sourceline}", _LEFT[name])
    yield from tally.report()


class _Reading:
    """The track that is being read."""

    def __init__(self) -> None:
        self.track = Track()
        self.texts: dict[str, str] = {}
        self.assumed = False

    def point(self, element: Any) -> None:
        time, height, beats = None, None, None
        for child in element.iter():
            name = local(child)
            if name == "time" and time is None:
                time = instant(child.text, UTC)
                self.assumed |= child.text is not None and _is_local(child.text)
            elif name == "ele" and height is None:
                height = quantity(child.text)
            elif name in ("hr", "heartrate") and beats is None:
                beats = positive(child.text)
        self.track.add(time, place_of(element.get("lat"), element.get("lon")), height, beats)

    def record(self, context: ReadContext) -> Record | str:
        """The workout, or why there is none."""
        start = self.track.first
        kind = self.texts.get("type", "")
        if not self.track.points:
            return "a track without points"
        if start is None:
            return _NO_TIME
        if is_vehicle(kind):
            return "a journey in a vehicle is no workout"
        record: Record = {key: text for key, text in self.texts.items() if text and key not in ("name", "number")}
        set_moments(record, start, self.track.last, context.home_zone, ASSUMED if self.assumed else STATED)
        set_workout(record, sport_name(kind), self.texts.get("name", ""), self.track.values())
        return record


def _is_local(text: str) -> bool:
    found = instant(text)
    return found is not None and found.tzinfo is None


def place_of(latitude: Any, longitude: Any) -> tuple[float, float] | None:
    """Degrees north and east, where both are."""
    north, east = quantity(latitude), quantity(longitude)
    inside = north is not None and east is not None and abs(north) <= 90 and abs(east) <= 180
    return (north, east) if inside and north is not None and east is not None else None


def track_name(kind: str, file: InputFile, mark: bytes) -> str:
    """The name of a source of one file: its first time tells it from others."""
    head = file.head()
    at = head.find(mark)
    told = head[at + len(mark) : at + len(mark) + 19].decode("ascii", "ignore") if at >= 0 else ""
    return f"{kind}-{slug(told)}" if slug(told) else kind


FORMAT = Format(
    name="gpx",
    label="GPX tracks",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda file: track_name("gpx", file, b"<time>"),
    is_part=lambda _file: True,
    shared_name="gpx",
)
