"""Annotations of a question: what its words may mean, before any rule looks at it (QUASL, section IV).

Vocabulary (classes, their verbs, properties, units, lexicon), values that occur in the data, people of the profile, and
patterns. Longest match first; where a value and a filter compete for the same words, each reading is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ...ontology.namespaces import EV, NUMBERS, QB
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term
from ...store.vocabulary import ClassInfo, Vocabulary
from ...store.words import fold, normalise
from ..patterns.patterns import CompiledPattern, Matcher, PatternMatch
from ..patterns.tokens import Text
from ..rules.rulebook import RuleBook
from .annotations import Annotation, known_terms
from .data_terms import DataTerms
from .fuzzy import Fuzzy
from .matching import NOTHING_NEAR, LabelIndex, MatchSettings, Near, label_index, match_settings
from .spelling import Correction, literals, speller

OBSERVATION = QB + "Observation"
"""The class of what is a row of a fact table."""
MAX_WORDS = 6
"""Longest label, value or name that is looked for."""
MOST_KEPT = 20_000
"""Phrases whose meanings are kept from question to question."""
MOST_TEXTS = 2000
"""Questions, whole and in part, whose annotations are kept."""
_NO_TARGETS = frozenset({EV + "start", EV + "end", EV + "startInstant", EV + "endInstant", EV + "day"})
"""Days and times have frames of their own."""


@dataclass
class Annotator:
    """Annotates questions against one graph, vocabulary and time; look-ups are kept for the next sub-question."""

    graph: Graph
    vocabulary: Vocabulary
    book: RuleBook
    matcher: Matcher
    find_values: Callable[[str], Iterable[str]] | None = None
    """Values of the data that a phrase names; without it the graph is asked for the usual spellings."""
    near: Near = NOTHING_NEAR
    _terms: dict[str, tuple[Annotation, ...]] = field(default_factory=dict)
    _found: dict[str, list[Annotation]] = field(default_factory=dict)
    _corrected: dict[str, tuple[Text, tuple[Correction, ...]]] = field(default_factory=dict)
    _matched: dict[Any, tuple[Sequence[CompiledPattern], tuple[Annotation, ...]]] = field(default_factory=dict)
    """What patterns (held, so that their id stays theirs) matched in a text with what was known of it, by the matcher
    of `_matched_at`."""
    _matched_at: int = 0

    @cached_property
    def data(self) -> DataTerms:
        """Look-ups in the data."""
        near = self.near
        return DataTerms(self.graph, self.book.forms, self.find_values, near.properties_of, near.is_used)

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """Words that say nothing by themselves. What a class names as its verb says something, whatever it says of a
        search: a domain's "visit" may be its only word for it."""
        classes = self.vocabulary.classes.values()
        verbs = {fold(verb) for info in classes for verb in info.verbs}
        rows = {normalise(label) for info in classes if OBSERVATION in info.ancestors for label in info.labels}
        quiet = self.book.stop_words | (frozenset(self.vocabulary.function_words) - verbs)
        return frozenset(word for word in quiet if normalise(word) not in rows)

    @cached_property
    def settings(self) -> MatchSettings:
        """When near matches count."""
        return match_settings(self.book.quads)

    def lexical(self, text: Text) -> list[Annotation]:
        """Vocabulary, values, quoted words and people, without patterns. What rests on words that were put right is
        less sure."""
        if text.put:
            return [_as_sure(annotation, text) for annotation in self._as_they_stand(text)]
        if text.text not in self._found:
            if len(self._found) > MOST_TEXTS:
                self._found.clear()
            self._found[text.text] = self._as_they_stand(text)
        return list(self._found[text.text])

    def _as_they_stand(self, text: Text) -> list[Annotation]:
        spans = list(_spans(text))
        found = [
            replace(annotation, first=first, last=last)
            for first, last in spans
            for annotation in self._vocabulary_terms(text.words(first, last))
        ]
        telling = [(first, last) for first, last in spans if self._may_be_value(text, first, last)]
        found += self._keys(text, telling)
        found += self.data.values(text, telling)
        found += _quoted(text)
        found += self.data.people(text, spans)
        found += self.data.talkers(text, spans)
        return _without_shorter(found)

    def corrected(self, text: Text) -> tuple[Text, tuple[Correction, ...]]:
        """The text with its misspelt words put right, and what was put right."""
        if not text.tokens:
            return text, ()
        if text.text not in self._corrected:
            if len(self._corrected) > MOST_TEXTS:
                self._corrected.clear()
            put_right = speller(self.vocabulary, self.book).corrected(text, self.lexical(text), self.near)
            self._corrected[text.text] = put_right
        return self._corrected[text.text]

    def loose(self, text: Text, lexical: Sequence[Annotation], matched: Sequence[Annotation]) -> list[Annotation]:
        """Near matches for words that no label, value or (`matched`) pattern knows."""
        taken = frozenset(i for a in matched if a.pattern for i in self._taken(text, a))
        return Fuzzy(self._labels(), self.settings, self.near, self._vocabulary_terms, self.stop_words).annotations(
            text, lexical, taken
        )

    def _taken(self, text: Text, match: Annotation) -> Iterator[int]:
        """The tokens that a pattern itself names: outside of its groups its own words, inside those of the patterns
        that it uses, so that what a group leaves open stays open."""
        own, inner = self._pattern_words[match.pattern or ""]
        for i in range(match.first, min(match.last, len(text.tokens))):
            token = text.tokens[i]
            words = inner if any(group.first <= i < group.last for group in match.groups) else own
            if token.lower in words or f"~{token.stem}" in words:
                yield i

    @cached_property
    def _pattern_words(self) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
        """Of each pattern the words that it names, and those that the patterns that it uses name."""
        named: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        whole: dict[str, frozenset[str]] = {}
        for one in self.book.patterns:  # those that others use come first
            inner = frozenset[str]().union(*(whole.get(name, frozenset()) for name in one.uses))
            whole[one.pattern.name] = literals(one) | one.listed | inner
            named[one.pattern.iri] = whole[one.pattern.name], inner
        return named

    def read_ahead(self) -> None:
        """Embeds the labels, so that the first word that nothing knows need not wait for it."""
        if self.near.encode is not None:
            self._labels().by_meaning((), self.near.encode)

    def _labels(self) -> LabelIndex:
        return label_index(self.vocabulary, self.settings.leave_out, self.stop_words)

    def label_of(self, annotation: Annotation) -> str:
        """The label of the term that an annotation means: the one that its words come near, or the preferred one."""
        if annotation.near is not None:
            return annotation.near
        iri = annotation.matches or ""
        term = self.vocabulary.classes.get(iri) or self.vocabulary.properties.get(iri)
        if term is not None:
            return term.label
        concept = self.vocabulary.concepts.get(iri)
        return concept.labels[0] if concept is not None else annotation.value or iri

    def patterns(
        self, text: Text, lexical: Sequence[Annotation], patterns: Sequence[CompiledPattern]
    ) -> list[Annotation]:
        """Matches of those of the patterns that have a kind, given what the words were annotated with before."""
        known = known_terms(sorted(lexical, key=lambda a: -a.confidence))
        if self._matched_at != id(self.matcher) or len(self._matched) > MOST_TEXTS:
            self._matched.clear()
            self._matched_at = id(self.matcher)
        key = (id(patterns), text.text, text.tokens, tuple(known.items()))
        if key not in self._matched:
            matches = self.matcher.run(patterns, text, known)
            self._matched[key] = patterns, tuple(_of_match(match) for match in matches if match.pattern.kinds)
        return list(self._matched[key][1])

    # ------------------------------------------------------------ vocabulary
    def _vocabulary_terms(self, phrase: str) -> tuple[Annotation, ...]:
        if phrase not in self._terms:
            if len(self._terms) > MOST_KEPT:
                self._terms.clear()
            self._terms[phrase] = tuple(self._look_up(phrase))
        return self._terms[phrase]

    def _look_up(self, phrase: str) -> Iterator[Annotation]:
        words = fold(phrase)
        if words.isdigit():
            return
        if words in self.stop_words:
            yield from self._numbers_called(phrase, words)
            return
        yield from self._targets(phrase, words)
        for info in self._classes(phrase, words):
            yield _term("Class", info.iri, words, info.labels)
        for info in self.vocabulary.classes_with_verb(phrase):
            yield _term("Verb", info.iri, words, info.verbs)
        for prop in self.vocabulary.properties_named(phrase):
            yield _term("Property", prop.iri, words, prop.labels)
        unit = self.vocabulary.unit_named(phrase)
        if unit is not None:
            yield _term("Unit", unit.iri, words, (unit.symbol, *unit.labels))
        for concept in self.vocabulary.concepts_named(phrase):
            yield _term("Concept", concept.iri, words, concept.labels)

    def _numbers_called(self, phrase: str, words: str) -> Iterator[Annotation]:
        """Numbers of events that are called by a word that says nothing by itself: the `count` of a user's own map."""
        for prop in self.vocabulary.properties_named(phrase):
            if prop.range in NUMBERS and not prop.internal and fold(prop.label) == words:
                yield _term("Property", prop.iri, words, prop.labels)

    def _targets(self, phrase: str, words: str) -> Iterator[Annotation]:
        """What an answer may be a value of: the attribute that a noun names, or that names the events of its class."""
        named = [p for p in self.vocabulary.properties_named(phrase) if p.iri not in _NO_TARGETS]
        classes = [c for c in self._classes(phrase, words) if c.label_property]
        for prop in named:
            term = _term("Target", prop.iri, words, prop.labels)
            for domain in prop.domain or (None,):
                names_events = any(c.label_property == prop.iri for c in classes)
                yield replace(term, variables=_target_variables(domain, names_events))
        if not named:
            for info in classes:
                term = _term("Target", info.label_property or "", words, info.labels)
                yield replace(term, variables=_target_variables(info.iri, True))

    def _classes(self, phrase: str, words: str) -> list[ClassInfo]:
        """Classes that the phrase names as a noun: 'ordered' and 'listened' are verbs, though their stems are nouns
        too."""
        return [
            info
            for info in self.vocabulary.classes_named(phrase)
            if words not in (fold(verb) for verb in info.verbs)
            or (words in (fold(label) for label in info.labels) and words not in info.weak_names)
        ]

    def _keys(self, text: Text, spans: Sequence[tuple[int, int]]) -> Iterator[Annotation]:
        """Sources' own keys, but those that the vocabulary has a property for."""
        for annotation, phrase in self.data.keys(text, spans):
            if not self.vocabulary.properties_named(phrase):
                yield replace(annotation, variables=_target_variables(None, False))

    def _may_be_value(self, text: Text, first: int, last: int) -> bool:
        words = [t.lower for t in text.tokens[first:last]]
        return not all(word in self.stop_words or word.isdigit() for word in words)


def _spans(text: Text) -> Iterator[tuple[int, int]]:
    """Runs of up to MAX_WORDS words without a comma or dash inside."""
    count = len(text.tokens)
    for first in range(count):
        for last in range(first + 1, min(first + MAX_WORDS, count) + 1):
            if not text.tokens[last - 1].is_word:
                break
            if last - first == 1 or (_says(text, first) and _says(text, last - 1)):
                yield first, last


def _says(text: Text, index: int) -> bool:
    """Whether a token has a letter or digit: signs are inside names, not at their ends."""
    return any(char.isalnum() for char in text.tokens[index].text)


def _term(kind: str, iri: str, words: str, labels: Sequence[str]) -> Annotation:
    exact = any(fold(label) == words for label in labels)
    return Annotation(0, 0, (kind,), matches=iri, confidence=1.0 if exact else 0.9)


def _target_variables(domain: str | None, names_events: bool) -> Mapping[str, Term]:
    found: dict[str, Term] = {"namesEvents": Literal(names_events)}
    if domain is not None:
        found["class"] = NamedNode(domain)
    return MappingProxyType(found)


def _as_sure(annotation: Annotation, text: Text) -> Annotation:
    by = text.put_in(annotation.first, annotation.last)
    if by is None:
        return annotation
    return replace(annotation, confidence=round(0.95 * by.sure * annotation.confidence, 4), how=by.how)


def _of_match(match: PatternMatch) -> Annotation:
    pattern = match.pattern
    return Annotation(
        match.first,
        match.last,
        pattern.kinds,
        pattern=pattern.iri,
        variables=match.variables,
        groups=match.groups,
        confidence=pattern.confidence,
    )


def _quoted(text: Text) -> Iterator[Annotation]:
    """What stands in quotation marks is a value, whatever it says."""
    marks = [index for index, token in enumerate(text.tokens) if token.lower == '"']
    for opening, closing in zip(marks[::2], marks[1::2], strict=False):
        if closing > opening + 1:
            yield Annotation(opening, closing + 1, ("Value",), value=text.words(opening + 1, closing), confidence=1.0)


def _without_shorter(found: Sequence[Annotation]) -> list[Annotation]:
    """Longest match first: no vocabulary match strictly inside a longer one of its kind, nothing inside a value in
    quotes."""
    kept: list[Annotation] = []
    for annotation in found:
        longer = (
            other
            for other in found
            if other.length > annotation.length and other.covers(annotation) and other.kinds == annotation.kinds
        )
        if next(longer, None) is None:
            kept.append(annotation)
    return kept
