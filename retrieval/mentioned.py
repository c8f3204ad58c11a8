"""What only texts tell of a class's events: the film that a mail mentions and no service streamed.

Which texts tell of a workout, a film or a purchase at all (ev:toldAs), and what they say of its attributes, is read
ahead, once for each text; a query that names the class then needs no model: it takes the class's events and these
texts. De-duplication joins a text to the record that it tells of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Final
from urllib.parse import quote

from ..execution.derivations.derive import Hit, Step, is_derived, read_hits, write_hits
from ..extraction.documents import READS, TEXT_CLASSES, documents, large_classes
from ..extraction.extract_texts import texts_of
from ..extraction.mentions.derived_events import METHOD, derived_events, tellings_of, texts_read
from ..extraction.text_values import read_values
from ..models.reading.reader import EventClassifier
from ..ontology.namespaces import LEXICONS
from ..operators.nodes import AttributeType
from ..operators.resolution import Constraint
from ..store.rdf import Literal, NamedNode, Triple
from ..store.words import normalise
from ..texts.document import Document
from ..texts.time.times import Known, event_time
from .candidate_set import classify_lines, lines_of
from .classify_events import KEEP
from .context import RetrieveContext
from .occurrences import occurrences

OPERATOR: Final = "TELLS"
ANYTHING: Final = "something happened"
"""What texts are read for where no class that they may tell of is there."""
ALONE: Final = 0.88
"""Probability from which on a text counts of which no record shows what it tells."""


def texts_telling(
    classes: Sequence[str], constraints: Sequence[Constraint], context: RetrieveContext
) -> tuple[Hit, ...]:
    """The texts that tell of an event of the classes with these attributes, as far as they were read ahead."""
    found: list[Hit] = []
    for klass in _told_classes(classes, context):
        for activity in _activities(klass, context):
            held = [_alike(constraint, activity, context) for constraint in constraints]
            hits = read_hits(context.graph, activity)
            found += [hit for hit in hits if all(hit.event in events for events in held)]
    return tuple(found)


def read_ahead(context: RetrieveContext) -> int:
    """Reads which texts tell of which classes, and what they say of the attributes that queries constrain; returns how
    many tell of any. Raises ConfigError where the classifier's weights are missing."""
    if context.readers is None or not _text_classes(context):
        return 0
    number = 0
    classifier = context.readers.events
    classes = tuple(_told_classes(context.vocabulary.classes, context))
    if not classes:  # what is read of the texts is kept all the same
        _tellers(ANYTHING, classifier, context)
    for klass in classes:
        reads = (*READS, LEXICONS)
        step = context.step(
            OPERATOR, klass, classifier.name, classifier.identity, reads=(klass, *reads), reading=METHOD
        )
        if not is_derived(context.graph, step):
            hits = _tellers(context.vocabulary.classes[klass].told_as or "", classifier, context)
            more = [*_values(klass, step, hits, context), *_happenings(klass, hits, context)]
            write_hits(context.graph, step, hits, ended=context.now, more=more)
        number += len(read_hits(context.graph, step.activity))
    return number


def are_unread(classes: Iterable[str], context: RetrieveContext) -> bool:
    """Whether texts may tell of events of the classes and were not read ahead."""
    told = tuple(_told_classes(classes, context))
    return bool(_text_classes(context)) and any(not _activities(klass, context) for klass in told)


def _told_classes(classes: Iterable[str], context: RetrieveContext) -> Iterator[str]:
    """Classes that texts may tell of, of those of which the store has events."""
    present = {iri for iri, _ in context.index.classes()}
    for iri in sorted(classes):
        info = context.vocabulary.classes.get(iri)
        if info is not None and info.told_as and iri in present:
            yield iri


def _activities(klass: str, context: RetrieveContext) -> tuple[str, ...]:
    """What was read ahead of a class, the latest; looked up by its name, since naming the model would mean finding it.
    One query for all classes, which is remembered where each is a request."""
    rows = context.graph.select(
        f"SELECT ?class ?a {{ ?a a ev:Derivation ; ev:operator {Literal(OPERATOR)} ; ev:query ?class ; "
        "prov:endedAtTime ?ended } ORDER BY DESC(?ended)"
    )
    found = (a.value for name, a in rows if name is not None and a is not None and name.value == klass)
    return tuple(islice(found, 1))


def _text_classes(context: RetrieveContext) -> tuple[str, ...]:
    present = [iri for iri, _ in context.index.classes() if iri in TEXT_CLASSES]
    large = large_classes(present, context.index)
    return tuple(iri for iri in present if iri not in large)


def _tellers(said: str, classifier: EventClassifier, context: RetrieveContext) -> tuple[Hit, ...]:
    events = tuple(context.index.events_of(_text_classes(context)))
    lines = lines_of(events, context)
    scores = _scores(said, tuple(dict.fromkeys(lines.values())), classifier, context)
    hits = (Hit(event.iri, scores[lines[event.iri]]) for event in events)
    return tuple(sorted((hit for hit in hits if hit.score >= KEEP), key=lambda hit: (-hit.score, hit.event)))


def _scores(
    said: str, lines: Sequence[str], classifier: EventClassifier, context: RetrieveContext
) -> Mapping[str, float]:
    """Probability by line; only lines that were never read are read."""
    about = f"{OPERATOR} {said} {classifier.identity}"
    keys = {line: hashlib.sha256(line.encode()).hexdigest() for line in lines}
    known = {key: float(score) for key, score in context.notes.get(keys.values(), about).items()}
    new = classify_lines(said, [line for line in lines if keys[line] not in known], classifier, context.progress)
    context.notes.put({keys[line]: f"{score:.4f}" for line, score in new.items()}, about)
    return {line: new[line] if line in new else known[keys[line]] for line in lines}


def _values(klass: str, step: Step, hits: Sequence[Hit], context: RetrieveContext) -> list[Triple]:
    """What the texts say of the class's attributes, under properties of the derivation's own."""
    read = tuple(documents([hit.event for hit in hits], context.graph).values())
    found: list[Triple] = []
    for key in texts_of(context).keys.keys:
        for prop in key.held_by:
            info = context.vocabulary.properties.get(prop)
            if info is None or klass not in info.domain:
                continue
            own = NamedNode(_property(step.activity, prop))
            for event, values in read_values(read, key, AttributeType.STR, texts_of(context)).items():
                found += [Triple(NamedNode(event), own, Literal(str(value.value))) for value in values]
    return found


def _happenings(klass: str, hits: Sequence[Hit], context: RetrieveContext) -> list[Triple]:
    """The happenings that the store's texts tell of, as events of the derivation's own."""
    pages = texts_of(context).everything()
    return tellings_of(klass, pages, {hit.event: hit.score for hit in hits}, context)


def _property(activity: str, prop: str) -> str:
    """The property by which a derivation holds what texts say of an attribute."""
    return f"{activity}/{quote(prop, safe='')}"


def _alike(constraint: Constraint, activity: str, context: RetrieveContext) -> frozenset[str]:
    """The texts that say an attribute's value as the constraint has it, or a word for the same."""
    said = {n for v in constraint.values for n in context.vocabulary.synonyms(v, constraint.property)}
    accepted = {normalise(text) for text in (*constraint.values, *said)}
    own = NamedNode(_property(activity, constraint.property))
    rows = context.graph.select(f"SELECT DISTINCT ?e ?v {{ ?e {own} ?v }}")
    return frozenset(e.value for e, v in rows if e is not None and v is not None and normalise(v.value) in accepted)


def mentions_read(
    classes: Sequence[str], constraints: Sequence[Constraint], context: RetrieveContext
) -> tuple[Hit, ...]:
    """The events of what texts tell of the classes, with these attributes, as far as the texts were read ahead."""
    return tuple(
        hit
        for klass in _told_classes(classes, context)
        for hit in derived_events((klass,), constraints, _activities(klass, context), context)
    )


def believed(
    classes: Sequence[str], texts: Sequence[Hit], records: Sequence[Hit], context: RetrieveContext
) -> tuple[Hit, ...]:
    """The texts that speak of one of the records, and of the others those that surely tell of a happening that no
    record shows: no record of the class is of that day or the one before, from which a text would only not be told
    apart, and what it tells of is no event of its own."""
    shown = {hit.event for hit in records}
    linked = {
        event
        for one in occurrences([*shown, *(hit.event for hit in texts)], context)
        if not shown.isdisjoint((one.event, *one.others))
        for event in (one.event, *one.others)
    }
    activities = [a for klass in _told_classes(classes, context) for a in _activities(klass, context)]
    read_well = texts_read(activities, context) if activities else frozenset[str]()
    alone = [hit for hit in texts if hit.event not in linked and hit.event not in read_well and hit.score >= ALONE]
    taken = _days(shown, context)
    read = documents([hit.event for hit in alone], context.graph)
    own = [hit for hit in alone if taken.isdisjoint(_near(read[hit.event]))]
    return tuple(hit for hit in texts if hit.event in linked or hit in own)


def _days(events: Iterable[str], context: RetrieveContext) -> frozenset[date]:
    nodes = " ".join(str(NamedNode(iri)) for iri in sorted(events))
    rows = context.graph.select(f"SELECT DISTINCT ?d {{ VALUES ?e {{ {nodes} }} ?e ev:day ?d }}")
    return frozenset(date.fromisoformat(day.value[:10]) for (day,) in rows if day is not None)


def _near(document: Document) -> tuple[date, ...]:
    """The days of which a text may speak: that which it says or its own; the one before it too, where it says none."""
    told = event_time(document)
    if told is not None and told.known is not Known.WRITTEN:
        return (told.day,)
    written = document.written.date()
    return (written,) if document.start is not None else (written, written - timedelta(days=1))
