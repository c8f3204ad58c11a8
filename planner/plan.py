"""Planning: a question becomes an operator tree by declarative rules (QUASL; ReQAP section 3.1).

`plan` gives the best tree, `plans` the best few, `investigate` all of them with everything that was tried on the way.
The search itself is in `search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from ..errors import NotUnderstood, RuleError
from ..operators.nodes import Node
from ..store.graph import Graph, MemoryGraph
from ..store.rdf import NamedNode, Quad, Triple
from ..store.vocabulary import Vocabulary
from .annotate import Annotator
from .parse_graph import question_triples, vocabulary_triples
from .patterns import Clock, Matcher
from .reading import readings
from .rulebook import RuleBook, shipped_rulebook
from .search import Search, Step
from .trace import Asked, Trace

FindValues = Callable[[str], Iterable[str]]
"""Gives the values of the data that a phrase names, whatever its case."""


@dataclass(frozen=True)
class AnswerForm:
    """What the answer looks like.

    `type` is one of DESIGN section 5's answer types; `unit` the unit the question asks for (its symbol), if it names
    one; `column` the attribute that answers, where rows have several; `distinct` when the same value counts once in a
    list.
    """

    type: str
    unit: str | None = None
    column: str | None = None
    distinct: bool = False


@dataclass(frozen=True)
class Plan:
    """A tree without open leaves, how it came about, and what was assumed on the way."""

    tree: Node
    answer: AnswerForm
    score: float
    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    """How ambiguous words were read, for the reader: 'March: read as 2025-03'."""
    ignored: tuple[str, ...] = ()
    """Words that were left out because they say nothing here: 'ever', 'please'."""


@dataclass(frozen=True)
class Investigation:
    """How a question was planned: all plans, and every rule on every reading of every sub-question, in the order in
    which these were asked.

    `knowledge` is the graph that rules look at: vocabulary, words of the rule book, and the parse graph of each reading
    under its node. It is this investigation's own: whoever asks why a rule did not fire may query it.
    `failure` is what `plan` would have raised.
    """

    question: str
    plans: tuple[Plan, ...]
    asked: tuple[Asked, ...]
    knowledge: MemoryGraph
    rulebook: RuleBook
    failure: NotUnderstood | RuleError | None = None


def plan(
    question: str,
    *,
    graph: Graph,
    vocabulary: Vocabulary,
    now: datetime,
    rulebook: RuleBook | None = None,
    find_values: FindValues | None = None,
) -> Plan:
    """The best plan of a question. Raises NotUnderstood, naming the words, where no rule reads it."""
    return plans(question, graph=graph, vocabulary=vocabulary, now=now, rulebook=rulebook, find_values=find_values)[0]


def plans(
    question: str,
    *,
    graph: Graph,
    vocabulary: Vocabulary,
    now: datetime,
    rulebook: RuleBook | None = None,
    find_values: FindValues | None = None,
    top: int = 1,
) -> tuple[Plan, ...]:
    """Up to `top` plans, best first, at least one. Raises NotUnderstood as `plan` does."""
    planner = _planner(graph, vocabulary, now, rulebook or shipped_rulebook(), find_values)
    found = tuple(islice(_plans(planner, question), top))
    if not found:
        raise planner.not_understood(question)
    return found


def investigate(
    question: str,
    *,
    graph: Graph,
    vocabulary: Vocabulary,
    now: datetime,
    rulebook: RuleBook | None = None,
    find_values: FindValues | None = None,
) -> Investigation:
    """All plans, and every rule that was tried on the way: where `plan` raises, the result tells the failure."""
    book = rulebook or shipped_rulebook()
    planner = _planner(graph, vocabulary, now, book, find_values)
    trace = planner.trace = Trace()
    failure: NotUnderstood | RuleError | None = None
    found: tuple[Plan, ...] = ()
    try:
        found = tuple(_plans(planner, question))
        if not found:
            failure = planner.not_understood(question)
    except RuleError as bad:
        failure = bad
    return Investigation(question, found, tuple(trace.asked), planner.knowledge, book, failure)


def _plans(planner: Search, question: str) -> Iterator[Plan]:
    """All plans of a question, best first."""
    for c in planner.candidates(question):
        yield Plan(c.tree, _answer_form(c.said), round(c.score.total, 4), c.steps, c.notes, planner.ignored(question))


def _answer_form(said: Mapping[str, str]) -> AnswerForm:
    return AnswerForm(
        type=said.get("answerType", "events"),
        unit=said.get("unit"),
        column=said.get("column"),
        distinct=said.get("distinct") == "true",
    )


def parse_graph(
    question: str,
    *,
    graph: Graph,
    vocabulary: Vocabulary,
    now: datetime,
    rulebook: RuleBook | None = None,
    find_values: FindValues | None = None,
) -> tuple[Triple, ...]:
    """The parse graph of the question's likeliest reading, without the vocabulary."""
    planner = _planner(graph, vocabulary, now, rulebook or shipped_rulebook(), find_values)
    best = readings(question, planner.annotator)
    return (
        tuple(question_triples(NamedNode("urn:question"), best[0], vocabulary, planner.book.nouns, phrase=False))
        if best
        else ()
    )


def _planner(
    graph: Graph, vocabulary: Vocabulary, now: datetime, book: RuleBook, find_values: FindValues | None
) -> Search:
    knowledge = MemoryGraph((*book.quads, *_vocabulary_quads(vocabulary)), functions=book.functions)
    matcher = Matcher(knowledge, Clock(now), graph)
    return Search(book, Annotator(graph, vocabulary, book, matcher, find_values), knowledge)


_VOCABULARY_CACHE: dict[int, tuple[Vocabulary, tuple[Quad, ...]]] = {}


def _vocabulary_quads(vocabulary: Vocabulary) -> tuple[Quad, ...]:
    """What rules may ask of the vocabulary; the latest vocabulary's triples are kept."""
    found = _VOCABULARY_CACHE.get(id(vocabulary))
    if found is None or found[0] is not vocabulary:
        node = NamedNode("urn:vocabulary")
        quads = tuple(Quad(t.subject, t.predicate, t.object, node) for t in vocabulary_triples(vocabulary))
        _VOCABULARY_CACHE.clear()
        found = _VOCABULARY_CACHE[id(vocabulary)] = (vocabulary, quads)
    return found[1]
