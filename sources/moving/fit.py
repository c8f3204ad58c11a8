"""FIT, the files of sports watches and bike computers: each session of an activity is a workout."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Final

import fitdecode

from ...errors import SourceError
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record
from .gpx import place_of
from .record import instant, positive, set_moments, set_workout, soon
from .sports import sport_name
from .tracks import Track

__all__ = ["FORMAT"]

_MARK: Final = re.compile(rb"(?s)[\x0c\x0e]...(....)\.FIT")
_DEGREES: Final = 180 / 2**31
"""Places are in semicircles."""
_MOST: Final = 1_000
"""Sessions of one file that are kept: a triathlon has five."""
_BROKEN: Final = (
    fitdecode.FitError,
    struct.error,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    AssertionError,
)
"""What the parser raises for damaged files."""
_KEPT: Final = ("sport", "sub_sport", "sport_profile_name", "total_descent", "avg_power", "max_power", "avg_cadence")
_SUB_SPORTS: Final = {
    "trail": "trail running",
    "treadmill": "treadmill running",
    "virtual_activity": "",
    "indoor_cycling": "indoor cycling",
    "spin": "indoor cycling",
    "mountain": "mountain biking",
    "lap_swimming": "pool swimming",
    "open_water": "open water swimming",
    "strength_training": "strength training",
    "yoga": "yoga",
    "pilates": "pilates",
    "indoor_rowing": "indoor rowing",
    "hiit": "high intensity interval training",
    "elliptical": "elliptical",
    "stair_climbing": "stair climbing",
    "cardio_training": "cardio",
}
_INDOOR: Final = frozenset({"treadmill", "indoor_cycling", "spin", "indoor_rowing", "indoor_running", "lap_swimming"})


def _recognise(file: InputFile) -> float:
    return 1.0 if _MARK.match(file.head(64)) else 0.0


class _Reading:
    """What is taken of a file's messages: sessions, and what tells of them."""

    def __init__(self) -> None:
        self.kind = ""
        self.device = ""
        self.sport = ""
        self.sessions: list[dict[str, Any]] = []
        self.left = 0
        self.offset: timedelta | None = None
        self.track = Track()

    def take(self, message: Any) -> None:
        name = message.name
        if name == "record":
            self._point(message)
        elif name == "session":
            if len(self.sessions) < _MOST:
                self.sessions.append({field.name: field.value for field in message.fields})
            else:
                self.left += 1
        elif name == "file_id":
            told = (message.get_value(key, fallback=None) for key in ("manufacturer", "garmin_product", "product_name"))
            self.device = self.device or " ".join(text for text in told if isinstance(text, str))
            self.kind = self.kind or str(message.get_value("type", fallback=""))
        elif name == "sport":
            self.sport = self.sport or _word(message.get_value("sport", fallback=""))
        elif name == "activity":
            here, there = (_moment(message.get_value(key, fallback=None)) for key in ("timestamp", "local_timestamp"))
            self.offset = there - here if here and there else self.offset

    def _point(self, message: Any) -> None:
        north, east = (message.get_value(f"position_{key}", fallback=None) for key in ("lat", "long"))
        numbers = isinstance(north, int) and isinstance(east, int)
        place = place_of(north * _DEGREES, east * _DEGREES) if numbers else None
        time = _moment(message.get_value("timestamp", fallback=None))
        self.track.add(time, place, None, positive(message.get_value("heart_rate", fallback=None)))

    @property
    def zone(self) -> timezone | None:
        """The offset that the device had, where it is one of the Earth's."""
        if self.offset is None or abs(self.offset) > timedelta(hours=14):
            return None
        return timezone(timedelta(minutes=round(self.offset.total_seconds() / 900) * 15))


def _moment(value: Any) -> datetime | None:
    return instant(value.isoformat(), UTC) if isinstance(value, datetime) else None


def _word(value: Any) -> str:
    return value if isinstance(value, str) and value != "generic" else ""


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Sessions with what they sum up; of a file without sessions, what its points add up to."""
    reading = _Reading()
    try:
        with file.open() as stream, _reader(stream) as messages:
            for message in messages:
                if isinstance(message, fitdecode.FitDataMessage):
                    reading.take(message)
    except fitdecode.FitCRCError:
        reason = "the checksum does not match: read all the same"
        yield BadRecord(file.path, "checksum", reason, key="checksum")
    except fitdecode.FitEOFError as bad:
        raise SourceError(f"{file.path}: a FIT file that is cut off") from bad
    except _BROKEN as bad:
        raise SourceError(f"{file.path}: a FIT file that is damaged: {bad!s:.100}") from bad
    if not reading.sessions and reading.track.first is None:
        kind = reading.kind.replace("_", " ") or "unknown"
        yield BadRecord(file.path, "file", f"a FIT file of the kind {kind}: only activities are read")
        return
    if not reading.sessions:
        reading.sessions.append(_by_points(reading))
    if reading.left:
        reason = f"more than {_MOST} sessions in one file"
        yield BadRecord(file.path, f"{reading.left} sessions", reason, reading.left)
    yield from _records(file, context, reading)


def _reader(stream: Any) -> fitdecode.FitReader:
    return fitdecode.FitReader(
        stream, check_crc=fitdecode.CrcCheck.RAISE, error_handling=fitdecode.ErrorHandling.IGNORE
    )


def _by_points(reading: _Reading) -> dict[str, Any]:
    told = reading.track.values()
    return {
        "start_time": reading.track.first,
        "sport": reading.sport,
        "total_timer_time": told["_seconds"],
        "total_distance": (told["_km"] or 0) * 1000,
        "avg_heart_rate": told["_bpm"],
        "max_heart_rate": told["_bpmMaximum"],
    }


def _records(file: InputFile, context: ReadContext, reading: _Reading) -> Iterator[Record | BadRecord]:
    identities = Identities()
    for number, session in enumerate(reading.sessions, start=1):
        start = _moment(session.get("start_time"))
        if start is None:
            yield BadRecord(file.path, f"session {number}", "a session without a time: when it was is not known")
            continue
        record: Record = {key: session[key] for key in _KEPT if isinstance(session.get(key), str | int | float)}
        elapsed = positive(session.get("total_elapsed_time"))
        time = positive(session.get("total_timer_time")) or elapsed
        end = soon(start, elapsed or time)
        zone = reading.zone
        if zone is not None:
            start, end = start.astimezone(zone), end and end.astimezone(zone)
        set_moments(record, start, end, context.home_zone)
        if zone is not None:  # an offset of 0 is that of the place, too
            record["_start"] = start.replace(tzinfo=None).isoformat()
            record |= {"_end": end.replace(tzinfo=None).isoformat()} if end else {}
        sub = _word(session.get("sub_sport"))
        sport = _SUB_SPORTS.get(sub) or sport_name(_word(session.get("sport")) or reading.sport)
        values = {
            "_seconds": time,
            "_km": positive(session.get("total_distance"), 0.001),
            "_kcal": positive(session.get("total_calories")),
            "_bpm": positive(session.get("avg_heart_rate")),
            "_bpmMinimum": positive(session.get("min_heart_rate")),
            "_bpmMaximum": positive(session.get("max_heart_rate")),
            "_kmhMaximum": positive(session.get("enhanced_max_speed") or session.get("max_speed"), 3.6),
            "_climb": positive(session.get("total_ascent")),
            "_indoor": "true" if sub in _INDOOR else None,
            "_device": reading.device.replace("_", " ") or None,
        }
        set_workout(record, sport, "", values)
        record["_id"] = identities.of(_moment(session.get("start_time")), session.get("sport"))
        yield record


def _source_name(file: InputFile) -> str:
    """Named by the time at which the file was made: it tells one from others."""
    try:
        with file.open() as stream, _reader(stream) as messages:
            for message in messages:
                if isinstance(message, fitdecode.FitDataMessage) and message.name == "file_id":
                    made = _moment(message.get_value("time_created", fallback=None))
                    return f"fit-{made:%Y-%m-%dt%H-%M-%S}" if made else "fit"
    except _BROKEN:
        pass
    return "fit"


FORMAT = Format(
    name="fit",
    label="FIT activities",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
    is_part=lambda _file: True,
    shared_name="fit",
)
