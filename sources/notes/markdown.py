"""Markdown notes: one note per file, or one per dated section of a diary."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final

from ...errors import HostileInput
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_told
from ..chats.dialogue import OWN_TURN, without_turns
from ..peek import decode, json_shape, looks_binary
from ..text import plain
from ..unique_identifiers import UniqueIdentifiers
from .frontmatter_block import split_front_matter
from .notedates import Moment, date_at_start, date_in, moment_of

__all__ = ["FORMAT"]

_HEADING = re.compile(r"^(#{1,6})[ \t](.+)$")
_UNDERLINE = re.compile(r"^(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$")
_TAG = re.compile(r"(?<![\w/#&(\[])#([^\W\d][\w/-]*|\d[\w/-]*[^\W\d][\w/-]*)")
_DATE_LINE = re.compile(r"^\W{0,4}(?:date|created|datum|data|fecha)\W{0,4}:\W{0,4}\s*(.+)$", re.IGNORECASE)
_CREATED: Final = (
    "date", "datetime", "created", "created at", "created on", "creation date", "date created", "created time",
    "published", "published at", "publish date", "pubdate", "day", "when",
)  # fmt: skip
_CHANGED: Final = ("updated", "updated at", "modified", "last modified", "lastmod", "date modified", "changed")
_ALWAYS_DATES: Final = frozenset({*_CREATED, *_CHANGED} - {"day", "when", "published", "changed", "created", "updated"})
"""Keys whose values are dates; the others may be a weekday, a name, or whether something is so."""
_TAG_KEYS: Final = ("tags", "tag", "keywords")


@dataclass(frozen=True)
class _Time:
    moment: Moment
    certainty: str


@dataclass(frozen=True)
class _Part:
    """A piece of a file that is one note."""

    text: str
    title: str
    line: int
    time: _Time | None


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Notes with their front matter's keys and `_title`, `_text`, `_time`, `_precision`, `_certainty`, `_tags`, …

    Raises HostileInput for a file larger than the limit on one record.
    """
    most = context.limits.record_bytes
    with file.open() as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise HostileInput(f"{file.path}: a note larger than {most} bytes")
    keys, body, complaint = split_front_matter(plain(decode(data)))
    if complaint:
        yield BadRecord(file.path, "front matter", complaint, key="front matter")
    yield from _unread_dates(file.path, keys)
    body, turns = without_turns(body)
    if turns:
        yield BadRecord(file.path, "note", OWN_TURN, turns)
    body = body.strip("\n")
    if not body.strip() and not keys and turns:
        return
    if not body.strip() and not keys:
        yield BadRecord(file.path, "note", "an empty note")
        return
    name = PurePosixPath(file.path.rsplit("!", 1)[-1]).name
    name = re.sub(r"\.(?:md|markdown|mdown|txt)$", "", name, flags=re.IGNORECASE)
    identities = Identities()
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="id")
    for part in _parts(body, keys, name):
        record = _record(part, keys, name, identities)
        identifiers.take(record, f"line {part.line}", part.title, record.get("_time"), part.text)
        yield record
    yield from tally.report()


def _unread_dates(path: str, keys: dict[str, Any]) -> Iterator[BadRecord]:
    """Values of keys that are always dates which are none."""
    for key, value in keys.items():
        if _usual(key) in _ALWAYS_DATES and value not in (None, "") and moment_of(value) is None:
            yield BadRecord(path, "front matter", f"no complete date: {_json(value)!s}"[:200], key=key)


def _record(part: _Part, keys: dict[str, Any], name: str, identities: Identities) -> Record:
    record = as_told((key, _json(value)) for key, value in keys.items())
    record["_title"], record["_text"], record["_name"] = part.title, part.text, name
    if part.time is not None:
        record["_time"] = part.time.moment.iso
        record["_precision"] = part.time.moment.precision
        record["_certainty"] = part.time.certainty
    record["_tags"] = list(dict.fromkeys([*_front_tags(keys), *_inline_tags(part.text)]))
    items = _items(part.text)
    record["_items"], record["_itemsDone"] = [text for text, _ in items], [text for text, done in items if done]
    own = next((keys[key] for key in ("id", "uid", "uuid", "guid") if isinstance(keys.get(key), str | int)), None)
    moment = record.get("_time")
    # The name of the file is left out: notes are renamed and moved more often than they are written anew.
    record["_id"] = identities.number(str(own)) if own else identities.of(part.title, moment, part.text)
    return record


def _json(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    return [_json(item) for item in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- parts of a file


def _parts(body: str, keys: dict[str, Any], name: str) -> Iterator[_Part]:
    headings = list(_headings(body))
    lines = body.split("\n")
    dated = [(line, level, text, moment) for line, level, text in headings if (moment := date_at_start(text))]
    level = dated[0][1] if dated else 0
    sections = [entry for entry in dated if entry[1] == level]
    if len({entry[3].iso for entry in sections}) < 2:
        time = _front_time(keys) or _body_time(headings, lines) or _name_time(name) or _changed_time(keys)
        yield _Part(body, _title(keys, headings, name), 1, time)
        return
    before = "\n".join(lines[: sections[0][0]]).strip("\n")
    if before and not all(_heading(line) or not line.strip() for line in before.split("\n")):
        yield _Part(before, _title(keys, headings[:1], name), 1, _front_time(keys))
    ends = [entry[0] for entry in sections[1:]] + [len(lines)]
    for (line, _, text, moment), end in zip(sections, ends, strict=True):
        title = text[moment.end :].strip(" -–—:,|") or text
        yield _Part("\n".join(lines[line:end]).strip("\n"), title, line + 1, _Time(moment, "stated"))


def _headings(body: str) -> Iterator[tuple[int, int, str]]:
    """Line index, level and text of each heading outside code blocks."""
    fenced, previous = False, ""
    for index, line in enumerate(body.split("\n")):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            if found := _heading(line):
                yield index, *found
            elif (under := _UNDERLINE.match(line)) and previous.strip() and not _ITEM.match(previous):
                yield index - 1, 1 if under.group(1)[0] == "=" else 2, previous.strip()
        previous = line


def _heading(line: str) -> tuple[int, str] | None:
    """Level and text of a line that is a heading, without the signs that may close it."""
    found = _HEADING.match(line)
    if found is None:
        return None
    text = found[2].strip(" \t")
    return len(found[1]), text.rstrip("#").rstrip(" \t") or text[:1]


def _title(keys: dict[str, Any], headings: list[tuple[int, int, str]], name: str) -> str:
    own = next((keys[key] for key in ("title", "Title", "name") if isinstance(keys.get(key), str) and keys[key]), None)
    first = headings[0][2] if headings and headings[0][0] <= 3 else None
    return plain(own or first or name)


# ---------------------------------------------------------------- when


def _front_time(keys: dict[str, Any]) -> _Time | None:
    moment = _keyed(keys, _CREATED)
    if moment is None:
        return None
    clock = next((value for key, value in keys.items() if _usual(key) == "time"), None)
    if moment.precision == "day" and (time := _clock(clock)):
        moment = Moment(f"{moment.iso}T{time[0]}", time[1])
    return _Time(moment, "stated")


def _changed_time(keys: dict[str, Any]) -> _Time | None:
    moment = _keyed(keys, _CHANGED)
    return _Time(moment, "assumed") if moment else None


def _keyed(keys: dict[str, Any], names: tuple[str, ...]) -> Moment | None:
    usual = {_usual(key): value for key, value in keys.items()}
    return next((moment for name in names if name in usual and (moment := moment_of(usual[name]))), None)


def _usual(key: str) -> str:
    return re.sub(r"[_\s-]+", " ", key).strip().lower()


def _clock(value: Any) -> tuple[str, str] | None:
    """A time of day as ISO text, and how precise; YAML reads 18:30 as the number 1110 (sixties)."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 86400:
        minutes, seconds = (value, 0) if value < 1440 else divmod(value, 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}", "minute" if value < 1440 else "second"
    moment = date_in(f"2000-01-01 {value.strip()}") if isinstance(value, str) else None
    return (moment.iso[11:], moment.precision) if moment and moment.precision != "day" else None


def _body_time(headings: list[tuple[int, int, str]], lines: list[str]) -> _Time | None:
    if headings and (moment := date_in(headings[0][2])):
        return _Time(moment, "stated")
    for line in lines[:8]:
        found = _DATE_LINE.match(line)
        if moment := date_at_start(found.group(1)) if found else None:
            return _Time(moment, "stated")
    first = next((line for line in lines if line.strip()), "")
    moment = date_at_start(first.strip(" \t*_"))
    return _Time(moment, "stated") if moment and len(first) - moment.end < 6 else None


def _name_time(name: str) -> _Time | None:
    moment = date_in(name.replace("_", " ") if not re.search(r"\d_\d", name) else name)
    if moment is None:
        return None
    # In a file name only the day is trusted: what follows it is as often a number as a time.
    return _Time(Moment(moment.iso[:10], "day"), "assumed")


# ---------------------------------------------------------------- tags and lists


def _front_tags(keys: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for key, value in keys.items():
        if _usual(key) in _TAG_KEYS:
            parts = re.split(r"[,;]\s*|(?<!\s)\s+(?=#)", value) if isinstance(value, str) else value
            found += [str(part).strip().lstrip("#") for part in (parts if isinstance(parts, list) else [parts])]
    return [tag for tag in found if tag and tag != "None"]


def _inline_tags(text: str) -> list[str]:
    without_code = re.sub(r"`[^`\n]*`|https?://\S+", " ", "\n".join(_prose(text)))
    return [tag.rstrip("/-") for tag in _TAG.findall(without_code)]


def _items(text: str) -> list[tuple[str, bool]]:
    found = (_ITEM.match(line) for line in _prose(text))
    return [(match.group(2).strip(), (match.group(1) or " ") in "xX") for match in found if match]


def _prose(text: str) -> Iterator[str]:
    """Lines outside code blocks."""
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield line


def _recognise(file: InputFile) -> float:
    return markdown_score(file.head(), file.path)


FORMAT = Format(
    name="markdown",
    label="Markdown notes",
    map_file="markdown.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "markdown",
)


_SHAPE_HEADING = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_MARKS = (
    _SHAPE_HEADING,
    re.compile(r"^\S.*\n(?:={3,}|-{3,})[ \t]*$", re.MULTILINE),
    re.compile(r"^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]", re.MULTILINE),
    re.compile(
        r"(?<!!)\[[^\]\n]{1,200}\]\((?:https?:|/|\.|#|mailto:)[^)\s]{0,2000}\)|!\[[^\]\n]{0,400}\]\([^)\n]{1,400}\)|\[\[[^\[\]\n]{1,400}\]\]"
    ),
    re.compile(r"(?<![\w*])\*\*[^*\n]{1,200}\*\*(?!\*)|(?<!\w)__[^_\n]{1,200}__(?!\w)"),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^>[ \t]+\S", re.MULTILINE),
)
_LIST = re.compile(r"^[ \t]*[-*+][ \t]+\S", re.MULTILINE)
_CHAT = re.compile(
    r"^[\u200e\u200f]?\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d\d[^\n]{0,12}?(?:\]| -) ", re.MULTILINE
)
_CLIPPINGS = re.compile(r"^={10}[ \t]*$", re.MULTILINE)
_OTHER = re.compile(
    r"\A#!|^@(?:prefix|base) |^(?:PREFIX|BASE) +\S*:? ?<|\A(?:From |BEGIN:|<|\{|window\.)", re.MULTILINE
)


def markdown_score(head: bytes, path: str) -> float:
    """0 to 0.8. `path` counts only for a text without any mark, which nothing in its content could tell."""
    if not head.strip() or looks_binary(head):
        return 0.0
    text = plain(decode(head))
    keys, body, _ = split_front_matter(text)
    if keys:
        return 0.8
    if _OTHER.search(text) or json_shape(head) is not None or _is_something_else(text):
        return 0.0
    if _SHAPE_HEADING.match(body):
        return 0.0 if _is_table(text) else 0.7
    kinds = sum(1 for mark in _MARKS if mark.search(body))
    if kinds and not _is_table(text):
        return 0.6 if kinds > 1 else 0.4
    if len(_LIST.findall(body)) > 1 and not _is_table(text):
        return 0.3
    named = path.lower().endswith((".md", ".markdown", ".mdown"))
    return 0.2 if named else 0.0


def _is_something_else(text: str) -> bool:
    """A chat's log or the clippings of an e-reader: texts with marks of their own."""
    return len(_CHAT.findall(text)) > 2 or len(_CLIPPINGS.findall(text)) > 1


def _is_table(text: str) -> bool:
    """Whether most rows have the same number, at least three, of fields: CSV."""
    for delimiter in (",", ";", "\t"):
        try:
            rows = [row for row in islice(csv.reader(io.StringIO(text), delimiter=delimiter), 20) if row]
        except csv.Error:
            continue
        if len(rows) > 1 and len(rows[0]) > 2:
            same = sum(1 for row in rows if len(row) == len(rows[0]))
            if same * 4 >= len(rows) * 3:
                return True
    return False
