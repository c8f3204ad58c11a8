"""Google My Activity and YouTube's history (Takeout, as JSON): videos watched, searches, and what else was done.

What an entry is, its link tells; the verb in its title is of the account's language (`google_titles.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, parse_qs, urlsplit

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_objects, as_text
from ..json.jsonstream import json_elements
from ..peek import json_shape
from .google_titles import split_title
from .record import clean, label_of, moment_of, others, put

__all__ = ["FORMAT"]

_USED: Final = frozenset({"header", "title", "titleUrl", "time", "products", "activityControls"})
_TOPIC: Final = " - Topic"
"""Ends the names of channels that YouTube makes of an artist's songs."""
_AD: Final = "an advertisement, not watched by choice"
_UNKNOWN: Final = ("http://", "https://")
"""A title that begins so is the link of a video whose title is not told."""


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    known = shape is not None and shape.kind == "array" and shape.has("header", "title", "time")
    return 1.0 if known else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """An event of each entry; `_start` is in UTC."""
    identities = Identities()
    tally = Tally(file.path)
    for element in json_elements(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
            continue
        entry = _entry(element.value)
        if isinstance(entry, str):
            tally.add(element.where, entry)
            continue
        record = _record(entry)
        record["_id"] = identities.of(entry.start, entry.row.get("titleUrl") or entry.row["title"])
        yield record
    yield from tally.report()


@dataclass(frozen=True, slots=True)
class _Entry:
    row: dict[str, Any]
    start: str
    header: str
    link: SplitResult
    verb: str | None
    what: str

    @property
    def is_youtube(self) -> bool:
        return self.header.startswith("YouTube")


def _entry(row: Any) -> _Entry | str:
    """What an element holds, or why it is no event."""
    if not isinstance(row, dict):
        return "not an object"
    title, start = clean(row.get("title")), moment_of(row.get("time"), utc=True)
    if title is None:
        return "no title"
    if start is None:
        return f"time is no date-time: {row.get('time')!r:.60}"
    header = as_text(row.get("header"))
    told = split_title(title)
    entry = _Entry(row, start, header, _link(row.get("titleUrl")), told.verb, told.what)
    by_google = any("Google" in as_text(detail.get("name")) for detail in as_objects(row.get("details")))
    return _AD if by_google and entry.is_youtube else entry


def _link(value: Any) -> SplitResult:
    """The parts of a link; empty ones for what is none."""
    try:
        return urlsplit(as_text(value)[:4000])
    except ValueError:
        return urlsplit("")


def _asked(link: SplitResult, *names: str) -> str | None:
    """What a link asks for, under the first of `names` that it has."""
    try:
        values = parse_qs(link.query, max_num_fields=100)
    except ValueError:
        return None
    return next((text for name in names for value in values.get(name, ()) if (text := clean(value))), None)


def _record(entry: _Entry) -> Record:
    used = _USED | {"subtitles"} if entry.is_youtube else _USED
    record = others(entry.row, used)
    record["_start"] = entry.start
    services = [text for item in entry.row.get("products") or () if (text := clean(item))] if _listed(entry) else []
    put(record, {"service": services or clean(entry.header), "url": clean(entry.row.get("titleUrl"))})
    searched = _searched(entry)
    if searched is not None:
        record["_class"] = "WebSearch"
        put(record, {"searchPhrase": searched, "label": searched})
    elif _is_video(entry):
        _add_video(record, entry)
    else:
        record["_class"] = "OnlineActivity"
        title = clean(entry.row["title"])
        put(record, {"title": entry.what if entry.verb == "visit" else title, "label": title})
    return record


def _listed(entry: _Entry) -> bool:
    return isinstance(entry.row.get("products"), list)


def _searched(entry: _Entry) -> str | None:
    """The words that were searched for; None where it is no search."""
    host, path = entry.link.hostname or "", entry.link.path
    if host.endswith("youtube.com") and path == "/results":
        return _asked(entry.link, "search_query", "q") or entry.what
    if entry.verb == "search":
        return (_asked(entry.link, "q", "query") if path == "/search" else None) or entry.what
    is_search = host.startswith("www.google.") and path == "/search" and entry.verb is None
    return _asked(entry.link, "q") if is_search else None


def _is_video(entry: _Entry) -> bool:
    """Whether a video was watched: its link says so, or the verb where a video that is gone has no link."""
    host, path = entry.link.hostname or "", entry.link.path
    if host == "youtu.be" or host.endswith(("youtube.com", "youtubekids.com")):
        return path in ("/watch", "/shorts") or path.startswith(("/shorts/", "/live/")) or host == "youtu.be"
    return entry.is_youtube and entry.verb == "watch"


def _add_video(record: Record, entry: _Entry) -> None:
    title = None if entry.what.startswith(_UNKNOWN) or not entry.link.path else entry.what
    channel = next((clean(item.get("name")) for item in as_objects(entry.row.get("subtitles"))), None)
    is_music = entry.header == "YouTube Music" or entry.link.hostname == "music.youtube.com"
    if is_music and title is not None:
        record["_class"] = "MusicStream"
        artist = channel.removesuffix(_TOPIC) if channel else None
        put(record, {"songName": title, "artist": artist, "label": label_of((title, artist))})
        return
    record["_class"] = "OnlineVideoStream"
    put(record, {"videoTitle": title, "channel": channel, "label": label_of((title or entry.what, channel))})


def _source_name(file: InputFile) -> str:
    """YouTube's history is a source of its own, also where it comes as a part of My Activity."""
    shape = json_shape(file.head())
    headers = [as_text(row.get("header")) for row in shape.elements] if shape else []
    return "youtube" if headers and all(name.startswith("YouTube") for name in headers) else "google-activity"


FORMAT = Format(
    name="google-activity",
    label="Google My Activity or YouTube history",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
