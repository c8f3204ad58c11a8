"""StoryGraph: the library as CSV. A book may have been read several times; each is an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from ..tables import Row, columns_of, rows_of
from ..text import html_to_text
from .record import clean, day_of, label_of, others, prose, put, stars

__all__ = ["FORMAT"]

_COLUMNS: Final = ("Title", "Authors", "ISBN/UID", "Read Status")
_USED: Final = frozenset((*_COLUMNS, "Contributors", "Star Rating", "Review", "Tags", "Dates Read", "Last Date Read"))
_MOST: Final = 100
"""More readings of one book than anybody has."""


def _recognise(file: InputFile) -> float:
    return 1.0 if set(_COLUMNS) <= set(columns_of(file)) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Readings of books that were read; `_start` is the day on which one was finished, where that is told."""
    identities = Identities()
    tally = Tally(file.path)
    for row in rows_of(file, context.limits, _COLUMNS):
        if isinstance(row, BadRecord):
            yield row
            continue
        title, status = clean(row.cells["Title"]), clean(row.cells["Read Status"])
        if title is None:
            tally.add(row.where, "no title")
        elif status != "read":
            reason = f"{status or 'no status'}: not a book that was read"
            tally.add(row.where, reason, group=f"status {status}"[:60])
        else:
            yield from _readings(row, title, tally, identities)
    yield from tally.report()


def _readings(row: Row, title: str, tally: Tally, identities: Identities) -> Iterator[Record]:
    cells = row.cells
    authors = [name for part in cells["Authors"].split(",") if (name := clean(part))]
    told = clean(cells.get("Dates Read")) or clean(cells.get("Last Date Read"))
    days = _days(told)
    if told is not None and not days:
        tally.add(row.where, f"no dates of reading: {told!r:.60}", key="Dates Read")
    for begun, finished in days or [(None, None)]:
        record = others(cells, _USED)
        record |= {"_class": "BookReading", "_certainty": "stated"}
        if finished is not None:
            record["_start"] = finished
        put(
            record,
            {
                "bookTitle": title,
                "author": authors,
                "begunOn": begun,
                "rating": stars(cells.get("Star Rating")),
                "review": html_to_text(review) if (review := prose(cells.get("Review"))) else None,
                "tag": [text for tag in (cells.get("Tags") or "").split(",") if (text := clean(tag))],
                "isbn": clean(cells["ISBN/UID"]),
                "label": label_of((title, authors[0] if authors else None)),
            },
        )
        record["_id"] = identities.of(title, *authors, finished)
        yield record


def _days(told: str | None) -> list[tuple[str | None, str]]:
    """First and last day of each reading: `2023/01/02-2023/01/10, 2024/05/01`."""
    found: list[tuple[str | None, str]] = []
    for part in (told or "").split(",")[:_MOST]:
        first, dash, last = part.replace("\u2013", "-").strip().partition("-")
        if dash and day_of(part):  # a date with dashes
            first, last = "", part
        elif not dash:
            first, last = "", first
        finished = day_of(last)
        if finished is not None:
            begun = day_of(first)
            found.append((begun if begun is None or begun <= finished else None, finished))
    return found


FORMAT = Format(
    name="storygraph",
    label="StoryGraph library",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "storygraph",
)
