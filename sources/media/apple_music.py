"""Apple Music: the play activity of Apple's data and privacy page (`Apple Music Play Activity.csv`)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from ..tables import columns_of, rows_of
from .record import clean, label_of, moment_of, number_of, others, put

__all__ = ["FORMAT"]

_COLUMNS: Final = ("Event Start Timestamp", "Event End Timestamp", "Play Duration Milliseconds")
_SONG: Final = ("Song Name", "Content Name", "Title")
_ARTIST: Final = ("Artist Name", "Container Artist Name")
_ALBUM: Final = ("Album Name", "Container Album Name")
_OFFSET: Final = "UTC Offset In Seconds"
_USED: Final = frozenset((*_COLUMNS, *_SONG, *_ARTIST, *_ALBUM, _OFFSET, "Device Type", "Event Type"))
_PRIVATE: Final = ("IP ", "Client IP", "Apple ID", "Apple Id", "Identifier", "Latitude", "Longitude", "Household ID")
"""Parts of names of columns that say where the person was on the network and which device it was: not kept."""
_BEGINS: Final = "the beginning of a play: its end is a row of its own"
_DAY: Final = 86_400


def _recognise(file: InputFile) -> float:
    columns = set(columns_of(file))
    return 1.0 if set(_COLUMNS) <= columns and columns.intersection(_SONG) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Plays of songs, with the offset where the person was."""
    identities = Identities()
    tally = Tally(file.path)
    for row in rows_of(file, context.limits, _COLUMNS):
        if isinstance(row, BadRecord):
            yield row
            continue
        record = _play(row.cells)
        if isinstance(record, str):
            tally.add(row.where, record)
            continue
        record["_id"] = identities.of(record["_start"], record.get("_end"), record["_songName"])
        yield record
    yield from tally.report()


def _play(cells: dict[str, str]) -> Record | str:
    """The record of a row, or why there is none."""
    kind = clean(cells.get("Event Type"))
    if kind not in (None, "PLAY_END"):
        return _BEGINS if kind == "PLAY_START" else f"no play, but {kind[:40]}"
    song = _first(cells, _SONG)
    if song is None:
        return "no song is named"
    milliseconds = number_of(cells[_COLUMNS[2]])
    if milliseconds is None or milliseconds <= 0:
        return "not played (0 ms)" if milliseconds is not None else "no time played"
    seconds = milliseconds / 1000 if milliseconds <= _DAY * 1000 else None
    times = _times(cells, seconds)
    if times is None:
        return f"no time: {cells[_COLUMNS[0]]!r:.60}"
    dropped = {name for name in cells if any(part in name for part in _PRIVATE)}
    record = others(cells, _USED | dropped)
    record |= {"_class": "MusicStream", "_start": times[0], "_end": times[1]}
    artist = _first(cells, _ARTIST)
    reason = clean(cells.get("End Reason Type")) or ""
    was_skipped = True if reason.startswith("TRACK_SKIPPED") else False if reason.startswith("NATURAL_END") else None
    put(
        record,
        {
            "songName": song,
            "artist": artist,
            "album": _first(cells, _ALBUM),
            "device": clean(cells.get("Device Type")),
            "duration": seconds,
            "skipped": was_skipped,
            "label": label_of((song, artist)),
        },
    )
    return record


def _first(cells: dict[str, str], names: tuple[str, ...]) -> str | None:
    return next((text for name in names if (text := clean(cells.get(name)))), None)


def _times(cells: dict[str, str], seconds: float | None) -> tuple[str, str | None] | None:
    """Start and end, each from the other where it is not told, with the offset where the person was."""
    start, end = (moment_of(cells[name], utc=True) for name in _COLUMNS[:2])
    offset = number_of(cells.get(_OFFSET))
    zone = UTC if offset is None or abs(offset) > 14 * 3600 else timezone(timedelta(minutes=round(offset / 60)))
    begun = datetime.fromisoformat(start).astimezone(zone) if start else None
    over = datetime.fromisoformat(end).astimezone(zone) if end else None
    length = timedelta(seconds=seconds or 0)
    begun = begun or (over - length if over else None)
    if begun is None:
        return None
    if over is None or over < begun:
        over = begun + length if seconds is not None else None
    return begun.isoformat(), over.isoformat() if over else None


FORMAT = Format(
    name="apple-music",
    label="Apple Music play activity",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "apple-music",
)
