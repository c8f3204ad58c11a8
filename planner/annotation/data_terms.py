"""Words of a question that the data knows: values that occur, people of the profile, the sources' own keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from urllib.parse import quote

from ...ontology.namespaces import EV, KEY
from ...store.graph import Graph
from ...store.rdf import Literal
from ...store.words import fold
from ..patterns.inflection import Forms
from ..patterns.tokens import Text
from .annotations import Annotation

MAX_KEY_WORDS = 3
"""Longest name of a source's own key."""
MOST_KEPT = 20_000
"""Phrases whose values are kept from question to question."""
Spans = Sequence[tuple[int, int]]


@dataclass
class DataTerms:
    """Look-ups in one graph, kept for the next sub-question."""

    graph: Graph
    forms: Forms
    find_values: Callable[[str], Iterable[str]] | None = None
    """Values of the data that a phrase names; without it the graph is asked for the usual spellings."""
    properties_of: Callable[[str], Iterable[str]] | None = None
    """The properties (IRIs) that have a value."""
    is_used: Callable[[str], bool] | None = None
    """Whether the data has a property (IRI); without it the graph is asked."""
    _values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _keys: dict[str, str | None] = field(default_factory=dict)

    def values(self, text: Text, spans: Spans) -> Iterator[Annotation]:
        """Values that occur in the data, whatever their case."""
        phrases = {(first, last): text.words(first, last) for first, last in spans}
        self._fetch(set(phrases.values()))
        for (first, last), phrase in phrases.items():
            for value in self._values.get(phrase, ()):
                sure = 1.0 if value == phrase else 0.6
                held = tuple(self.properties_of(value)) if self.properties_of is not None else ()
                yield Annotation(first, last, ("Value",), value=value, confidence=sure, occurs_in=held)

    def keys(self, text: Text, spans: Spans) -> Iterator[tuple[Annotation, str]]:
        """Sources' own keys that the data has ('mood' for key:mood), each with the phrase that named it."""
        short = {(a, b): text.words(a, b) for a, b in spans if b - a <= MAX_KEY_WORDS}
        asked = {phrase for phrase in short.values() if phrase not in self._keys}
        self._keys.update(dict.fromkeys(asked))
        iris = {iri: phrase for phrase in asked for iri in _key_iris(phrase, self.forms)}
        self._keys.update((iris[found], found) for found in self._used(iris))
        for (first, last), phrase in short.items():
            iri = self._keys.get(phrase)
            if iri is not None:
                yield Annotation(first, last, ("Target",), matches=iri, confidence=0.95), phrase

    def _used(self, iris: Iterable[str]) -> Iterable[str]:
        """Those of the properties that the data has."""
        if self.is_used is not None:
            return [iri for iri in iris if self.is_used(iri)]
        values = " ".join(f"<{iri}>" for iri in iris)
        query = f"SELECT ?p WHERE {{ VALUES ?p {{ {values} }} FILTER EXISTS {{ ?e ?p ?v }} }}"
        return [found.value for (found,) in self.graph.select(query) if found is not None] if values else []

    def people(self, text: Text, spans: Spans) -> Iterator[Annotation]:
        """People by name, first name, nickname, and relation ('my sister')."""
        for first, last in spans:
            for person in self._people.get(fold(text.words(first, last)), ()):
                yield Annotation(first, last, ("Person",), matches=person)

    def talkers(self, text: Text, spans: Spans) -> Iterator[Annotation]:
        """Who wrote chat messages, by the whole name or the first; and chats, by their names."""
        for kind, called in (("Sender", self._senders), ("Chat", self._chats)):
            for first, last in spans if called else ():
                said = fold(text.words(first, last))
                for name in called.get(said, ()) or called.get(said.removesuffix("'s"), ()):
                    yield Annotation(first, last, (kind,), value=name)

    @cached_property
    def _senders(self) -> Mapping[str, tuple[str, ...]]:
        # One triple's values are read along the index; the class of each is asked of the few that are distinct.
        rows = self.graph.select("SELECT DISTINCT ?name { ?talk ev:participant ?name }")
        talks = "ASK { ?talk ev:participant ?name ; a ev:ChatSession }"
        names = [name.value for (name,) in rows if name is not None and self.graph.ask(talks, {"name": name})]
        if not names:
            rows = self.graph.select("SELECT DISTINCT ?name { ?e ev:session ?held ; ev:sender ?name }")
            names = [name.value for (name,) in rows if name is not None]
        return _called(names, first_names=True)

    @cached_property
    def _chats(self) -> Mapping[str, tuple[str, ...]]:
        rows = self.graph.select("SELECT DISTINCT ?name { ?first ev:positionInLog 0 ; ev:chat ?name }")
        return _called((row[0].value for row in rows if row[0] is not None), first_names=False)

    @cached_property
    def _people(self) -> Mapping[str, tuple[str, ...]]:
        return _people(self.graph)

    def _fetch(self, phrases: set[str]) -> None:
        """Asks once for all phrases not asked for yet, in the spellings that data usually has: an index probe each."""
        if len(self._values) > MOST_KEPT:
            self._values.clear()
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


def _spellings(phrase: str) -> set[str]:
    """The phrase as data may spell it: as asked, lower, Capitalised, Title Case, with straight or curly apostrophes."""
    titled = " ".join(word[:1].upper() + word[1:] for word in phrase.split(" "))
    named = " ".join(word.capitalize() for word in phrase.split(" "))
    forms = {phrase, phrase.lower(), phrase[:1].upper() + phrase[1:], titled, named, phrase.upper()}
    forms |= {form.replace("'", "’") for form in forms} | {form.replace("’", "'") for form in forms}
    return forms | {form + sign for form in (phrase, titled) for sign in "!?."}


def _called(names: Iterable[str], *, first_names: bool) -> Mapping[str, tuple[str, ...]]:
    """Names by what they are called, folded: whole, without "the" before and "chat" behind, by the first name."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        whole = fold(name)
        calls = {whole, whole.removeprefix("the "), whole.removeprefix("#")}
        calls |= {call.removesuffix(end) for call in tuple(calls) for end in (" chat", " group")}
        calls |= {whole.split(" ")[0]} if first_names and len(whole.split(" ")[0]) > 2 else set()
        for call in calls - {""}:
            found[call] = (*found.get(call, ()), name)
    return MappingProxyType(found)


_NAMES = "rdfs:label foaf:name foaf:givenName foaf:nick schema:name ev:nickname ev:relation"
_RELATION = EV + "relation"


def _people(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    """IRIs of the profile's people by folded name, first name, nickname, and relation ('my sister')."""
    # By two queries: in one, a store may read the names of all that has any before it looks who is a person.
    people = graph.select("SELECT DISTINCT ?person { ?person a ev:Person FILTER(isIRI(?person)) }")
    known = " ".join(str(person) for (person,) in people)
    named = f"VALUES ?person {{ {known} }} VALUES ?p {{ {_NAMES} }} ?person ?p ?name"
    found: dict[str, tuple[str, ...]] = {}
    for person, predicate, name in graph.select(f"SELECT DISTINCT ?person ?p ?name {{ {named} }}") if known else ():
        if person is None or predicate is None or name is None:
            continue
        folded = fold(name.value)
        keys = {f"my {folded}", f"our {folded}"} if predicate.value == _RELATION else {folded, folded.split(" ")[0]}
        for key in keys:
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), person.value)))
    return MappingProxyType(found)
