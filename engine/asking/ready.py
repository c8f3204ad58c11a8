"""Questions made ready to run: planned, resolved and compiled once, so that asking again costs its SPARQL."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from ...errors import ReqapError
from ...execution.computed import Place
from ...execution.explain import Explained
from ...execution.run import Result, Runnable, ready_to_run
from ...extraction.documents import TELLING, TEXT_CLASSES
from ...operators.nodes import ArgMax, ArgMin, Node
from ...operators.resolution import Resolution
from ...retrieval.context import RetrieveContext
from ...store.generations import EventGraph
from ...store.graph import Graph
from ...store.index.statistics import Statistics
from ...store.vocabulary import Vocabulary
from ..answers.answer import TOLD, Answer, Evidence, Told
from ..answers.answer_values import NOTHING, Shaped, shape
from ..answers.evidence import evidence, evidence_behind
from ..answers.outcomes import LookedFor, Missing, Reason, unknown_amount, why_nothing
from ..answers.statement import statement_of
from .planned import Planned
from .resolve import named_classes, resolve_attributes, resolve_retrieves, texts_tell_more

_TELLERS = frozenset(iri.rsplit("#", 1)[-1] for iri in (*TEXT_CLASSES, TELLING))


@dataclass(frozen=True)
class Beside:
    """The tree over records and texts, where texts tell of more; `named` are the classes that its queries name, whose
    events are records of themselves. `warning` says why it cannot be run."""

    named: frozenset[str] = frozenset()
    runnable: Runnable | None = None
    warning: str = ""

    def marked(self, events: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """Events with what is only told marked as such."""
        return tuple(replace(event, basis=TOLD) if self._is_told(event) else event for event in events)

    def with_told(self, found: Result, graph: Graph) -> tuple[Result, tuple[Evidence, ...]]:
        """What a tree gives over records and texts, and the events behind it that are only told of; `found`, what it
        gave over records with all of its events, where there are none."""
        if self.runnable is None:
            return found, ()
        both = self.runnable.run(graph, None)
        counted = set(found.events)
        events = evidence(graph, [event for event in both.events if event not in counted])
        more = tuple(event for event in self.marked(events) if event.basis == TOLD)
        return (both, more) if more else (found, ())

    def _is_told(self, event: Evidence) -> bool:
        return event.type in _TELLERS and event.type not in self.named


def beside(
    tree: Node,
    place: Place,
    context: RetrieveContext,
    facts: Callable[[Resolution], Resolution],
    folder: Path | None,
) -> Beside:
    """The tree with what only texts tell, as far as they were read; `facts` adds what statistics know. `folder` keeps
    columns for joins; without one the tree has what texts tell already."""
    short = frozenset(iri.rsplit("#", 1)[-1] for iri in named_classes(tree, context))
    if folder is None or not texts_tell_more(tree, context):
        return Beside(short)
    try:
        retrieves = resolve_retrieves(tree, context, with_told=True).matches
        attributes, _, _ = resolve_attributes(tree, retrieves, context, strict=False)
        resolution = facts(Resolution(tuple(retrieves.items()), tuple(attributes.items())))
        return Beside(short, ready_to_run(tree, replace(place, resolution=resolution), folder))
    except ReqapError as bad:
        return Beside(short, warning=f"what only texts tell of it could not be looked at: {bad}")


MOST_KEPT: Final = 256
"""Questions that are kept; those that were not asked for longest go first."""
Asked = tuple[str, datetime, str | None]
"""A question, its now, and the tree that was given for it."""


@dataclass(frozen=True)
class ResolutionNotes:
    """What resolving a tree tells its reader."""

    notes: tuple[str, ...]
    keys: tuple[str, ...]
    warnings: tuple[str, ...]
    unknown: bool
    """Whether a key is none that any event has, or words were looked for in vain that may not have been understood."""
    unread: bool = False
    """Whether it is the words that may not have been understood."""

    def with_anchors(self, unknown: tuple[str, ...]) -> ResolutionNotes:
        """What is told where a condition compares with an event of which it is not known when it was."""
        told = tuple(f"it cannot be told which “{query}” is meant, or when it was" for query in unknown)
        return replace(self, warnings=(*self.warnings, *told), unknown=self.unknown or bool(unknown))

    def with_warning(self, warning: str) -> ResolutionNotes:
        """With one more warning, if it says anything."""
        return replace(self, warnings=(*self.warnings, warning)) if warning else self

    def with_answers(self, answers: Mapping[str, str]) -> ResolutionNotes:
        """What is told where trees were answered first, so that the query has their answers."""
        told = tuple(f"the query looks up {answer}, the answer of {tree}" for tree, answer in answers.items())
        return replace(self, notes=(*self.notes, *told))


@dataclass(frozen=True)
class Ready:
    """A question whose tree needs only be run. `seconds` says how long its planning, its RETRIEVEs and its EXTRACTs
    took, and what was computed for its query."""

    planned: Planned
    resolution: Resolution
    said: ResolutionNotes
    runnable: Runnable
    seconds: tuple[float, float, float, float]
    explained: Explained | None = None
    beside: Beside = field(default_factory=Beside)
    """What only texts tell of it."""

    @property
    def needs_events(self) -> bool:
        """Whether all events behind it are looked up: they are the answer, or are compared with what texts tell."""
        listed = self.planned.form.type == "events" or self.runnable.query.focus is None
        return listed or self.beside.runnable is not None

    def again(self) -> Ready:
        """The same, asked again."""
        return replace(self, seconds=(0.0, 0.0, 0.0, 0.0), explained=None)

    def timings(self, running: float, total: float) -> dict[str, float]:
        """Milliseconds by stage; `running` and `total` are the seconds of the query and of the whole."""
        plan, retrieve, extract, computing = self.seconds
        seconds = {"plan": plan, "retrieve": retrieve, "extract": extract, "sparql": computing + running}
        return {name: round(value * 1000, 1) for name, value in {**seconds, "total": total}.items()}


@dataclass
class KeptReady:
    """What was made ready. All of it goes when a graph was removed from the store, since a query may name it."""

    _held: OrderedDict[Asked, Ready] = field(default_factory=OrderedDict)
    _removals: int = 0

    def get(self, asked: Asked, removals: int) -> Ready | None:
        """What was kept for a question; `removals` counts the graphs that were removed from the store."""
        if removals != self._removals:
            self._held.clear()
            self._removals = removals
        if asked in self._held:
            self._held.move_to_end(asked)
        return self._held.get(asked)

    def keep(self, asked: Asked, ready: Ready, removals: int) -> None:
        """Keeps one for the next time, if nothing was removed while it was made that it might rest on."""
        self.get(asked, removals)
        self._held[asked] = ready
        if len(self._held) > MOST_KEPT:
            self._held.popitem(last=False)


@dataclass(frozen=True)
class Knows:
    """What an answer is made with: the data, its words and its counts."""

    graph: EventGraph
    vocabulary: Vocabulary
    statistics: Statistics
    locale: str


def answer_of(question: str, ready: Ready, recorded: Result, knows: Knows, most_events: int | None) -> Answer:
    """The answer of what a tree gave over records, and texts where they tell of more; with so many of its events (None:
    all). Its timings are left to the caller."""
    planned, said, graph = ready.planned, ready.said, knows.graph
    found, only_told = ready.beside.with_told(recorded, graph)
    shaped, missing = _shaped(ready, found, knows)
    listed = found.events[: None if shaped.answer_type == "events" else most_events]
    events = evidence(graph, listed)
    return Answer(
        question=question,
        values=tuple(event.label for event in events) if shaped.answer_type == "events" else shaped.values,
        answer_type=shaped.answer_type,
        plan=planned.tree,
        sparql=found.sparql,
        planner=planned.planner,
        score=planned.score,
        probability=planned.probability,
        doubt=planned.doubt,
        basis=planned.basis,
        unit=shaped.unit,
        events=ready.beside.marked(evidence_behind(graph, events, listed, ready.resolution)),
        more_events=len(found.events) > len(events) or (not events and most_events == 0 and found.matched),
        warnings=tuple(dict.fromkeys((*planned.warnings, *said.warnings, *found.warnings))),
        notes=tuple(dict.fromkeys((*planned.notes, *said.notes, *graph.notes))),
        keys=said.keys,
        steps=planned.steps,
        explained=ready.explained,
        analysis=planned.form.analysis,
        table=shaped.table,
        missing=missing,
        statement=statement_of(planned.node, ready.resolution, knows.vocabulary),
        tied=isinstance(planned.node, ArgMax | ArgMin) and len(shaped.values) > 1,
        in_words=planned.in_words,
        locale=knows.locale,
        told=Told(shape(recorded, planned.form, knows.vocabulary).values, only_told) if only_told else None,
    )


def _shaped(ready: Ready, found: Result, knows: Knows) -> tuple[Shaped, Missing | None]:
    """The values, and why there are none or only a 0 of nothing."""
    shaped = shape(found, ready.planned.form, knows.vocabulary)
    zero = not found.matched and found.answer == (0,)
    if zero and (ready.said.unknown or unknown_amount(ready.planned.node, ready.resolution, knows.graph)):
        shaped = NOTHING  # what nobody could read, or no record says, is not zero
    if shaped.answer_type != "none" and not zero:
        return shaped, None
    looked = LookedFor(ready.planned.node, ready.resolution, ready.planned.limits)
    missing = why_nothing(looked, knows.graph, knows.vocabulary, knows.statistics, unread=ready.said.unread)
    return (NOTHING if missing.reason == Reason.NO_SUCH_DATA else shaped), missing
