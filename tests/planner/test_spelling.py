"""Misspelt words put right: by words of labels and patterns, and by values of the data."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reqap_kg.planner.annotation.annotate import Annotator
from reqap_kg.planner.annotation.matching import Near
from reqap_kg.planner.annotation.reading import readings
from reqap_kg.planner.annotation.spelling import dictionary
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.planner.search.plan import plan
from reqap_kg.store.index.near_values import NearValue

from .conftest import NOW


class Values:
    """Values as an index gives them, by how they are misspelt."""

    def __init__(self, misspelt: Mapping[str, tuple[str, float]], known: frozenset[str] = frozenset()) -> None:
        self._misspelt, self._known = misspelt, known

    def knows(self, word: str) -> bool:
        return word in self._known

    def misspelt(self, phrase: str) -> tuple[NearValue, ...]:
        found = self._misspelt.get(phrase.lower())
        return (NearValue(found[0], "urn:p", found[1], "spelling"),) if found else ()

    def in_part(self, phrase: str) -> tuple[NearValue, ...]:
        return ()


@pytest.fixture
def annotator(life, vocabulary, book, matcher):
    return Annotator(life, vocabulary, book, matcher)


def put_right(annotator, question: str) -> str:
    return annotator.corrected(tokenise(question))[0].text


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("How many songz did I listen to?", "How many songs did I listen to?"),
        ("How many sogns did I listend to?", "How many songs did I listen to?"),
        ("how many kilometres did I cylce last mnth", "how many kilometres did I cycle last month"),
        ("how much did I spnd on restaraunts in Febuary", "how much did I spend on restaurants in february"),
        ("the longest distence betwen two runs", "the longest distance between two runs"),
        ("my maximun heart rate", "my maximum heart rate"),
    ],
)
def test_words_of_labels_and_patterns(annotator, said, meant):
    assert put_right(annotator, said) == meant


@pytest.mark.parametrize(
    "question",
    [
        "How often did I play chess?",  # no chest
        "songs by Moby",  # no misspelling of a plain word: somebody's name
        "runs with Zoe in Sprig",
        "the price of a trane ticket to Xy",
        "what did I eat at Nopi on 5 May 2024",
        "how many rides over 40km",
    ],
)
def test_words_that_are_words_or_names_stay(annotator, question):
    assert put_right(annotator, question).replace("train", "trane") == question


def test_english_words_are_known():
    assert {"chess", "whitest", "commuting"} <= dictionary().keys()
    assert not {"songz", "populaton"} & dictionary().keys()


def test_values_of_the_data(life, vocabulary, book, matcher):
    values = Values({"radiohed": ("Radiohead", 0.89), "palo lato": ("Palo Alto", 0.89), "moby": ("Toby", 0.75)})
    annotator = Annotator(life, vocabulary, book, matcher, near=Near(values))
    assert put_right(annotator, "songs by Radiohed") == "songs by Radiohead"
    assert put_right(annotator, "rides near palo lato in 2024") == "rides near Palo Alto in 2024"
    assert put_right(annotator, "songs by Moby") == "songs by Moby", "a single short name is not nearly another"


def test_a_word_that_values_have_is_no_misspelling(life, vocabulary, book, matcher):
    values = Values({"songz": ("Song Z", 0.9)}, frozenset({"songz"}))
    assert put_right(Annotator(life, vocabulary, book, matcher, near=Near(values)), "songz") == "songz"


def test_places_are_those_of_the_question_as_it_was_asked(annotator):
    question = "In 2024, how many songz did I listend to, please?"
    reading = readings(question, annotator)[0]
    assert reading.core.text == "how many songs did I listen to"
    assert reading.notes == ("“songz”: read as “songs”", "“listend”: read as “listen”")
    for annotation in reading.annotations:
        start, length = reading.core.origin(annotation.first, annotation.last)
        if "Verb" in annotation.kinds:
            assert question[start : start + length] == "listend to"
        if annotation.kinds == ("Property",):
            assert question[start : start + length] == "songz"
            assert annotation.how == "spelling"
            assert 0.5 < annotation.confidence < 0.9
    assert [question[at : at + length] for at, length in (f.place for f in reading.filters)] == ["In 2024"]
    assert [question[at : at + length] for at, length in (a.place for a in reading.asides)] == ["please"]


def test_the_plan_is_that_of_the_words_put_right_and_tells(life, vocabulary):
    right, wrong = (
        plan(question, graph=life, vocabulary=vocabulary, now=NOW)
        for question in ("How many songs did I listen to last month?", "How many songz did I listen to last mnth?")
    )
    assert wrong.tree == right.tree
    assert wrong.notes[:2] == ("“songz”: read as “songs”", "“mnth”: read as “month”")
    assert right.notes == ()
