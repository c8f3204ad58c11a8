"""Misspelt words of a question put right: by the words that labels and patterns are made of, and by the data's values.

A word that an English dictionary has is never taken for a misspelling: 'chess' is no 'chest'.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

import orjson
from rapidfuzz import process
from rapidfuzz.distance import OSA

from ...store.index.near_values import errors_allowed, is_misspelt
from ...store.vocabulary import Vocabulary
from ...store.words import fold, stem
from ...texts.tokens import letters
from ..patterns.patterns import CompiledPattern
from ..patterns.tokens import Respelt, Text, respelt
from ..rules.rulebook import RuleBook
from .annotations import Annotation
from .matching import Near

_LEAST = 0.82
"""How near a value must be that a single word is put right to; of several words, whose errors are surer, a little
less."""
_LEAST_OF_SEVERAL = 0.75
_MAX_WORDS = 4
_LONG_NAME = 7
"""Letters from which a capitalised word may be a misspelt plain one (Febuary); shorter ones are somebody's name."""
_NOT_PLAIN = re.compile(r"\{[^{}]*\}|<[A-Za-z]\w*:|!/[^/]*/|\\\w")
_OPTIONAL = re.compile(r"(?<![a-z'])([a-z']++)\((?:\?:)?([a-z']++)\)\?")
_LITERAL = re.compile(r"~?[a-z][a-z']+")


def _are_swapped(word: str, known: str) -> bool:
    """Whether two neighbours behind the first letter changed places, which happens in short words too: mnay, waht."""
    return word[0] == known[0] and sorted(word) == sorted(known) and OSA.distance(word, known) == 1


@dataclass(frozen=True)
class Correction:
    """Words of a question, and what they were read as."""

    said: str
    read: str

    @property
    def note(self) -> str:
        """For the reader."""
        return f"“{self.said}”: read as “{self.read}”"


@dataclass(frozen=True)
class Speller:
    """Puts words right that nothing knows. `plain` are the words that labels and patterns are made of."""

    plain: frozenset[str]

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(map(stem, self.plain))

    @cached_property
    def _candidates(self) -> tuple[str, ...]:
        return tuple(sorted(self.plain))

    def corrected(self, text: Text, known: Sequence[Annotation], near: Near) -> tuple[Text, tuple[Correction, ...]]:
        """The text with its misspelt words put right; `known` are what its words mean as they stand."""
        covered = {i for a in known if a.confidence > 0.5 for i in range(a.first, a.last)}
        suspect = [i for i in range(len(text.tokens)) if i not in covered and self._is_suspect(text, i)]
        if not suspect or not (suspect := [i for i in suspect if not self._is_word(text.tokens[i].lower, near)]):
            return text, ()
        found: dict[tuple[int, int], tuple[str, float]] = {}
        for i in suspect:
            if not any(a <= i < b for a, b in found):
                found.update(self._right(text, i, near))
        if not found:
            return text, ()
        put = {span: Respelt(read, sure, "spelling") for span, (read, sure) in sorted(found.items())}
        return respelt(text, put), tuple(Correction(text.words(*span), by.words) for span, by in put.items())

    def _is_suspect(self, text: Text, at: int) -> bool:
        word = text.tokens[at].lower
        return len(word) > 3 and word.isalpha() and word not in self.plain and stem(word) not in self._stems

    def _is_word(self, word: str, near: Near) -> bool:
        if word in dictionary() or stem(word) in dictionary():
            return True
        return near.values is not None and near.values.knows(word)

    def _right(self, text: Text, at: int, near: Near) -> Iterator[tuple[tuple[int, int], tuple[str, float]]]:
        token = text.tokens[at]
        may_be_name = at > 0 and token.text[:1].isupper() and len(token.text) < _LONG_NAME
        word = None if may_be_name else self._nearest(token.lower)
        value = _value(text, at, near)
        if value is not None and (word is None or value[1][1] > word[1]):
            yield value
        elif word is not None:
            yield (at, at + 1), word

    def _nearest(self, word: str) -> tuple[str, float] | None:
        most = max(1, errors_allowed(word))
        near = process.extract(word, self._candidates, scorer=OSA.distance, score_cutoff=most, limit=12)
        kept = [
            (known, errors)
            for known, errors, _ in near
            if _are_swapped(word, known)
            or (errors <= errors_allowed(max(word, known, key=len)) and is_misspelt(word, known, most))
        ]
        if not kept:
            return None
        common = dictionary()
        best, errors = min(kept, key=lambda k: (k[1], abs(len(k[0]) - len(word)), -common.get(k[0], 0), k[0]))
        return best, 1 - errors / max(len(word), len(best))


def _value(text: Text, at: int, near: Near) -> tuple[tuple[int, int], tuple[str, float]] | None:
    """The nearest value that words around a token name, longest first."""
    if near.values is None:
        return None
    best: tuple[tuple[int, int], tuple[str, float]] | None = None
    for first, last in _around(text, at):
        for value in near.values.misspelt(text.words(first, last))[:1]:
            least = _LEAST if last - first == 1 else _LEAST_OF_SEVERAL
            if value.similarity >= least and (best is None or value.similarity > best[1][1]):
                best = (first, last), (value.text, value.similarity)
    return best


def _around(text: Text, at: int) -> Iterator[tuple[int, int]]:
    for length in range(_MAX_WORDS, 0, -1):
        for first in range(max(0, at - length + 1), min(at, len(text.tokens) - length) + 1):
            if all(token.is_word for token in text.tokens[first : first + length]):
                yield first, first + length


@lru_cache(maxsize=1)
def dictionary() -> Mapping[str, int]:
    """English words with how often they occur (the word list of pyspellchecker, folded)."""
    packed = files("spellchecker.resources").joinpath("en.json.gz").read_bytes()
    return {w if w.isascii() else fold(w): count for w, count in orjson.loads(gzip.decompress(packed)).items()}


_SPELLERS: dict[tuple[int, int], tuple[Vocabulary, RuleBook, Speller]] = {}


def speller(vocabulary: Vocabulary, book: RuleBook) -> Speller:
    """The speller of a vocabulary and rule book; the latest is kept."""
    key = (id(vocabulary), id(book))
    found = _SPELLERS.get(key)
    if found is None or found[0] is not vocabulary or found[1] is not book:
        plain = frozenset(_plain_words(vocabulary, book))
        _SPELLERS.clear()
        found = _SPELLERS[key] = (vocabulary, book, Speller(plain))
    return found[2]


def literals(pattern: CompiledPattern) -> frozenset[str]:
    """The words that a pattern names, `~` before a stem."""
    sources = (_NOT_PLAIN.sub(" ", _OPTIONAL.sub(_both, source.lower())) for source in pattern.pattern.extracts)
    return frozenset(word for source in sources for word in _LITERAL.findall(source))


def _both(match: re.Match[str]) -> str:
    """A word of a regular expression whose end may be missing, short and whole: 'feb(?:ruary)?'."""
    return f"{match[1]}|{match[1]}{match[2]}"


def _plain_words(vocabulary: Vocabulary, book: RuleBook) -> Iterator[str]:
    """Words of labels and verbs with the plurals of nouns, of patterns, and of the lists of small words."""
    labels = [text for info in (*vocabulary.classes.values(), *vocabulary.properties.values()) for text in info.labels]
    labels += [text for info in (*vocabulary.concepts.values(), *vocabulary.units.values()) for text in info.labels]
    verbs = [verb for info in vocabulary.classes.values() for verb in info.verbs]
    for word in _words([*labels, *verbs]):
        yield word
    for word in _words(labels):
        yield re.sub(r"(?<=[^aeiou])ys$", "ies", word + "s") if not word.endswith("s") else word
    for pattern in book.patterns:
        needed = (word for expression in pattern.expressions for need in expression.needs for word in need)
        yield from (word for word in (*literals(pattern), *needed) if len(word) > 3 and word.isalpha())
    yield from (word for word in (*book.stop_words, *vocabulary.function_words) if len(word) > 3)


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word for text in texts for word in letters(fold(text)) if len(word) > 3)
