"""Namespaces of the graph, and the prefixes that every query may use without declaring them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

BASE: Final = "https://w3id.org/reqap-kg/"
EV: Final = BASE + "event#"
QUD: Final = BASE + "operator#"
PG: Final = BASE + "parse#"
KEY: Final = BASE + "key/"
FN: Final = BASE + "function#"
RQ: Final = BASE + "retrieval#"
"""RETRIEVE and EXTRACT as functions of SPARQL (docs/derivations.md)."""
WH: Final = BASE + "warehouse#"
"""Measures and dimensions, beside the RDF Data Cube vocabulary (ontology/warehouse.ttl)."""
DATA: Final = BASE + "data/"
GRAPH: Final = BASE + "graph/"

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
PROV: Final = "http://www.w3.org/ns/prov#"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
SCHEMA: Final = "https://schema.org/"
SEM: Final = "http://semanticweb.cs.vu.nl/2009/11/sem/"
QUDT: Final = "http://qudt.org/schema/qudt/"
UNIT: Final = "http://qudt.org/vocab/unit/"
SH: Final = "http://www.w3.org/ns/shacl#"
RML: Final = "http://w3id.org/rml/"
QB: Final = "http://purl.org/linked-data/cube#"
DIALOG: Final = BASE + "dialog#"
"""How a dialog about a large answer asks (mappings/dialog/questions.ttl)."""
CHART: Final = BASE + "chart#"
"""Which chart shows an answer (mappings/charts/charts.ttl)."""

RDF_TYPE: Final = RDF + "type"

PREFIXES: Final = MappingProxyType(
    {
        "ev": EV,
        "qud": QUD,
        "pg": PG,
        "key": KEY,
        "fn": FN,
        "rq": RQ,
        "data": DATA,
        "graph": GRAPH,
        "rdf": RDF,
        "rdfs": RDFS,
        "owl": OWL,
        "xsd": XSD,
        "skos": SKOS,
        "prov": PROV,
        "foaf": FOAF,
        "schema": SCHEMA,
        "sem": SEM,
        "qudt": QUDT,
        "unit": UNIT,
        "sh": SH,
        "rml": RML,
        "wh": WH,
        "qb": QB,
        "dialog": DIALOG,
        "chart": CHART,
    }
)

VOCABULARY_GRAPH: Final = GRAPH + "vocabulary"
DIALOGUE_SOURCE: Final = "reqap-kg"
"""Who answers here, and what `forget` calls what was asked and answered."""
DIALOGUES: Final = "dialogues"
"""The format of the journal of what was asked and answered here, and its source in the store that only it is in."""
PROFILE_SOURCE: Final = "profile"
"""Name of the source that a profile file becomes."""
DERIVED: Final = GRAPH + "derived/"
MODEL: Final = BASE + "model/"
NUMBERS: Final = frozenset(XSD + name for name in ("integer", "int", "decimal", "double", "float"))
"""Datatypes of numbers."""
ANY_TEXT: Final = EV + "AnyText"
"""Stands for all classes of events that may tell of anything, those to come too, in what a derivation reads."""
LEXICONS: Final = GRAPH + "lexicons"
"""Stands for the lexicons of `ontology/lexicons` and the user's own, in what a derivation reads."""


def source_graph(name: str) -> str:
    """IRI of the named graph that holds one source's events; `name` is already a slug (a-z, 0-9, '-')."""
    return GRAPH + "source/" + name


def catalog_graph(name: str) -> str:
    """IRI of the named graph that says what was imported as source `name`: its files, counts and skipped records."""
    return GRAPH + "catalog/" + name


def derivation_graph(digest: str) -> str:
    """IRI of the named graph of one derivation; `digest` is the hash of operator, model, query and inputs."""
    return DERIVED + digest


def model_agent(digest: str) -> str:
    """IRI of the prov:SoftwareAgent that made a derivation; `digest` is the hash of the model's name and hash."""
    return MODEL + digest
