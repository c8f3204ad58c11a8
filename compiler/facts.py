"""What the statistics of a store tell the compiler about a resolution: where a plain triple pattern says the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from ..ontology.namespaces import DERIVED, EV, XSD
from ..operators.resolution import (
    IRREGULAR,
    RESOURCE,
    TEXT_WITH_LANGUAGE,
    AttributeMatch,
    ClassMatch,
    Constraint,
    PropertyFacts,
    Resolution,
    RetrieveMatch,
)
from ..store.graph import Graph
from ..store.index.statistics import ClassStatistics, PropertyStatistics, Statistics
from ..store.rdf import Literal, NamedNode

Spellings = Callable[[str, tuple[str, ...]], tuple[str, ...]]
"""The texts of a property (IRI) that are one of some values but for case."""

_LANGUAGE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_TIMES = (EV + "start", EV + "end")
STRING = XSD + "string"


def with_facts(resolution: Resolution, statistics: Statistics, spellings: Spellings | None = None) -> Resolution:
    """The resolution with all that the statistics say of its classes and properties.

    `spellings` finds how accepted values are written in the graph, where every value of the property is a plain text.
    Properties that no event has are left out of attributes that others answer.
    """
    retrieves = tuple((query, _retrieve(match, statistics, spellings)) for query, match in resolution.retrieves)
    attributes = tuple((place, _attribute(match, statistics)) for place, match in resolution.attributes)
    named = {name for _, match in attributes for name in match.properties}
    counted = sorted(name for name in named.union(_TIMES) if not name.startswith(DERIVED))
    facts = tuple((name, property_facts(statistics.properties.get(name))) for name in counted)
    return replace(resolution, retrieves=retrieves, attributes=attributes, facts=facts)


def spellings_in(graph: Graph) -> Spellings:
    """Looks spellings up in the data, each once; only as long as the graph's data stays the same."""

    @lru_cache(maxsize=256)
    def find(prop: str, values: tuple[str, ...]) -> tuple[str, ...]:
        accepted = ", ".join(str(Literal(value.lower())) for value in values)
        test = f"FILTER(LCASE(STR(?v)) IN ({accepted}))"
        rows = graph.select(f"SELECT DISTINCT ?v {{ {{ SELECT DISTINCT ?v {{ ?s {NamedNode(prop)} ?v }} }} {test} }}")
        return tuple(sorted(term.value for (term,) in rows if term is not None))

    return find


def property_facts(held: PropertyStatistics | None) -> PropertyFacts:
    """What the compiler needs of a property's statistics; of a property that nothing has, that nothing has it."""
    if held is None:
        return PropertyFacts(single=True, once=True, subjects=0)
    named = {_LANGUAGE: TEXT_WITH_LANGUAGE, "": RESOURCE}
    datatypes = {named.get(name, name) for name in held.datatypes}
    if held.irregular:
        datatypes.add(IRREGULAR)
    return PropertyFacts(held.single, not held.repeated, frozenset(datatypes), held.subjects)


def _attribute(match: AttributeMatch, statistics: Statistics) -> AttributeMatch:
    """The attribute without the properties that nothing has; what derivations say is not counted, but is there."""
    present = tuple(name for name in match.properties if name in statistics.properties or name.startswith(DERIVED))
    return replace(match, properties=present or match.properties[:1])


def _retrieve(match: RetrieveMatch, statistics: Statistics, spellings: Spellings | None) -> RetrieveMatch:
    if not isinstance(match, ClassMatch):
        return replace(match, plain=True)
    held = [statistics.classes.get(name) for name in match.classes]
    known = [found for found in held if found is not None]
    constraints = tuple(_constraint(at, statistics, spellings) for at in match.constraints)
    singly = all(_once(at, statistics.properties.get(at.property)) for at in constraints)
    plain = singly and not any(found.repeated for found in known) and statistics.disjoint(match.classes)
    return replace(
        match,
        classes=tuple(name for name in match.classes if name in statistics.classes) or match.classes[:1],
        constraints=constraints,
        plain=plain,
        events=sum(found.events for found in known),
        complete=_complete(known, statistics),
        timed=not any(found.untimed for found in known),
        by_day=_by_day(known, statistics),
    )


def _by_day(classes: list[ClassStatistics], statistics: Statistics) -> float | None:
    """How many events touch a day, where each of the classes' events surely touches the day of its one start."""
    start, day = (statistics.properties.get(EV + name) for name in ("start", "day"))
    if start is None or day is None or not start.single or day.repeated:
        return None
    sure = all(found.dated == found.properties.get(EV + "start", 0) and not found.repeated for found in classes)
    return day.triples / day.values if sure else None


def _complete(classes: list[ClassStatistics], statistics: Statistics) -> frozenset[str]:
    """Properties that each event of the classes has. Only single ones: others' triples do not tell how many have it."""
    if not classes:
        return frozenset()
    named = frozenset.intersection(*(frozenset(found.properties) for found in classes))
    return frozenset(
        name
        for name in named
        if statistics.properties[name].single
        and all(found.properties[name] == found.events and not found.repeated for found in classes)
    )


def _constraint(constraint: Constraint, statistics: Statistics, spellings: Spellings | None) -> Constraint:
    held = statistics.properties.get(constraint.property)
    if spellings is None or held is None or held.datatypes != {STRING}:
        return constraint
    return replace(constraint, spelled=spellings(constraint.property, constraint.values))


def _once(constraint: Constraint, held: PropertyStatistics | None) -> bool:
    """Whether an event meets a constraint at most once; a single text does, also of an event that has several."""
    if held is None or held.single:
        return True
    return constraint.spelled is not None and len(constraint.spelled) < 2 and not held.repeated
