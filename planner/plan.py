"""Planning: a question becomes an operator tree by recursive decomposition (ReQAP section 3.1; QUASL sections V to
VII).

The parse graph of the question goes through the rules in order. Each piece of tree that a rule constructs has open
leaves with simpler questions; they are planned in turn until none is open. Rules of one order compete by score; later
orders are asked only where earlier ones lead to no whole tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import groupby, islice, product

from ..errors import NotUnderstood, TreeTypeError
from ..operators.nodes import Node, Retrieve, walk
from ..store.graph import Graph, MemoryGraph
from ..store.rdf import NamedNode, Quad, Triple
from ..store.vocabulary import Vocabulary
from .annotate import Annotator
from .parse_graph import question_triples, vocabulary_triples
from .patterns import Clock, Matcher
from .pieces import Piece, operator_count, read_pieces, with_leaves
from .reading import Reading, readings
from .rulebook import Rule, RuleBook, shipped_rulebook
from .score import Score, coverage, unread_words

MAX_DEPTH = 24
"""Rules applied one inside the other."""
MAX_CANDIDATES = 12
"""Trees kept per open leaf."""
FindValues = Callable[[str], Iterable[str]]
"""Gives the values of the data that a phrase names, whatever its case."""


@dataclass(frozen=True)
class Step:
    """One rule that was applied, to which question."""

    rule: str
    question: str


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
class _Candidate:
    """A tree for one open leaf, with the steps that led to it."""

    tree: Node
    said: Mapping[str, str]
    steps: tuple[Step, ...]
    notes: tuple[str, ...]
    score: Score


@dataclass(frozen=True)
class _Dead:
    """A question that no rule could go on with, and the words that were in the way."""

    question: str
    words: tuple[str, ...]
    reason: str
    depth: int


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
    found = planner.plans(question)
    if not found:
        raise planner.not_understood(question)
    return tuple(islice(found, top))


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
) -> _Planner:
    knowledge = MemoryGraph((*book.quads, *_vocabulary_quads(vocabulary)), functions=book.functions)
    matcher = Matcher(knowledge, Clock(now))
    return _Planner(book, Annotator(graph, vocabulary, book, matcher, find_values), knowledge)


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


@dataclass
class _Planner:
    """Plans one question; sub-questions that come up again are answered from `_known`."""

    book: RuleBook
    annotator: Annotator
    knowledge: MemoryGraph
    _known: dict[tuple[str, bool], tuple[_Candidate, ...]] = field(default_factory=dict)
    _dead: list[_Dead] = field(default_factory=list)
    _count: int = 0

    def plans(self, question: str) -> tuple[Plan, ...]:
        found = self._candidates(question, whole=True, depth=0)
        return tuple(
            Plan(c.tree, _answer_form(c.said), round(c.score.total, 4), c.steps, c.notes, self._ignored(question))
            for c in found
        )

    def not_understood(self, question: str) -> NotUnderstood:
        """Names the words of the dead end that came furthest."""
        if not self._dead:
            return NotUnderstood("the question says nothing", words=())
        deepest = max(self._dead, key=lambda dead: (bool(dead.reason), bool(dead.words), dead.depth, len(dead.words)))
        if deepest.reason:
            return NotUnderstood(deepest.reason, words=deepest.words)
        listed = ", ".join(f"“{word}”" for word in deepest.words)
        what = f"no rule reads {listed} in “{deepest.question}”" if listed else f"no rule reads “{question}”"
        return NotUnderstood(what, words=deepest.words)

    def _ignored(self, question: str) -> tuple[str, ...]:
        best = readings(question, self.annotator)
        return tuple(f.words for f in best[0].asides if "Noise" in f.annotation.kinds) if best else ()

    def _candidates(self, question: str, *, whole: bool, depth: int) -> tuple[_Candidate, ...]:
        key = (question, whole)
        if key not in self._known:
            self._known[key] = ()  # a rule that gives its own question back finds nothing
            self._known[key] = self._find(question, whole=whole, depth=depth)
        return self._known[key]

    def _find(self, question: str, *, whole: bool, depth: int) -> tuple[_Candidate, ...]:
        if depth > MAX_DEPTH:
            return ()
        for rank, reading in enumerate(readings(question, self.annotator, whole=whole)):
            refused = next((f for f in reading.filters if "Refused" in f.annotation.kinds), None)
            if refused is not None:
                reason = refused.annotation.variables["reason"].value
                self._dead.append(_Dead(question, (refused.words,), reason, depth))
                return ()
            found = self._read(question, reading, whole=whole, depth=depth, penalty=0.1 * rank)
            if found:
                return found
        return ()

    def _read(
        self, question: str, reading: Reading, *, whole: bool, depth: int, penalty: float
    ) -> tuple[_Candidate, ...]:
        node = NamedNode(f"urn:question:{self._count}")
        self._count += 1
        unknown = coverage(reading, self.annotator).unknown
        vocabulary = self.annotator.vocabulary
        triples = question_triples(node, reading, vocabulary, self.book.nouns, phrase=not whole, unknown=unknown)
        self.knowledge.add(Quad(t.subject, t.predicate, t.object, NamedNode("urn:parse")) for t in triples)
        for _, rules in groupby(self._applicable(reading), key=lambda rule: rule.order):
            found = [c for rule in rules for c in self._apply(rule, node, question, reading, depth)]
            if found:
                ranked = sorted(found, key=lambda c: (-(c.score.total - penalty), sum(map(len, queries_of(c.tree)))))
                return tuple(_without_twins(ranked))[:MAX_CANDIDATES]
        self._dead.append(_Dead(reading.text, unread_words(reading, self.annotator, whole=whole), "", depth))
        return ()

    def _applicable(self, reading: Reading) -> list[Rule]:
        present: set[str] = set()
        filters = (f.annotation for f in (*reading.filters, *reading.asides))
        for annotation in (*reading.annotations, *filters):
            present.update(self.book.term(kind) for kind in annotation.kinds)
            if annotation.pattern:
                present.add(annotation.pattern)
        return [rule for rule in self.book.rules if not rule.triggers or rule.triggers & present]

    def _apply(self, rule: Rule, node: NamedNode, question: str, reading: Reading, depth: int) -> Iterable[_Candidate]:
        pieces = read_pieces(self.knowledge.construct(rule.construct, {"this": node}), rule.iri)
        pieces = _distinct(pieces)
        for piece in pieces:
            if "refuse" in piece.said:
                self._dead.append(_Dead(reading.text, tuple(piece.said["refuse"].split("|")), "", depth))
                continue
            yield from self._completed(piece, rule, question, reading, len(pieces), depth)

    def _completed(
        self, piece: Piece, rule: Rule, question: str, reading: Reading, rivals: int, depth: int
    ) -> Iterable[_Candidate]:
        options = [self._candidates(leaf.question, whole=leaf.whole, depth=depth + 1) for leaf in piece.leaves]
        own = Score.of(piece, coverage(reading, self.annotator), rivals)
        for chosen in islice(product(*options), MAX_CANDIDATES):
            filled = {leaf.question: c.tree for leaf, c in zip(piece.leaves, chosen, strict=True)}
            try:
                tree = with_leaves(piece.tree, filled)
            except TreeTypeError as bad:
                self._dead.append(_Dead(question, (), str(bad), depth))
                continue
            said = dict(piece.said)
            for candidate in chosen:
                said = {**candidate.said, **said}
            notes = [note for c in chosen for note in c.notes]
            if piece.said.get("note"):
                notes.insert(0, piece.said["note"])
            yield _Candidate(
                tree,
                said,
                (Step(rule.iri, question), *(step for c in chosen for step in c.steps)),
                tuple(dict.fromkeys(notes)),
                own.joined([c.score for c in chosen], operator_count(tree)),
            )


def _distinct(pieces: list[Piece]) -> list[Piece]:
    """The pieces without repetition: two solutions of a rule may build the same."""
    found: dict[tuple[Node, tuple[tuple[str, str], ...]], Piece] = {}
    for piece in pieces:
        found.setdefault((piece.tree, tuple(sorted(piece.said.items()))), piece)
    return list(found.values())


def _without_twins(ranked: Iterable[_Candidate]) -> Iterable[_Candidate]:
    seen: set[Node] = set()
    for candidate in ranked:
        if candidate.tree not in seen:
            seen.add(candidate.tree)
            yield candidate


def _answer_form(said: Mapping[str, str]) -> AnswerForm:
    return AnswerForm(
        type=said.get("answerType", "events"),
        unit=said.get("unit"),
        column=said.get("column"),
        distinct=said.get("distinct") == "true",
    )


@lru_cache(maxsize=256)
def queries_of(tree: Node) -> tuple[str, ...]:
    """The queries of all RETRIEVEs of a tree, left to right."""
    return tuple(node.query for node in walk(tree) if isinstance(node, Retrieve))
