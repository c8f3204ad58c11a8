"""What is computed beside the query: written into the graph as a derivation, and found there the next time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from ..compiler.derived import COLUMN, EVENT, POSITION, WITH
from ..compiler.table import TableColumn
from ..ontology.namespaces import DERIVED, EV
from ..operators.checking.types import Kind, Type
from ..operators.derived import Derived, DerivedColumn, DerivedShape
from ..operators.nodes import Node, Retrieve, walk
from ..operators.resolution import AttributeMatch, ClassMatch, Resolution, RetrieveMatch
from ..operators.syntax.text import format_tree
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode, Triple
from .derivations.dependencies import Dependencies, fingerprint
from .derivations.derive import DerivationGraph, Step, activity_triples
from .row_operators import Many, One, Row
from .tables import RowTable, literal, type_of

_SORTING = "sorting"
"""What stands for the model of what is computed without one."""


@dataclass(frozen=True)
class Place:
    """Where computed parts are written, and what they depend on besides the tree."""

    graph: DerivationGraph
    resolution: Resolution
    now: datetime
    generation: str
    standard: tuple[str, ...] = ()
    """The standard attributes that RETRIEVEs give in the tree that is being answered."""
    depends: Dependencies | None = None
    """What the parts can depend on; without it all depend on `generation`."""

    def step(self, source: Node) -> Step:
        """The step of a tree that is computed."""
        text = format_tree(source)
        queries = {node.query for node in walk(source) if isinstance(node, Retrieve)}
        asked = {**dict(self.resolution.retrieves), **dict(self.resolution.attributes)}
        used = {k: _meant(match) for k, match in asked.items() if (k if isinstance(k, str) else k[0]) in queries}
        dependent = (fingerprint(used), self.moment(text), *self.standard)
        digest = hashlib.sha256("\x1f".join(dependent).encode()).hexdigest()
        step = Step(text.partition("(")[0], text, _SORTING, digest[:16], self.generation)
        if self.depends is None:
            return step
        reads = tuple(sorted({iri for match in used.values() for iri in _read(match)}))
        return replace(step, generation=self.depends.digest(reads), reads=reads, used=self.depends.sources(reads))

    def moment(self, text: str) -> str:
        """The time of asking, where a tree in text form names it; "" where it answers the same at all times."""
        return self.now.isoformat() if any(word in text for word in ("today", "now")) else ""


def _meant(match: RetrieveMatch | AttributeMatch) -> RetrieveMatch | AttributeMatch:
    """A match without what is known of the data besides, which makes queries fast and changes no result."""
    if isinstance(match, ClassMatch):
        return ClassMatch(match.classes, tuple(replace(c, spelled=None) for c in match.constraints))
    return match if isinstance(match, AttributeMatch) else replace(match, plain=False)


def _read(match: RetrieveMatch | AttributeMatch) -> tuple[str, ...]:
    """What a match makes a computed part depend on: classes of events, with all that these have, and derivations."""
    if isinstance(match, ClassMatch):
        return match.classes
    named = match.properties if isinstance(match, AttributeMatch) else (match.activity,)
    return tuple(iri.partition("#")[0] for iri in named if iri.startswith(DERIVED))


KEPT = 200
"""Computed results that are kept at most; those of the earliest askings go first."""


def drop_oldest(graph: DerivationGraph, keep: int = KEPT) -> int:
    """Removes the computed results beyond the `keep` latest, which nobody asks for again; returns how many."""
    rows = graph.select(
        "SELECT ?g WHERE { GRAPH ?g { ?a ev:layout ?layout ; prov:endedAtTime ?ended } } ORDER BY DESC(?ended) ?g"
    )
    old = [term.value for (term,) in rows if term is not None][keep:]
    graph.drop_graphs(old)
    return len(old)


def written(place: Place, source: Node, found: RowTable | One | Many, behind: Node | None) -> Derived:
    """Writes computed rows, values or one value; gives the leaf that stands for them."""
    if isinstance(found, RowTable):
        return _written_rows(place, source, found, behind)
    one = isinstance(found, One)
    values = (found.value,) if isinstance(found, One) else found.values
    kind = type_of(values)
    step = place.step(source)
    column = _stored(TableColumn("result", kind), 0, step.graph)
    shape = DerivedShape.VALUE if one else DerivedShape.VALUES
    node = Derived(source, step.graph, (column,), shape=shape, behind=behind, focus="result")
    rows = [Row({"result": value}) for value in values]
    return _write(place, step, node, rows if rows != [Row({"result": None})] else [])


def written_pairs(
    place: Place, source: Node, columns: Sequence[TableColumn], pairs: Sequence[tuple[str, str]], queries: Any
) -> Derived:
    """Writes pairs of events, whose attributes are all read from the events."""
    step = place.step(source)
    held = tuple(_stored(column, number, step.graph) for number, column in enumerate(columns))
    node = Derived(source, step.graph, held, queries, pairs=True)
    predicate = NamedNode(step.graph + WITH)
    nodes = {iri: NamedNode(iri) for iri in {*chain.from_iterable(pairs)}}
    triples = [Triple(nodes[one], predicate, nodes[other]) for one, other in pairs]
    return _finished(place, step, node, triples, len(pairs))


def _written_rows(place: Place, source: Node, found: RowTable, behind: Node | None) -> Derived:
    step = place.step(source)
    columns = tuple(_stored(column, number, step.graph) for number, column in enumerate(found.columns))
    node = Derived(source, step.graph, columns, found.queries, behind=behind, focus=found.focus)
    return _write(place, step, node, found.rows)


def _stored(column: TableColumn, number: int, graph: str) -> DerivedColumn:
    kind = column.type
    if column.origin is not None:
        at, key, read = column.origin
        return DerivedColumn(column.name, read.value, origin=(at, key))
    predicate = f"{graph}{COLUMN}{number}"
    return DerivedColumn(column.name, kind.kind.value, predicate, None, kind.part, kind.unit, kind.unit_property)


def _write(place: Place, step: Step, node: Derived, rows: Sequence[Row]) -> Derived:
    triples = [triple for number, row in enumerate(rows, start=1) for triple in _row(node, row, number)]
    return _finished(place, step, node, triples, len(rows))


def _row(node: Derived, row: Row, number: int) -> list[Triple]:
    at = NamedNode(f"{node.iri}#row-{number}")
    triples = [Triple(at, NamedNode(node.iri + POSITION), Literal(number))]
    for place, event in enumerate(row.events):
        triples.append(Triple(at, NamedNode(f"{node.iri}{EVENT}{place}"), NamedNode(event)))
    for column in node.columns:
        value = row.get(column.name)
        if value is None or not column.predicate:
            continue
        kind = Type(Kind(column.kind), column.part)
        items = value if kind.kind is Kind.LIST else (value,)
        text = Type(Kind.STR) if kind.kind is Kind.LIST else kind
        triples += [Triple(at, NamedNode(column.predicate), literal(item, text)) for item in items]
    return triples


def _finished(place: Place, step: Step, node: Derived, triples: list[Triple], results: int) -> Derived:
    activity = NamedNode(step.activity)
    about = activity_triples(place.graph, step, place.now.isoformat(timespec="seconds"), results=results)
    about.append(Triple(activity, NamedNode(EV + "layout"), Literal(_layout(node))))
    place.graph.replace_graph(step.graph, [*about, *triples])
    return node


def _layout(node: Derived) -> str:
    columns = [asdict(column) for column in node.columns]
    known = {"columns": columns, "events": node.events, "pairs": node.pairs, "shape": node.shape, "focus": node.focus}
    return json.dumps(known)


def reused(place: Place, source: Node, behind: Node | None) -> Derived | None:
    """The leaf for a tree whose result stands in the graph already."""
    step = place.step(source)
    layout = _read_layout(place.graph, step)
    if layout is None:
        return None
    columns = tuple(
        DerivedColumn(**{**column, "origin": tuple(column["origin"]) if column["origin"] else None})
        for column in layout["columns"]
    )
    events = tuple(tuple(asked) for asked in layout["events"])
    shape = DerivedShape(layout["shape"])
    behind = None if events else behind  # rows that hold their events rest on no others
    return Derived(source, step.graph, columns, events, layout["pairs"], shape, behind, layout["focus"])


def _read_layout(graph: Graph, step: Step) -> Any:
    rows = graph.select(f"SELECT ?layout WHERE {{ {NamedNode(step.activity)} ev:layout ?layout }}")
    return next((json.loads(term.value) for (term,) in rows if term is not None), None)
