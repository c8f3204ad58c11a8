"""The accounts of a store's events: what each says of a happening, for linking those that tell of the same one."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Final

from ...models.coreference.accounts import Account, account_of_record, account_of_text
from ...ontology.namespaces import EV, XSD
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term
from ...store.vocabulary import Vocabulary
from ...texts.lexicon.lexicon import Lexicon
from ..documents import UNDATED, documents, text_events
from ..life import load_life

_PLAYED: Final = ("MusicStream", "PodcastStream", "AudiobookStream", "OnlineVideoStream")
_NAMES: Final = (*_PLAYED, "ChatSession", "WebSearch", "OnlineActivity", "Highlight")
UNTOLD: Final = frozenset(EV + name for name in _NAMES)
"""Self-describing classes whose single events nobody writes about, of which there are very many."""
_UNSAID: Final = frozenset(EV + name for name in ("device", "country", "source", "currency", "duration", "order"))
_WORDS: Final = (XSD + "string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString")


def accounts_of(graph: Graph, vocabulary: Vocabulary, lexicon: Lexicon) -> list[Account]:
    """Of all texts, calendar entries and self-describing events that a text may be about, by start."""
    found = [*_texts(graph, lexicon), *_records(graph, vocabulary, lexicon)]
    return sorted(found, key=lambda account: (account.start, account.event))


def _texts(graph: Graph, lexicon: Lexicon) -> list[Account]:
    profile = load_life(graph).profile
    read = documents(text_events(graph), graph)
    sources = _sources(graph)
    return [
        account_of_text(document, lexicon, profile, source=sources.get(event, ""))
        for event, document in read.items()
        if document.written != UNDATED
    ]


def _sources(graph: Graph) -> dict[str, str]:
    """The source of each calendar entry."""
    rows = graph.select("SELECT ?e ?s { ?e a ev:CalendarEntry ; ev:source ?s }")
    return {event.value: source.value for event, source in rows if event is not None and source is not None}


def classes_of_texts(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The self-describing classes that a text may be about; not those (a stream) that also hold what none is about."""
    saying = (info for info in vocabulary.classes.values() if info.self_describing)
    return tuple(
        sorted(info.iri for info in saying if not UNTOLD & {*info.ancestors, *vocabulary.descendants(info.iri)})
    )


def _records(graph: Graph, vocabulary: Vocabulary, lexicon: Lexicon) -> list[Account]:
    return [
        account
        for iri in classes_of_texts(vocabulary)
        for event, held in _held(graph, iri).items()
        if (account := _record(event, iri, held, vocabulary, lexicon)) is not None
    ]


def _held(graph: Graph, iri: str) -> dict[str, dict[str, list[Term]]]:
    """What the events of a class have, by event and property."""
    found: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for event, prop, value in graph.select(f"SELECT DISTINCT ?e ?p ?v {{ ?e a {NamedNode(iri)} ; ?p ?v }}"):
        if event is not None and prop is not None and value is not None:
            found[event.value][prop.value].append(value)
    return found


def _record(
    event: str, iri: str, held: dict[str, list[Term]], vocabulary: Vocabulary, lexicon: Lexicon
) -> Account | None:
    start = _moment(held, "start")
    if start is None:
        return None
    info = vocabulary.classes[iri]
    names = [term.value for term in held.get(info.label_property or "", ())]
    names += [term.value for term in held.get(EV + "seriesTitle", ())]
    said = [
        term.value
        for prop, terms in held.items()
        if prop not in _UNSAID and not _internal(prop, vocabulary)
        for term in terms
        if isinstance(term, Literal) and term.datatype.value in _WORDS
    ]
    return account_of_record(
        event, iri, start, _moment(held, "end"), " ".join(sorted(names)), said, lexicon,
        called=(*info.labels, *info.verbs),
        sums=_numbers(held, "price"), kilometres=_numbers(held, "distance"),
        source=next((term.value for term in held.get(EV + "source", ())), ""),
    )  # fmt: skip


def _internal(prop: str, vocabulary: Vocabulary) -> bool:
    info = vocabulary.properties.get(prop)
    return info is not None and info.internal


def _numbers(held: dict[str, list[Term]], name: str) -> tuple[float, ...]:
    found = []
    for term in held.get(EV + name, ()):
        try:
            found.append(float(term.value))
        except ValueError:
            continue
    return tuple(found)


def _moment(held: dict[str, list[Term]], name: str) -> datetime | None:
    for term in sorted(held.get(EV + name, ()), key=str):
        try:
            return datetime.fromisoformat(term.value).replace(tzinfo=None)
        except ValueError:
            continue
    return None
