"""A RETRIEVE's query as words: which of them say what is meant, and what they are in the lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..store.vocabulary import ConceptInfo, Vocabulary
from ..store.words import fold, normalise, stem
from .words import is_word

_WORD = re.compile(r"[^\W_]+(?:[’'](?=[^\W_])[^\W_]+)*")
_CONTRACTED = re.compile(r"[’'](?:s|ve|d|ll|m|re)$")
LONGEST_SPAN = 10
LONGEST_CUE = 5


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the query. `function` words say nothing about which events are meant; `capital` is a capital letter
    that does not stand there only because the query begins with it: there only a word that is no English one has it."""

    text: str
    stem: str
    function: bool
    capital: bool


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens from `start` up to but not including `end`."""

    start: int
    end: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.end))

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Phrase:
    """A query in tokens."""

    text: str
    tokens: tuple[Token, ...]

    def words(self, span: Span) -> str:
        """The words of a span, as written."""
        return " ".join(token.text for token in self.tokens[span.start : span.end])

    def spans(self, free: Iterable[int]) -> Iterator[Span]:
        """Spans over free positions, longest first, left to right."""
        open_ = frozenset(free)
        for length in range(min(LONGEST_SPAN, len(self.tokens)), 0, -1):
            for start in range(len(self.tokens) - length + 1):
                span = Span(start, start + length)
                if all(position in open_ for position in span):
                    yield span

    def content(self, free: Iterable[int]) -> tuple[int, ...]:
        """The free positions whose words say something."""
        return tuple(position for position in free if not self.tokens[position].function)

    def has_content(self, span: Span) -> bool:
        """Whether some word of the span says something."""
        return any(not self.tokens[position].function for position in span)


def read_phrase(query: str, vocabulary: Vocabulary) -> Phrase:
    """The words of a query."""
    found: list[Token] = []
    for match in _WORD.finditer(query):
        word = fold(match.group())
        whole = _CONTRACTED.sub("", word)
        found.append(
            Token(
                text=match.group(),
                stem=stem(word),
                function=not vocabulary.function_words.isdisjoint((word, whole)),
                capital=match.group()[0].isupper() and (bool(found) or not is_word(whole)) and whole != "i",
            )
        )
    return Phrase(query, tuple(found))


def topic_cue(phrase: Phrase, vocabulary: Vocabulary) -> Span | None:
    """The first words after which comes what a text is about ("about", "with the word"), the longest there."""
    for start in range(len(phrase.tokens)):
        for end in range(min(len(phrase.tokens), start + LONGEST_CUE), start, -1):
            if normalise(phrase.words(Span(start, end))) in vocabulary.topic_cues:
                return Span(start, end)
    return None


@dataclass(frozen=True, slots=True)
class Group:
    """Words of the query that belong together, with what tells of them in a text, all in folded stems.

    `same` says the same, `kinds` is narrower, `hints` only tells of it. A group without a concept is `plain`: only the
    word itself can stand for it.
    """

    words: str
    same: frozenset[str]
    kinds: frozenset[str] = frozenset()
    hints: frozenset[str] = frozenset()
    plain: bool = True
    capital: bool = False


def groups(phrase: Phrase, free: Iterable[int], vocabulary: Vocabulary) -> tuple[Group, ...]:
    """The content of the free words, by the longest lexicon entries, the rest word by word, in the query's order."""
    left = set(free)
    found: list[tuple[int, Group]] = []
    for span in phrase.spans(left):
        if not left.issuperset(span) or not phrase.has_content(span):
            continue
        concepts = vocabulary.concepts_named(phrase.words(span))
        if concepts:
            found.append((span.start, _concept_group(phrase, span, concepts, vocabulary)))
            left.difference_update(span)
    for position in phrase.content(sorted(left)):
        token = phrase.tokens[position]
        found.append((position, Group(token.text, frozenset({token.stem}), capital=token.capital)))
    return tuple(group for _, group in sorted(found, key=lambda entry: entry[0]))


def _concept_group(phrase: Phrase, span: Span, concepts: Sequence[ConceptInfo], vocabulary: Vocabulary) -> Group:
    kinds = [vocabulary.concepts[iri] for concept in concepts for iri in concept.narrower]
    same = frozenset(normalise(label) for concept in concepts for label in concept.labels)
    narrower = frozenset(normalise(label) for kind in kinds for label in kind.labels) - same
    hints = frozenset(normalise(hint) for concept in (*concepts, *kinds) for hint in concept.hints) - same - narrower
    return Group(
        words=phrase.words(span),
        same=same - {""},
        kinds=narrower - {""},
        hints=hints - {""},
        plain=False,
        capital=any(phrase.tokens[position].capital for position in span),
    )
