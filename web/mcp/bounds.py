"""How much of a life one call gives away: the fields of an event that the settings allow, and texts of others made fit
to be passed on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from math import isfinite
from typing import Final
from unicodedata import category
from urllib.parse import quote, unquote

from ...engine.answers.answer import Evidence
from ...engine.answers.evidence import evidence
from ...engine.knowledge import KnowledgeGraph
from ...ontology.namespaces import EV
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ..holding import Held
from ..http.problems import Hidden
from . import models
from .models import Given

Plain = str | int | float | bool
_GREATEST: Final = 2**53
"""Numbers beyond it are given as texts: readers of JSON would round them."""
_LONGEST_SAID: Final = 4_000
_LONGEST_SOURCE: Final = 20_000
_MOST_SAID: Final = 20
_KEPT: Final = frozenset("\n\t\u200d")
_LEFT_OUT: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_BLANKS: Final = frozenset({"Zl", "Zp"})
_MARK: Final = "…"
_ESCAPED: Final = re.compile(r"(?:%[0-9A-F]{2})++")
_ARE_EVENTS: Final = "SELECT DISTINCT ?e { VALUES ?e { %EVENTS% } ?e a/rdfs:subClassOf* ev:Event }"
_TEXTS_OF: Final = f"""
SELECT DISTINCT ?e ?t {{
  VALUES ?e {{ %EVENTS% }} VALUES ?p {{ {" ".join(str(NamedNode(EV + name)) for name in ("text", "description"))} }}
  ?e ?p ?t
}} ORDER BY ?e ?p ?t
"""
_NAMES: Final = ("type", "source", "source_id", "start", "end", "label")


@dataclass(frozen=True)
class Bounds:
    """`most` events, and rows, of one call; the `fields` that are told of an event; `characters` of each text."""

    most: int
    fields: frozenset[str]
    characters: int
    hidden: Hidden

    @classmethod
    def of(cls, held: Held) -> Bounds:
        """Those of the settings of a store."""
        chosen = held.settings.mcp
        hidden = Hidden.of(held.directory, held.settings)
        return cls(chosen.most_events, frozenset(chosen.fields), chosen.text_characters, hidden)

    def text(self, text: str) -> str:
        """A text of the data."""
        return _cut(self._fit(text), self.characters)

    def value(self, value: Plain) -> Plain:
        """A value of the data."""
        if isinstance(value, bool):
            return value
        if isinstance(value, int) and abs(value) <= _GREATEST:
            return value
        if isinstance(value, float) and isfinite(value):
            return value
        return self.text(value if isinstance(value, str) else str(value))

    def said(self, text: str) -> str:
        """A sentence of ours, in which values may stand."""
        return _cut(self._fit(text), _LONGEST_SAID)

    def iri(self, iri: str) -> str:
        """An IRI, whole; `as_in_store` undoes it."""
        return iri if _is_plain(iri) else "".join(quote(sign) if _sign(sign) != sign else sign for sign in iri)

    def sentences(self, texts: Iterable[str]) -> list[str]:
        """Several of them."""
        return [self.said(text) for text in texts][:_MOST_SAID]

    def source(self, text: str) -> str:
        """A tree or a query of ours."""
        return _cut(self._fit(text), _LONGEST_SOURCE)

    def error(self, text: str) -> str:
        """What an error says, without where files of this machine lie."""
        return _cut(_shown(self.hidden.message(text)), _LONGEST_SAID)

    @cached_property
    def values(self) -> int:
        """How many values an answer has: one at least, as it may be a number."""
        return max(self.most, 1)

    def _fit(self, text: str) -> str:
        return self.hidden.text(_shown(text))


def as_in_store(iri: str) -> str:
    """An IRI with the signs that `Bounds.iri` escaped; control characters are escaped in the store, too."""
    return _ESCAPED.sub(_unescaped, iri)


def _unescaped(found: re.Match[str]) -> str:
    signs = unquote(found[0], errors="replace")
    return "".join(sign if _sign(sign) != sign and category(sign) != "Cc" else quote(sign, safe="") for sign in signs)


def _shown(text: str) -> str:
    """A text without signs that nobody sees: they steer terminals, turn lines, or hide what is meant for a model."""
    return text if _is_plain(text) else "".join(_sign(sign) for sign in text)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _sign(sign: str) -> str:
    kind = category(sign)
    if sign in _KEPT or kind not in _LEFT_OUT | _BLANKS:
        return sign
    return " " if kind in _BLANKS else ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + _MARK if most else ""


def evidence_of(known: KnowledgeGraph, given: models.EvidenceOf, _: datetime, bounds: Bounds) -> Given:
    """What is told of the events of these IRIs."""
    wanted = list(dict.fromkeys(given.events))
    meant = {iri: (iri, as_in_store(iri)) for iri in wanted[: bounds.most]}
    there = events_among(known.graph, [name for names in meant.values() for name in names])
    found = evidence(known.graph, list(there))[: bounds.most]
    told = told_events(known.graph, found, bounds)
    unknown = [bounds.said(iri) for iri, names in meant.items() if there.isdisjoint(names)]
    iris = tuple(one.iri for one in found)
    return Given(models.Events(events=told, unknown=unknown, more=len(wanted) > bounds.most), iris, len(told))


def told_events(graph: Graph, events: Sequence[Evidence], bounds: Bounds) -> list[models.Event]:
    """The first of these events, as many as one call gives."""
    some = events[: bounds.most]
    texts = _texts_of(graph, [event.iri for event in some]) if "text" in bounds.fields else {}
    return [_told(event, texts.get(event.iri), bounds) for event in some]


def events_among(graph: Graph, iris: Sequence[str]) -> frozenset[str]:
    """Those of the IRIs that events have."""
    nodes = [node for iri in iris if (node := _node(iri)) is not None]
    if not nodes:
        return frozenset()
    rows = graph.select(_ARE_EVENTS.replace("%EVENTS%", " ".join(map(str, nodes))))
    return frozenset(event.value for (event,) in rows if event is not None)


def _told(event: Evidence, text: str | None, bounds: Bounds) -> models.Event:
    held = vars(event)
    values = {name: bounds.text(held[name]) for name in _NAMES if name in bounds.fields and held[name]}
    return models.Event(
        iri=bounds.iri(event.iri), basis=event.basis, text=bounds.text(text) if text else None, **values
    )


def _texts_of(graph: Graph, events: Sequence[str]) -> Mapping[str, str]:
    """What events say at length."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    for event, text in graph.select(_TEXTS_OF.replace("%EVENTS%", nodes)) if events else ():
        if event is not None and text is not None:
            found[event.value].append(text.value)
    return {event: "\n".join(texts) for event, texts in found.items()}


def _node(iri: str) -> NamedNode | None:
    try:
        return NamedNode(iri)
    except ValueError:  # no IRI, so that no event has it
        return None
