"""Trees taken apart and changed over a store: `KnowledgeGraph.parts`, `narrowed`, `in_period`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import islice
from typing import Final

from ...compiler.rewrites import rewrite
from ...config import Settings
from ...errors import UsageError
from ...operators.expressions import Node
from ...operators.nodes import AttributeType
from ...operators.resolution import ClassMatch, Resolution
from ...operators.syntax.text import read_tree
from ...retrieval.context import RetrieveContext
from ...store.generations import EventGraph
from ...store.index.index import ValueIndex
from ...store.vocabulary import Vocabulary
from ..asking.resolving import resolved
from ..importing.catalog import span_of
from .offers import Offers, is_value, narrowed, values_among
from .parts import Part, events_of, parts_of, with_period

_MOST_ADDITIONS: Final = 12
_SEVERAL: Final = 3


@dataclass(frozen=True)
class Addition:
    """An attribute by which the events of a tree can be narrowed, and values of it with how many events have each."""

    name: str
    values: tuple[tuple[str, int], ...]


def _parts_events(values: Sequence[tuple[str, int]]) -> bool:
    """Whether values are of several events each, as a name is; an identifier is of one."""
    return len(values) > 1 and values[0][1] >= _SEVERAL


def _part(values: Sequence[tuple[str, int]], events: int) -> bool:
    """The same of few events, of which a value may be of two; a value that all of them have narrows nothing."""
    return bool(values) and values[0][1] > 1 and (len(values) > 1 or values[0][1] < events)


class Editing:
    """Changes trees over a store."""

    graph: EventGraph
    settings: Settings
    vocabulary: Vocabulary
    index: ValueIndex
    _context: Callable[[datetime], RetrieveContext]
    _with_facts: Callable[[Resolution], Resolution]

    def parts(self, tree: str, *, now: datetime) -> tuple[Part, ...]:
        """The parts of a tree in words, each with the trees that it becomes without it, or with another in its place.
        Raises TreeSyntaxError, and as `run` does."""
        node = read_tree(tree).node
        return parts_of(node, self._offers(node, now))

    def additions(self, tree: str, *, now: datetime, among: Sequence[str] = ()) -> tuple[Addition, ...]:
        """Attributes by which the events of a tree can be narrowed, with the values that events `among` these have
        (without any: all events of their kind); none where they are of no one kind."""
        node = read_tree(tree).node
        events, offers = events_of(node), self._offers(node, now)
        match = offers.match_of(events.query) if events is not None else None
        if not isinstance(match, ClassMatch):
            return ()
        props = [(prop, name) for prop in offers.properties_of(match) if (name := offers.name_of(prop))]
        if among:
            counted = ((name, values_among(self.graph, prop, among)) for prop, name in props)
            found = (Addition(name, values) for name, values in counted if _part(values, len(among)))
        else:
            every = (Addition(name, offers.values(prop, match)) for prop, name in props)
            found = (one for one in every if _parts_events(one.values))
        return tuple(islice(found, _MOST_ADDITIONS))

    def narrowed(self, tree: str, name: str, value: str) -> Node:
        """The tree whose events have that value of an attribute. Raises UsageError where it is about no events."""
        node = read_tree(tree).node
        events = events_of(node)
        if events is None or not name.strip():
            raise UsageError("this tree has no events that can be narrowed")
        return narrowed(node, events, name, AttributeType.STR, is_value(name, value))

    def in_period(self, tree: str, first: date, last: date) -> Node:
        """The tree about what began on these days. Raises UsageError where they end before they begin."""
        if last < first:
            raise UsageError("the period ends before it begins")
        return with_period(read_tree(tree).node, first, last)

    def _offers(self, node: Node, now: datetime) -> Offers:
        resolution, _ = resolved(rewrite(node, now).tree, self._context(now), self._with_facts, [], strict=False)
        return Offers(self.vocabulary, self.index, resolution, self._span, self.settings.locale)

    @cached_property
    def _span(self) -> tuple[date, date] | None:
        """When the data begin and end, read once: it takes as long as there are events."""
        found = span_of(self.graph)
        return (date.fromisoformat(found[0]), date.fromisoformat(found[1])) if found is not None else None
