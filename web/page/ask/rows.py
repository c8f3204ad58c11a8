"""The events behind an answer as rows: when, what, the values of its record or the words that tell, and by whom."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from ....engine.answers.answer import TOLD, Evidence
from ....engine.answers.evidence import plain
from ....engine.answers.formats import amount
from ....engine.answers.headline import teller_in_words
from ....engine.answers.sentence import source_in_words
from ....engine.answers.telling import Piece, Sought, Telling, tellings
from ....ontology.namespaces import EV, RDFS
from ....store.graph import Graph
from ....store.rdf import NamedNode
from ....store.vocabulary import PropertyInfo, Vocabulary
from ....store.words import fold, key_words
from ..frame.formats import clock, short_day
from .kept import Happening

SURE: Final = 0.55
"""How sure it is at least that what a text tells was meant, so that it is not marked."""
_MOST_VALUES: Final = 2
_LONGEST_VALUE: Final = 60
_LONGEST_QUOTE: Final = 60
_MOST_ALSO: Final = 3
_LONGEST_TITLE: Final = 44
_MIDNIGHT: Final = "T00:00:00"
_TEXTS: Final = frozenset(EV + name for name in ("title", "subject", "text", "description", "url", "note"))
_TIMES: Final = frozenset(EV + name for name in ("start", "end", "startInstant", "endInstant", "day", "source"))
_SPANS: Final = "s"
_OF_EACH: Final = "SELECT DISTINCT ?e ?p ?v { VALUES ?e { %s } ?e ?p ?v FILTER(isLiteral(?v)) } ORDER BY ?e ?p ?v"


@dataclass(frozen=True)
class Row:
    """One happening: its day (`before` is that of the row above, whose year need not be said again), its title and a
    passage in pieces, some of them marked, values, and what else tells of it."""

    iri: str
    day: str | None
    before: str | None
    time: str
    kind: str
    called: str
    title: tuple[Piece, ...]
    passage: tuple[Piece, ...]
    values: tuple[str, ...]
    source: str
    also: tuple[str, ...]
    unsure: bool
    said: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where the event is shown."""
        return f"/event?{urlencode({'iri': self.iri})}"

    @property
    def label(self) -> str:
        """Its title as plain text."""
        return "".join(text for text, _ in self.title)


@dataclass(frozen=True)
class Reading:
    """What rows are made with."""

    graph: Graph
    vocabulary: Vocabulary
    sought: Sought
    locale: str
    sure: tuple[str, ...] = ()

    def rows(self, happenings: Sequence[Happening], before: str | None = None) -> tuple[Row, ...]:
        """The rows of some happenings; `before` is the day of the row above the first."""
        told = [event.iri for one in happenings for event in (one.event, *one.others) if event.basis == TOLD]
        telling = tellings(told, self.sought, self.graph) if told else {}
        held = self._values([one.event.iri for one in happenings])
        found: list[Row] = []
        for one in happenings:
            found.append(self._row(one, telling, held.get(one.event.iri, {}), before))
            before = one.start or before
        return tuple(found)

    def _row(
        self, one: Happening, telling: Mapping[str, Telling], held: Mapping[str, list[Any]], before: str | None
    ) -> Row:
        event = one.event
        told = telling.get(event.iri, Telling())
        chances = [found.sure for e in (event, *one.others) if (found := telling.get(e.iri)) and found.sure is not None]
        is_unsure = bool(chances) and max(chances) < SURE and digest(event.iri) not in self.sure
        whole_day = "day" in held.get(EV + "timePrecision", ()) or (one.start or "").endswith(_MIDNIGHT)
        passage = told.passage if "".join(text for text, _ in told.passage).strip() not in event.label else ()
        title = told.title or ((_capital(_short(event.label, cut=bool(passage)) or key_words(event.type)), False),)
        return Row(
            event.iri,
            one.start,
            before,
            "" if whole_day else clock(one.start),
            event.type,
            teller_in_words(event.type),
            title,
            passage,
            self._said(event, held) if not passage else (),
            source_in_words(event.source),
            tuple(also_told(other, one.start) for other in one.others[:_MOST_ALSO]),
            is_unsure,
            told.said,
        )

    def _values(self, events: Sequence[str]) -> dict[str, dict[str, list[Any]]]:
        """Values by property, by event."""
        nodes = " ".join(str(NamedNode(iri)) for iri in events)
        found: dict[str, dict[str, list[Any]]] = {}
        for event, prop, value in self.graph.select(_OF_EACH % nodes) if events else ():
            if event is not None and prop is not None and value is not None:
                found.setdefault(event.value, {}).setdefault(prop.value, []).append(plain(value))
        return found

    def _said(self, event: Evidence, held: Mapping[str, list[Any]]) -> tuple[str, ...]:
        """The few values that tell most of an event: those that were asked for, measures, then names."""
        known = [(self.vocabulary.properties.get(iri), values) for iri, values in held.items()]
        units = {info.unit_property for info, _ in known if info is not None}
        ranked = sorted(
            (
                (rank, info.label, info, values)
                for info, values in known
                if info is not None and info.iri not in units and (rank := self._rank(info)) >= 0
            ),
            key=lambda one: one[:2],
        )
        said: list[str] = []
        for _, _, info, values in ranked:
            text = self.in_words(info, values, held)
            if text and fold(text) not in fold(event.label) and text not in said:
                said.append(text)
        return tuple(said[:_MOST_VALUES])

    def _rank(self, info: PropertyInfo) -> int:
        """How much values of a property tell, 0 the most; -1 for those that are not shown."""
        if info.internal or info.iri in _TEXTS or info.iri in _TIMES or info.iri.startswith(RDFS):
            return -1
        if any(key_words(key) in info.labels for key in self.sought.keys):
            return 0
        if info.unit == "km" or info.unit_property:
            return 1
        if info.multiple or info.cue_words:
            return 2
        if info.unit == _SPANS:
            return 3
        return 4 if (info.range or "").endswith("#string") else -1

    def in_words(self, info: PropertyInfo, values: Sequence[Any], held: Mapping[str, list[Any]]) -> str:
        """Values of a property as people say them: "4.1 km", "€12.50", "Ann, Bo"."""
        unit = info.unit
        if info.unit_property and held.get(info.unit_property):
            unit = str(held[info.unit_property][0])
        said = ", ".join(_said(value, unit, self.locale) for value in values)
        return said if len(said) <= _LONGEST_VALUE and "\n" not in said and "@" not in said else ""


def _said(value: Any, unit: str | None, locale: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if unit == _SPANS and value >= 3600:
        minutes = round(value / 60)
        return f"{minutes // 60} h {minutes % 60:02d} min"
    if unit == _SPANS and value >= 60:
        return f"{round(value / 60)} min"
    return amount(round(value, 1) if unit == "km" else value, unit, locale)


def also_told(event: Evidence, day: str | None) -> str:
    """What else tells of a happening of that day: "a mail of 8 Feb, “yesterday evening”"."""
    called = teller_in_words(event.type)
    when = f" of {short_day(event.start, day)}" if event.start else ""
    label = event.label if len(event.label) <= _LONGEST_QUOTE else f"{event.label[: _LONGEST_QUOTE - 1].rstrip()}…"
    quote = f", “{label}”" if label else ""
    return f"{'an' if called[0] in 'aeiou' else 'a'} {called}{when}{quote}"


def digest(iri: str) -> str:
    """Names an event in an address, in few letters."""
    return hashlib.sha256(iri.encode()).hexdigest()[:12]


def _short(label: str, *, cut: bool) -> str:
    """A label; that of a text without a title, which its passage tells as well, by its first words alone."""
    if not cut or len(label) <= _LONGEST_TITLE:
        return label
    return f"{label[:_LONGEST_TITLE].rpartition(' ')[0].rstrip(' ,.;:')} …"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
