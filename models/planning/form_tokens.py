"""Questions and logical forms as tokens of a causal language model.

    unit("km", sum(distance, events("rowing", time="2022")))
    <unit> km <sum> <@distance> <events> rowing <@time> 2022 <stop> <end>

An operator, a comparison, an attribute that many forms name is one token of our own; other attributes are spelled by
their labels behind <key>. Words are pieces of text and need no quotes: they end where a token of our own stands, <sep>
between two texts. `=` is left out behind an attribute that is one token, and <1> says the one word "1". A form may say
words of its question, and words that forms use unasked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ...operators.forms.decoding import ALLOWED, BETWEEN, CLOSE, END, KINDS, STOP, State, Step, Want
from ...operators.forms.grammar import OPERATORS, TESTS
from .parser import label_of

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ASK: Final = "<ask>"
"""Stands behind a question; the form follows."""
SEP: Final = "<sep>"
KEY: Final = "<key>"
ONE: Final = "<1>"
_EQUAL: Final = "="
_MEANINGS: Final[Mapping[str, str]] = {
    ASK: "answer:",
    END: "end",
    STOP: ";",
    SEP: ",",
    KEY: "key",
    ONE: "one",
    "=": "=",
    "!=": "not",
    ">": "more than",
    "<": "less than",
    ">=": "at least",
    "<=": "at most",
}
"""English for our own tokens, whose vectors they begin as; operators and attributes are named by themselves."""
Prefixes = Mapping[tuple[int, ...], frozenset[int]]
"""What may follow the first tokens of a word."""


@dataclass(frozen=True)
class Spelled:
    """Texts as tokens: the text that some tokens spell, and what may follow the first of these."""

    texts: Mapping[tuple[int, ...], str]
    next: Prefixes

    @property
    def first(self) -> frozenset[int]:
        """What a text may begin with."""
        return self.next.get((), frozenset())


class FormTokens:
    """The vocabulary: `keys` are the attributes that are one token, `words` what forms say unasked, `begin` the token
    that begins a text, `base` the number of tokens of the base model, behind which our own stand."""

    def __init__(self, tokenizer: Tokenizer, base: int, begin: int, keys: Sequence[str], words: Sequence[str]) -> None:
        self._tokenizer, self.base, self.begin = tokenizer, base, begin
        self.keys = tuple(keys)
        operators = [name for name in OPERATORS if name != "where"]
        fixed = (ASK, END, STOP, SEP, KEY, ONE, *TESTS, *operators, *KINDS)
        self.own: tuple[str, ...] = (*fixed, *(f"@{key}" for key in keys))
        self._numbers = {name: base + at for at, name in enumerate(self.own)}
        self._cache: dict[str, tuple[int, ...]] = {}
        self.known = self.spelled(words)

    @cached_property
    def meanings(self) -> list[list[int]]:
        """For each token of our own the tokens of the base model that say it in English."""
        texts = (_MEANINGS.get(name) or label_of(name.removeprefix("@")) for name in self.own)
        return [list(self.text(text)) for text in texts]

    def number(self, name: str) -> int:
        """The number of a token of our own."""
        return self._numbers[name]

    def text(self, words: str) -> tuple[int, ...]:
        """Words as tokens of the base model, a blank before each."""
        found = self._cache.get(words)
        if found is None:
            found = self._cache[words] = tuple(self._tokenizer.encode(f" {words}", add_special_tokens=False).ids)
        return found

    def spelled(self, texts: Iterable[str]) -> Spelled:
        """Texts by their tokens."""
        by_tokens = {self.text(one): one for one in texts}
        following: dict[tuple[int, ...], set[int]] = {}
        for tokens in by_tokens:
            for at, token in enumerate(tokens):
                following.setdefault(tokens[:at], set()).add(token)
        return Spelled(by_tokens, {prefix: frozenset(one) for prefix, one in following.items()})

    def prompt(self, words: Sequence[str], marks: Sequence[frozenset[str]] = ()) -> list[int]:
        """A question given as words, each run of words behind which what the data knows of it stands."""
        ids = [self.begin]
        for at, word in enumerate(words):
            ids += self.text(word)
            told = marks[at] if marks else frozenset[str]()
            if told and (at + 1 == len(words) or marks[at + 1] != told):
                ids += [token for mark in sorted(told) for token in self._mark(mark)]
        return [*ids, self.number(ASK)]

    def _mark(self, mark: str) -> tuple[int, ...]:
        name = mark if mark in KINDS else f"@{mark}"
        return (self._numbers[name],) if name in self._numbers else (self.number(KEY), *self.text(label_of(mark)))

    def say(self, steps: Sequence[Step], words: Sequence[str]) -> list[int]:
        """The steps of a form, END the last, of a question given as words."""
        out: list[int] = []
        state, at = State(), 0
        while at < len(steps):
            step, want = steps[at], state.next
            if want in (Want.WORDS, Want.MORE_WORDS):
                end = next(place for place in range(at, len(steps)) if steps[place].symbol == CLOSE)
                out += self._said(steps[at:end], words, behind_text=bool(out) and out[-1] < self.base)
                for one in steps[at : end + 1]:
                    state = state.after(one)
                at = end + 1
                continue
            if step.key:
                out += self._key(step.key)
            elif step.symbol != _EQUAL or not self._is_key(out[-1]):
                out.append(self.number(step.symbol))
            state, at = state.after(step), at + 1
        return out

    def _is_key(self, token: int) -> bool:
        """Whether a token is an attribute."""
        return token >= self.base + len(self.own) - len(self.keys)

    def _key(self, key: str) -> tuple[int, ...]:
        own = self._numbers.get(f"@{key}")
        return (own,) if own is not None else (self.number(KEY), *self.text(label_of(key)))

    def _said(self, steps: Sequence[Step], words: Sequence[str], *, behind_text: bool) -> Iterator[int]:
        said = tuple(said_words(steps, words))
        if said == ("1",):
            yield self.number(ONE)
            return
        if behind_text:
            yield self.number(SEP)
        for word in said:
            yield from self.text(word)


def said_words(steps: Sequence[Step], words: Sequence[str]) -> Iterator[str]:
    """The words that steps say of a question: spans of it, and known words."""
    at = 0
    while at < len(steps):
        if steps[at].place >= 0:
            yield from words[steps[at].place : steps[at + 1].place + 1]
            at += 2
        else:
            yield steps[at].word
            at += 1


def steps_to_say(said: Sequence[str], words: Sequence[str], begin: int) -> Iterator[Step]:
    """Words as steps: the longest runs of them in a question given as words, those of the question itself, from `begin`
    on, before those of earlier ones; else known words."""
    at = 0
    while at < len(said):
        size, _, place = max(_runs(said[at:], words, begin), default=(0, 0, 0))
        if size:
            yield Step(place=-place)
            yield Step(place=size - place - 1)
        else:
            yield Step(word=said[at])
        at += size or 1


def _runs(said: Sequence[str], words: Sequence[str], begin: int) -> Iterator[tuple[int, bool, int]]:
    for place, word in enumerate(words):
        if word == said[0]:
            size = 1
            while (
                size < len(said)
                and place + size < len(words)
                and words[place + size] == said[size]
                and words[place + size] != BETWEEN
            ):
                size += 1
            yield size, place >= begin, -place


@dataclass(frozen=True)
class Asked:
    """What may be said of one question: its words, where its own begin, and the attributes of its data."""

    tokens: FormTokens
    words: tuple[str, ...]
    begin: int
    keys: frozenset[str]

    @cached_property
    def own(self) -> Spelled:
        """The words of the question."""
        return self.tokens.spelled(dict.fromkeys(word for word in self.words if word != BETWEEN))

    @cached_property
    def firsts(self) -> frozenset[int]:
        """What a word may begin with."""
        return self.own.first | self.tokens.known.first

    @cached_property
    def rare(self) -> Spelled:
        """Attributes that are spelled, by their labels."""
        return self.tokens.spelled(label_of(key) for key in self.keys if key not in self.tokens.keys)

    @cached_property
    def named(self) -> Mapping[str, str]:
        """Attributes by their labels."""
        return {label_of(key): key for key in self.keys}

    @cached_property
    def key_tokens(self) -> frozenset[int]:
        """Tokens that begin an attribute."""
        found = {self.tokens.number(f"@{key}") for key in self.tokens.keys if key in self.keys}
        return frozenset(found | {self.tokens.number(KEY)}) if self.rare.texts else frozenset(found)


@dataclass(frozen=True)
class Cursor:
    """How far a form is said: its steps up to the text or the attribute that is being spelled, if one is."""

    asked: Asked
    state: State = field(default_factory=State)
    steps: tuple[Step, ...] = ()
    said: tuple[str, ...] = ()
    """Words of the text that is being said, without the one that is being spelled."""
    spelling: tuple[int, ...] | None = None
    """The tokens of the word or attribute that is being spelled."""
    plain: bool = False
    """Whether the last attribute was one token, so that a text behind it means `=`."""

    @property
    def done(self) -> bool:
        """Whether the form is complete."""
        return bool(self.steps) and self.steps[-1].symbol == END

    def allowed(self) -> frozenset[int]:
        """Tokens that may come next."""
        if self.spelling is None:
            return self._between()
        if self.state.next in (Want.KEY, Want.CONDITION):
            rare = self.asked.rare
            further = rare.next.get(self.spelling, frozenset())
            return further | (self._closed()._between(behind_text=True) if self.spelling in rare.texts else frozenset())
        known, own = self.asked.tokens.known, self.asked.own
        further = known.next.get(self.spelling, frozenset()) | own.next.get(self.spelling, frozenset())
        if self.spelling in known.texts or self.spelling in own.texts:
            return further | self.asked.firsts | self._closed()._between(behind_text=True)
        return further

    def _between(self, *, behind_text: bool = False) -> frozenset[int]:
        """Tokens that may come where nothing is being spelled."""
        tokens, want = self.asked.tokens, self.state.next
        if want in (Want.KEY, Want.CONDITION):
            ends = (tokens.number(STOP),) if want is Want.CONDITION else ()
            return self.asked.key_tokens.union(ends)
        if want is Want.TEST:
            tests = (one for one in TESTS if not (self.plain and one == _EQUAL))
            found = frozenset(map(tokens.number, tests))
            return found | self.asked.firsts | {tokens.number(ONE)} if self.plain else found
        if want is Want.WORDS:
            words = frozenset((tokens.number(SEP),)) if behind_text else self.asked.firsts
            return words | {tokens.number(ONE)}
        return frozenset(map(tokens.number, ALLOWED[want]))

    def after(self, token: int) -> Cursor:
        """The cursor behind one more token, which must be allowed."""
        tokens = self.asked.tokens
        if token < tokens.base:
            return self._spelled(token)
        closed, name = self._closed(), tokens.own[token - tokens.base]
        if name == SEP:
            return closed
        if name == KEY:
            return replace(closed, spelling=(), plain=False)
        if closed.state.next is Want.TEST and name == ONE:
            closed = closed._with(Step(symbol=_EQUAL))
        if name == ONE:
            return closed._with(Step(word="1"), Step(symbol=CLOSE))
        if name.startswith("@"):
            return replace(closed._with(Step(key=name.removeprefix("@"))), plain=True)
        return replace(closed._with(Step(symbol=name)), plain=False)

    def _spelled(self, token: int) -> Cursor:
        """A token of text: it goes on with the word, or begins another one."""
        before = self
        if self.spelling is None and self.state.next is Want.TEST:
            before = self._with(Step(symbol=_EQUAL))
        spelling = before.spelling or ()
        if before.state.next in (Want.KEY, Want.CONDITION):
            return replace(before, spelling=(*spelling, token))
        known, own = self.asked.tokens.known, self.asked.own
        if token in known.next.get(spelling, ()) or token in own.next.get(spelling, ()):
            return replace(before, spelling=(*spelling, token))
        return replace(before, said=(*before.said, before._word()), spelling=(token,))

    def _word(self) -> str:
        spelling = self.spelling or ()
        return self.asked.own.texts.get(spelling) or self.asked.tokens.known.texts[spelling]

    def _closed(self) -> Cursor:
        """The cursor where a text or an attribute that is being spelled has ended."""
        if self.spelling is None:
            return self
        if self.state.next in (Want.KEY, Want.CONDITION):
            key = self.asked.named[self.asked.rare.texts[self.spelling]]
            return replace(self, spelling=None)._with(Step(key=key))
        said = (*self.said, self._word())
        ended = replace(self, said=(), spelling=None)
        return ended._with(*steps_to_say(said, self.asked.words, self.asked.begin), Step(symbol=CLOSE))

    def _with(self, *steps: Step) -> Cursor:
        state = self.state
        for step in steps:
            state = state.after(step)
        return replace(self, state=state, steps=(*self.steps, *steps))
