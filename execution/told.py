"""What only texts tell of a class's events: the film that a mail mentions and no service streamed.

Which texts tell of a workout, a film or a purchase at all (ev:toldAs) is read ahead, once for each text; a query that names
the class then needs no model: it takes the class's events and these texts, by what they say of the same attributes.
Derivations like those of any RETRIEVE; de-duplication joins a text to the record that it tells of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..models.reader import EventClassifier
from ..ontology.namespaces import ANY_TEXT, EV, LEXICONS
from ..operators.nodes import AttributeType
from ..operators.resolution import Constraint, DerivedMatch
from ..store.rdf import NamedNode
from ..store.words import normalise
from .candidates import find_models, hints_of
from .classify import KEEP, lines_of, relevance
from .context import RetrieveContext
from .derive import Step, is_derived, read_hits, write_hits
from .documents import TEXT_CLASSES
from .extract_texts import read_from_texts, texts_of
from .keys import TextKey
from .search import Hit

OPERATOR: Final = "TELLS"


def texts_telling(classes: Sequence[str], constraints: Sequence[Constraint], context: RetrieveContext) -> tuple[Hit, ...]:
    """The texts that tell of an event of the classes with these attributes, as far as they were read ahead."""
    found: list[Hit] = []
    for klass, said in _told_classes(classes, context):
        step = _step(klass, said, context)
        if step is None or not is_derived(context.graph, step):
            continue
        hits = read_hits(context.graph, step.activity)
        held = [_alike(constraint, step, context) for constraint in constraints]
        found += [hit for hit in hits if all(hit.event in events for events in held)]
    return tuple(found)


def read_ahead(context: RetrieveContext) -> int:
    """Reads which texts tell of which classes, and what they say of the attributes that queries constrain; returns how
    many tell of any. Does nothing where no classifier is there."""
    number = 0
    for klass, said in _told_classes(context.vocabulary.classes, context):
        step = _step(klass, said, context)
        if step is None:
            return 0
        if not is_derived(context.graph, step):
            write_hits(context.graph, step, _tellers(said, context), ended=context.now)
        for prop in _properties(klass, context):
            _values(prop, step, context)
        number += len(read_hits(context.graph, step.activity))
    return number


def _told_classes(classes: Sequence[str] | Mapping[str, object], context: RetrieveContext) -> Iterator[tuple[str, str]]:
    """Classes that texts may tell of, of those of which the store has events, with how they say it."""
    present = {iri for iri, _ in context.index.classes()}
    for iri in sorted(classes):
        info = context.vocabulary.classes.get(iri)
        if info is not None and info.told_as and iri in present:
            yield iri, info.told_as


def _step(klass: str, said: str, context: RetrieveContext) -> Step | None:
    models = find_models(context)
    if models.classifiers is None or not any(iri in TEXT_CLASSES for iri, _ in context.index.classes()):
        return None
    events = models.classifiers.events
    reads = (ANY_TEXT, EV + "Person", LEXICONS)
    return context.step(OPERATOR, said, events.name, events.identity, reads=reads, reading=klass)


def _tellers(said: str, context: RetrieveContext) -> tuple[Hit, ...]:
    models = find_models(context)
    assert models.classifiers is not None
    events = tuple(context.index.events_of([iri for iri, _ in context.index.classes() if iri in TEXT_CLASSES]))
    lines = lines_of(events, context.graph, context.vocabulary, hints_of(context))
    scores = _scores(said, tuple(dict.fromkeys(lines.values())), models.classifiers.events, context)
    hits = (Hit(event.iri, scores[lines[event.iri]]) for event in events)
    return tuple(sorted((hit for hit in hits if hit.score >= KEEP), key=lambda hit: (-hit.score, hit.event)))


def _scores(
    said: str, lines: Sequence[str], classifier: EventClassifier, context: RetrieveContext
) -> Mapping[str, float]:
    """Probability by line; only lines that were never read are read."""
    about = f"{OPERATOR} {said} {classifier.identity}"
    keys = {line: hashlib.sha256(line.encode()).hexdigest() for line in lines}
    known = {key: float(score) for key, score in context.notes.get(keys.values(), about).items()}
    new = relevance(said, [line for line in lines if keys[line] not in known], classifier, context.progress)
    context.notes.put({keys[line]: f"{score:.4f}" for line, score in new.items()}, about)
    return {line: new[line] if line in new else known[keys[line]] for line in lines}


def _properties(klass: str, context: RetrieveContext) -> tuple[str, ...]:
    """The class's attributes that a text key reads from texts."""
    held = {prop for key in texts_of(context).keys.keys for prop in key.held_by}
    infos = (info for iri, info in sorted(context.vocabulary.properties.items()) if iri in held)
    return tuple(info.iri for info in infos if klass in info.domain)


def _alike(constraint: Constraint, step: Step, context: RetrieveContext) -> frozenset[str]:
    """The texts that say an attribute's value as the constraint has it, or a word for the same."""
    said = {n for v in constraint.values for n in context.vocabulary.synonyms(v, constraint.property)}
    accepted = {normalise(text) for text in (*constraint.values, *said)}
    values = _values(constraint.property, step, context)
    return frozenset(event for event, texts in values.items() if any(normalise(text) in accepted for text in texts))


def _values(prop: str, step: Step, context: RetrieveContext) -> Mapping[str, Sequence[str]]:
    """What the texts of a step say of an attribute, by event."""
    key = _key(prop, context)
    if key is None:
        return {}
    node = NamedNode(step.activity)
    found = read_from_texts(DerivedMatch(step.activity), key, AttributeType.STR, None, (), context)
    texts: dict[str, list[str]] = {}
    for held in found.match.properties:
        rows = context.graph.select(
            f"SELECT DISTINCT ?e ?v WHERE {{ ?e ev:retrievedBy {node} ; {NamedNode(held)} ?v }}"
        )
        for event, value in rows:
            if event is not None and value is not None:
                texts.setdefault(event.value, []).append(value.value)
    return texts


def _key(prop: str, context: RetrieveContext) -> TextKey | None:
    return next((key for key in texts_of(context).keys.keys if prop in key.held_by), None)
