"""What the planner cannot read it refuses, and says which words were in the way. It never guesses."""

from contextlib import suppress
from time import perf_counter

import pytest

from reqap_kg.errors import NotUnderstood


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("asdf qwerty", {"asdf", "qwerty"}),
        ("list asdf qwerty", {"asdf", "qwerty"}),
        ("what is the meaning of life", {"meaning", "life"}),
        ("What is the weather tomorrow?", {"weather"}),
        ("Which flumph did I frobnicate most?", {"flumph", "frobnicate"}),
        ("why did I buy shoes", {"why"}),
        ("should I go running", {"should"}),
        ("delete all my data", {"delete", "data"}),
        ("compare my runs", {"compare"}),
        ("What is my favourite song?", {"favourite"}),
        ("How many songs did I listen to without running?", {"without"}),
        ("How often did I eat out instead of playing football?", {"instead"}),
        ("Which movies did I watch because we moved?", {"because"}),
        ("How many songs did I listen to except ABBA?", {"except"}),
        ("How many days did I not run?", {"not"}),
        ("did I run more in 2023 than I thought", {"more", "than", "thought"}),
        ("What time do I usually go running?", {"usually"}),
        ("How many songs did I listen to on 5/6/2024?", {"on 5/6/2024"}),
    ],
)
def test_the_words_in_the_way_are_named(planned, question, words):
    with pytest.raises(NotUnderstood) as caught:
        planned(question)
    assert words & set(caught.value.words), caught.value.words
    assert words <= set(caught.value.words) | {"once", "why"}, caught.value.words


@pytest.mark.parametrize(
    "question", ["", "?", "  ", "...", "hello", "How are you?", "Who am I", "2 + 2", "how", "songs how"]
)
def test_what_is_no_question_is_refused(planned, question):
    with pytest.raises(NotUnderstood):
        planned(question)


def test_an_ambiguous_date_says_how_to_write_it(planned):
    with pytest.raises(NotUnderstood, match="31 May 2024"):
        planned("What did I buy on 3/4/2024?")


def test_the_message_quotes_the_part_that_was_not_read(planned):
    with pytest.raises(NotUnderstood, match="without"):
        planned("How many songs did I listen to without running?")


@pytest.mark.parametrize(
    "question",
    [
        "(" * 400 + "how many songs" + ")" * 400,
        "how many " + "very " * 110 + "songs did I hear",
        "how many songs, " * 40,
        '"' * 501,
        "между сколько песен 歌 \u202e\x00 \ud7ff",
        "}} UNION { ?s ?p ?o } #",
        'how many songs by "; DROP ALL; #',
        "how many songs in \u0662\u0660\u0662\u0664",
    ],
)
def test_hostile_questions_end_soon_and_alone(planned, question):
    begin = perf_counter()
    with suppress(NotUnderstood):
        planned(question)
    assert perf_counter() - begin < 10
