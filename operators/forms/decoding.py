"""Logical forms as the steps of a decoder: what may come next, and steps to form.

Operators stand before their arguments. Behind each that gives events stand its conditions, each an attribute, a
comparison and words, until STOP. Words are spans of the question (a first and a last word), or words that forms use
unasked, until CLOSE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from .grammar import EVENTS, OPERATORS, TESTS, VALUES, Form, Sort, Words

STOP: Final = "<stop>"
CLOSE: Final = "<close>"
END: Final = "<end>"
BETWEEN: Final = "|"
"""Stands between a question and the one before it."""
PERSON: Final = "a person"
OWNER: Final = "the owner"
KINDS: Final = (PERSON, OWNER)
"""What is known of a word besides the attributes that have it as a value: it names somebody, or whose life it is."""
SYMBOLS: Final = (END, STOP, CLOSE, *TESTS, *OPERATORS)


class Want(IntEnum):
    """What may come next."""

    VALUE = 0
    EVENTS = 1
    KEY = 2
    TEST = 3
    WORDS = 4
    MORE_WORDS = 5
    LAST_WORD = 6
    CONDITION = 7
    END = 8


_WANTS: Final[Mapping[Sort, Want]] = {
    Sort.VALUE: Want.VALUE,
    Sort.EVENTS: Want.EVENTS,
    Sort.KEY: Want.KEY,
    Sort.TEST: Want.TEST,
    Sort.WORDS: Want.WORDS,
}


@dataclass(frozen=True)
class Step:
    """One step: a symbol, an attribute, a word that is known, or the place of a word of the question."""

    symbol: str = ""
    key: str = ""
    word: str = ""
    place: int = -1


@dataclass(frozen=True)
class State:
    """What is still to be said, the next first; `first` is the place where a span began."""

    wanted: tuple[Want, ...] = (Want.VALUE,)
    first: int = -1

    @property
    def next(self) -> Want:
        return self.wanted[0] if self.wanted else Want.END

    def after(self, step: Step) -> State:
        """The state behind one step, which must be one that is allowed."""
        want, rest = self.next, self.wanted[1:]
        if want in (Want.VALUE, Want.EVENTS):
            said = tuple(_WANTS[sort] for sort in OPERATORS[step.symbol] if step.symbol != "where")
            behind = (Want.CONDITION,) if step.symbol in EVENTS else ()
            return State((*said, *behind, *rest))
        if want is Want.CONDITION:
            return State(rest) if step.symbol == STOP else State((Want.TEST, Want.WORDS, Want.CONDITION, *rest))
        if want in (Want.WORDS, Want.MORE_WORDS):
            if step.symbol == CLOSE:
                return State(rest)
            if step.place >= 0:
                return State((Want.LAST_WORD, *rest), step.place)
            return State((Want.MORE_WORDS, *rest))
        if want is Want.LAST_WORD:
            return State((Want.MORE_WORDS, *rest))
        return State(rest)


ALLOWED: Final[Mapping[Want, tuple[str, ...]]] = {
    Want.VALUE: tuple(VALUES),
    Want.EVENTS: tuple(name for name in EVENTS if name != "where"),
    Want.KEY: (),
    Want.TEST: TESTS,
    Want.WORDS: (),
    Want.MORE_WORDS: (CLOSE,),
    Want.LAST_WORD: (),
    Want.CONDITION: (STOP,),
    Want.END: (END,),
}
"""The symbols that may come; attributes may at KEY and CONDITION, words at WORDS and MORE_WORDS."""


def form_of(steps: Sequence[Step], words: Sequence[str], gaps: Sequence[str] | None = None) -> Form:
    """The form that steps say of a question given as words; `gaps` says what stands between each word and the next."""
    return _Builder(steps, words, gaps).form()


@dataclass
class _Builder:
    steps: Sequence[Step]
    words: Sequence[str]
    gaps: Sequence[str] | None
    at: int = 0

    def _next(self) -> Step:
        self.at += 1
        return self.steps[self.at - 1]

    def form(self) -> Form:
        name = self._next().symbol
        form = Form(name, tuple(self._argument(sort) for sort in OPERATORS[name]))
        if name in EVENTS:
            while self.steps[self.at].symbol != STOP:
                form = Form("where", (form, *(self._argument(sort) for sort in OPERATORS["where"][1:])))
            self._next()
        return form

    def _argument(self, sort: Sort) -> Form | Words | str:
        if sort in (Sort.VALUE, Sort.EVENTS):
            return self.form()
        if sort is Sort.WORDS:
            return Words(self._said())
        step = self._next()
        return step.key or step.symbol

    def _said(self) -> str:
        parts: list[str] = []
        while (step := self._next()).symbol != CLOSE:
            parts.append(self._span(step.place, self._next().place) if step.place >= 0 else step.word)
        return " ".join(parts)

    def _span(self, first: int, last: int) -> str:
        if self.gaps is None:
            return " ".join(self.words[first : last + 1])
        return "".join(self.words[at] + (self.gaps[at] if at < last else "") for at in range(first, last + 1))
