"""The messages in the package of data that Discord gives: for each chat a list of what the person wrote there.

Who the person is and what the chat is called stand in other files of the package (`people.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally
from ..tables import Row, columns_of, rows_of
from ..text import plain
from .conversations import ChatLog, Message, log_name
from .people import chat_named, directory_of

__all__ = ["FORMAT"]

_COLUMNS: Final = ("ID", "Timestamp", "Contents")
_CHAT: Final = re.compile(r"c?(\d{5,25})[/\\][^/\\]*$")


def _recognise(file: InputFile) -> float:
    return 1.0 if set(_COLUMNS) <= set(columns_of(file)) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The messages, all of them the person's."""
    tally = Tally(file.path)
    names = directory_of(file.path, context)
    found = _CHAT.search(file.path)
    with ChatLog(file.path, context) as log:
        log.name("", (chat_named(found[1], names) if found else "") or log_name(file.path))
        for row in rows_of(file, context.limits, _COLUMNS):
            if isinstance(row, BadRecord):
                yield row
                continue
            made = _message(row, names.owner or "me")
            if made is None:
                yield BadRecord(file.path, row.where, f"no date: {row.cells['Timestamp']:.40}")
            elif not made.text and not made.attachments:
                tally.add(row.where, "a message without words")
            else:
                log.add(made)
        yield from tally.report()
        yield from log.records()


def _message(row: Row, sender: str) -> Message | None:
    stated = row.cells["Timestamp"].strip()
    try:
        moment = datetime.fromisoformat(stated)
    except ValueError:
        return None
    # Discord tells UTC, also where it leaves the offset out.
    time = stated if moment.tzinfo else f"{moment.isoformat()}Z"
    attached = tuple(row.cells.get("Attachments", "").split())
    text, own = plain(row.cells["Contents"]), row.cells["ID"].strip()
    return Message("", sender, text, time, "second", own_id=own or None, attachments=attached, mine=True)


FORMAT = Format(
    name="discord-package",
    label="Discord's package of data: messages",
    map_file="chat.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "discord",
)
