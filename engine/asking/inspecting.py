"""What of a question's planning can be looked at without an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from time import perf_counter

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
from ...texts.phrase import Group
from .examples import Example, Examples
from .looked_for import Looked, LookedFor
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
        """The likeliest tree of a question, be it ever so much in doubt; None where there is none."""
        return self.proposals.likeliest(question, now=now)
