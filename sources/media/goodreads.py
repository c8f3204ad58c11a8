"""Goodreads: the library as CSV. A book on the shelf `read` is one that was read; the other shelves are plans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from ..tables import Row, columns_of, rows_of
from .record import clean, day_of, label_of, others, prose, put, stars, whole

__all__ = ["FORMAT"]

_COLUMNS: Final = ("Book Id", "Title", "Author", "Exclusive Shelf")
_USED: Final = frozenset(
    (*_COLUMNS, "Additional Authors", "Author l-f", "ISBN", "ISBN13", "My Rating", "Number of Pages", "Date Read")
) | {"Original Publication Year", "Bookshelves", "Bookshelves with positions", "My Review"}
_ISBN: Final = re.compile(r'="?([0-9Xx-]{10,17})"?')
"""Goodreads writes `="9780756411800"`, so that a spreadsheet keeps the zeros."""


def _recognise(file: InputFile) -> float:
    return 1.0 if set(_COLUMNS) <= set(columns_of(file)) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """A reading of each book that was read; `_start` is the day on which it was finished, where that is told."""
    identities = Identities()
    tally = Tally(file.path)
    for row in rows_of(file, context.limits, _COLUMNS):
        if isinstance(row, BadRecord):
            yield row
            continue
        record = _reading(row, tally)
        if record is not None:
            record["_id"] = identities.number(str(record["_id"]))
            yield record
    yield from tally.report()


def _reading(row: Row, tally: Tally) -> Record | None:
    cells = row.cells
    title, shelf = clean(cells["Title"]), clean(cells["Exclusive Shelf"])
    number = whole(cells["Book Id"])
    if title is None or number is None:
        tally.add(row.where, "no title" if title is None else f"no book id: {cells['Book Id']!r:.60}")
        return None
    if shelf != "read":
        tally.add(row.where, f"on the shelf {shelf or '(none)'}: not a book that was read", group=f"shelf {shelf}"[:60])
        return None
    record = others(cells, _USED)
    record |= {"_class": "BookReading", "_id": f"book-{number}", "_certainty": "stated"}
    said = clean(cells.get("Date Read"))
    day = day_of(said)
    if day is not None:
        record["_start"] = day
    elif said is not None:
        tally.add(row.where, f"Date Read is no date: {said!r:.60}", key="Date Read")
    authors = [clean(cells["Author"]), *map(clean, (cells.get("Additional Authors") or "").split(","))]
    shelves = [text for name in (cells.get("Bookshelves") or "").split(",") if (text := clean(name)) and text != "read"]
    isbn = _ISBN.search(cells.get("ISBN13") or "") or _ISBN.search(cells.get("ISBN") or "")
    put(
        record,
        {
            "bookTitle": title,
            "author": [name for name in authors if name],
            "pageCount": whole(cells.get("Number of Pages")),
            "rating": stars(cells.get("My Rating")),
            "review": prose(cells.get("My Review")),
            "releaseYear": whole(cells.get("Original Publication Year")) or whole(cells.get("Year Published")),
            "tag": shelves,
            "isbn": isbn[1] if isbn else None,
            "label": label_of((title, authors[0])),
        },
    )
    return record


FORMAT = Format(
    name="goodreads",
    label="Goodreads library",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "goodreads",
)
