"""Positions as CSV, as GPSLogger, dawarich and many loggers write them: a column each for time, latitude and longitude.

Visits and trips are derived from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally
from ..peek import csv_columns
from ..tables import csv_rows
from .derived import ACCURACY, NOT_EXACT, derived_records
from .place_records import degrees, moment, number
from .stay_points import Point

__all__ = ["FORMAT"]

_TIMES: Final = ("timestamp", "time", "datetime", "date time", "date_time", "utc", "tst", "recorded_at", "local_time")
_NORTH: Final = ("latitude", "lat", "latitudee7", "late7")
_EAST: Final = ("longitude", "lon", "lng", "long", "longitudee7", "lone7", "lnge7")
_ACCURACY: Final = ("accuracy", "acc", "horizontal_accuracy", "horizontalaccuracy", "hacc", "accuracy_m")


@dataclass(frozen=True, slots=True)
class _Columns:
    time: str
    north: str
    east: str
    accuracy: str | None
    by: float


def _columns(names: tuple[str, ...]) -> _Columns | None:
    """The columns of a table of positions; None for another table."""
    folded: Mapping[str, str] = {name.casefold(): name for name in reversed(names)}
    found = [next((folded[name] for name in known if name in folded), None) for known in (_TIMES, _NORTH, _EAST)]
    time, north, east = found
    if time is None or north is None or east is None:
        return None
    accuracy = next((folded[name] for name in _ACCURACY if name in folded), None)
    return _Columns(time, north, east, accuracy, 1e7 if north.casefold().endswith("e7") else 1.0)


def _recognise(file: InputFile) -> float:
    header = csv_columns(file.head())
    return 0.7 if header is not None and _columns(header[1]) is not None else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    tally = Tally(file.path)
    yield from derived_records(_points(file, context, tally), file.path, tally, context.home_zone)


def _points(file: InputFile, context: ReadContext, tally: Tally) -> Iterator[Point]:
    """Positions; times without a zone are taken to be UTC."""
    header = csv_columns(file.head())
    columns = _columns(header[1]) if header is not None else None
    for row in csv_rows(file, context.limits):
        if isinstance(row, BadRecord) or columns is None:
            tally.add(row.where, row.reason if isinstance(row, BadRecord) else "no columns of positions")
            continue
        cells = row.cells
        at = moment(cells[columns.time])
        where = degrees(_plain(cells[columns.north]), _plain(cells[columns.east]), by=columns.by)
        accuracy = number(_plain(cells[columns.accuracy])) if columns.accuracy else None
        if at is None:
            tally.add(row.where, "a position without a time")
        elif where is None:
            tally.add(row.where, "no position on Earth")
        elif accuracy is not None and accuracy > ACCURACY:
            tally.add(row.where, NOT_EXACT)
        else:
            yield Point(at.timestamp(), *where)


def _plain(text: str) -> str:
    """A number with a point: semicolons between columns go with commas in numbers."""
    return text.strip().replace(",", ".")


FORMAT = Format(
    name="positions-csv",
    label="positions (CSV)",
    map_file="places.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "positions",
)
