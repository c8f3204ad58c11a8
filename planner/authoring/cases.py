"""`rules test`: questions with the trees that they must become, in Turtle beside the rules.

    ex:lastMonth a pg:Case ; pg:question "How many songs did I play last month?" ; pg:now "2025-09-14T10:30:00" ;
      pg:tree 'APPLY(l=FILTER(…), fct=len)' ; pg:rule pg:countEvents ; pg:answer "number" ; pg:known "Last Christmas" .
    ex:refused a pg:Case ; pg:question "Why did I run?" ; pg:notUnderstood "why" .

Several pg:tree are alternatives; each pg:rule must be among those applied; pg:known are values that the data has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ...errors import LocatedError, NotUnderstood, Place, ReqapError, RuleError
from ...ontology.namespaces import PG, RDF_TYPE
from ...operators.syntax.text import format_tree, parse_tree
from ...store.rdf import NamedNode, parse_turtle
from ...store.sparql.source import Decoded, Document, decoded, iri_of
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


def case_faults(path: str, text: str) -> Iterator[RuleError]:
    """All that is wrong in the cases of a Turtle document."""
    document = Document(path, text)
    try:
        said = _said(document)
    except RuleError as bad:
        yield bad
        return
    for iri, values in said.items():
        yield from _faults(iri, values, document)


def _cases(document: Document) -> Iterator[Case]:
    for iri, said in _said(document).items():
        for bad in _faults(iri, said, document):
            raise bad
        now = datetime.fromisoformat(said[PG + "now"][0]) if PG + "now" in said else NOW
        yield Case(
            iri,
            said[PG + "question"][0],
            tuple(said.get(PG + "tree", ())),
            now,
            tuple(said.get(PG + "rule", ())),
            next(iter(said.get(PG + "answer", ())), None),
            tuple(said.get(PG + "known", ())),
            tuple(said.get(PG + "notUnderstood", ())),
            _place(iri, document),
        )


def _said(document: Document) -> dict[str, dict[str, list[str]]]:
    """What is said of each case. Raises RuleError for one without an IRI."""
    values: dict[str, dict[str, list[str]]] = {}
    for quad in parse_turtle(document.text, path=document.path, error=RuleError):
        if isinstance(quad.subject, NamedNode):
            said = values.setdefault(quad.subject.value, {})
            said.setdefault(quad.predicate.value, []).append(getattr(quad.object, "value", ""))
    unnamed = next(
        (s for s in document.said if iri_of(s.object, document.prefixes) == PG + "Case" and not s.subject), None
    )
    if unnamed is not None:
        raise RuleError(
            "a pg:Case has no IRI", place=document.place(unnamed.predicate_at), expected="an IRI as subject"
        )
    return {iri: said for iri, said in values.items() if PG + "Case" in said.get(RDF_TYPE, ())}


def _place(iri: str, document: Document) -> Place | None:
    return document.place(document.defined[iri]) if iri in document.defined else None


def _faults(iri: str, said: dict[str, list[str]], document: Document) -> Iterator[RuleError]:
    place = _place(iri, document)
    trees = said.get(PG + "tree", [])
    if len(said.get(PG + "question", [])) != 1 or bool(trees) == bool(said.get(PG + "notUnderstood", [])):
        yield RuleError(
            f"the case {iri} is incomplete", place=place, expected="a pg:question and a pg:tree (or pg:notUnderstood)"
        )
    for tree in trees:
        try:
            parse_tree(tree)
        except ReqapError as bad:
            yield _in_tree(bad, iri, tree, document)
    for now in said.get(PG + "now", []):
        try:
            datetime.fromisoformat(now)
        except ValueError as bad:
            at = next(written_as(document, iri, PG + "now", now), None)
            told = f"the pg:now of {iri}: {bad}"
            yield RuleError(told, place=document.place(at.at(0)) if at else place, expected="2025-03-01T12:00:00")


def _in_tree(bad: ReqapError, iri: str, tree: str, document: Document) -> RuleError:
    at = next(written_as(document, iri, PG + "tree", tree), None)
    if not isinstance(bad, LocatedError) or at is None:
        place = document.place(at.at(0)) if at else _place(iri, document)
        return RuleError(f"the pg:tree of {iri} is none: {bad}", place=place)
    inside = (bad.place.line, bad.place.column) if bad.place else (1, 1)
    place = document.place(at.at_place(*inside))
    return RuleError(
        f"the pg:tree of {iri} is none: {bad.message}", place=place, expected=bad.expected, nearest=bad.nearest
    )


def written_as(document: Document, subject: str, predicate: str, text: str) -> Iterator[Decoded]:
    """The literals in which a text is said of something."""
    for said in document.said:
        if said.subject == subject and said.predicate == predicate and said.object.kind == "STRING":
            found = decoded(said.object)
            if found.text == text:
                yield found


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
