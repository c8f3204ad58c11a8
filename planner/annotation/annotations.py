"""What a run of words of a question may mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...store.rdf import Literal, Term
from ..patterns.patterns import Group

_NO_VARIABLES: Mapping[str, Term] = MappingProxyType({})


@dataclass(frozen=True)
class Annotation:
    """Tokens `first` to `last` (exclusive) of a question, and what they may mean.

    `kinds` are local names under pg:; `matches` the ontology term, person or value property; `value` the value as the
    data has it. `confidence` is 1.0 for the exact words, less for inflected ones and for what only comes near: `how` is
    "spelling" (words put right), "part" (some of the words of a label or value) or "meaning" (no word in common), and
    empty for the words themselves. `occurs_in` are the properties (IRIs) that have the value.
    """

    first: int
    last: int
    kinds: tuple[str, ...]
    matches: str | None = None
    value: str | None = None
    pattern: str | None = None
    variables: Mapping[str, Term] = field(default_factory=lambda: _NO_VARIABLES)
    groups: tuple[Group, ...] = ()
    confidence: float = 1.0
    how: str = ""
    near: str | None = None
    occurs_in: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        return self.last - self.first

    def covers(self, other: Annotation) -> bool:
        """Whether the other's words are all among this one's."""
        return self.first <= other.first and other.last <= self.last

    def overlaps(self, other: Annotation) -> bool:
        """Whether the two share a word."""
        return self.first < other.last and other.first < self.last


def known_terms(annotations: Iterable[Annotation]) -> dict[tuple[str, int, int], str | Literal | None]:
    """What patterns may ask for as {@Kind}: the term of each kind at tokens first to last, or the value as the data has
    it; of several the earliest."""
    known: dict[tuple[str, int, int], str | Literal | None] = {}
    for annotation in annotations:
        said = None if annotation.value is None else Literal(annotation.value)
        for kind in annotation.kinds:
            known.setdefault((kind, annotation.first, annotation.last), annotation.matches or said)
    return known
