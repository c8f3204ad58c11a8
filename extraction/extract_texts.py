"""EXTRACT's keys that are read from texts: for which events, beside which properties, and written as which derivation.

What a property already says is read first and a text only where that is silent, but for keys whose text says what the
property is (a location may be a place or only its town). Source: ReQAP section 3.2.2, with its frozen mapping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from ..compiler.retrieve import RETRIEVED, matching, of_classes
from ..compiler.scope import Names
from ..compiler.sparql.algebra import Exists, Filter, Iri, Not, OrderBy, Select, Var, triple
from ..compiler.sparql.printing import printed
from ..errors import ConfigError
from ..execution.context import Table, Tables
from ..execution.derivations.derive import Step, is_derived, read_mapping, write_mapping
from ..execution.derivations.values_read import CacheFile
from ..execution.derivations.values_written import derived_property
from ..models.encoder import Vectors
from ..models.reading.reader import Extractor
from ..ontology.namespaces import EV, LEXICONS, RDFS
from ..operators.nodes import AttributeType
from ..operators.resolution import AttributeMatch, ClassMatch, DerivedMatch, RetrieveMatch
from ..store.rdf import Literal, NamedNode
from ..store.words import fold
from ..texts.document import Document
from .context import ExtractContext, Texts, open_texts
from .coreference.links import entries_of, store_links, with_entries
from .documents import READS, TELLING, TEXT_CLASSES, documents, large_classes, text_events
from .hints import fingerprint
from .keys import UNITS, TextKey, ValueKind, undescribed
from .page import Found
from .text_values import METHOD, read_values
from .things import of_the_thing, thing_of
from .written import plain_text, values_of, write_texts

RULES: Final = "lexicons and rules"
"""What stands for the model where no reader is there."""
FIRST: Final = 50
"""Events of which a frozen mapping is found; the paper's number."""
AGREE: Final = 0.7
"""Least share of them that must agree; the paper's number."""
_FEW: Final = 8
"""Events that must at least have both values for a mapping to be believed."""
_TEXTS: Final = frozenset(EV + name for name in ("title", "subject", "text", "description", "tag", "url"))
_LENGTHS: Final = (ValueKind.DISTANCE, ValueKind.DURATION)
_BY_TYPE: Final = frozenset({ValueKind.DATE, ValueKind.DATETIME})
"""Kinds that are found without a reader for a key that says nothing more."""
_TEXTS_OF: Final = Table[None, Texts]("texts")
_VALUES: Final = Table[tuple[RetrieveMatch, tuple[str, ...]], dict[str, dict[str, frozenset[str]]]]("values of")
_SECONDS: Final = "s"


@dataclass(frozen=True, slots=True)
class ReadFromTexts:
    """An attribute with what texts say of it, and how many events' texts say any."""

    match: AttributeMatch
    values: int


def texts_of(context: ExtractContext) -> Texts:
    """What reading the store's texts needs, opened once."""
    return context.once(_TEXTS_OF, None, lambda: _opened(context))


def _opened(context: ExtractContext) -> Texts:
    found = open_texts(context.graph, context.lexicon, _extractor(context), context.notes)
    found.encode = partial(_vectors, context)
    return found


def precompute_tags(context: ExtractContext, most: int) -> int:
    """Has the reader mark the words of all texts, if there are no more than `most`, for all keys that texts may tell;
    returns how many it marked. Raises ConfigError where its weights are missing."""
    return texts_of(context).precompute_tags(most) if context.read_texts else 0


def text_key(key: str, kind: AttributeType, classes: Sequence[str], context: ExtractContext) -> TextKey | None:
    """The described text key of that name, if any event of the classes may tell it in words."""
    if not text_classes(classes, context):
        return None
    return _fitting(texts_of(context).keys.called(key), kind)


def text_classes(classes: Sequence[str], context: ExtractContext) -> tuple[str, ...]:
    """Those of the classes, or of narrower ones, whose events may tell of anything in words."""
    if not context.read_texts:
        return ()
    found = [iri for iri in context.vocabulary.closed(tuple(classes)) if iri in TEXT_CLASSES or iri == TELLING]
    large = large_classes(found, context.index)
    return tuple(iri for iri in found if iri not in large)


def read_from_texts(
    match: RetrieveMatch,
    key: TextKey,
    kind: AttributeType,
    beside: AttributeMatch | None,
    observed: Sequence[str],
    context: ExtractContext,
) -> ReadFromTexts:
    """The attribute with the values that texts say; `beside` are the properties that say it, if any."""
    held = beside.properties if beside is not None else ()
    if beside is not None and beside.unit in UNITS.values() and key.kind in _LENGTHS:
        key = replace(key, unit=beside.unit)
    step = _step(match, key, kind, held, context)
    mapped: tuple[str, ...] = ()
    if not held:
        mapped = _frozen(match, key, kind, observed, context)
    if not is_derived(context.graph, step):
        events = _events(match, () if key.first_in == "location" else (*held, *mapped), context)
        found = _read(events, match, in_kind(key, kind), kind, context)
        write_texts(context.graph, step, found, kind, unit=_unit(key, kind), ended=context.now)
    own = derived_property(step)
    properties = (own, *held, *mapped) if key.first_in == "location" else (*held, *mapped, own)
    known = beside if beside is not None else AttributeMatch(())
    values = values_of(context.graph, step)
    if not values and (held or mapped):
        properties = (*held, *mapped)
    attribute = replace(
        known,
        properties=tuple(dict.fromkeys(properties)),
        multiple=known.multiple or key.multiple or kind is AttributeType.LIST,
        unit=known.unit or _unit(key, kind),
    )
    return ReadFromTexts(attribute, values)


def _read(
    events: Sequence[str], match: RetrieveMatch, key: TextKey, kind: AttributeType, context: ExtractContext
) -> Mapping[str, tuple[Found, ...]]:
    """What the texts of events say; who took part also by the calendar entry that a text speaks of, a sum of money only
    where it is of what the search asks about."""
    read = _documents(events, context)
    found = read_values(read, key, kind, texts_of(context))
    if key.kind is ValueKind.PEOPLE:
        entries = entries_of((one.event for one in read), store_links(context))
        told = read_values(_documents(tuple(entries.values()), context), key, kind, texts_of(context))
        return with_entries(found, entries, told)
    if key.kind is not ValueKind.MONEY or not isinstance(match, DerivedMatch):
        return found
    thing = thing_of(match, context.graph, context.vocabulary, context.lexicon)
    pages = {one.event: texts_of(context).page_of(one) for one in read}
    return found if thing is None else of_the_thing(found, pages, thing)


def generic_key(key: str, kind: AttributeType, classes: Sequence[str], context: ExtractContext) -> TextKey | None:
    """How a key is read that no ontology describes: by its type, or by the reader; None where nothing can."""
    if not text_classes(classes, context):
        return None
    found = undescribed(key, kind)
    if found.kind not in _BY_TYPE and texts_of(context).tagger is None:
        return None
    return found


def _fitting(key: TextKey | None, kind: AttributeType) -> TextKey | None:
    """The key, if values of its kind can be of the type."""
    if key is None:
        return None
    return key if typed_as(key.kind, kind) else None


def typed_as(found: ValueKind, kind: AttributeType) -> bool:
    """Whether values of a kind can be of a type: no name is a number."""
    measured = found in (ValueKind.MONEY, ValueKind.DISTANCE, ValueKind.DURATION)
    timed = found in (ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME)
    if kind in (AttributeType.INT, AttributeType.FLOAT, AttributeType.DURATION):
        return measured
    if kind in (AttributeType.DATE, AttributeType.TIME, AttributeType.DATETIME):
        return timed
    return True


def in_kind(key: TextKey, kind: AttributeType) -> TextKey:
    """The key in the form in which a type holds it: a length of time in seconds, a moment with its clock."""
    if kind is AttributeType.DURATION:
        return replace(key, unit=_SECONDS)
    if key.kind in (ValueKind.DATE, ValueKind.TIME) and kind is AttributeType.DATETIME:
        return replace(key, kind=ValueKind.DATETIME)
    if key.kind is ValueKind.DATE and kind is AttributeType.TIME:
        return replace(key, kind=ValueKind.TIME)
    if key.kind is ValueKind.TIME and kind is AttributeType.DATE:
        return replace(key, kind=ValueKind.DATE)
    return key


def _unit(key: TextKey, kind: AttributeType) -> str | None:
    if key.kind is ValueKind.DURATION:
        return _SECONDS if kind is AttributeType.DURATION else key.unit or _SECONDS
    return key.unit


def _extractor(context: ExtractContext) -> Extractor | None:
    """The reader, or none where there is none: rules and lexicons alone still read much."""
    try:
        return context.readers.extractor if context.readers is not None else None
    except ConfigError:
        return None


def _vectors(context: ExtractContext, said: Sequence[str]) -> Vectors | None:
    """Vectors of words; None where the encoder's weights are missing."""
    try:
        encoder = context.encoder_factory()
    except ConfigError:
        return None
    return context.cache.vectors(list(said), identity=encoder.identity, encode=encoder.encode)


def _step(
    match: RetrieveMatch, key: TextKey, kind: AttributeType, held: Sequence[str], context: ExtractContext
) -> Step:
    tagger = texts_of(context).tagger
    of = " or ".join(match.classes) if isinstance(match, ClassMatch) else match.activity.partition("#")[0]
    beside = f" beside {' or '.join(held)}" if held else ""
    constrained = (
        [f"{c.property} = {'|'.join(c.values)}" for c in match.constraints] if isinstance(match, ClassMatch) else []
    )
    text = f"{key.name} as {kind} in texts of {' with '.join([of, *constrained])}{beside}"
    reads = match.classes if isinstance(match, ClassMatch) else (match.activity.partition("#")[0],)
    return context.step(
        "EXTRACT",
        text,
        tagger.name if tagger else RULES,
        f"{tagger.identity} {METHOD}" if tagger else METHOD,
        reads=(*reads, *READS, LEXICONS, *key.held_by),
        reading=key,
    )


def _documents(events: Sequence[str], context: ExtractContext) -> tuple[Document, ...]:
    return tuple(documents(events, context.graph).values())


def _events(match: RetrieveMatch, lacking: Sequence[str], context: ExtractContext) -> tuple[str, ...]:
    """The events of a match whose texts are read: those of text classes that have none of the properties."""
    event, fresh = Var("event"), Names().fresh
    if isinstance(match, ClassMatch):
        found = matching(replace(match, classes=tuple(text_classes(match.classes, context))), event, fresh)
    else:
        retrieved = triple(event, RETRIEVED, Iri(match.activity))
        found = (retrieved, *of_classes((*TEXT_CLASSES, TELLING), event, fresh))
    without = (Filter(Not(Exists((triple(event, Iri(iri), fresh("held")),)))) for iri in lacking)
    query = Select((event,), (*found, *without), distinct=True, order=(OrderBy(event),))
    return tuple(one.value for (one,) in context.graph.select(printed(query)) if one is not None)


def _frozen(
    match: RetrieveMatch, key: TextKey, kind: AttributeType, observed: Sequence[str], context: ExtractContext
) -> tuple[str, ...]:
    """The property that says the same as the texts for most of the first events that have it; found once."""
    plain = _step(match, key, kind, (), context)
    step = replace(plain, query=plain.query + ", as a property")
    if is_derived(context.graph, step):
        return read_mapping(context.graph, step.activity)
    able = [iri for iri in observed if iri not in _TEXTS and not iri.startswith(RDFS)]
    held = context.once(_VALUES, (match, tuple(able)), lambda: _values_of(match, able, context))
    events = list(dict.fromkeys(event for by_event in held.values() for event in by_event))
    read = read_values(_documents(events[: FIRST * 4], context), in_kind(key, kind), kind, texts_of(context))
    shares = {prop: _share(by_event, read) for prop, by_event in held.items()}
    best = max(shares, key=lambda prop: shares[prop], default=None)
    if best is None or shares[best] < AGREE:
        return ()
    write_mapping(context.graph, step, [best], shares[best], ended=context.now)
    return (best,)


def _values_of(
    match: RetrieveMatch, properties: Sequence[str], context: ExtractContext
) -> dict[str, dict[str, frozenset[str]]]:
    """Folded values by event, by property, of the first events that have it."""
    nodes = " ".join(str(NamedNode(iri)) for iri in _events(match, (), context)[:2000])
    wanted = " ".join(str(NamedNode(prop)) for prop in properties)
    rows = context.graph.select(
        f"SELECT ?e ?p ?v WHERE {{ VALUES ?e {{ {nodes} }} VALUES ?p {{ {wanted} }} ?e ?p ?v }} ORDER BY ?e"
    )
    found: dict[str, dict[str, frozenset[str]]] = {prop: {} for prop in properties}
    for event, prop, value in rows:
        if event is not None and prop is not None and isinstance(value, Literal):
            of = found[prop.value]
            if event.value in of or len(of) < FIRST:
                of[event.value] = of.get(event.value, frozenset()) | {fold(value.value)}
    return {prop: by_event for prop, by_event in found.items() if by_event}


def _share(held: Mapping[str, frozenset[str]], read: Mapping[str, tuple[Found, ...]]) -> float:
    """The share of events with both whose property says what their text says."""
    both = [(values, read[event]) for event, values in held.items() if read.get(event)]
    if len(both) < _FEW:
        return 0.0
    agreed = sum(all(_same(one, values) for one in found) for values, found in both)
    return agreed / len(both)


def _same(found: Found, values: frozenset[str]) -> bool:
    said = fold(plain_text(found.value))
    return said in values or any(value.startswith(said + "t") for value in values)


# ---------------------------------------------------------------- what each text says, kept
KEYS: Final = ("participants", "cuisine", "occasion", "doctor type", "workout type", "milestone type")
"""Keys whose values are read once for each generation, for searches."""
_FACTS: Final = "facts"

Confidences = Mapping[str, float]
"""By value."""
Facts = Mapping[str, Mapping[str, Confidences]]
"""By event, by key."""
_FACTS_OF: Final = Table[None, Facts](_FACTS)


def facts_of(context: ExtractContext) -> Facts:
    """What the store's texts say, opened once."""
    return context.once(_FACTS_OF, None, lambda: _opened_facts(context))


def _opened_facts(context: ExtractContext) -> Facts:
    state = f"{context.state((*READS, EV + 'location'))} {fingerprint(context.lexicon, context.profile)} {METHOD}"
    file = CacheFile(context.index_folder, _FACTS, state)
    held = file.read()
    if held is None:
        held = _read_facts(context)
        file.write(held)
    return held


def _read_facts(context: ExtractContext) -> Facts:
    alone = replace(context, readers=None, known=Tables())
    read = tuple(documents(text_events(context.graph), context.graph).values())
    texts = texts_of(alone)
    found: dict[str, dict[str, Confidences]] = {}
    for done, name in enumerate(KEYS):
        if context.progress:
            context.progress("read texts", done, len(KEYS))
        key = texts.keys.called(name)
        if key is not None:
            for event, values in read_values(read, key, AttributeType.STR, texts).items():
                said = {str(value.value): round(value.confidence, 3) for value in values}
                found.setdefault(event, {})[name] = said
    return found
