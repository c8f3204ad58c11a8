"""Checks what was imported and derived against the SHACL shapes, in batches, so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ...config import Settings
from ...ontology.namespaces import EV, RDF_TYPE, SH
from ...store.graph import Graph
from ...store.rdf import NamedNode, serialize_turtle
from ..conversation.kept import opened_graph
from ..importing.report import Progress

BATCH = 1000


@dataclass(frozen=True)
class Violation:
    """One event, person or derivation that breaks a shape; `path` is the property, `severity` Violation or Warning."""

    event: str
    path: str
    message: str
    severity: str


def validate_store(directory: Path, settings: Settings, progress: Progress) -> Iterator[Violation]:
    """Every violation in the store at `directory`, by event."""
    from rdflib import Graph as RdflibGraph

    shapes = RdflibGraph().parse(
        data=files("reqap_kg.ontology").joinpath("shapes.ttl").read_text("utf-8"), format="turtle"
    )
    with opened_graph(directory, settings) as graph:
        subjects = [row[0] for row in graph.select(_SUBJECTS)]
        for begin in range(0, len(subjects), BATCH):
            progress.counted("validating", begin, len(subjects))
            batch = [node for node in subjects[begin : begin + BATCH] if isinstance(node, NamedNode)]
            yield from _validate(graph, batch, shapes)


_SUBJECTS = """
SELECT DISTINCT ?s {
  { ?class rdfs:subClassOf* ev:Event . ?s a ?class } UNION { ?s ev:source ?source } UNION { ?s a ev:Person }
  UNION { ?s a ev:Derivation } UNION { ?s a prov:SoftwareAgent } UNION { ?s prov:wasGeneratedBy ?d }
  FILTER(isIRI(?s))
} ORDER BY ?s
"""


def _validate(graph: Graph, subjects: list[NamedNode], shapes: object) -> Iterator[Violation]:
    from pyshacl import validate
    from rdflib import Graph as RdflibGraph
    from rdflib import URIRef

    values = " ".join(str(node) for node in subjects)
    triples = graph.construct(f"CONSTRUCT {{ ?s ?p ?o }} {{ VALUES ?s {{ {values} }} ?s ?p ?o }}")
    data = RdflibGraph().parse(data=serialize_turtle(triples), format="turtle")
    _, report, _ = validate(data, shacl_graph=shapes, inference="none", advanced=False, allow_warnings=False)  # type: ignore[arg-type]
    assert isinstance(report, RdflibGraph)
    for result in report.subjects(URIRef(RDF_TYPE), URIRef(SH + "ValidationResult")):
        yield Violation(
            event=str(report.value(result, URIRef(SH + "focusNode"))),
            path=str(report.value(result, URIRef(SH + "resultPath"))).removeprefix(EV),
            message=str(report.value(result, URIRef(SH + "resultMessage"))),
            severity=str(report.value(result, URIRef(SH + "resultSeverity"))).removeprefix(SH),
        )
