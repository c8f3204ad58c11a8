"""Follow-ups that a language model puts into self-contained words, where the rules' own
(planner/followups/followups.py) have no answer.

A model is shown the package's prompt and the questions as they were typed: no answer, no event, nothing that rules made
of either. What it says is one line of text, bounded, and a question like any other: it is planned and checked anew.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...errors import ModelUnreachable
from ...store.words import fold
from ..proposers.language import Complete, Message, prompt

LONGEST: Final = 300
"""Characters of a question that is sent, or taken from an answer."""
MOST_EARLIER: Final = 8
MOST: Final = 3
"""Questions that are taken of all answers."""
_EXAMPLES: Final = (
    (("How many concerts did I go to in 2022?", "and the year after?"), "How many concerts did I go to in 2023?"),
    (
        ("Which shop did I spend most at last year?", "When was I there last?", "no, I meant the year before that"),
        "Which shop did I spend most at the year before last?",
    ),
    (
        ("How long was my longest hike?", "How many films have I seen since May?"),
        "How many films have I seen since May?",
    ),
)
_LED: Final = re.compile(
    r"^(?:[-*>#\s]+|\d{1,2}[.)]\s+|(?:question|output|rewritten|self-contained question)\s*:\s*)+", re.IGNORECASE
)
_QUOTES: Final = "\"'“”„«»` "


@dataclass(frozen=True)
class Rewording:
    """Asks a model to reword follow-ups."""

    complete: Complete

    def questions(self, question: str, earlier: Sequence[str]) -> tuple[str, ...]:
        """Self-contained questions that a follow-up may mean, those that most answers give first; none where the model
        cannot be reached, or answers nothing that is one."""
        shown = [text for text in earlier[-MOST_EARLIER:] if len(text) <= LONGEST]
        if not shown or len(question) > LONGEST:
            return ()
        try:
            answers = self.complete(_messages(question, shown))
        except ModelUnreachable:
            return ()
        said = [text for answer in answers if (text := worded(answer)) and _key(text) != _key(question)]
        votes = Counter(_key(text) for text in said)
        first = {_key(text): text for text in reversed(said)}
        return tuple(first[key] for key, _ in votes.most_common(MOST))


def worded(answer: str) -> str:
    """The question of a model's answer: its first line that has words; empty where nobody would type that."""
    line = next((line for line in answer.splitlines() if any(sign.isalpha() for sign in line)), "")
    text = _LED.sub("", line.strip(_QUOTES)).strip(_QUOTES)
    odd = any(unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs", "Cn") for sign in text)
    return "" if odd or len(text) > LONGEST or not any(sign.isalpha() for sign in text) else text


def _messages(question: str, earlier: Sequence[str]) -> list[Message]:
    turns: list[Message] = [{"role": "system", "content": prompt("follow_up")}]
    for asked, meant in _EXAMPLES:
        turns += [_shown(asked), {"role": "assistant", "content": meant}]
    return [*turns, _shown((*earlier, question))]


def _shown(questions: Sequence[str]) -> Message:
    lines = [f"{place}. {' '.join(text.split())}" for place, text in enumerate(questions, start=1)]
    return {"role": "user", "content": "\n".join(lines)}


def _key(text: str) -> str:
    return fold(text).rstrip("?. !")
