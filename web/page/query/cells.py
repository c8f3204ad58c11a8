"""Results as the cells of a table: prefixed names, numbers to the right, events and other names as links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from ....ontology.namespaces import PREFIXES, XSD
from ....store.graph import OxigraphGraph
from ....store.queries.results import short
from ....store.rdf import Literal, NamedNode, Term

LONGEST: Final = 1_000
"""Characters of a text that a cell shows; a download has all of them."""
_NUMBERS: Final = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedLong",
    )
)  # fmt: skip
_WORDS: Final = frozenset(PREFIXES.values()) - {PREFIXES["data"]}
"""Where names of vocabularies are: none of an event."""
_EVENTS: Final = "SELECT DISTINCT ?e {{ VALUES ?e {{ {names} }} {{ ?e ev:source ?s }} UNION {{ ?e ev:start ?t }} }}"


@dataclass(frozen=True)
class Cell:
    """One value: its text, where it leads to, and what it is in full where the text does not say."""

    text: str
    href: str = ""
    title: str = ""
    is_number: bool = False
    is_name: bool = False


Line = tuple[Cell | None, ...]


def lines_of(rows: Sequence[Sequence[Term | None]], events: frozenset[str]) -> list[Line]:
    """Rows as cells; `events` are the IRIs that have a page."""
    return [tuple(None if term is None else _cell(term, events) for term in row) for row in rows]


def numeric(columns: int, rows: Iterable[Sequence[Term | None]]) -> list[bool]:
    """Which columns have numbers alone."""
    some, others = set[int](), set[int]()
    for row in rows:
        for at, term in enumerate(row):
            if term is not None:
                (some if is_number(term) else others).add(at)
    return [at in some and at not in others for at in range(columns)]


def is_number(term: Term) -> bool:
    """Whether a value is a number."""
    return isinstance(term, Literal) and term.datatype.value in _NUMBERS


def names_in(rows: Iterable[Sequence[Term | None]]) -> list[NamedNode]:
    """The names among values that may be those of events, each once."""
    found = (term for row in rows for term in row if isinstance(term, NamedNode))
    return list(dict.fromkeys(node for node in found if not node.value.startswith(tuple(_WORDS))))


def events_among(graph: OxigraphGraph, names: Sequence[NamedNode]) -> frozenset[str]:
    """Those of the names that events have."""
    if not names:
        return frozenset()
    rows = graph.select(_EVENTS.format(names=" ".join(map(str, names))))
    return frozenset(event.value for (event,) in rows if event is not None)


def _cell(term: Term, events: frozenset[str]) -> Cell:
    if isinstance(term, NamedNode):
        is_event = term.value in events
        href = f"/event?{urlencode({'iri': term.value})}" if is_event else described(term)
        return Cell(_cut(short(term)), href, term.value, is_name=True)
    if isinstance(term, Literal):
        kind = f"in {term.language}" if term.language else short(NamedNode(term.datatype.value))
        return Cell(_cut(term.value), title="" if kind == "xsd:string" else kind, is_number=is_number(term))
    return Cell(_cut(short(term)), title="a node without a name", is_name=True)


def described(node: NamedNode) -> str:
    """Where all that is said of a name is shown."""
    return f"/query?{urlencode({'q': f'DESCRIBE {node}'})}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
