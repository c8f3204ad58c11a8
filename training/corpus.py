"""The corpus of questions and logical forms (corpus/README.md): reading it, and varying its questions for training."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..operators.forms.decoding import CLOSE, END, State, Step, Want
from ..operators.forms.grammar import Form, keys_in
from ..planner.forms.lowering import CALENDAR_KEYS
from ..planner.proposers.parsing import Before, asked_words, single_words
from ..texts.tokens import split
from .forms import parse_form, steps_of

CORPUS: Final = Path(__file__).parents[1] / "corpus"
"""Where the corpus lies in a checkout; it is not installed."""
MOST_WORDS: Final = 190
"""Words of a question and those before it, where variations make them longer."""
WITHOUT_FORM: Final = 8
"""One in so many later turns is shown without the form of the question before: nothing may have read that."""
LEAST_USED: Final = 3
"""How often a word that stands nowhere in its question must be used to be known."""


@dataclass(frozen=True)
class Pair:
    """A question of the corpus: the questions before it, its form, whose life, which author."""

    question: str
    earlier: tuple[str, ...]
    form: Form
    life: str
    author: str
    keys: tuple[str, ...] = ()
    """The attributes of its domain; none for personal events."""
    before: Form | None = None
    """The form of the question just before it, where that is known."""


@dataclass(frozen=True)
class Taught:
    """A question as words, those from `begin` on its own, and the steps of its form."""

    words: tuple[str, ...]
    begin: int
    steps: tuple[Step, ...]
    keys: tuple[str, ...] = ()


def read_corpus(path: Path) -> list[Pair]:
    """The pairs of a file, each with the form of the question before it. Raises FormSyntaxError with the line of a form
    that is none."""
    found: list[Pair] = []
    asked: dict[tuple[str, ...], Form] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        held = json.loads(line)
        form = parse_form(held["form"], line=number)
        keys = tuple(held.get("keys", ()))
        pair = Pair(held["question"], tuple(held["earlier"]), form, held["life"], held["author"], keys)
        found.append(pair)
        for place in _places(pair.life, (*pair.earlier, pair.question)):
            asked.setdefault(place, form)
    return [_after(pair, asked) if pair.earlier else pair for pair in found]


def _places(life: str, questions: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Where in a conversation a question was asked: behind the one before it, and anywhere in its life."""
    said = [text.strip().casefold() for text in questions]
    yield life, said[-2] if len(said) > 1 else "", said[-1]
    yield life, said[-1]


def _after(pair: Pair, asked: Mapping[tuple[str, ...], Form]) -> Pair:
    """The pair with the form of the question before it."""
    forms = (asked.get(place) for place in _places(pair.life, pair.earlier))
    return replace(pair, before=next((form for form in forms if form is not None), None))


def known_words(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Words that forms use unasked, often enough."""
    used: dict[str, int] = defaultdict(int)
    for pair in pairs:
        asked = asked_words(pair.question, Before(pair.earlier, pair.before))
        for step in steps_of(pair.form, split, asked.words, asked.begin):
            used[step.word] += bool(step.word)
    return tuple(sorted(word for word, count in used.items() if count >= LEAST_USED))


def taught(pairs: Sequence[Pair], known: frozenset[str]) -> list[Taught]:
    """Pairs as steps, without those that say words that nobody knows, or attributes that their domain has not; one in
    so many later turns without the form before it."""
    found: list[Taught] = []
    for number, pair in enumerate(pairs):
        if pair.keys and not {*keys_of([pair])} <= {*pair.keys, *CALENDAR_KEYS}:
            continue
        asked = asked_words(pair.question, Before(pair.earlier, pair.before if number % WITHOUT_FORM else None))
        try:
            steps = steps_of(pair.form, split, asked.words, asked.begin, known)
        except ValueError:
            continue
        found.append(Taught(asked.words, asked.begin, (*steps, Step(symbol=END)), pair.keys))
    return found


def asides_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Words of questions that forms leave out, often enough: those that ask, that join, that are said by the way."""
    left: dict[str, int] = defaultdict(int)
    for pair in pairs:
        said = {word.casefold() for word in single_words(pair.form)}
        for word in {word.casefold() for word in split(pair.question)} - said:
            left[word] += word.isalpha() or "'" in word or "’" in word
    return tuple(sorted(word for word, count in left.items() if count >= LEAST_USED))


def keys_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """All attributes that forms name."""
    return tuple(sorted({key for pair in pairs for key in keys_in(pair.form)}))


def with_known_keys(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs of personal events without those that name an attribute that hardly any other does."""
    used: dict[str, int] = defaultdict(int)
    for pair in pairs:
        for key in () if pair.keys else keys_of([pair]):
            used[key] += 1
    return [pair for pair in pairs if pair.keys or all(used[key] >= LEAST_USED for key in keys_of([pair]))]


@dataclass(frozen=True)
class Slot:
    """Words of a question that a condition copies, from `first` to `last`, and the attribute."""

    key: str
    first: int
    last: int


def slots(one: Taught) -> list[Slot]:
    """The conditions of a form whose words are one span of the question."""
    found: list[Slot] = []
    state, key = State(), ""
    for at, step in enumerate(one.steps):
        if state.next is Want.CONDITION and step.key:
            key = step.key
        if state.next is Want.WORDS and key:
            follows = one.steps[at : at + 3]
            if step.place >= 0 and follows[2].symbol == CLOSE:
                found.append(Slot(key, step.place, follows[1].place))
            key = ""
        state = state.after(step)
    return found


class Variations:
    """Varies questions: other values of the same attribute, small letters, no marks, a misspelt word."""

    def __init__(self, examples: Sequence[Taught], seed: int) -> None:
        self._random = random.Random(seed)
        self._values: Mapping[str, list[tuple[str, ...]]] = defaultdict(list)
        for one in examples:
            for slot in slots(one):
                self._values[self._pool(one, slot)].append(one.words[slot.first : slot.last + 1])

    @staticmethod
    def _pool(one: Taught, slot: Slot) -> str:
        """What may stand for each other: values of an attribute; times that begin with the same word."""
        return f"time {one.words[slot.first].casefold()}" if slot.key == "time" else slot.key

    def varied(self, one: Taught) -> Taught:
        """The example in another form, now and then as it is."""
        for slot in sorted(slots(one), key=lambda slot: -slot.first):
            if (self._random.random() < 0.5 and slot.first >= one.begin) or self._random.random() < 0.2:
                one = self._with_value(one, slot)
        chance = self._random.random()
        if chance < 0.2:
            one = replace(one, words=tuple(word.lower() for word in one.words))
        if self._random.random() < 0.15:
            one = replace(one, words=tuple(map(self._misspelt, one.words)))
        if one.words[-1] in "?.!" and self._random.random() < 0.25 and not _is_copied(one, len(one.words) - 1):
            one = replace(one, words=one.words[:-1])
        return one

    def _with_value(self, one: Taught, slot: Slot) -> Taught:
        values = self._values.get(self._pool(one, slot))
        if not values:  # its first word was varied before
            return one
        value = self._random.choice(values)
        shift = len(value) - (slot.last + 1 - slot.first)
        moved = _moved(one.steps, slot, shift)
        if moved is None or len(one.words) + shift > MOST_WORDS:
            return one
        words = (*one.words[: slot.first], *value, *one.words[slot.last + 1 :])
        return replace(one, words=words, begin=one.begin + (shift if slot.last < one.begin else 0), steps=moved)

    def _misspelt(self, word: str) -> str:
        if len(word) < 5 or not word.isalpha() or self._random.random() > 0.12:
            return word
        at = self._random.randrange(1, len(word) - 1)
        before, behind = word[:at], word[at + 1 :]
        swapped = before + behind[0] + word[at] + behind[1:]
        return self._random.choice((swapped, before + behind, before + word[at] + word[at:]))


def _moved(steps: Sequence[Step], slot: Slot, shift: int) -> tuple[Step, ...] | None:
    """Steps where the words of a slot are so many more; None where a span holds a part of it."""
    found: list[Step] = []
    first = -1
    for step in steps:
        place = step.place
        if place >= 0 and first < 0:
            first = place
            place += shift if place > slot.last else 0
        elif place >= 0:
            if first <= slot.last and slot.first <= place and not (first <= slot.first and slot.last <= place):
                return None
            place += shift if place >= slot.last else 0
            first = -1
        found.append(replace(step, place=place) if place >= 0 else step)
    return tuple(found)


def copied(one: Taught) -> Iterator[tuple[int, int]]:
    """The spans of the question that steps copy."""
    places = [step.place for step in one.steps if step.place >= 0]
    yield from zip(places[::2], places[1::2], strict=True)


def _is_copied(one: Taught, place: int) -> bool:
    return any(first <= place <= last for first, last in copied(one))
