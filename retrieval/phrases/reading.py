"""A reading of a query: a class of events, constraints on them, and the words that neither covers."""

from __future__ import annotations

from dataclasses import dataclass

from ...operators.resolution import Constraint
from ...store.index.index import Value, ValueIndex
from ...store.vocabulary import Vocabulary
from ..people import People


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the query: events of `classes` (not closed), with constraints; `free` words are left over.

    `exact` counts the words that whole values cover, `loose` those that stand in longer values. `addressed` says
    that a sender or recipient was read; `sending` that a verb of sending is all that names the class.
    """

    classes: tuple[str, ...]
    free: tuple[int, ...]
    constraints: tuple[Constraint, ...] = ()
    strong: bool = False
    homonym: bool = False
    attribute: bool = False
    exact: int = 0
    loose: int = 0
    events: int = 0
    addressed: bool = False
    sending: bool = False

    def rank(self) -> tuple[int, int, bool, int, int]:
        """Better readings rank higher."""
        return (-len(self.free), -self.loose, self.strong, self.exact, self.events)


@dataclass(frozen=True, slots=True)
class Source:
    """What readings are made from."""

    vocabulary: Vocabulary
    index: ValueIndex
    people: People


def in_scope(value: Value, scope: frozenset[str]) -> bool:
    """Whether events of the scope have the value."""
    return any(klass in scope for klass, _ in value.classes)
