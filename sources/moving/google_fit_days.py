"""Google Fit's tables: a row a day, and files of a day with a row for each quarter of an hour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any, Final

from ..base import BadRecord, InputFile, ReadContext, Record, Tally
from ..tables import Row, csv_rows
from .record import day_record, positive, quantity

__all__ = ["is_daily", "is_quarters", "read_daily", "read_quarters", "survey_daily"]

_SUMMED: Final = {
    "Step count": ("_steps", 1.0),
    "Distance (m)": ("_km", 0.001),
    "Calories (kcal)": ("_kcal", 1.0),
    "Move Minutes count": ("_activeSeconds", 60.0),
}
_MEASURED: Final = {
    "Average heart rate (bpm)": "_bpm",
    "Min heart rate (bpm)": "_bpmMinimum",
    "Max heart rate (bpm)": "_bpmMaximum",
}
_WEIGHT: Final = "Average weight (kg)"
_TIMES: Final = ("Start time", "End time")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _is_google(names: tuple[str, ...]) -> bool:
    return sum(name in _SUMMED or name == "Heart Points" for name in names) >= 2


def is_daily(names: tuple[str, ...]) -> bool:
    """Whether columns are those of the summary with a row a day."""
    return names[:1] == ("Date",) and _is_google(names)


def is_quarters(names: tuple[str, ...]) -> bool:
    """Whether columns are those of a day with a row for each quarter of an hour."""
    return names[:2] == _TIMES and _is_google(names)


def _day(text: str) -> date | None:
    if _DAY.fullmatch(text.strip()) is None:
        return None
    try:
        found = date.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if 1970 < found.year < 2200 else None


def survey_daily(file: InputFile, context: ReadContext) -> None:
    """Notes the days of the summary."""
    days: set[date] = context.parts.setdefault("days", set())
    for row in csv_rows(file, context.limits):
        day = _day(row.cells.get("Date", "")) if isinstance(row, Row) else None
        if isinstance(row, Row) and day is not None and _values(row.cells):
            days.add(day)


def _values(cells: Mapping[str, str]) -> dict[str, Any]:
    """What a row tells; a cell without a number tells nothing."""
    found: dict[str, Any] = {}
    for name, (key, factor) in _SUMMED.items():
        value = quantity(cells.get(name, ""))
        if value is not None and value >= 0:
            found[key] = round(value) if key == "_steps" else round(value * factor, 4)
    told = {key: positive(cells.get(name, "")) for name, key in _MEASURED.items()}
    return found | {key: value for key, value in told.items() if value is not None}


def read_daily(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Days, and what was weighed on them."""
    tally = Tally(file.path)
    seen: set[date] = set()
    for row in csv_rows(file, context.limits):
        if isinstance(row, BadRecord):
            yield row
            continue
        day = _day(row.cells.get("Date", ""))
        if day is None:
            yield BadRecord(file.path, row.where, f"Date is no day: {row.cells.get('Date')!r:.40}")
            continue
        values, weight = _values(row.cells), positive(row.cells.get(_WEIGHT, ""))
        if day in seen:
            tally.add(row.where, "the same day once more")
        elif not values and weight is None:
            tally.add(row.where, "nothing was measured on the day")
        if values and day not in seen:
            yield day_record(day, values)
        if weight is not None and day not in seen:
            yield _weighed(day, weight)
        seen.add(day)
    yield from tally.report()


def _weighed(day: date, weight: float) -> Record:
    record = day_record(day, {"_kind": "weight", "_kg": round(weight, 2), "_label": f"weight {round(weight, 2)} kg"})
    record["_id"] = f"weight-{day.isoformat()}"
    del record["_end"]
    return record


def read_quarters(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The day that the file's name tells, summed up, where no summary of the export has it."""
    name = PurePosixPath(re.split(r"[\\!]", file.path)[-1]).stem
    day = _day(name)
    if day is None:
        yield BadRecord(file.path, "file", "quarters of an hour: only the name of a file tells its day")
        return
    if day in context.parts.get("days", ()):
        yield BadRecord(file.path, "file", "quarters of an hour of a day that the summary of the export has")
        return
    sums: dict[str, float] = {}
    for row in csv_rows(file, context.limits):
        if isinstance(row, BadRecord):
            yield row
            continue
        for key, value in _values(row.cells).items():
            if key not in _MEASURED.values():
                sums[key] = sums.get(key, 0.0) + value
    told = {key: round(value) if key == "_steps" else round(value, 4) for key, value in sums.items()}
    if told:
        yield day_record(day, told)
    else:
        yield BadRecord(file.path, "file", "nothing was measured on the day")
