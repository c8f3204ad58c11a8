"""The journal of `reqap-kg chat` and of `Dialogue`: what was asked and answered, a line a turn
(engine/conversation/dialogue.py).

It is no export: an import refuses it, since what is asked of the system is no event of one's life. It is read into a
store of its own (engine/conversation/kept.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ...ontology.namespaces import DIALOGUE_SOURCE, DIALOGUES
from ..base import BadRecord, Format, InputFile, ReadContext, Record
from ..json.jsonstream import json_lines
from ..peek import json_shape
from ..record_times import time_under
from ..text import plain
from .conversations import ChatLog, Message

__all__ = ["FORMAT", "OWN_TURN", "is_turn", "without_turns"]

OWN_TURN: Final = "said in a dialogue with reqap-kg, no event of your life"
_MARK: Final = "reqap_kg_turn"
"""The key of every line that a journal has, and of nothing else: by it a turn is known in whatever file it stands."""
_NESTED: Final = 3
_LINE = re.compile(r"^[ \t>*+\-`]{0,20}\{[^{}\n]{0,200}\"reqap_kg_turn\"[ \t]{0,5}:.*\n?", re.MULTILINE)
_KEYS = (_MARK, "time", "sender", "text")


def is_turn(value: Any, deep: int = 0) -> bool:
    """Whether an object is a turn of a journal, or holds one."""
    if isinstance(value, dict):
        return _MARK in value or (deep < _NESTED and any(is_turn(inner, deep + 1) for inner in value.values()))
    return deep < _NESTED and isinstance(value, list) and any(is_turn(inner, deep + 1) for inner in value)


def without_turns(text: str) -> tuple[str, int]:
    """A text without the lines that are turns of a journal, and how many these were."""
    return _LINE.subn("", text) if _MARK in text else (text, 0)


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    return 1.0 if shape is not None and shape.kind in ("lines", "object") and shape.has(*_KEYS) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The turns as messages of a chat. A question at the end is left out until it is answered: it is the
    one that is being asked."""
    with ChatLog(file.path, context, in_order=True) as log:
        log.name("", DIALOGUE_SOURCE)
        waiting: list[Message] = []
        for element in json_lines(file, context.limits):
            if isinstance(element, BadRecord):
                yield element
                continue
            told = element.value if isinstance(element.value, dict) else {}
            sender, text = told.get("sender"), told.get("text")
            time = time_under(told, "time")
            if not isinstance(sender, str) or not isinstance(text, str) or time is None:
                yield BadRecord(file.path, element.where, "not a turn of a dialogue")
                continue
            number = str(told.get("reqap_kg_turn", ""))
            waiting.append(Message("", plain(sender), plain(text), time.start, "second", own_id=number))
            for message in waiting if sender == DIALOGUE_SOURCE else waiting[:-1]:
                log.add(message)
            waiting = [] if sender == DIALOGUE_SOURCE else waiting[-1:]
        yield from log.records()


FORMAT = Format(
    name=DIALOGUES,
    label="dialogue with reqap-kg",
    map_file="chat.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: DIALOGUES,
)
