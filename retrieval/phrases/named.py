"""Phrases that name a class of events, which cost no model: "I went running", "football in my calendar".

Begin with `read_query`, which reads a query against the ontology and the values that the store has. `named_events` then
gives its events, or None where words are left that only a search can answer.

A topic of entries that may tell of anything ("mails about the invoice") is answered here, too: all events of the class
whose values tell of it are meant, not the few that come near in meaning. Words count first where the ontology says what
an entry is about (ev:topical), elsewhere only if nothing is found there. So are entries of the profile ("profile of
people my sister"): rules ask for them so; no words of a question are read like this by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ...execution.derivations.derive import Hit, is_derived, write_hits
from ...extraction.documents import READS, TEXT_CLASSES
from ...extraction.mentions.same_day import linked_by_day
from ...ontology.namespaces import EV
from ...operators.resolution import ClassMatch, Constraint
from ...store.index.index import EventText
from ...store.vocabulary import Vocabulary
from ...store.words import fold, normalise
from ...texts.phrase import Phrase, read_phrase
from ..candidate_set import LEXICAL, best_of
from ..context import RetrieveContext
from ..mentioned import are_unread, believed, mentions_read, texts_telling
from ..occurrences import join_occurrences
from ..retrieved import Retrieved, has_events, matched_events
from ..scope import Need, Scope, needs_of, read_by_search, scope_of
from .naming import Readings, as_match, describe, read_structured
from .reading import Reading, Source


@dataclass(frozen=True)
class ReadQuery:
    """A query in words, the readings that the ontology gives it, and what it was read against."""

    query: str
    phrase: Phrase
    readings: Readings
    source: Source

    @property
    def scope(self) -> Scope:
        """What is searched where the readings do not answer it."""
        return scope_of(self.phrase, self.readings.topical or self.readings.partial, self.source)


def read_query(query: str, context: RetrieveContext) -> ReadQuery:
    """A query as the ontology reads it."""
    source = Source(context.vocabulary, context.index, context.people)
    phrase = read_phrase(query, context.vocabulary)
    vocabulary, graph = context.vocabulary, context.graph
    readings = read_structured(phrase, source, lambda reading: has_events(as_match(reading, vocabulary), graph))
    return ReadQuery(query, phrase, readings, source)


def entries_on_topic(read: ReadQuery, context: RetrieveContext) -> tuple[Hit, ...]:
    """The entries of the class that a query names which tell of its topic in so many words."""
    topical = read.readings.topical
    if topical is None or read.readings.complete is not None:
        return ()
    of_class = matched_events(as_match(topical, context.vocabulary), context.graph)
    return topic_hits(read.phrase, topical, frozenset(hit.event for hit in of_class), read.source)


def named_events(read: ReadQuery, told: tuple[Hit, ...], context: RetrieveContext) -> Retrieved | None:
    """The events that a query names: those of a class, or the entries `told` on a topic of which no lexicon knows more.
    None where it must be searched."""
    topical, complete = read.readings.topical, read.readings.complete
    if complete is not None and _is_recorded(complete, context):
        return _of_class(read, complete, context)
    if topical is not None and told and not has_hints(read.phrase, topical, read.source):
        return _on_topic(read, topical, told, context)
    return None


def _is_recorded(reading: Reading, context: RetrieveContext) -> bool:
    """Whether there are events of the class; where there are none, texts may tell of some all the same, but of no mail
    that is not there."""
    wanted = set(context.vocabulary.closed(reading.classes))
    return wanted <= TEXT_CLASSES.keys() or any(iri in wanted for iri, count in context.index.classes() if count)


def _of_class(read: ReadQuery, reading: Reading, context: RetrieveContext) -> Retrieved:
    """The events of a class, and with them the texts that tell of such an event, as far as these were read ahead."""
    match = as_match(reading, context.vocabulary)
    note = describe(read.query, reading, context.vocabulary)
    records, texts = _told_of_class(match, context)
    if not texts:
        return Retrieved(match, (note,), named=match.classes, unread=are_unread(match.classes, context))
    activity = _written(read, best_of((*records, *texts)), match.classes, (match, texts), context, READS)
    found = join_occurrences(activity, context, linked_by_day(texts, match.classes, context))
    telling = "1 text tells" if len(texts) == 1 else f"{len(texts):,} texts tell"
    said = f"{note}; {telling} of such events"
    return Retrieved(found, (said,), records=match, named=match.classes)


def _told_of_class(match: ClassMatch, context: RetrieveContext) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """The records of a class, where any text tells of such an event, and what texts tell."""
    telling = texts_telling(match.classes, match.constraints, context)
    happened = mentions_read(match.classes, match.constraints, context)
    records = matched_events(match, context.graph) if telling or happened else ()
    texts = believed(match.classes, telling, records, context) if telling else ()
    return records, (*texts, *happened)


def _on_topic(read: ReadQuery, reading: Reading, told: tuple[Hit, ...], context: RetrieveContext) -> Retrieved:
    """Entries that tell of a topic."""
    named = tuple(context.vocabulary.closed(reading.classes))
    activity = _written(read, told, named, (read.phrase, reading), context)
    topic = " ".join(read.phrase.tokens[i].text for i in read.phrase.content(reading.free))
    note = f"{describe(read.query, reading, context.vocabulary)} that tells of '{topic}': {len(told)} events"
    return Retrieved(join_occurrences(activity, context), (note,), named=named, sought=read.scope.sought)


def _written(
    read: ReadQuery,
    hits: tuple[Hit, ...],
    classes: tuple[str, ...],
    reading: object,
    context: RetrieveContext,
    more: tuple[str, ...] = (),
) -> str:
    """Writes hits as a derivation if it is new; its activity. It depends on `classes` and `more`."""
    reads = (*read_by_search(classes, context.index, context.vocabulary), *more)
    step = context.step("RETRIEVE", read.query, LEXICAL, LEXICAL, reads=reads, reading=reading)
    if not is_derived(context.graph, step):
        write_hits(context.graph, step, hits, ended=context.now)
    return step.activity


BEGIN: Final = "profile of "
KINDS: Final = {"people": "Person", "homes": "Residence", "jobs": "Job", "studies": "Education", "pets": "Pet"}
"""Classes of the profile by the word that names them in a query."""
_ID: Final = EV + "sourceId"
_QUERY: Final = """SELECT DISTINCT ?thing ?id ?value WHERE {
  ?thing a %s ; ev:sourceId ?id ; ?property ?value FILTER(isLiteral(?value)) } ORDER BY ?id"""


def profile_entries(query: str, context: RetrieveContext) -> Retrieved | None:
    """The entries of the profile that a query asks for; None for one that asks for something else, or for what the
    profile does not have."""
    kind, _, words = query.removeprefix(BEGIN).partition(" ")
    if not query.startswith(BEGIN) or kind not in KINDS:
        return None
    iri = EV + KINDS[kind]
    ids = _ids(iri, words, context)
    note = (f"the profile has {len(ids)} {kind}{f' of “{words}”' if words else ''}",)
    constraints = (Constraint(_ID, ids),) if words else ()
    return Retrieved(ClassMatch((iri,), constraints), note, named=(iri,)) if ids else None


def _ids(iri: str, words: str, context: RetrieveContext) -> tuple[str, ...]:
    """The entries of a class that have the words in a value, or are called so; all where there are none."""
    said = f" {normalise(words)} "
    called = {person.iri for person in context.people.meant(words)}
    found: dict[str, None] = {}
    for thing, key, value in context.graph.select(_QUERY % f"<{iri}>"):
        if thing is None or key is None or value is None:
            continue
        if not words or thing.value in called or (not called and said in f" {normalise(value.value)} "):
            found[key.value] = None
    return tuple(found)


TITLED = 1.0
"""Score of an event whose name tells of the topic."""
TOLD = 0.9
"""Score where another topical value does."""
ASIDE = 0.7
"""Score where only some other value does."""


def topic_hits(phrase: Phrase, reading: Reading, allowed: frozenset[str], source: Source) -> tuple[Hit, ...]:
    """The allowed events that tell of everything that a reading leaves over, best first."""
    needs = needs_of(phrase, reading.free, source)
    if not needs or not allowed:
        return ()
    classes = source.vocabulary.closed(reading.classes)
    events = [event for event in source.index.events_of(classes) if event.iri in allowed]
    telling = [_values_telling(need, source) for need in needs]
    names = frozenset(filter(None, (source.vocabulary.classes[c].label_property for c in classes)))
    for properties, score in ((_topical(source.vocabulary), TOLD), (None, ASIDE)):
        places = [_places(phrase, need, source.vocabulary) for need in needs]
        found = [event for event in events if _tells(event, telling, places, properties)]
        if found:
            hits = [Hit(e.iri, TITLED if score == TOLD and _tells(e, telling, [], names) else score) for e in found]
            return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.event)))
    return ()


def has_hints(phrase: Phrase, reading: Reading, source: Source) -> bool:
    """Whether the lexicon knows what else tells of the topic (a filling of a dentist), so that a search may add."""
    return any(need.group.hints for need in needs_of(phrase, reading.free, source))


def _values_telling(need: Need, source: Source) -> frozenset[int]:
    said = sorted(need.group.same | need.group.kinds)
    return frozenset(value for value, _ in source.index.with_any(said))


def _topical(vocabulary: Vocabulary) -> frozenset[str]:
    return frozenset(iri for iri, info in vocabulary.properties.items() if info.topical)


def _places(phrase: Phrase, need: Need, vocabulary: Vocabulary) -> frozenset[str]:
    """Properties whose cue word stands before the words: 'in Utrecht' may be told by the location."""
    first = need.group.words.split()[0]
    found: set[str] = set()
    for place, token in enumerate(phrase.tokens):
        before = place - 1
        if token.text != first:
            continue
        while before > 0 and fold(phrase.tokens[before].text) in ("the", "a", "an", "my", "our"):
            before -= 1
        if before >= 0:
            word = fold(phrase.tokens[before].text)
            found.update(iri for iri, info in vocabulary.properties.items() if word in info.cue_words)
    return frozenset(found)


def _tells(
    event: EventText,
    telling: Sequence[frozenset[int]],
    places: Sequence[Iterable[str]],
    properties: frozenset[str] | None,
) -> bool:
    """Whether for each need some value tells of it; `None` for all properties."""
    more = [*places, *[()] * (len(telling) - len(places))]
    return all(
        any(
            value in ids and (properties is None or prop in properties or prop in extra)
            for prop, value, _ in event.values
        )
        for ids, extra in zip(telling, more, strict=True)
    )
