"""People of the profile: under which names they stand in texts and values, found by name, nickname or relation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..store.graph import Graph
from ..store.vocabulary import Vocabulary
from ..store.words import normalise

_OF_MINE = re.compile(r"^(?:my|our) +", re.IGNORECASE)
_QUERY = """SELECT DISTINCT ?person ?name ?nick ?relation ?owner WHERE {
  ?person a ev:Person . ?person foaf:name|rdfs:label ?name
  OPTIONAL { ?person ev:nickname ?nick } OPTIONAL { ?person ev:relation ?relation }
  BIND(EXISTS { ?person ev:ownerOf ?part } AS ?owner) } ORDER BY ?person ?name ?nick ?relation"""


@dataclass(frozen=True, slots=True)
class Person:
    """Full name first in `names`, then nicknames; `relation` as the profile says it (mother, friend)."""

    iri: str
    names: tuple[str, ...]
    relation: str | None = None
    owner: bool = False


@dataclass(frozen=True)
class People:
    """Look-up of the profile's people by what a question calls them."""

    people: tuple[Person, ...] = ()
    _by_call: Mapping[str, tuple[Person, ...]] = field(default_factory=dict)

    def called(self, phrase: str) -> tuple[Person, ...]:
        """People whom `phrase` names: a full name, a first name or nickname, or a relation ("my sister", "Bia")."""
        return self._by_call.get(normalise(phrase), ())

    def meant(self, phrase: str) -> tuple[Person, ...]:
        """The same, "my" or "our" before it said or not."""
        return self.called(phrase) or self.called(_OF_MINE.sub("", phrase))

    def names(self, phrase: str) -> tuple[str, ...]:
        """All names of the people whom `phrase` names."""
        return tuple(dict.fromkeys(name for person in self.called(phrase) for name in person.names))


def load_people(graph: Graph, vocabulary: Vocabulary) -> People:
    """The people of the graph's profile; none where there is no profile."""
    rows: dict[str, list[tuple[str, str | None, str | None, bool]]] = defaultdict(list)
    for person, name, nick, relation, owner in graph.select(_QUERY):
        if person is not None and name is not None:
            told = (name.value, nick.value if nick else None, relation.value if relation else None)
            rows[person.value].append((*told, owner is not None and owner.value == "true"))
    people = tuple(_person(iri, entries) for iri, entries in sorted(rows.items()))
    calls: dict[str, list[Person]] = defaultdict(list)
    for person in people:
        for call in _calls(person, vocabulary):
            calls[normalise(call)].append(person)
    return People(people, MappingProxyType({call: tuple(dict.fromkeys(who)) for call, who in calls.items() if call}))


def _person(iri: str, rows: Iterable[tuple[str, str | None, str | None, bool]]) -> Person:
    entries = list(rows)
    names = [name for name, *_ in entries] + [nick for _, nick, *_ in entries if nick]
    relation = next((relation for *_, relation, _ in entries if relation), None)
    return Person(iri, tuple(dict.fromkeys(names)), relation, any(owner for *_, owner in entries))


def _calls(person: Person, vocabulary: Vocabulary) -> list[str]:
    """Everything by which a question may call the person; a first name only counts for people other than the owner."""
    calls = list(person.names)
    if person.owner:
        return calls
    calls.append(person.names[0].split()[0])
    if person.relation:
        calls.append(person.relation)
        for concept in vocabulary.concepts.values():
            kinds = [concept, *(vocabulary.concepts[iri] for iri in concept.narrower)]
            if concept.property is None and any(person.relation in kind.labels for kind in kinds):
                calls.extend(concept.labels)
    return calls
