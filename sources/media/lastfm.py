"""Last.fm: scrobbles as JSON (pages of the service's own interface) or CSV, with a header or without one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_object, as_objects
from ..json.jsonstream import json_elements
from ..peek import JsonShape, decode, json_beginning, json_shape, looks_binary
from ..tables import columns_of, csv_rows
from .record import clean, epoch, label_of, put

__all__ = ["FORMAT"]

_HEADED: Final = ("uts", "artist", "album", "track")
_HEADLESS: Final = ("artist", "album", "track", "date")
_WRITTEN: Final = re.compile(r"\d{1,2} [A-Z][a-z]{2} \d{4},? \d{1,2}:\d{2}")
"""13 Jun 2025, 00:55, in UTC whatever the person's zone."""
_PLAYING: Final = "still playing when it was exported: it has no time"


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is not None:
        return 1.0 if _is_pages(shape, head) or _is_tracks(shape) else 0.0
    return 1.0 if set(_HEADED) <= set(columns_of(file)) else 0.9 if _is_headless(head) else 0.0


def _is_pages(shape: JsonShape, head: bytes) -> bool:
    if shape.has("recenttracks") or shape.has("track", "@attr"):
        return True
    first = next(iter(json_beginning(head)), None) if shape.kind == "array" and shape.keys == ("track",) else None
    return isinstance(first, dict) and any(
        "#text" in as_object(t.get("artist")) for t in as_objects(first.get("track"))
    )


def _is_tracks(shape: JsonShape) -> bool:
    return any(
        "#text" in as_object(row.get("artist")) and "uts" in as_object(row.get("date")) for row in shape.elements
    )


def _is_headless(head: bytes) -> bool:
    if looks_binary(head):
        return False
    line = re.split(r"\r\n|\n|\r", decode(head).lstrip("\ufeff"), maxsplit=1)[0]
    if len(line) > 5000:
        return False
    try:
        cells = next(csv.reader([line]), [])
    except csv.Error:
        return False
    return len(cells) == len(_HEADLESS) and _WRITTEN.fullmatch(cells[3].strip()) is not None


@dataclass(frozen=True, slots=True)
class _Play:
    where: str
    uts: Any
    artist: str | None
    song: str | None
    album: str | None
    url: str | None = None
    is_playing: bool = False


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Plays of songs; `_start` is in UTC."""
    identities = Identities()
    tally = Tally(file.path)
    plays = _json_plays if json_shape(file.head()) is not None else _csv_plays
    for play in plays(file, context):
        if isinstance(play, BadRecord):
            yield play
            continue
        record = _record(play, identities)
        if isinstance(record, str):
            tally.add(play.where, record)
        else:
            yield record
    yield from tally.report()


def _record(play: _Play, identities: Identities) -> Record | str:
    """The record of a play, or why there is none."""
    if play.is_playing:
        return _PLAYING
    if play.song is None:
        return "no song"
    start = _written(play.uts) or epoch(play.uts)
    if start is None:
        return f"no time: {play.uts!r:.60}"
    record: Record = {"_class": "MusicStream", "_start": start, "_id": identities.of(start, play.artist, play.song)}
    put(record, {"songName": play.song, "artist": play.artist, "album": play.album, "url": play.url})
    put(record, {"label": label_of((play.song, play.artist))})
    return record


def _written(value: Any) -> str | None:
    if not isinstance(value, str) or not _WRITTEN.fullmatch(value.strip()):
        return None
    try:
        return datetime.strptime(value.strip().replace(",", ""), "%d %b %Y %H:%M").strftime("%Y-%m-%dT%H:%M:00Z")
    except ValueError:
        return None


def _json_plays(file: InputFile, context: ReadContext) -> Iterator[_Play | BadRecord]:
    for element in json_elements(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
            continue
        page = as_object(element.value)
        page = as_object(page["recenttracks"]) if "recenttracks" in page else page
        tracks = page.get("track") if "track" in page and "name" not in page else [page]
        for number, track in enumerate(tracks if isinstance(tracks, list) else [tracks], start=1):
            yield _of_track(track, f"{element.where}, track {number}")


def _of_track(track: Any, where: str) -> _Play:
    row = as_object(track)
    date = as_object(row.get("date"))
    return _Play(
        where,
        date.get("uts") or date.get("#text"),
        _named(row.get("artist")),
        clean(row.get("name")),
        _named(row.get("album")),
        clean(row.get("url")),
        not date and "nowplaying" in as_object(row.get("@attr")),
    )


def _named(value: Any) -> str | None:
    """The name of an artist or album: an object's text, or a text."""
    return clean(value) or clean(as_object(value).get("#text")) or clean(as_object(value).get("name"))


def _csv_plays(file: InputFile, context: ReadContext) -> Iterator[_Play | BadRecord]:
    headless = _is_headless(file.head())
    for row in csv_rows(_Headed(file) if headless else file, context.limits, _HEADLESS if headless else _HEADED):
        if isinstance(row, BadRecord):
            yield row
            continue
        cells = row.cells
        time = cells["date"] if headless else cells["uts"] or cells.get("utc_time")
        yield _Play(row.where, time, clean(cells["artist"]), clean(cells["track"]), clean(cells["album"]))


@dataclass(frozen=True, slots=True)
class _Headed:
    """A table without names of columns, with them in front; lines count one more than in the file."""

    file: InputFile

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def size(self) -> int:
        return self.file.size

    def head(self, size: int = 65536) -> bytes:
        return (_names() + self.file.head(size).removeprefix(b"\xef\xbb\xbf"))[:size]

    def open(self) -> Any:
        return io.BufferedReader(_Behind(_names(), self.file.open()))


def _names() -> bytes:
    return ",".join(_HEADLESS).encode() + b"\n"


class _Behind(io.RawIOBase):
    """A stream behind some bytes of its own."""

    def __init__(self, before: bytes, stream: BinaryIO) -> None:
        self._left = before
        self._stream = stream
        self._first = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._left[: len(buffer)] or self._stream.read(len(buffer))
        if self._left:
            self._left = self._left[len(data) :]
        elif self._first:
            self._first = False
            data = data.removeprefix(b"\xef\xbb\xbf")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


FORMAT = Format(
    name="lastfm",
    label="Last.fm scrobbles",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "lastfm",
)
