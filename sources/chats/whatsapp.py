"""A chat exported from WhatsApp (iOS `_chat.txt`, Android `WhatsApp Chat with ….txt`), as text or inside its zip."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Final

from ...errors import HostileInput
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally
from ..peek import decode, encoding_of, looks_binary
from ..text import slug
from .conversations import ChatLog, Message
from .whatsapp_lines import Line, day_order, group_name, moment_of, read_line, said_in, spoken, without_marks
from .whatsapp_service import voices_of

__all__ = ["FORMAT"]

_FIRST: Final = 400
"""Lines looked at to recognise a chat."""
_NAMED: Final = re.compile(
    r"whatsapp\W.{0,200}?(?:\b(?:with|mit|avec|con|com|met|med|z|с|ile|dengan)|-|–)\s{1,20}(?P<name>.+)$",
    re.IGNORECASE,
)


def _recognise(file: InputFile) -> float:
    """Lines that begin with a moment and go on with somebody's name and words."""
    head = file.head()
    if looks_binary(head):
        return 0.0
    lines = [line for line in decode(head).splitlines()[:_FIRST] if line.strip()]
    begun = [found for line in lines if (found := read_line(line)) is not None]
    said = sum(1 for line in begun if said_in(line.rest).sender)
    if not said or read_line(lines[0]) is None:
        return 0.0
    return 0.9 if len(begun) > 1 or len(lines) == 1 else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The messages, each with its session and its places. What WhatsApp itself says and what was deleted is counted."""
    last = datetime.fromisoformat(context.now).date() + timedelta(days=2)
    dates: dict[str, None] = {}
    voices = voices_of(_voices(file, context, dates))
    order = day_order(list(dates), last)
    tally = Tally(file.path)
    if not order.certain:
        tally.add("dates", f"nothing in the chat tells day from month: read as {order.order}", key="date")
    with ChatLog(file.path, context, in_order=True) as log:
        name = _name_of(file.path)
        name = name or next(iter(sorted(voices.silent)), None)
        for at, (number, line, whole) in enumerate(_messages(file, context)):
            where = f"line {number}"
            moment, said = moment_of(line, order.order), said_in(whole, voices, first=not at)
            if "\ufffd" in said.text:
                tally.add(where, "bytes that are no text in the file's encoding", key="text")
            if not said.sender:
                name = group_name(said.text) or name
                tally.add(where, "what WhatsApp itself says", group="lines")
            elif moment is None:
                yield BadRecord(file.path, where, f"no date: {line.date:.20}")
            elif said.deleted:
                tally.add(where, "a deleted message", group="lines")
            elif not said.text and not said.attachments:
                tally.add(where, "a message without words", group="lines")
            else:
                precision = "second" if line.to_the_second else "minute"
                told = Message("", said.sender, said.text, moment.isoformat(), precision)
                log.add(told._replace(attachments=said.attachments))
        if name:
            log.name("", name)
        yield from tally.report()
        yield from log.records()


def _voices(file: InputFile, context: ReadContext, dates: dict[str, None]) -> Iterator[tuple[str, str, bool]]:
    """Who says what in a chat, for who is who in it; notes all dates in their order."""
    for _, line, whole in _messages(file, context):
        dates.setdefault(line.date)
        sender, text, mark = spoken(whole)
        if sender:
            yield sender, without_marks(text), mark == "\u200e"


def _messages(file: InputFile, context: ReadContext) -> Iterator[tuple[int, Line, str]]:
    """Each message with the number of its first line and its words on all its lines."""
    most = context.limits.record_bytes
    begun: tuple[int, Line] | None = None
    words: list[str] = []
    size = 0
    with file.open() as stream:
        text = io.TextIOWrapper(stream, encoding=encoding_of(file.head()), errors="replace", newline=None)
        number = 0
        while line := text.readline(most + 1):
            number += 1
            size += len(line)
            if size > most:
                raise HostileInput(f"{file.path}: line {number}: a message longer than {most} characters")
            found = read_line(line)
            if found is None:
                words.append(line)
                continue
            if begun is not None:
                yield *begun, "".join(words)
            begun, words, size = (number, found), [found.rest], len(line)
    if begun is not None:
        yield *begun, "".join(words)


def _name_of(path: str) -> str | None:
    """The name of a chat by that of its file, its folder or its archive ("WhatsApp Chat with Ann.txt")."""
    for part in reversed(re.split(r"[/\\!]", path)):
        found = _NAMED.search(re.sub(r"\.(txt|zip)$", "", part, flags=re.IGNORECASE))
        if found is not None:
            return found["name"].strip()
    return None


def _source_name(file: InputFile) -> str:
    name = _name_of(file.path)
    parts = [PurePosixPath(part).stem for part in re.split(r"[/\\!]", file.path)]
    if name is None and parts[-1] == "_chat" and len(parts) > 1:
        name = parts[-2]
    return f"whatsapp-{slug(name or parts[-1])}".rstrip("-")


FORMAT = Format(
    name="whatsapp",
    label="WhatsApp chat",
    map_file="chat.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
