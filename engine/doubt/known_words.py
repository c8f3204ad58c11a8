"""Which words of a question anybody knows: the data, its vocabulary, the people of the profile, the lexicons, English.

A reading that rests on a word that nobody knows finds nothing but what lies near it by chance, so it is not tried; one
that rests on a word that only English knows may be tried, since texts may say the same in other words, but it is never
offered in place of an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...operators.forms.grammar import Form
from ...planner.proposers.parsing import single_words
from ...retrieval.people import People
from ...store.index.index import ValueIndex
from ...store.vocabulary import Vocabulary
from ...store.words import fold
from ...texts.lexicon.lexicon import Lexicon
from ...texts.words import infinitives, is_word


@dataclass(frozen=True)
class KnownWords:
    """Looks words up in the data and in all that describes it."""

    index: ValueIndex
    vocabulary: Vocabulary
    people: People
    lexicon: Callable[[], Lexicon]

    def by_data(self, word: str) -> bool:
        """Whether the data, or what describes it, has a word, or one that it may be a misspelling of. Numbers and words
        that name nothing by themselves are known."""
        folded, vocabulary = fold(word), self.vocabulary
        return (
            not folded.isalpha()
            or folded in vocabulary.function_words
            or self.index.near.knows(folded)
            or bool(vocabulary.classes_named(word) or vocabulary.classes_with_verb(word))
            or bool(vocabulary.properties_named(word) or vocabulary.concepts_named(word) or vocabulary.unit_named(word))
            or bool(self.people.called(word) or self.index.near.similar(folded))
            or bool(self.lexicon().cues(word))
        )

    def by_anybody(self, word: str) -> bool:
        """Whether the data knows a word, or English does."""
        return is_word(fold(word)) or self.by_data(word)

    def unknown(self, words: Iterable[str]) -> tuple[str, ...]:
        """Those of some words that nobody knows."""
        return tuple(word for word in words if not self.by_anybody(word))

    def is_of_data(self, form: Form) -> bool:
        """Whether the data knows all words that a form takes from the question, but for verbs: what was done is seldom
        said in a record."""
        return all(infinitives(fold(word)) or self.by_data(word) for word in single_words(form))
