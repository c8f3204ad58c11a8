"""Labels that a question nearly names: by some of their words, by forms of these, and by meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.planner.annotation.annotate import Annotator
from reqap_kg.planner.annotation.annotations import Annotation
from reqap_kg.planner.annotation.matching import LabelIndex, MatchSettings, Near, Vectors, label_index, match_settings
from reqap_kg.planner.annotation.reading import near_readings, readings
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.planner.rules.rulebook import load_rulebook, shipped_documents
from reqap_kg.planner.search.plan import plan
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle
from reqap_kg.store.vocabulary import load_vocabulary

from .conftest import NOW

HERD = """
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ex: <https://example.org/herd#> .
ex:yield a owl:DatatypeProperty ; rdfs:label "milk yield" .
ex:change a owl:DatatypeProperty ; rdfs:label "milk yield change" .
ex:fat a owl:DatatypeProperty ; rdfs:label "butterfat content" .
ex:share a owl:DatatypeProperty ; rdfs:label "percent of white cows" .
ex:shed a owl:DatatypeProperty ; rdfs:label "owner-occupied barns" .
ex:income a owl:DatatypeProperty ; rdfs:label "median farm income" .
ex:herd a owl:Class ; rdfs:label "herd" .
"""
EX = "https://example.org/herd#"
ALWAYS = '@prefix pg: <https://w3id.org/reqap-kg/parse#> . pg:matching pg:near "always" ; pg:leastPart 0.1 .'
MEANINGS = {"stables": "barns", "rich": "income", "flock": "herd"}


class Encoder:
    """Unit vectors in which words of like meaning share a direction; counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._axes: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = np.zeros((len(texts), 4096), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace("-", " ").split():
                row[self._axes.setdefault(MEANINGS.get(word, word), len(self._axes))] += 1
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows


@pytest.fixture(scope="module")
def herd():
    return load_vocabulary(MemoryGraph(parse_turtle(HERD)))


@pytest.fixture(scope="module")
def catalogue():
    return load_rulebook([*shipped_documents(), ("catalogue.ttl", ALWAYS)])


@pytest.fixture
def encoder() -> Encoder:
    return Encoder()


@pytest.fixture
def near_of(herd, catalogue, matcher, encoder):
    """The near matches of a question: local name, words, how."""

    def find(question: str) -> list[tuple[str, str, str, float]]:
        annotator = Annotator(MemoryGraph(), herd, catalogue, matcher, near=Near(encode=encoder))
        reading = readings(question, annotator)[0]
        return [
            ((a.matches or "").removeprefix(EX), reading.core.words(a.first, a.last), a.how, a.confidence)
            for a in reading.annotations
            if a.how and "Property" in a.kinds
        ]

    return find


def by_how(found, how: str) -> set[tuple[str, str]]:
    return {(name, words) for name, words, said, _ in found if said == how}


def test_the_rarer_a_word_the_more_it_says(herd):
    index = label_index(herd, (), frozenset({"of"}))
    assert index.weight("butterfat") > index.weight("milk")
    assert index.weight("of") < index.weight("percent")


def test_what_a_label_says_besides_counts_against_it(herd):
    index = label_index(herd, (), frozenset())
    found = index.partial({0: ("milk",), 1: ("yield",)})
    assert [p.label.text for p in found] == ["milk yield", "milk yield change"]
    assert found[0].score == pytest.approx(1.0)
    assert found[1].score < 0.8


def test_words_of_a_label_apart_and_in_another_order(near_of):
    found = near_of("change in herd and yield of milk")
    assert {("change", "change"), ("change", "yield of milk")} <= by_how(found, "part")


def test_small_words_between_do_not_part_a_match(near_of):
    assert ("share", "percent of white cows") not in by_how(near_of("percent of white cows"), "part"), (
        "the label itself"
    )
    assert ("share", "percent the white") in by_how(near_of("percent the white"), "part")


@pytest.mark.parametrize("said", ["whitest", "percentage"])
def test_superlatives_and_derived_words(near_of, said):
    assert ("share", said) in by_how(near_of(f"{said} by herd"), "part")


def test_meaning_only_for_what_is_left(near_of, encoder):
    found = near_of("rich stables with butterfat")
    assert {("income", "rich"), ("shed", "stables")} & by_how(found, "meaning")
    assert ("fat", "butterfat") in by_how(found, "part")
    assert "butterfat" not in encoder.asked[-10:]
    surest = {how: max(c for _, _, h, c in found if h == how) for how in ("part", "meaning")}
    assert surest["meaning"] < 0.6


def test_no_model_is_asked_where_all_words_are_known(near_of, encoder):
    near_of("milk yield of the herd")
    assert encoder.asked == []


def test_labels_are_embedded_once(near_of, encoder, herd):
    near_of("stables")
    asked = len(encoder.asked)
    near_of("rich stables")
    assert "milk yield" not in encoder.asked[asked:]


def test_without_a_model_words_stay_unknown(herd, catalogue, matcher):
    annotator = Annotator(MemoryGraph(), herd, catalogue, matcher, near=Near(encode=lambda texts: None))
    assert not any(a.how == "meaning" for a in readings("stables", annotator)[0].annotations)


def test_settings_come_from_the_rule_book():
    said = match_settings(parse_turtle(ALWAYS))
    assert said.always
    assert said.part == 0.1
    assert said.meaning < MatchSettings().meaning
    assert match_settings(()) == MatchSettings()


def test_terms_that_are_left_out(herd):
    assert label_index(herd, (EX,), frozenset()).labels == ()


def test_nearly_named_only_where_no_rule_reads_the_words(life, vocabulary, book, matcher, encoder):
    annotator = Annotator(life, vocabulary, book, matcher, near=Near(encode=encoder))
    assert not any(a.how for a in readings("how many flock did I hear", annotator)[0].annotations)


def test_words_are_replaced_by_what_they_mean(life, vocabulary, book, matcher, encoder, monkeypatch):
    monkeypatch.setitem(MEANINGS, "larks", "song")
    annotator = Annotator(life, vocabulary, book, matcher, near=Near(encode=encoder))
    (reading, *_) = near_readings("how many larks in 2024", annotator)
    assert reading.core.text == "how many songs"
    assert reading.notes == ("“larks”: read as “songs”",)
    song = next(a for a in reading.annotations if "Property" in a.kinds)
    assert song.how == "meaning"
    assert song.confidence < 0.6
    assert reading.core.origin(song.first, song.last) == (9, 5)


def test_a_plan_tells_what_words_were_taken_for(life, vocabulary, encoder, monkeypatch):
    monkeypatch.setitem(MEANINGS, "larks", "song")
    question = "list my larks in 2024"
    with pytest.raises(NotUnderstood):
        plan(question, graph=life, vocabulary=vocabulary, now=NOW)
    made = plan(question, graph=life, vocabulary=vocabulary, now=NOW, near=Near(encode=encoder))
    assert "“larks”: read as “songs”" in made.notes


def test_an_index_of_nothing():
    assert LabelIndex(()).partial({0: ("milk",)}) == []
    assert LabelIndex(()).by_meaning(["milk"], Encoder()) == [[]]


def test_tokens_of_labels_and_questions_agree(herd):
    label = next(one for one in label_index(herd, (), frozenset()).labels if one.iri == EX + "shed")
    assert label.stems == tuple(token.stem for token in tokenise("Owner-occupied barns").tokens)


def test_rivals_are_readings_of_their_own(life, vocabulary, book, matcher, encoder, monkeypatch):
    monkeypatch.setitem(MEANINGS, "larks", "song")
    annotator = Annotator(life, vocabulary, book, matcher, near=Near(encode=encoder))
    monkeypatch.setattr(annotator, "loose", lambda *_: _rivals())
    texts = [reading.core.text for reading in near_readings("list my larks", annotator)]
    assert texts == ["list my songs", "list my artists"]


def _rivals() -> list[Annotation]:
    said = (("song", 0.5), ("artist", 0.45), ("song", 0.4))
    return [Annotation(2, 3, ("Property",), matches=EX + w, confidence=c, how="meaning", near=w) for w, c in said]


def test_the_less_sure_the_match_the_lower_the_score(life, vocabulary, encoder, monkeypatch):
    monkeypatch.setitem(MEANINGS, "larks", "song")
    near = Near(encode=encoder)
    scores = [
        plan(question, graph=life, vocabulary=vocabulary, now=NOW, near=near).score
        for question in ("list my songs in 2024", "list my songz in 2024", "list my larks in 2024")
    ]
    assert scores[0] > scores[1] > scores[2]
