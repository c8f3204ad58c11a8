"""What a domain declares of its fact tables: measures and dimensions (RDF Data Cube), as plain records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ...ontology.namespaces import EV
from ...store.graph import Graph
from ...store.vocabulary import ClassInfo, PropertyInfo, Vocabulary
from ..annotation.annotate import OBSERVATION
from ..annotation.parse_graph import attribute_key, extract_type

COUNTING = ("count", "distinct")
_SAID = """SELECT ?p ?kind ?way ?of ?weight ?liked ?up ?whose ?sort WHERE {
  ?p a ?kind . VALUES ?kind { qb:MeasureProperty qb:DimensionProperty }
  OPTIONAL { ?p wh:aggregate ?way } OPTIONAL { ?p wh:of ?of } OPTIONAL { ?p wh:weight ?weight }
  OPTIONAL { ?p wh:preference ?liked }
  OPTIONAL { ?p wh:rollsUpTo ?up } OPTIONAL { ?p wh:attributeOf ?whose } OPTIONAL { ?p wh:kind ?sort }
}"""
_TIMED = "ASK { ?e a ?class ; ev:start ?at }"
_FISCAL = "SELECT ?month WHERE { ?x wh:fiscalYearBegins ?month }"
_CLOSED = "SELECT ?p WHERE { ?p ?how ?d VALUES ?how { wh:notOver wh:partly } }"


@dataclass(frozen=True)
class Attribute:
    """A column of fact tables: its name in trees, how EXTRACT reads it, the classes of facts that have it."""

    iri: str
    key: str
    kind: str
    labels: tuple[str, ...]
    facts: frozenset[str]
    unit: str | None = None
    preference: float = 0.0

    @property
    def label(self) -> str:
        """What it is called."""
        return self.labels[0]

    @property
    def is_number(self) -> bool:
        """Whether its values can be compared by size."""
        return self.kind in ("int", "float")


@dataclass(frozen=True)
class Measure(Attribute):
    """What is added up, averaged or counted: `aggregate` as the ontology says it, `of` the dimension whose members a
    distinct count counts, `weight` the measure that a mean is weighed by."""

    aggregate: str = "sum"
    of: str | None = None
    weight: str | None = None
    checked: bool = False
    """Whether it must not be taken together over some dimension, or at all, which the shipped rules look after."""


@dataclass(frozen=True)
class Dimension(Attribute):
    """What facts are grouped and filtered by; `above` is the next level of its hierarchy, `whose` the dimension that it
    is an attribute of, `sort` what answers where, who and when."""

    above: str | None = None
    whose: str | None = None
    sort: str = ""
    members: int = 0
    """How many members it has."""


@dataclass(frozen=True)
class Facts:
    """A fact table: its class, what its rows are called, whether they have a time."""

    iri: str
    labels: tuple[str, ...]
    timed: bool

    @property
    def label(self) -> str:
        """What its rows are called."""
        return self.labels[0]


@dataclass(frozen=True)
class Cube:
    """All that a domain declares of its fact tables, by IRI; `fiscal` is the month in which its fiscal year begins."""

    facts: Mapping[str, Facts]
    measures: Mapping[str, Measure]
    dimensions: Mapping[str, Dimension]
    fiscal: int | None = None

    @cached_property
    def below(self) -> Mapping[str, str]:
        """The level below each dimension."""
        return {one.above: one.iri for one in self.dimensions.values() if one.above}

    def attribute(self, iri: str) -> Attribute | None:
        """The measure or dimension of an IRI."""
        return self.measures.get(iri) or self.dimensions.get(iri)

    def related(self, one: str, other: str) -> bool:
        """Whether two dimensions are levels of one hierarchy, or one an attribute of the other."""
        return bool(self._line(one) & self._line(other))

    def _line(self, iri: str) -> set[str]:
        line: set[str] = set()
        waiting = [iri]
        while waiting:
            at = waiting.pop()
            if at in line or at not in self.dimensions:
                continue
            line.add(at)
            waiting += [up for up in (self.dimensions[at].above, self.dimensions[at].whose) if up]
        return line


def cube_of(graph: Graph, vocabulary: Vocabulary, members: Callable[[str], int]) -> Cube:
    """The cube that a store's vocabulary declares; without fact tables it is empty. `members` counts those of a
    dimension."""
    tables = [info for info in vocabulary.event_classes() if OBSERVATION in info.ancestors and info.iri != OBSERVATION]
    if not tables:
        return Cube({}, {}, {})
    measures: dict[str, Measure] = {}
    dimensions: dict[str, Dimension] = {}
    closed = {row[0].value for row in graph.select(_CLOSED) if row[0] is not None}
    for row in graph.select(_SAID):
        iri, kind, way, of, weight, liked, up, whose, sort = (term.value if term is not None else "" for term in row)
        info = vocabulary.properties.get(iri)
        if info is None:
            continue
        if kind.endswith("MeasureProperty"):
            said = (way.replace("average", "avg") or "sum", of or None, weight or None, iri in closed or way == "none")
            measures[iri] = Measure(*_column(info, vocabulary, liked), *said)
        else:
            dimensions[iri] = Dimension(
                *_column(info, vocabulary, liked), up or None, whose or None, sort, members(iri)
            )
    facts = {info.iri: _facts(info, graph) for info in tables}
    months = [row[0].value for row in graph.select(_FISCAL) if row[0] is not None]
    return Cube(facts, measures, dimensions, int(months[0]) if months else None)


def _facts(info: ClassInfo, graph: Graph) -> Facts:
    timed = any(graph.ask(_TIMED.replace("?class", f"<{iri}>")) for iri in (info.iri, *sorted(info.descendants)))
    return Facts(info.iri, info.labels, timed)


def _column(
    info: PropertyInfo, vocabulary: Vocabulary, liked: str
) -> tuple[str, str, str, tuple[str, ...], frozenset[str], str | None, float]:
    facts = frozenset(vocabulary.closed(info.domain))
    return info.iri, attribute_key(info.label), extract_type(info), info.labels, facts, info.unit, float(liked or 0)


TIME = EV + "start"
"""Stands for the time of facts, among dimensions."""
