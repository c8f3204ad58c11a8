"""What is related to an event, or to any row of a domain: `KnowledgeGraph.related`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from time import perf_counter
from typing import Final

import numpy as np

from ..config import DEFAULT_ENCODER
from ..errors import UsageError
from ..execution.context import Table
from ..models.encoder import Vectors
from ..ontology.namespaces import DATA, EV
from ..planner.patterns.limits import check_question
from ..retrieval.context import RetrieveContext
from ..retrieval.neighbourhood.related import TOP, Around, Joins, Surroundings, rank_related
from ..retrieval.neighbourhood.texts import Texts
from ..retrieval.neighbourhood.walking import Rule, Walker
from ..store.index.index import ValueIndex
from ..store.rdf import Literal, NamedNode
from ..store.words import normalise
from .answers.answer import Evidence
from .answers.evidence import evidence
from .modifying import Modifying

_MOST_NAMED: Final = 6
_MOST: Final = 1_000
_MODEL: Final = Table[None, Joins]("related model")
_VECTORS: Final = Table[str, Vectors]("vectors of what is said")


@dataclass(frozen=True)
class RelatedEvent:
    """An event that is related: how near, and the paths that lead to it from what was asked about."""

    event: Evidence
    score: float
    paths: tuple[str, ...]


@dataclass(frozen=True)
class RelatedEvents:
    """What is related to an event: best first; `around` is its neighbourhood, which the query was made with."""

    event: Evidence
    rule: Rule
    related: tuple[RelatedEvent, ...]
    around: tuple[Around, ...]
    warnings: tuple[str, ...]
    seconds: float


class Relating(Modifying):
    """Finds what is related in a store."""

    index: ValueIndex

    def related(
        self,
        event: str,
        *,
        now: datetime,
        kinds: Sequence[str] = (),
        rule: str = Rule.PAPER,
        top: int = TOP,
    ) -> RelatedEvents:
        """The events that are related to one, which is given by its IRI, its source's id, or words that only it has; of
        the `kinds`, by their labels, if any are given. `rule` is which of its neighbourhood counts. Raises UsageError
        for an event or a kind that there is not, and for words that several have."""
        begin = perf_counter()
        check_question(event, "an event")
        iri = self._event(event)
        context = self._context(now)
        joins, warnings = self._joins(context)
        among = self._among(iri, kinds)
        found, around = rank_related(
            iri, among, self.surroundings, lambda texts: self._encoded(texts, context), joins, Rule(rule), top
        )
        told = {one.iri: one for one in evidence(self.graph, [iri, *(one.iri for one in found)])}
        related = tuple(RelatedEvent(told[one.iri], one.score, one.paths) for one in found if one.iri in told)
        return RelatedEvents(told[iri], Rule(rule), related, around, warnings, perf_counter() - begin)

    @cached_property
    def surroundings(self) -> Surroundings:
        """All instances with what is said of them, and the keys between them."""
        columns = self.ranked.columns
        texts = Texts(self.index, self.graph, self._kinds, self.vocabulary)
        return Surroundings(Walker(columns, self.vocabulary), texts.of(columns.iris))

    def _joins(self, context: RetrieveContext) -> tuple[Joins | None, tuple[str, ...]]:
        """What joins queries with neighbourhoods; none with a warning where it was trained on another encoder."""
        from ..models.set_encoder import RelatedModel

        if self.settings.encoder != DEFAULT_ENCODER:
            told = f"neighbourhoods were learned for {DEFAULT_ENCODER}"
            return None, (f"{told}; with {self.settings.encoder} only texts are compared",)
        return context.once(_MODEL, None, RelatedModel), ()

    def _encoded(self, texts: Sequence[str], context: RetrieveContext) -> Vectors:
        """Vectors of texts, those that were asked for before from memory."""
        held = context.known[_VECTORS]
        new = [text for text in dict.fromkeys(texts) if text not in held]
        if new:
            encoder = context.encoder_factory()
            found = context.cache.vectors(
                new, identity=encoder.identity, encode=encoder.encode, progress=context.progress
            )
            held.update(zip(new, found, strict=True))
        return np.stack([held[text] for text in texts])

    def _among(self, iri: str, kinds: Sequence[str]) -> list[str]:
        """The instances that may be related: those of the kinds, else all that have a time as this one has."""
        columns, walker = self.ranked.columns, self.surroundings.walker
        if not kinds:
            dated = walker.is_dated(columns.numbers[iri])
            return [one for number, one in enumerate(columns.iris) if walker.is_dated(number) or not dated]
        wanted = {place for kind in kinds for place in self._classes(kind)}
        return [one for number, one in enumerate(columns.iris) if int(columns.kinds[number]) in wanted]

    def _classes(self, kind: str) -> set[int]:
        """The numbers of the classes that a word names, with those below. Raises UsageError, with those that there
        are."""
        held = self.ranked.columns.classes
        named = self.vocabulary.closed(info.iri for info in self.vocabulary.classes_named(kind))
        found = {number for number, iri in enumerate(held) if iri in named}
        if not found:
            labels = sorted({info.label for iri in held if (info := self.vocabulary.classes.get(iri))})
            raise UsageError(f"nothing in the store is of the kind {kind!r}; there are: {', '.join(labels)}")
        return found

    def _event(self, said: str) -> str:
        """The instance that is meant."""
        if not said.strip():
            raise UsageError("no event was given: expected an IRI, an id of its source, or words that it has")
        columns = self.ranked.columns
        for iri in (said, DATA + said.removeprefix("data:")):
            if iri in columns.numbers and columns.kinds[columns.numbers[iri]] >= 0:
                return iri
        found = self._with_id(said) or self._with_words(said)
        if not found:
            raise UsageError(f"no event is {said!r}: expected an IRI, an id of its source, or words that it has")
        if len(found) > 1:
            told = evidence(self.graph, found[:_MOST_NAMED])
            named = "\n".join(f"  {one.iri}  {(one.start or '')[:16]}  {one.label}" for one in told)
            more = f"\n  and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
            raise UsageError(f"{len(found)} events are {said!r}; which one?\n{named}{more}")
        return found[0]

    def _name(self, iri: str) -> str:
        said = self.surroundings.said.get(iri)
        return said.name if said is not None else ""

    def _with_id(self, said: str) -> list[str]:
        rows = self.graph.select(
            f"SELECT DISTINCT ?e {{ ?e {NamedNode(EV + 'sourceId')} {Literal(said)} }} ORDER BY ?e"
        )
        return [event.value for (event,) in rows if event is not None and event.value in self.ranked.columns.numbers]

    def _with_words(self, said: str) -> list[str]:
        values = [value.id for value in self.index.equal_to(said) or self.index.containing(said)]
        classes = [iri for iri, _ in self.index.classes()]
        found = [event.iri for event in self.index.events_with(values, classes, limit=_MOST)]
        called = [iri for iri in found if normalise(self._name(iri)) == normalise(said)]
        return called or found
