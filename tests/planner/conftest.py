"""A small life and a time of asking for the planner's tests."""

from __future__ import annotations

from datetime import datetime

import pytest

from reqap_kg.planner.annotation.parse_graph import vocabulary_triples
from reqap_kg.planner.patterns.functions import Clock, extension_functions
from reqap_kg.planner.patterns.limits import BoundedGraph
from reqap_kg.planner.patterns.patterns import Matcher
from reqap_kg.planner.rules.rulebook import RuleBook, shipped_rulebook
from reqap_kg.planner.search.plan import Plan, Planner
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import NamedNode, Quad, parse_turtle
from reqap_kg.store.vocabulary import Vocabulary, packaged_vocabulary

NOW = datetime(2025, 9, 14, 10, 30)
"""A Sunday."""

LIFE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix data: <https://w3id.org/reqap-kg/data/> .
@prefix key: <https://w3id.org/reqap-kg/key/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
data:s1 a ev:MusicStream ; ev:start "2024-12-20T18:00:00"^^xsd:dateTime ;
  ev:songName "Last Christmas" ; ev:artist "Wham!" .
data:s2 a ev:MusicStream ; ev:start "2025-01-02T18:00:00"^^xsd:dateTime ;
  ev:songName "Yesterday" ; ev:artist "The Beatles" .
data:s3 a ev:MusicStream ; ev:start "2025-02-02T18:00:00"^^xsd:dateTime ;
  ev:songName "Most Girls" ; ev:artist "P!nk" .
data:m1 a ev:MovieStream ; ev:start "2023-02-02T18:00:00"^^xsd:dateTime ;
  ev:movieTitle "Summer of 2022" ; key:mood "happy" .
data:p1 a ev:Person ; rdfs:label "Greta Olsen" ; ev:nickname "Gretl" ; ev:relation "sister" .
data:p2 a ev:Person ; rdfs:label "Tom Baker" ; ev:relation "friend" .
"""


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return packaged_vocabulary()


@pytest.fixture(scope="session")
def book() -> RuleBook:
    return shipped_rulebook()


@pytest.fixture(scope="session")
def life() -> MemoryGraph:
    return MemoryGraph(parse_turtle(LIFE))


@pytest.fixture(scope="session")
def words(book: RuleBook, vocabulary: Vocabulary) -> MemoryGraph:
    """What patterns look at besides the question."""
    known = MemoryGraph(book.quads, functions=extension_functions(book.forms))
    known.add(Quad(t.subject, t.predicate, t.object, NamedNode("urn:v")) for t in vocabulary_triples(vocabulary))
    return known


@pytest.fixture
def matcher(words: MemoryGraph) -> Matcher:
    return Matcher(BoundedGraph(words), Clock(NOW))


@pytest.fixture(scope="session")
def planned(life: MemoryGraph, vocabulary: Vocabulary):
    planner = Planner(life, vocabulary)

    def make(question: str, now: datetime = NOW) -> Plan:
        return planner.plan(question, now=now)

    return make
