"""Text keys as the ontology describes them."""

import pytest

from reqap_kg.extraction.keys import ValueKind, load_text_keys, undescribed
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.rdf import parse_turtle

OWN = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:k> a ev:TextKey ; rdfs:label "bird" ; skos:altLabel "species" ; ev:valueKind "concept" ; ev:lexiconKey "bird" ;
  ev:question "which bird was seen" ; ev:named [ ev:value "great tit" ; ev:as "Parus major" ] .
<urn:j> a ev:TextKey ; rdfs:label "mood" ; ev:valueKind "feeling" .
"""


@pytest.fixture(scope="module")
def keys():
    return load_text_keys(MemoryGraph([*ontology_quads(), *parse_turtle(OWN)]))


@pytest.mark.parametrize(
    ("called", "name", "kind", "unit"),
    [
        ("participants", "participants", ValueKind.PEOPLE, None),
        ("with_whom", "participants", ValueKind.PEOPLE, None),
        ("doctorName", "doctor name", ValueKind.PHRASE, None),
        ("duration_min", "duration", ValueKind.DURATION, "min"),
        ("duration_hours", "duration", ValueKind.DURATION, "h"),
        ("distance_km", "distance", ValueKind.DISTANCE, "km"),
        ("distance", "distance", ValueKind.DISTANCE, "km"),
        ("price", "amount spent", ValueKind.MONEY, None),
        ("event_date", "event date", ValueKind.DATE, None),
        ("species", "bird", ValueKind.CONCEPT, None),
    ],
)
def test_keys_are_found_by_any_of_their_names(keys, called, name, kind, unit):
    found = keys.called(called)
    assert found is not None
    assert (found.name, found.kind, found.unit) == (name, kind, unit)


def test_other_keys_are_not_guessed(keys):
    assert keys.called("warranty") is None
    assert keys.called("min") is None
    assert keys.called("") is None


def test_a_users_key_is_read_as_it_is_described(keys):
    bird = keys.called("bird")
    assert (bird.lexicon_keys, bird.question, dict(bird.named)) == (
        ("bird",),
        "which bird was seen",
        {"great tit": "Parus major"},
    )
    assert keys.called("mood").kind is ValueKind.PHRASE  # of no known kind


def test_what_no_ontology_describes_is_read_by_its_type_and_words():
    assert undescribed("launch_date", AttributeType.DATE).kind is ValueKind.DATE
    assert undescribed("team_name", AttributeType.STR).question == "team name"
    assert undescribed("songs", AttributeType.LIST).multiple
