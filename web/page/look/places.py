"""Where events were, for a map: places with coordinates, of their own or of what they link to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from ....ontology.namespaces import KEY
from ....store.graph import Graph
from ....store.rdf import NamedNode
from .kinds import PLACES, Things
from .life import Life

MOST: Final = 500
"""Places that a map shows, those of most events."""
_ROWS: Final = 20_000
_NORTH: Final = ("latitude", "lat")
_EAST: Final = ("longitude", "long", "lon", "lng")
_DIGITS: Final = 3
"""A thousandth of a degree is some hundred metres: nearer points without a name are one."""


@dataclass(frozen=True)
class Place:
    """A place: where it is, what it is called ("" where nothing says it), how many events were there and one of
    them."""

    latitude: float
    longitude: float
    name: str
    events: int
    event: str


def has_places(life: Life) -> bool:
    """Whether anything has coordinates."""
    return bool(_used(life, _NORTH) and _used(life, _EAST))


def places_of(graph: Graph, life: Life, things: Things) -> tuple[Place, ...]:
    """The places of events, those of most events first."""
    north, east = _used(life, _NORTH), _used(life, _EAST)
    if not north or not east:
        return ()
    kind = things.called(PLACES)
    naming = "|".join(str(NamedNode(prop)) for prop in (kind.properties if kind is not None else ()))
    named = f"OPTIONAL {{ ?e {naming} ?name }}" if naming else ""
    rows = graph.select(
        f"SELECT ?a ?b ?name (COUNT(DISTINCT ?e) AS ?n) (SAMPLE(?e) AS ?one) {{ {_where(life, north[0], east[0])} "
        f"{named} }} GROUP BY ?a ?b ?name ORDER BY DESC(?n) LIMIT {_ROWS}"
    )
    groups: dict[object, list[Place]] = defaultdict(list)
    for latitude, longitude, name, number, event in rows:
        at = _position(latitude, longitude)
        if at is None or number is None or event is None or not int(number.value):
            continue
        called = name.value if name is not None else ""
        place = Place(*at, called, int(number.value), event.value)
        groups[called or (round(at[0], _DIGITS), round(at[1], _DIGITS))].append(place)
    found = [_joined(some) for some in groups.values()]
    return tuple(sorted(found, key=lambda place: (-place.events, place.name, place.event)))[:MOST]


def _where(life: Life, north: str, east: str) -> str:
    own = f"?e {NamedNode(north)} ?a ; {NamedNode(east)} ?b ; a ?c ."
    if not life.links:
        return own
    links = "|".join(str(NamedNode(prop)) for prop in life.links)
    return f"{{ {own} }} UNION {{ ?x {NamedNode(north)} ?a ; {NamedNode(east)} ?b . ?e {links} ?x . ?e a ?c }}"


def _used(life: Life, labels: tuple[str, ...]) -> list[str]:
    """The properties of these names that the data have, those of an ontology before keys that no map names."""
    named = [info.iri for label in labels for info in life.vocabulary.properties_named(label)]
    keys = [KEY + label for label in labels]
    return [iri for iri in dict.fromkeys((*named, *keys)) if iri in life.statistics.properties]


def _position(latitude: object, longitude: object) -> tuple[float, float] | None:
    try:
        north, east = (float(getattr(term, "value", "")) for term in (latitude, longitude))
    except ValueError:
        return None
    return (north, east) if abs(north) <= 90 and abs(east) <= 180 else None


def _joined(some: list[Place]) -> Place:
    """One place of those with the same name, where most of its events were."""
    most = max(some, key=lambda place: place.events)
    return Place(most.latitude, most.longitude, most.name, sum(place.events for place in some), most.event)
