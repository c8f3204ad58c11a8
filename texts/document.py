"""A text event made ready for reading: what was written, by whom, when, and where each part stands.

Models and lexicons see one string, `text`; its parts (title, location, body) keep their places in it, so that a span
that was found can be shown where it stands. Source: the paper's verbalised events (ReQAP section 3.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

SEPARATOR: Final = " | "


class TextKind(StrEnum):
    """What sort of text it is; `RECORD` is an entry of any other source that has text."""

    CALENDAR = "calendar"
    MAIL = "mail"
    POST = "post"
    NOTE = "note"
    CHAT = "chat"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Document:
    """One text event. `written` is when it was written (of a calendar entry: its start); `start` and `end` are the
    event's own times where its source is about happenings (a calendar), else None. All times are wall-clock.

    `by_owner`: whether the person whose life it is wrote it.
    """

    event: str
    kind: TextKind
    title: str
    body: str
    written: datetime
    location: str = ""
    sender: str = ""
    recipients: tuple[str, ...] = ()
    by_owner: bool = True
    start: datetime | None = None
    end: datetime | None = None
    hints: tuple[str, ...] = ()
    """What lexicon and profile know about its words (texts/hints.py), for models."""

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """(name, text) of the parts that say something, in the order in which they stand in `text`."""
        named = (("title", self.title), ("location", self.location), ("body", self.body))
        return tuple((name, text.strip()) for name, text in named if text.strip())

    @property
    def text(self) -> str:
        """Title, location and body as one string; spans are offsets in it."""
        return SEPARATOR.join(text for _, text in self.parts)

    def place_of(self, part: str) -> tuple[int, int] | None:
        """Where a part stands in `text`."""
        at = 0
        for name, text in self.parts:
            if name == part:
                return at, at + len(text)
            at += len(text) + len(SEPARATOR)
        return None

    @property
    def heading(self) -> str:
        """What sort of text it is and from whom, in a few words, for models."""
        if self.kind is TextKind.MAIL or self.kind is TextKind.CHAT:
            return f"my {self.kind}" if self.by_owner else f"{self.kind} from {self.sender}"
        return {TextKind.CALENDAR: "calendar entry", TextKind.POST: "my post", TextKind.NOTE: "my note"}.get(
            self.kind, "record"
        )


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a document's `text`, with a score from 0 to 1.

    `value` is what a model says in its own words, None where the characters themselves are the value.
    """

    start: int
    end: int
    score: float = 1.0
    value: str | None = None
