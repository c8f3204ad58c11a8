"""What is known of the data of a store: how many events a class has, and how its properties are used.

Counted once per generation, with a few queries over all named graphs, and kept as JSON beside the other indexes.
Derivations never say anything with the properties of imported data, so the counts hold while the generation does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ..errors import StoreError
from ..ontology.namespaces import DERIVED, RDF_TYPE
from .graph import Graph
from .rdf import NamedNode, Term

FORMAT: Final = 2
"""Goes into the file; another number means that it is counted anew."""
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_PLAIN: Final = {
    _XSD + "dateTime": "STRLEN(STR(?o)) = 19 && YEAR(?o) > 0",
    _XSD + "date": "STRLEN(STR(?o)) = 10 && YEAR(?o) > 0",
    _XSD + "time": "STRLEN(STR(?o)) = 8 && HOURS(?o) >= 0",
    _XSD + "integer": "isNumeric(?o)",
    _XSD + "decimal": "isNumeric(?o)",
    _XSD + "boolean": 'STR(?o) IN ("true", "false")',
}
"""What holds for values of a datatype that need no further reading: well-formed, no zone, no parts of a second."""

_USES = "SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?m) (COUNT(DISTINCT ?o) AS ?k) { ?s ?p ?o } GROUP BY ?p"
_DATATYPES = "SELECT DISTINCT ?p ?t { ?s ?p ?o BIND(DATATYPE(?o) AS ?t) }"
_CLASSES = "SELECT ?c (COUNT(*) AS ?n) (COUNT(DISTINCT ?e) AS ?m) { ?e a ?c } GROUP BY ?c"
_OVERLAPS = "SELECT DISTINCT ?c ?d { ?e a ?c, ?d FILTER(STR(?c) < STR(?d)) }"
_HELD = "SELECT ?c ?p (COUNT(*) AS ?n) { ?e a ?c ; ?p ?o } GROUP BY ?c ?p"
_UNTIMED = 'SELECT ?c (COUNT(*) AS ?n) { ?e ev:timePrecision "day" ; a ?c } GROUP BY ?c'
_DATED = """SELECT ?c (COUNT(*) AS ?n) { ?e ev:start ?s ; ev:day ?d ; a ?c FILTER(STR(?d) = SUBSTR(STR(?s), 1, 10)) }
GROUP BY ?c"""


def _distinct(prop: str) -> str:
    return f"SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?s ?o {{ ?s {NamedNode(prop)} ?o }} }}"


def _irregular(prop: str, datatype: str) -> str:
    test = f"DATATYPE(?o) = {NamedNode(datatype)} && !COALESCE({_PLAIN[datatype]}, false)"
    return f"ASK {{ ?s {NamedNode(prop)} ?o FILTER({test}) }}"


@dataclass(frozen=True, slots=True)
class PropertyStatistics:
    """How a property is used.

    `triples` counts each named graph by itself; `distinct` counts what stands in several graphs once. `datatypes` are
    IRIs, "" for a resource; `irregular`: a value is not in the plain form of its datatype (a moment has a zone or parts
    of a second, a number is none).
    """

    triples: int
    distinct: int
    subjects: int
    values: int
    datatypes: frozenset[str]
    irregular: bool = False

    @property
    def functional(self) -> bool:
        """Whether every subject has one distinct value."""
        return self.distinct == self.subjects

    @property
    def repeated(self) -> bool:
        """Whether a triple stands in more than one graph."""
        return self.triples > self.distinct

    @property
    def single(self) -> bool:
        """Whether a pattern of the property holds at most once for each subject."""
        return self.triples == self.subjects


@dataclass(frozen=True, slots=True)
class ClassStatistics:
    """How a class is used: `repeated` when its membership is said in two graphs, `untimed` counts events of a day
    without a time, `properties` counts the triples of its instances by property, `dated` the starts whose day the
    event touches."""

    events: int
    repeated: bool
    untimed: int
    properties: Mapping[str, int]
    dated: int = 0


@dataclass(frozen=True)
class Statistics:
    """Classes and properties by IRI; `overlaps` are pairs of classes, in order, that have an instance in common."""

    classes: Mapping[str, ClassStatistics]
    properties: Mapping[str, PropertyStatistics]
    overlaps: frozenset[tuple[str, str]]

    def disjoint(self, classes: tuple[str, ...]) -> bool:
        """Whether no instance has two of the classes."""
        ordered = sorted(set(classes))
        pairs = {(a, b) for at, a in enumerate(ordered) for b in ordered[at + 1 :]}
        return not pairs & self.overlaps

    @cached_property
    def events(self) -> int:
        """The largest number of instances that a class has."""
        return max((held.events for held in self.classes.values()), default=0)


def gather(graph: Graph) -> Statistics:
    """Counts a graph, less what only derivations say.

    Else all graphs count, those of derivations and of the vocabulary too, so that nothing is taken for single wrongly.
    """
    datatypes: dict[str, set[str]] = {}
    for prop, datatype in _rows(graph, _DATATYPES):
        datatypes.setdefault(prop, set()).add(datatype)
    properties = {
        prop: _property(graph, prop, int(triples), int(subjects), int(values), frozenset(datatypes[prop]))
        for prop, triples, subjects, values in _rows(graph, _USES)
        if not prop.startswith(DERIVED)
    }
    held = properties.get(RDF_TYPE)
    several = held is not None and not held.single
    overlaps = frozenset((one, other) for one, other in _rows(graph, _OVERLAPS)) if several else frozenset[Any]()
    return Statistics(_classes(graph), properties, overlaps)


def _property(
    graph: Graph, prop: str, triples: int, subjects: int, values: int, datatypes: frozenset[str]
) -> PropertyStatistics:
    """The rest of what is known of a property, asked only where it is not clear."""
    distinct = triples if triples == subjects else int(_rows(graph, _distinct(prop))[0][0])
    irregular = any(graph.ask(_irregular(prop, name)) for name in _PLAIN if name in datatypes)
    return PropertyStatistics(triples, distinct, subjects, values, datatypes, irregular)


def _classes(graph: Graph) -> dict[str, ClassStatistics]:
    held: dict[str, dict[str, int]] = {}
    for kind, prop, count in _rows(graph, _HELD):
        if not prop.startswith(DERIVED):
            held.setdefault(kind, {})[prop] = int(count)
    untimed = {kind: int(count) for kind, count in _rows(graph, _UNTIMED)}
    dated = {kind: int(count) for kind, count in _rows(graph, _DATED)}
    return {
        kind: ClassStatistics(int(events), said != events, untimed.get(kind, 0), held.get(kind, {}), dated.get(kind, 0))
        for kind, said, events in _rows(graph, _CLASSES)
    }


def _rows(graph: Graph, query: str) -> list[tuple[str, ...]]:
    return [tuple(map(_text, row)) for row in graph.select(query)]


def _text(term: Term | None) -> str:
    return term.value if term is not None else ""


def open_statistics(folder: Path | None, graph: Graph, *, state: str) -> Statistics:
    """The statistics of a graph: from the index folder of its generation if they are there, else counted and kept.

    `state` names the graph's content; another state's file is counted anew. Raises StoreError where it cannot be kept.
    """
    path = folder / "statistics.json" if folder is not None else None
    if path is not None and path.is_file():
        found = _read(path, state)
        if found is not None:
            return found
    made = gather(graph)
    if path is not None:
        scratch = path.with_suffix(".new")
        try:
            scratch.write_text(json.dumps(_plain(made, state)), encoding="utf-8")
            scratch.replace(path)
        except OSError as bad:
            raise StoreError(f"{path} cannot be written: {bad}") from bad
    return made


def _plain(found: Statistics, state: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "state": state,
        "classes": {k: [c.events, c.repeated, c.untimed, c.properties, c.dated] for k, c in found.classes.items()},
        "properties": {
            k: [p.triples, p.distinct, p.subjects, p.values, sorted(p.datatypes), p.irregular]
            for k, p in found.properties.items()
        },
        "overlaps": sorted(found.overlaps),
    }


def _read(path: Path, state: str) -> Statistics | None:
    """What the file holds; None where it is of another state or damaged, so that it is made anew."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        if held["format"] != FORMAT or held["state"] != state:
            return None
        return Statistics(
            {k: ClassStatistics(*values) for k, values in held["classes"].items()},
            {
                k: PropertyStatistics(n, d, m, v, frozenset(t), i)
                for k, (n, d, m, v, t, i) in held["properties"].items()
            },
            frozenset((one, other) for one, other in held["overlaps"]),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
