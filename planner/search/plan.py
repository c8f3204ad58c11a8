"""Planning: a question becomes an operator tree by declarative rules (QUASL; ReQAP section 3.1).

`plan` gives the best tree, `plans` the best few, `investigate` all of them with everything that was tried on the way.
The search itself is in `search`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import NotRequired, TypedDict, Unpack

from ...config import PlanningLimits, Ranking
from ...errors import NotUnderstood, RuleError
from ...ontology.namespaces import EV
from ...operators.nodes import Node
from ...store.graph import Graph, MemoryGraph, StoreGraph
from ...store.queries.deadline import Worker
from ...store.rdf import Literal, NamedNode, Quad, Triple
from ...store.vocabulary import Vocabulary
from ..annotation.annotate import Annotator
from ..annotation.annotations import Annotation
from ..annotation.matching import NOTHING_NEAR, Near
from ..annotation.parse_graph import place_triples, question_triples, vocabulary_triples
from ..annotation.reading import Reading, near_readings, readings
from ..patterns.functions import Clock
from ..patterns.limits import BoundedGraph, check_question
from ..patterns.patterns import CompiledPattern, Computed, Matcher, PatternMatch
from ..patterns.tokens import Text, tokenise
from ..rules.fragments import Leaf, RuleIndex
from ..rules.rulebook import RuleBook, shipped_rulebook
from .analysis import Analyses, draw
from .score import Parts, coverage
from .search import Candidate, Search, Step
from .trace import Asked, Trace

FORGET_AFTER = 500
"""Questions after which a planner makes anew the graph that rules look at."""
MOST_PHRASES = 5000
"""Words that name events whose trees are kept."""
FindValues = Callable[[str], Iterable[str]]
"""Gives the values of the data that a phrase names, whatever its case."""


@dataclass(frozen=True)
class AnswerForm:
    """What the answer looks like.

    `type` is one of the answer types; `unit` the unit the question asks for (its symbol), if it names one; `column`
    the attribute that answers, where rows have several; `distinct` when the same value counts once in a list.
    `analysis` says what the answer tells, for whoever draws it (number, ranking, share, trend, comparison,
    distribution, places, list), empty where no rule says; `measures`, `dimensions` and `limits` are the IRIs of what
    is shown, and of what only limits it.
    """

    type: str
    unit: str | None = None
    column: str | None = None
    distinct: bool = False
    analysis: str = ""
    measures: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


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
    parts: Parts | None = None
    """What the score is made of."""
    limited: tuple[str, ...] = ()
    """Words that limit which events count: periods and the like."""


class Given(TypedDict):
    """What planning works with: arguments of `Planner`."""

    graph: Graph
    vocabulary: Vocabulary
    rulebook: NotRequired[RuleBook | None]
    find_values: NotRequired[FindValues | None]
    near: NotRequired[Near]
    ranking: NotRequired[Ranking | None]
    limits: NotRequired[PlanningLimits | None]
    one_shot: NotRequired[bool]


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


class Planner:
    """Plans questions over one graph; what can be kept from question to question is.

    Not for several threads at once. Raises RuleError where a rule is wrong or passes a limit.
    """

    def __init__(
        self,
        graph: Graph,
        vocabulary: Vocabulary,
        rulebook: RuleBook | None = None,
        find_values: FindValues | None = None,
        *,
        near: Near = NOTHING_NEAR,
        ranking: Ranking | None = None,
        limits: PlanningLimits | None = None,
        one_shot: bool = False,
    ) -> None:
        self.one_shot = one_shot
        """Open leaves are not read again: each becomes a RETRIEVE of its words (an ablation)."""
        self.vocabulary = vocabulary
        self.graph = graph
        self.book = _with_own_nouns(rulebook or shipped_rulebook(), vocabulary)
        self._rules = RuleIndex(self.book.rules)
        self._ranking = ranking or Ranking()
        limits = limits or PlanningLimits()
        patient = limits.patient(graph.patience) if isinstance(graph, StoreGraph) else limits
        self._limits = limits.model_copy(update={"seconds": patient.seconds})
        self._worker = Worker()
        self._data = BoundedGraph(graph, patient, self._worker)
        self._analyses = Analyses(self.book.quads)
        self._asked = 0
        self._slow: set[str] = set()
        self._about = (graph, vocabulary, self.book)
        self._looked_up = (find_values, near)
        self._kept: Computed = {}
        self._by_name: dict[str, tuple[CompiledPattern, ...]] = {}
        self._phrases: dict[tuple[Clock, bool], dict[Leaf, tuple[Candidate, ...]]] = {}
        self._words = (*self.book.quads, *_vocabulary_quads(vocabulary))
        self._knowledge = self._fresh_knowledge()
        self._annotator = Annotator(*self._about, self._matcher(datetime.min), *self._looked_up)

    def _forget(self) -> None:
        """Makes the graph that rules look at anew: Oxigraph in memory keeps what was removed."""
        self._knowledge = self._fresh_knowledge()
        self._annotator.matcher = self._matcher(self._annotator.matcher.clock.now)
        if sum(map(len, self._phrases.values())) > MOST_PHRASES:
            self._phrases.clear()

    def plan(self, question: str, *, now: datetime) -> Plan:
        """The best plan of a question. Raises NotUnderstood, naming the words, where no rule reads it."""
        return self.plans(question, now=now)[0]

    def plans(self, question: str, *, now: datetime, top: int = 1, whole: bool = True) -> tuple[Plan, ...]:
        """Up to `top` plans, at least one: those that compete with the best one by score, best first, then those that
        rules of later orders and less likely readings give. What is not `whole` only names events, as the words of an
        open leaf do. Raises NotUnderstood as `plan` does, UsageError for a question that is too long."""
        check_question(question)
        self._asked += 1
        if self._asked % FORGET_AFTER == 0:
            self._forget()
        graph = NamedNode(f"urn:parse:{self._asked}")
        try:
            search = self._search(self._knowledge, graph, now)
            found = tuple(islice(_plans(search, question, search.candidates(question, whole=whole)), top))
            if not found:
                raise search.failure(question)
            if whole and len(found) < top:
                found += tuple(islice(_plans(search, question, search.further(question)), top - len(found)))
            slow = sorted(self._slow)
            left_out = tuple(f"your data is too large for the look-up of {name}: left out" for name in slow)
            return tuple(self._analysed(replace(one, notes=(*one.notes, *left_out))) for one in found)
        finally:
            self._knowledge.drop_graphs([graph.value])

    def _analysed(self, plan: Plan) -> Plan:
        """The plan with its analysis type, where the rules that built its tree do not say."""
        if plan.answer.analysis:
            return plan
        analysis = self._analyses.of(plan.tree, plan.answer.type)
        return replace(plan, answer=replace(plan.answer, analysis=analysis))

    def investigate(self, question: str, *, now: datetime) -> Investigation:
        """All plans, and every rule that was tried on the way: where `plan` raises, the result tells the failure.
        Raises UsageError for a question that is too long."""
        check_question(question)
        knowledge = self._fresh_knowledge()
        search = self._search(knowledge, NamedNode("urn:parse"), now)
        trace = search.trace = Trace()
        search.kept = None
        failure: NotUnderstood | RuleError | None = None
        found: tuple[Plan, ...] = ()
        try:
            found = tuple(self._analysed(one) for one in _plans(search, question, search.candidates(question)))
            if not found:
                failure = search.failure(question)
        except RuleError as bad:
            failure = bad
        return Investigation(question, found, tuple(trace.asked), knowledge, self.book, failure)

    def parse_graph(self, question: str, *, now: datetime) -> tuple[Triple, ...]:
        """The parse graph of the question's likeliest reading, without the vocabulary."""
        best = self._likeliest(question, now)
        node = NamedNode("urn:question")
        if best is None:
            return ()
        triples = [*question_triples(node, best, self.vocabulary, self.book.nouns, phrase=False)]
        by_subject: dict[str, list[Triple]] = {}
        for triple in (*triples, *place_triples(node, best)):
            by_subject.setdefault(str(triple.subject), []).append(triple)
        return tuple(triple for same in by_subject.values() for triple in same)

    def drawing(self, question: str, *, now: datetime) -> tuple[str, ...]:
        """The same as lines of text: the question, and beneath its words what each may mean."""
        best = self._likeliest(question, now)
        return tuple(draw(question, best, self._annotator.label_of)) if best else ()

    def readings(self, question: str, *, now: datetime) -> tuple[Reading, ...]:
        """Ways to read the question, the likeliest first, whether or not a rule makes a tree of them. Raises UsageError
        for a question that is too long."""
        check_question(question)
        return readings(question, self._annotator_at(now))

    def annotated(self, question: str) -> list[Annotation]:
        """What vocabulary and data know of a question's words, without patterns."""
        return self._annotator.lexical(tokenise(question))

    def matches(self, name: str, text: Text) -> list[PatternMatch]:
        """What one pattern of the rule book, which rests on no other, matches in a text."""
        if name not in self._by_name:
            self._by_name[name] = tuple(c for c in self.book.patterns if c.pattern.name == name)
        return self._annotator.matcher.run(self._by_name[name], text, {})

    def annotator(self, now: datetime) -> Annotator:
        """What tells the meanings of words, for whoever puts questions into other words."""
        return self._annotator_at(now)

    def read_ahead(self) -> None:
        """Embeds the labels of the vocabulary, which is done once for a store."""
        self._annotator.read_ahead()

    def _likeliest(self, question: str, now: datetime) -> Reading | None:
        """The reading that comes first; of a question with words that nothing knows, the one with near matches."""
        check_question(question)
        annotator = self._annotator_at(now)
        plain = readings(question, annotator)
        unknown = plain and coverage(plain[0], annotator).unknown
        found = (near_readings(question, annotator) if unknown else ()) or plain
        return found[0] if found else None

    def _search(self, knowledge: MemoryGraph, graph: NamedNode, now: datetime) -> Search:
        bounded = BoundedGraph(knowledge, self._limits, self._worker)

        def put(triples: Iterable[Triple]) -> None:
            knowledge.add(Quad(t.subject, t.predicate, t.object, graph) for t in triples)

        annotator = self._annotator_at(now)
        kept = self._phrases.setdefault((annotator.matcher.clock, self.one_shot), {})
        return Search(
            self.book,
            self._rules,
            annotator,
            bounded,
            put,
            self._ranking,
            self._limits,
            one_shot=self.one_shot,
            kept=kept,
        )

    def _annotator_at(self, now: datetime) -> Annotator:
        """The annotator, whose patterns count from `now`."""
        if self._annotator.matcher.clock != Clock(now):
            self._annotator.matcher = self._matcher(now)
        return self._annotator

    def _matcher(self, now: datetime) -> Matcher:
        knowledge = BoundedGraph(self._knowledge, self._limits, self._worker)
        return Matcher(knowledge, Clock(now), self._data, self._slow, self._kept)

    def _fresh_knowledge(self) -> MemoryGraph:
        """What rules look at besides the question: the words of the rule book and the vocabulary."""
        return MemoryGraph(self._words, functions=self.book.functions)


def _with_own_nouns(book: RuleBook, vocabulary: Vocabulary) -> RuleBook:
    """The rule book with nouns for the kinds of events of users' own maps: their labels."""
    own = {c.iri: c.label for c in vocabulary.event_classes() if c.any_verb and c.iri not in book.nouns}
    if not own:
        return book
    graph = NamedNode("urn:own")
    said = [Quad(NamedNode(iri), NamedNode(book.term("noun")), Literal(label), graph) for iri, label in own.items()]
    said += [Quad(NamedNode(iri), NamedNode(EV + "anyVerb"), Literal(True), graph) for iri in own]
    return replace(book, nouns={**book.nouns, **own}, quads=(*book.quads, *said))


def plan(question: str, *, now: datetime, **given: Unpack[Given]) -> Plan:
    """What a new planner makes of a question: `Planner.plan`."""
    return Planner(**given).plan(question, now=now)


def plans(question: str, *, now: datetime, top: int = 1, **given: Unpack[Given]) -> tuple[Plan, ...]:
    """What a new planner makes of a question: `Planner.plans`."""
    return Planner(**given).plans(question, now=now, top=top)


def investigate(question: str, *, now: datetime, **given: Unpack[Given]) -> Investigation:
    """What a new planner makes of a question: `Planner.investigate`."""
    return Planner(**given).investigate(question, now=now)


def parse_graph(question: str, *, now: datetime, **given: Unpack[Given]) -> tuple[Triple, ...]:
    """What a new planner makes of a question: `Planner.parse_graph`."""
    return Planner(**given).parse_graph(question, now=now)


def _plans(search: Search, question: str, candidates: Iterable[Candidate]) -> Iterator[Plan]:
    """Candidates of a question as plans."""
    for c in candidates:
        total = round(c.score.total, 4)
        said = (search.ignored(question), c.score, search.limited(question))
        yield Plan(c.tree, _answer_form(c.said), total, c.steps, c.notes, *said)


def _answer_form(said: Mapping[str, str]) -> AnswerForm:
    return AnswerForm(
        type=said.get("answerType", "events"),
        unit=said.get("unit"),
        column=said.get("column"),
        distinct=said.get("distinct") == "true",
        analysis=said.get("analysis", ""),
        measures=tuple(said.get("measures", "").split()),
        dimensions=tuple(said.get("dimensions", "").split()),
        limits=tuple(said.get("limits", "").split()),
    )


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
