"""Domains: folders with ontology, maps, rules and profile."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.authoring.domain import domain_of, load_domain, ontology_of, rulebook_of
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import DomainError, UsageError
from reqap_kg.planner.rules.rulebook import shipped_rulebook
from reqap_kg.store.ontology_graph import shipped_documents

NOW = datetime(2025, 6, 1, 12)
PREFIXES = """@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix g: <https://example.org/garden#> .
@prefix wh: <https://w3id.org/reqap-kg/warehouse#> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix qb: <http://purl.org/linked-data/cube#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rml: <http://w3id.org/rml/> .
"""
ONTOLOGY = """
g:Harvest a owl:Class ; rdfs:subClassOf qb:Observation ; rdfs:label "harvest" .
g:weight a owl:DatatypeProperty, qb:MeasureProperty ; rdfs:label "weight" ;
  rdfs:domain g:Harvest ; rdfs:range xsd:decimal .
g:value a owl:DatatypeProperty, qb:MeasureProperty ; rdfs:label "value" ;
  rdfs:domain g:Harvest ; rdfs:range xsd:decimal ; ev:formula "?weight * ?price" .
g:price rdfs:label "price" ; owl:propertyChainAxiom ( g:of g:hasPrice ) .
g:crop a owl:DatatypeProperty, qb:DimensionProperty ; rdfs:label "crop" ;
  rdfs:domain g:Harvest ; owl:propertyChainAxiom ( g:of rdfs:label ) .
"""
MAP = """
<#Harvest> a rml:TriplesMap ; rml:logicalSource [ rml:source "data/harvest.csv" ; rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/harvest/{id}" ; rml:class g:Harvest ] ;
  rml:predicateObjectMap [ rml:predicate g:weight ; rml:objectMap [ rml:reference "kg" ; rml:datatype xsd:decimal ] ] ,
    [ rml:predicate g:of ; rml:objectMap [ rml:template "https://example.org/crop/{crop}" ] ] .
<#Crop> a rml:TriplesMap ; rml:logicalSource [ rml:source "data/crop.csv" ; rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/crop/{id}" ] ;
  rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "name" ] ] ,
    [ rml:predicate g:hasPrice ; rml:objectMap [ rml:reference "price" ; rml:datatype xsd:decimal ] ] .
"""


def garden(folder: Path, *, ontology: str = ONTOLOGY, uses: str = "warehouse") -> Path:
    """A small domain."""
    written = {
        "domain.ttl": f'<> a pg:Domain ; rdfs:label "Garden" ; pg:ruleSet "{uses}" .',
        "ontology.ttl": ontology,
        "maps/garden.ttl": MAP,
    }
    for name, text in written.items():
        path = folder / "garden" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PREFIXES + text, encoding="utf-8")
    data = folder / "garden" / "data"
    data.mkdir()
    (data / "harvest.csv").write_text("id,crop,kg\n1,b,2.5\n2,b,1.5\n3,p,10\n", encoding="utf-8")
    (data / "crop.csv").write_text("id,name,price\nb,beans,4\np,potatoes,0.5\n", encoding="utf-8")
    return folder / "garden"


def options(domain: Path) -> IngestOptions:
    return IngestOptions(Settings(home_zone="Europe/Oslo", domain=domain), NOW)


def test_a_domain_is_imported_and_asked(tmp_path: Path) -> None:
    domain = garden(tmp_path)
    report = ingest([], tmp_path / "store", options(domain))
    assert [(source.name, source.records, source.state) for source in report.sources] == [("garden", 5, "new")]
    with KnowledgeGraph.open(tmp_path / "store", options(domain).settings) as known:
        table = known.ask("value by crop", now=NOW).table
        assert table is not None
        assert (table.columns, table.rows) == (("crop", "value"), (("beans", 16), ("potatoes", 5)))


def test_the_same_data_again_changes_nothing_and_other_data_replaces(tmp_path: Path) -> None:
    domain = garden(tmp_path)
    ingest([], tmp_path / "store", options(domain))
    assert ingest([], tmp_path / "store", options(domain)).sources[0].state == "unchanged"
    other = tmp_path / "harvest.csv"
    other.write_text("id,crop,kg\n1,b,7\n", encoding="utf-8")
    assert ingest([other], tmp_path / "store", options(domain)).sources[0].state == "withheld"
    allowed = replace(options(domain), replace=True)
    assert ingest([other], tmp_path / "store", allowed).sources[0].state == "replaced"
    with KnowledgeGraph.open(tmp_path / "store", options(domain).settings) as known:
        assert known.ask("How much weight in total?", now=NOW).values == (7,)


def test_a_file_that_no_map_reads_is_refused(tmp_path: Path) -> None:
    domain = garden(tmp_path)
    (tmp_path / "weeds.csv").write_text("id\n1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"no map of the domain reads .*weeds\.csv"):
        ingest([tmp_path / "weeds.csv"], tmp_path / "store", options(domain))


def test_a_changed_ontology_counts_without_import(tmp_path: Path) -> None:
    domain = garden(tmp_path)
    ingest([], tmp_path / "store", options(domain))
    path = domain / "ontology.ttl"
    path.write_text(path.read_text(encoding="utf-8").replace('"value"', '"worth"'), encoding="utf-8")
    with KnowledgeGraph.open(tmp_path / "store", options(domain).settings) as known:
        assert known.vocabulary.properties["https://example.org/garden#value"].label == "worth"


@pytest.mark.parametrize(
    ("formula", "message"),
    [("?weight * ?cost", r"\?cost, but https://example.org/garden#cost is no property"), ("?weight *", "is wrong")],
)
def test_a_wrong_formula_is_refused(tmp_path: Path, formula: str, message: str) -> None:
    domain = garden(tmp_path, ontology=ONTOLOGY.replace("?weight * ?price", formula))
    with pytest.raises(DomainError, match=message):
        ingest([], tmp_path / "store", options(domain))
    assert not (tmp_path / "store" / "CURRENT").exists()


def test_a_formula_cannot_reach_the_network(tmp_path: Path) -> None:
    stolen = "1) AS ?x) SERVICE <http://example.org/> { ?s ?p ?o } BIND((1"
    domain = garden(tmp_path, ontology=ONTOLOGY.replace("?weight * ?price", stolen))
    with pytest.raises(DomainError):
        ingest([], tmp_path / "store", options(domain))


def test_a_folder_without_domain_ttl_is_none(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"no domain\.ttl"):
        load_domain(tmp_path)


def test_unknown_sets_are_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="personal, warehouse"):
        load_domain(garden(tmp_path, uses="werehouse"))


def test_a_domain_says_nothing_that_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "domain.ttl").write_text(PREFIXES + '<> a pg:Domain ; pg:uses "warehouse" .', encoding="utf-8")
    with pytest.raises(DomainError, match=r"a domain has no pg:uses.*pg:ruleSet"):
        load_domain(tmp_path)


def test_an_empty_domain_is_that_of_personal_events(tmp_path: Path) -> None:
    (tmp_path / "domain.ttl").write_text(PREFIXES + '<> rdfs:label "Me" .', encoding="utf-8")
    settings = Settings(domain=tmp_path)
    assert ontology_of(tmp_path) == shipped_documents()
    assert [rule.iri for rule in rulebook_of(settings).rules] == [rule.iri for rule in shipped_rulebook().rules]
    assert domain_of(None) is None


def test_a_warehouse_has_no_words_of_personal_events(tmp_path: Path) -> None:
    domain = garden(tmp_path)
    ingest([], tmp_path / "store", options(domain))
    with KnowledgeGraph.open(tmp_path / "store", options(domain).settings) as known:
        assert not known.vocabulary.classes_named("song")
        assert known.vocabulary.classes_named("harvest")
