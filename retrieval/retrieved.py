"""What RETRIEVE gives: what a query stands for, and which events that are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..execution.derivations.derive import read_hits
from ..operators.resolution import ClassMatch, DerivedMatch, RetrieveMatch
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode
from .hits import Hit


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

    unread: bool = False
    """Whether texts may tell of more of what is recorded, and were not read for it."""

    @property
    def on_record(self) -> Retrieved:
        """The same without what only texts tell of."""
        return self if self.records is None else replace(self, match=self.records)


def matched_events(match: RetrieveMatch, graph: Graph) -> tuple[Hit, ...]:
    """The events that a match holds for, best first; those of a class score 1."""
    if isinstance(match, DerivedMatch):
        return read_hits(graph, match.activity)
    rows = graph.select(f"SELECT DISTINCT ?e WHERE {{ {_class_pattern(match)} }}")
    return tuple(Hit(event, 1.0) for event in sorted(event.value for (event,) in rows if event is not None))


def has_events(match: ClassMatch, graph: Graph) -> bool:
    """Whether a match holds for any event."""
    return graph.ask(f"ASK {{ {_class_pattern(match)} }}")


def found_nothing(query: str) -> str:
    """What is told where a search finds nothing although the words name nothing that is missing: they may not have been
    understood."""
    return f"nothing was found for '{query}'"


def _class_pattern(match: ClassMatch) -> str:
    """A pattern of the events `?e` that a match holds for."""
    classes = " ".join(str(NamedNode(iri)) for iri in match.classes)
    parts = [f"?e a ?class . VALUES ?class {{ {classes} }}"]
    for number, constraint in enumerate(match.constraints):
        accepted = ", ".join(f"LCASE({Literal(value)})" for value in constraint.values)
        parts.append(f"?e {NamedNode(constraint.property)} ?v{number} FILTER(LCASE(STR(?v{number})) IN ({accepted}))")
    return " ".join(parts)
