"""From a question to forms: its words behind those of earlier questions, what the data knows of them, and forms that
nobody can have meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.operators.forms.decoding import BETWEEN, OWNER, PERSON
from reqap_kg.planner.proposers.linking import Linking
from reqap_kg.planner.proposers.parsing import (
    Before,
    asked_words,
    compares_with_itself,
    sentences_apart,
    without_repetition,
    words_of_earlier,
)
from reqap_kg.texts.tokens import pieces
from reqap_kg.training.forms import parse_form


@pytest.fixture(scope="module")
def linking(demo_store: Path) -> Iterator[Linking]:
    with KnowledgeGraph.open(demo_store) as known:
        yield Linking(known.proposals.planner(), ["artist", "shop", "series", "workout_type"])


def test_a_question_stands_behind_the_last_two_before_it() -> None:
    asked = asked_words("and in May?", Before(("one", "How many runs?", "in April")))
    assert asked.words == ("How", "many", "runs", "?", BETWEEN, "in", "April", BETWEEN, "and", "in", "May", "?")
    assert asked.words[asked.begin :] == ("and", "in", "May", "?")
    assert len(asked.gaps) == len(asked.words)


def test_the_form_of_the_question_before_leads_without_its_signs() -> None:
    form = parse_form('count(during(events("songs", start_time="late"), events("long runs", distance>"10 km")))')
    asked = asked_words("and in May?", Before(("How many songs?",), form))
    said = "count during events songs start time late events long runs distance > 10 km"
    assert asked.words[: len(said.split())] == tuple(said.split())
    assert asked.words[len(said.split()) :] == tuple(["|", "How", "many", "songs", "?", "|", "and", "in", "May", "?"])
    assert asked.words[asked.begin :] == ("and", "in", "May", "?")
    assert len(asked.gaps) == len(asked.words)


def test_a_question_of_no_words_has_none() -> None:
    assert asked_words("").words == asked_words("").gaps == ()


def test_a_condition_that_is_said_twice_is_one() -> None:
    once = parse_form('count(events("runs", participant="Tia", time="in May"))')
    twice = parse_form('count(events("runs", participant="Tia", time="in May", participant="Tia"))')
    assert without_repetition(twice) in (once, parse_form('count(events("runs", time="in May", participant="Tia"))'))
    assert without_repetition(once) == once


@pytest.mark.parametrize(
    ("form", "same"),
    [
        ('count(during(events("songs"), events("songs")))', True),
        ('minus(count(events("runs")), count(events("runs")))', True),
        ('minus(count(events("runs")), count(events("swims")))', False),
        ('ratio(sum(price, events("books")), sum(price, events("books", time="in May")))', False),
        ('get(date, last(events("runs")))', False),
    ],
)
def test_nobody_compares_something_with_itself(form: str, same: bool) -> None:
    assert compares_with_itself(parse_form(form)) is same


def test_words_of_earlier_questions_are_told_and_no_others() -> None:
    form = parse_form('get(location, last(events("dinners", participant="Henk", time="in May")))')
    assert words_of_earlier(form, "where was it in May", ("did I have dinners with Henk",)) == ("dinners", "Henk")
    assert words_of_earlier(form, "where was the last of the dinners with Henk in May", ("how far",)) == ()


@pytest.mark.parametrize(
    ("question", "apart"),
    [
        ("How often did I ski in May? I have a feeling it was a lot.", ("I have a feeling it was a lot.",)),
        ("It was a lovely month. How often did I ski?", ("It was a lovely month.",)),
        ("How often did I ski? Only in May.", ()),
        ("How often did I ski at 3.5 km an hour?", ()),
        ("It was a lot. Was it not?", ()),
    ],
)
def test_sentences_that_a_form_takes_nothing_of_stand_apart(question: str, apart: tuple[str, ...]) -> None:
    assert sentences_apart(question, parse_form('count(events("ski", time="in May"))')) == apart


def test_the_data_says_who_and_what_words_name(linking: Linking) -> None:
    graph = linking.planner.graph
    (artist,) = next(iter(graph.select("SELECT ?a { ?e ev:artist ?a } LIMIT 1")))
    assert artist is not None
    question = f"How often did I hear {artist.value}?"
    words = pieces(question)
    marks = linking.marks(question, words)
    assert len(marks) == len(words)
    named = [word.text for word, told in zip(words, marks, strict=True) if "artist" in told]
    assert named == [word.text for word in pieces(artist.value)]


def test_the_owner_is_told_from_others(linking: Linking) -> None:
    graph = linking.planner.graph
    owners = {me.value for (me,) in graph.select("SELECT DISTINCT ?me { ?me ev:ownerOf ?x }") if me is not None}
    rows = graph.select("SELECT ?who ?name { ?who a ev:Person ; rdfs:label ?name }")
    found = {name.value: who.value in owners for who, name in rows if name is not None and who is not None}
    assert set(found.values()) == {True, False}
    for name, owner in found.items():
        told = {mark for marks in linking.marks(name, pieces(name)) for mark in marks}
        assert (OWNER if owner else PERSON) in told
        assert linking.names_owner(name) is owner
