"""The vocabulary as questions meet it: by label, by verb, by unit; shipped and user-made."""

import pytest

from reqap_kg.ontology.namespaces import EV, KEY
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle
from reqap_kg.store.vocabulary import key_label, load_vocabulary, packaged_vocabulary
from reqap_kg.store.words import fold, key_words, normalise, tells_words, words

PREFIXES = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix ex: <http://example.org/> .
@prefix key: <https://w3id.org/reqap-kg/key/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
"""


@pytest.fixture(scope="module")
def shipped():
    return packaged_vocabulary()


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("Movies", "MovieStream"),
        ("films", "MovieStream"),
        ("WORKOUTS", "Workout"),
        ("e-mails", "Mail"),
        ("online purchases", "Purchase"),
    ],
)
def test_classes_are_found_by_plural_and_alternative_labels(shipped, phrase, expected):
    assert shipped.classes_named(phrase)[0].iri == EV + expected


def test_verbs_name_classes(shipped):
    assert [c.iri for c in shipped.classes_with_verb("listened to")] == [EV + "MusicStream"]
    assert shipped.classes_with_verb("teleported") == ()


def test_property_labels_with_underscores_and_domain(shipped):
    assert shipped.properties_named("amount_spent")[0].iri == EV + "price"
    assert EV + "title" not in [p.iri for p in shipped.properties_named("title", EV + "MovieStream")]
    assert shipped.properties_named("title", EV + "Note")[0].iri == EV + "title"


def test_preferred_label_before_alternative():
    turtle = (
        PREFIXES
        + """
        ex:a a owl:DatatypeProperty ; rdfs:label "aroma" ; skos:altLabel "smell" .
        ex:b a owl:DatatypeProperty ; rdfs:label "smell" ."""
    )
    found = load_vocabulary(MemoryGraph(parse_turtle(turtle))).properties_named("Smells")
    assert [p.iri for p in found] == ["http://example.org/b", "http://example.org/a"]


def test_units_are_short_names(shipped):
    units = {iri.removeprefix(EV): p.unit for iri, p in shipped.properties.items() if p.unit}
    assert units["distance"] == "km"
    assert units["duration"] == "s"
    assert units["averageHeartRate"] == "bpm"
    assert units["maximumSpeed"] == "km/h"
    assert shipped.properties[EV + "price"].unit_property == EV + "currency"


def test_units_by_symbol_and_word(shipped):
    minutes, kilometres = shipped.unit_named("minutes"), shipped.unit_named("KM")
    assert minutes is not None
    assert kilometres is not None
    assert minutes.factor == 60
    assert kilometres.factor == 1000
    assert shipped.unit_named("parsnips") is None


def test_subclasses_are_closed(shipped):
    assert EV + "EpisodeStream" in shipped.descendants(EV + "Stream")
    assert shipped.is_a(EV + "MovieStream", EV + "Event")
    assert EV + "Person" not in {c.iri for c in shipped.event_classes()}


def test_a_users_ontology_with_a_subclass_cycle():
    turtle = (
        PREFIXES
        + """
        ex:Dive a owl:Class ; rdfs:subClassOf ex:Plunge ; rdfs:label "dive" ;
            ev:verb "dived" ; ev:labelProperty ex:site .
        ex:Plunge a owl:Class ; rdfs:subClassOf ex:Dive, ev:Event ; rdfs:label "plunge" .
        ex:depth a owl:DatatypeProperty ; rdfs:label "depth" ; rdfs:domain ex:Dive ;
            qudt:unit unit:FATH ; ev:multiple true ."""
    )
    vocabulary = load_vocabulary(MemoryGraph(parse_turtle(turtle)))
    assert vocabulary.classes_named("dives")[0].label_property == "http://example.org/site"
    assert vocabulary.closed(["http://example.org/Plunge"]) == ("http://example.org/Dive", "http://example.org/Plunge")
    depth = vocabulary.properties_named("depth")[0]
    assert (depth.unit, depth.multiple) == ("FATH", True)


def test_labels_of_source_keys():
    assert [key_label(KEY + name) for name in ("moonPhase", "song_artist")] == ["moon phase", "song artist"]
    assert key_label(EV + "title") is None


def test_words_are_folded_and_stemmed():
    assert fold("Inês ’n’ ÅSA") == "ines 'n' asa"
    assert words("Schitt’s Creek, season-1") == ("schitt's", "creek", "season", "1")
    assert normalise("Running runs") == normalise("run running")
    assert normalise("Niamh's") == normalise("Niamh")
    assert key_words("avgHeartRate.max%20value_HR") == "avg heart rate max value hr"


def test_lexicon_gives_synonyms_and_kinds(shipped):
    workout_type = EV + "workoutType"
    assert {"run", "jog", "trail running"} <= set(shipped.synonyms(["went", "jogging"][1], workout_type))
    assert "table tennis" not in shipped.synonyms("tennis", workout_type)
    assert shipped.synonyms("jog", EV + "songName") == ()
    assert {"diapers", "nappies"} <= set(shipped.synonyms("nappy"))


def test_weak_names_and_kinds_are_inherited():
    turtle = (
        PREFIXES
        + """
        ex:Game a owl:Class ; rdfs:subClassOf ev:Event ; rdfs:label "game" ; ev:selfDescribing true ;
            ev:kindProperty ex:name ; ev:weakName "play" .
        ex:Chess a owl:Class ; rdfs:subClassOf ex:Game ; rdfs:label "chess game" ."""
    )
    chess = load_vocabulary(MemoryGraph(parse_turtle(turtle))).classes["http://example.org/Chess"]
    assert (chess.self_describing, chess.kind_property, chess.weak_names) == (True, "http://example.org/name", ())


def test_function_words_say_nothing(shipped):
    assert {"i", "the", "went", "something"} <= shipped.function_words
    assert "dentist" not in shipped.function_words


@pytest.mark.parametrize(
    "value", ["Dinner w/ Clara", "5k", "U2", "blink-182", "日本語", "(yes)", "boarding-pass.pdf", "Dinner 20:15"]
)
def test_values_with_words(value):
    assert tells_words(value)


@pytest.mark.parametrize(
    "value",
    [
        "2024-08-17T06:51:00Z",
        "2023-12-13T20:45:00+01:00",
        "20:15",
        "1,250.00",
        "<CAf28ce011@ferries.example>",
        "ada@mail.example",
        "tag:birds.example,2023-11-04:objectId=3157556:objectType=Conversation",
        "https://birds.example/2023/4f1",
        "B0CXYZ1234",
        "Sat, 20 May 2023 11:11:57 +0200",
        'multipart/alternative; boundary="65640efc2844e8cf36eec29ea8"',
        "",
    ],
)
def test_values_without_words(value):
    assert not tells_words(value)
