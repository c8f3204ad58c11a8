"""The analysis type of an answer (QUASL, section V-C): what it tells, by declared rules over its tree's operators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from ...errors import QueryError, RuleError
from ...operators.nodes import Node
from ...store.graph import MemoryGraph
from ...store.rdf import Literal, NamedNode, Quad, Term, tree_triples
from ..annotation.annotations import Annotation
from ..annotation.reading import Reading

_RULES = """SELECT ?rule ?type ?ask WHERE {
  ?rule a pg:AnalysisRule ; pg:analysis ?type ; sh:ask ?ask . OPTIONAL { ?rule sh:order ?order }
} ORDER BY ?order ?rule"""
_TOP = NamedNode("urn:tree")
_KNOWN = re.compile(r"[?$](top|answerType)\b")


class Analyses:
    """The analysis rules of a rule book, in their order."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._rules = _rules_of(tuple(quads))

    def of(self, tree: Node, answer_type: str) -> str:
        """The first analysis type whose ASK holds; empty where none does. Raises RuleError for an ASK that is wrong."""
        if not self._rules:
            return ""
        graph = MemoryGraph.of_triples(tree_triples(tree, _TOP))
        known = {"top": str(_TOP), "answerType": str(Literal(answer_type))}
        for rule, kind, ask in self._rules:
            try:
                if graph.ask(_KNOWN.sub(lambda found: known[found[1]], ask)):
                    return kind
            except QueryError as bad:
                raise RuleError(f"analysis rule {rule}: {bad}") from bad
        return ""


@lru_cache(maxsize=8)
def _rules_of(quads: tuple[Quad, ...]) -> tuple[tuple[str, str, str], ...]:
    """(rule, type, ASK) of each analysis rule, in their order; kept, as most planners have the same rule book."""
    found = MemoryGraph(quads).select(_RULES)
    return tuple((str(rule), kind.value, ask.value) for rule, kind, ask in found if kind and ask)


_LONGEST = 60
"""Characters of a variable's value that are shown."""


def draw(question: str, reading: Reading, label_of: Callable[[Annotation], str]) -> Iterator[str]:
    """The lines of the drawing; `label_of` gives the label of what an annotation matches."""
    yield question
    placed = sorted(_placed(reading), key=lambda p: (p[0], -p[1], -p[2].confidence, p[2].kinds))
    for start, length, annotation in placed:
        mark = "└" + "─" * (length - 2) + "┘" if length > 1 else "╵"
        said = _said(annotation, label_of)
        yield f"{' ' * start}{mark}{' ' * (len(question) - start - length)}  {said}"


def _placed(reading: Reading) -> Iterable[tuple[int, int, Annotation]]:
    """Annotations with where their words stand in the question: offset and length."""
    for annotation in reading.annotations:
        yield *reading.core.origin(annotation.first, annotation.last), annotation
    for moved in (*reading.filters, *reading.asides):
        yield *moved.place, moved.annotation


def _said(annotation: Annotation, label_of: Callable[[Annotation], str]) -> str:
    what = [" ".join(annotation.kinds)]
    if annotation.value is not None:
        what.append(f"“{annotation.value}”")
    elif annotation.matches:
        what.append(label_of(annotation))
    if annotation.pattern:
        what.append(annotation.pattern.rsplit("#", 1)[-1].rsplit("/", 1)[-1])
    how = f", by {annotation.how}" if annotation.how else ""
    given = "; ".join(f"{name}={_short(term)}" for name, term in sorted(annotation.variables.items()))
    return f"{' '.join(what)} ({annotation.confidence:.2f}{how})" + (f" {given}" if given else "")


def _short(term: Term) -> str:
    """An IRI's local name; a literal's beginning."""
    if isinstance(term, NamedNode):
        return term.value.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
    return term.value[:_LONGEST]
