"""RETRIEVE without a model: the query names a class, perhaps with values that its events have.

Every word that says something must be covered, else the query is not answered here: a query
that names a class costs no model at all, and missing a part of what is asked would be worse than searching.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...ontology.namespaces import XSD
from ...operators.resolution import ClassMatch, Constraint
from ...store.vocabulary import ClassInfo, Vocabulary
from ...store.words import fold, normalise
from ...texts.phrase import Phrase, Span, topic_cue
from .coverage import as_constraint, cover, equal_values, events_in, may_tell
from .reading import Reading, Source

OR = "or"
_LIMITING = frozenset({"only", "neither", "nor", "except", "solely", "exclusively"})
_WHO = frozenset({"i", "we"})
_LONGEST_LABEL = 8
_LONGEST_QUERY = 40
"""Words beyond which a query is no phrase that names a class, and only searched."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Words that name classes: a label ("movies") or a verb ("watched"); `weak` ones are used loosely ("spent"), and
    `homonym` ones also say quite other things ("saw").

    A label of an attribute that only one self-describing class has ("season") names it where a value comes with it; a
    verb of sending ("wrote") names messages where it is said who sent or got them; a flag ("boosts") names the events
    that it holds for.
    """

    span: Span
    classes: tuple[str, ...]
    verb: bool
    weak: bool
    homonym: bool = False
    attribute: bool = False
    sending: bool = False
    flag: bool = False


@dataclass(frozen=True, slots=True)
class Readings:
    """The best complete reading; the best one that leaves words for a topic of entries that may tell of anything; the
    best partial one that names a class for certain (for the search's scope)."""

    complete: Reading | None = None
    topical: Reading | None = None
    partial: Reading | None = None


def read_structured(phrase: Phrase, source: Source, has_events: Callable[[Reading], bool]) -> Readings:
    """The readings of a query. `has_events` says whether any event of the store is as the reading says."""
    if len(phrase.tokens) > _LONGEST_QUERY:
        return Readings()
    readings = [_either(phrase, cover(phrase, reading, source)) for reading in _class_readings(phrase, source)]
    complete = [r for r in readings if not phrase.content(r.free) and _is_meant(r)]
    partial = [r for r in readings if r.strong]
    topical = [r for r in partial if may_tell(r, source) and phrase.content(r.free)]
    return Readings(
        _best(complete, has_events),
        max(topical, key=Reading.rank, default=None),
        max(partial, key=Reading.rank, default=None),
    )


def _either(phrase: Phrase, reading: Reading) -> Reading:
    """The reading with the values of one attribute as alternatives, where the phrase says "or": runs or rides."""
    if not any(fold(token.text) == OR for token in phrase.tokens):
        return reading
    found: dict[str, Constraint] = {}
    for one in reading.constraints:
        other = found.get(one.property)
        found[one.property] = one if other is None else _any_of(other, one)
    return replace(reading, constraints=tuple(found.values()))


def _any_of(one: Constraint, other: Constraint) -> Constraint:
    known = one.spelled is not None and other.spelled is not None
    spelled = (*(one.spelled or ()), *(other.spelled or ())) if known else None
    return Constraint(one.property, tuple(dict.fromkeys((*one.values, *other.values))), spelled)


def unheard(phrase: Phrase, reading: Reading | None) -> tuple[str, ...]:
    """Words of the phrase that change what is meant and were not taken into account: "only", and "or" where it joins
    nothing that is read as alternatives."""
    said = dict.fromkeys(fold(token.text) for token in phrase.tokens)
    joined = reading is not None and any(len(one.values) > 1 for one in reading.constraints)
    return tuple(word for word in said if word in _LIMITING or (word == OR and not joined))


def _best(readings: Sequence[Reading], has_events: Callable[[Reading], bool]) -> Reading | None:
    """The best reading; one that no event fits loses against another as firm one that covers the same words."""
    ranked = sorted(readings, key=Reading.rank, reverse=True)
    if len(ranked) < 2 or has_events(ranked[0]):
        return ranked[0] if ranked else None
    firm = [r for r in ranked[1:] if r.strong >= ranked[0].strong and r.loose <= ranked[0].loose]
    return next((r for r in firm if has_events(r)), ranked[0])


def as_match(reading: Reading, vocabulary: Vocabulary) -> ClassMatch:
    """The reading as the compiler takes it."""
    return ClassMatch(vocabulary.closed(reading.classes), reading.constraints)


def describe(query: str, reading: Reading, vocabulary: Vocabulary) -> str:
    """What was understood, for the note."""
    names = " or ".join(vocabulary.classes[iri].label for iri in reading.classes)
    parts = [f"{_property_label(c.property, vocabulary)} = {', '.join(c.values[:5])}" for c in reading.constraints]
    return f"'{query}' is read as {names}" + (f" with {' and '.join(parts)}" if parts else "")


def _is_meant(reading: Reading) -> bool:
    """Whether the words that name the class mean it: an attribute's label with a value, a homonym with whole values."""
    if reading.strong or not (reading.homonym or reading.attribute):
        return True
    if reading.sending and not reading.addressed:
        return False
    return reading.loose == 0 and bool(reading.constraints or not reading.attribute)


def namings(phrase: Phrase, vocabulary: Vocabulary) -> tuple[Naming, ...]:
    """Words that name event classes, the longest from each place on."""
    events = {c.iri for c in vocabulary.event_classes()}
    found: list[Naming] = []
    wider = _concept_spans(phrase, vocabulary)
    for start in range(len(phrase.tokens)):
        for end in range(min(len(phrase.tokens), start + _LONGEST_LABEL), start, -1):
            if any(s.start <= start and end <= s.end and len(s) > end - start for s in wider):
                continue
            text = phrase.words(Span(start, end))
            nouns = [c for c in vocabulary.classes_named(text) if c.iri in events]
            verbs = [c for c in vocabulary.classes_with_verb(text) if c.iri in events]
            if nouns or verbs:
                kinds = [(part, kind is verbs) for kind in (nouns, verbs) for part in _apart(kind)]
                found.extend(_naming(Span(start, end), kind, verb, text) for kind, verb in kinds)
                break
            other = _named_otherwise(phrase, Span(start, end), vocabulary)
            if other is not None:
                found.append(other)
                break
    return tuple(found)


def _apart(named: Sequence[ClassInfo]) -> Iterator[Sequence[ClassInfo]]:
    """Classes of one name that mean events together; each of those that mean its own (a payment is no purchase)."""
    together = [info for info in named if not info.apart]
    yield from ([together] if together else [])
    yield from ([info] for info in named if info.apart)


def _named_otherwise(phrase: Phrase, span: Span, vocabulary: Vocabulary) -> Naming | None:
    """A class named by what holds its events, by a verb of sending, by a flag or an attribute that it alone has."""
    text = phrase.words(span)
    holders = _holders(phrase, span, vocabulary)
    if holders:
        return Naming(span, holders, verb=False, weak=False)
    senders = tuple(c.iri for c in vocabulary.event_classes() if fold(text) in map(fold, c.outgoing_verbs))
    if senders:
        return Naming(span, senders, verb=True, weak=True, homonym=True, sending=True)
    flags = (p for p in vocabulary.properties_named(text) if p.range == XSD + "boolean")
    flagged = tuple(domain for flag in flags for domain in flag.domain)
    if flagged:
        return Naming(span, flagged, verb=False, weak=True, attribute=True, flag=True)
    owners = _attribute_owners(text, vocabulary)
    if owners and phrase.has_content(span):
        return Naming(span, owners, verb=False, weak=True, attribute=True)
    return None


def _holders(phrase: Phrase, span: Span, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Classes whose container is named as one: 'in my calendar', and no calendar that was bought."""
    before = phrase.words(Span(span.start - 1, span.start)) if span.start else ""
    if fold(before) not in vocabulary.container_cues and span.start > 1:
        before = phrase.words(Span(span.start - 2, span.start - 1))
    if fold(before) not in vocabulary.container_cues:
        return ()
    norm = normalise(phrase.words(span))
    return tuple(c.iri for c in vocabulary.event_classes() if norm in map(normalise, c.containers))


def _concept_spans(phrase: Phrase, vocabulary: Vocabulary) -> tuple[Span, ...]:
    """Spans of lexicon entries of several words: 'video call' names no video."""
    spans = (span for span in phrase.spans(range(len(phrase.tokens))) if len(span) > 1)
    return tuple(s for s in spans if any(c.property is None for c in vocabulary.concepts_named(phrase.words(s))))


def _attribute_owners(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    named = [p for p in vocabulary.properties_named(text) if p.range != XSD + "boolean"]
    domains = {d for p in named for d in p.domain}
    infos = [vocabulary.classes.get(d) for d in domains]
    return tuple(sorted(domains)) if len(infos) == 1 and infos[0] is not None and infos[0].self_describing else ()


def _naming(span: Span, classes: Sequence[ClassInfo], verb: bool, text: str) -> Naming:
    norm = normalise(text)
    homonym = all(norm in map(normalise, c.homonyms) for c in classes)
    weak = homonym or all(norm in map(normalise, (*c.weak_names, *c.homonyms)) for c in classes)
    return Naming(span, tuple(c.iri for c in classes), verb, weak, homonym)


def _class_readings(phrase: Phrase, source: Source) -> Iterator[Reading]:
    """Readings by the classes named: by all nouns and verbs that agree, by each alone, by kind ("I went running")."""
    everything = tuple(range(len(phrase.tokens)))
    found = sorted(namings(phrase, source.vocabulary), key=lambda n: (n.attribute, n.weak, n.verb, -len(n.span)))
    for first in found:
        classes, strong, homonym = first.classes, not first.weak, first.homonym
        used = set[int]() if first.flag else set(first.span)
        for other in (naming for naming in found if not naming.flag):
            narrowed = _narrow(classes, other.classes, source.vocabulary)
            if narrowed or (other.verb and _related(classes, other.classes, source.vocabulary)):
                classes = narrowed or classes
                used.update(other.span)
                strong, homonym = strong or not other.weak, homonym and other.homonym
        if all(source.vocabulary.classes[c].any_verb for c in classes):
            used.update(_verbs_of_own(phrase, found))
        free = tuple(i for i in everything if i not in used)
        yield Reading(
            classes,
            free,
            strong=strong,
            homonym=homonym,
            attribute=first.attribute,
            sending=first.sending and not strong,
        )
    for info in source.vocabulary.event_classes():
        if info.kind_property and not any(info.iri in n.classes for n in found if not n.weak):
            yield from _kind_readings(phrase, info, found, source)


def _verbs_of_own(phrase: Phrase, named: Sequence[Naming]) -> set[int]:
    """Where the verbs stand that are said of events of users' own maps, of which no ontology lists verbs: behind who
    did it, and naming nothing else for certain."""
    strong = {i for naming in named if not naming.weak for i in naming.span}
    behind = {i + 1 for i, token in enumerate(phrase.tokens[:-1]) if fold(token.text) in _WHO}
    return behind - strong


def _kind_readings(phrase: Phrase, info: ClassInfo, named: Sequence[Naming], source: Source) -> Iterator[Reading]:
    """Readings in which a value of the kind property names its events: 'I went running', 'I played football'."""
    passing = {i for naming in named if naming.weak and naming.verb for i in naming.span}
    if info.any_verb:
        passing |= _verbs_of_own(phrase, named)
    everything = tuple(range(len(phrase.tokens)))
    scope = frozenset(source.vocabulary.closed([info.iri]))
    cue = topic_cue(phrase, source.vocabulary)
    told = cue is not None and any(may_tell(Reading(n.classes, ()), source) and n.span.end <= cue.start for n in named)
    for span in phrase.spans(everything):
        if told and cue is not None and span.start >= cue.start:
            continue
        if not phrase.has_content(span):
            continue
        values = [v for v in equal_values(phrase, span, scope, source) if v.prop == info.kind_property]
        if values:
            free = tuple(i for i in everything if i not in span and i not in passing)
            kind = (as_constraint(values),)
            yield Reading((info.iri,), free, kind, True, exact=len(span), events=events_in(values, scope))
            return


def _narrow(left: Sequence[str], right: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """The narrower of each pair of classes one of which holds the other."""
    found = [a if vocabulary.is_a(a, b) else b for a in left for b in right if _nested(a, b, vocabulary)]
    return tuple(dict.fromkeys(found))


def _nested(a: str, b: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.is_a(a, b) or vocabulary.is_a(b, a)


def _related(left: Sequence[str], right: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether classes share a self-describing ancestor: 'listened to' goes with podcasts although it names music."""
    telling = {c.iri for c in vocabulary.classes.values() if c.self_describing}
    above = [
        frozenset[str]().union(*(vocabulary.classes[i].ancestors for i in iris)) & telling for iris in (left, right)
    ]
    return not above[0].isdisjoint(above[1])


def _property_label(iri: str, vocabulary: Vocabulary) -> str:
    return vocabulary.property_label(iri) or iri
