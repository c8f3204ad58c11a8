"""Lists of key-value events, JSON or JSON Lines: the form of the ReQAP paper's Table 13, and anybody's own list.

`source` says what an event is (music_stream, workout, mail, …); a list without it works as well, as long as its
records have a time. Times: `start_date` + `start_time`, or `timestamp`, `date` and the like.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_told
from ..chats.dialogue import OWN_TURN, is_turn
from ..peek import JsonShape, json_shape, known_json
from ..record_times import read_times, time_key
from ..text import stem_slug
from ..unique_identifiers import UniqueIdentifiers
from .jsonstream import Element, json_elements, json_lines

__all__ = ["FORMAT"]

_OWN_IDS = ("id", "event_id", "uuid", "uid")
_TOLD = ("_kind", "_start", "_end", "_label", "sender")
"""What two records of one identifier have in common where they are about one event."""
_NAMING = {
    "music": ("song_name", "song_artist"),
    "podcast": ("episode_name", "show_name", "podcast_name"),
    "audiobook": ("audiobook_title", "book_title"),
    "movie": ("movie_title",),
    "episode": ("tvseries_title", "episode_name"),
    "workout": ("workout_type",),
    "purchase": ("product",),
    "stay": ("place", "place_name", "location"),
}
"""What names an event of a class: all that are there."""
_ANY_NAME = (
    "title", "name", "label", "summary", "subject", "product_name", "stream_full_title", "text", "event", "description",
    "source",
)  # fmt: skip
"""What names an event otherwise: the first that is there."""
_KINDS = {
    source: kind
    for kind, sources in {
        "music": "music_stream music song song_stream",
        "podcast": "podcast_stream podcast",
        "audiobook": "audiobook_stream audiobook",
        "movie": "movie_stream movie film film_stream",
        "episode": "tvseries_stream tv_series_stream tv_stream series_stream episode_stream tvseries",
        "workout": "workout exercise training",
        "purchase": "online_purchase purchase order shopping",
        "calendar": "calendar calendar_event calendar_entry appointment",
        "mail": "mail email e_mail",
        "post": "social_media social_media_post post toot tweet",
        "note": "note memo",
        "chat": "chat chat_message message",
        "stay": "location place_visit location_stay check_in",
    }.items()
    for source in sources.split()
}
"""The paper's sources and near ones, by the class of the map."""


def _recognise(file: InputFile) -> float:
    """Objects, most of them flat and with a time; surer with a `source`; never the known shape of another service."""
    shape = json_shape(file.head())
    if shape is None or not shape.elements or known_json(shape) is not None:
        return 0.0
    sources = sum(1 for element in shape.elements if isinstance(element.get("source"), str))
    if shape.kind == "object" and not sources:
        return 0.0
    timed = sum(1 for element in shape.elements if time_key(element) is not None)
    flat = sum(1 for element in shape.elements if _is_flat(element))
    if flat * 2 <= len(shape.elements):
        return 0.0
    if sources * 2 > len(shape.elements) and (timed or sources == len(shape.elements)):
        return 0.7
    return 0.4 if timed * 2 > len(shape.elements) and flat * 10 >= len(shape.elements) * 9 else 0.0


def _is_flat(record: Mapping[str, Any]) -> bool:
    """Whether values are plain, lists of plain values, or objects of plain values."""
    for value in record.values():
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if any(isinstance(item, dict | list) for item in inner):
            return False
    return True


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The records as they are, with `_start`, `_end` and `_precision`; an object that is no event is reported."""
    shape: JsonShape | None = json_shape(file.head())
    lines = shape is not None and shape.kind == "lines"
    identities = Identities()
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="id")
    for element in json_lines(file, context.limits) if lines else json_elements(file, context.limits):
        record = element if isinstance(element, BadRecord) else _record(element, file.path, identities)
        if isinstance(record, BadRecord):
            yield record
            continue
        identifiers.take(record, element.where, *(record.get(key) for key in _TOLD))
        unread = record.pop("_unread")
        yield record
        for key in unread:
            reason = f"{key} is no time, or one before the start: {record[key]!r:.60}"
            yield BadRecord(file.path, element.where, reason, key=key)
    yield from tally.report()


def _record(element: Element, path: str, identities: Identities) -> Record | BadRecord:
    value = element.value
    if not isinstance(value, dict) or not value:
        return BadRecord(path, element.where, "not an object with keys")
    if is_turn(value):
        return BadRecord(path, element.where, OWN_TURN)
    times = read_times(value)
    if isinstance(times, str):
        return BadRecord(path, element.where, times)
    own = next((key for key in _OWN_IDS if _is_id(value.get(key))), None)
    told = {*times.keys, own}
    record = as_told((key, item) for key, item in value.items() if key not in told)
    record["_kind"] = _kind(value.get("source"))
    record["_start"], record["_end"], record["_precision"] = times.start, times.end, times.precision
    record["_label"] = _label(record)
    record["_unread"] = times.unread
    if own is not None:
        record["_id"] = identities.number(str(value[own]).strip())
    else:
        record["_id"] = identities.of(json.dumps(value, sort_keys=True, ensure_ascii=False))
    return record


def _is_id(value: Any) -> bool:
    return (isinstance(value, str) and bool(value.strip())) or (isinstance(value, int) and not isinstance(value, bool))


def _kind(source: Any) -> str:
    """The class that a `source` names; `event` for one that none of the classes is."""
    if not isinstance(source, str):
        return "event"
    return _KINDS.get(re.sub(r"[\s-]+", "_", source.strip()).lower(), "event")


def _label(record: Record) -> str | None:
    """A short name of an event, from what names events of its class, else from any naming key."""
    parts: list[str] = []
    for key in _NAMING.get(record["_kind"], ()):
        value = record.get(key)
        parts += [str(item) for item in (value if isinstance(value, list) else [value]) if item not in (None, "")]
    if parts:
        return " – ".join(parts)
    return next((record[key] for key in _ANY_NAME if isinstance(record.get(key), str) and record[key].strip()), None)


def _source_name(file: InputFile) -> str:
    """Lists have no title of their own, so the file's name tells one list from another."""
    return stem_slug(file.path) or "events"


FORMAT = Format(
    name="key-value",
    label="list of key-value events",
    map_file="keyvalue.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
