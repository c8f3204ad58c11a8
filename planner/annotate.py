"""Annotations of a question: what its words may mean, before any rule looks at it (QUASL, section IV).

Vocabulary (classes, their verbs, properties, units, lexicon), values that occur in the data, people of the profile, and
patterns. Longest match first; where a value and a filter compete for the same words, each reading is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from urllib.parse import quote

from ..ontology.namespaces import EV, KEY
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode, Term
from ..store.vocabulary import ClassInfo, Vocabulary
from ..store.words import fold
from .inflection import Forms
from .patterns import CompiledPattern, Group, Matcher, PatternMatch
from .rulebook import RuleBook
from .tokens import Text

MAX_WORDS = 6
"""Longest label, value or name that is looked for."""
MAX_KEY_WORDS = 3
"""Longest name of a source's own key."""
_NO_TARGETS = frozenset({EV + "start", EV + "end", EV + "startInstant", EV + "endInstant", EV + "day"})
"""Days and times have frames of their own."""
_NO_VARIABLES: Mapping[str, Term] = MappingProxyType({})


@dataclass(frozen=True)
class Annotation:
    """Tokens `first` to `last` (exclusive) of a question, and what they may mean.

    `kinds` are local names under pg:; `matches` the ontology term, person or value property; `value` the value as the
    data has it. `confidence` is 1.0 for the exact words, less for inflected ones.
    """

    first: int
    last: int
    kinds: tuple[str, ...]
    matches: str | None = None
    value: str | None = None
    pattern: str | None = None
    variables: Mapping[str, Term] = field(default_factory=lambda: _NO_VARIABLES)
    groups: tuple[Group, ...] = ()
    confidence: float = 1.0

    @property
    def length(self) -> int:
        return self.last - self.first

    def covers(self, other: Annotation) -> bool:
        """Whether the other's words are all among this one's."""
        return self.first <= other.first and other.last <= self.last

    def overlaps(self, other: Annotation) -> bool:
        """Whether the two share a word."""
        return self.first < other.last and other.first < self.last


@dataclass
class Annotator:
    """Annotates questions against one graph, vocabulary and time; look-ups are kept for the next sub-question."""

    graph: Graph
    vocabulary: Vocabulary
    book: RuleBook
    matcher: Matcher
    find_values: Callable[[str], Iterable[str]] | None = None
    """Values of the data that a phrase names; without it the graph is asked for the usual spellings."""
    _terms: dict[str, tuple[Annotation, ...]] = field(default_factory=dict)
    _values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _keys: dict[str, str | None] = field(default_factory=dict)
    _people: Mapping[str, tuple[str, ...]] | None = None

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """Words that say nothing by themselves."""
        return self.book.stop_words | frozenset(self.vocabulary.function_words)

    def lexical(self, text: Text) -> list[Annotation]:
        """Vocabulary, values, quoted words and people, without patterns."""
        spans = list(_spans(text))
        found = [
            _moved(annotation, first, last)
            for first, last in spans
            for annotation in self._vocabulary_terms(text.words(first, last))
        ]
        found += self._key_annotations(text, spans)
        found += self._value_annotations(text, spans)
        found += _quoted(text)
        found += self._person_annotations(text, spans)
        return _without_shorter(found)

    def patterns(
        self, text: Text, lexical: Sequence[Annotation], patterns: Sequence[CompiledPattern]
    ) -> list[Annotation]:
        """Matches of those of the patterns that have a kind, given what the words were annotated with before."""
        known: dict[tuple[str, int, int], str | None] = {}
        for annotation in sorted(lexical, key=lambda a: -a.confidence):
            for kind in annotation.kinds:
                known.setdefault((kind, annotation.first, annotation.last), annotation.matches)
        matches = self.matcher.run(patterns, text, known)
        return [_of_match(match) for match in matches if match.pattern.kinds]

    # ------------------------------------------------------------ vocabulary
    def _vocabulary_terms(self, phrase: str) -> tuple[Annotation, ...]:
        if phrase not in self._terms:
            self._terms[phrase] = tuple(self._look_up(phrase))
        return self._terms[phrase]

    def _look_up(self, phrase: str) -> Iterator[Annotation]:
        words = fold(phrase)
        if words in self.stop_words or words.isdigit():
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

    def _key_annotations(self, text: Text, spans: Sequence[tuple[int, int]]) -> Iterator[Annotation]:
        """Sources' own keys that the data has: 'mood' for key:mood."""
        short = {
            (a, b): text.words(a, b) for a, b in spans if b - a <= MAX_KEY_WORDS and self._may_be_value(text, a, b)
        }
        asked = {phrase for phrase in short.values() if phrase not in self._keys}
        self._keys.update(dict.fromkeys(asked))
        iris = {iri: phrase for phrase in asked for iri in _key_iris(phrase, self.book.forms)}
        if iris:
            values = " ".join(f"<{iri}>" for iri in iris)
            for (found,) in self.graph.select(
                f"SELECT ?p WHERE {{ VALUES ?p {{ {values} }} FILTER EXISTS {{ ?e ?p ?v }} }}"
            ):
                if found is not None:
                    self._keys[iris[found.value]] = found.value
        for (first, last), phrase in short.items():
            iri = self._keys.get(phrase)
            if iri is not None and not self.vocabulary.properties_named(phrase):
                variables = _target_variables(None, False)
                yield Annotation(first, last, ("Target",), matches=iri, variables=variables, confidence=0.95)

    # ------------------------------------------------------------ values
    def _value_annotations(self, text: Text, spans: Sequence[tuple[int, int]]) -> Iterator[Annotation]:
        phrases = {
            (first, last): text.words(first, last) for first, last in spans if self._may_be_value(text, first, last)
        }
        self._fetch_values({phrase for phrase in phrases.values()})
        for (first, last), phrase in phrases.items():
            for value in self._values.get(phrase, ()):
                exact = value == phrase
                yield Annotation(first, last, ("Value",), value=value, confidence=1.0 if exact else 0.6)

    def _may_be_value(self, text: Text, first: int, last: int) -> bool:
        words = [t.lower for t in text.tokens[first:last]]
        return not all(word in self.stop_words or word.isdigit() for word in words)

    def _fetch_values(self, phrases: set[str]) -> None:
        """Asks once for all phrases not asked for yet, in the spellings that data usually has: an index probe each."""
        asked = [phrase for phrase in phrases if phrase not in self._values]
        if self.find_values is not None:
            self._values.update({phrase: tuple(dict.fromkeys(self.find_values(phrase))) for phrase in asked})
            return
        forms = {form: phrase for phrase in asked for form in _spellings(phrase)}
        for phrase in asked:
            self._values[phrase] = ()
        if not forms:
            return
        literals = " ".join(str(Literal(form)) for form in forms)
        query = f"SELECT ?v WHERE {{ VALUES ?v {{ {literals} }} FILTER EXISTS {{ ?e ?p ?v . ?e ev:start ?s }} }}"
        for (value,) in self.graph.select(query):
            if value is not None:
                phrase = forms[value.value]
                self._values[phrase] = (*self._values[phrase], value.value)

    # ------------------------------------------------------------ people
    def _person_annotations(self, text: Text, spans: Sequence[tuple[int, int]]) -> Iterator[Annotation]:
        if self._people is None:
            self._people = _people(self.graph)
        for first, last in spans:
            for person in self._people.get(fold(text.words(first, last)), ()):
                yield Annotation(first, last, ("Person",), matches=person)


def _key_iris(phrase: str, forms: Forms) -> Iterator[str]:
    """How a source may have written a key of these words: song_artist, songArtist, SongArtist, song artist,
    song-artist."""
    for said in {phrase.lower(), forms.singular(phrase.lower())}:
        parts = said.split()
        titled = [part.capitalize() for part in parts]
        for key in (
            "_".join(parts), "-".join(parts), " ".join(parts), "".join(parts), parts[0] + "".join(titled[1:]),
            "_".join(titled), " ".join(titled), "".join(titled), " ".join(parts).capitalize(),
        ):  # fmt: skip
            yield KEY + quote(key, safe="")


def _spans(text: Text) -> Iterator[tuple[int, int]]:
    """Runs of up to MAX_WORDS words without a comma or dash inside."""
    count = len(text.tokens)
    for first in range(count):
        for last in range(first + 1, min(first + MAX_WORDS, count) + 1):
            if not text.tokens[last - 1].is_word:
                break
            yield first, last


def _term(kind: str, iri: str, words: str, labels: Sequence[str]) -> Annotation:
    exact = any(fold(label) == words for label in labels)
    return Annotation(0, 0, (kind,), matches=iri, confidence=1.0 if exact else 0.9)


def _target_variables(domain: str | None, names_events: bool) -> Mapping[str, Term]:
    found: dict[str, Term] = {"namesEvents": Literal(names_events)}
    if domain is not None:
        found["class"] = NamedNode(domain)
    return MappingProxyType(found)


def _moved(annotation: Annotation, first: int, last: int) -> Annotation:
    return replace(annotation, first=first, last=last)


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


def _spellings(phrase: str) -> set[str]:
    """The phrase as data may spell it: as asked, lower, Capitalised, Title Case, with straight or curly apostrophes."""
    titled = " ".join(word[:1].upper() + word[1:] for word in phrase.split(" "))
    named = " ".join(word.capitalize() for word in phrase.split(" "))
    forms = {phrase, phrase.lower(), phrase[:1].upper() + phrase[1:], titled, named, phrase.upper()}
    forms |= {form.replace("'", "’") for form in forms} | {form.replace("’", "'") for form in forms}
    return forms | {form + sign for form in (phrase, titled) for sign in "!?."}


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


_PEOPLE = """SELECT DISTINCT ?person ?p ?name WHERE {
  ?person a ev:Person ; ?p ?name .
  VALUES ?p { rdfs:label foaf:name foaf:givenName foaf:nick schema:name ev:nickname ev:relation } }"""
_RELATION = EV + "relation"


def _people(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    """IRIs of the profile's people by folded name, first name, nickname, and relation ('my sister')."""
    found: dict[str, tuple[str, ...]] = {}
    for person, predicate, name in graph.select(_PEOPLE):
        if person is None or predicate is None or name is None:
            continue
        folded = fold(name.value)
        keys = {f"my {folded}", f"our {folded}"} if predicate.value == _RELATION else {folded, folded.split(" ")[0]}
        for key in keys:
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), person.value)))
    return MappingProxyType(found)
