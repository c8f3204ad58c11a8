"""The best question first: what splits an answer most evenly with the fewest words, and never what is fixed already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ....config import AnswerDialog
from ....ontology.namespaces import KEY
from ....operators.conditions import operands
from ....operators.expressions import Attribute as Read
from ....operators.expressions import Comparison, Expression, Literal
from ....operators.nodes import Extract, Filter, Node, Unnest, walk
from ....store.index.columns import Kind
from .enriching import START, Attribute
from .grouping import Above, splits_of
from .splits import Split

_WORD: Final = 0.02
"""Bits that a word of a question must bring."""
_EASE: Final = {Kind.NUMBER: 0.8, Kind.TRUTH: 0.9}
"""How readily people know such a thing of what they look for, names and times 1."""
_OWN_KEY: Final = 0.8
"""How readily people know what only a source has a name for."""
_LEAST_BITS: Final = 0.15
"""A question that tells less than this does not split: nine of ten events are in one group."""


def candidates(
    attributes: Iterable[Attribute], keys: dict[str, str], events: int, limits: AnswerDialog, above: Above
) -> Iterator[Split]:
    """The splits by attributes that enough of the events have; `keys` are their names in trees, by IRI."""
    for attribute in attributes:
        if attribute.local >= limits.frequency and (attribute.iri in keys or attribute.iri == START):
            for split in splits_of(attribute, keys.get(attribute.iri, ""), events, limits.choices, above):
                if len(split.all) > 1 and split.bits >= _LEAST_BITS:
                    yield split


def best_first(splits: Iterable[Split]) -> list[Split]:
    """Splits by how much a reply tells, less the words that it takes to ask; of each attribute the best only."""
    ordered = sorted(splits, key=lambda split: (-worth(split), split.attribute.label, split.grain))
    found: dict[tuple[str, bool], Split] = {}
    for split in ordered:
        found.setdefault((split.attribute.iri, split.grain in ("part of day", "weekend")), split)
    return list(found.values())


def worth(split: Split) -> float:
    """How good a question a split makes, in bits."""
    words = sum(len(group.label.split()) for group in split.all)
    ease = _EASE.get(split.attribute.kind, 1.0) * (_OWN_KEY if split.attribute.iri.startswith(KEY) else 1.0)
    return split.bits * ease - _WORD * words


def fixed_by(tree: Node) -> frozenset[str]:
    """Names of attributes that a question, or an earlier reply, fixed to one value, and of those that it asks for."""
    found = set[str]()
    for node in walk(tree):
        if isinstance(node, Filter):
            found |= set(_fixed(node.condition.body))
    top = tree
    while isinstance(top, Extract | Unnest):
        found |= set(top.names if isinstance(top, Extract) else (top.name,)) - {"start_date", "start_datetime"}
        top = top.input
    return frozenset(found)


def _fixed(condition: Expression) -> Iterator[str]:
    for part in operands(condition):
        if isinstance(part, Comparison) and part.operators in (("==",), ("in",)):
            sides = (part.left, part.rights[0])
            if any(isinstance(side, Literal) for side in sides):
                yield from (side.name for side in sides if isinstance(side, Read))
