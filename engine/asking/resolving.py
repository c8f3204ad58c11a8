"""What the searches and keys of a tree stand for in the data, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from time import perf_counter
from typing import Final

from ...ontology.namespaces import KEY, NUMBERS
from ...operators.expressions import Builtin
from ...operators.nodes import Apply, Node
from ...operators.resolution import ClassMatch, Resolution, RetrieveMatch
from ...retrieval.context import RetrieveContext
from ...store.vocabulary import Vocabulary
from ...store.words import fold
from ...texts.tokens import atoms
from .ready import ResolutionNotes
from .resolve import resolve_attributes, resolve_retrieves


def resolved(
    tree: Node,
    context: RetrieveContext,
    facts: Callable[[Resolution], Resolution],
    marks: list[float],
    *,
    strict: bool,
    with_told: bool = False,
) -> tuple[Resolution, ResolutionNotes]:
    """The resolution of a tree with the `facts` of the data; `marks` gets the times at which searches and keys were
    resolved. Raises NotUnderstood for a key that the events do not have."""
    found = resolve_retrieves(tree, context, with_told=with_told)
    retrieves = found.matches
    marks.append(perf_counter())
    attributes, keys, told = resolve_attributes(tree, retrieves, context, strict=strict)
    marks.append(perf_counter())
    resolution = Resolution(tuple(retrieves.items()), tuple(attributes.items()), (*found.notes, *keys))
    named = {name for match in attributes.values() for name in match.properties if name.startswith(KEY)}
    unread = is_unread(found.in_vain, context.vocabulary.function_words)
    unknown = unread or not named <= context.index.statistics.properties.keys()
    notes = (*found.notes, *own_counts(tree, retrieves, context.vocabulary))
    return facts(resolution), ResolutionNotes(notes, keys, (*found.warnings, *told), unknown, unread)


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


MOST_PLAIN: Final = 2
"""Telling words up to which a phrase is plain enough to be understood."""


def is_unread(in_vain: Iterable[str], empty: Collection[str]) -> bool:
    """Whether one of the queries that were searched in vain has words that say nothing or are many. `empty` are the
    words that say nothing."""
    telling = (sum(fold(word) not in empty for word in atoms(query)) for query in in_vain)
    return any(not 1 <= number <= MOST_PLAIN for number in telling)
