"""Bounds on what patterns and rules may cost. What passes one is stopped, and the error names the rule.

A rule that loops asks ever further questions; one that explodes builds more pieces than anybody could rank, or never
ends; one that reaches outside would read the network or files. The numbers are `config.PlanningLimits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from ...config import PlanningLimits
from ...errors import QueryError, QueryStopped, QueryTimeout, RuleError, TooLarge, UsageError
from ...store.graph import Graph, Rows, StoreGraph
from ...store.queries.deadline import Worker
from ...store.rdf import Term, Triple

LONGEST_QUESTION = 1_000
"""Characters of a question; the longest of all that were collected has a quarter of that."""
LONGEST_LEAF = 2 * LONGEST_QUESTION
"""Characters of what a rule leaves open, which says no more than the question, with a word or two put in."""
MOST_WORDS = 120
"""Words and numbers of a question."""
TRIPLES_PER_PIECE = 40
"""Triples that a piece of tree has at most, on average."""


def check_question(question: str, what: str = "a question") -> None:
    """Refuses what is too long to be asked, by its characters or its words. Raises UsageError."""
    if len(question) > LONGEST_QUESTION:
        raise UsageError(f"{what} has at most {LONGEST_QUESTION:,} characters; this one has {len(question):,}")
    if any("\ud800" <= sign <= "\udfff" for sign in question):
        raise UsageError(f"{what} has half of a sign (a lone surrogate), which is no text")
    if len(question.split()) > MOST_WORDS:
        raise UsageError(f"{what} has at most {MOST_WORDS} words; this one has {len(question.split())}")


class BoundedGraph:
    """A graph whose queries end: each has a time limit, and only so many of its triples are taken.

    Queries run on a thread of their own, as Oxigraph cannot be stopped from the one that waits for it.
    """

    def __init__(self, graph: Graph, limits: PlanningLimits | None = None, worker: Worker | None = None) -> None:
        self._graph, self._limits, self._worker = graph, limits or PlanningLimits(), worker or Worker()

    def ask(self, query: str, bindings: Mapping[str, Term] | None = None) -> bool:
        """Truth of an ASK. Raises QueryStopped where it takes too long or too much memory, QueryError as any graph."""
        return self._worker.run(self._limits.rule_seconds, lambda: self._graph.ask(query, bindings))

    def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> Rows:
        """Rows of a SELECT. Raises QueryStopped where it takes too long or too much memory, QueryError as any graph."""
        return self._worker.run(self._limits.rule_seconds, lambda: self._graph.select(query, bindings))

    def construct(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Triple]:
        """Triples of a CONSTRUCT. Raises QueryStopped where it takes too long or too much memory, TooLarge where it
        builds too many, QueryError as any graph."""
        most = self._limits.solutions * TRIPLES_PER_PIECE

        def run() -> list[Triple]:
            if isinstance(self._graph, StoreGraph):
                return self._graph.construct(query, bindings, most=most + 1)
            return self._graph.construct(query, bindings)

        found = self._worker.run(self._limits.rule_seconds, run)
        if len(found) > most:
            raise TooLarge(f"more than {most:,} triples")
        return found


@dataclass
class Budget:
    """What planning one question has used up, by rule."""

    limits: PlanningLimits
    began: float = field(default_factory=perf_counter)
    asked: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

    def ask(self, rule: str, question: str) -> None:
        """Notes that a rule asks a sub-question. Raises RuleError where there are too many."""
        self.asked[rule] += 1
        if self.asked.total() > self.limits.questions:
            most, count = self.asked.most_common(1)[0]
            raise RuleError(
                f"rule {most} asked {count:,} of more than {self.limits.questions:,} sub-questions, "
                f"the last being “{question}”: it explodes",
                expected="rules that leave few questions open",
            )

    def leave_out(self, seconds: float) -> None:
        """Leaves time out that no rule took: labels may be embedded, once for a store."""
        self.began += seconds

    def spend(self, rule: str, seconds: float) -> None:
        """Notes the time that a rule took. Raises RuleError where planning takes too long."""
        self.seconds[rule] = self.seconds.get(rule, 0.0) + seconds
        if perf_counter() - self.began > self.limits.seconds:
            most, taken = max(self.seconds.items(), key=lambda item: item[1])
            raise RuleError(
                f"planning took longer than {self.limits.seconds:g} s, {taken:.1f} s of it rule {most}",
                expected="a WHERE with fewer solutions",
            )


def loop_error(above: Sequence[tuple[str, str]], limits: PlanningLimits) -> RuleError:
    """The error of rules that ask ever further questions; `above` holds each with the question it asked, outermost
    first."""
    rule, _ = Counter(rule for rule, _ in above).most_common(1)[0]
    asked = [question for by, question in above if by == rule]
    shown = " → ".join(f"“{_short(question)}”" for question in asked[:3])
    return RuleError(
        f"rule {rule} loops: it asks ever further questions, {shown} → …, {len(above)} inside one another",
        expected=f"rules that reach a tree within {limits.depth} steps",
    )


def query_error(
    rule: str, question: str, bad: QueryError | QueryStopped | TooLarge, limits: PlanningLimits
) -> RuleError:
    """The error of a rule whose query was stopped on a question."""
    if isinstance(bad, TooLarge):
        return _exploded(rule, question, str(bad))
    if isinstance(bad, QueryTimeout):
        return RuleError(
            f"rule {rule} ran longer than {limits.rule_seconds:g} s on “{_short(question)}” and was stopped",
            expected=_FEWER,
        )
    return RuleError(f"rule {rule} on “{_short(question)}”: {bad}")


def too_many(rule: str, question: str, count: int, limits: PlanningLimits) -> RuleError:
    """The error of a rule that builds more pieces than the limit."""
    return _exploded(rule, question, f"{count:,} pieces or more, where {limits.solutions:,} is the limit")


def _exploded(rule: str, question: str, what: str) -> RuleError:
    return RuleError(f"rule {rule} explodes: of “{_short(question)}” it builds {what}", expected=_FEWER)


_FEWER = "a WHERE with fewer solutions: join its parts by shared variables"


def _short(question: str) -> str:
    return question if len(question) <= 80 else question[:79] + "…"
