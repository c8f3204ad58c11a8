"""Netflix: ViewingActivity.csv (10 columns, UTC) and the two-column NetflixViewingHistory.csv (title and day)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_told
from ..day_order import DayOrder, infer_order, split_date
from ..peek import csv_columns
from ..tables import Row, columns_of, csv_rows, rows_of
from .netflix_titles import Evidence, Work, evidence, split_title

__all__ = ["ACTIVITY", "FORMATS", "HISTORY"]

_ACTIVITY_COLUMNS = ("Profile Name", "Start Time", "Duration", "Title")
_HISTORY_COLUMNS = ("Title", "Date")
_BEGAN: Final = date(2007, 1, 1)
"""Before it Netflix streamed nothing."""
_DURATION = re.compile(r"(\d{1,6}):([0-5]?\d):([0-5]?\d)")
_PROMOTION = re.compile(
    r"\((?:trailer|teaser|clip|promo)(?: \d+)?\)$|_hook_|\b(?:trailer|teaser)(?: \d+)?: ", re.IGNORECASE
)


def _recognise_activity(file: InputFile) -> float:
    return 1.0 if set(_ACTIVITY_COLUMNS) <= set(columns_of(file)) else 0.0


def _recognise_history(file: InputFile) -> float:
    header = csv_columns(file.head())
    return 0.9 if header and header[1] == _HISTORY_COLUMNS else 0.0


def _read_activity(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Rows with the start time as ISO in UTC, `_seconds`, and the work that the title names; trailers are kept out."""
    longest = _longest(file, context)
    known = evidence(longest)
    identities = Identities()
    tally = Tally(file.path)
    for row in rows_of(file, context.limits, _ACTIVITY_COLUMNS):
        if isinstance(row, BadRecord):
            yield row
            continue
        kind = row.cells.get("Supplemental Video Type", "").strip()
        if kind:
            tally.add(row.where, f"a trailer or other promotion ({kind}), not watched by choice")
            continue
        record = _activity(row, file.path)
        if not isinstance(record, BadRecord):
            title = str(record["Title"])
            _add_work(record, title, known, longest.get(title))
            what = (record["Start Time"], title, record.get("Duration"), record.get("Profile Name"))
            record["_id"] = identities.of(*what)
        yield record
    yield from tally.report()


def _longest(file: InputFile, context: ReadContext) -> dict[str, float | None]:
    """Each title with the longest time it was watched in one go."""
    longest: dict[str, float | None] = {}
    for row in rows_of(file, context.limits, _ACTIVITY_COLUMNS):
        if isinstance(row, Row) and not row.cells.get("Supplemental Video Type", "").strip():
            title = row.cells.get("Title", "").strip()
            seconds = _seconds(row.cells.get("Duration", "")) or 0
            longest[title] = max(seconds, longest.get(title) or 0)
    return longest


def _activity(row: Row, path: str) -> Record | BadRecord:
    record = as_told((name, text.strip() or None) for name, text in row.cells.items())
    title, start = record.get("Title"), str(record.get("Start Time") or "")
    if not title:
        return BadRecord(path, row.where, "no title")
    try:
        moment = datetime.fromisoformat(start)
    except ValueError:
        return BadRecord(path, row.where, f"the start time is no date-time: {start!r:.60}")
    seconds = _seconds(str(record.get("Duration") or ""))
    if seconds is None:
        return BadRecord(path, row.where, f"the duration is not hours:minutes:seconds: {record.get('Duration')!r:.60}")
    record["Start Time"] = moment.isoformat() if moment.tzinfo else moment.isoformat() + "Z"
    record["_seconds"] = seconds
    return record


def _seconds(text: str) -> int | None:
    """Seconds of `0:48:22`; more than 24 hours occur."""
    found = _DURATION.fullmatch(text.strip())
    return int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3]) if found else None


def _read_history(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Rows with the date as ISO; the order of day and month is told from the whole file."""
    titles: dict[str, float | None] = {}
    dates: list[str] = []
    for row in csv_rows(file, context.limits, _HISTORY_COLUMNS):
        if isinstance(row, Row):
            titles[row.cells["Title"].strip()] = None
            dates.append(row.cells["Date"])
    known = evidence(titles)
    order = infer_order(dates, _BEGAN, datetime.fromisoformat(context.now).date() + timedelta(days=2))
    del dates
    identities = Identities()
    tally = Tally(file.path)
    for row in csv_rows(file, context.limits, _HISTORY_COLUMNS):
        if isinstance(row, BadRecord):
            yield row
        elif _PROMOTION.search(row.cells["Title"].strip()):
            tally.add(row.where, "a trailer or other promotion, not watched by choice")
        else:
            if not order.certain:
                tally.add(row.where, f"nothing in the file tells day from month: read as {order.order}", key="Date")
            yield _history(row, file.path, known, order, identities)
    yield from tally.report()


def _history(row: Row, path: str, known: Evidence, order: DayOrder, identities: Identities) -> Record | BadRecord:
    title = row.cells["Title"].strip()
    if not title:
        return BadRecord(path, row.where, "no title")
    day = split_date(row.cells["Date"], order.order)
    if day is None:
        return BadRecord(path, row.where, f"no date in the order {order.order}: {row.cells['Date']!r:.60}")
    record: Record = {"Title": title, "Date": day.isoformat()}
    record["_certainty"] = "stated" if order.certain else "assumed"
    _add_work(record, title, known, None)
    record["_id"] = identities.of(day.isoformat(), title)
    return record


def _add_work(record: Record, title: str, known: Evidence, seconds: float | None) -> None:
    work: Work = split_title(title, known, seconds)
    record["_kind"] = "movie" if work.movie is not None else "episode"
    for name in ("movie", "series", "season", "season_number", "episode", "episode_number"):
        record[f"_{name}"] = getattr(work, name)


ACTIVITY = Format(
    name="netflix-activity",
    label="Netflix viewing activity",
    map_file="netflix_activity.ttl",
    recognise=_recognise_activity,
    read=_read_activity,
    source_name=lambda _file: "netflix",
)
HISTORY = Format(
    name="netflix-history",
    label="Netflix viewing history (title and date)",
    map_file="netflix_history.ttl",
    recognise=_recognise_history,
    read=_read_history,
    source_name=lambda _file: "netflix-history",
)
FORMATS = (ACTIVITY, HISTORY)
