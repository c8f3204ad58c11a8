"""Where a query is searched, and what an event must tell there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..ontology.namespaces import ANY_TEXT, EV, LEXICONS
from ..operators.resolution import Constraint
from ..store.index.index import ValueIndex
from ..store.vocabulary import Vocabulary
from ..store.words import fold, normalise, stem
from ..texts.phrase import Group, Phrase, groups
from ..texts.words import is_word
from .phrases.naming import namings
from .phrases.reading import Reading, Source

_PLAYED = ("MusicStream", "PodcastStream", "AudiobookStream", "OnlineVideoStream")
_NAMES = ("ChatSession", *_PLAYED, "WebSearch", "OnlineActivity", "Highlight")
_UNMEANT = frozenset(EV + name for name in _NAMES)
"""What is only meant where it is named: questions about a life have all the words of what they ask for, and none of it
need have happened; a song called Christmas is no celebration."""


@dataclass(frozen=True, slots=True)
class Need:
    """A group of the query's words in the search; `required` for names, without which an event cannot be meant."""

    group: Group
    required: bool
    given: bool = False
    """Told by the class or a constraint already, for events that satisfy these."""


@dataclass(frozen=True)
class Scope:
    """What is searched: events of `classes`; those of `named` only if they satisfy `constraints`."""

    classes: tuple[str, ...]
    named: frozenset[str]
    constraints: tuple[Constraint, ...]
    needs: tuple[Need, ...]
    text: str
    """What is compared by meaning: the query, without what a class and its constraints say already."""
    beyond: tuple[str, ...] = ()
    """Classes that say themselves what happened, for a query that names none: searched only where classifiers
    decide."""

    @property
    def widened(self) -> Scope:
        """The scope where classifiers decide: everywhere, and no word of a class need stand in another entry."""
        needs = tuple(replace(need, required=need.required and not need.given) for need in self.needs)
        return replace(self, classes=(*self.classes, *self.beyond), needs=needs)

    @property
    def sought(self) -> tuple[Group, ...]:
        """What is looked for besides what a class and its constraints say."""
        return tuple(need.group for need in self.needs if not need.given)

    @property
    def missing(self) -> tuple[str, ...]:
        """Words of the names without which nothing can be found."""
        return tuple(need.group.words for need in self.needs if need.required and not need.given)


def scope_of(phrase: Phrase, reading: Reading | None, source: Source) -> Scope:
    """Which classes a query is searched in, and what must be told there.

    A class that the query names for certain restricts the search to it; if it says itself what happened (a workout),
    then also entries that may tell of anything (a calendar, mails) are searched, and must tell what the class says.
    """
    anything, telling = tellers(source.index, source.vocabulary)
    present = (*anything, *telling)
    if reading is None:
        needs = needs_of(phrase, _without_weak(phrase, source), source)
        beyond = tuple(iri for iri in telling if iri not in _UNMEANT) if anything else ()
        return Scope(anything or present, frozenset(), (), needs, phrase.text, beyond)
    named = frozenset(source.vocabulary.closed(reading.classes)) & frozenset(present)
    free = needs_of(phrase, reading.free, source)
    text = " ".join(phrase.tokens[i].text for i in reading.free)
    if not all(iri in telling for iri in named):
        return Scope(tuple(sorted(named)), named, reading.constraints, free, text)
    given = _given(reading, source.vocabulary)
    return Scope(tuple(sorted(named.union(anything))), named, reading.constraints, (*given, *free), text)


def tellers(index: ValueIndex, vocabulary: Vocabulary) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The store's classes whose entries may tell of anything, and those that say themselves what happened."""
    present = [iri for iri, _ in index.classes()]
    telling = tuple(i for i in present if i in vocabulary.classes and vocabulary.classes[i].self_describing)
    return tuple(i for i in present if i not in telling), telling


def read_by_search(classes: Iterable[str], index: ValueIndex, vocabulary: Vocabulary) -> tuple[str, ...]:
    """What a search over events of these classes depends on: them, the people of the profile, the lexicons; where it
    covers all that may tell of anything, also such classes to come."""
    searched = tuple(classes)
    anything, _ = tellers(index, vocabulary)
    everything = (ANY_TEXT,) if set(anything) <= set(searched) else ()
    return (*searched, *everything, EV + "Person", LEXICONS)


def needs_of(phrase: Phrase, free: Sequence[int], source: Source) -> tuple[Need, ...]:
    """What the free words ask a text to tell."""
    found = []
    for group in groups(phrase, free, source.vocabulary):
        names = source.people.names(group.words)
        if names:
            called = frozenset(normalise(name) for name in (*names, *(name.split()[0] for name in names)))
            found.append(Need(Group(group.words, called | group.same, plain=False), required=True))
        else:
            found.append(Need(group, required=group.plain and (group.capital or _is_name(group.words, source.index))))
    return tuple(found)


def _given(reading: Reading, vocabulary: Vocabulary) -> tuple[Need, ...]:
    """What the class and its constraints say, in words that another entry must tell."""
    infos = [vocabulary.classes[iri] for iri in vocabulary.closed(reading.classes) if iri in vocabulary.classes]
    called = frozenset(normalise(name) for info in infos for name in (*info.labels, *info.verbs)) - {""}
    label = infos[0].label if infos else ""
    found = [] if reading.constraints else [Need(Group(label, called, plain=False), required=True, given=True)]
    for constraint in reading.constraints:
        said = frozenset(normalise(value) for value in constraint.values)
        same = {n for v in constraint.values for n in vocabulary.synonyms(v, constraint.property)}
        words = said.union(normalise(name) for name in same) - {""}
        found.append(Need(Group(constraint.values[0], words, plain=False), required=True, given=True))
    return tuple(found)


def _without_weak(phrase: Phrase, source: Source) -> tuple[int, ...]:
    """Positions of all words but weak names of classes, which say nothing by themselves ('saw', 'took a train')."""
    weak = {
        i for naming in namings(phrase, source.vocabulary) if naming.weak and not naming.attribute for i in naming.span
    }
    kept = tuple(i for i in range(len(phrase.tokens)) if i not in weak)
    return kept if phrase.content(kept) else tuple(range(len(phrase.tokens)))


def _is_name(word: str, index: ValueIndex) -> bool:
    """Whether a word is a value of the data and no English word, or the store's texts write it with a capital nearly
    always: then it is a name, however it was typed. Where a title or a sentence begins, and in a title all in capitals,
    any word has one."""
    if not is_word(fold(word)) and index.equal_to(word):
        return True
    wanted = stem(fold(word))
    same = [
        found[0]
        for value in index.containing(word, limit=200)
        for found in _WORD.finditer(value.text)
        if stem(fold(found[0])) == wanted and not _BEGINS.search(value.text, 0, found.start())
    ]
    same = [form for form in same if not (form.isupper() and len(form) > 1)]
    return len(same) > 1 and sum(form[0].isupper() for form in same) >= 0.9 * len(same)


_WORD = re.compile(r"[^\W\d_]+")
_BEGINS = re.compile(r"(?:^|[.!?:;|/\n•*–—-]|[\"“‘(\[])\s*\W*$")
