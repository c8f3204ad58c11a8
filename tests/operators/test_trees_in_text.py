"""Trees that RDF gives in text form, whole or in part."""

import pytest

from reqap_kg.errors import TreeSyntaxError, TreeTypeError
from reqap_kg.ontology.namespaces import QUD, RDF_TYPE
from reqap_kg.operators.syntax.rdf import Blank, Iri, RdfTriple, Text, tree_from_rdf
from reqap_kg.operators.syntax.text import parse_tree

WRITTEN = 'MAP(l=RETRIEVE(query="music"), fct=lambda attr: 1, res_name="one")'


def written(text: str) -> list[RdfTriple]:
    return [(Blank("w"), Iri(RDF_TYPE), Iri(QUD + "Tree")), (Blank("w"), Iri(QUD + "text"), Text(text))]


def test_a_tree_in_text_form() -> None:
    assert tree_from_rdf(written(WRITTEN), Blank("w")) == parse_tree(WRITTEN)


def test_a_part_in_text_form() -> None:
    above = [
        (Blank("top"), Iri(RDF_TYPE), Iri(QUD + "Sum")),
        (Blank("top"), Iri(QUD + "name"), Text("one")),
        (Blank("top"), Iri(QUD + "input"), Blank("w")),
    ]
    assert tree_from_rdf([*above, *written(WRITTEN)]) == parse_tree(f'SUM(l={WRITTEN}, attr_name="one")')


def test_a_text_that_is_no_tree_is_refused() -> None:
    with pytest.raises(TreeSyntaxError):
        tree_from_rdf(written("RETRIEVE("), Blank("w"))


def test_one_text_is_needed() -> None:
    with pytest.raises(TreeTypeError, match="one qud:text"):
        tree_from_rdf([*written(WRITTEN), *written('RETRIEVE(query="x")')], Blank("w"))
