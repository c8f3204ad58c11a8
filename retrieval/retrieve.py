"""RETRIEVE: the events that a phrase means, by ontology where it names a class, else by search (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..execution.context import RetrieveContext
from ..execution.derivations.derive import is_derived, read_hits, write_hits
from ..extraction.coreference.occurrences import merged, with_records
from ..extraction.mentions.mentioned import are_unread, believed, mentions_read, texts_telling
from ..extraction.mentions.same_day import linked_by_day
from ..extraction.parts import has_parts, with_parts
from ..ontology.namespaces import ANY_TEXT, EV, LEXICONS
from ..operators.resolution import ClassMatch, DerivedMatch, RetrieveMatch
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode
from ..store.vocabulary import EVENT
from .candidates import LEXICAL, find_models, search
from .judge import COMPANY
from .phrase import Phrase, read_phrase
from .reading import Reading, Source
from .search import Hit, Scope, scope_of, tellers
from .structured import Readings, as_match, describe, read_structured
from .topics import has_hints, topic_hits


@dataclass(frozen=True)
class Retrieved:
    """What a query stands for, and what the reader should know of how it was found."""

    match: RetrieveMatch
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    records: ClassMatch | None = None
    """The events that are recorded, where `match` also has what only texts tell of."""
    named: tuple[str, ...] = ()
    """Classes that the query names: events of these are records of themselves, also mails and calendar entries."""

    unread: bool = False
    """Whether texts may tell of more of what is recorded, and were not read for it."""

    @property
    def on_record(self) -> Retrieved:
        """The same without what only texts tell of."""
        return self if self.records is None else replace(self, match=self.records)


def resolve_retrieve(query: str, context: RetrieveContext) -> Retrieved:
    """What `query` stands for: a class with constraints, or its entries on a topic, without a model; else what a search
    finds. The last two are written as derivations if they are new."""
    source, phrase, readings = _read(query, context)
    if readings.complete is not None:
        return _of_reading(query, readings.complete, context)
    told: tuple[Hit, ...] = ()
    if readings.topical is not None:
        told = topic_hits(phrase, readings.topical, _of_class(readings.topical, context), source)
        if told and not has_hints(phrase, readings.topical, source):
            return _on_topic(query, phrase, readings.topical, told, context)
    return _searched(query, scope_of(phrase, readings.topical or readings.partial, source), told, context)


def scope_of_query(query: str, context: RetrieveContext) -> Scope:
    """What is searched for a query, and what must be told there."""
    source, phrase, readings = _read(query, context)
    return scope_of(phrase, readings.topical or readings.partial, source)


def _read(query: str, context: RetrieveContext) -> tuple[Source, Phrase, Readings]:
    """A query's phrase, what it was read against, and how the ontology reads it."""
    source = Source(context.vocabulary, context.index, context.people)
    phrase = read_phrase(query, context.vocabulary)
    return source, phrase, read_structured(phrase, source, lambda reading: _has_events(reading, context))


def _of_reading(query: str, reading: Reading, context: RetrieveContext) -> Retrieved:
    """The events of a class, and with them the texts that tell of such an event, as far as these were read ahead."""
    match = as_match(reading, context.vocabulary)
    note = describe(query, reading, context.vocabulary)
    telling = texts_telling(match.classes, match.constraints, context)
    happened = mentions_read(match.classes, match.constraints, context)
    records = matched_events(match, context.graph) if telling or happened else ()
    texts = believed(match.classes, telling, records, context) if telling else ()
    texts = (*texts, *happened)
    if not texts:
        return Retrieved(match, (note,), named=match.classes, unread=are_unread(match.classes, context))
    reads = (*_read_by(match.classes, context), ANY_TEXT)
    step = context.step("RETRIEVE", query, LEXICAL, LEXICAL, reads=reads, reading=(match, texts))
    if not is_derived(context.graph, step):
        write_hits(context.graph, step, _joined(records, texts), ended=context.now)
    found = merged(DerivedMatch(step.activity), context, linked_by_day(texts, match.classes, context))
    said = f"{note}; {len(texts)} texts tell of such events"
    return Retrieved(found, (said,), records=match, named=match.classes)


def _on_topic(
    query: str, phrase: Phrase, reading: Reading, told: tuple[Hit, ...], context: RetrieveContext
) -> Retrieved:
    reads = _read_by(context.vocabulary.closed(reading.classes), context)
    step = context.step("RETRIEVE", query, LEXICAL, LEXICAL, reads=reads, reading=(phrase, reading))
    if not is_derived(context.graph, step):
        write_hits(context.graph, step, told, ended=context.now)
    topic = " ".join(phrase.tokens[i].text for i in phrase.content(reading.free))
    note = f"{describe(query, reading, context.vocabulary)} that tells of '{topic}': {len(told)} events"
    named = tuple(context.vocabulary.closed(reading.classes))
    return Retrieved(merged(DerivedMatch(step.activity), context), (note,), named=named)


def _searched(query: str, scope: Scope, told: tuple[Hit, ...], context: RetrieveContext) -> Retrieved:
    """What a search finds, and with it what is known to tell of the topic."""
    models = find_models(context)
    beyond = scope.beyond if models.classifiers else ()
    reads = (*_read_by(scope.classes, context), *((EVENT,) if beyond else ()))
    reading = (replace(scope, beyond=beyond), told, has_parts(context))
    step = context.step("RETRIEVE", query, models.name, models.identity, reads=reads, reading=reading)
    how = ""
    if not is_derived(context.graph, step):
        found = search(query, scope, models, context)
        how = found.how
        hits = _joined(told, found.hits)
        if models.classifiers and not scope.named and not COMPANY.search(query):
            hits = with_records(hits, context)
        if models.classifiers and not scope.named:
            hits = with_parts(query, hits, models.classifiers.events, context)
        write_hits(context.graph, step, hits, ended=context.now)
    number = len(read_hits(context.graph, step.activity))
    warnings = models.warnings if number else (*models.warnings, _nothing(query, scope))
    match = merged(DerivedMatch(step.activity), context)
    return Retrieved(match, (f"'{query}' was searched: {number} events{how}",), warnings, named=tuple(scope.named))


def _read_by(classes: Sequence[str], context: RetrieveContext) -> tuple[str, ...]:
    """What a search over events of these classes reads: them, the people of the profile, the lexicons; where it covers
    all that may tell of anything, also such classes to come."""
    anything, _ = tellers(context.index, context.vocabulary)
    everything = (ANY_TEXT,) if set(anything) <= set(classes) else ()
    return (*classes, *everything, EV + "Person", LEXICONS)


def _joined(told: tuple[Hit, ...], hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Each event once, with its better score, best first."""
    best: dict[str, float] = {}
    for hit in (*told, *hits):
        best[hit.event] = max(hit.score, best.get(hit.event, 0.0))
    return tuple(Hit(event, score) for event, score in sorted(best.items(), key=lambda entry: (-entry[1], entry[0])))


def _of_class(reading: Reading, context: RetrieveContext) -> frozenset[str]:
    """The events that are as a reading says."""
    return frozenset(hit.event for hit in matched_events(as_match(reading, context.vocabulary), context.graph))


def _has_events(reading: Reading, context: RetrieveContext) -> bool:
    """Whether any event is as a reading says."""
    return context.graph.ask(f"ASK {{ {_class_pattern(as_match(reading, context.vocabulary))} }}")


def matched_events(match: RetrieveMatch, graph: Graph) -> tuple[Hit, ...]:
    """The events that a match holds for, best first; those of a class score 1."""
    if isinstance(match, DerivedMatch):
        return read_hits(graph, match.activity)
    rows = graph.select(f"SELECT DISTINCT ?e WHERE {{ {_class_pattern(match)} }}")
    return tuple(Hit(event, 1.0) for event in sorted(event.value for (event,) in rows if event is not None))


def _class_pattern(match: ClassMatch) -> str:
    """A pattern of the events `?e` that a match holds for."""
    classes = " ".join(str(NamedNode(iri)) for iri in match.classes)
    parts = [f"?e a ?class . VALUES ?class {{ {classes} }}"]
    for number, constraint in enumerate(match.constraints):
        accepted = ", ".join(f"LCASE({Literal(value)})" for value in constraint.values)
        parts.append(f"?e {NamedNode(constraint.property)} ?v{number} FILTER(LCASE(STR(?v{number})) IN ({accepted}))")
    return " ".join(parts)


def _nothing(query: str, scope: Scope) -> str:
    names = " and ".join(f"'{name}'" for name in scope.missing)
    return found_nothing(query) + (f"; it would have to tell of {names}" if names else "")


def found_nothing(query: str) -> str:
    """What is told where a search finds nothing although the words name nothing that is missing: they may not have been
    understood."""
    return f"nothing was found for '{query}'"
