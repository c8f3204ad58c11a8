"""RETRIEVE's queries over messages of chats, which are ranked by what they say instead of classified."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MESSAGES: Final = "chat messages"
"""The query of all messages; those of some messages begin with it."""


class Content(StrEnum):
    """How messages are chosen by what they say."""

    ABOUT = "about"
    """The messages of a list that speak of something, ranked."""
    MENTION = "that mention"
    """Every message of a list that speaks of something."""


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """A query for messages with a content: `chat messages about the puppy`."""

    content: Content
    topic: str

    def __str__(self) -> str:
        return f"{MESSAGES} {self.content} {self.topic}"


def read_message_query(query: str) -> MessageQuery | None:
    """The content that a query asks messages for; None for another query."""
    for content in Content:
        begin = f"{MESSAGES} {content} "
        if query.startswith(begin):
            return MessageQuery(content, query.removeprefix(begin))
    return None


def is_of_messages(query: str) -> bool:
    """Whether a query asks for messages of chats, whichever."""
    return query.startswith(MESSAGES)
