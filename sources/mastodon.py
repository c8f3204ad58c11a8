"""A Mastodon archive's `outbox.json` (ActivityStreams), or a single activity of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import SourceError
from .base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_told, digest
from .json.jsonnested import Item, json_nested
from .json.jsonstream import Element, json_document
from .peek import json_shape
from .text import html_to_text, plain, unescape
from .unique_identifiers import UniqueIdentifiers

__all__ = ["FORMAT"]

_KINDS = ("Create", "Announce")
_ACTIVITY = ("type", "actor", "object", "published")


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is None or shape.kind != "object":
        return 0.0
    if shape.has(*_ACTIVITY):
        return 0.9
    # Likes and bookmarks are collections too, but of addresses: only an outbox has activities with an actor.
    if not shape.has("orderedItems"):
        return 0.0
    empty = any(element.get("orderedItems") == [] for element in shape.elements) and b"outbox" in head
    return 1.0 if empty or (b'"actor"' in head and any(f'"{kind}"'.encode() in head for kind in _KINDS)) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """One record per post or boost: the post's own keys, the activity's as `activity.…`.

    Added are `_text`, `_boost`, `_tags`, `_mentions`, `_media`, `_url` and `_published`.
    """
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="id", again="the same post again")
    for element in _activities(file, context):
        record = _record(element, file.path, tally)
        if record is None:
            continue
        told = () if isinstance(record, BadRecord) else (record["_published"], record["_text"], record["_url"])
        if isinstance(record, BadRecord) or identifiers.take(record, element.where, *told):
            yield record
    yield from tally.report()


def _activities(file: InputFile, context: ReadContext) -> Iterator[Element]:
    shape = json_shape(file.head())
    if shape is not None and not shape.has("orderedItems") and shape.has("object"):
        yield Element("activity", json_document(file, context.limits))
        return
    number = 0
    for item in json_nested(file, context.limits, ("orderedItems", None)):
        if isinstance(item, Item):
            number = item.number
            yield Element(f"element {number}", item.value)
    if not number:
        raise SourceError(f"{file.path}: no activities in a list under orderedItems")


def _record(element: Element, path: str, tally: Tally) -> Record | BadRecord | None:
    activity = element.value
    if not isinstance(activity, dict):
        return BadRecord(path, element.where, "not an activity")
    kind = activity.get("type")
    if kind not in _KINDS:
        tally.add(element.where, f"not a post: an activity of type {kind!r:.40}")
        return None
    post = activity.get("object")
    record = as_told(post.items() if isinstance(post, dict) else ())
    record |= {f"activity.{key}": value for key, value in activity.items() if key != "object"}
    record["_boost"] = kind == "Announce"
    record["_url"] = _text_of(post) or _text_of(record.get("url")) or _text_of(record.get("id"))
    own = activity if kind == "Announce" else record
    record["_id"] = _text_of(own.get("id")) or _text_of(activity.get("id")) or digest([str(activity)])
    record["_published"] = _text_of(own.get("published")) or _text_of(activity.get("published"))
    record["_text"] = _content(record)
    record["_tags"], record["_mentions"] = _tagged(record, "Hashtag", "#"), _tagged(record, "Mention", "@")
    record["_media"] = _media(record.get("attachment"))
    if not (record["_published"] or record["_text"] or record["_url"]):
        return BadRecord(path, element.where, "an activity without time, text and address")
    return record


def _text_of(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _content(post: Record) -> str:
    """Content warning, content and the choices of a poll, as text."""
    parts: list[str] = []
    if warning := _text_of(post.get("summary")):
        parts.append(plain(unescape(warning)))
    content = _text_of(post.get("content"))
    if content is None and isinstance(versions := post.get("contentMap"), dict):
        content = next((text for text in versions.values() if _text_of(text)), None)
    if content is not None:
        # Mastodon marks line ends with <br>; a line end in the markup itself was typed by the author.
        parts.append(html_to_text(content, keep_newlines=True))
    for choices in (post.get("oneOf"), post.get("anyOf")):
        if isinstance(choices, list):
            names = [choice.get("name") for choice in choices if isinstance(choice, dict)]
            parts.append("\n".join(f"- {plain(name)}" for name in names if isinstance(name, str)))
    return "\n\n".join(part for part in parts if part)


def _tagged(post: Record, kind: str, sign: str) -> list[str]:
    tags = post.get("tag")
    names = [
        tag.get("name")
        for tag in (tags if isinstance(tags, list) else [tags])
        if isinstance(tag, dict) and tag.get("type") == kind
    ]
    return list(dict.fromkeys(name.removeprefix(sign) for name in names if isinstance(name, str) and name != sign))


def _media(attachments: Any) -> list[str]:
    """What an attachment's author wrote about it, else its address."""
    found: list[str] = []
    for item in attachments if isinstance(attachments, list) else [attachments]:
        if isinstance(item, dict) and (name := _text_of(item.get("name")) or _text_of(item.get("url"))):
            found.append(plain(name))
    return found


FORMAT = Format(
    name="mastodon",
    label="Mastodon outbox",
    map_file="mastodon.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "mastodon",
)
