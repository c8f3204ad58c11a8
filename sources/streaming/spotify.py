"""Spotify: the extended streaming history (all years, `ts`) and the account data (the last year, `endTime`)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_told
from ..json.jsonstream import Element, json_elements
from ..peek import json_shape

__all__ = ["ACCOUNT", "EXTENDED", "FORMATS"]

_DROPPED = frozenset({"ip_addr", "ip_addr_decrypted", "user_agent", "user_agent_decrypted"})
"""Where the person was on the network and with what browser: not needed for any answer, so not kept."""
_NOT_PLAYED = "not played (0 ms)"


def _recognise_extended(file: InputFile) -> float:
    shape = json_shape(file.head())
    return 1.0 if shape and shape.kind == "array" and shape.has("ts", "ms_played") else 0.0


def _recognise_account(file: InputFile) -> float:
    shape = json_shape(file.head())
    return 1.0 if shape and shape.kind == "array" and shape.has("endTime", "msPlayed") else 0.0


def _read_extended(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Streams with `ts` (the end, UTC) as ISO; `_kind` is music, podcast, audiobook or unknown."""
    identities = Identities()
    tally = Tally(file.path)
    for element in json_elements(file, context.limits):
        row = _row(element, file.path, "ts", "ms_played")
        if isinstance(row, BadRecord):
            yield row
            continue
        end = _utc(row["ts"])
        if end is None:
            yield BadRecord(file.path, element.where, f"ts is no date-time: {row['ts']!r:.60}")
            continue
        if row["ms_played"] == 0:
            tally.add(element.where, _NOT_PLAYED)
            continue
        kind, what = _what(row)
        record = as_told((key, value) for key, value in row.items() if key not in _DROPPED)
        record["ts"] = end
        record["_kind"] = kind
        record["_id"] = identities.of(end, row["ms_played"], *what)
        yield record
    yield from tally.report()


def _read_account(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Streams with `endTime` as ISO, to the minute; the zone is not stated, and taken to be UTC."""
    identities = Identities()
    tally = Tally(file.path)
    for element in json_elements(file, context.limits):
        row = _row(element, file.path, "endTime", "msPlayed")
        if isinstance(row, BadRecord):
            yield row
            continue
        end = _utc(row["endTime"])
        if end is None:
            yield BadRecord(file.path, element.where, f"endTime is no date-time: {row['endTime']!r:.60}")
            continue
        if row["msPlayed"] == 0:
            tally.add(element.where, _NOT_PLAYED)
            continue
        names = [str(value) for key, value in sorted(row.items()) if key not in ("endTime", "msPlayed")]
        record = as_told({**row, "endTime": end}.items())
        record["_kind"] = "podcast" if "episodeName" in row else "music" if "trackName" in row else "audiobook"
        record["_id"] = identities.of(end, row["msPlayed"], *names)
        yield record
    yield from tally.report()


def _row(element: Element | BadRecord, path: str, time_key: str, played_key: str) -> dict[str, Any] | BadRecord:
    if isinstance(element, BadRecord):
        return element
    row = element.value
    if not isinstance(row, dict):
        return BadRecord(path, element.where, "not an object")
    played = row.get(played_key)
    if isinstance(played, float) and played.is_integer():
        played = row[played_key] = int(played)
    if not isinstance(played, int) or isinstance(played, bool) or played < 0:
        return BadRecord(path, element.where, f"{played_key} is no number of milliseconds: {played!r:.60}")
    if not isinstance(row.get(time_key), str):
        return BadRecord(path, element.where, f"no {time_key}")
    return row


def _utc(text: str) -> str | None:
    """An ISO date-time in UTC from the spellings of several years' exports, or None."""
    plain = text.strip().removesuffix("UTC").strip()
    try:
        value = datetime.fromisoformat(plain)
    except ValueError:
        return None
    if value.tzinfo is not None and value.utcoffset():
        return value.isoformat()
    return value.replace(tzinfo=None).isoformat() + "Z"


def _what(row: dict[str, Any]) -> tuple[str, tuple[object, ...]]:
    """The kind of a stream, and what identifies its content."""
    if row.get("audiobook_title") or row.get("audiobook_uri"):
        return "audiobook", (row.get("audiobook_chapter_uri"), row.get("audiobook_title"))
    if row.get("episode_name") or row.get("spotify_episode_uri"):
        return "podcast", (row.get("spotify_episode_uri"), row.get("episode_name"))
    if row.get("master_metadata_track_name") or row.get("spotify_track_uri"):
        return "music", (row.get("spotify_track_uri"), row.get("master_metadata_track_name"))
    return "unknown", ()


EXTENDED = Format(
    name="spotify-extended",
    label="Spotify extended streaming history",
    map_file="spotify_extended.ttl",
    recognise=_recognise_extended,
    read=_read_extended,
    source_name=lambda _file: "spotify",
)
ACCOUNT = Format(
    name="spotify-account",
    label="Spotify account data (last year's streams)",
    map_file="spotify_account.ttl",
    recognise=_recognise_account,
    read=_read_account,
    source_name=lambda _file: "spotify-account",
)
FORMATS = (EXTENDED, ACCOUNT)
