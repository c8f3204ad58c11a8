"""What only texts tell beside records: the same tree over both, never counted in silence.

In: a resolved tree over records. Out: what it answers with the happenings that mails, posts, notes or a calendar tell
of and no record shows. An answer counts both, and says which is which and what records alone give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import ReqapError
from ...execution.computed import Place
from ...execution.run import Result, Runnable, ready_to_run
from ...extraction.documents import TELLING, TEXT_CLASSES
from ...operators.nodes import Node
from ...operators.resolution import Resolution
from ...retrieval.context import RetrieveContext
from ...store.graph import Graph
from ..answers.answer import TOLD, Evidence
from ..answers.evidence import evidence
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
