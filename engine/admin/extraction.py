"""EXTRACT for single events: typed values with the words that say them, many events of a key at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...errors import ReqapError
from ...execution.derivations.values_written import original_property
from ...extraction.documents import documents
from ...extraction.extract import Unresolved, property_beside_texts, resolve_attribute
from ...extraction.extract_texts import in_kind, text_key, texts_of
from ...extraction.keys import TextKey
from ...extraction.page import Found
from ...extraction.text_values import read_values
from ...extraction.written import typed
from ...operators.nodes import AttributeType
from ...operators.resolution import ClassMatch
from ...retrieval.context import RetrieveContext
from ...store.rdf import Literal, NamedNode
from ..answers.evidence import plain, values_of

_AT_ONCE: Final = 2000


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """One event by the source's own id, a key, and the type of its value."""

    event: str
    key: str
    kind: str = "str"


@dataclass(frozen=True, slots=True)
class ExtractedValue:
    """A value (None where nothing says it), the literal words that say it, and what went wrong, if anything."""

    value: Any = None
    evidence: str | None = None
    error: str | None = None


def extract_values(requests: Sequence[ExtractionRequest], context: RetrieveContext) -> list[ExtractedValue]:
    """The values that requests ask for, in their order; what is wrong with one is said in its reading.

    All events of a key are read together, so that a model sees them in one batch.
    """
    found: list[ExtractedValue] = [ExtractedValue()] * len(requests)
    events = _located({request.event for request in requests}, context)
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for place, request in enumerate(requests):
        if request.kind not in tuple(AttributeType):
            found[place] = ExtractedValue(
                error=f"unknown type {request.kind!r}; expected one of {', '.join(AttributeType)}"
            )
        elif request.event not in events:
            found[place] = ExtractedValue(error=f"no event has the source id {request.event!r}")
        else:
            groups[events[request.event][1], request.key, request.kind].append(place)
    for (klass, key, kind), places in groups.items():
        of_event = {place: events[requests[place].event][0] for place in places}
        try:
            read = _read(tuple(dict.fromkeys(of_event.values())), klass, key, AttributeType(kind), context)
        except ReqapError as bad:
            read = dict.fromkeys(of_event.values(), ExtractedValue(error=str(bad)))
        for place, event in of_event.items():
            found[place] = read.get(event, ExtractedValue())
    return found


def _located(source_ids: set[str], context: RetrieveContext) -> dict[str, tuple[str, str]]:
    """Event and class by source id; ids of digits may be numbers in the graph."""
    found: dict[str, tuple[str, str]] = {}
    for chunk in _chunks(sorted(source_ids)):
        forms = [Literal(text) for text in chunk] + [Literal(int(text)) for text in chunk if _is_number(text)]
        accepted = " ".join(map(str, forms))
        rows = context.graph.select(
            f"SELECT ?id ?e ?c WHERE {{ VALUES ?id {{ {accepted} }} ?e ev:sourceId ?id ; a ?c }} ORDER BY ?id ?e ?c"
        )
        for source_id, event, klass in rows:
            if source_id is not None and isinstance(event, NamedNode) and isinstance(klass, NamedNode):
                found.setdefault(source_id.value, (event.value, klass.value))
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19


def _chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for begin in range(0, len(texts), _AT_ONCE):
        yield texts[begin : begin + _AT_ONCE]


def _read(
    events: Sequence[str], klass: str, key: str, kind: AttributeType, context: RetrieveContext
) -> dict[str, ExtractedValue]:
    """Readings by event. What a text says of a location is read first; else what a property says, then a text."""
    told = text_key(key, kind, (klass,), context)
    from_texts = _of_texts(events, told, kind, context) if told is not None and told.first_in == "location" else {}
    rest = [event for event in events if event not in from_texts]
    from_properties = _of_properties(rest, klass, key, kind, told, context) if rest else {}
    rest = [event for event in rest if event not in from_properties]
    if told is not None and told.first_in != "location" and rest:
        from_texts |= _of_texts(rest, told, kind, context)
    return from_properties | from_texts


def _of_texts(
    events: Sequence[str], key: TextKey, kind: AttributeType, context: RetrieveContext
) -> dict[str, ExtractedValue]:
    read = read_values(tuple(documents(events, context.graph).values()), in_kind(key, kind), kind, texts_of(context))
    found: dict[str, ExtractedValue] = {}
    for event, values in read.items():
        held = [(one, literal) for one in values if (literal := typed(one, kind)) is not None]
        if held:
            shown = [plain(literal) for _, literal in held]
            several = key.multiple or kind is AttributeType.LIST
            found[event] = ExtractedValue(shown if several else shown[0], _evidence([one for one, _ in held]))
    return found


def _evidence(found: Sequence[Found]) -> str | None:
    said = dict.fromkeys(one.evidence for one in found if one.evidence)
    return ", ".join(said) or None


def _of_properties(
    events: Sequence[str],
    klass: str,
    key: str,
    kind: AttributeType,
    told: TextKey | None,
    context: RetrieveContext,
) -> dict[str, ExtractedValue]:
    """What properties of the class's events say; of a key that is read from texts, only those that are called so."""
    whole = ClassMatch((klass,))
    if told is not None:
        match = property_beside_texts(whole, key, kind, told, context)
    else:
        outcome = resolve_attribute(klass, whole, key, kind, context)
        match = None if isinstance(outcome, Unresolved) else outcome.match
    if match is None:
        return {}
    values = values_of(events, match, context)
    originals = tuple(original_property(name, context.graph) for name in match.properties)
    written = values_of(events, replace(match, properties=originals), context)
    return {
        event: ExtractedValue(_shaped(value, kind), _said(written.get(event, value))) for event, value in values.items()
    }


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _shaped(value: Any, kind: AttributeType) -> Any:
    """A value as its type asks: a list where one is asked for, a day of a moment."""
    if kind is AttributeType.LIST:
        return value if isinstance(value, list) else [value]
    if isinstance(value, str) and kind is AttributeType.DATE:
        return value[:10]
    if isinstance(value, str) and kind is AttributeType.TIME and "T" in value:
        return value.partition("T")[2][:8]
    return value
