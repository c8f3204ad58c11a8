"""How measures add up: words that are none are refused, sums that would be wrong are declined."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from reqap_kg.config import RULES, Settings
from reqap_kg.engine.authoring.domain import check_measures
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import AsksWhy, Declined, DomainError
from reqap_kg.store.rdf import parse_turtle

NOW = datetime(2025, 1, 1, 12)
_PREFIXES = """@prefix wh: <https://w3id.org/reqap-kg/warehouse#> . @prefix qb: <http://purl.org/linked-data/cube#> .
@prefix : <https://example.org/lakes#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rml: <http://w3id.org/rml/> . @prefix pg: <https://w3id.org/reqap-kg/parse#> .
"""
_ONTOLOGY = """
:Survey a owl:Class ; rdfs:subClassOf qb:Observation ; rdfs:label "survey" .
:lake a owl:DatatypeProperty, qb:DimensionProperty ; rdfs:label "lake" ; rdfs:domain :Survey ; rdfs:range xsd:string .
:season a owl:DatatypeProperty, qb:DimensionProperty ; rdfs:label "season" ;
  rdfs:domain :Survey ; rdfs:range xsd:integer ; wh:kind "time" .
:stock a owl:DatatypeProperty, qb:MeasureProperty ; rdfs:label "stock" ;
  rdfs:domain :Survey ; rdfs:range xsd:integer ; wh:aggregate "sum" ; wh:notOver :season .
:catch a owl:DatatypeProperty, qb:MeasureProperty ; rdfs:label "catch" ;
  rdfs:domain :Survey ; rdfs:range xsd:integer ; wh:aggregate "sum" .
:eelShare a owl:DatatypeProperty, qb:MeasureProperty ; rdfs:label "eel share" ;
  rdfs:domain :Survey ; rdfs:range xsd:decimal ; wh:aggregate "avg" ; wh:weight :catch .
:clarity a owl:DatatypeProperty, qb:MeasureProperty ; rdfs:label "clarity" ;
  rdfs:domain :Survey ; rdfs:range xsd:decimal ; wh:aggregate "none" .
"""
_ROWS = (
    ("Vettern", 2020, 100, 10, 50, 4),
    ("Vettern", 2021, 120, 30, 10, 5),
    ("Siljan", 2020, 40, 5, 20, 6),
    ("Siljan", 2021, 50, 5, 40, 7),
)


def _map() -> str:
    columns = (
        ("lake", "string"),
        ("season", "integer"),
        ("stock", "integer"),
        ("catch", "integer"),
        ("eelShare", "decimal"),
        ("clarity", "decimal"),
    )
    parts = ", ".join(
        f'[ rml:predicate :{name} ; rml:objectMap [ rml:reference "{name}" ; rml:datatype xsd:{kind} ] ]'
        for name, kind in columns
    )
    return f"""<#Surveys> a rml:TriplesMap ; rml:logicalSource [
    rml:source [ a rml:RelativePathSource ; rml:root rml:MappingDirectory ;
      rml:path "data/surveys.csv" ] ; rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/survey/{{lake}}-{{season}}" ; rml:class :Survey ] ;
  rml:predicateObjectMap {parts} ."""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = tmp_path_factory.mktemp("lakes")
    for name in ("maps", "data"):
        (folder / name).mkdir()
    (folder / "domain.ttl").write_text(_PREFIXES + '<> pg:ruleSet "warehouse" ; rdfs:label "Lakes" .', encoding="utf-8")
    (folder / "ontology.ttl").write_text(_PREFIXES + _ONTOLOGY, encoding="utf-8")
    (folder / "maps" / "surveys.ttl").write_text(_PREFIXES + _map(), encoding="utf-8")
    lines = ["lake,season,stock,catch,eelShare,clarity", *(",".join(map(str, row)) for row in _ROWS)]
    (folder / "data" / "surveys.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    # Rules alone: what is tested are the trees that rules make of measures.
    chosen = Settings(proposers=(RULES,), domain=folder, home_zone="Europe/Oslo")
    ingest((), folder / "store", IngestOptions(chosen, NOW))
    with KnowledgeGraph.open(folder / "store", chosen) as graph:
        yield graph


@pytest.mark.parametrize("question", ["total stock of Siljan", "stock by lake", "clarity by lake"])
def test_a_sum_that_would_be_wrong_is_declined_with_the_reason(known: KnowledgeGraph, question: str) -> None:
    with pytest.raises(Declined, match="ask by season or for one"):
        known.ask(question, now=NOW)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("stock by season", (140, 170)),
        ("catch by lake", (10, 40)),
        ("average stock by lake", (45, 110)),
        ("eel share by lake", (30, 20)),
    ],
)
def test_what_adds_up_is_answered(known: KnowledgeGraph, question: str, expected: tuple[float, ...]) -> None:
    assert sorted(known.ask(question, now=NOW).values, key=float) == sorted(expected)


@pytest.mark.parametrize(
    "question", ["Why did the catch fall?", "How come the catch fell by lake?", "what caused the catch"]
)
def test_causes_are_declined(known: KnowledgeGraph, question: str) -> None:
    with pytest.raises(AsksWhy):
        known.ask(question, now=NOW)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (':m a qb:MeasureProperty ; wh:aggregate "summ" .', "did you mean sum"),
        (":m a qb:MeasureProperty ; wh:notOver :sesaon .", "qb:DimensionProperty"),
        (":m a qb:MeasureProperty ; wh:weight :nothing .", "qb:MeasureProperty"),
    ],
)
def test_words_that_are_none_are_refused(said: str, message: str) -> None:
    with pytest.raises(DomainError, match=message):
        check_measures(parse_turtle(_PREFIXES + said))
