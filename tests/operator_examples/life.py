"""The small lives that the examples ask about, one class of events for each situation, and how examples are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reference import Event

from reqap_kg.ontology.namespaces import DATA, EV, RDF_TYPE, XSD
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, Resolution
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal, NamedNode, Quad

NOW = datetime(2024, 3, 10, 12, 0)
_DATATYPES = {"start": "dateTime", "end": "dateTime", "distance": "decimal", "laps": "integer", "done": "boolean"}


def _event(name: str, classes: str, start: str = "", **values: str | tuple[str, ...]) -> Event:
    held = {EV + key: (value,) if isinstance(value, str) else value for key, value in values.items()}
    if start:
        held[EV + "start"] = (start,)
    return Event(f"{DATA}x/{name}", frozenset(EV + kind for kind in classes.split()), held)


EVENTS = (
    # Plain runs; the second and the third are equally long.
    _event("r1", "Run", "2024-03-01T08:00:00", end="2024-03-01T09:00:00", distance="5", kind="road", laps="1",
           friend=("Bob", "Ann"), seconds="3600", done="true", day="2024-03-01"),
    _event("r2", "Run", "2024-03-02T08:00:00", end="2024-03-02T09:00:00", distance="10", kind="hill", laps="2",
           friend="Ann", seconds="1800", done="false", day="2024-03-02"),
    _event("r3", "Run", "2024-03-03T18:00:00", end="2024-03-03T19:30:00", distance="10.0", kind="road", laps="2",
           seconds="5400", done="true", day="2024-03-02T23:59:00"),
    # Runs with gaps: the second has nothing, the third has a day without a time, and values that cannot be read.
    _event("g1", "Gap", "2024-03-01T08:00:00", distance="3", kind="road", laps="4", friend="Ann", seconds="60",
           done="false", day="2024-02-29", nickname="jog"),
    _event("g2", "Gap"),
    _event("g3", "Gap", "2024-03-02T00:00:00", timePrecision="day", distance="far", kind="hill", laps="many",
           seconds="long", done="maybe", day="soon"),
    # Two runs that look the same.
    _event("t1", "Twin", "2024-03-05T08:00:00", distance="4", kind="road", laps="3", friend="Ann", seconds="90.5",
           done="true", day="2024-03-05"),
    _event("t2", "Twin", "2024-03-05T08:00:00", distance="4.0", kind="road", laps="3", friend="Ann", seconds="90.5",
           done="true", day="2024-03-05"),
    # A run of two classes with two values of everything, and a run with one.
    _event("d1", "Double Run2", "2024-03-06T08:00:00", distance=("7", "2", "far"), kind=("trail", "road"),
           laps=("10", "9"), friend=("Cyd", "Ann", "Bob"), seconds=("600", "61"), done=("true", "false"),
           day=("2024-03-07", "2024-03-06"), nickname="long"),
    _event("d2", "Double", "2024-03-07T08:00:00", distance="3", kind="hill", laps="5", friend="Bob", seconds="60",
           done="true", day="2024-03-07"),
    # A meal that two clocks timed.
    Event(DATA + "x/m1", frozenset({EV + "Meal"}), {EV + "start": ("2024-03-08T07:30:00", "2024-03-08T07:00:00")}),
    # Songs: in the first run, over its end, before the second run, in it (known by its start only), at the third's end.
    _event("s1", "Song", "2024-03-01T08:30:00", end="2024-03-01T08:34:00", kind="Ada"),
    _event("s2", "Song", "2024-03-01T08:58:00", end="2024-03-01T09:03:00", kind="Bim"),
    _event("s3", "Song", "2024-03-02T07:00:00", end="2024-03-02T07:04:00", kind="Cos"),
    _event("s4", "Song", "2024-03-02T08:10:00", kind="Dot"),
    _event("s5", "Song", "2024-03-03T19:30:00", end="2024-03-03T19:35:00", kind="Elm"),
)  # fmt: skip
QUERIES = {
    "none": ClassMatch((EV + "Nothing",)),
    "runs": ClassMatch((EV + "Run",)),
    "gaps": ClassMatch((EV + "Gap",)),
    "twins": ClassMatch((EV + "Twin",)),
    "doubles": ClassMatch((EV + "Double", EV + "Run2")),
    "songs": ClassMatch((EV + "Song",)),
    "meals": ClassMatch((EV + "Meal",)),
    "on roads": ClassMatch(
        tuple(EV + name for name in ("Run", "Gap", "Twin", "Double")), (Constraint(EV + "kind", ("Road",)),)
    ),
}
ATTRIBUTES = {
    "km": AttributeMatch((EV + "distance",)),
    "laps": AttributeMatch((EV + "laps",)),
    "kind": AttributeMatch((EV + "kind",)),
    "name": AttributeMatch((EV + "nickname", EV + "kind")),
    "friends": AttributeMatch((EV + "friend",), multiple=True),
    "people": AttributeMatch((EV + "nickname", EV + "friend"), multiple=True),
    "first": AttributeMatch((EV + "friend",), multiple=True),
    "done": AttributeMatch((EV + "done",)),
    "day": AttributeMatch((EV + "day",)),
    "moment": AttributeMatch((EV + "day",)),
    "at": AttributeMatch((EV + "start",)),
    "time": AttributeMatch((EV + "seconds",)),
    # Of several properties the first that has a value is read.
    "km_or_laps": AttributeMatch((EV + "distance", EV + "laps")),
    "kind_or_km": AttributeMatch((EV + "kind", EV + "distance")),
    "laps_or_km": AttributeMatch((EV + "laps", EV + "distance")),
    "end_or_start": AttributeMatch((EV + "end", EV + "start")),
    "time_or_laps": AttributeMatch((EV + "seconds", EV + "laps")),
    "start_or_end": AttributeMatch((EV + "start", EV + "end")),
}
_TYPES = {
    "km": "float", "laps": "int", "kind": "str", "name": "str", "friends": "list", "people": "list", "first": "str",
    "done": "bool", "day": "date", "moment": "datetime", "at": "time", "time": "timedelta", "km_or_laps": "float",
    "kind_or_km": "float",
    "laps_or_km": "int", "end_or_start": "datetime", "start_or_end": "time",
    "time_or_laps": "timedelta",
}  # fmt: skip
RESOLUTION = Resolution(
    tuple(QUERIES.items()), tuple(((query, name), match) for query in QUERIES for name, match in ATTRIBUTES.items())
)


def life(copies: int = 1) -> MemoryGraph:
    """The events, each triple in as many named graphs as there are copies."""
    quads: list[Quad] = []
    for copy in range(copies):
        graph = NamedNode(f"urn:export:{copy}")
        for event in EVENTS:
            subject = NamedNode(event.iri)
            quads += [Quad(subject, NamedNode(RDF_TYPE), NamedNode(kind), graph) for kind in event.classes]
            for prop, texts in event.values.items():
                quads += [Quad(subject, NamedNode(prop), _literal(prop, text), graph) for text in texts]
    return MemoryGraph(quads)


def _literal(prop: str, text: str) -> Literal:
    datatype = _DATATYPES.get(prop.removeprefix(EV))
    readable = text not in ("far", "many", "maybe")
    return Literal(text, datatype=NamedNode(XSD + datatype)) if datatype and readable else Literal(text)


# ---------------------------------------------------------------- writing examples
def retrieve(query: str) -> str:
    return f'RETRIEVE(query="{query}")'


def extract(query: str, names: str) -> str:
    """The events of a query with attributes, whose names stand in one text."""
    return with_attributes(retrieve(query), names)


def with_attributes(tree: str, names: str) -> str:
    keys = ", ".join(f'"{name}"' for name in names.split())
    kinds = ", ".join(_TYPES[name] for name in names.split())
    return f"EXTRACT(l={tree}, attr_names=[{keys}], attr_types=[{kinds}])"


def keep(tree: str, condition: str) -> str:
    return f"FILTER(l={tree}, filter=lambda e: {condition})"


def mapped(tree: str, function: str, name: str = "m") -> str:
    return f'MAP(l={tree}, fct={function}, res_name="{name}")'


def grouped(tree: str, names: str) -> str:
    return f"GROUP_BY(l={tree}, attr_names=[{', '.join(repr(name) for name in names.split())}])"


def unnested(tree: str, name: str = "friends", item: str = "friend") -> str:
    return f'UNNEST(l={tree}, nested_attr_name="{name}", unnested_attr_name="{item}")'


def joined(left: str, right: str, condition: str) -> str:
    return f'JOIN(l1={left}, l2={right}, condition="{condition}")'


def apply(tree: str, function: str) -> str:
    return f"APPLY(l={tree}, fct={function})"


def aggregate(operator: str, tree: str, name: str) -> str:
    return f'{operator}(l={tree}, attr_name="{name}")'


def arg(operator: str, tree: str, name: str, value: str) -> str:
    return f'{operator}(l={tree}, arg_attr_name="{name}", val_attr_name="{value}")'


@dataclass(frozen=True)
class Example:
    """A tree and its answer, worked out by hand.

    `expected` are the rows' values under `columns`, in order; without columns the answer's values (none for an answer
    that is missing). `behind` are the events behind the answer, where the example says so; `zero`: whether the answer
    is a 0 that means that nothing matched; `refused`: what is said where the tree is refused.
    """

    row: str
    tree: str
    expected: tuple[object, ...] = ()
    columns: tuple[str, ...] | None = None
    behind: frozenset[str] | None = None
    zero: bool = False
    refused: str | None = None


def _names(behind: str | None) -> frozenset[str] | None:
    return None if behind is None else frozenset(behind.split())


def rows(row: str, tree: str, columns: str, *expected: Sequence[object], behind: str | None = None) -> Example:
    return Example(row, tree, tuple(tuple(values) for values in expected), tuple(columns.split()), _names(behind))


def answers(row: str, tree: str, *expected: object, behind: str | None = None, zero: bool = False) -> Example:
    return Example(row, tree, expected, None, _names(behind), zero)


def refused(row: str, tree: str, message: str) -> Example:
    return Example(row, tree, refused=message)
