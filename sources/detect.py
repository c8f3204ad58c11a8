"""Which export format a file has, told from its content; or what it looks like when no reader knows it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ..config import Limits
from ..errors import UnknownFormat
from ..texts.import_budget import Stopwatch
from .base import Format, InputFile
from .peek import JsonShape, csv_columns, decode, json_shape, known_json, looks_binary
from .registry import formats

__all__ = ["Description", "describe", "detect"]

_HEAD = 65536
_SHOWN = 8
"""How many keys or columns a reason names."""


@dataclass(frozen=True)
class Description:
    """What a file that no reader knows looks like, as the end of "this is …"."""

    text: str
    media: bool = False
    """An image, a sound, a video: part of many exports and never data, so not worth a word inside a folder."""


@dataclass(frozen=True)
class _Peeked:
    """A file whose first bytes are read once for all recognisers."""

    file: InputFile
    first: bytes

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def size(self) -> int:
        return self.file.size

    def open(self) -> Any:
        return self.file.open()

    def head(self, size: int = _HEAD) -> bytes:
        return self.first[:size] if size <= _HEAD else self.file.head(size)


def detect(
    file: InputFile, known: Iterable[Format] | None = None, seconds: float = Limits().recognise_seconds
) -> Format:
    """The format whose reader is surest of the content; `known` replaces the registered formats.

    Raises UnknownFormat, with what the file looks like, when no reader recognises it, HostileInput when that takes more
    than `seconds` of processor time.
    """
    watch = Stopwatch(file.path, seconds)
    peeked = _Peeked(file, file.head(_HEAD))
    scored: list[tuple[float, Format]] = []
    for form in (formats() if known is None else known) if peeked.first else ():
        scored.append((form.recognise(peeked), form))
        watch.check()
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[0] <= 0:
        raise UnknownFormat(f"{file.path}: not a format that is read here: {describe(peeked).text}")
    return best[1]


def describe(file: InputFile) -> Description:
    """What a file looks like, from its first bytes."""
    head = file.head(_HEAD)
    if not head.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return Description("an empty file" if not head else "a file of blanks")
    for pattern, text, media in _MAGIC:
        if re.match(pattern, head, re.DOTALL):
            return Description(text, media)
    if looks_binary(head):
        suffix = PurePosixPath(file.path).suffix
        return Description(
            "binary data" + (f", although its name ends in {suffix}" if suffix in _TEXT_SUFFIXES else "")
        )
    return Description(_describe_text(head))


def _describe_text(head: bytes) -> str:
    text = decode(head).lstrip("﻿ \t\r\n")
    shape = json_shape(head)
    if shape is not None:
        return _describe_json(shape)
    if re.match(r"(?is)(<!--.*?-->\s*)?<(!doctype html|html|head|body)\b", text):
        return next((said for mark, said in _HTML if mark in text), "an HTML page")
    if text.startswith("<"):
        root = re.match(r"(?s)(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+<([\w:.-]+)", text)
        name = root.group(1) if root else ""
        return _XML_ROOTS.get(name, f"XML with the root element {name}" if name else "text that begins like XML")
    if text[:1] in ("{", "[") and head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "JSON in UTF-16; save it as UTF-8"
    if text[:1] in ("{", "[") and text[1:2].strip() in ("", '"', "{", "[", "]", "}"):
        return "text that begins like JSON but is none"
    if (script := re.match(r"window\.YTD\.(\w+)\.part\d+\s*=", text)) is not None:
        return f"the {script.group(1)} part of an X (Twitter) archive"
    if text.startswith("BEGIN:"):
        name = (text[6:26].split() or ["component"])[0].lower()
        return f"text that begins with {text.splitlines()[0][:40]} but is no whole {name}"
    if text.startswith("OFXHEADER"):
        return _XML_ROOTS["OFX"]
    return _describe_table(text, head) or ("plain text" if text.strip() else "a file of blanks")


def _describe_table(text: str, head: bytes) -> str:
    """What CSV a text is; empty for none."""
    header = csv_columns(head)
    if header is None:
        return ""
    if (known := known_json(JsonShape("array", header[1]))) is not None:
        return f"{known}, as CSV; only its JSON is read"
    return f"CSV with the columns {_list(header[1])}" if _is_table(text, header[0], len(header[1])) else ""


def _is_table(text: str, delimiter: str, width: int) -> bool:
    """Whether the rows after the header have about as many cells as it."""
    try:
        rows = list(csv.reader(io.StringIO(text[:4000], newline=None), delimiter=delimiter))[1:4]
    except csv.Error:
        return False
    return bool(rows) and all(len(row) == width for row in rows[:-1] or rows)


def _describe_json(shape: JsonShape) -> str:
    if (other := known_json(shape)) is not None:
        return other
    kind = {"object": "a JSON object", "lines": "JSON Lines of objects", "array": "a JSON list"}[shape.kind]
    if shape.kind == "array" and shape.keys:
        kind = "a JSON list of objects"
    return f"{kind} with the keys {_list(shape.keys)}" if shape.keys else f"{kind} without keys"


def _list(names: tuple[str, ...]) -> str:
    shown = ", ".join(name[:40] for name in names[:_SHOWN])
    return shown + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


_TEXT_SUFFIXES = frozenset({".ics", ".mbox", ".eml", ".json", ".jsonl", ".csv", ".md", ".txt", ".xml", ".js", ".html"})

_MAGIC: tuple[tuple[bytes, str, bool], ...] = (
    (rb"\xff\xd8\xff", "an image (JPEG)", True),
    (rb"\x89PNG\r\n", "an image (PNG)", True),
    (rb"GIF8[79]a", "an image (GIF)", True),
    (rb"RIFF....WEBP", "an image (WebP)", True),
    (rb"RIFF....(WAVE|AVI )", "a sound or video (RIFF)", True),
    (rb"(II\*\0|MM\0\*)", "an image (TIFF)", True),
    (rb"BM.{8}\0\0[^\0]", "an image (BMP)", True),
    (rb"....ftyp(heic|heix|mif1|avif)", "an image (HEIF)", True),
    (rb"....(ftyp|moov|mdat|wide)", "a video or sound (MP4)", True),
    (rb"\x1aE\xdf\xa3", "a video (Matroska)", True),
    (rb"(ID3|\xff[\xfb\xf3\xf2\xf1\xf9])", "a sound (MP3 or AAC)", True),
    (rb"(OggS|fLaC|#!AMR|FORM....AIF)", "a sound", True),
    (rb"(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b", "an image (SVG)", True),
    (rb"%PDF-", "a PDF document", False),
    (rb"SQLite format 3\0", "an SQLite database", False),
    (rb"PK(\x03\x04|\x05\x06)", "a zip archive", False),
    (rb"\x1f\x8b", "a gzip-compressed file", False),
    (rb"(7z\xbc\xaf|Rar!|BZh|\xfd7zXZ)", "an archive of a kind that is not unpacked here", False),
    (rb"........\.FIT", "a FIT activity file", False),
    (rb"\xd0\xcf\x11\xe0", "an old Office document", False),
    (rb"(\x7fELF|MZ)..", "a program", False),
    (rb"bplist", "a binary property list", False),
)
"""What the first bytes of well-known binary files are."""

_HTML = (
    ('class="from_name"', "a chat of Telegram as HTML; export it as JSON"),
    ("chatlog__message", "a chat of Discord as HTML; export it as JSON"),
    ('class="pam ', "a part of a Facebook or Instagram export as HTML; ask for JSON"),
    ('class="_a6-g', "a part of a Facebook or Instagram export as HTML; ask for JSON"),
    (
        "mdl-typography--title",
        "Google My Activity or YouTube history as HTML; choose JSON in Takeout",
    ),
)
"""By what pages of services' exports are known."""
_XML_ROOTS = {
    "gpx": "a GPX track",
    "kml": "a KML map",
    "TrainingCenterDatabase": "a TCX activity file",
    "en-export": "an Evernote export",
    "OFX": "an OFX bank statement",
    "HealthData": "an Apple Health export without its data",
    "ClinicalDocument": "a clinical document of an Apple Health export",
    "plist": "a property list",
    "rss": "an RSS feed",
    "feed": "an Atom feed",
}
