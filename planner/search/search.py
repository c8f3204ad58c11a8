"""The search behind a plan: recursive decomposition of one question by rules (ReQAP section 3.1; QUASL sections V to
VII).

The parse graph of the question goes through the rules in order. Each piece of tree that a rule constructs has open
leaves with simpler questions; they are planned in turn until none is open. Rules of one order compete by score; later
orders are asked only where earlier ones lead to no whole tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, islice, product
from time import perf_counter

from ...config import PlanningLimits, Ranking
from ...errors import (
    AsksWhy,
    Declined,
    NoSuchData,
    NotUnderstood,
    QueryError,
    QueryStopped,
    RuleError,
    TooLarge,
    TreeTypeError,
)
from ...operators.checking.checking import check_tree
from ...operators.nodes import Node, Retrieve, walk
from ...operators.syntax.text import format_tree
from ...store.graph import Graph
from ...store.rdf import NamedNode, Triple
from ..annotation.annotate import Annotator
from ..annotation.parse_graph import question_triples
from ..annotation.reading import Reading, near_readings, readings, worded_readings
from ..patterns.limits import LONGEST_LEAF, Budget, loop_error, query_error, too_many
from ..rules.fragments import Broken, Fragment, Leaf, RuleIndex, read_fragments, tops_of, with_leaves
from ..rules.rulebook import Rule, RuleBook
from .score import Evidence, Parts, Scoring, coverage, evidence, unread_words
from .trace import Asked, Outcome, Refusal, Trace, Trial, triggers_of


@dataclass(frozen=True)
class Step:
    """One rule that was applied, to which question; whether it reads it as one about chats."""

    rule: str
    question: str
    of_chats: bool = False


@dataclass(frozen=True)
class Candidate:
    """A tree for one open leaf, with the steps that led to it and what the rules said of the answer."""

    tree: Node
    said: Mapping[str, str]
    steps: tuple[Step, ...]
    notes: tuple[str, ...]
    evidence: Evidence
    score: Parts


@dataclass(frozen=True)
class _Dead:
    """A question that no rule could go on with, and the words that were in the way."""

    question: str
    words: tuple[str, ...]
    reason: str
    depth: int
    declined: type[Declined] = Declined


_DECLINED = {"NoSuchData": NoSuchData, "AsksWhy": AsksWhy}
"""What is raised for a refused question, by the kind of the pattern that refuses it."""


@dataclass
class Search:
    """Plans one question; sub-questions that come up again are answered from `_known`.

    `knowledge` is what rules look at, through limits; `put` adds a parse graph to it.
    """

    book: RuleBook
    rules: RuleIndex
    annotator: Annotator
    knowledge: Graph
    put: Callable[[Iterable[Triple]], None]
    ranking: Ranking
    limits: PlanningLimits
    trace: Trace | None = None
    one_shot: bool = False
    """Whether open leaves become RETRIEVEs of their words instead of being read in turn."""
    kept: dict[Leaf, tuple[Candidate, ...]] | None = None
    """Trees of words that name events, kept from question to question; None to plan everything anew."""
    _known: dict[Leaf, tuple[Candidate, ...]] = field(default_factory=dict)
    _read_as: dict[Leaf, tuple[Reading, ...]] = field(default_factory=dict)
    _dead: list[_Dead] = field(default_factory=list)
    _above: list[tuple[str, str]] = field(default_factory=list)
    """The rules whose leaves are being planned, outermost first, each with the leaf's question."""
    _open: set[Leaf] = field(default_factory=set)
    _loops: list[tuple[str, str]] = field(default_factory=list)
    """Rules that asked a question inside itself."""
    _whole: list[tuple[Asked, float]] = field(default_factory=list)
    """Readings of the whole question, with the order of the last rules that were run on them."""
    _broken: list[RuleError] = field(default_factory=list)
    _count: int = 0

    def __post_init__(self) -> None:
        self._budget = Budget(self.limits)
        self._scoring = Scoring(self.ranking, self.annotator.stop_words)

    def candidates(self, question: str, *, whole: bool = True) -> tuple[Candidate, ...]:
        """Trees of a question, or of words that name events, best first; none where no rule reads it."""
        return self._candidates(Leaf(question, whole=whole), depth=0)

    def further(self, question: str) -> Iterator[Candidate]:
        """What rules of later orders and other readings make of a question that has candidates: less likely ones."""
        leaf = Leaf(question, whole=True)
        seen = {candidate.tree for candidate in self.candidates(question)}
        waiting = self._readings(leaf)[len(self._whole) :]
        for asked, order in self._whole:
            later = [rule for rule in self._applicable(asked.reading) if rule.order > order]
            for _, rules in groupby(later, key=lambda rule: rule.order):
                yield from _without_twins(self._ranked(c for rule in rules for c in self._apply(rule, asked)), seen)
        for rank, reading in enumerate(waiting, start=len(self._whole)):
            if not any("Refused" in f.annotation.kinds for f in reading.filters):
                yield from _without_twins(self._read(self._ask(leaf, reading, 0, rank)), seen)

    def failure(self, question: str) -> NotUnderstood | RuleError:
        """Why there is no tree: a rule that is wrong, or the words of the dead end that came furthest."""
        if self._broken:
            return self._broken[0]
        if self._loops:
            rule, asked = self._loops[0]
            return RuleError(f"rule {rule} loops: it asks “{asked}” again while that is being read")
        return self._not_understood(question)

    def _not_understood(self, question: str) -> NotUnderstood:
        if not self._dead:
            return NotUnderstood("the question says nothing", words=())
        deepest = max(self._dead, key=lambda dead: (bool(dead.reason), bool(dead.words), dead.depth, len(dead.words)))
        if deepest.reason:
            return deepest.declined(deepest.reason, words=deepest.words)
        listed = ", ".join(f"“{word}”" for word in deepest.words)
        what = f"no rule reads {listed} in “{deepest.question}”" if listed else f"no rule reads “{question}”"
        return NotUnderstood(what, words=deepest.words)

    def ignored(self, question: str) -> tuple[str, ...]:
        """Words that were left out because they say nothing here."""
        best = self._readings(Leaf(question, whole=True))
        return tuple(f.words for f in best[0].asides if "Noise" in f.annotation.kinds) if best else ()

    def limited(self, question: str) -> tuple[str, ...]:
        """Words that limit which events count: periods and the like."""
        best = self._readings(Leaf(question, whole=True))
        return tuple(f.words for f in best[0].filters) if best else ()

    def _readings(self, leaf: Leaf) -> tuple[Reading, ...]:
        if leaf not in self._read_as:
            began = perf_counter()
            self._read_as[leaf] = readings(leaf.question, self.annotator, whole=leaf.whole)
            if self.annotator.settings.always:
                self._budget.leave_out(perf_counter() - began)
        return self._read_as[leaf]

    def _all_readings(self, leaf: Leaf) -> Iterator[Reading]:
        """Readings by words that are known, then those by words that come near, which are only looked for where no rule
        reads the others."""
        plain = self._readings(leaf)
        yield from plain
        if leaf.whole:
            yield from worded_readings(leaf.question, self.annotator)
        if any(coverage(reading, self.annotator).unknown for reading in plain):
            began = perf_counter()
            near = near_readings(leaf.question, self.annotator, whole=leaf.whole)
            self._budget.leave_out(perf_counter() - began)
            yield from near

    def _candidates(self, leaf: Leaf, *, depth: int) -> tuple[Candidate, ...]:
        if leaf not in self._known and self.kept is not None and leaf in self.kept:
            self._known[leaf] = self.kept[leaf]
        if leaf not in self._known:
            self._known[leaf] = ()  # a rule that gives its own question back finds nothing
            self._open.add(leaf)
            loops = len(self._loops)
            self._known[leaf] = self._find(leaf, depth)
            self._open.remove(leaf)
            if self.kept is not None and not leaf.whole and self._known[leaf] and len(self._loops) == loops:
                self.kept[leaf] = self._known[leaf]
        return self._known[leaf]

    def _find(self, leaf: Leaf, depth: int) -> tuple[Candidate, ...]:
        if depth > self.limits.depth:
            raise loop_error(self._above, self.limits)
        for rank, reading in enumerate(self._all_readings(leaf)):
            refused = next((f for f in reading.filters if "Refused" in f.annotation.kinds), None)
            if refused is not None:
                said = refused.annotation.variables
                about = said["about"].value if "about" in said else refused.words
                kind = next((_DECLINED[k] for k in refused.annotation.kinds if k in _DECLINED), Declined)
                self._dead.append(_Dead(leaf.question, (about,), said["reason"].value, depth, kind))
                return ()
            found = self._read(self._ask(leaf, reading, depth, rank))
            if found:
                return found
        return ()

    def _ask(self, leaf: Leaf, reading: Reading, depth: int, rank: int) -> Asked:
        """Puts the parse graph of a reading beside the vocabulary, where rules look at it."""
        node = NamedNode(f"urn:question:{self._count}")
        self._count += 1
        unknown = coverage(reading, self.annotator).unknown
        vocabulary = self.annotator.vocabulary
        stop = self.annotator.stop_words
        self.put(
            question_triples(
                node, reading, vocabulary, self.book.nouns, phrase=not leaf.whole, unknown=unknown, stop_words=stop
            )
        )
        asked = Asked(leaf.question, leaf.whole, node, depth, rank, reading)
        if self.trace is not None:
            self.trace.asked.append(asked)
        return asked

    def _read(self, asked: Asked) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        reached = 0.0
        for order, rules in groupby(self._applicable(asked.reading), key=lambda rule: rule.order):
            found, reached = [c for rule in rules for c in self._apply(rule, asked)], order
            if found:
                break
        if not asked.depth:
            self._whole.append((asked, reached))
        if not found:
            asked.words = unread_words(asked.reading, self.annotator, whole=asked.whole)
            self._dead.append(_Dead(asked.reading.text, asked.words, "", asked.depth))
        asked.found = len(found)
        if self.trace is not None:
            self.trace.waiting(asked, self.book.rules)
        most = self.limits.leaf_candidates if asked.depth else self.limits.candidates
        ranked = self._ranked(found)
        if ranked and (reason := ranked[0].said.get("declined")):
            self._dead.append(_Dead(asked.reading.text, (), reason, asked.depth))
            return ()
        told = (candidate for candidate in ranked if "declined" not in candidate.said)
        return tuple(islice(_without_twins(told, set()), most))

    @staticmethod
    def _ranked(found: Iterable[Candidate]) -> list[Candidate]:
        """Best first; of equally good ones, those that leave less to RETRIEVE."""
        return sorted(found, key=lambda c: (-c.score.total, sum(map(len, queries_of(c.tree)))))

    def _applicable(self, reading: Reading) -> list[Rule]:
        """Rules that a reading lets run. A wording has its filters in its core, where rules that do not wait for
        wordings would pass over them."""
        needed = self.rules.needed(triggers_of(reading))
        wordings = [a for a in reading.annotations if "Wording" in a.kinds]
        if not wordings:
            return needed
        waited = triggers_of(replace(reading, annotations=tuple(wordings), filters=(), asides=()))
        return [rule for rule in needed if rule.infers or rule.triggers & waited]

    def _apply(self, rule: Rule, asked: Asked) -> list[Candidate]:
        trial = Trial(rule, Outcome.NO_SOLUTION)
        asked.trials.append(trial)
        triples = self._construct(rule, asked)
        if rule.infers:
            self.put(triples)
            trial.solutions, trial.outcome = len(triples), Outcome.FIRED if triples else Outcome.NO_SOLUTION
            return []
        built = read_fragments(triples)
        trial.solutions = len(built)
        for broken in (piece for piece in built if isinstance(piece, Broken)):
            trial.refusals.append(Refusal(broken.reason))
            self._broken.append(RuleError(f"rule {rule.iri} builds a tree that is none: {broken.reason}"))
        trial.pieces = _distinct(piece for piece in built if isinstance(piece, Fragment))
        found: list[Candidate] = []
        for piece in trial.pieces:
            if "refuse" in piece.said:
                words = tuple(piece.said["refuse"].split("|"))
                self._dead.append(_Dead(asked.reading.text, words, "", asked.depth))
                trial.refusals.append(Refusal("the rule refuses " + ", ".join(f"“{word}”" for word in words)))
                continue
            found += self._completed(piece, trial, asked)
        trial.trees = len(found)
        if built:
            trial.outcome = Outcome.FIRED if found else Outcome.REFUSED
        return found

    def _construct(self, rule: Rule, asked: Asked) -> list[Triple]:
        """What a rule builds of a reading. Raises RuleError, naming it, where it passes a limit."""
        began = perf_counter()
        try:
            triples = self.knowledge.construct(rule.construct, {"this": asked.node})
        except (QueryError, QueryStopped, TooLarge) as bad:
            raise query_error(rule.iri, asked.question, bad, self.limits) from bad
        self._budget.spend(rule.iri, perf_counter() - began)
        if (count := tops_of(triples)) > self.limits.solutions:
            raise too_many(rule.iri, asked.question, count, self.limits)
        return triples

    def _completed(self, piece: Fragment, trial: Trial, asked: Asked) -> Iterator[Candidate]:
        options = [self._below(leaf, trial.rule, asked) for leaf in piece.leaves]
        for leaf, found in zip(piece.leaves, options, strict=True):
            if not found:
                trial.refusals.append(Refusal(f"no rule reads “{leaf.question}”", format_tree(piece.tree)))
        own = evidence(piece, trial.rule, asked.reading, asked.node.value, _rivals(piece, trial), self._scoring)
        for chosen in islice(product(*options), self.limits.leaf_candidates):
            filled = {leaf.question: c.tree for leaf, c in zip(piece.leaves, chosen, strict=True)}
            tree = self._filled(piece, filled, trial, asked)
            if tree is not None:
                whole = own.joined(c.evidence for c in chosen)
                steps = (
                    Step(trial.rule.iri, asked.question, trial.rule.of_chats),
                    *(step for c in chosen for step in c.steps),
                )
                score = whole.parts(tree, self.ranking)
                yield Candidate(tree, _said(piece, chosen), steps, _notes(asked.reading, piece, chosen), whole, score)

    def _below(self, leaf: Leaf, rule: Rule, asked: Asked) -> tuple[Candidate, ...]:
        """The trees of an open leaf that a rule left."""
        if self.one_shot:
            nothing = Evidence(0.0, 0.0, 1.0, (1.0,))
            tree = Retrieve(leaf.question)
            return (Candidate(tree, {}, (), (), nothing, nothing.parts(tree, self.ranking)),)
        if leaf not in self._known:
            self._budget.ask(rule.iri, leaf.question)
        elif leaf in self._open:
            self._loops.append((rule.iri, leaf.question))
        self._above.append((rule.iri, leaf.question))
        if len(leaf.question) > LONGEST_LEAF:
            raise loop_error(self._above, self.limits)
        try:
            return self._candidates(leaf, depth=asked.depth + 1)
        finally:
            self._above.pop()

    def _filled(self, piece: Fragment, filled: Mapping[str, Node], trial: Trial, asked: Asked) -> Node | None:
        """The piece with its leaves filled; None, with the reason noted, where that is no tree or an ill-typed one."""
        try:
            tree = with_leaves(piece.tree, filled)
            if asked.whole:
                check_tree(tree)
        except TreeTypeError as bad:
            self._dead.append(_Dead(asked.question, (), str(bad), asked.depth))
            trial.refusals.append(Refusal(str(bad), format_tree(piece.tree)))
            return None
        return tree


def _rivals(piece: Fragment, trial: Trial) -> int:
    """How many pieces were built from the same part of the rule's WHERE: pg:subgraph names it, else it is the whole."""
    return sum(1 for other in trial.pieces if other.said.get("subgraph") == piece.said.get("subgraph"))


def _said(piece: Fragment, below: Iterable[Candidate]) -> dict[str, str]:
    """What the rules said of the answer: those above have the last word."""
    said: dict[str, str] = dict(piece.said)
    for candidate in below:
        said = {**candidate.said, **said}
    return said


def _notes(reading: Reading, piece: Fragment, below: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*reading.notes, *piece.notes, *(note for c in below for note in c.notes)]))


def _distinct(pieces: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """The pieces without repetition: two solutions of a rule may build the same."""
    found: dict[tuple[Node, tuple[tuple[str, str], ...]], Fragment] = {}
    for piece in pieces:
        found.setdefault((piece.tree, tuple(sorted(piece.said.items()))), piece)
    return tuple(found.values())


def _without_twins(ranked: Iterable[Candidate], seen: set[Node]) -> Iterator[Candidate]:
    """Those whose tree was not seen before."""
    for candidate in ranked:
        if candidate.tree not in seen:
            seen.add(candidate.tree)
            yield candidate


@lru_cache(maxsize=256)
def queries_of(tree: Node) -> tuple[str, ...]:
    """The queries of all RETRIEVEs of a tree, left to right."""
    return tuple(node.query for node in walk(tree) if isinstance(node, Retrieve))
