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
from ...operators.nodes import Node
from ...operators.resolution import Resolution
from ...retrieval.context import RetrieveContext
from ...store.graph import Graph
from ..answers.answer import TOLD, Evidence
from ..answers.evidence import evidence
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
class Said:
    """What resolving a tree tells its reader."""

    notes: tuple[str, ...]
    keys: tuple[str, ...]
    warnings: tuple[str, ...]
    unknown: bool
    """Whether a key is none that any event has, or words were looked for in vain that may not have been understood."""
    unread: bool = False
    """Whether it is the words that may not have been understood."""

    def with_anchors(self, unknown: tuple[str, ...]) -> Said:
        """What is told where a condition compares with an event of which it is not known when it was."""
        told = tuple(f"it cannot be told which “{query}” is meant, or when it was" for query in unknown)
        return replace(self, warnings=(*self.warnings, *told), unknown=self.unknown or bool(unknown))

    def with_warning(self, warning: str) -> Said:
        """With one more warning, if it says anything."""
        return replace(self, warnings=(*self.warnings, warning)) if warning else self

    def with_answers(self, answers: Mapping[str, str]) -> Said:
        """What is told where trees were answered first, so that the query has their answers."""
        told = tuple(f"the query looks up {answer}, the answer of {tree}" for tree, answer in answers.items())
        return replace(self, notes=(*self.notes, *told))


@dataclass(frozen=True)
class Ready:
    """A question whose tree needs only be run. `seconds` says how long its planning, its RETRIEVEs and its EXTRACTs
    took, and what was computed for its query."""

    planned: Planned
    resolution: Resolution
    said: Said
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
