"""Taking out the events of some days, or all that tells of somebody, with everything that rests on them.

Afterwards no file of the store has a word of what went. An event goes as a whole: one that names somebody in any value,
a mail that mentions them in passing, too. What only such events lead to (a place, an attachment) goes with them. All
that was derived goes: it is derived again when it is asked for. A newer export with the same events brings them back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from ...config import Settings
from ...errors import UsageError
from ...execution.derivations.derive import drop_derivations
from ...ontology.namespaces import EV, RDF_TYPE, RDFS, catalog_graph, source_graph
from ...retrieval.people import Person, load_people
from ...store.folder import NOTES, VECTORS, remove_caches
from ...store.generations import EventGraph, begin_import, open_graph
from ...store.rdf import BlankNode, Literal, NamedNode, Quad, Term, write_nquads
from ...store.vocabulary import load_vocabulary
from ..importing.catalog import read_catalog

_NAMES: Final = frozenset((RDFS + "label", "http://xmlns.com/foaf/0.1/name", EV + "nickname"))
_COUNTS: Final = (EV + "eventCount", EV + "tripleCount")
Pairs = Sequence[tuple[str, Term]]


@dataclass(frozen=True)
class Period:
    """Days from one to another, both within; either may be open."""

    first: date | None = None
    last: date | None = None

    def has(self, pairs: Pairs) -> bool:
        """Whether an event begins on one of the days; one without a start does not."""
        starts = [value.value[:10] for predicate, value in pairs if predicate == EV + "start"]
        first, last = self.first, self.last
        return any(
            (first is None or day >= first.isoformat()) and (last is None or day <= last.isoformat()) for day in starts
        )


@dataclass(frozen=True)
class Named:
    """Somebody by all their names: as written, with other signs between the words (in an IRI), in any case."""

    names: tuple[str, ...]
    iris: frozenset[str] = frozenset()

    def mentions(self, term: Term) -> bool:
        """Whether a value has one of the names, or is the person."""
        if isinstance(term, Literal):
            return self._pattern.search(term.value) is not None
        text = term.value
        return text in self.iris or (isinstance(term, NamedNode) and self._pattern.search(unquote(text)) is not None)

    def has(self, pairs: Pairs) -> bool:
        """Whether any value of an event mentions them."""
        return any(self.mentions(value) for _, value in pairs)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = (r"[\W_]+".join(map(re.escape, re.findall(r"[^\W_]+", name))) for name in self.names)
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(filter(None, names))})(?![^\W_])", re.IGNORECASE)


@dataclass
class ForgottenEvents:
    """How many events of each source went, and by which names somebody was looked for."""

    events: dict[str, int] = field(default_factory=dict)
    triples: int = 0
    names: tuple[str, ...] = ()


def forget_events(
    directory: Path, settings: Settings, chosen: Period | str, *, dry_run: bool = False
) -> ForgottenEvents:
    """Takes out the events of a period, or all that tells of somebody, given by a name. `dry_run` only counts.

    Raises UsageError where nobody is named, or the name is that of the person whose life it is; as `open_graph`.
    """
    lock_seconds, access = settings.lock_seconds, settings.access
    with open_graph(directory, lock_seconds=lock_seconds, access=access):  # says where there is none, and makes none
        pass
    with begin_import(directory, lock_seconds=lock_seconds, access=access) as new:
        with open_graph(directory, lock_seconds=lock_seconds, access=access) as graph:
            told = chosen if isinstance(chosen, Period) else _person(graph, chosen)
            found = ForgottenEvents(names=told.names if isinstance(told, Named) else ())
            events = {one.iri for one in load_vocabulary(graph).event_classes()}
            drop: set[str] = set()
            files: list[Path] = []
            for at, source in enumerate(read_catalog(graph)):
                split = _Split(graph, source_graph(source.name), told, events)
                if split.changed and not dry_run:
                    files += [new.work / f"kept-{at}.nq", new.work / f"catalog-{at}.nq"]
                    drop |= {source_graph(source.name), catalog_graph(source.name)}
                    write_nquads(files[-2], split.kept())
                    write_nquads(files[-1], _catalog(graph, source.name, split))
                if split.changed:
                    found.events[source.name] = split.events
                    found.triples += split.triples
        if drop:
            new.build(frozenset(drop), files, finish=drop_derivations, forget=True)
            remove_caches(directory / "cache", NOTES, VECTORS)
            new.commit()
    return found


def _person(graph: EventGraph, name: str) -> Named:
    """Somebody by all names that the profile has of them, and their first name where nobody else has it."""
    if not re.search(r"[^\W_]{2}", name):
        raise UsageError(f"“{name}” names nobody")
    people = load_people(graph, load_vocabulary(graph))
    meant = people.called(name)
    if any(one.owner for one in meant):
        raise UsageError(f"“{name}” is the person whose life this is; reqap-kg forget SOURCE takes out whole sources")
    if len(meant) > 1:
        raise UsageError(f"“{name}” may be {' or '.join(one.names[0] for one in meant)}; say which")
    first = (_first(one) for one in meant if sum(_first(other) == _first(one) for other in people.people) == 1)
    names = dict.fromkeys((*(n for one in meant for n in one.names), *first, *(() if meant else (name,))))
    return Named(tuple(names), frozenset(one.iri for one in meant))


def _first(person: Person) -> str:
    return person.names[0].split()[0]


class _Split:
    """A source's graph in two: what goes, and what stays."""

    def __init__(self, graph: EventGraph, iri: str, told: Period | Named, events: set[str]) -> None:
        self._graph, self._iri, self._told, self._classes = graph, iri, told, events
        self.events = self.triples = 0
        self._gone: set[str] = set()
        leads_to: dict[bool, set[str]] = {True: set(), False: set()}
        things: dict[str, set[str]] = {}
        for subject, pairs in graph.described(iri):
            goes, is_event = self._goes(subject, pairs), self._is_event(pairs)
            self.events += goes and is_event
            self._gone |= {subject} if goes else set()
            led = {_name(value) for _, value in pairs if not isinstance(value, Literal)}
            if goes or is_event:
                leads_to[goes] |= led
            else:
                things[subject] = led
        gone = _reached(leads_to[True], things)
        self._gone |= gone & things.keys() - _reached(leads_to[False] | (things.keys() - gone), things)
        self.triples = sum(1 for _ in self._walk(lambda stays: not stays))

    @property
    def changed(self) -> bool:
        """Whether anything goes."""
        return self.triples > 0

    def kept(self) -> Iterator[Quad]:
        """The quads that stay."""
        return self._walk(lambda stays: stays)

    def _walk(self, wanted: Callable[[bool], bool]) -> Iterator[Quad]:
        graph, told = NamedNode(self._iri), self._told
        for subject, pairs in self._graph.described(self._iri):
            goes = subject in self._gone
            node = BlankNode(subject[2:]) if subject.startswith("_:") else NamedNode(subject)
            for predicate, value in pairs:
                stays = not goes and not (isinstance(told, Named) and told.mentions(value))
                if wanted(stays):
                    yield Quad(node, NamedNode(predicate), value, graph)

    def _goes(self, subject: str, pairs: Pairs) -> bool:
        """Whether an event is chosen, or a thing that is no event is the person."""
        if self._is_event(pairs):
            return self._told.has(pairs)
        if isinstance(self._told, Period):
            return False
        named = any(predicate in _NAMES and self._told.mentions(value) for predicate, value in pairs)
        return named or subject in self._told.iris

    def _is_event(self, pairs: Pairs) -> bool:
        return any(predicate == RDF_TYPE and value.value in self._classes for predicate, value in pairs)


def _reached(begin: set[str], things: Mapping[str, set[str]]) -> set[str]:
    """What some things lead to, with these."""
    found, new = set(begin), list(begin)
    while new:
        further = things.get(new.pop(), set()) - found
        found |= further
        new += further
    return found


def _name(value: Term) -> str:
    return str(value) if isinstance(value, BlankNode) else value.value


def _catalog(graph: EventGraph, source: str, split: _Split) -> Iterator[Quad]:
    """The catalog of a source with the counts of what stays; lines that mention somebody go."""
    iri = NamedNode(catalog_graph(source))
    less: Mapping[str, int] = dict(zip(_COUNTS, (split.events, split.triples), strict=True))
    for subject, pairs in graph.described(iri.value):
        node = BlankNode(subject[2:]) if subject.startswith("_:") else NamedNode(subject)
        for predicate, value in pairs:
            if predicate in less:
                yield Quad(node, NamedNode(predicate), Literal(int(value.value) - less[predicate]), iri)
            elif not (isinstance(split._told, Named) and split._told.mentions(value)):
                yield Quad(node, NamedNode(predicate), value, iri)
