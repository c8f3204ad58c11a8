"""What the data have to offer in the place of a part: other kinds of events, other values, other numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from ...operators.conditions import conjunction, operands
from ...operators.expressions import Attribute, Comparison, Expression, Lambda, Literal, Method, Name, Node
from ...operators.nodes import AttributeType, Extract, Filter, Retrieve, rebuilt
from ...operators.resolution import AttributeMatch, ClassMatch, Resolution, RetrieveMatch
from ...operators.standard import used_names
from ...store.graph import Graph
from ...store.index.index import ValueIndex
from ...store.rdf import NamedNode
from ...store.vocabulary import Vocabulary
from ..answers.nouns import topmost

_MOST_VALUES: Final = 12
_LONGEST: Final = 60
"""Characters of a value that is offered; a longer one is a text, of which no other event has the like."""
_NUMBERS: Final = ("integer", "decimal", "float", "double", "int", "long")


_AMONG: Final = """SELECT ?t (COUNT(DISTINCT ?e) AS ?n) { VALUES ?e { %s } ?e %s ?v OPTIONAL { ?v rdfs:label ?l }
  BIND(COALESCE(?l, STR(?v)) AS ?t) } GROUP BY ?t ORDER BY DESC(?n) ?t LIMIT %d"""


def values_among(graph: Graph, prop: str, events: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Values of a property of some events with how many of these have each, most first."""
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    rows = graph.select(_AMONG % (nodes, NamedNode(prop), 4 * _MOST_VALUES))
    found = ((text.value, int(count.value)) for text, count in rows if text is not None and count is not None)
    return tuple((text, count) for text, count in found if 0 < len(text) <= _LONGEST)[:_MOST_VALUES]


@dataclass(frozen=True)
class Offers:
    """What may stand in a tree of these data; `resolution` says what its phrases and attributes mean, `span` when the
    data begin and end."""

    vocabulary: Vocabulary
    index: ValueIndex
    resolution: Resolution
    span: tuple[date, date] | None
    locale: str

    @cached_property
    def kinds(self) -> tuple[tuple[str, int], ...]:
        """Kinds of events by their labels, with how many there are; most first."""
        counts = self.index.statistics.classes
        found = [
            (info.label, counts[info.iri].events) for info in self.vocabulary.event_classes() if info.iri in counts
        ]
        return tuple(sorted(found, key=lambda kind: (-kind[1], kind[0])))

    def match_of(self, query: str) -> RetrieveMatch | None:
        """What a phrase means."""
        return dict(self.resolution.retrieves).get(query)

    def kind_of(self, match: RetrieveMatch | None) -> str | None:
        """The label of the one kind of events that a phrase means; None where it means others."""
        if not isinstance(match, ClassMatch):
            return None
        tops = topmost(match.classes, self.vocabulary)
        return self.vocabulary.classes[tops[0]].label if len(tops) == 1 and tops[0] in self.vocabulary.classes else None

    def name_of(self, prop: str) -> str:
        """A property as trees name it."""
        return (self.vocabulary.property_label(prop) or "").replace(" ", "_")

    def values(self, prop: str, match: ClassMatch) -> tuple[tuple[str, int], ...]:
        """Values of a property of the events that a phrase means with how many of these have each, most first."""
        found = self.index.of_property(prop, "", 4 * _MOST_VALUES, classes=match.classes)
        return tuple((value, count) for value, count in found if 0 < len(value) <= _LONGEST and count)[:_MOST_VALUES]

    def values_of(self, query: str, name: str) -> tuple[tuple[str, int], ...]:
        """Values of an attribute of the events that a phrase means."""
        match, events = self._attributes.get((query, name)), self.match_of(query)
        if match is None or not match.properties or not isinstance(events, ClassMatch):
            return ()
        return self.values(match.properties[0], events)

    def numbers_of(self, query: str) -> tuple[str, ...]:
        """Attributes of the events that a phrase means that are numbers, by how many events have them."""
        match = self.match_of(query)
        if not isinstance(match, ClassMatch):
            return ()
        return tuple(self.name_of(prop) for prop in self.properties_of(match) if self._is_number(prop))

    def properties_of(self, match: ClassMatch) -> list[str]:
        """Properties of the events that a phrase means, by how many have them, but for those of records alone."""
        held: dict[str, int] = {}
        for one in match.classes:
            used = self.index.statistics.classes.get(one)
            for prop, count in (used.properties if used is not None else {}).items():
                info = self.vocabulary.properties.get(prop)
                if info is not None and not info.internal:
                    held[prop] = held.get(prop, 0) + count
        return sorted(held, key=lambda prop: (-held[prop], prop))

    def _is_number(self, prop: str) -> bool:
        used = self.index.statistics.properties.get(prop)
        if used is None:
            return False
        return bool(used.datatypes) and all(kind.rsplit("#", 1)[-1] in _NUMBERS for kind in used.datatypes)

    @cached_property
    def _attributes(self) -> Mapping[tuple[str, str], AttributeMatch]:
        return dict(self.resolution.attributes)


ROW = Name("attr")
"""What conditions call a row."""


def replaced(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one part in the place of another, wherever that stands."""
    return rebuilt(tree, lambda node: new if node == old else node)


def without_condition(tree: Node, held: Filter, parts: tuple[Expression, ...]) -> Node:
    """The tree without these parts of a FILTER's condition; what was extracted for them alone is not extracted."""
    rest = _with_parts(held, tuple(part for part in operands(held.condition.body) if part not in parts))
    if isinstance(rest, Extract):
        shorter = replaced(tree, held, rest.input)
        if used_names(shorter).isdisjoint(rest.names):
            return shorter
    return replaced(tree, held, rest)


def with_condition(tree: Node, held: Filter, old: tuple[Expression, ...], new: tuple[Expression, ...]) -> Node:
    """The tree with other parts in the place of these."""
    kept = [part for part in operands(held.condition.body) if part not in old]
    return replaced(tree, held, _with_parts(held, (*kept, *new)))


def narrowed(tree: Node, events: Retrieve, name: str, kind: AttributeType, condition: Expression) -> Node:
    """The tree whose events must meet one more condition on an attribute."""
    return replaced(tree, events, Filter(Extract(events, (name,), (kind,)), Lambda(ROW.identifier, condition)))


def is_value(name: str, value: str) -> Expression:
    """The condition that an attribute is a text, in whatever case."""
    return Comparison(Method(Attribute(ROW, name), "lower"), ("==",), (Literal(value.lower()),))


def with_events(tree: Node, old: Retrieve, query: str) -> Node:
    """The tree about other events."""
    return replaced(tree, old, Retrieve(query, old.source))


def _with_parts(held: Filter, parts: tuple[Expression, ...]) -> Node:
    body = conjunction(parts)
    return held.input if body is None else Filter(held.input, Lambda(held.condition.parameter, body))
