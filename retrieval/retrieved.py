"""What RETRIEVE gives: what a query stands for, and which events that are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..compiler.retrieve import matching
from ..compiler.scope import Names
from ..compiler.sparql.algebra import Select, Var
from ..compiler.sparql.printing import printed
from ..execution.context import Table
from ..execution.derivations.derive import Hit, read_hits
from ..operators.resolution import ClassMatch, DerivedMatch, RetrieveMatch
from ..store.graph import Graph
from ..texts.phrase import Group

DOUBTFUL: Final = 0.65
"""Mean score of hits below which one in three of them was meant, on four lives that nothing was trained on."""


@dataclass(frozen=True)
class Retrieved:
    """What a query stands for, and what the reader should know of how it was found."""

    match: RetrieveMatch
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    records: ClassMatch | None = None
    """The events that are recorded, where `match` also has what only texts tell of."""
    named: tuple[str, ...] = ()
    """Classes that the query names: events of these are records of themselves, also mails and calendar entries."""

    sought: tuple[Group, ...] = ()
    """What was looked for in texts, where these were searched."""
    in_vain: bool = False
    """Whether a search found nothing although the words name nothing that is missing: they may not have been
    understood."""
    unread: bool = False
    """Whether texts may tell of more of what is recorded, and were not read for it."""

    @property
    def on_record(self) -> Retrieved:
        """The same without what only texts tell of."""
        return self if self.records is None else replace(self, match=self.records)


RETRIEVED: Final = Table[str, Retrieved]("retrieved")
"""What queries stand for, which stays so for as long as the store is open."""


def matched_events(match: RetrieveMatch, graph: Graph) -> tuple[Hit, ...]:
    """The events that a match holds for, best first; those of a class score 1."""
    if isinstance(match, DerivedMatch):
        return read_hits(graph, match.activity)
    rows = graph.select(_events_query(match))
    return tuple(Hit(event, 1.0) for event in sorted(event.value for (event,) in rows if event is not None))


def has_events(match: ClassMatch, graph: Graph) -> bool:
    """Whether a match holds for any event."""
    return bool(graph.select(_events_query(match, limit=1)).rows)


def is_doubtful(hits: Sequence[Hit]) -> bool:
    """Whether what a search finds is more likely something else than what was meant."""
    return bool(hits) and sum(hit.score for hit in hits) < DOUBTFUL * len(hits)


def found_nothing_clear(query: str) -> str:
    """What is told then."""
    return f"nothing tells clearly of '{query}': this is what comes nearest; look whether it is meant"


def _events_query(match: ClassMatch, limit: int | None = None) -> str:
    """The query for the events that a match holds for, so many at most."""
    event = Var("event")
    return printed(Select((event,), matching(match, event, Names().fresh), distinct=True, limit=limit))
