"""`rules test`: questions with the trees that they must become, in Turtle beside the rules.

    ex:lastMonth a pg:Case ; pg:question "How many songs did I play last month?" ; pg:now "2025-09-14T10:30:00" ;
      pg:tree 'APPLY(l=FILTER(…), fct=len)' ; pg:rule pg:countEvents ; pg:answer "number" ; pg:known "Last Christmas" .
    ex:refused a pg:Case ; pg:question "Why did I run?" ; pg:notUnderstood "why" .

Several pg:tree are alternatives; each pg:rule must be among those applied; pg:known are values that the data has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ...errors import NotUnderstood, Place, ReqapError, RuleError
from ...ontology.namespaces import PG, RDF_TYPE
from ...operators.syntax.text import format_tree, parse_tree
from ...store.rdf import NamedNode, parse_turtle
from ...store.sparql.source import Document, iri_of
from ...store.words import fold
from ..search.plan import Plan

NOW = datetime(2025, 9, 14, 10, 30)
"""The time of asking of cases that name none: a Sunday."""


@dataclass(frozen=True)
class Case:
    """One case; `not_understood` are words that the refusal must name, where the question must be refused."""

    iri: str
    question: str
    trees: tuple[str, ...]
    now: datetime = NOW
    rules: tuple[str, ...] = ()
    answer: str | None = None
    known: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    place: Place | None = None

    def values(self, phrase: str) -> Iterable[str]:
        """Values of the data that a phrase names, as far as the case tells."""
        return [value for value in self.known if fold(value) == fold(phrase)]


@dataclass(frozen=True)
class Result:
    """How a case went: `problem` is empty where it is as it must be; `got` the tree that came out."""

    case: Case
    problem: str = ""
    got: str = ""
    steps: tuple[tuple[str, str], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all is as it must be."""
        return not self.problem


MakePlan = Callable[[Case], Plan]
"""Plans a case's question; raises NotUnderstood."""


def read_cases(documents: Iterable[tuple[str, str]]) -> list[Case]:
    """The cases of Turtle documents, in their order. Raises RuleError with the place of what is wrong in them."""
    return [case for path, text in documents for case in _cases(Document(path, text))]


def _cases(document: Document) -> list[Case]:
    values: dict[str, dict[str, list[str]]] = {}
    for quad in parse_turtle(document.text, path=document.path, error=RuleError):
        if isinstance(quad.subject, NamedNode):
            said = values.setdefault(quad.subject.value, {})
            said.setdefault(quad.predicate.value, []).append(getattr(quad.object, "value", ""))
    cases = [iri for iri, said in values.items() if PG + "Case" in said.get(RDF_TYPE, ())]
    unnamed = next(
        (s for s in document.said if iri_of(s.object, document.prefixes) == PG + "Case" and not s.subject), None
    )
    if unnamed is not None:
        raise RuleError(
            "a pg:Case has no IRI", place=document.place(unnamed.predicate_at), expected="an IRI as subject"
        )
    return [_case(iri, values[iri], document) for iri in cases]


def _case(iri: str, said: dict[str, list[str]], document: Document) -> Case:
    place = document.place(document.defined[iri]) if iri in document.defined else None
    questions = said.get(PG + "question", [])
    trees = tuple(said.get(PG + "tree", ()))
    refused = tuple(said.get(PG + "notUnderstood", ()))
    if len(questions) != 1 or bool(trees) == bool(refused):
        raise RuleError(
            f"the case {iri} is incomplete", place=place, expected="a pg:question and a pg:tree (or pg:notUnderstood)"
        )
    for tree in trees:
        try:
            parse_tree(tree)
        except ReqapError as bad:
            raise RuleError(f"the pg:tree of {iri} is none: {bad}", place=place) from bad
    try:
        now = datetime.fromisoformat(said[PG + "now"][0]) if PG + "now" in said else NOW
    except ValueError as bad:
        raise RuleError(f"the pg:now of {iri}: {bad}", place=place, expected="2025-03-01T12:00:00") from bad
    answer = next(iter(said.get(PG + "answer", ())), None)
    rules, known = tuple(said.get(PG + "rule", ())), tuple(said.get(PG + "known", ()))
    return Case(iri, questions[0], trees, now, rules, answer, known, refused, place)


def try_cases(cases: Sequence[Case], make: MakePlan) -> list[Result]:
    """Plans every case and compares."""
    return [_try(case, make) for case in cases]


def _try(case: Case, make: MakePlan) -> Result:
    try:
        plan = make(case)
    except NotUnderstood as bad:
        missing = [word for word in case.not_understood if not _names(word, bad)]
        if case.not_understood and not missing:
            return Result(case)
        wanted = f"; it should name {', '.join(missing)}" if missing else ""
        return Result(case, f"not understood: {bad}{wanted}")
    except ReqapError as bad:
        return Result(case, str(bad))
    return _compared(case, plan)


def _names(word: str, bad: NotUnderstood) -> bool:
    return fold(word) in (fold(named) for named in bad.words) or fold(word) in fold(str(bad))


def _compared(case: Case, plan: Plan) -> Result:
    got = format_tree(plan.tree)
    steps = tuple((step.rule, step.question) for step in plan.steps)
    if case.not_understood:
        return Result(case, "it was understood", got, steps)
    applied = {step.rule for step in plan.steps}
    absent = [rule for rule in case.rules if rule not in applied]
    if not any((plan.tree == parse_tree(tree)) for tree in case.trees):
        return Result(case, "another tree", got, steps)
    if absent:
        return Result(case, f"the rule {absent[0]} was not applied", got, steps)
    if case.answer is not None and plan.answer.type != case.answer:
        return Result(case, f"the answer type is {plan.answer.type}, not {case.answer}", got, steps)
    return Result(case, "", got, steps)
