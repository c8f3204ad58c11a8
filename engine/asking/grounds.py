"""What an answer rests on: how its events were found, which words of its searches none of them tells, what is empty.

In: a tree, its answer and what the question asks for. Out: `Grounds`, which the ranking weighs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, prod
from typing import Final

import numpy as np

from ...execution.context import Table
from ...execution.derivations.derive import read_hits
from ...execution.run import NOTHING_MATCHED
from ...operators.forms.grammar import Form
from ...operators.nodes import Join, Node, Retrieve, walk
from ...operators.resolution import DerivedMatch
from ...planner.proposers.parsing import single_words
from ...planner.search.asked import Asked
from ...retrieval.context import RetrieveContext
from ...retrieval.people import People
from ...retrieval.phrases.named import BEGIN
from ...retrieval.retrieved import RETRIEVED
from ...store.index.index import ValueIndex
from ...store.rdf import Literal, NamedNode
from ...store.vocabulary import Vocabulary
from ...store.words import fold, stem, words
from ...texts.lexicon.lexicon import Lexicon
from ...texts.phrase import Group
from ...texts.words import infinitives, is_word
from ..answers.answer import TOLD, Answer
from ..answers.sentence import listed

MOST_EVENTS: Final = 200
"""Events behind an answer that are looked at."""
_NOTHING: Final = ((), (0,), (False,))
_READ: Final = 60
"""Events that a search found whose words are looked at, the best first."""
_SCORES: Final = (0.5, 0.65, 0.75, 0.85, 0.95, 1.0)
_CHANCES: Final = (0.05, 0.11, 0.49, 0.88, 0.97, 1.0)
"""How often a text was meant that a search gave such a score (docs/models-planning.md)."""
NOTHING_LEFT: Final = 0.5
"""How clear a 0 or “no” is where a search found events and conditions leave none of them: of seven such answers that
seemed sure, two were right; of seven where the search found none, all."""
_VALUES: Final = "SELECT ?v WHERE { VALUES ?e { %s } ?e ?p ?v FILTER(isLiteral(?v)) }"


@dataclass(frozen=True)
class Grounds:
    """What an answer rests on, each between 0 and 1; by default records alone."""

    recorded: float = 1.0
    """Whether it is a value of records alone, all of whose words were understood."""
    clear: float = 1.0
    """The probability that all events behind it are meant, as if each were so by itself."""
    told: float = 0.0
    """The share of events that only texts tell."""
    unmet: float = 0.0
    """The share of words that were searched and that no found event tells."""
    nothing: float = 0.0
    """Whether it is 0, "no" or empty."""
    joined: float = 0.0
    """Whether it is nothing, and its events had to go with others."""
    several: float = 0.0
    """Whether it has several values where one was asked for."""
    own: float = 0.0
    """Whether the profile itself answers."""
    words: tuple[str, ...] = ()
    """The words that no found event tells."""
    empty: tuple[str, ...] = ()
    """The searches that find nothing."""


@dataclass(frozen=True)
class Searched:
    """What a query's search found: how likely each event is meant, how many of its words were looked for, and those
    that no found event tells."""

    chances: Mapping[str, float]
    words: int = 0
    unmet: tuple[str, ...] = ()


_SEARCHED: Final = Table[str, Searched | None]("what was searched")


def grounds_of(tree: Node, answer: Answer, asked: Asked, context: RetrieveContext) -> Grounds:
    """What an answer rests on; its tree must have been resolved."""
    queries = dict.fromkeys(node.query for node in walk(tree) if isinstance(node, Retrieve))
    looked = {query: found for query in queries if (found := searched(query, context)) is not None}
    events = answer.events[:MOST_EVENTS]
    chances = [_chance(event.iri, looked.values()) for event in events]
    told = sum(event.basis == TOLD for event in events) / len(events) if events else 0.0
    is_nothing = says_nothing(answer)
    if is_nothing and any(found.chances for found in looked.values()):  # conditions leave nothing of what texts tell
        told, chances = 1.0, [NOTHING_LEFT]
    counted = sum(found.words for found in looked.values())
    unmet = tuple(word for found in looked.values() for word in found.unmet)
    several = asked.one and len(answer.values) > 1
    warned = any(warning != NOTHING_MATCHED for warning in answer.warnings)
    return Grounds(
        recorded=float(not (told or is_nothing or warned or unmet or several)),
        clear=prod(chances),
        told=told,
        unmet=len(unmet) / counted if counted else 0.0,
        nothing=float(is_nothing),
        joined=float(is_nothing and any(isinstance(node, Join) for node in walk(tree))),
        several=float(several),
        own=float(bool(queries) and all(query.startswith(BEGIN) for query in queries)),
        words=unmet,
        empty=tuple(query for query, found in looked.items() if not found.chances),
    )


def says_nothing(answer: Answer) -> bool:
    """Whether an answer is 0, "no" or empty."""
    return answer.missing is not None or answer.values in _NOTHING


def searched(query: str, context: RetrieveContext) -> Searched | None:
    """What a search found for a query that was resolved; None where records answer it."""
    return context.once(_SEARCHED, query, lambda: _searched(query, context))


def chance(score: float) -> float:
    """How likely an event is meant that a search gave a score."""
    return float(np.interp(score, _SCORES, _CHANCES))


def _searched(query: str, context: RetrieveContext) -> Searched | None:
    found = context.known[RETRIEVED].get(query)
    if found is None or not isinstance(found.match, DerivedMatch):
        return None
    hits = read_hits(context.graph, found.match.activity)
    chances = {hit.event: chance(hit.score) for hit in hits}
    told = _words_of((hit.event for hit in hits[:_READ]), context) if hits and found.sought else frozenset[str]()
    unmet = tuple(group.words for group in found.sought if hits and not _is_told(group, told))
    return Searched(chances, len(found.sought), unmet)


def _words_of(events: Iterable[str], context: RetrieveContext) -> frozenset[str]:
    """The stems of all that some events say."""
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    rows = context.graph.select(_VALUES % nodes)
    return frozenset(stem(word) for (value,) in rows if isinstance(value, Literal) for word in words(value.value))


def _is_told(group: Group, told: frozenset[str]) -> bool:
    """Whether texts have the words of a group, or others that tell of the same."""
    said = (*group.same, *group.kinds, *group.hints)
    return any(told.issuperset(phrase.split()) for phrase in said if phrase)


def _chance(event: str, looked: Iterable[Searched]) -> float:
    """How likely an event is meant: by the surest search that found it; 1 for what is recorded."""
    found = [one.chances[event] for one in looked if event in one.chances]
    return max(found, default=1.0)


LIKELY: Final = 0.25
"""Probability from which on the likeliest reading is answered."""
SURE: Final = 0.8
"""Probability from which on an answer is given without a word of doubt; where what rules read is as likely by itself,
the parser is not asked."""


@dataclass(frozen=True)
class Evidence:
    """What speaks for an answer and against it, each between 0 and 1."""

    mass: float
    """How sure the parser is of the forms that give it."""
    share: float
    """Their share of all forms that the data bears out."""
    top: float
    """Whether the likeliest form gives it."""
    rules: float
    """How sure rules are of the reading that gives it."""
    against: float
    """How sure rules are of a reading that gives another answer."""
    later: float
    """Whether the question leans on earlier ones."""
    grounds: Grounds = field(default_factory=Grounds)
    causal: float | None = None
    """How sure a causal language model is of the forms that give it, where one is asked."""
    causal_share: float | None = None
    """Their share of what it gives all forms that the data bears out."""
    causal_top: float | None = None
    """Whether the likeliest of these is one of them."""

    def values(self) -> dict[str, float]:
        """All of it by name, that of the grounds included."""
        parts = {**vars(self), **vars(self.grounds)}
        told = {name: value for name, value in parts.items() if isinstance(value, int | float)}
        return {**told, "settled": self.grounds.recorded if self.rules else 0.0}


@dataclass(frozen=True)
class Weights:
    """How much each piece of evidence counts (fitted by training/ranking.py; docs/models-planning.md). `settled` is for
    what rules read, where its grounds are `recorded`. What a causal language model is sure of counts nothing yet: fits
    on few questions made wrong answers sure (docs/benchmarks.md)."""

    bias: float = -2.05
    mass: float = 0.59
    share: float = 1.10
    top: float = 0.37
    rules: float = 1.31
    against: float = -0.66
    later: float = -0.23
    recorded: float = 0.45
    settled: float = 1.86
    clear: float = 1.22
    told: float = -0.32
    unmet: float = -0.65
    nothing: float = 0.13
    joined: float = -0.61
    several: float = -0.55
    own: float = 0.27
    causal: float = 0.0
    causal_share: float = 0.0
    causal_top: float = 0.0

    def probability(self, evidence: Evidence) -> float:
        """How likely an answer is the right one."""
        odds = self.bias + sum(getattr(self, name) * value for name, value in evidence.values().items())
        return 1 / (1 + exp(-odds))


MOST: Final = 2
"""Reasons that a sentence gives."""
MAY_TELL_OF_ELSE: Final = "this rests on texts, some of which may tell of something else"
_BEGIN: Final = "I am not sure: "
_AND: Final = " and "
UNCLEAR: Final = 0.5
"""The probability that all events are meant below which that is told."""


def in_doubt(in_words: str, left_out: Sequence[str], evidence: Evidence) -> str:
    """Why an answer may not be the right one; where nothing special is known, how the question was read."""
    reasons = list(_reasons(left_out, evidence))[:MOST]
    if not reasons:
        return f"I am not sure that this is what you meant: {in_words}."
    return f"{_BEGIN}{_AND.join(reasons)}."


def not_used(words: Sequence[str]) -> str:
    """That some words say nothing of an answer."""
    return f"{_BEGIN}I did not use {_listed(words)}."


def may_mean(in_words: str) -> str:
    """That a question may be meant otherwise, too."""
    return f"I am not sure: with the questions before, this may also mean {in_words}."


def without_reason(sentence: str, reason: str) -> str:
    """What `in_doubt` gave without one of its reasons, which comes last; "" where it was the only one."""
    rest = sentence.removesuffix(".").removesuffix(reason).removesuffix(_AND)
    return "" if rest == _BEGIN else f"{rest}."


def _reasons(left_out: Sequence[str], evidence: Evidence) -> Iterator[str]:
    grounds = evidence.grounds
    if left_out:
        yield f"I did not use {_listed(left_out)}"
    if grounds.words:
        yield f"nothing that I found tells of {_listed(dict.fromkeys(grounds.words))}"
    if grounds.empty:
        yield f"I found nothing for {_listed(grounds.empty)}"
    if grounds.several:
        yield "more than one fits, where you asked for one"
    if grounds.told and grounds.clear < UNCLEAR:
        yield MAY_TELL_OF_ELSE


def _listed(words: Iterable[str]) -> str:
    return listed([f"“{word}”" for word in words])


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
