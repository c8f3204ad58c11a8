"""How measures say that they add up (ontology/warehouse.ttl), checked when a domain is loaded: a misspelt word would
let a wrong sum pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rapidfuzz import process

from ...errors import DomainError
from ...ontology.namespaces import QB, RDF_TYPE, WH
from ...store.rdf import NamedNode, Quad

WAYS: Final = ("sum", "avg", "average", "min", "max", "count", "distinct", "none")
"""What wh:aggregate may say."""
_OF_DIMENSIONS: Final = ("notOver", "partly")


def check_measures(quads: Iterable[Quad]) -> None:
    """Raises DomainError for a way of adding up that there is none of, and for what names no dimension or measure."""
    said = tuple(quads)
    kinds = {
        (q.subject, q.object.value) for q in said if q.predicate.value == RDF_TYPE and isinstance(q.object, NamedNode)
    }
    for quad in said:
        term = quad.predicate.value.removeprefix(WH)
        value = getattr(quad.object, "value", "")
        if term == "aggregate" and value not in WAYS:
            nearest = process.extractOne(value, WAYS, score_cutoff=60)
            expected = f"one of {', '.join(WAYS)}"
            message = f"{quad.subject}: wh:aggregate {value!r}"
            raise DomainError(message, expected=expected, nearest=nearest[0] if nearest else None)
        wanted = "DimensionProperty" if term in _OF_DIMENSIONS else "MeasureProperty" if term == "weight" else None
        if wanted and quad.predicate.value.startswith(WH) and (quad.object, QB + wanted) not in kinds:
            raise DomainError(f"{quad.subject}: wh:{term} {value}", expected=f"a qb:{wanted} of the domain")
