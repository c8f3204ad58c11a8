"""People of the profile in values and texts: a name counts as it is written, as a whole word."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ....retrieval.people import People, Person
from ....store.index.index import ValueIndex
from ....store.words import fold

MOST_EVENTS = 5_000
"""Events in which one name is looked for."""


@dataclass(frozen=True)
class Names:
    """Under which names the people of a profile stand in texts."""

    people: People

    @cached_property
    def owner(self) -> frozenset[str]:
        """Folded names of whose life it is."""
        return frozenset(fold(name) for person in self.people.people if person.owner for name in person.names)

    @cached_property
    def of(self) -> Mapping[str, tuple[str, ...]]:
        """All names of each person, by IRI: those of the profile, and a first name that nobody else has."""
        firsts = Counter(person.names[0].split()[0] for person in self.people.people)
        found: dict[str, tuple[str, ...]] = {}
        for person in self.people.people:
            first = person.names[0].split()[0]
            more = (first,) if firsts[first] == 1 and not person.owner else ()
            found[person.iri] = tuple(dict.fromkeys((*person.names, *more)))
        return found

    def called(self, name: str) -> Person | None:
        """The one person of a full name or nickname, or of a full name with a title before it."""
        wanted = fold(name)
        found = [person for person in self.people.people if wanted in map(fold, person.names)]
        found = found or [one for one in self.people.people if f" {wanted} ".find(f" {fold(one.names[0])} ") >= 0]
        return found[0] if len(found) == 1 else None

    def in_texts(self, texts: Iterable[str]) -> list[Person]:
        """The people but for the owner whom some texts name, in the order of the profile."""
        text = "\n".join(texts)
        found = {name for match in self._pattern.finditer(text) for name in [match[0]]} if self._by_name else set[str]()
        met = {person.iri for name in found for person in self._by_name[name]}
        return [person for person in self.people.people if person.iri in met]

    def events_with(self, person: Person, index: ValueIndex, classes: Iterable[str]) -> list[str]:
        """The events in one of whose values a person is named."""
        found: dict[str, None] = {}
        kinds = list(classes)
        for name in self.of[person.iri]:
            word = _whole((name,))
            values = [value.id for value in index.containing(name) if word.search(value.text)]
            found.update((event.iri, None) for event in index.events_with(values, kinds, limit=MOST_EVENTS))
        return list(found)

    @cached_property
    def _by_name(self) -> Mapping[str, list[Person]]:
        found: dict[str, list[Person]] = defaultdict(list)
        for person in self.people.people:
            if not person.owner:
                for name in self.of[person.iri]:
                    found[name].append(person)
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return _whole(sorted(self._by_name, key=len, reverse=True))


def _whole(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names as a whole word."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
