"""How the open parts of a tree were resolved against a graph: what RETRIEVE's query and EXTRACT's keys stand for.

The neural steps (execution) find these; the compiler (planner) turns them into graph patterns. No I/O here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Constraint:
    """An attribute that an event must have: property IRI and the accepted lexical values, compared without case."""

    property: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class ClassMatch:
    """A RETRIEVE that the ontology answers: events of any of `classes` (subclasses too) with all `constraints`."""

    classes: tuple[str, ...]
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class DerivedMatch:
    """A RETRIEVE that a search answered: the events that `?e ev:retrievedBy <activity>` holds for."""

    activity: str


RetrieveMatch = ClassMatch | DerivedMatch


@dataclass(frozen=True)
class AttributeMatch:
    """An EXTRACT key: the property IRIs that hold its value, best first (the first that an event has wins).

    `unit` is the unit's short name for people (km, kcal, s) when the ontology gives one; `unit_property` the property
    that holds it per event (a price's currency); `multiple` when an event may have several values.
    """

    properties: tuple[str, ...]
    multiple: bool = False
    unit: str | None = None
    unit_property: str | None = None


@dataclass(frozen=True)
class Resolution:
    """Everything the compiler needs to know about one tree: matches by query, attributes by (query, key).

    The query in an attribute's key is that of the RETRIEVE below it; with several (a JOIN), one entry each.
    """

    retrieves: tuple[tuple[str, RetrieveMatch], ...]
    attributes: tuple[tuple[tuple[str, str], AttributeMatch], ...]
    notes: tuple[str, ...] = ()
    """What was assumed, for the reader: 'workouts' is the class Workout, key 'money' is read as price."""
