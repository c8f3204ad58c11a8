"""TCX (Garmin's Training Center): each activity is a workout, summed over its laps, in whatever order elements are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from .gpx import place_of, track_name
from .record import ASSUMED, STATED, instant, positive, quantity, set_moments, set_workout, soon
from .sports import sport_name
from .tracks import Track
from .xml_elements import local, root_name, xml_elements

__all__ = ["FORMAT", "activities"]

_ROOT: Final = "TrainingCenterDatabase"
_LEFT: Final = {"Workout": "a planned workout, not done", "Course": "a course is a plan, not a workout"}


def _recognise(file: InputFile) -> float:
    return 1.0 if root_name(file.head()) == _ROOT else 0.0


def _complete(element: Any, depth: int) -> bool:
    name = local(element)
    return (
        (depth == 5 and name == "Trackpoint")
        or (depth == 4 and name not in ("Track", "") and local(element.getparent()) == "Lap")
        or (depth == 3 and name not in ("Track", ""))
        or (depth == 2 and name in ("Activity", "Workout", "Course"))
    )


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    tally = Tally(file.path)
    identities = Identities()
    for where, record in activities(file, context):
        if isinstance(record, str):
            tally.add(where, record)
            continue
        record["_id"] = identities.of(record.get("_startInstant") or record["_start"], record["_sport"])
        yield record
    yield from tally.report()


def activities(file: InputFile, context: ReadContext) -> Iterator[tuple[str, Record | str]]:
    """The place of each activity, with its record or why there is none."""
    reading = _Reading()
    for element in xml_elements(file, context.limits, _ROOT, _complete):
        name, parent = local(element), element.getparent()
        above = local(parent) if parent is not None else ""
        if name == "Trackpoint":
            reading.point(element)
        elif above == "Lap":
            reading.of_lap(name, element)
        elif name == "Lap":
            reading.lap(element)
        elif above == "Activity":
            text = _text(element, "Name") if name == "Creator" else (element.text or "").strip()
            reading.texts.setdefault(name, text)
        elif name == "Activity":
            yield f"Activity, line {element.sourceline}", reading.record(element.get("Sport") or "", context)
            reading = _Reading()
        elif name in _LEFT:
            yield f"{name}, line {element.sourceline}", _LEFT[name]


def _text(element: Any, name: str) -> str:
    found = next((child for child in element.iter() if local(child) == name), None)
    return (found.text or "").strip() if found is not None else ""


class _Reading:
    """The activity that is being read: sums over its laps, and over its points what the laps do not tell."""

    def __init__(self) -> None:
        self.track = Track()
        self.texts: dict[str, str] = {}
        self.starts: list[datetime] = []
        self.assumed = False
        self.sums: dict[str, float] = {}
        self.fastest = 0.0
        self.beats: list[tuple[float, float]] = []
        self._lap: dict[str, float] = {}

    def point(self, element: Any) -> None:
        time, north, east, height, beats = None, None, None, None, None
        for child in element.iter():
            name = local(child)
            if name == "Time":
                time = self._moment(child.text)
            elif name == "LatitudeDegrees":
                north = child.text
            elif name == "LongitudeDegrees":
                east = child.text
            elif name == "AltitudeMeters":
                height = quantity(child.text)
            elif name == "Value" and local(child.getparent()) == "HeartRateBpm":
                beats = positive(child.text)
        self.track.add(time, place_of(north, east), height, beats)

    def _moment(self, text: str | None) -> datetime | None:
        found = instant(text)
        self.assumed |= found is not None and found.tzinfo is None
        return instant(text, UTC)

    def of_lap(self, name: str, element: Any) -> None:
        """A quantity of the lap that is being read."""
        text = _text(element, "Value") if name.endswith("HeartRateBpm") else element.text
        told = positive(text)
        if told is not None:
            self._lap.setdefault(name, told)

    def lap(self, element: Any) -> None:
        """The end of a lap."""
        start = self._moment(element.get("StartTime"))
        if start is not None:
            self.starts.append(start)
        for name in ("TotalTimeSeconds", "DistanceMeters", "Calories"):
            self.sums[name] = self.sums.get(name, 0.0) + self._lap.get(name, 0.0)
        self.fastest = max(self.fastest, self._lap.get("MaximumSpeed", 0.0))
        if "AverageHeartRateBpm" in self._lap:
            self.beats.append((self._lap["AverageHeartRateBpm"], self._lap.get("TotalTimeSeconds", 1.0)))
        highest = [told for told in (self.track.highest, self._lap.get("MaximumHeartRateBpm")) if told is not None]
        self.track.highest = max(highest, default=None)
        self._lap = {}

    def record(self, sport: str, context: ReadContext) -> Record | str:
        """The workout, or why there is none."""
        known = [*self.starts, *([self.track.first] if self.track.first else [])]
        start = self._moment(self.texts.get("Id")) or (min(known) if known else None)
        if start is None:
            return "an activity without a time: when it was is not known"
        record: Record = {"Sport": sport} if sport else {}
        if notes := self.texts.get("Notes"):
            record["Notes"] = notes
        values = self.track.values()
        time = positive(self.sums.get("TotalTimeSeconds")) or values["_seconds"]
        end = max([moment for moment in (self.track.last, soon(start, time)) if moment is not None], default=None)
        set_moments(record, start, end, context.home_zone, ASSUMED if self.assumed else STATED)
        whole = sum(weight for _, weight in self.beats)
        told = {
            "_seconds": time,
            "_km": positive(self.sums.get("DistanceMeters"), 0.001) or values["_km"],
            "_kcal": positive(self.sums.get("Calories")),
            "_kmhMaximum": positive(self.fastest, 3.6),
            "_bpm": round(sum(mean * weight for mean, weight in self.beats) / whole, 1) if whole else values["_bpm"],
            "_device": self.texts.get("Creator") or None,
        }
        set_workout(record, sport_name(sport), "", values | told)
        return record


FORMAT = Format(
    name="tcx",
    label="TCX activities",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda file: track_name("tcx", file, b"<Id>"),
    is_part=lambda _file: True,
    shared_name="tcx",
)
