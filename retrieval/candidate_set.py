"""What goes through RETRIEVE's stages: the search, and the events that it considers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..store.index.index import EventText
from .hits import Hit
from .scope import Scope
from .search_models import SearchModels


@dataclass(frozen=True)
class Search:
    """What is looked for, where, and with which models; the same in all stages. `told` are events that are meant
    whatever the search finds."""

    query: str
    scope: Scope
    models: SearchModels
    told: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class Scores:
    """What stage 1 knows of an event: its fused score, and how much of the query its words tell; `besides` is how much
    of what the query says beside names, -1 where it has a name only."""

    fused: float
    told: float
    besides: float | None = None

    @property
    def words(self) -> float:
        """How much of the query's words it has, names left out where there are others."""
        return self.told if self.besides is None else self.besides


@dataclass(frozen=True, slots=True)
class Pattern:
    """A key-value pair of events of one class; the whole class (`prop` None)."""

    type: str
    prop: str | None = None
    value: int | None = None
    text: str = ""


@dataclass(frozen=True)
class CandidateSet:
    """The events of a search between two stages. A stage takes one and returns another; it changes nothing else.

    | after the stage | `open` | `kept` |
    |---|---|---|
    | 1 candidates | all events that might be meant | what is told already |
    | 2 patterns | the same, and their `patterns` | the same |
    | 3 classify patterns | events that no pattern decided | also those of relevant patterns |
    | 4 classify events | none | all events that are meant |
    | 5 occurrences | none | these, and what tells of the same happenings |
    """

    search: Search
    open: tuple[EventText, ...]
    """Events that no stage decided yet."""
    scores: Mapping[str, Scores] = field(default_factory=dict)
    """What stage 1 knows of each event, by IRI."""
    kept: tuple[Hit, ...] = ()
    """Events that are meant."""
    patterns: tuple[Pattern, ...] = ()
    """Key-value pairs that many of the events have."""
    candidates: int = 0
    """How many events stage 1 found."""
    read: int = 0
    """How many distinct lines the event classifier read."""
