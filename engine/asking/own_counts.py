"""What a user's own map counts itself: two sightings of choughs may be of seven birds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ...ontology.namespaces import NUMBERS
from ...operators.expressions import Builtin
from ...operators.nodes import Apply, Node
from ...operators.resolution import ClassMatch, RetrieveMatch
from ...store.vocabulary import Vocabulary
from ...store.words import fold

_COUNTS: Final = frozenset({"count", "number", "quantity", "how many", "anzahl", "nombre", "numero", "aantal"})
"""What people call a column that says how many there were."""


def own_counts(tree: Node, retrieves: Mapping[str, RetrieveMatch], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Says of events that are counted that each has a count of its own, and how to ask for these."""
    if not (isinstance(tree, Apply) and isinstance(tree.function, Builtin) and tree.function.name == "len"):
        return ()
    return tuple(dict.fromkeys(_said(retrieves, vocabulary)))


def _said(retrieves: Mapping[str, RetrieveMatch], vocabulary: Vocabulary) -> Iterator[str]:
    for query, match in retrieves.items():
        classes = set(vocabulary.closed(match.classes)) if isinstance(match, ClassMatch) else set[str]()
        for prop in vocabulary.properties.values():
            if prop.range in NUMBERS and fold(prop.label) in _COUNTS and classes.intersection(prop.domain):
                yield (
                    f"records are counted here, and each has a “{prop.label}” of its own: "
                    f"“the total {prop.label} of {query}” adds these up"
                )
