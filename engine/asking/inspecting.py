"""What of a question's planning can be looked at without an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from time import perf_counter
from typing import Final

from ...config import Settings
from ...execution.context import Tables
from ...ontology.namespaces import PREFIXES
from ...operators.syntax.text import read_tree
from ...planner.annotation.reading import Reading
from ...planner.followups.followups import FollowUps
from ...planner.search.plan import Investigation, Planner
from ...retrieval.people import People
from ...retrieval.retrieved import RETRIEVED
from ...store.generations import EventGraph
from ...store.index.index import ValueIndex
from ...store.rdf import serialize_turtle
from ...store.vocabulary import Vocabulary
from ...store.words import WORD, fold
from ...texts.phrase import Group
from ...texts.words import counted, plural
from .examples import Example, Examples
from .planned import Planned
from .proposals import Proposals, reworded
from .ready import Asked, Ready
from .refusal import Nearby


class Inspecting:
    """Shows how questions are read by a planner."""

    graph: EventGraph
    settings: Settings
    proposals: cached_property[Proposals]
    _planner: cached_property[Planner]
    index: ValueIndex
    vocabulary: Vocabulary
    _people: cached_property[People]
    _nearby: Callable[[datetime], Nearby]
    _made_ready: Callable[[Asked, Planned, float, bool], Ready]
    _found: Tables

    def parse_graph(self, question: str, *, now: datetime) -> str:
        """What was recognised in a question, as Turtle, with a drawing of it in comments."""
        triples = self._planner.parse_graph(question, now=now)
        drawn = "".join(f"# {line}\n" for line in self._planner.drawing(question, now=now))
        return f"{serialize_turtle(triples, dict(PREFIXES))}\n{drawn}"

    def readings(self, question: str, *, now: datetime) -> tuple[Reading, ...]:
        """Ways to read a question, the likeliest first: its core, and the periods and other filters taken out of it."""
        return self._planner.readings(question, now=now)

    def investigate(self, question: str, *, now: datetime) -> Investigation:
        """All plans of a question, with every rule that was tried on the way, whether or not it is understood."""
        return self._planner.investigate(question, now=now)

    def follow_ups(self, *, now: datetime) -> FollowUps:
        """What puts follow-ups into self-contained words; whole conversations: `engine.conversation`."""
        return FollowUps(self._planner, now)

    def reworded(self, question: str, earlier: Sequence[str]) -> tuple[str, ...]:
        """What the language model makes of a follow-up, given the questions before; none where none is configured."""
        return reworded(self.settings, question, earlier)

    def sought(self, query: str) -> tuple[Group, ...]:
        """The words that were looked for in texts for a phrase that was searched; none for another one."""
        found = self._found[RETRIEVED].get(query)
        return found.sought if found is not None else ()

    def query_of(self, tree: str, *, now: datetime) -> str:
        """The SPARQL query that gives the rows of a tree, whose computed parts stand in the graph then. Raises as
        `run`."""
        return self._ready_of(tree, now).runnable.query.sparql

    def events_of(self, tree: str, *, now: datetime) -> tuple[str, ...]:
        """The IRIs of all events behind the answer of a tree. Raises as `run`."""
        return self._ready_of(tree, now).runnable.run(self.graph, None).events

    def _ready_of(self, tree: str, now: datetime) -> Ready:
        return self._made_ready((tree, now, tree), Planned.given(read_tree(tree)), perf_counter(), False)

    def looked_for(self, question: str) -> tuple[Looked, ...]:
        """What each word of a question is in the data, for one that has no answer."""
        return LookedFor(self.index, self.vocabulary, self._people).of(question, self._planner.book.stop_words)

    def examples(self, *, now: datetime) -> tuple[Example, ...]:
        """Questions that these data answer."""
        return Examples(self._nearby(now), now).found()

    def likeliest(self, question: str, *, now: datetime) -> Planned | None:
        """The most probable plan of a question, whatever its score; None where there is none."""
        return self.proposals.likeliest(question, now=now)


MOST_WORDS: Final = 6
_LONGEST: Final = 40
_NOTHING: Final = "no kind, no key, no value; in no text"


@dataclass(frozen=True)
class Looked:
    """A word of a question, and what it is in the data."""

    word: str
    says: str


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
        return Looked(word, says if events or not found else f"{says}; in no text")

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
