"""Kindle: highlights and notes of `My Clippings.txt`, to which the device appends whatever is marked or changed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...config import Limits
from ...errors import HostileInput
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, digest
from ..peek import decode, encoding_of, looks_binary
from ..tables import MARK_BYTES
from .kindle_dates import added_on, kind_of, page_of, place_of
from .record import put

__all__ = ["FORMAT"]

_END: Final = "=========="
_BAD_BYTES: Final = re.compile("[\udc80-\udcff]")
_SAME: Final = 12
"""A highlight at the same place that begins with the same characters is the same one, made longer or shorter."""


def _recognise(file: InputFile) -> float:
    head = file.head()
    if looks_binary(head):
        return 0.0
    lines = decode(head).lstrip("\ufeff").splitlines()[:400]
    is_clipping = len(lines) > 2 and bool(lines[0].strip()) and lines[1].startswith("- ") and "|" in lines[1]
    return 1.0 if is_clipping and any(line.strip() == _END for line in lines[2:]) else 0.0


@dataclass(frozen=True, slots=True)
class _Clipping:
    where: str
    title: str
    meta: str
    text: str
    is_cut: bool = False

    @property
    def what(self) -> str:
        """What the device says of it besides when it was added."""
        return self.meta.rpartition("|")[0]

    @property
    def kind(self) -> str:
        return kind_of(self.what) or ("highlight" if self.text else "bookmark")

    @property
    def key(self) -> str:
        """What a later version of the same clipping has, too."""
        place = place_of(self.what) or page_of(self.what)
        begin = str(place).partition("-")[0] if place is not None else self.text
        return digest((self.title, self.kind, begin, "" if self.kind == "note" else self.text[:_SAME].casefold()))


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Highlights and notes; `_start` is on the device's clock, whose zone is not told."""
    newest = {clip.key: clip.where for clip in _clippings(file, context.limits) if isinstance(clip, _Clipping)}
    identities = Identities()
    tally = Tally(file.path)
    for clip in _clippings(file, context.limits):
        if isinstance(clip, BadRecord):
            yield clip
            continue
        reason = _reason(clip, newest)
        if reason is not None:
            tally.add(clip.where, reason)
            continue
        record = _record(clip)
        if "_start" not in record:
            tally.add(clip.where, f"no date that can be read: {clip.meta.rpartition('|')[2].strip()!r:.60}", key="date")
        told = (clip.kind, record.get("_placeInBook"), record.get("_page"), record.get("_start"))
        record["_id"] = identities.of(clip.title, *told)
        yield record
    yield from tally.report()


def _reason(clip: _Clipping, newest: dict[str, str]) -> str | None:
    """Why a clipping is no event."""
    if clip.is_cut:
        return "the file is cut off in this clipping"
    if clip.kind == "bookmark":
        return "a bookmark: it says nothing"
    if not clip.text:
        return f"an empty {clip.kind}"
    return "changed later: the newest version is read" if newest[clip.key] != clip.where else None


def _record(clip: _Clipping) -> Record:
    title, author = _book(clip.title)
    record: Record = {"_class": "Note" if clip.kind == "note" else "Highlight"}
    start = added_on(clip.meta.rpartition("|")[2])
    if start is not None:
        record["_start"] = start
    book = {"bookTitle": title, "author": [_forward(name) for name in author.split(";") if name.strip()]}
    place = {"page": page_of(clip.what), "placeInBook": place_of(clip.what)}
    put(record, {"text": clip.text, **book, **place, "label": f"{clip.text[:200]} – {title}"})
    return record


def _book(line: str) -> tuple[str, str]:
    """Title and author of `Dune (Herbert, Frank)`: the last brackets are the author's, whatever stands in them."""
    if not line.endswith(")"):
        return line, ""
    depth = 0
    for at in range(len(line) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(line[at], 0)
        if depth == 0:
            return (line[:at].strip(), line[at + 1 : -1].strip()) if line[:at].strip() else (line, "")
    return line, ""


def _forward(name: str) -> str:
    """`Frank Herbert` of `Herbert, Frank`."""
    last, comma, first = name.strip().partition(", ")
    return f"{first} {last}" if comma and "," not in first else name.strip()


def _clippings(file: InputFile, limits: Limits) -> Iterator[_Clipping | BadRecord]:
    """The parts of the file between lines of `==========`."""
    lines: list[str] = []
    begin, size = 1, 0
    with (
        file.open() as raw,
        io.TextIOWrapper(raw, encoding_of(file.head()), errors=MARK_BYTES) as stream,
    ):
        number = 0
        while line := stream.readline(limits.record_bytes + 1):
            number += 1
            size += len(line)
            if size > limits.record_bytes:
                raise HostileInput(f"{file.path}: the clipping from line {begin} is larger than {limits.record_bytes}")
            if line.strip() != _END:
                lines.append(line.strip("\ufeff\r\n"))
                continue
            yield _clipping(file.path, f"line {begin}", lines)
            lines, begin, size = [], number + 1, 0
    if any(line.strip() for line in lines):
        found = _clipping(file.path, f"line {begin}", lines)
        yield _Clipping(found.where, "", "", "", is_cut=True)


def _clipping(path: str, where: str, lines: list[str]) -> _Clipping | BadRecord:
    while lines and not lines[0].strip():
        lines = lines[1:]
    text = "\n".join(lines)
    if _BAD_BYTES.search(text):
        return BadRecord(path, where, "bytes that are no text in the file's encoding")
    if len(lines) < 2 or not lines[1].startswith("- "):
        return BadRecord(path, where, "no line that says what was marked and when")
    return _Clipping(where, lines[0].strip(" \ufeff"), lines[1][2:].strip(), "\n".join(lines[2:]).strip())


FORMAT = Format(
    name="kindle",
    label="Kindle clippings",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "kindle",
)
