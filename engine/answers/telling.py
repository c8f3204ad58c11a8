"""What of a text tells of an answer: the words that EXTRACT read, and those that a search looked for, at their places.

In: events behind an answer, and what their tree looked for. Out: passages in pieces, those that tell marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...extraction.documents import documents
from ...ontology.namespaces import EV
from ...operators.nodes import Extract, Node, Retrieve, walk
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode
from ...store.words import WORD, fold, key_words, stem
from ...texts.document import Document
from ...texts.phrase import Group

Piece = tuple[str, bool]
"""Words, and whether they tell."""
_BEFORE: Final = 48
_AFTER: Final = 90
"""Letters of a passage before and after the words that tell."""
_LONGEST_PLAIN: Final = 110
_LONGEST_WORDS: Final = 4
_OF: Final = "#of"
_START: Final = "#start"
_TIMES: Final = frozenset({"start_date", "start_datetime", "start_time", "end_date", "end_datetime", "end_time"})


@dataclass(frozen=True)
class Sought:
    """What a tree looked for: phrases of its RETRIEVEs, keys of its EXTRACTs, and the words that were looked for in
    texts. `activities` are the searches' own, as the graph has them."""

    queries: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    words: tuple[Group, ...] = ()
    activities: tuple[str, ...] = ()

    @classmethod
    def by(cls, tree: Node, graph: Graph, words_of: Callable[[str], Sequence[Group]]) -> Sought:
        """What a tree looked for; `words_of` gives the words of a phrase that was searched."""
        nodes = list(walk(tree))
        queries = tuple(dict.fromkeys(node.query for node in nodes if isinstance(node, Retrieve)))
        keys = dict.fromkeys(name for node in nodes if isinstance(node, Extract) for name in node.names)
        groups = (group for query in queries for group in words_of(query))
        found = tuple(name for query in queries for name in _activities(query, graph))
        return cls(queries, tuple(key for key in keys if key not in _TIMES), tuple(dict.fromkeys(groups)), found)


@dataclass(frozen=True)
class Telling:
    """What one event's text tells: pieces of its title and of a passage, the words alone (for a table), and how sure
    it is that it was meant, from 0 to 1 (None where that was not in question)."""

    title: tuple[Piece, ...] = ()
    passage: tuple[Piece, ...] = ()
    said: tuple[str, ...] = ()
    sure: float | None = None


@dataclass(frozen=True)
class Happenings:
    """Which events stand for which, and when those took place whose texts are of another day."""

    standing: Mapping[str, str] = field(default_factory=dict[str, str])
    starts: Mapping[str, str] = field(default_factory=dict[str, str])


def happenings(events: Sequence[str], sought: Sought, graph: Graph) -> Happenings:
    """Of some events those that another one stands for, as the searches found them to tell of one happening."""
    standing: dict[str, str] = {}
    starts: dict[str, str] = {}
    for activity in sought.activities:
        for (made,) in graph.select(_OCCURRENCES % Literal(activity)):
            if made is not None:
                own = made.value.partition("#")[0]
                standing |= _values(events, own + _OF, graph)
                starts |= _values(events, own + _START, graph)
    return Happenings(standing, starts)


def tellings(events: Sequence[str], sought: Sought, graph: Graph) -> dict[str, Telling]:
    """What the texts of some events tell of what was looked for."""
    sure = _sureness(events, sought, graph)
    read = _readings(events, sought, graph)
    found: dict[str, Telling] = {}
    for event, document in documents(events, graph).items():
        own = [(start, start + len(said)) for said, start in read.get(event, ())]
        own = [(start, end) for start, end in own if 0 <= start < end <= len(document.text)]
        named = list(_places(document.text, sought.words))
        found[event] = _telling(document, own, named, sure.get(event))
    return found


def _telling(
    document: Document, own: Sequence[tuple[int, int]], named: Sequence[tuple[int, int]], sure: float | None
) -> Telling:
    marks = sorted({*own, *named})
    title = document.place_of("title")
    in_title = [mark for mark in marks if title is not None and title[0] <= mark[0] and mark[1] <= title[1]]
    # what was read goes first, then the words that were looked for; of a title that tells by itself nothing is cut out
    outside = [mark for mark in (*own, *named) if mark not in in_title]
    body = document.place_of("body") or document.place_of("location")
    passage: tuple[Piece, ...] = ()
    if outside:
        passage = tuple(_cut(document.text, outside[0], marks, _part_of(document, outside[0])))
    elif body is not None and not in_title:
        passage = tuple(_cut(document.text, (body[0], body[0]), (), body))
    pieces = tuple(_pieces(document.text, title, in_title)) if title is not None and in_title else ()
    said = tuple(dict.fromkeys(document.text[start:end] for start, end in own or marks))
    return Telling(pieces, passage, said, sure)


def _part_of(document: Document, mark: tuple[int, int]) -> tuple[int, int]:
    """The part of a text that a place is in."""
    places = (document.place_of(name) for name, _ in document.parts)
    return next((one for one in places if one and one[0] <= mark[0] <= one[1]), (0, len(document.text)))


def _cut(text: str, mark: tuple[int, int], marks: Iterable[tuple[int, int]], part: tuple[int, int]) -> Iterator[Piece]:
    """The passage around a place, within its part, cut between words."""
    after = _AFTER if mark[1] > mark[0] else _LONGEST_PLAIN
    first, last = max(part[0], mark[0] - _BEFORE), min(part[1], mark[1] + after)
    if first > part[0]:
        gap = text.find(" ", first, mark[0])
        first = gap + 1 if gap >= 0 else first
    if last < part[1]:
        gap = text.rfind(" ", mark[1], last)
        last = gap if gap > mark[1] else last
    if first > part[0]:
        yield "… ", False
    inside = [(start, end) for start, end in marks if first <= start and end <= last]
    yield from _pieces(text, (first, last), inside)
    if last < part[1]:
        yield " …", False


def _pieces(text: str, part: tuple[int, int], marks: Iterable[tuple[int, int]]) -> Iterator[Piece]:
    """A part of a text in pieces; marks that overlap are one."""
    at, end = part
    for start, stop in _joined(marks):
        if start > at:
            yield _line(text[at:start]), False
        yield _line(text[start:stop]), True
        at = stop
    if at < end:
        yield _line(text[at:end]), False


def _joined(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _line(text: str) -> str:
    """A piece on one line; the spaces at its ends stay."""
    said = " ".join(text.split())
    if not said:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{said}{' ' if text[-1].isspace() else ''}"


# ---------------------------------------------------------------- what was looked for
def _places(text: str, groups: Sequence[Group]) -> Iterator[tuple[int, int]]:
    """Where the words stand that were looked for, or others that say the same; what only tells of them, as dishes of
    a cuisine, counts as well."""
    wanted = {said for group in groups for said in (*group.same, *group.kinds, *group.hints)}
    found = [(match.start(), match.end()) for match in WORD.finditer(text)]
    stems = [stem(fold(text[start:end])) for start, end in found]
    at = 0
    while at < len(found):
        most = min(_LONGEST_WORDS, len(found) - at)
        length = next((n for n in range(most, 0, -1) if " ".join(stems[at : at + n]) in wanted), 0)
        if length:
            yield found[at][0], found[at + length - 1][1]
        at += length or 1


def _activities(query: str, graph: Graph) -> list[str]:
    rows = graph.select(f'SELECT DISTINCT ?a {{ ?a ev:operator "RETRIEVE" ; ev:query {Literal(query)} }}')
    return [activity.value for (activity,) in rows if activity is not None]


def _readings(events: Sequence[str], sought: Sought, graph: Graph) -> dict[str, list[tuple[str, int]]]:
    """The words that EXTRACT read of the keys, and where they begin, by event."""
    names = {key_words(key) for key in sought.keys}
    graphs = [activity.partition("#")[0] for activity in sought.activities]
    found: dict[str, list[tuple[str, int]]] = {}
    for event, said, start, task in graph.select(_READ % _nodes(events)) if names and events else ():
        if event is None or said is None or start is None or task is None:
            continue
        key, _, of = task.value.partition(" as ")
        if said.value and (key in names) and (not graphs or any(one in of for one in graphs)):
            place = (said.value, int(start.value))
            own = found.setdefault(event.value, [])
            if place not in own:
                own.append(place)
    return found


def _sureness(events: Sequence[str], sought: Sought, graph: Graph) -> dict[str, float]:
    """How sure it is that an event was meant: the search's score of it, from 0 to 1, of those that are near to it."""
    found: dict[str, float] = {}
    for activity in sought.activities if events else ():
        for event, score in graph.select(_SCORES % (_nodes(events), NamedNode(activity))):
            if event is not None and score is not None:
                found[event.value] = max(found.get(event.value, 0.0), 2 * float(score.value) - 1)
    return found


def _values(events: Sequence[str], prop: str, graph: Graph) -> dict[str, str]:
    rows = graph.select(f"SELECT DISTINCT ?e ?v {{ VALUES ?e {{ {_nodes(events)} }} ?e {NamedNode(prop)} ?v }}")
    return {event.value: value.value for event, value in rows if event is not None and value is not None}


def _nodes(events: Iterable[str]) -> str:
    return " ".join(str(NamedNode(iri)) for iri in events)


_OCCURRENCES: Final = f'SELECT DISTINCT ?a {{ ?a {NamedNode(EV + "operator")} "OCCURRENCES" ; ev:query %s }}'
_READ: Final = """SELECT DISTINCT ?e ?said ?start ?task { VALUES ?e { %s }
  ?r ev:event ?e ; ev:readingOf ?a ; ev:evidence ?said ; ev:evidenceStart ?start . ?a ev:query ?task }
ORDER BY ?e ?start"""
_SCORES: Final = "SELECT ?e ?s { VALUES ?e { %s } ?hit ev:event ?e ; ev:hitOf %s ; ev:score ?s }"
