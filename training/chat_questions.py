"""Questions that train the router of talk: those written by hand, in more words of the same kinds, by a seed.

Names, times and topics take the places of others; one question in five is carelessly typed. Questions of a
grammar of lives are added as such that are not about what was said.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import ConfigError
from ..models.planning.chat_router import KINDS, PARTS
from ..texts.tokens import pieces, split
from .corpus import CORPUS, read_corpus

DATA: Final = Path(__file__).parent / "data" / "chat.txt"
_KINDS: Final = dict(zip("NMCBA", KINDS, strict=True))
_MARKS: Final = {"[": "time", "<": "speaker", "{": "topic"}
_CLOSE: Final = {"[": "]", "<": ">", "{": "}"}
"""What planner.proposers.sketching counts as words."""
_NAMES: Final = (
    *("Alice", "Ben", "Carol", "Dave", "Emma", "Frank", "Giulia", "Henk", "Ivana", "Jack", "Karim", "Lucy", "Mei"),
    *("Noah", "Olga", "Paul", "Quentin", "Rosa", "Stefan", "Tina", "Umar", "Vera", "Will", "Xenia", "Yara", "Zoe"),
    *("my sister", "Uncle Pete", "the boss", "Mrs Hall", "my flatmate", "Granny", "he", "she"),
)
_ABOUT: Final = re.compile(r"\b(?:about|of|on|regarding|re|mention(?:ed)?|concerning) \{([^{}\[\]<>]+)\}")
_PREPOSITIONAL: Final = re.compile(r"(?i)(?:on|in|at|from|of|during|since|between|over|by|to|as|with)\b")
_SWAPPED: Final = 0.6
_CARELESS: Final = 0.2


@dataclass(frozen=True)
class ChatQuestion:
    """A question as words, its kind (of KINDS), and what each word is (of PARTS)."""

    words: tuple[str, ...]
    kind: str
    parts: tuple[str, ...]


def written(path: Path = DATA) -> tuple[str, ...]:
    """The lines of a file of marked questions, without its remarks."""
    return tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))


def read(line: str) -> ChatQuestion:
    """A marked question. Raises ConfigError for one whose kind or marks are none."""
    kind = _KINDS.get(line[:1])
    if kind is None or line[1:2] != " ":
        raise ConfigError(f"no kind of question begins “{line[:30]}”")
    words: list[str] = []
    parts: list[str] = []
    open_marks: list[str] = []
    for text in re.split(r"([\[\]<>{}])", line[2:]):
        if text in _MARKS:
            open_marks.append(text)
        elif open_marks and text == _CLOSE[open_marks[-1]]:
            open_marks.pop()
        elif text in ("]", ">", "}"):
            raise ConfigError(f"“{text}” closes nothing: {line}")
        else:
            found = [piece.text for piece in pieces(text)]
            words += found
            parts += [_MARKS[open_marks[-1]] if open_marks else PARTS[0]] * len(found)
    if open_marks:
        raise ConfigError(f"“{open_marks[-1]}” is not closed: {line}")
    return ChatQuestion(tuple(words), kind, tuple(parts))


def questions(count: int, seed: int, path: Path = DATA) -> Iterator[ChatQuestion]:
    """So many variants of the written questions, each of these in turn, then an eighth as many of the grammar's."""
    rng = random.Random(seed)
    lines = written(path)
    pools = _Pools.of(lines)
    for made in range(count):
        line = lines[made % len(lines)]
        yield _typed(read(line if made < len(lines) else pools.varied(line, rng)), rng)
    others = read_corpus(CORPUS / "train.jsonl")
    for one in rng.sample(others, min(len(others), count // 8)):
        words = tuple(split(one.question))
        yield ChatQuestion(words, KINDS[0], (PARTS[0],) * len(words))


@dataclass(frozen=True)
class _Pools:
    """What may take a place: times with a preposition and without, topics that are nouns."""

    times: tuple[tuple[str, ...], tuple[str, ...]]
    topics: tuple[str, ...]

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Pools:
        times = [found for line in lines for found in re.findall(r"\[([^\[\]]+)\]", line)]
        bare = tuple(one for one in times if not _PREPOSITIONAL.match(one) and len(one.split()) <= 4)
        led = tuple(one for one in times if _PREPOSITIONAL.match(one))
        return cls((bare, led), tuple(found for line in lines for found in _ABOUT.findall(line)))

    def varied(self, line: str, rng: random.Random) -> str:
        """The line with some of its names, times and topics in others' places."""
        if rng.random() < _SWAPPED:
            line = re.sub(r"<[^<>]+>", lambda _: f"<{rng.choice(_NAMES)}>", line)
        if rng.random() < _SWAPPED:
            line = re.sub(r"\[([^\[\]]+)\]", lambda match: f"[{self._time(match[1], rng)}]", line)
        if rng.random() < _SWAPPED:
            line = _ABOUT.sub(lambda match: match[0].replace(match[1], rng.choice(self.topics)), line)
        return line

    def _time(self, old: str, rng: random.Random) -> str:
        if old[:2].isupper() or not old:
            return old
        return rng.choice(self.times[1 if _PREPOSITIONAL.match(old) else 0])


def _typed(asked: ChatQuestion, rng: random.Random) -> ChatQuestion:
    """The question as people type: without its last sign, sometimes with a letter too few."""
    words, parts = list(asked.words), list(asked.parts)
    if rng.random() < _SWAPPED and len(words) > 1 and words[-1] in ".?!":
        words.pop()
        parts.pop()
    if rng.random() < _CARELESS:
        place = rng.randrange(len(words))
        if len(words[place]) > 3:
            at = rng.randrange(1, len(words[place]))
            words[place] = words[place][:at] + words[place][at + 1 :]
    return ChatQuestion(tuple(words), asked.kind, tuple(parts))
