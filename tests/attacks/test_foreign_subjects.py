"""A user's map speaks of its own things: the vocabulary and what other sources tell stay as they are."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.ontology.namespaces import RDFS, SKOS, source_graph
from reqap_kg.store.generations import open_graph
from reqap_kg.store.rdf import NamedNode
from reqap_kg.store.vocabulary import load_vocabulary, packaged_vocabulary

NOW = datetime(2025, 3, 1, 12)
_HEAD = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
_SOURCE = 'rml:logicalSource [ rml:source "{name}.csv" ; rml:referenceFormulation rml:CSV ]'
_TERMS = sorted((*packaged_vocabulary().classes, *packaged_vocabulary().properties))
_SAID = (RDFS + "subClassOf", RDFS + "label", RDFS + "domain", RDFS + "range", SKOS + "altLabel", "urn:x:own")


def _map(name: str, subject: str, more: str = "") -> str:
    source = _SOURCE.replace("{name}", name)
    return f"""{_HEAD}
    <#Sighting> a rml:TriplesMap ; {source} ;
     rml:subjectMap [ {subject} ; rml:class ev:Event ] ;
     rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "species" ] ] ,
     [ rml:predicate ev:start ; rml:objectMap [ rml:reference "seen" ; rml:datatype xsd:dateTime ] ] .
    {more}
    """


def _import(folder: Path, name: str, text: str) -> list[str]:
    (folder / f"{name}.csv").write_text("id,species,seen\n1,chough,2024-05-01T10:00:00\n", encoding="utf-8")
    (folder / f"{name}.ttl").write_text(text, encoding="utf-8")
    options = IngestOptions(Settings(), NOW, mapping=folder / f"{name}.ttl")
    report = ingest([folder / f"{name}.csv"], folder / "store", options)
    return report.sources[0].told


_TEMPLATE = 'rml:template "https://example.org/{id}"'


@settings(deadline=None, max_examples=5)
@given(st.sampled_from(_TERMS), st.sampled_from(_SAID), st.sampled_from(_TERMS))
def test_terms_of_the_ontology_are_not_restated(term: str, said: str, of: str) -> None:
    more = f"""<#Voc> a rml:TriplesMap ; {_SOURCE.replace("{name}", "birds")} ;
    rml:subjectMap [ rml:constant <{term}> ] ;
    rml:predicateObjectMap [ rml:predicate <{said}> ; rml:object <{of}> , "run" ] ."""
    with TemporaryDirectory() as place:
        told = _import(Path(place), "birds", _map("birds", _TEMPLATE, more))
        assert any("kept out" in line and term[:100] in line for line in told)
        with open_graph(Path(place) / "store") as graph:
            found = load_vocabulary(graph)
            assert not graph.ask(f"ASK {{ GRAPH <{source_graph('birds')}> {{ <{term}> ?p ?o }} }}")
            shipped = packaged_vocabulary()
            assert {iri: found.classes[iri].ancestors for iri in shipped.classes} == {
                iri: one.ancestors for iri, one in shipped.classes.items()
            }


@pytest.mark.parametrize(
    "subject", [_TEMPLATE, 'rml:template "https://w3id.org/reqap-kg/data/birds/{id}"'], ids=["own", "data"]
)
def test_things_of_other_sources_are_left_alone(subject: str, tmp_path: Path) -> None:
    assert not any("kept out" in line for line in _import(tmp_path, "birds", _map("birds", subject)))
    assert any("another source" in line for line in _import(tmp_path, "more", _map("more", subject)))
    assert not any("kept out" in line for line in _import(tmp_path, "birds", _map("birds", subject)))
    with open_graph(tmp_path / "store") as graph:
        (subject_of,) = [row[0] for row in graph.select("SELECT ?s { ?s ev:start ?t }")]
        assert isinstance(subject_of, NamedNode)
        assert graph.graphs_about(subject_of) == {source_graph("birds")}


def test_formats_that_are_not_imported_yet_keep_their_names(tmp_path: Path) -> None:
    subject = 'rml:template "https://w3id.org/reqap-kg/data/apple-health/{id}"'
    assert any("another source" in line for line in _import(tmp_path, "more", _map("more", subject)))
