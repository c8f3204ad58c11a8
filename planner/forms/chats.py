"""Messages of chats: `events("messages", …)` with who wrote, to whom, when, in which chat and session, about what.

Times, sessions and chats are words of a leaf, which rules read; who wrote is a FILTER, what was written about a
RETRIEVE over what these leave (Alonso et al. 2024: metadata first, then content).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ...errors import NotUnderstood
from ...operators.expressions import Literal, Node
from ...operators.message_queries import MESSAGES, Content, MessageQuery
from ...operators.nodes import AttributeType, Retrieve
from .building import compared, extracted, kept, open_leaf, own
from .leaves import CLOCK, Condition, Leaves

PHRASE: Final = "messages"
"""What forms call messages, whatever a question says."""
COUNTED: Final = f"{MESSAGES} counted"
"""Messages that are counted: those of the day that is said, be there none; else the talk nearest to it is meant."""
_TO: Final = frozenset({"me", "us", "i", "we"})
_ALL: Final = frozenset(
    {"we", "us", "they", "people", "everybody", "everyone", "anyone", "anybody", "somebody", "someone"}
)
_SESSION: Final = re.compile(
    r"\b(?:sessions?|conversations?|discussions?|chats?|talks?|dialogues?|convos?|exchanges?|catch-?ups?|times?|ago)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True)
class Chats:
    """Lowers messages. `speaker` gives who wrote as the data writes it; it raises NotUnderstood. `counted`: of a day
    without messages there are none."""

    leaves: Leaves
    speaker: Callable[[str], str]
    counted: bool = True

    def lowered(self, conditions: Sequence[Condition]) -> Node:
        """The messages. Raises NotUnderstood for a condition that messages do not have."""
        worded = [one for one in conditions if one[0] in CLOCK]
        when, rest = self.leaves.worded("", worded)
        people: list[Condition] = []
        topics: list[str] = []
        places = with_whom = ""
        for key, test, words in (*rest, *(one for one in conditions if one[0] not in CLOCK)):
            if key == "text" and test == "=":
                topics.append(words)
            elif key in ("sender", "recipient") and test in ("=", "!="):
                people.append((key, test, words))
            elif test != "=" or key not in ("participant", "chat", "session"):
                raise NotUnderstood(f"messages have no {key} to go by", words=(words,))
            elif key != "participant":
                places += f", in the chat {words}" if key == "chat" else f", {_session(words)}"
            elif words.casefold() not in _TO:
                with_whom = f" with {self.speaker(words)}"
        made: Node = open_leaf((COUNTED if self.counted else MESSAGES) + with_whom + places + when)
        about = " and ".join(topics)
        if topics and not self.counted and len(people) == 1 and people[0][:2] == ("sender", "="):
            about = f"what {people.pop()[2]} said about {about}"  # the answer to it may tell more: no condition
        for one in people:
            made = self._of(made, *one)
        content = Content.MENTION if self.counted else Content.ABOUT
        return Retrieve(str(MessageQuery(content, about)), made) if topics else made

    def _of(self, messages: Node, key: str, test: str, words: str) -> Node:
        """Messages that somebody wrote, or was written."""
        is_own = key == "recipient" and words.casefold() in _TO
        if words.casefold() in _ALL and not is_own:
            return messages
        who = Literal(self.speaker("I" if is_own else words))
        if key == "sender" or is_own:
            sign = "==" if (test == "=") != is_own else "!="  # what I was written, others wrote
            return kept(extracted(messages, "sender", AttributeType.STR), compared(own("sender"), sign, who))
        told = extracted(messages, "addressed_person", AttributeType.LIST)
        return kept(told, compared(who, "in" if test == "=" else "not in", own("addressed_person")))


def _session(words: str) -> str:
    """Which session, as a phrase: "second" is "in the second session"."""
    if _SESSION.search(words):
        return words
    if _NUMBER.fullmatch(words):
        return f"in session {words}"
    return f"in {'' if words.casefold().startswith('the ') else 'the '}{words} session"
