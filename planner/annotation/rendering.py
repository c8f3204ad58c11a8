"""The parse graph as text: the question's words, and beneath them a line with brackets for each annotation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...store.rdf import NamedNode, Term
from .annotations import Annotation
from .reading import Reading

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
