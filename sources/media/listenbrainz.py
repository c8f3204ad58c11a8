"""ListenBrainz: listens as JSON Lines, one file a month, or as a JSON list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_list, as_object
from ..json.jsonstream import json_elements, json_lines
from ..peek import json_shape
from .record import clean, epoch, label_of, put

__all__ = ["FORMAT"]


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    return 1.0 if shape is not None and shape.has("listened_at", "track_metadata") else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Plays of songs; `_start` is in UTC. How long a song is, is not how long it was played."""
    shape = json_shape(file.head())
    is_list = shape is not None and shape.kind == "array"
    identities = Identities()
    tally = Tally(file.path)
    for element in (json_elements if is_list else json_lines)(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
            continue
        record = _listen(element.value, identities)
        if isinstance(record, str):
            tally.add(element.where, record)
        else:
            yield record
    yield from tally.report()


def _listen(row: Any, identities: Identities) -> Record | str:
    """The record of a listen, or why there is none."""
    listen = as_object(row)
    start = epoch(listen.get("listened_at"))
    if start is None:
        return f"listened_at is no time: {listen.get('listened_at')!r:.60}"
    track = as_object(listen.get("track_metadata"))
    more = as_object(track.get("additional_info"))
    song = clean(track.get("track_name"))
    if song is None:
        return "no song"
    artists = [name for item in as_list(more.get("artist_names")) if (name := clean(item))]
    artist = clean(track.get("artist_name"))
    record: Record = {"_class": "MusicStream", "_start": start, "_id": identities.of(start, artist, song)}
    names = {"artist": artists or artist, "album": clean(track.get("release_name")), "songName": song}
    client = clean(more.get("music_service_name")) or clean(more.get("media_player"))
    player = client or clean(more.get("submission_client"))
    put(record, {**names, "url": clean(more.get("origin_url")), "service": player, "label": label_of((song, artist))})
    return record


FORMAT = Format(
    name="listenbrainz",
    label="ListenBrainz listens",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "listenbrainz",
)
