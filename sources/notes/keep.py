"""Google Keep notes from Takeout: one JSON object per note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_told, digest
from ..json.jsonstream import json_document
from ..peek import json_shape
from ..text import html_to_text, plain
from ..unique_identifiers import UniqueIdentifiers

__all__ = ["FORMAT"]

_STATES = ("isTrashed", "isPinned", "isArchived")
_TIMES = ("createdTimestampUsec", "userEditedTimestampUsec")
_CONTENT = ("textContent", "listContent", "title", "attachments", "annotations", "textContentHtml")


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    if shape is None or shape.kind != "object":
        return 0.0
    marks = sum(shape.has(name) for name in (*_STATES, *_TIMES))
    has_time = any(shape.has(name) for name in _TIMES)
    has_content = any(shape.has(name) for name in _CONTENT)
    return 1.0 if marks >= 3 and has_time and has_content else 0.7 if marks >= 2 and has_time else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The note with its own keys, and: `_text`, `_time` (microseconds), `_items`, `_itemsDone`, `_name`."""
    note = json_document(file, context.limits)
    if note.get("isTrashed") is True:
        yield BadRecord(file.path, "note", "in the trash")
        return
    items = _items(note.get("listContent"))
    record = as_told(note.items())
    record["_text"] = _text(note, [text for text, _ in items])
    record["_items"] = [text for text, _ in items]
    record["_itemsDone"] = [text for text, done in items if done]
    time, certainty = _time(note)
    record["_time"], record["_certainty"] = time, certainty
    # Takeout names a note's file after its title or time; with the time of creation it also tells accounts apart.
    name = _name(file.path)
    record["_name"] = name
    record["_id"] = f"{name}-{time}" if time else f"{name}-{digest([record['_text']])}"
    if not (record["_text"] or note.get("title") or note.get("attachments")):
        yield BadRecord(file.path, "note", "an empty note")
        return
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="createdTimestampUsec")
    identifiers.take(record, "note", note.get("title"), record["_text"])
    yield record
    yield from tally.report()
    if time is None:
        yield BadRecord(file.path, "note", "no usable time: kept without one", key="createdTimestampUsec")


def _time(note: dict[str, Any]) -> tuple[int | None, str | None]:
    """Microseconds since 1970 of the note's creation; the last edit stands in, as an assumption."""
    for key, certainty in (("createdTimestampUsec", "stated"), ("userEditedTimestampUsec", "assumed")):
        value = note.get(key)
        if isinstance(value, str) and re.fullmatch(r"\d{1,20}", value):
            value = int(value)
        # Keep writes 0 for unknown; the upper bound is the year 2200.
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 7_258_118_400_000_000:
            return value, certainty
    return None, None


def _items(content: Any) -> list[tuple[str, bool]]:
    if not isinstance(content, list):
        return []
    found: list[tuple[str, bool]] = []
    for item in content:
        if isinstance(item, dict):
            text = item.get("text")
            if not isinstance(text, str) or not text.strip():
                markup = item.get("textHtml")
                text = html_to_text(markup) if isinstance(markup, str) else ""
            if text.strip():
                found.append((plain(text), item.get("isChecked") is True))
    return found


def _text(note: dict[str, Any], items: list[str]) -> str:
    text = note.get("textContent")
    if isinstance(text, str) and text.strip():
        return plain(text)
    markup = note.get("textContentHtml")
    if isinstance(markup, str) and markup.strip():
        return html_to_text(markup)
    return "\n".join(items)


def _name(path: str) -> str:
    return PurePosixPath(path.rsplit("!", 1)[-1]).name.removesuffix(".json") or "note"


FORMAT = Format(
    name="google-keep",
    label="Google Keep notes (Takeout)",
    map_file="keep.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "keep",
)
