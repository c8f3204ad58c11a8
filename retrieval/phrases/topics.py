"""A topic of entries that may tell of anything: 'football in my calendar', 'mails about the invoice'.

All events of the class whose values tell of it are meant, not the few that come near in meaning, so no model is asked.
Words count first where the ontology says what an entry is about (ev:topical), elsewhere only if nothing is found there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...execution.derivations.derive import Hit
from ...store.index.index import EventText
from ...store.vocabulary import Vocabulary
from ...store.words import fold
from ...texts.phrase import Phrase
from ..scope import Need, needs_of
from .reading import Reading, Source

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
