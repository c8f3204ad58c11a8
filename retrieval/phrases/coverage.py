"""Coverage: which words of a query are covered by the values, numbers, flags and labels of a class's events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...ontology.namespaces import KEY, XSD
from ...operators.resolution import Constraint
from ...store.index.index import Value
from ...store.vocabulary import PropertyInfo
from ...store.words import stem, words
from ...texts.phrase import Phrase, Span, topic_cue
from .correspondents import take_authoring, take_correspondents
from .fragments import fragments_of_values
from .reading import Reading, Source, in_scope

_INTEGERS = frozenset(XSD + name for name in ("integer", "int", "nonNegativeInteger", "positiveInteger", "decimal"))
_LONGEST_THING = 12
_LONGEST_NAME = 5


def cover(phrase: Phrase, reading: Reading, source: Source) -> Reading:
    """The reading with its free words covered by verbs, values, numbers and flags of its events, then by labels.

    What comes after a topic cue ("about") is left for the topic, where entries of the class may tell of anything.
    """
    scope = frozenset(source.vocabulary.closed(reading.classes))
    reading = _without_cue(phrase, reading, source)
    for take in (_take_fragments, take_correspondents, take_authoring):
        reading = take(phrase, reading, scope, source)
    topic = _after_cue(phrase, reading, source)
    reading = replace(reading, free=tuple(i for i in reading.free if i not in topic))
    for take in (
        _take_people,
        _take_equal,
        _take_numbers,
        _take_flags,
        _take_labels,
        _take_containing,
    ):
        reading = take(phrase, reading, scope, source)
    reading = replace(reading, free=tuple(sorted((*reading.free, *topic))))
    return replace(reading, events=reading.events or sum(n for klass, n in source.index.classes() if klass in scope))


def may_tell(reading: Reading, source: Source) -> bool:
    """Whether the entries of the reading's classes may tell of anything, as a calendar's do and a workout does not."""
    known = source.vocabulary.classes
    return not any(known[c].self_describing for c in source.vocabulary.closed(reading.classes) if c in known)


def _without_cue(phrase: Phrase, reading: Reading, source: Source) -> Reading:
    """A topic cue says nothing itself; right after a noun with other meanings, it says that the class is meant."""
    cue = topic_cue(phrase, source.vocabulary)
    if cue is None:
        return reading
    noun = cue.start - 1
    named = noun >= 0 and noun not in reading.free and may_tell(reading, source)
    free = tuple(i for i in reading.free if i not in cue)
    return replace(reading, free=free, strong=reading.strong or (named and reading.homonym))


def _after_cue(phrase: Phrase, reading: Reading, source: Source) -> frozenset[int]:
    cue = topic_cue(phrase, source.vocabulary)
    if cue is None or not may_tell(reading, source):
        return frozenset()
    return frozenset(i for i in reading.free if i >= cue.end)


def _take_fragments(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """'songs with love in the title', 'mails whose subject contains invoice': words within values of one attribute."""
    for fragment in fragments_of_values(phrase, reading, scope, source):
        held = source.index.containing(fragment.words)
        values = [v for v in held if v.prop in fragment.properties and in_scope(v, scope)]
        found = _best_property(phrase, fragment.span, values, scope, source)
        constraint = as_constraint(found) if found else Constraint(fragment.properties[0], (fragment.words,))
        free = tuple(i for i in reading.free if i not in fragment.used)
        told = reading.exact + len(fragment.span)
        reading = replace(reading, free=free, constraints=(*reading.constraints, constraint), exact=told)
    return reading


def _take_equal(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    left = set(reading.free)
    for span in phrase.spans(reading.free):
        if not left.issuperset(span) or not (phrase.has_content(span) or _may_be_title(phrase, span)):
            continue
        if len(span) == 1 and _is_label(phrase, span, scope, source):
            continue
        equal = [v for v in equal_values(phrase, span, scope, source) if _may_equal(phrase, span, v, reading, source)]
        values = _best_property(phrase, span, equal, scope, source)
        if values:
            left.difference_update(span)
            reading = _constrained(reading, span, values, scope, exact=True)
    return replace(reading, free=tuple(i for i in reading.free if i in left))


def _take_people(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """'from Clara': a person of the profile after a cue is meant there, even if no event has the name."""
    left = set(reading.free)
    for span in phrase.spans(reading.free):
        names = source.people.names(phrase.words(span))
        texts = [iri for iri in sorted(_cues(phrase, span, scope, source)) if _holds_text(iri, source)] if names else []
        if texts and left.issuperset(span):
            left.difference_update(span)
            known = {v.text for name in names for v in source.index.equal_to(name) if v.prop == texts[0]}
            constraint = Constraint(texts[0], tuple(dict.fromkeys([*names, *sorted(known)])))
            reading = replace(reading, constraints=(*reading.constraints, constraint), exact=reading.exact + len(span))
    return replace(reading, free=tuple(i for i in reading.free if i in left))


def _holds_text(iri: str, source: Source) -> bool:
    return source.vocabulary.properties[iri].range in (None, XSD + "string")


def _may_equal(phrase: Phrase, span: Span, value: Value, reading: Reading, source: Source) -> bool:
    """Whether a whole value may be meant: of an entry that may tell of anything, a title only where it is called so,
    for else all entries that tell of the word are meant."""
    info = source.vocabulary.properties.get(value.prop)
    if info is None or not info.topical or info.multiple or not may_tell(reading, source):
        return True
    scope = frozenset(source.vocabulary.closed(reading.classes))
    return value.prop in _cues(phrase, span, scope, source)


def _may_be_title(phrase: Phrase, span: Span) -> bool:
    """Function words in capitals may be a title ('It', 'Her')."""
    return all(phrase.tokens[i].capital for i in span)


def _take_containing(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """Words that stand in longer values: 'contact lenses' in a product's name, 'Clara' in a sender's."""
    if not phrase.content(reading.free) or (reading.homonym and not reading.strong):
        return reading
    left = set(reading.free)
    for span in phrase.spans(reading.free):
        edges = phrase.tokens[span.start].function or phrase.tokens[span.end - 1].function
        if edges or not left.issuperset(span):
            continue
        found = [
            v for v in _containing_values(phrase, span, scope, source) if _may_hold(phrase, span, v, scope, source)
        ]
        values = _best_property(phrase, span, found, scope, source)
        if values:
            left.difference_update(span)
            reading = _constrained(reading, span, values, scope, exact=False)
    return replace(reading, free=tuple(i for i in reading.free if i in left))


def _containing_values(phrase: Phrase, span: Span, scope: frozenset[str], source: Source) -> list[Value]:
    text = phrase.words(span)
    calls = dict.fromkeys([text, *source.people.names(text), *source.vocabulary.synonyms(text)])
    found = {v.id: v for call in calls for v in source.index.containing(call)}
    return [v for v in found.values() if in_scope(v, scope)]


def _may_hold(phrase: Phrase, span: Span, value: Value, scope: frozenset[str], source: Source) -> bool:
    """Whether a part of this value may stand for it: names of things of a self-describing class, names after a cue."""
    if any(source.vocabulary.classes[c].self_describing for c in scope if c in source.vocabulary.classes):
        length = len(words(value.text))
        info = source.vocabulary.properties.get(value.prop)
        if info is not None and info.descriptive:
            return length <= _LONGEST_THING
        return length <= 2 * len(span) or (length <= _LONGEST_THING and phrase.tokens[span.start].capital)
    return len(words(value.text)) <= _LONGEST_NAME and value.prop in _cues(phrase, span, scope, source)


def _take_numbers(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """'season 2': a number beside the label of a property that holds numbers."""
    left = set(reading.free)
    for position in reading.free:
        token = phrase.tokens[position]
        if not token.text.isdigit() or position == 0:
            continue
        for prop in _numbered(phrase.tokens[position - 1].text, scope, source):
            left.discard(position)
            left.discard(position - 1)
            constraint = Constraint(prop.iri, (str(int(token.text)),))
            reading = replace(reading, constraints=(*reading.constraints, constraint), exact=reading.exact + 1)
            break
    return replace(reading, free=tuple(i for i in reading.free if i in left))


def _numbered(label: str, scope: Iterable[str], source: Source) -> Iterator[PropertyInfo]:
    """Properties of numbers called so: 'season 2' speaks of the season number."""
    named = source.vocabulary.properties_named(f"{label} number") + source.vocabulary.properties_named(label)
    return (p for p in named if p.range in _INTEGERS and any(source.vocabulary.may_have(c, p) for c in scope))


def _take_flags(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """'skipped songs', 'indoor workouts': the label of a property that is true or false."""
    left = set(reading.free)
    for span in phrase.spans(reading.free):
        if not left.issuperset(span):
            continue
        flags = [p for p in _labelled(phrase, span, scope, source) if p.range == XSD + "boolean"]
        if flags:
            left.difference_update(span)
            constraint = Constraint(flags[0].iri, ("true", "1"))
            reading = replace(reading, constraints=(*reading.constraints, constraint), exact=reading.exact + len(span))
    return replace(reading, free=tuple(i for i in reading.free if i in left))


def _take_labels(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """Words of the class's own labels ('online' purchase) and of its properties' ('category', 'songs') add nothing."""
    infos = [source.vocabulary.classes[c] for c in scope if c in source.vocabulary.classes]
    own = {stem(w) for info in infos for label in info.labels for w in words(label)}
    left = {i for i in reading.free if phrase.tokens[i].stem not in own}
    for span in phrase.spans(left):
        if left.issuperset(span) and _labelled(phrase, span, scope, source):
            left.difference_update(span)
    return replace(reading, free=tuple(i for i in reading.free if i in left))


def _labelled(phrase: Phrase, span: Span, scope: Iterable[str], source: Source) -> tuple[PropertyInfo, ...]:
    """Properties that events of the scope may have and that the span is a label of."""
    named = source.vocabulary.properties_named(phrase.words(span))
    return tuple(p for p in named if any(source.vocabulary.may_have(c, p) for c in scope))


def _is_label(phrase: Phrase, span: Span, scope: frozenset[str], source: Source) -> bool:
    """A word such as 'song' that is a label of the class's properties and no name with a capital."""
    return not phrase.tokens[span.start].capital and any(p.domain for p in _labelled(phrase, span, scope, source))


def _cues(phrase: Phrase, span: Span, scope: frozenset[str], source: Source) -> frozenset[str]:
    """Properties whose label stands right before or after the span: 'category Baby', 'from Clara'."""
    found: set[str] = set()
    before = span.start - 1
    while (
        before >= 0
        and phrase.tokens[before].function
        and not _labelled(phrase, Span(before, before + 1), scope, source)
    ):
        before -= 1
    for place in (before, span.end):
        if 0 <= place < len(phrase.tokens):
            found.update(p.iri for p in _labelled(phrase, Span(place, place + 1), scope, source))
    return frozenset(found)


def equal_values(phrase: Phrase, span: Span, scope: frozenset[str], source: Source) -> list[Value]:
    """Values of the scope that the span names: as written, in the lexicon's words, or as a person of the profile."""
    text = phrase.words(span)
    found = {v.id: v for v in source.index.equal_to(text)}
    for name in source.people.names(text):
        found |= {v.id: v for v in source.index.equal_to(name)}
    for concept in source.vocabulary.concepts_named(text):
        labels = [lb for iri in (concept.iri, *concept.narrower) for lb in source.vocabulary.concepts[iri].labels]
        for label in labels:
            named = source.index.equal_to(label)
            found |= {v.id: v for v in named if concept.property in (None, v.prop)}
    return [v for v in found.values() if in_scope(v, scope)]


def _best_property(
    phrase: Phrase, span: Span, values: Sequence[Value], scope: frozenset[str], source: Source
) -> tuple[Value, ...]:
    """The values of the property that is meant: one with a cue beside it, a known one, the one of most events."""
    by_property: dict[str, list[Value]] = defaultdict(list)
    for value in values:
        by_property[value.prop].append(value)
    if not by_property:
        return ()
    cues = _cues(phrase, span, scope, source)

    def rank(prop: str) -> tuple[bool, bool, int, str]:
        return (prop in cues, not prop.startswith(KEY), events_in(by_property[prop], scope), prop)

    return tuple(by_property[max(by_property, key=rank)])


def events_in(values: Iterable[Value], scope: frozenset[str]) -> int:
    return sum(n for value in values for klass, n in value.classes if klass in scope)


def as_constraint(values: Sequence[Value]) -> Constraint:
    return Constraint(values[0].prop, tuple(dict.fromkeys(v.text for v in values)))


def _constrained(
    reading: Reading, span: Span, values: Sequence[Value], scope: frozenset[str], *, exact: bool
) -> Reading:
    events = events_in(values, scope)
    return replace(
        reading,
        constraints=(*reading.constraints, as_constraint(values)),
        exact=reading.exact + (len(span) if exact else 0),
        loose=reading.loose + (0 if exact else len(span)),
        events=min(reading.events, events) if reading.events else events,
    )
