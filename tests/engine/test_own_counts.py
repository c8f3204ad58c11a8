"""The numbers of a user's own map can be asked, also where it calls one `count`, as questions call counting."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 1, 1, 12)
ROWS = (
    "id,kind,at,{name}\n1,Otter,2024-05-04T10:12:00,2\n2,Heron,2024-05-04T11:40:00,1\n3,Otter,2024-09-21T09:05:00,5\n"
)
MAP = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<#Sighting> a rml:TriplesMap ;
  rml:logicalSource [ rml:source [ a rml:RelativePathSource ; rml:root rml:MappingDirectory ; rml:path "pond.csv" ] ;
    rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/pond/{{id}}" ; rml:class ev:Event ] ;
  rml:predicateObjectMap
    [ rml:predicate <#{name}> ; rml:objectMap [ rml:reference "{name}" ; rml:datatype xsd:integer ] ] ,
    [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "kind" ] ] ,
    [ rml:predicate ev:start ; rml:objectMap [ rml:reference "at" ; rml:datatype xsd:dateTime ] ] .
"""


@pytest.fixture(scope="module", params=["count", "number", "pups"])
def pond(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, KnowledgeGraph]]:
    folder: Path = tmp_path_factory.mktemp("pond")
    (folder / "pond.csv").write_text(ROWS.format(name=request.param), encoding="utf-8")
    (folder / "pond.ttl").write_text(MAP.format(name=request.param), encoding="utf-8")
    settings = Settings(home_zone="Europe/Oslo")
    options = IngestOptions(settings, NOW, mapping=folder / "pond.ttl")
    ingest([folder / "pond.csv"], folder / "store", options)
    with KnowledgeGraph.open(folder / "store", settings) as known:
        yield request.param, known


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the total {} of otters?", 7),
        ("What was the total {} of the sightings in 2024?", 8),
        ("What was the average {} of my otter sightings?", Decimal("3.5")),
        ("What was the highest {} of otters?", 5),
        ("How many otters did I see in 2024?", 2),
        ("How many sightings did I have in 2024?", 3),
    ],
)
def test_the_numbers_of_a_map_can_be_asked(pond: tuple[str, KnowledgeGraph], question: str, value: int) -> None:
    name, known = pond
    assert known.ask(question.format(name), now=NOW).values == (value,)


def test_what_is_counted_says_that_it_has_a_count_of_its_own(pond: tuple[str, KnowledgeGraph]) -> None:
    name, known = pond
    answer = known.ask("How many otters did I see in 2024?", now=NOW)
    said = [note for note in answer.notes if f"the total {name} of otters I saw" in note]
    assert bool(said) == (name != "pups")
    assert known.ask(f"the total {name} of otters I saw", now=NOW).values == (7,)


def test_the_word_still_counts_where_no_map_has_it(pond: tuple[str, KnowledgeGraph]) -> None:
    name, known = pond
    if name == "pups":
        assert known.ask("What is the total count of otters?", now=NOW).values == (2,)
        assert known.ask("What is the number of sightings in 2024?", now=NOW).values == (3,)
