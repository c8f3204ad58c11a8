"""The search behind a plan: recursive decomposition of one question by rules (ReQAP section 3.1; QUASL sections V to
VII).

The parse graph of the question goes through the rules in order. Each piece of tree that a rule constructs has open
leaves with simpler questions; they are planned in turn until none is open. Rules of one order compete by score; later
orders are asked only where earlier ones lead to no whole tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, islice, product

from ..errors import NotUnderstood, TreeTypeError
from ..operators.nodes import Node, Retrieve, walk
from ..operators.text import format_tree
from ..store.graph import MemoryGraph
from ..store.rdf import NamedNode, Quad
from .annotate import Annotator
from .parse_graph import question_triples
from .pieces import Piece, operator_count, read_pieces, with_leaves
from .reading import Reading, readings
from .rulebook import Rule, RuleBook
from .score import Score, coverage, unread_words
from .trace import Asked, Outcome, Refusal, Trace, Trial, triggers_of

MAX_DEPTH = 24
"""Rules applied one inside the other."""
MAX_CANDIDATES = 12
"""Trees kept per open leaf."""


@dataclass(frozen=True)
class Step:
    """One rule that was applied, to which question."""

    rule: str
    question: str


@dataclass(frozen=True)
class Candidate:
    """A tree for one open leaf, with the steps that led to it and what the rules said of the answer."""

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


@dataclass
class Search:
    """Plans one question; sub-questions that come up again are answered from `_known`."""

    book: RuleBook
    annotator: Annotator
    knowledge: MemoryGraph
    trace: Trace | None = None
    _known: dict[tuple[str, bool], tuple[Candidate, ...]] = field(default_factory=dict)
    _dead: list[_Dead] = field(default_factory=list)
    _count: int = 0

    def candidates(self, question: str) -> tuple[Candidate, ...]:
        """Trees of a whole question, best first; none where no rule reads it."""
        return self._candidates(question, whole=True, depth=0)

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

    def ignored(self, question: str) -> tuple[str, ...]:
        """Words that were left out because they say nothing here."""
        best = readings(question, self.annotator)
        return tuple(f.words for f in best[0].asides if "Noise" in f.annotation.kinds) if best else ()

    def _candidates(self, question: str, *, whole: bool, depth: int) -> tuple[Candidate, ...]:
        key = (question, whole)
        if key not in self._known:
            self._known[key] = ()  # a rule that gives its own question back finds nothing
            self._known[key] = self._find(question, whole=whole, depth=depth)
        return self._known[key]

    def _find(self, question: str, *, whole: bool, depth: int) -> tuple[Candidate, ...]:
        if depth > MAX_DEPTH:
            return ()
        for rank, reading in enumerate(readings(question, self.annotator, whole=whole)):
            refused = next((f for f in reading.filters if "Refused" in f.annotation.kinds), None)
            if refused is not None:
                reason = refused.annotation.variables["reason"].value
                self._dead.append(_Dead(question, (refused.words,), reason, depth))
                return ()
            found = self._read(self._ask(question, reading, whole, depth, rank))
            if found:
                return found
        return ()

    def _ask(self, question: str, reading: Reading, whole: bool, depth: int, rank: int) -> Asked:
        """Puts the parse graph of a reading beside the vocabulary, where rules look at it."""
        node = NamedNode(f"urn:question:{self._count}")
        self._count += 1
        unknown = coverage(reading, self.annotator).unknown
        vocabulary = self.annotator.vocabulary
        triples = question_triples(node, reading, vocabulary, self.book.nouns, phrase=not whole, unknown=unknown)
        self.knowledge.add(Quad(t.subject, t.predicate, t.object, NamedNode("urn:parse")) for t in triples)
        asked = Asked(question, whole, node, depth, rank, reading)
        if self.trace is not None:
            self.trace.asked.append(asked)
        return asked

    def _read(self, asked: Asked) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        for _, rules in groupby(self._applicable(asked.reading), key=lambda rule: rule.order):
            found = [c for rule in rules for c in self._apply(rule, asked)]
            if found:
                break
        if not found:
            asked.words = unread_words(asked.reading, self.annotator, whole=asked.whole)
            self._dead.append(_Dead(asked.reading.text, asked.words, "", asked.depth))
        asked.found = len(found)
        if self.trace is not None:
            self.trace.waiting(asked, self.book.rules)
        ranked = sorted(found, key=lambda c: (-c.score.total, sum(map(len, queries_of(c.tree)))))
        return tuple(_without_twins(ranked))[:MAX_CANDIDATES]

    def _applicable(self, reading: Reading) -> list[Rule]:
        present = triggers_of(reading)
        return [rule for rule in self.book.rules if not rule.triggers or rule.triggers & present]

    def _apply(self, rule: Rule, asked: Asked) -> list[Candidate]:
        built = read_pieces(self.knowledge.construct(rule.construct, {"this": asked.node}), rule.iri)
        pieces = _distinct(built)
        trial = Trial(rule, Outcome.NO_SOLUTION, len(built), tuple(pieces))
        asked.trials.append(trial)
        found: list[Candidate] = []
        for piece in pieces:
            if "refuse" in piece.said:
                words = tuple(piece.said["refuse"].split("|"))
                self._dead.append(_Dead(asked.reading.text, words, "", asked.depth))
                trial.refusals.append(Refusal("the rule refuses " + ", ".join(f"“{word}”" for word in words)))
                continue
            found += self._completed(piece, trial, asked)
        trial.trees = len(found)
        if pieces:
            trial.outcome = Outcome.FIRED if found else Outcome.REFUSED
        return found

    def _completed(self, piece: Piece, trial: Trial, asked: Asked) -> Iterable[Candidate]:
        options = [self._candidates(leaf.question, whole=leaf.whole, depth=asked.depth + 1) for leaf in piece.leaves]
        for leaf, found in zip(piece.leaves, options, strict=True):
            if not found:
                trial.refusals.append(Refusal(f"no rule reads “{leaf.question}”", format_tree(piece.tree)))
        own = Score.of(piece, coverage(asked.reading, self.annotator), len(trial.pieces))
        for chosen in islice(product(*options), MAX_CANDIDATES):
            filled = {leaf.question: c.tree for leaf, c in zip(piece.leaves, chosen, strict=True)}
            try:
                tree = with_leaves(piece.tree, filled)
            except TreeTypeError as bad:
                self._dead.append(_Dead(asked.question, (), str(bad), asked.depth))
                trial.refusals.append(Refusal(str(bad), format_tree(piece.tree)))
                continue
            yield Candidate(
                tree,
                _said(piece, chosen),
                (Step(trial.rule.iri, asked.question), *(step for c in chosen for step in c.steps)),
                _notes(piece, chosen),
                own.joined([c.score for c in chosen], operator_count(tree)),
            )


def _said(piece: Piece, below: Iterable[Candidate]) -> dict[str, str]:
    """What the rules said of the answer: those above have the last word."""
    said: dict[str, str] = dict(piece.said)
    for candidate in below:
        said = {**candidate.said, **said}
    return said


def _notes(piece: Piece, below: Iterable[Candidate]) -> tuple[str, ...]:
    own = [piece.said["note"]] if piece.said.get("note") else []
    return tuple(dict.fromkeys([*own, *(note for c in below for note in c.notes)]))


def _distinct(pieces: list[Piece]) -> list[Piece]:
    """The pieces without repetition: two solutions of a rule may build the same."""
    found: dict[tuple[Node, tuple[tuple[str, str], ...]], Piece] = {}
    for piece in pieces:
        found.setdefault((piece.tree, tuple(sorted(piece.said.items()))), piece)
    return list(found.values())


def _without_twins(ranked: Iterable[Candidate]) -> Iterable[Candidate]:
    seen: set[Node] = set()
    for candidate in ranked:
        if candidate.tree not in seen:
            seen.add(candidate.tree)
            yield candidate


@lru_cache(maxsize=256)
def queries_of(tree: Node) -> tuple[str, ...]:
    """The queries of all RETRIEVEs of a tree, left to right."""
    return tuple(node.query for node in walk(tree) if isinstance(node, Retrieve))
