"""What was looked for in a question that has no answer, word by word: what each word is in the data, if anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ...retrieval.people import People
from ...store.index.index import ValueIndex
from ...store.vocabulary import Vocabulary
from ...store.words import WORD, fold
from ...texts.words import counted, plural

MOST_WORDS: Final = 6
_LONGEST: Final = 40
_NOTHING: Final = "no kind, no key, no value; in no text"


@dataclass(frozen=True)
class Looked:
    """A word of a question, and what it is in the data."""

    word: str
    says: str
    is_found: bool


@dataclass(frozen=True)
class LookedFor:
    """Looks words up in all that questions are matched against."""

    index: ValueIndex
    vocabulary: Vocabulary
    people: People

    def of(self, question: str, stop: Iterable[str]) -> tuple[Looked, ...]:
        """The words of a question that say something, but for those that stop words are."""
        silent = frozenset(map(fold, stop)) | self.vocabulary.function_words
        said = {fold(match.group()): match.group() for match in WORD.finditer(question)}
        telling = [word for folded, word in said.items() if folded not in silent and not folded.isdigit()]
        return tuple(self._looked(word) for word in telling[:MOST_WORDS])

    def _looked(self, word: str) -> Looked:
        found = list(self._kinds(word))
        if not found and self.vocabulary.properties_named(word):
            found.append("a key of your data")
        if self.people.called(word):
            found.append("a person")
        events = sum(value.events for value in self.index.containing(word))
        if events:
            found.append(f"in {counted(events, 'event')}")
        says = ("; ".join(found) or _NOTHING) if len(word) <= _LONGEST else _NOTHING
        return Looked(word, says if events or not found else f"{says}; in no text", bool(found))

    def _kinds(self, word: str) -> Iterator[str]:
        """Kinds of events that the word names, with how many there are."""
        counts = self.index.statistics.classes
        named = (*self.vocabulary.classes_named(word), *self.vocabulary.classes_with_verb(word))
        for info in dict.fromkeys(named):
            number = counts[info.iri].events if info.iri in counts else 0
            yield (
                f"{counted(number, info.label)}" if number else f"a kind, {plural(info.label)}, of which there are none"
            )
            return
