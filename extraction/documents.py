"""Events of the graph as documents for reading: what was written, by whom, when, and where each part stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Final

from ..ontology.namespaces import EV, RDF_TYPE, RDFS
from ..store.graph import Graph
from ..store.index.index import ValueIndex
from ..store.rdf import NamedNode
from ..store.words import fold
from ..texts.document import Document, TextKind

TEXT_CLASSES: Final = {
    EV + "CalendarEntry": TextKind.CALENDAR,
    EV + "Mail": TextKind.MAIL,
    EV + "ChatMessage": TextKind.CHAT,
    EV + "Message": TextKind.CHAT,
    EV + "SocialPost": TextKind.POST,
    EV + "Note": TextKind.NOTE,
}
"""Classes whose events may tell of anything."""
MANY: Final = 10_000
"""Messages up to which all texts of a class are read ahead. Of a class with more, chats of years, they are neither
read, embedded nor taken into memory as a whole: a search finds the ones that have its words by the index."""
MAY_BE_LARGE: Final = (EV + "ChatMessage", EV + "Message")
"""Classes that may have so many."""
TELLING: Final = EV + "Telling"
"""What a text tells of, as an event of its own; its text is the part that tells it."""
UNDATED: Final = datetime(1900, 1, 1)
"""When an event was written whose record does not say: nothing can be reckoned from it."""
READS: Final = (*TEXT_CLASSES, EV + "Person", EV + "ownerOf")
"""What texts depend on, with all who are named in them: sources without texts change nothing of it."""
_PROPERTIES: Final = ("title", "subject", "text", "description", "location", "sender", "recipient", "start", "end")
_READ: Final = frozenset({*(EV + name for name in (*_PROPERTIES, "direction", "boost")), RDF_TYPE, RDFS + "label"})
_AT_ONCE: Final = 2000
LONGEST: Final = 50_000
"""Characters of a text that are read, some twenty pages: a dozen readers go over each, at seconds for ten of these."""
_LONGEST_NAME: Final = 2_000
"""The same for titles, places and names."""
_OWNERS: Final = """SELECT DISTINCT ?name WHERE { ?person a ev:Person ; foaf:name|rdfs:label|ev:nickname ?name
  FILTER EXISTS { ?person ev:ownerOf ?part } }"""

Held = Mapping[str, list[str]]


def documents(events: Iterable[str], graph: Graph) -> dict[str, Document]:
    """Documents by event IRI, for those of the events that have any text, in the order of `events`.

    An event of a class that describes itself (a purchase) gives its label as the title of a record.
    """
    owner = owner_names(graph)
    found: dict[str, Document] = {}
    for chunk in _chunks(dict.fromkeys(events)):
        held = _held(chunk, graph)
        for event in chunk:
            document = _document(event, held[event], owner) if event in held else None
            if document is not None:
                found[event] = document
    return found


def text_events(graph: Graph) -> tuple[str, ...]:
    """The events of the classes whose events may tell of anything, of those classes that have not too many of them."""
    found: list[str] = []
    for iri in TEXT_CLASSES:
        limit = f" LIMIT {MANY + 1}" if iri in MAY_BE_LARGE else ""
        rows = graph.select(f"SELECT DISTINCT ?e WHERE {{ ?e a {NamedNode(iri)} }}{limit}")
        if iri not in MAY_BE_LARGE or len(rows) <= MANY:
            found += [event.value for (event,) in rows if event is not None]
    return tuple(sorted(set(found)))


def large_classes(classes: Iterable[str], index: ValueIndex) -> tuple[str, ...]:
    """Those of the classes that have too many texts."""
    asked = frozenset(classes)
    return tuple(iri for iri, number in index.classes() if iri in asked and iri in MAY_BE_LARGE and number > MANY)


def long_texts(graph: Graph) -> int:
    """How many values are too long to be read to their ends."""
    held = " ".join(str(NamedNode(EV + name)) for name in ("text", "description"))
    names = " ".join(str(NamedNode(EV + name)) for name in ("title", "subject", "location"))
    of_texts = f"{{ VALUES ?p {{ {held} }} ?e ?p ?v FILTER(STRLEN(STR(?v)) > {LONGEST}) }}"
    of_names = f"{{ VALUES ?p {{ {names} }} ?e ?p ?v FILTER(STRLEN(STR(?v)) > {_LONGEST_NAME}) }}"
    ((count,),) = graph.select(f"SELECT (COUNT(*) AS ?n) {{ {of_texts} UNION {of_names} }}")
    return int(count.value) if count is not None else 0


def told_of_long(count: int) -> str:
    """What is said of so many texts that are not read to their ends; empty for none."""
    which = "1 text is" if count == 1 else f"{count:,} texts are"
    most = f"{LONGEST:,} characters (titles and places {_LONGEST_NAME:,})"
    return f"{which} longer than {most}: what follows there was not read" if count else ""


def owner_names(graph: Graph) -> frozenset[str]:
    """The folded names by which the sources call the person whose life it is."""
    return frozenset(fold(name.value) for (name,) in graph.select(_OWNERS) if name is not None)


def _chunks(events: Iterable[str]) -> Iterator[tuple[str, ...]]:
    rest = iter(events)
    while chunk := tuple(islice(rest, _AT_ONCE)):
        yield chunk


def _held(events: Iterable[str], graph: Graph) -> dict[str, Held]:
    """Values by property, by event."""
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    # Which properties are wanted is seen here: a store that joins two lists of values tries all pairs.
    rows = graph.select(f"SELECT DISTINCT ?e ?p ?v WHERE {{ VALUES ?e {{ {nodes} }} ?e ?p ?v }}")
    found: dict[str, defaultdict[str, list[str]]] = {}
    # Oxigraph must not sort moments with and without a zone together: its order of these is none, and it panics.
    for event, prop, value in sorted(rows, key=lambda row: row[2].value if row[2] is not None else ""):
        if event is not None and prop is not None and value is not None and prop.value in _READ:
            name = prop.value.removeprefix(EV)
            found.setdefault(event.value, defaultdict(list))[name].append(value.value)
    return dict(found)


def _document(event: str, held: Held, owner: frozenset[str]) -> Document | None:
    kinds = {**TEXT_CLASSES, TELLING: TextKind.NOTE}
    kind = next((kinds[iri] for iri in held.get(RDF_TYPE, ()) if iri in kinds), TextKind.RECORD)
    title = _title(held, kind)[:_LONGEST_NAME]
    body = "\n".join(dict.fromkeys((*held.get("text", ()), *held.get("description", ()))))[:LONGEST]
    if not title.strip() and not body.strip() and not held.get("location"):
        return None
    sender, start = _first(held, "sender")[:_LONGEST_NAME], _moment(_first(held, "start"))
    happening = kind in (TextKind.CALENDAR, TextKind.RECORD)
    return Document(
        event=event,
        kind=kind,
        title=title,
        body=body,
        written=start or UNDATED,
        location=_first(held, "location")[:_LONGEST_NAME],
        sender=sender,
        recipients=tuple(held.get("recipient", ())),
        by_owner=_is_by_owner(held, sender, owner),
        start=start if happening else None,
        end=_moment(_first(held, "end")) if happening else None,
    )


def _title(held: Held, kind: TextKind) -> str:
    """The title; a post and a chat message have none but the label that repeats their text."""
    said = _first(held, "title") or _first(held, "subject")
    return said if said or kind is not TextKind.RECORD else _first(held, RDFS + "label")


def _is_by_owner(held: Held, sender: str, owner: frozenset[str]) -> bool:
    direction = _first(held, "direction")
    if direction:
        return direction == "sent"
    if _first(held, "boost") == "true":
        return False
    return fold(sender) in owner if sender else True


def _first(held: Held, name: str) -> str:
    return next(iter(held.get(name, ())), "")


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None) if text else None
    except ValueError:
        return None
