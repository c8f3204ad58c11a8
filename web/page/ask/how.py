"""How an answer was computed: the picture of its tree, and the rows of any part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final
from urllib.parse import urlencode

from ....compiler.rewrites import rewrite
from ....engine.answers.answer import Answer, Evidence
from ....engine.answers.evidence import evidence
from ....engine.answers.formats import amount
from ....engine.answers.telling import Sought, tellings
from ....engine.knowledge import KnowledgeGraph
from ....operators.derived import original
from ....operators.nodes import Extract, Node
from ....operators.syntax.printing import format_tree
from ....operators.syntax.text import read_tree
from ....store.graph import Graph
from ....store.rdf import NamedNode, Term
from ....store.words import key_words
from ..frame.formats import short_day
from .kept import Kept
from .listing import Cell
from .picture import Picture, detail_of, node_at, picture, title_of

MOST_ROWS: Final = 20
_LONGEST: Final = 60
_EVENT: Final = "event"


@dataclass(frozen=True)
class Part:
    """One thing that a question asks: the picture of its tree, its tree as text, and its query."""

    plan: str
    sparql: str
    picture: Picture | None = None
    is_measured: bool = True


@dataclass(frozen=True)
class PartRows:
    """Rows of an operator: what it is called, how many there are, and the first of them."""

    title: str
    detail: str
    size: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    tree: str


def parts_of(answer: Answer) -> tuple[Part, ...]:
    """What was run for an answer."""
    return tuple(Part(part.plan, part.sparql) for part in answer.each if part.plan)


def explained(kept: Kept, known: KnowledgeGraph, *, measure: bool = False) -> tuple[Part, ...]:
    """The same with pictures; every part of a tree is run for them, once. Of an answer that rests on very many events
    that takes long: then it is done where somebody wants it (`measure`)."""
    if "explained" not in kept.later:
        is_quick = measure or not kept.answer.more_events
        made = tuple(_with_picture(part, kept, known if is_quick else None) for part in parts_of(kept.answer))
        if not is_quick:
            return made
        kept.later["explained"] = made
    return kept.later["explained"]


def _with_picture(part: Part, kept: Kept, known: KnowledgeGraph | None) -> Part:
    """A part with its picture; with rows and times if it is to be run."""
    told = known.run(part.plan, now=kept.at, most_events=0, explain=True).explained if known is not None else None
    return replace(
        part,
        picture=picture(_as_run(part.plan, kept), told, kept.answer.locale),
        is_measured=told is not None,
    )


def _as_run(plan: str, kept: Kept) -> Node:
    """The tree as it is run, which has the same answer with less work."""
    return rewrite(read_tree(plan).node, kept.at).tree


def rows_of(kept: Kept, number: int, path: Sequence[int], known: KnowledgeGraph) -> PartRows | None:
    """The rows of an operator of a part; None where there is none there."""
    parts = parts_of(kept.answer)
    node = node_at(_as_run(parts[number].plan, kept), path) if number < len(parts) else None
    if node is None:
        return None
    tree = format_tree(original(node))
    found = known.graph.select(known.query_of(tree, now=kept.at))
    columns, rows = _rows(node, found.variables, found.rows[:MOST_ROWS], kept, known.graph)
    return PartRows(title_of(node), detail_of(node, kept.answer.locale), len(found), columns, rows, tree)


def _rows(
    node: Node, variables: Sequence[str], rows: Sequence[Sequence[Term | None]], kept: Kept, graph: Graph
) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """The columns of a query's rows; events by what they are called, with the words that told what was extracted."""
    nodes = {term.value for row in rows for term in row if isinstance(term, NamedNode)}
    events = {event.iri: event for event in evidence(graph, sorted(nodes))}
    told = _told(node, list(events), kept.sought, graph)
    first = next((at for at, name in enumerate(variables) if name.startswith(_EVENT)), None)
    columns = [_titled(name) for name in variables]
    is_timed = first is not None and any(event.start for event in events.values())
    if is_timed:
        columns.append("When")
    made: list[tuple[Cell, ...]] = []
    for row in rows:
        cells = [_cell(term, events) for term in row]
        event = row[first] if first is not None else None
        if is_timed:
            known = events.get(event.value) if event is not None else None
            cells.append(Cell(_plain(known.start) if known is not None and known.start else "–"))
        if told and event is not None:
            cells.append(Cell(told.get(event.value, "")))
        made.append(tuple(cells))
    return (*columns, *(["Told by"] if told else [])), tuple(made)


def _told(node: Node, events: Sequence[str], sought: Sought, graph: Graph) -> dict[str, str]:
    """The words that say what an EXTRACT reads, by event; none where it reads no text."""
    if not isinstance(node, Extract):
        return {}
    read = replace(sought, keys=node.names, words=())
    return {iri: f"“{'”, “'.join(one.said[:3])}”" for iri, one in tellings(events, read, graph).items() if one.said}


def _cell(term: Term | None, events: dict[str, Evidence]) -> Cell:
    if term is None:
        return Cell("–")
    event = events.get(term.value)
    if event is not None:
        return Cell(event.label or key_words(event.type), f"/event?{urlencode({'iri': event.iri})}", is_strong=True)
    return Cell(_plain(term.value), is_number=_is_number(term.value))


def _plain(text: str) -> str:
    said = " ".join(text.split())
    if len(said) >= 10 and said[4] == said[7] == "-" and said[:4].isdigit():
        return f"{short_day(said)} {said[11:16]}".strip() if _is_day(said[:10]) else said
    if _is_number(said):
        return amount(float(said), None, "en_GB", grouped=False)
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).removeprefix("-").isdecimal() and len(text) < 18


def _titled(variable: str) -> str:
    return "Event" if variable.startswith(_EVENT) else key_words(variable).capitalize()
