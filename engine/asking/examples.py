"""Questions that these data answer, for somebody who has asked nothing yet: made from the kinds of events, their
properties and their most frequent values, tried before they are offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from ...errors import ReqapError
from ...extraction.documents import TEXT_CLASSES, owner_names
from ...planner.annotation.spelling import dictionary
from ...store.rdf import NamedNode
from ...store.vocabulary import ClassInfo, PropertyInfo
from ...store.words import fold, stem
from ...texts.words import infinitives, plural
from .refusal import Nearby, examples_of, frequent_kinds

MOST: Final = 5
_LEAST_EVENTS: Final = 3
_MOST_KINDS: Final = 8
_TRIED_OF_KIND: Final = 4
_LONGEST_NAME: Final = 30
_FAR: Final = "km"
_SPENT: Final = "spend"
_FROM: Final = "from"
_PLAIN: Final = frozenset({"latest", "month", "count"})
"""Shapes of questions that may be asked of any kind of events."""
_TOP: Final = "SELECT ?v (COUNT(?e) AS ?n) { ?e a %s ; %s ?v } GROUP BY ?v ORDER BY DESC(?n) ?v LIMIT 4"
_LAST: Final = "SELECT (MAX(?t) AS ?last) { ?e a %s ; ev:start ?t FILTER(?t < %s) }"


@dataclass(frozen=True)
class Example:
    """A question that has an answer, with what it rests on: "230 workouts"."""

    question: str
    behind: str


@dataclass(frozen=True)
class Examples:
    """Makes them of the data that `nearby` knows."""

    nearby: Nearby
    now: datetime

    def found(self) -> tuple[Example, ...]:
        """The example questions of a domain that work, then one of each kind of events: those that only its data can
        answer first, each of another shape; then what can be asked of any kind."""
        own = (one for one in examples_of(self.nearby.domain) if self._works(one))
        found = {one: Example(one, "") for one in islice(own, MOST)}
        kinds = [info for info in frequent_kinds(self.nearby) if self._events(info) >= _LEAST_EVENTS][:_MOST_KINDS]
        used: set[str] = set()
        for is_plain in (False, True):
            for info in kinds:
                if len(found) < MOST and info.iri not in found:
                    made = self._of_kind(info, used, is_plain=is_plain)
                    found |= {info.iri: made} if made is not None else {}
        order = {info.iri: at for at, info in enumerate(kinds)}
        return tuple(example for _, example in sorted(found.items(), key=lambda one: order.get(one[0], -1)))

    def _of_kind(self, info: ClassInfo, used: set[str], *, is_plain: bool) -> Example | None:
        """The first question about a kind that works, of a shape that is not there yet, which it notes as used."""
        ways = [way for way in dict.fromkeys(self._ways(info)) if (way[0] in _PLAIN) is is_plain]
        ways.sort(key=lambda way: way[0] in used)
        for shape, question in ways[:_TRIED_OF_KIND]:
            if (is_plain or shape not in used) and self._works(question):
                used.add(shape)
                number = self._events(info)
                return Example(question, f"{number:,} {info.label if number == 1 else plural(info.label)}")
        return None

    def _ways(self, info: ClassInfo) -> Iterator[tuple[str, str]]:
        """(shape, question) about a kind, the most telling first."""
        year, many = self._year(info), plural(info.label)
        if info.iri not in TEXT_CLASSES:  # what is asked of texts' values has them read first, which takes long
            yield from self._measured(info, year)
            yield from self._ranked(info, year)
        yield from self._last(info)
        yield "month", f"In which month of {year} did I have the most {many}?"
        yield "count", f"How many {many} did I have in {year}?"

    def _measured(self, info: ClassInfo, year: int) -> Iterator[tuple[str, str]]:
        """How far, how much: of kinds whose events are measured."""
        props = self._properties(info)
        if _SPENT in info.weak_names and any(prop.unit_property for prop in props):
            yield "money", f"How much did I spend in {year}?"
        if info.kind_property and any(prop.unit == _FAR for prop in props):
            for value in self._frequent(info, info.kind_property)[:1]:
                verb = self._verb_of(value)
                yield "far", f"How far did I {verb} in {year}?" if verb else f"How far was it in {year}?"
        if info.kind_property:
            for value in self._frequent(info, info.kind_property)[1:]:
                yield "last of kind", f"When did I last go {value}?"

    def _ranked(self, info: ClassInfo, year: int) -> Iterator[tuple[str, str]]:
        """Which of the values there are most of: of a property that several events share a value of."""
        held = []
        for prop in self._properties(info):
            known = self.nearby.statistics.properties[prop.iri]
            shared = known.values * 2 <= known.subjects and known.values > _LEAST_EVENTS
            if shared and prop.iri != info.kind_property and (prop.range or "").endswith("#string"):
                held.append(prop)
        verb = self._verb(info)
        named = {prop.iri for prop in held if prop.iri == info.label_property or prop.label in info.labels}
        held.sort(key=lambda prop: (not prop.multiple, prop.iri not in named))
        for prop in held:
            if verb and (" " in verb or prop.iri in named):  # "listen to" an artist, but "watch" a series only
                yield "ranking", f"Which {prop.label} did I {verb} most in {year}?"

    def _last(self, info: ClassInfo) -> Iterator[tuple[str, str]]:
        """When there was one of them: from somebody who is often named."""
        for prop in self._properties(info):
            if _FROM in prop.cue_words:
                for value in self._frequent(info, prop.iri):
                    yield "last", f"When was the last {info.label} {_FROM} {value}?"
        yield "latest", f"When was my last {info.label}?"

    # ------------------------------------------------------------ the data
    def _events(self, info: ClassInfo) -> int:
        return self.nearby.statistics.classes[info.iri].events

    def _properties(self, info: ClassInfo) -> list[PropertyInfo]:
        """What is told of half of the kind's events, at least."""
        held = self.nearby.statistics.classes[info.iri]
        vocabulary = self.nearby.vocabulary
        known = (vocabulary.properties.get(iri) for iri, n in held.properties.items() if n * 2 >= held.events)
        return [prop for prop in known if prop is not None and not prop.internal]

    def _frequent(self, info: ClassInfo, prop: str) -> list[str]:
        """The most frequent values of a property, those that are short names."""
        rows = self.nearby.planner.graph.select(_TOP % (NamedNode(info.iri), NamedNode(prop)))
        values = [value.value for value, _ in rows if value is not None]
        own = owner_names(self.nearby.planner.graph)
        return [one for one in values if len(one) <= _LONGEST_NAME and one.isprintable() and fold(one) not in own]

    def _year(self, info: ClassInfo) -> int:
        """The last whole year with such events, else that of the last one."""
        until = f'"{self.now.isoformat(timespec="seconds")}"^^xsd:dateTime'
        for before in (f'"{self.now.year}-01-01T00:00:00"^^xsd:dateTime', until):
            rows = list(self.nearby.planner.graph.select(_LAST % (NamedNode(info.iri), before)))
            if rows and rows[0][0] is not None:
                return int(rows[0][0].value[:4])
        return self.now.year

    def _verb_of(self, value: str) -> str | None:
        """The verb of a value that names what was done: "run" of running."""
        labels = (label for one in self.nearby.vocabulary.concepts_named(value) for label in one.labels)
        return next((label for label in labels if label in infinitives(label) and stem(label) == stem(value)), None)

    def _verb(self, info: ClassInfo) -> str | None:
        """The commonest verb that names the kind, or one above it, and says no other thing: "listen to", "watch"."""
        classes = self.nearby.vocabulary.classes
        above = [classes[iri] for iri in info.ancestors if iri in classes]
        for one in sorted(above, key=lambda one: -len(one.ancestors)):
            said = [verb for verb in one.verbs if verb not in (*one.homonyms, *one.weak_names)]
            plain = [verb for verb in said if verb.split()[0] in infinitives(verb.split()[0])]
            whole = [verb for verb in plain if not any(other.startswith(f"{verb} ") for other in plain)]
            if whole:
                return max(whole, key=lambda verb: (dictionary().get(verb.split()[0], 0), verb))
        return None

    def _works(self, question: str) -> bool:
        """Whether a question has an answer that rests on something."""
        try:
            found = self.nearby.ask(question)
        except ReqapError:  # this one does not work
            return False
        return (len(found.values) == 1 and found.missing is None) or found.answer_type == "table"
