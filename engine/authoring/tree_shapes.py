"""Trees against the SHACL shapes of operators: for `rules test`, which can take its time."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ...ontology.namespaces import SH
from ...operators.syntax.text import parse_tree
from ...store.rdf import serialize_turtle
from ...store.trees import tree_triples


@cache
def _shapes() -> Any:
    from rdflib import Graph

    text = files("reqap_kg.ontology").joinpath("operators-shapes.ttl").read_text("utf-8")
    return Graph().parse(data=text, format="turtle")


def shape_violations(tree: str) -> tuple[str, ...]:
    """What the shapes say against a tree in text form; nothing where it keeps to them."""
    from pyshacl import validate
    from rdflib import Graph, URIRef

    data = Graph().parse(data=serialize_turtle(tree_triples(parse_tree(tree))), format="turtle")
    _, report, _ = validate(data, shacl_graph=_shapes(), inference="none", advanced=False)
    found = report.objects(None, URIRef(SH + "resultMessage")) if isinstance(report, Graph) else ()
    return tuple(sorted({str(message) for message in found}))
