"""An X (Twitter) archive's posts: `tweets.js`, a script that assigns a JSON list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_object, as_objects, as_told
from .json.jsonstream import Element, json_elements
from .peek import json_shape
from .text import plain, unescape
from .unique_identifiers import UniqueIdentifiers

__all__ = ["FORMAT"]

_BLANK = b" \t\r\n\xef\xbb\xbf"
_SCRIPT = re.compile(rb"(?:(?:var|let|const)\s{1,20})?[\w.$]{1,200}\s{0,20}=\s{0,20}(?=\[)")
_POSTS = re.compile(rb"window\.YTD\.(?:tweets?|community_tweet)\.part\d{1,9}\s{0,20}=\s{0,20}\[")
_MOST_LINKS = 200
"""Shortened addresses that are written out in one post; X itself allows a few dozen."""
_REPOST = re.compile(r"RT @(\w{1,40}): ?")


def _recognise(file: InputFile) -> float:
    head = file.head().lstrip(_BLANK)
    if _POSTS.match(head):
        return 1.0
    script = _SCRIPT.match(head)
    if script is not None and b"window.YTD." in script.group():
        return 0.0  # another part of the archive: likes, deleted posts, …
    shape = json_shape(head[script.end() :] if script else head)
    if shape is None or shape.kind != "array":
        return 0.0
    first: Any = shape.elements[0] if shape.elements else {}
    inner = first.get("tweet", first)
    keys = set(inner) if isinstance(inner, dict) else set()
    known = {"created_at"} <= keys and keys & {"full_text", "text"} and keys & {"id_str", "id"}
    return (0.95 if "tweet" in first or script else 0.8) if known else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """One record per post: its own keys, and `_text`, `_repost`, `_repostOf`, `_tags`, `_mentions`, `_links`, `_media`.

    Raises SourceError when the list is malformed or cut off.
    """
    identities = Identities()
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="id_str")
    for element in json_elements(file, context.limits, script=True):
        record = element if isinstance(element, BadRecord) else _record(element, file.path, identities)
        if not isinstance(record, BadRecord):
            identifiers.take(record, element.where, record.get("created_at"), record["_text"])
        yield record
    yield from tally.report()


def _record(element: Element, path: str, identities: Identities) -> Record | BadRecord:
    post = element.value
    if isinstance(post, dict) and isinstance(post.get("tweet"), dict):
        post = post["tweet"]
    if not isinstance(post, dict) or not ("created_at" in post or "full_text" in post or "text" in post):
        return BadRecord(path, element.where, "not a post")
    entities = as_object(post.get("entities"))
    media = as_objects(as_object(post.get("extended_entities")).get("media")) or as_objects(entities.get("media"))
    urls = as_objects(entities.get("urls"))
    text = next((post[key] for key in ("full_text", "text") if isinstance(post.get(key), str)), "")
    repost = _REPOST.match(text)
    record = as_told(post.items())
    record["_text"] = _expand(plain(unescape(text)), [*urls, *media])
    record["_repost"] = bool(repost)
    record["_repostOf"] = repost.group(1) if repost else None
    record["_tags"] = _values(as_objects(entities.get("hashtags")), "text")
    record["_mentions"] = _values(as_objects(entities.get("user_mentions")), "name", "screen_name")
    record["_links"] = _values(urls, "expanded_url", "url")
    record["_media"] = _values(media, "ext_alt_text", "expanded_url", "media_url_https")
    number = next((post[key] for key in ("id_str", "id") if isinstance(post.get(key), str | int) and post[key]), None)
    record["_id"] = str(number) if number else identities.of(post.get("created_at"), text)
    return record


def _values(items: list[dict[str, Any]], *keys: str) -> list[str]:
    """Of each item the first of `keys` that has text; each text once."""
    found = (next((item[key] for key in keys if isinstance(item.get(key), str) and item[key]), None) for item in items)
    return list(dict.fromkeys(text for text in found if text))


def _expand(text: str, links: list[dict[str, Any]]) -> str:
    """`text` with the archive's shortened addresses written out; those of the post's own pictures are left out."""
    for link in links[:_MOST_LINKS]:
        short, full = link.get("url"), link.get("expanded_url")
        if isinstance(short, str) and short and isinstance(full, str):
            text = text.replace(short, "" if {"media_url", "media_url_https"} & set(link) else full)
    return text.strip()


FORMAT = Format(
    name="x-posts",
    label="X (Twitter) archive: posts",
    map_file="x.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "x",
)
