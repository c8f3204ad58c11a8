"""The index of values: found by word, built once per generation; vectors by content, asked for once."""

import sqlite3

import numpy as np
import pytest

from reqap_kg.errors import StoreError
from reqap_kg.ontology.namespaces import EV, KEY
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.index.index import open_index
from reqap_kg.store.index.vectors import VectorCache, open_dense, passages
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.rdf import parse_turtle
from reqap_kg.store.vocabulary import packaged_vocabulary

TURTLE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix key: <https://w3id.org/reqap-kg/key/> .
@prefix d: <https://w3id.org/reqap-kg/data/t/> . @prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
d:w1 a ev:Workout ; ev:workoutType "Trail Running" ; ev:distance 7.2 ; ev:sourceId "w1" ; rdfs:label "Trail Running" .
d:w2 a ev:Workout ; ev:workoutType "Trail Running" ; key:mood "très bien" .
d:s1 a ev:EpisodeStream ; ev:seriesTitle "Fawlty’s Towers" ; ev:episodeName "Runs in the rain" .
d:n1 a ev:Note ; ev:title "Über-secret \\"plans\\"" ; ev:text "buy boots" .
d:n2 a ev:Note .
d:x1 a ex:Loan ; ex:book "Middlemarch" .
d:p1 a ev:Person ; ev:nickname "Bo" .
"""


@pytest.fixture(scope="module")
def graph():
    return MemoryGraph([*ontology_quads(), *parse_turtle(TURTLE)])


@pytest.fixture(scope="module")
def index(graph):
    return open_index(None, graph, packaged_vocabulary(), generation="g1")


def test_events_are_counted_by_class_and_the_profile_and_vocabulary_are_not_events(index):
    assert dict(index.classes()) == {
        EV + "Workout": 2,
        EV + "EpisodeStream": 1,
        EV + "Note": 2,
        "http://example.org/Loan": 1,
    }


def test_values_are_found_without_case_accents_and_inflection(index):
    (value,) = index.equal_to("trail runs")
    assert (value.prop, value.text, value.events) == (EV + "workoutType", "Trail Running", 2)
    assert index.equal_to("TRES BIEN")[0].prop == KEY + "mood"
    assert index.equal_to("fawlty's towers")[0].classes == ((EV + "EpisodeStream", 1),)
    assert index.equal_to("trail") == ()


def test_values_that_contain_words_those_of_most_events_first(index):
    assert [v.text for v in index.containing("running")] == ["Trail Running", "Runs in the rain"]
    assert [v.text for v in index.containing('"plans" über')] == ['Über-secret "plans"']
    assert index.containing("...") == ()
    assert index.frequency("run") == 2


def test_ranked_search_takes_phrases(index):
    found = dict(index.with_any(["trail run", "boot"]))
    assert {v.text for v in index.of_classes([EV + "Workout", EV + "Note"]) if v.id in found} == {
        "Trail Running",
        "buy boots",
    }
    assert all(score > 0 for score in found.values())


def test_record_keeping_is_not_searched(index):
    assert EV + "sourceId" not in {p for p, *_ in index.properties()}
    assert index.equal_to("w1") == ()


def test_events_come_with_their_texts_and_also_without(index):
    notes = {e.iri.rsplit("/", 1)[1]: [t for _, _, t in e.values] for e in index.events_of([EV + "Note"])}
    assert notes["n2"] == []
    assert sorted(notes["n1"]) == ["buy boots", 'Über-secret "plans"']


def test_an_index_is_built_once_per_generation(tmp_path, graph):
    steps = []
    for generation in ("g1", "g1", "g2"):
        open_index(
            tmp_path, graph, packaged_vocabulary(), generation=generation, progress=lambda *s: steps.append(s)
        ).close()
    assert len([s for s in steps if s[1] == s[2]]) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["values.sqlite"]


def test_a_damaged_index_is_built_anew(tmp_path, graph):
    (tmp_path / "values.sqlite").write_bytes(b"not a database at all, just bytes" * 50)
    with open_index(tmp_path, graph, packaged_vocabulary(), generation="g1") as index:
        assert index.equal_to("trail running")


def test_a_folder_that_cannot_be_written_is_said_so(graph, tmp_path):
    with pytest.raises(StoreError, match="cannot be built"):
        open_index(tmp_path / "missing", graph, packaged_vocabulary(), generation="g1")


class CountingModel:
    """Counts letters: deterministic vectors, and a record of what was asked."""

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked.extend(texts)
        rows = np.array([[t.lower().count(c) + 0.01 for c in "abcdefghijklmnopqrstuvwxyz"] for t in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_vectors_are_asked_for_once_even_across_generations_and_models_stay_apart(tmp_path):
    model = CountingModel()
    cache = VectorCache(tmp_path)
    first = cache.vectors(["apple", "pear", "apple"], identity="m1", encode=model.encode)
    assert model.asked == ["pear", "apple"]
    cache.close()
    again = VectorCache(tmp_path).vectors(["pear", "fig"], identity="m1", encode=model.encode)
    assert model.asked == ["pear", "apple", "fig"]
    assert np.allclose(first[1], again[0])
    assert np.allclose(first[0], first[2])
    VectorCache(tmp_path).vectors(["pear"], identity="m2", encode=model.encode)
    assert model.asked[-1] == "pear"


def test_nearest_values_and_the_memory_map(tmp_path, index):
    model = CountingModel()
    values = index.of_classes([EV + "Workout", EV + "Note", EV + "EpisodeStream"])
    cache = VectorCache(None)
    dense = open_dense(tmp_path, values, cache, identity="m", encode=model.encode)
    scores = dense.scores(model.encode(["trail running"])[0])
    assert max(scores, key=lambda i: scores[i]) == index.equal_to("trail running")[0].id
    assert scores[index.equal_to("trail running")[0].id] == pytest.approx(1, abs=0.01)

    def refuse(_):
        raise AssertionError("asked again")

    mapped = open_dense(tmp_path, values, VectorCache(None), identity="m", encode=refuse)
    assert mapped.scores(model.encode(["trail running"])[0]) == scores


def test_no_values_no_hits(tmp_path):
    dense = open_dense(tmp_path, (), VectorCache(None), identity="m", encode=CountingModel().encode)
    assert dense.scores(np.ones(3, np.float32)) == {}


def test_a_vector_cache_that_cannot_be_opened_is_said_so(tmp_path):
    with pytest.raises(StoreError, match=r"cache .*vectors\.sqlite"):
        VectorCache(tmp_path / "missing")


def test_long_texts_are_cut_into_overlapping_passages_that_lose_no_word():
    text = " ".join(str(n) for n in range(200))
    parts = passages(text)
    assert {w for p in parts for w in p.split()} == set(text.split())
    assert max(len(p.split()) for p in parts) == 60
    assert passages("short one ") == ("short one",)
    assert passages("   ") == ()


def test_index_file_is_readable_sqlite(tmp_path, graph):
    open_index(tmp_path, graph, packaged_vocabulary(), generation="g9").close()
    with sqlite3.connect(tmp_path / "values.sqlite") as db:
        assert dict(db.execute("SELECT key, value FROM meta"))["generation"] == "g9"
