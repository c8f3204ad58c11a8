"""What the searches and keys of a tree stand for in the data, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from ...ontology.namespaces import KEY
from ...operators.nodes import Node
from ...operators.resolution import Resolution
from ...retrieval.context import RetrieveContext
from ..doubt.unread import is_unread
from .own_counts import own_counts
from .ready import Said
from .resolve import resolve_attributes, resolve_retrieves


def resolved(
    tree: Node,
    context: RetrieveContext,
    facts: Callable[[Resolution], Resolution],
    marks: list[float],
    *,
    strict: bool,
    with_told: bool = False,
) -> tuple[Resolution, Said]:
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
    return facts(resolution), Said(notes, keys, (*found.warnings, *told), unknown, unread)
