"""Fitbit's series (`steps-2024-01-01.json`) as days. Only the name of a file says what is measured in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Any, Final

from ..base import BadRecord, InputFile, ReadContext, Record, Tally, as_object, digest
from ..json.jsonstream import json_elements
from .record import ASSUMED, day_record, positive, quantity

__all__ = ["DAILY", "SUMMED", "american", "measure_of", "read_daily", "read_summed", "survey_summed"]

SUMMED: Final = {"steps": ("_steps", 1.0), "distance": ("_km", 0.00001), "calories": ("_kcal", 1.0)}
"""Series a minute, the key of their day's sum, and the factor to its unit: distances are in centimetres."""
DAILY: Final = {"resting_heart_rate": "_bpmResting"}
_LOCAL: Final = frozenset({"calories"})
"""Whose times are local; those of the others are UTC."""
_TIME: Final = re.compile(r"([01][0-9])/([0-3][0-9])/([0-9]{2}) ([0-2][0-9]):([0-5][0-9]):([0-5][0-9])")
_NAME: Final = re.compile(r"([a-z_]{1,40})-[0-9]{4}-[0-9]{2}-[0-9]{2}")


def american(text: Any) -> datetime | None:
    """The date-time of `07/05/24 08:00:00`, without a zone."""
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    month, day, year, hour, minute, second = (int(part) for part in found.groups())
    try:
        return datetime(2000 + year, month, day, hour, minute, second)
    except ValueError:
        return None


def measure_of(file: InputFile) -> str:
    """What a series measures, which only its file's name says; empty where it does not."""
    found = _NAME.match(PurePosixPath(re.split(r"[\\!]", file.path)[-1]).name)
    return found[1] if found else ""


@dataclass
class _Totals:
    """Sums by day over the files of a series, with the last file that has a part of each day."""

    sums: dict[date, float] = field(default_factory=dict[date, float])
    last: dict[date, str] = field(default_factory=dict[date, str])
    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    seen: set[str] = field(default_factory=set[str])

    def add(self, file: InputFile, context: ReadContext) -> None:
        """Adds a file as a whole. Raises SourceError for one that cannot be read to its end."""
        tally = Tally(file.path)
        sums = dict[date, float]()
        for day, value in _values(file, context, tally):
            sums[day] = sums.get(day, 0.0) + value
        self.tallies[file.path] = tally
        mark = digest([measure_of(file), sorted(sums.items())])
        if mark in self.seen:
            tally.add("file", "a copy of another file")
            return
        self.seen.add(mark)
        for day, value in sums.items():
            self.sums[day] = self.sums.get(day, 0.0) + value
            self.last[day] = file.path


def _values(file: InputFile, context: ReadContext, tally: Tally) -> Iterator[tuple[date, float]]:
    local = measure_of(file) in _LOCAL
    for element in json_elements(file, context.limits):
        if isinstance(element, BadRecord):
            tally.add(element.where, element.reason)
            continue
        row = as_object(element.value)
        time, value = american(row.get("dateTime")), quantity(row.get("value"))
        if time is None:
            tally.add(element.where, "dateTime is no date-time")
        elif value is None or value < 0:
            tally.add(element.where, "value is no number")
        else:
            moment = time if local else time.replace(tzinfo=UTC).astimezone(context.home_zone)
            yield moment.date(), value


def survey_summed(file: InputFile, context: ReadContext) -> None:
    """Adds a file to the sums of its series."""
    context.parts.setdefault(measure_of(file), _Totals()).add(file, context)


def read_summed(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The days that end in this file, with all that the files of the series have of them."""
    measure = measure_of(file)
    key, factor = SUMMED[measure]
    totals = context.parts.get(measure)
    if not isinstance(totals, _Totals) or file.path not in totals.tallies:
        totals = _Totals()
        totals.add(file, context)
    for day, value in totals.sums.items():
        if totals.last[day] == file.path and value == 0:
            totals.tallies[file.path].add(day.isoformat(), "nothing was measured on the day")
        elif totals.last[day] == file.path:
            yield day_record(day, {key: round(value) if key == "_steps" else round(value * factor, 4)}, ASSUMED)
    yield from totals.tallies[file.path].report()


def read_daily(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Days with a value of their own; 0 stands for none."""
    key = DAILY[measure_of(file)]
    tally = Tally(file.path)
    for element in json_elements(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
            continue
        row = as_object(element.value)
        time, value = american(row.get("dateTime")), positive(as_object(row.get("value")).get("value"))
        if time is None:
            tally.add(element.where, "dateTime is no date-time")
        elif value is None:
            tally.add(element.where, "no value for the day")
        else:
            yield day_record(time.date(), {key: round(value, 1)}, ASSUMED)
    yield from tally.report()
