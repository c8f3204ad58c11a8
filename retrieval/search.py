"""RETRIEVE by search: lexical and dense candidates over distinct values, scored per event (DESIGN section 3, step 1).

An event's score joins how much of the query its words tell (directly, by a narrower word, or by a hint of the lexicon)
with the cosine of its nearest passage. 0.5 is the calibrated threshold (docs/decisions/004-retrieve.md); what
decides more finely (patterns, event by event) takes these candidates and their scores.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..ontology.namespaces import EV
from ..operators.resolution import Constraint
from ..store.index.index import EventText, ValueIndex
from ..store.vocabulary import Vocabulary
from ..store.words import fold, normalise, stem
from .phrase import Group, Phrase, groups
from .reading import Reading, Source
from .structured import namings

_NAMES = ("ChatSession", "MusicStream", "PodcastStream", "AudiobookStream")
_UNMEANT = frozenset(EV + name for name in _NAMES)
"""What is only meant where it is named: questions about a life have all the words of what they ask for, and none of it
need have happened; a song called Christmas is no celebration."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much counts what. Calibrated on one development persona by a grid; a plateau's middle, not its peak."""

    kinds: float = 0.85
    hints: float = 0.75
    long: float = 0.8
    """Factor of a mention in a text longer than `long_words`: it tells less of the event than a title does."""
    long_words: int = 25
    cosine: float = 0.6
    accept: float = 0.8
    """Sum of coverage and weighted cosine from which on an event is taken."""
    near: float = 0.5
    """Cosine from which on an event is taken whatever its words are."""
    alone: float = 0.4
    """The same where no word of the query stands anywhere, so that the cosine is all there is."""
    lexical: float = 0.55
    """Coverage from which on an event is taken where there is no model."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An event found, with a score from 0 to 1; at least 0.5 for those that are taken."""

    event: str
    score: float


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


def lexical_scores(scope: Scope, events: Sequence[EventText], index: ValueIndex, weights: Weights) -> list[float]:
    """How much of the query each event's words tell, from 0 to 1; -1 for events that cannot be meant.

    What the class and its constraints say is a condition; it adds to the score only where the query says nothing else.
    """
    places = _places(events)
    long = _long_values(events, weights)
    lone = all(need.given for need in scope.needs)
    total = 0.0
    scores = [0.0] * len(events)
    barred = [_is_barred(event, scope) for event in events]
    for need in scope.needs:
        cover = _cover(need.group, places, long, len(events), index, weights)
        if need.given:
            cover = [1.0 if event.type in scope.named else c for event, c in zip(events, cover, strict=True)]
        if not need.given or lone:
            weight = math.log(1 + len(events) / (1 + sum(c > 0 for c in cover)))
            total += weight
            scores = [score + weight * c for score, c in zip(scores, cover, strict=True)]
        if need.required:
            barred = [out or c == 0 for out, c in zip(barred, cover, strict=True)]
    return [-1.0 if out else (score / total if total else 0.0) for score, out in zip(scores, barred, strict=True)]


def fused(
    events: Sequence[EventText], lexical: Sequence[float], cosines: Mapping[int, float] | None, weights: Weights
) -> dict[str, float]:
    """A score for each event that can be meant; `cosines` by value id, None where there is no model."""
    lone = not any(score > 0 for score in lexical)
    scores: dict[str, float] = {}
    for event, told in zip(events, lexical, strict=True):
        if told < 0:
            continue
        if cosines is None:
            score = 0.5 * told / weights.lexical
        else:
            nearest = max((0.0, *(cosines.get(value, 0.0) for _, value, _ in event.values)))
            near = weights.alone if lone else weights.near
            joined = 0.5 * (told + weights.cosine * nearest) / weights.accept
            score = max(joined, 0.5 + nearest - near if nearest >= near else 0.0)
        scores[event.iri] = min(1.0, score)
    return scores


def taken(scores: Mapping[str, float]) -> tuple[Hit, ...]:
    """The events that are taken by their scores alone, best first."""
    hits = (Hit(event, score) for event, score in scores.items() if score >= 0.5)
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.event)))


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
    """Whether the store's texts write a word with a capital nearly always: then it is a name, however it was typed.
    Where a title or a sentence begins, and in a title all in capitals, any word has one."""
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


def _places(events: Sequence[EventText]) -> dict[int, list[int]]:
    """Which events have a value, by value id."""
    found: dict[int, list[int]] = defaultdict(list)
    for position, event in enumerate(events):
        for _, value, _ in event.values:
            found[value].append(position)
    return found


def _long_values(events: Sequence[EventText], weights: Weights) -> frozenset[int]:
    return frozenset(i for e in events for _, i, text in e.values if text.count(" ") >= weights.long_words)


def _is_barred(event: EventText, scope: Scope) -> bool:
    """An event of the named class that lacks what the query says of it."""
    if event.type not in scope.named:
        return False
    return not all(_satisfies(event, constraint) for constraint in scope.constraints)


def _satisfies(event: EventText, constraint: Constraint) -> bool:
    accepted = {value.casefold() for value in constraint.values}
    return any(prop == constraint.property and text.casefold() in accepted for prop, _, text in event.values)


def _cover(
    group: Group,
    places: Mapping[int, Sequence[int]],
    long: frozenset[int],
    size: int,
    index: ValueIndex,
    weights: Weights,
) -> list[float]:
    """How well each event's best value tells the group."""
    cover = [0.0] * size
    for said, weight in ((group.hints, weights.hints), (group.kinds, weights.kinds), (group.same, 1.0)):
        for value, _ in index.with_any(sorted(said)):
            told = weight * (weights.long if value in long else 1.0)
            for position in places.get(value, ()):
                cover[position] = max(cover[position], told)
    return cover
