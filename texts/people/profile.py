"""The people around the person whose life it is, and everything that texts may call them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from ..lexicon.lexicon_file import read_entries
from ..tokens import without_accents
from .name_forms import NAME_WORDS, SHORT_FORMS, is_no_name

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’](?![sS](?![^\W\d_]))[^\W\d_]+)*")
_POSSESSIVE: Final = re.compile(r"['’][sS](?![^\W\d_])|(?<=[sS])['’](?!\w)")
_GROUPS: Final = {
    "parents": ("mother", "father"),
    "parents-in-law": ("mother-in-law", "father-in-law"),
    "grandparents": ("grandmother", "grandfather"),
    "siblings": ("brother", "sister"),
    "children": ("son", "daughter", "child", "baby"),
    "grandchildren": ("grandson", "granddaughter", "grandchild"),
}
_SPOUSES: Final = ("husband", "wife", "spouse", "partner", "fiancé", "fiancée", "boyfriend", "girlfriend")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the profile. `relation` is what the person is to the owner: mother, friend, mother-in-law."""

    name: str
    nicknames: tuple[str, ...] = ()
    relation: str | None = None


class Word(NamedTuple):
    """One word of a text at [start, end); `plain` is it without case and accents; `after` where "'s" behind it ends."""

    plain: str
    start: int
    end: int
    capital: bool
    after: int

    @property
    def possessive(self) -> bool:
        """Whether the word says whose something is: Ann's."""
        return self.after > self.end


class Call(NamedTuple):
    """One way to call somebody. `rank` 0: a full name or nickname, 1: a first name, 2: a short form or initial,
    3: the beginning of a first name.

    Of relations ("sister"): `bare` where the word is used like a name ("Mum"), `group` where it means all `names`.
    """

    words: tuple[str, ...]
    names: tuple[str, ...]
    rank: int = 0
    relation: str | None = None
    bare: bool = True
    group: bool = False


@dataclass(frozen=True)
class Profile:
    """The person whose life it is, and the people around."""

    owner: Person | None = None
    people: tuple[Person, ...] = ()

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Everything that people are called, by its first word, the longest first. The owner's calls name nobody."""
        return _by_first_word([*_name_calls(self), *_relation_calls(self)])

    @cached_property
    def by_name(self) -> Mapping[str, Person]:
        """People by their full names."""
        return {person.name: person for person in self.people}

    @cached_property
    def surnames(self) -> Mapping[str, tuple[str, ...]]:
        """Full names by surname."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for person in self.people:
            for word in words_of(person.name)[1:]:
                found[word].append(person.name)
        return {surname: tuple(names) for surname, names in found.items()}

    def related(self, relation: str) -> tuple[str, ...]:
        """Full names of the people of a relation ("mother"), or of a group of them ("parents")."""
        wanted = _SPOUSES if relation in _SPOUSES else _GROUPS.get(relation, (relation,))
        exact = [p.name for p in self.people if p.relation and canonical(p.relation) == relation]
        if exact and relation in _SPOUSES:
            return tuple(exact)
        return tuple(p.name for p in self.people if p.relation and canonical(p.relation) in wanted)


def words_in(text: str) -> Iterator[Word]:
    """The words of a text, hyphens and signs aside."""
    after = 0
    for found in _WORD.finditer(text):
        if found.start() < after:  # the s of a possessive
            continue
        behind = _POSSESSIVE.match(text, found.end())
        after = behind.end() if behind else found.end()
        word = found[0]
        plain = without_accents(word.casefold()).replace("’", "'")
        yield Word(plain, *found.span(), word[0].isupper(), after)


@lru_cache(maxsize=1 << 12)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in comparable form."""
    return tuple(word.plain for word in words_in(name))


@dataclass(frozen=True)
class _Relations:
    by_words: Mapping[tuple[str, ...], tuple[str, bool]] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _relations() -> _Relations:
    """Words for relations: what they mean, and whether they are used like a name (ontology/lexicons/relations.ttl)."""
    content = files("reqap_kg.ontology").joinpath("lexicons", "relations.ttl").read_bytes()
    found: dict[tuple[str, ...], tuple[str, bool]] = {}
    for entry in read_entries([("relations.ttl", content)])[0]:
        for bare, cues in ((True, entry.cues), (False, entry.weak)):
            for cue in cues:
                found.setdefault(words_of(cue), (entry.value, bare))
    return _Relations(found)


def is_relation(word: str) -> bool:
    """Whether a word in comparable form is one for a relation: mum, sister."""
    return (word,) in _relations().by_words or (word.removesuffix("s"),) in _relations().by_words


@lru_cache(maxsize=256)
def canonical(relation: str) -> str:
    """A relation as profiles put it, by the lexicon's word for it: Mum → mother. Spouses keep what they are called."""
    plain = words_of(relation)
    if " ".join(plain) in {without_accents(spouse) for spouse in _SPOUSES}:
        return next(spouse for spouse in _SPOUSES if without_accents(spouse) == " ".join(plain))
    return _relations().by_words.get(plain, (relation.casefold(), False))[0]


def _by_first_word(calls: Iterable[Call]) -> Mapping[str, tuple[Call, ...]]:
    best: dict[tuple[tuple[str, ...], bool], Call] = {}
    for call in calls:
        if not call.words:
            continue
        place = (call.words, call.relation is not None)
        known = best.get(place)
        if known is None or _better(call, known):
            best[place] = call
        elif known.rank == call.rank and call.names and known.relation is None:
            best[place] = known._replace(names=tuple(dict.fromkeys(known.names + call.names)))
    found: defaultdict[str, list[Call]] = defaultdict(list)
    for call in best.values():
        found[call.words[0]].append(call)
    return {
        word: tuple(sorted(those, key=lambda call: (-len(call.words), call.relation is not None)))
        for word, those in found.items()
    }


def _better(call: Call, known: Call) -> bool:
    """Somebody else goes before the owner; a name before a short form of another name."""
    return (not call.names, call.rank) < (not known.names, known.rank)


def _name_calls(profile: Profile) -> Iterator[Call]:
    for person in profile.people:
        yield from _calls_of(person, (person.name,))
    if profile.owner:
        yield from _calls_of(profile.owner, ())


def _calls_of(person: Person, names: tuple[str, ...]) -> Iterator[Call]:
    full = words_of(person.name)
    relations = _relations().by_words
    yield Call(full, names)
    for nickname in person.nicknames:
        nick = words_of(nickname)
        if nick not in relations:
            yield Call(nick, names)
    if len(full) < 2:
        return
    first, rest = full[0], full[1:]
    if (first,) not in relations:
        yield Call((first,), names, 1)
    for word in rest:
        if len(word) > 3 or word is rest[-1]:
            yield Call((first, word), names)
            yield Call((first[0], word), names, 2)
    for short in _short_forms(first):
        yield Call((short,), names, 2)
        yield Call((short, rest[-1]), names)
    for length in range(4 if names else 3, len(first)):  # "Fran" for Francesca; of the owner, any
        if first[:length] not in NAME_WORDS and not is_no_name(first[:length]):
            yield Call((first[:length],), names, 3)


@lru_cache(maxsize=1 << 12)
def _short_forms(first: str) -> frozenset[str]:
    folded = {without_accents(name): shorts for name, shorts in SHORT_FORMS.items()}
    return frozenset(map(without_accents, folded.get(first, frozenset())))


def _relation_calls(profile: Profile) -> Iterator[Call]:
    named: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for person in profile.people:
        for nickname in person.nicknames:
            named[words_of(nickname)].append(person.name)
    for words, (relation, bare) in _relations().by_words.items():
        names = tuple(named.get(words, ())) or profile.related(relation)
        group = relation in _GROUPS
        yield Call(words, names, 0, relation, bare, group)
        if not group and not bare:
            yield Call((*words[:-1], words[-1] + "s"), names, 0, relation, bare, group=True)
