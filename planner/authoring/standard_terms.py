"""The terms of the vocabularies that others define and authors use: SKOS, the RDF Data Cube, OWL and the like."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache


@cache
def standard_terms() -> Mapping[str, frozenset[str]]:
    """The terms by namespace, as rdflib lists them."""
    from rdflib.namespace import FOAF, OWL, PROV, QB, RDF, RDFS, SDO, SKOS, XSD  # only needed to tell what is wrong

    spaces = (FOAF, OWL, PROV, QB, RDF, RDFS, SDO, SKOS, XSD)
    return {str(space): frozenset(str(term) for term in dir(space)) for space in spaces}
