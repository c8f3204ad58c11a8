"""How the open parts of a tree were resolved against a graph: what RETRIEVE's query and EXTRACT's keys stand for.

The neural steps (execution) find these; the compiler (planner) turns them into graph patterns. No I/O here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PropertyFacts:
    """What is known of a property in a graph; the defaults know nothing.

    `single`: no event has two triples of it, also when each named graph counts by itself; `once`: no triple stands in
    two named graphs. `datatypes` are the IRIs of the datatypes of its values, or `TEXT_WITH_LANGUAGE`, `RESOURCE`, and
    `IRREGULAR` where a value is not in the plain form of its datatype (a moment has a zone or parts of a second, a
    number is none). `subjects` counts those that have it, None if unknown.
    """

    single: bool = False
    once: bool = False
    datatypes: frozenset[str] = frozenset()
    subjects: int | None = None


TEXT_WITH_LANGUAGE = "text with language"
RESOURCE = "resource"
IRREGULAR = "irregular"
NOTHING_KNOWN = PropertyFacts()


@dataclass(frozen=True)
class Constraint:
    """An attribute that an event must have: property IRI and the accepted lexical values, compared without case.

    `spelled` are the plain texts of the graph that are accepted, where they are known; then it has no others.
    """

    property: str
    values: tuple[str, ...]
    spelled: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ClassMatch:
    """A RETRIEVE that the ontology answers: events of any of `classes` (subclasses too) with all `constraints`.

    What is known besides, the defaults knowing nothing: `plain`: the pattern of classes and constraints holds once for
    each event; `events` counts those of the classes; each of them has the properties `complete`; `timed`: none of them
    has a day for its time; `by_day`: each touches the day of its start, and so many events of any class touch a day.
    """

    classes: tuple[str, ...]
    constraints: tuple[Constraint, ...] = ()
    plain: bool = False
    events: int | None = None
    complete: frozenset[str] = frozenset()
    timed: bool = False
    by_day: float | None = None


@dataclass(frozen=True)
class DerivedMatch:
    """A RETRIEVE that a search answered: the events that `?e ev:retrievedBy <activity>` holds for.

    `plain`: that is said once of each event. Where several of its events tell of the same happening, `happenings` is
    the graph in which all but one of them have the property `<happenings>#of`, the one that stands for the happening;
    only that is an event of the match. `moved`: where some took place at other times than their records say (a mail of
    the day after), the properties `<happenings>#start` and `<happenings>#end` hold when all of them did.
    """

    activity: str
    plain: bool = False
    happenings: str | None = None
    moved: bool = False

    @property
    def same(self) -> str | None:
        """The property from an event to the one that stands for its happening."""
        return f"{self.happenings}#of" if self.happenings else None

    def moment(self, name: str) -> str | None:
        """The property that holds the events' `start` or `end`, where it is not their records'."""
        return f"{self.happenings}#{name}" if self.happenings and self.moved else None


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
    facts: tuple[tuple[str, PropertyFacts], ...] = ()
    """What is known of the properties of the graph, by IRI; nothing of others."""
