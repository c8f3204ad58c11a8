"""Letterboxd: diary, reviews, films marked as watched, ratings. One viewing is in several of them, and counts once.

The diary has the day of a viewing. `watched.csv` and `ratings.csv` have the day on which the film was marked, and are
read for films that the other files of the export do not have. A film on the watchlist, or liked, was not watched by it.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from ...errors import SourceError
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from ..tables import Row, columns_of, rows_of
from .record import clean, day_of, others, prose, put, stars, whole

__all__ = ["FORMAT"]

_COLUMNS: Final = ("Date", "Name", "Year", "Letterboxd URI")
_USED: Final = frozenset((*_COLUMNS, "Rating", "Rewatch", "Tags", "Watched Date", "Review"))
_MARKED: Final = "the day on which the film was marked: it may have been watched before"
_PLANS: Final = {"watchlist": "on the watchlist: not watched by that", "liked": "a film that was liked: no viewing"}
_FOLDERS: Final = {"deleted": "deleted on Letterboxd", "orphaned": "of a film that Letterboxd no longer has"}


def _recognise(file: InputFile) -> float:
    return 1.0 if set(_COLUMNS) <= set(columns_of(file)) else 0.0


def _kind(file: InputFile) -> str:
    """Which file of the export it is: by its columns, and by its name where several have the same ones."""
    columns = set(columns_of(file))
    if "Watched Date" in columns:
        return "reviews" if "Review" in columns else "diary"
    if "Rating" in columns:
        return "ratings"
    path = PurePosixPath(file.path.replace("\\", "/").replace("!", "/"))
    if "likes" in path.parts[:-1]:
        return "liked"
    stem = path.stem.lower()
    return "watchlist" if "watchlist" in stem else "watched" if "watched" in stem else ""


@dataclass(frozen=True, slots=True)
class _Film:
    """A row: the film, the day that it states for a viewing, and the day on which the row was written."""

    name: str
    year: str
    watched: str | None
    written: str | None

    @property
    def film(self) -> str:
        return f"{self.name}\n{self.year}"

    @property
    def viewing(self) -> str:
        return f"{self.film}\n{self.watched}"


def _film(cells: dict[str, str]) -> _Film | None:
    name = clean(cells["Name"])
    year = clean(cells["Year"]) or ""
    return _Film(name, year, day_of(cells.get("Watched Date")), day_of(cells["Date"])) if name else None


def _survey(file: InputFile, context: ReadContext) -> None:
    """Notes which films the file has, so that none counts twice, with their ratings and reviews."""
    kind = _kind(file)
    if kind not in ("diary", "reviews", "watched", "ratings") or _folder(file):
        return
    for row in rows_of(file, context.limits, _COLUMNS):
        film = _film(row.cells) if isinstance(row, Row) else None
        if film is None or isinstance(row, BadRecord):
            continue
        if kind in ("diary", "reviews"):
            context.parts[f"{kind}\n{film.viewing}"] = prose(row.cells.get("Review"))
        context.parts[f"{kind}\n{film.film}"] = stars(row.cells.get("Rating"))


def _folder(file: InputFile) -> str | None:
    folders = PurePosixPath(file.path.replace("\\", "/").replace("!", "/")).parts[:-1]
    return next((reason for name, reason in _FOLDERS.items() if name in folders), None)


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Viewings of films; `_start` is a day."""
    kind = _kind(file)
    if not kind:
        told = "films without a rating: call the file watched.csv or watchlist.csv, nothing in it tells which it is"
        raise SourceError(f"{file.path}: {told}")
    out = _folder(file) or _PLANS.get(kind)
    identities = Identities()
    tally = Tally(file.path)
    for row in rows_of(file, context.limits, _COLUMNS):
        if isinstance(row, BadRecord):
            yield row
            continue
        film = _film(row.cells)
        reason = "no name" if film is None else out or _elsewhere(film, kind, context.parts)
        if film is None or reason is not None:
            tally.add(row.where, reason or "no name")
            continue
        record = _viewing(film, kind, row, context.parts)
        if film.watched is None and film.written is not None:
            tally.add(row.where, _MARKED, key="Date")
        record["_id"] = identities.of("viewing", film.viewing) if film.watched else identities.of("film", film.film)
        yield record
    yield from tally.report()


def _elsewhere(film: _Film, kind: str, parts: MutableMapping[str, Any]) -> str | None:
    """Why a row is no viewing of its own: another file of the export has it."""
    if kind == "reviews" and f"diary\n{film.viewing}" in parts:
        return "its viewing is in the diary, and has the review"
    in_diary = f"diary\n{film.film}" in parts or f"reviews\n{film.film}" in parts
    if kind == "watched" and in_diary:
        return "its viewing is in the diary"
    if kind == "ratings" and (in_diary or f"watched\n{film.film}" in parts):
        return "its rating is with its viewing"
    return None


def _viewing(film: _Film, kind: str, row: Row, parts: MutableMapping[str, Any]) -> Record:
    cells = row.cells
    record = others(cells, _USED)
    record["_class"] = "MovieStream"
    start = film.watched or film.written
    if start is not None:
        record |= {"_start": start, "_certainty": "stated" if film.watched else "assumed"}
    rewatch = clean(cells.get("Rewatch"))
    put(
        record,
        {
            "movieTitle": film.name,
            "releaseYear": whole(film.year),
            "rating": stars(cells.get("Rating")) or parts.get(f"ratings\n{film.film}"),
            "review": prose(cells.get("Review")) or parts.get(f"reviews\n{film.viewing}"),
            "rewatch": "true" if rewatch == "Yes" else "false" if kind == "diary" else None,
            "tag": [text for tag in (cells.get("Tags") or "").split(",") if (text := clean(tag))],
            "url": clean(cells["Letterboxd URI"]),
            "label": f"{film.name} ({film.year})" if film.year else film.name,
        },
    )
    return record


FORMAT = Format(
    name="letterboxd",
    label="Letterboxd films",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "letterboxd",
    survey=_survey,
)
