"""EXTRACT's keys: which properties hold an attribute's values, a mapping that is frozen once it is found.

In order: a property of the ontology that is called so; the class's naming attribute for a general 'name' or 'title'; a
source's own key that is called so; what texts say, for keys that an ontology describes for them, also where some events
lack the property; a near spelling; the nearest by meaning; what a reader marks in texts. What none of these answers is
a value (`Unresolved`) that names the key and what comes near, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from ..errors import ConfigError
from ..execution.context import Table
from ..execution.derivations.derive import is_derived, read_mapping, write_mapping
from ..execution.derivations.values_read import readable
from ..models.encoder import Encoder
from ..ontology.namespaces import EV, KEY, RDF_TYPE, RDFS, XSD
from ..operators.nodes import AttributeType
from ..operators.resolution import AttributeMatch, ClassMatch, RetrieveMatch
from ..store.rdf import NamedNode
from ..store.vocabulary import EVENT, PropertyInfo, Vocabulary, key_label
from ..store.words import key_words, normalise, stem, words
from .context import ExtractContext
from .coreference.merged_values import of_coreferents
from .documents import long_texts, told_of_long
from .extract_texts import generic_key, read_from_texts, text_key
from .keys import TextKey, split_unit

SPELLING: Final = 86.0
"""Least rapidfuzz ratio of a key to a label that is taken for a misspelling of it."""
NEAREST: Final = 0.62
"""Least cosine of a key to a label that is taken to mean the same; keys of other attributes stay below."""
MARGIN: Final = 0.04
"""How much nearer the nearest attribute must be than the next one."""
_NUMBERS = frozenset({AttributeType.FLOAT, AttributeType.INT, AttributeType.DURATION})
_TIMES = frozenset({AttributeType.DATE, AttributeType.DATETIME, AttributeType.TIME})
_SHOWN = 4
_LONG_TEXTS: Final = Table[None, int]("long texts")


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A key that nothing answers: of which query, the attributes that come nearest, and what kinds its events are."""

    query: str
    key: str
    near: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    found: bool = True

    def __str__(self) -> str:
        if not self.found:
            return f"nothing was found for '{self.query}', so nothing has a '{self.key}'"
        kinds = f" are of the kinds {', '.join(self.kinds)}, and" if len(self.kinds) > 1 else ""
        hint = f"; its events{kinds} have: {', '.join(self.near)}" if self.near else ""
        return f"no attribute of '{self.query}' is called '{self.key}'{hint}"


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a key is read as, and notes and warnings for the reader."""

    match: AttributeMatch
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidates:
    """The classes of a query's events, and what these events really have, most frequent first."""

    classes: tuple[str, ...]
    observed: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The sources' own keys."""
        return tuple(iri for iri in self.observed if iri.startswith(KEY))


def resolve_attribute(
    query: str,
    match: RetrieveMatch,
    key: str,
    kind: AttributeType,
    context: ExtractContext,
    *,
    unit: str | None = None,
) -> Resolved | Unresolved:
    """What an EXTRACT's key is read as for the events of one query; values that a query cannot read are derived.

    `unit`: the unit that quantities shall be in, one that they convert to.
    """
    having = candidates(match, context)
    told = text_key(key, kind, having.classes, context)
    bare, stated = split_unit(key)
    # "training hours" may be an attribute beside "trainings", and no training in hours.
    own = bool(_by_label(key_words(key), having, context.vocabulary))
    if told is None and stated and unit is None and not own and _by_label(bare, having, context.vocabulary):
        return resolve_attribute(query, match, bare, kind, context, unit=stated)
    found = (
        _answering(query, key, kind, having, context) if told is None else _told(match, query, key, kind, told, context)
    )
    if isinstance(found, Unresolved):
        generic = generic_key(key, kind, having.classes, context)
        if generic is None:
            return found
        found = _told(match, query, key, kind, generic, context)
    read = readable(found.match, kind, having.observed, context, unit=unit)
    return Resolved(of_coreferents(match, read.match, context), found.notes, (*found.warnings, *read.warnings))


def _told(
    match: RetrieveMatch, query: str, key: str, kind: AttributeType, told: TextKey, context: ExtractContext
) -> Resolved:
    """What properties of that name say together with what texts say."""
    having = candidates(match, context)
    beside = _beside(query, key, told, having, context.vocabulary)
    read = read_from_texts(match, told, kind, beside.match if beside else None, having.observed, context)
    notes = (*(beside.notes if beside else ()), *((f"'{key}' is read from what texts say",) if read.values else ()))
    warnings = () if read.values or beside else (f"no text of '{query}' tells the {told.name}",)
    cut = told_of_long(context.once(_LONG_TEXTS, None, lambda: long_texts(context.graph)))
    return Resolved(read.match, notes, (*warnings, *((cut,) if cut else ())))


def property_beside_texts(
    match: RetrieveMatch, key: str, kind: AttributeType, told: TextKey, context: ExtractContext
) -> AttributeMatch | None:
    """The properties of a match's events that are called as a key is which is read from texts too; None without any."""
    having = candidates(match, context)
    found = _beside("", key, told, having, context.vocabulary)
    return readable(found.match, kind, having.observed, context).match if found is not None else None


def _beside(query: str, key: str, told: TextKey, having: Candidates, vocabulary: Vocabulary) -> Resolved | None:
    """The properties and source keys of that name, or of another name of the key, that the events have."""
    called = dict.fromkeys((key_words(key), told.name))
    named = next((held for way in called if (held := _present(way, having, vocabulary))), ())
    labels = {normalise(label) for label in told.labels} | _labels_elsewhere(key, having, vocabulary)
    named = named or tuple(iri for iri in having.keys if normalise(key_label(iri) or "") in labels)
    return _resolved(query, key, named, having, vocabulary) if named else None


def _present(called: str, having: Candidates, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Properties and source keys of that name that the events have."""
    return tuple(iri for iri in _by_label(called, having, vocabulary) if iri in having.observed)


def _answering(
    query: str, key: str, kind: AttributeType, having: Candidates, context: ExtractContext
) -> Resolved | Unresolved:
    """The properties that a key is read as."""
    vocabulary = context.vocabulary
    for called in _ways(key, having, vocabulary):
        found = _by_label(called, having, vocabulary)
        if found:
            return _resolved(query, key, found, having, vocabulary)
    elsewhere = _labels_elsewhere(key, having, vocabulary)
    if elsewhere:
        return _by_same_name(query, key, elsewhere, having, vocabulary)
    fuzzy = _by_spelling(key, kind, having, vocabulary)
    if fuzzy:
        return _resolved(query, key, fuzzy, having, vocabulary)
    return _by_meaning(query, key, kind, having, context)


def candidates(match: RetrieveMatch, context: ExtractContext) -> Candidates:
    """What the events of a match are and have."""
    if isinstance(match, ClassMatch):
        present = {iri for iri, _ in context.index.classes()}
        classes = tuple(iri for iri in match.classes if iri in present) or match.classes
        held = tuple(iri for iri, _ in context.index.all_properties(classes))
    else:
        rows = context.graph.select(
            f"SELECT DISTINCT ?c WHERE {{ ?e ev:retrievedBy {NamedNode(match.activity)} ; a|ev:tells ?c }} ORDER BY ?c"
        )
        classes = tuple(c.value for (c,) in rows if c is not None)
        held = _held(match.activity, context)
    hidden = {iri for iri, info in context.vocabulary.properties.items() if info.internal}
    observed = (iri for iri in held if iri not in hidden and iri not in (RDF_TYPE, RDFS + "label", EV + "source"))
    return Candidates(classes or (EVENT,), tuple(observed))


def _held(activity: str, context: ExtractContext) -> tuple[str, ...]:
    """What the events really have that a search found, most frequent first: others of their classes may have more."""
    rows = context.graph.select(
        f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ ?e ev:retrievedBy {NamedNode(activity)} ; ?p ?v }} "
        "GROUP BY ?p ORDER BY DESC(?n) ?p"
    )
    return tuple(p.value for p, _ in rows if p is not None)


def _ways(key: str, having: Candidates, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The key's words, and these without or with the class's: 'workout_duration' asks for the duration, 'type' for the
    workout type."""
    spoken = key_words(key).split()
    infos = [vocabulary.classes[c] for c in having.classes if c in vocabulary.classes]
    own = {stem(w) for info in infos for label in (*info.labels, *info.verbs) for w in words(label)}
    rest = [word for word in spoken if stem(word) not in own]
    longer = [f"{label} {' '.join(spoken)}" for info in infos for label in info.labels]
    shorter = [" ".join(rest), " ".join(spoken[1:]) if spoken and stem(spoken[0]) in own else ""]
    return tuple(dict.fromkeys(way for way in (" ".join(spoken), *shorter, *longer) if way.strip()))


def _by_label(called: str, having: Candidates, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Properties and source keys of that name: those that the events have first, each most frequent first."""
    domain = [p for c in having.classes for p in vocabulary.properties_named(called, c) if not p.internal]
    named = [p.iri for p in dict.fromkeys(domain)]
    keys = [iri for iri in having.keys if normalise(key_label(iri) or "") == normalise(called)]
    naming = _naming(called, having, vocabulary)
    present = [iri for iri in (*named, *naming, *keys) if iri in having.observed]
    return tuple(dict.fromkeys(present)) or tuple(dict.fromkeys([*named, *naming][:1]))


def _naming(called: str, having: Candidates, vocabulary: Vocabulary) -> tuple[str, ...]:
    """For a general word for a name ('name', 'title'): the attributes that name events of these classes."""
    general = {p.iri for p in vocabulary.properties_named(called)}
    if EV + "title" not in general:
        return ()
    labels = [vocabulary.classes[c].label_property for c in having.classes if c in vocabulary.classes]
    return tuple(dict.fromkeys(iri for iri in labels if iri))


def _labels_elsewhere(key: str, having: Candidates, vocabulary: Vocabulary) -> frozenset[str]:
    """The names of an attribute that the ontology knows by this key for other classes only: an artist of a song."""
    named = [p for p in vocabulary.properties_named(key_words(key)) if not p.internal]
    if any(vocabulary.may_have(c, p) for p in named for c in having.classes):
        return frozenset()
    return frozenset(normalise(label) for p in named for label in p.labels)


def _by_same_name(
    query: str, key: str, labels: frozenset[str], having: Candidates, vocabulary: Vocabulary
) -> Resolved | Unresolved:
    """A source's key under another name of the attribute (a note's 'cost' for a price), nothing that is only near."""
    same = tuple(iri for iri in having.keys if normalise(key_label(iri) or "") in labels)
    if same:
        return _resolved(query, key, same, having, vocabulary)
    known = [vocabulary.properties[iri] for iri in having.observed if iri in vocabulary.properties]
    own = [info.iri for info in sorted(known, key=lambda info: not info.domain)]
    return Unresolved(query, key, _shown(own, vocabulary), _kinds(having, vocabulary))


def _kinds(having: Candidates, vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(vocabulary.classes[c].label for c in having.classes if c in vocabulary.classes)


def _labels(kind: AttributeType, having: Candidates, vocabulary: Vocabulary) -> dict[str, list[str]]:
    """Labels by property of what the events have and what can be read as `kind`."""
    found: dict[str, list[str]] = {}
    for iri in having.observed:
        info = vocabulary.properties.get(iri)
        own = key_label(iri)
        if info is not None and _fits(info, kind):
            found[iri] = [key_words(label) for label in info.labels]
        elif own:
            found[iri] = [own]
    return found


def _fits(info: PropertyInfo, kind: AttributeType) -> bool:
    """Whether values of the property can be read as `kind`: no number is in a title, no date in a distance."""
    timed = info.range in (XSD + "dateTime", XSD + "date")
    numeric = info.range in (XSD + "decimal", XSD + "integer")
    if kind in _TIMES:
        return timed
    if kind in _NUMBERS:
        return numeric or info.range is None
    return not timed


def _by_spelling(key: str, kind: AttributeType, having: Candidates, vocabulary: Vocabulary) -> tuple[str, ...]:
    spoken = key_words(key)
    scored = [
        (max(fuzz.token_sort_ratio(spoken, label) for label in labels), -place, iri)
        for place, (iri, labels) in enumerate(_labels(kind, having, vocabulary).items())
    ]
    best = max(scored, default=(0.0, 0, ""))
    return (best[2],) if best[0] >= SPELLING else ()


def _by_meaning(
    query: str, key: str, kind: AttributeType, having: Candidates, context: ExtractContext
) -> Resolved | Unresolved:
    """The property whose label means nearest the same, if it is near and alone enough; kept as a derivation."""
    labels = _labels(kind, having, context.vocabulary)
    kinds = _kinds(having, context.vocabulary)
    if not labels:
        return Unresolved(query, key, (), kinds, found=bool(having.observed))
    try:
        encoder = context.encoder_factory()
    except ConfigError:
        return Unresolved(query, key, _shown(list(labels), context.vocabulary), kinds)
    text = f"{key_words(key)} ({kind.value}) of {', '.join(having.classes)}"
    step = context.step(
        "EXTRACT", text, encoder.name, encoder.identity, reads=having.classes, reading=tuple(labels.items())
    )
    if is_derived(context.graph, step):
        return _resolved(query, key, read_mapping(context.graph, step.activity), having, context.vocabulary)
    ranked = _nearest(key, labels, encoder, context)
    (score, best), runner = ranked[0], ranked[1][0] if len(ranked) > 1 else 0.0
    if score < NEAREST or score - runner < MARGIN:
        return Unresolved(query, key, _shown([iri for _, iri in ranked], context.vocabulary), kinds)
    write_mapping(context.graph, step, [best], score, ended=context.now)
    return _resolved(query, key, (best,), having, context.vocabulary)


def _nearest(
    key: str, labels: dict[str, list[str]], encoder: Encoder, context: ExtractContext
) -> list[tuple[float, str]]:
    """(cosine of the nearest label, property), nearest first."""
    texts = [key_words(key), *(label for own in labels.values() for label in own)]
    vectors = context.cache.vectors(texts, identity=encoder.identity, encode=encoder.encode)
    cosines = iter((vectors[1:] @ vectors[0]).tolist())
    scored = [(max(next(cosines) for _ in own), iri) for iri, own in labels.items()]
    return sorted(scored, key=lambda entry: (-entry[0], entry[1]))


def _shown(iris: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(_called(iri, vocabulary) for iri in iris[:_SHOWN])


def _called(iri: str, vocabulary: Vocabulary) -> str:
    return vocabulary.property_label(iri) or iri


def _resolved(query: str, key: str, properties: Iterable[str], having: Candidates, vocabulary: Vocabulary) -> Resolved:
    found = tuple(properties)
    infos = [vocabulary.properties[iri] for iri in found if iri in vocabulary.properties]
    match = AttributeMatch(
        properties=found,
        multiple=any(info.multiple for info in infos),
        unit=next((info.unit for info in infos if info.unit), None),
        unit_property=next((info.unit_property for info in infos if info.unit_property), None),
    )
    called = " or ".join(_called(iri, vocabulary) for iri in found)
    notes = () if normalise(key_words(key)) == normalise(called) else (f"'{key}' is read as {called}",)
    absent = not any(iri in having.observed for iri in found)
    return Resolved(match, notes, (f"no event of '{query}' has a {called}",) if absent else ())
