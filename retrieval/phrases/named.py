"""Phrases that name a class of events, which cost no model: "I went running", "football in my calendar".

Begin with `read_query`, which reads a query against the ontology and the values that the store has. `named_events` then
gives its events, or None where words are left that only a search can answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...execution.derivations.derive import Hit, is_derived, write_hits
from ...extraction.documents import READS, TEXT_CLASSES
from ...extraction.mentions.same_day import linked_by_day
from ...operators.resolution import ClassMatch
from ...texts.phrase import Phrase, read_phrase
from ..candidate_set import LEXICAL, best_of
from ..context import RetrieveContext
from ..mentioned import are_unread, believed, mentions_read, texts_telling
from ..occurrences import join_occurrences
from ..retrieved import Retrieved, has_events, matched_events
from ..scope import Scope, read_by_search, scope_of
from .naming import Readings, as_match, describe, read_structured
from .reading import Reading, Source
from .topics import has_hints, topic_hits


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
