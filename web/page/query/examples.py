"""Queries to begin with, made from what a store holds, so that each of them finds something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ....ontology.namespaces import EV, XSD
from ....store.rdf import NamedNode
from ....store.vocabulary import ClassInfo, PropertyInfo
from ....texts.words import plural
from .terms import Known, written

_TEXT: Final = XSD + "string"
_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double"))
_MOST_KINDS: Final = 3
_FEWEST: Final = 5
"""Values that a property has at least, for it to be worth counting them."""
_SHARE: Final = 3
"""A value of a property that is worth counting has so many events on the average, at least."""
_READ: Final = ("Mail", "CalendarEntry", "SocialPost", "Note")


@dataclass(frozen=True)
class Example:
    """A query with what it finds."""

    title: str
    query: str


def examples_of(known: Known) -> list[Example]:
    """Some queries over these data; of an empty store those that need no events."""
    counts = known.statistics.classes
    present = [kind for kind in known.vocabulary.event_classes() if kind.iri in counts and counts[kind.iri].events]
    present.sort(key=lambda kind: (-counts[kind.iri].events, kind.iri))
    found = [Example("What there is, and how much of it", _KINDS)] if present else []
    for kind in present[:_MOST_KINDS]:
        found += _of_kind(kind, known)
    found += _phrases(present)
    if present:
        found.append(Example(f"All that is said of the latest {present[0].label}", _latest(present[0])))
    return [*found, Example("Triples of each graph", _GRAPHS)]


_KINDS: Final = """SELECT ?kind (COUNT(?event) AS ?events) {
  ?event a ?class .
  ?class rdfs:subClassOf* ev:Event ; rdfs:label ?kind
}
GROUP BY ?kind ORDER BY DESC(?events)"""
_GRAPHS: Final = """SELECT ?graph (COUNT(*) AS ?triples) {
  GRAPH ?graph { ?subject ?property ?value }
}
GROUP BY ?graph ORDER BY DESC(?triples)"""


def _of_kind(kind: ClassInfo, known: Known) -> Iterator[Example]:
    """The values that come most often, else the events of each month; what is measured, by month."""
    counted, measured = _property(kind, known, _TEXT), _property(kind, known, *_NUMBERS)
    many = plural(kind.label)
    if counted is not None:
        called = plural(counted.label)
        yield Example(f"{called[:1].upper()}{called[1:]} with the most {many}", _most(kind, counted))
    if measured is not None:
        unit = f" in {measured.unit}" if measured.unit else ""
        label = f"{measured.label[:1].upper()}{measured.label[1:]}"
        yield Example(f"{label}{unit}, by month: the mean of {many}", _by_month(kind, measured))
    if counted is None and measured is None:
        yield Example(f"{many[:1].upper()}{many[1:]} by month", _by_month(kind, None))


def _property(kind: ClassInfo, known: Known, *datatypes: str) -> PropertyInfo | None:
    """The property of a kind's events, of these datatypes, that tells most: the one that says what kind they are, else
    one of the class's own that most of them have."""
    has = known.statistics.classes[kind.iri]
    wanted: list[tuple[bool, int, str, PropertyInfo]] = []
    for iri, triples in has.properties.items():
        info, used = known.vocabulary.properties.get(iri), known.statistics.properties.get(iri)
        if info is None or used is None or info.internal or not info.domain or not used.datatypes <= {*datatypes}:
            continue
        if datatypes == (_TEXT,) and not _FEWEST * _SHARE <= used.values * _SHARE <= used.triples:
            continue
        if iri != EV + "duration" and triples * 2 >= has.events:
            wanted.append((iri != kind.kind_property, -triples, iri, info))
    return min(wanted, key=lambda one: one[:3])[3] if wanted else None


def _most(kind: ClassInfo, counted: PropertyInfo) -> str:
    name = _variable(counted.iri)
    return f"""SELECT ?{name} (COUNT(*) AS ?events) {{
  ?event a {_name(kind.iri)} ; {_name(counted.iri)} ?{name}
}}
GROUP BY ?{name} ORDER BY DESC(?events) LIMIT 20"""


def _by_month(kind: ClassInfo, measured: PropertyInfo | None) -> str:
    name = _variable(measured.iri) if measured is not None else ""
    takes = f"(ROUND(AVG(?n) * 10) / 10 AS ?{name})" if measured is not None else "(COUNT(*) AS ?events)"
    more = f" ; {_name(measured.iri)} ?n" if measured is not None else ""
    return f"""SELECT ?month {takes} {{
  ?event a {_name(kind.iri)} ; ev:start ?start{more}
  BIND(SUBSTR(STR(?start), 1, 7) AS ?month)
}}
GROUP BY ?month ORDER BY ?month"""


def _phrases(present: list[ClassInfo]) -> Iterator[Example]:
    """A search by meaning, where there are texts to be read."""
    texts = {EV + name for name in _READ}
    if any(kind.iri in texts for kind in present):
        yield Example(
            "Events that a phrase means, read from texts",
            """SELECT ?event ?label ?start {
  ?event rdfs:label ?label ; ev:start ?start
  FILTER(rq:matches(?event, "I ate at a restaurant"))
}
ORDER BY DESC(?start) LIMIT 50""",
        )


def _latest(kind: ClassInfo) -> str:
    return f"""DESCRIBE ?event {{
  {{ SELECT ?event {{ ?event a {_name(kind.iri)} ; ev:start ?start }} ORDER BY DESC(?start) LIMIT 1 }}
}}"""


def _name(iri: str) -> str:
    return written(NamedNode(iri))


def _variable(iri: str) -> str:
    local = iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
    plain = "".join(sign for sign in local if sign.isascii() and (sign.isalnum() or sign == "_"))
    return plain if plain and plain not in ("event", "start", "month", "n") else "value"
