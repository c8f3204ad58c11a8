"""Values of properties as plain Python values, for rows and batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...operators.resolution import AttributeMatch
from ...retrieval.context import RetrieveContext
from ...store.rdf import Literal, NamedNode, Term

_AT_ONCE: Final = 2000


def values_of(events: Sequence[str], match: AttributeMatch, context: RetrieveContext) -> dict[str, Any]:
    """Values by event: of the first property that the event has; several of them as a list."""
    found: dict[str, Any] = {}
    for begin in range(0, len(events), _AT_ONCE):
        nodes = " ".join(str(NamedNode(iri)) for iri in events[begin : begin + _AT_ONCE])
        for iri in match.properties:
            query = f"SELECT DISTINCT ?e ?v {{ VALUES ?e {{ {nodes} }} ?e {NamedNode(iri)} ?v }} ORDER BY ?e ?v"
            of_property: dict[str, list[Any]] = {}
            for event, value in context.graph.select(query):
                if event is not None and value is not None:
                    of_property.setdefault(event.value, []).append(plain(value))
            for event, values in of_property.items():
                found.setdefault(event, values[0] if len(values) == 1 else values)
    return found


def plain(term: Term) -> Any:
    """A term as a plain value: numbers as such, all else as its text."""
    if isinstance(term, Literal) and term.datatype.value.rsplit("#", 1)[-1] in ("integer", "decimal", "double"):
        number = float(term.value)
        return int(number) if number.is_integer() else number
    return term.value
