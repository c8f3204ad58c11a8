"""What a follow-up was read as took from earlier turns, so that a person sees it and can object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...store.words import fold
from ...texts.tokens import atoms

__all__ = ["Leaning", "Said", "leanings"]

_TELLING: Final = 3
"""Letters that a word has more of if it tells one turn from another."""


@dataclass(frozen=True)
class Said:
    """An earlier turn: its place, from 1, its question, and all that was said in it."""

    number: int
    question: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Leaning:
    """Words that a follow-up is read with, and the turn that they are from."""

    number: int
    question: str
    words: tuple[str, ...]

    @property
    def told(self) -> str:
        """The same for people."""
        return f"leans on question {self.number}, “{self.question}”: {' '.join(self.words)}"


def leanings(question: str, resolved: str, turns: Sequence[Said]) -> Iterator[Leaning]:
    """The turns that the words of `resolved` which `question` has not are from, those with most of them first; of
    equals the later one."""
    own = set(_words(question))
    missing = [word for word in dict.fromkeys(_words(resolved)) if word not in own]
    left = list(turns)
    while missing and left:
        held = {turn.number: {word for text in turn.texts for word in _words(text)} for turn in left}
        best = max(left, key=lambda turn: (sum(word in held[turn.number] for word in missing), turn.number))
        taken = tuple(word for word in missing if word in held[best.number])
        if not taken or (len(left) < len(turns) and not any(len(word) > _TELLING for word in taken)):
            return
        yield Leaning(best.number, best.question, taken)
        missing = [word for word in missing if word not in taken]
        left.remove(best)


def _words(text: str) -> list[str]:
    return atoms(fold(text))
