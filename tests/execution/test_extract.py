"""EXTRACT's keys: read by name, by spelling, by meaning; never guessed."""

from dataclasses import replace

import pytest
from resolving import resolve

from reqap_kg.errors import ConfigError, NotUnderstood
from reqap_kg.execution.derivations.derive import list_derivations
from reqap_kg.extraction.extract import Resolved, Unresolved, resolve_attribute
from reqap_kg.ontology.namespaces import EV, KEY
from reqap_kg.operators.nodes import AttributeType, Extract, Join, Retrieve
from reqap_kg.operators.resolution import ClassMatch
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.retrieval.retrieve import resolve_retrieve

T = AttributeType


def read(query, key, kind, context):
    """What a key is read as."""
    return resolve_attribute(query, resolve_retrieve(query, context).match, key, kind, context)


@pytest.mark.parametrize(
    ("query", "key", "kind", "properties"),
    [
        ("I listened to music", "song", T.STR, ["songName"]),
        ("I listened to music", "title", T.STR, ["songName"]),
        ("I listened to music", "artists", T.LIST, ["artist"]),
        ("I listened to music", "song_duration", T.FLOAT, ["duration"]),
        ("my runs", "start_date", T.DATE, ["start"]),
        ("my runs", "start_time", T.TIME, ["start"]),
        ("my runs", "start_datetime", T.DATETIME, ["start"]),
        ("my runs", "type", T.STR, ["workoutType"]),
        ("my runs", "distance", T.FLOAT, ["distance"]),
        ("my runs", "distence", T.FLOAT, ["distance"]),
        ("I watched movies", "title", T.STR, ["movieTitle"]),
        ("online purchases", "amount_spent", T.FLOAT, ["price"]),
        ("online purchases", "purchase_date", T.DATE, ["start"]),
        ("online purchases", "store", T.STR, ["shop"]),
        ("emails", "title", T.STR, ["subject"]),
        ("my calendar entries", "name", T.STR, ["title"]),
    ],
)
def test_keys_are_read_by_the_ontology_in_the_domain_of_the_events(life, query, key, kind, properties):
    outcome = read(query, key, kind, life)
    assert isinstance(outcome, Resolved)
    assert list(outcome.match.properties) == [EV + p for p in properties]


def test_events_of_several_classes_give_several_properties(searching):
    outcome = read("I ate Italian food", "title", T.STR, searching)
    assert isinstance(outcome, Resolved)
    assert outcome.match.properties[0] == EV + "title"


def test_source_keys_answer_what_no_map_names(life):
    outcome = read("workouts", "mood", T.STR, life)
    assert isinstance(outcome, Resolved)
    assert outcome.match.properties == (KEY + "mood",)
    assert isinstance(read("workouts", "perceived effort", T.STR, life), Resolved)


def test_units_and_multiplicity_come_with_the_match(life):
    distance, price, artist = (
        read("my runs", "distance", T.FLOAT, life),
        read("online purchases", "money", T.FLOAT, life),
        read("songs", "artist", T.LIST, life),
    )
    assert isinstance(distance, Resolved)
    assert isinstance(price, Resolved)
    assert isinstance(artist, Resolved)
    assert distance.match.unit == "km"
    assert (price.match.unit, price.match.unit_property) == (None, EV + "currency")
    assert artist.match.multiple
    assert price.notes == ("'money' is read as price",)
    assert distance.notes == ()


def test_a_known_attribute_that_no_event_has_is_told(life):
    outcome = read("songs", "end_time", T.TIME, life)
    assert isinstance(outcome, Resolved)
    assert outcome.warnings == ("no event of 'songs' has a end",)


def test_the_nearest_by_meaning_is_kept_as_a_derivation(searching, word_encoder):
    outcome = read("online purchases", "expense", T.FLOAT, searching)
    assert isinstance(outcome, Resolved)
    assert outcome.match.properties == (EV + "price",)
    (derivation,) = list_derivations(searching.graph)
    assert (derivation.operator, derivation.results) == ("EXTRACT", 1)
    word_encoder.asked.clear()
    assert read("online purchases", "expense", T.FLOAT, searching) == outcome
    assert word_encoder.asked == []


def test_what_nothing_answers_is_a_value_that_names_what_comes_near(searching):
    outcome = read("online purchases", "warranty", T.STR, searching)
    assert isinstance(outcome, Unresolved)
    assert outcome.key == "warranty"
    assert {"product", "shop", "category"} & set(outcome.near)
    assert "'warranty'" in str(outcome)


def test_an_attribute_of_other_classes_is_never_read_as_a_near_one(searching):
    for query, key in (("I went to the dentist", "album"), ("pottery classes", "episode name")):
        outcome = read(query, key, T.STR, searching)
        assert isinstance(outcome, Unresolved)
        assert "title" in str(outcome)


def test_what_no_text_says_has_no_value(searching):
    outcome = read("pottery classes", "movie_title", T.STR, searching)
    assert isinstance(outcome, Resolved)
    assert outcome.warnings == ("no text of 'pottery classes' tells the movie title",)


def test_a_sources_key_that_means_the_same_attribute_is_read_for_it(context_of, word_encoder):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix key: <https://w3id.org/reqap-kg/key/> .
        @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        d:n1 a ev:Note ; ev:title "New kettle" ; key:cost "30" .""",
        encoder=word_encoder,
    )
    outcome = read("notes", "price", T.FLOAT, context)
    assert isinstance(outcome, Resolved)
    assert outcome.match.properties == (KEY + "cost",)


def test_what_other_events_of_the_classes_have_is_not_what_the_found_ones_have(context_of, word_encoder):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix key: <https://w3id.org/reqap-kg/key/> .
        @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        d:n1 a ev:Note ; ev:title "Kettle" . d:n2 a ev:Note ; ev:title "Tent" ; key:colour "green" .
        d:p1 a ev:SocialPost ; ev:text "The kettle sings" .""",
        encoder=word_encoder,
    )
    outcome = read("kettle", "colour", T.STR, context)
    assert isinstance(outcome, Unresolved)
    assert outcome.kinds == ("note", "social media post")
    assert isinstance(read("notes about a tent", "colour", T.STR, context), Resolved)


def test_where_nothing_was_found_that_is_said_and_no_attribute_is_missed(searching):
    outcome = read("I met with Zaphod", "warranty", T.STR, searching)
    assert str(outcome) == "nothing was found for 'I met with Zaphod', so nothing has a 'warranty'"


def test_no_number_is_read_from_a_title(searching):
    assert isinstance(read("songs", "songName number", T.FLOAT, searching), Unresolved)


def test_without_weights_an_unknown_key_is_unresolved(life):
    def missing():
        raise ConfigError("no weights")

    assert isinstance(read("songs", "mood of the day", T.STR, replace(life, encoder_factory=missing)), Unresolved)


def test_a_tree_is_resolved_bottom_up_with_one_entry_per_query(life):
    tree = parse_tree(
        'EXTRACT(l=JOIN(l1=RETRIEVE(query="my runs"), l2=RETRIEVE(query="songs by The Gulls"), '
        'condition="i1.start <= i2.start"), attr_names=["start_date", "duration"], '
        "attr_types=[date.fromisoformat, float])"
    )
    resolved = resolve(tree, life)
    assert [query for query, _ in resolved.resolution.retrieves] == ["my runs", "songs by The Gulls"]
    assert {place for place, _ in resolved.resolution.attributes} == {
        (query, key) for query in ("my runs", "songs by The Gulls") for key in ("start_date", "duration")
    }
    assert "'my runs' is read as workout with workout type = Outdoor Run, Trail Running" in resolved.resolution.notes
    assert "no event of 'my runs' has a duration" in resolved.warnings


def test_an_unknown_key_of_a_tree_is_not_understood(searching):
    tree = Extract(Retrieve("songs by The Gulls"), ("artist", "warranty"), (T.STR, T.STR))
    with pytest.raises(NotUnderstood, match="no attribute of 'songs by The Gulls' is called 'warranty'") as caught:
        resolve(tree, searching)
    assert caught.value.words == ("warranty",)


def test_a_query_that_stands_twice_is_resolved_once(life):
    one = Retrieve("songs")
    resolved = resolve(Join(one, Retrieve("songs"), parse_condition()), life)
    (entry,) = resolved.resolution.retrieves
    assert isinstance(entry[1], ClassMatch)


def parse_condition():
    """Any condition over two rows."""
    tree = parse_tree('JOIN(l1=RETRIEVE(query="a"), l2=RETRIEVE(query="b"), condition="i1.start >= i2.start")')
    assert isinstance(tree, Join)
    return tree.condition


def test_an_attribute_whose_name_ends_in_a_unit_is_no_other_in_that_unit(context_of):
    told = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix d: <https://w3id.org/reqap-kg/data/t/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix x: <https://example.org/club#> .
x:sessions a owl:DatatypeProperty ; rdfs:label "sessions" ; rdfs:domain ev:Workout ; rdfs:range xsd:integer .
x:hours a owl:DatatypeProperty ; rdfs:label "session hours" ; rdfs:domain ev:Workout ; rdfs:range xsd:decimal .
<https://w3id.org/reqap-kg/graph/source/club> a ev:Source .
d:w1 a ev:Workout ; ev:workoutType "Outdoor Run" ; x:sessions 3 ; x:hours 4.5 ; ev:distance 5.0 .
"""
    context = context_of(told)
    hours = read("my runs", "session_hours", T.FLOAT, context)
    distance = read("my runs", "distance_km", T.FLOAT, context)
    assert isinstance(hours, Resolved)
    assert isinstance(distance, Resolved)
    assert hours.match.properties == ("https://example.org/club#hours",)
    assert distance.match.properties == (EV + "distance",)
