"""The parse graph drawn beneath the words of a question."""

from __future__ import annotations

import pytest

from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.rdf import Literal

from .conftest import NOW

QUESTION = "In 2024, which songz by Wham! did I listen to?"


@pytest.fixture
def planner(life, vocabulary):
    return Planner(life, vocabulary)


def under(line: str, question: str = QUESTION) -> str:
    """The words above the brackets of a line."""
    marked = [at for at, sign in enumerate(line[: len(question)]) if sign in "└─┘╵"]
    return question[marked[0] : marked[-1] + 1]


def test_brackets_stand_beneath_the_words(planner):
    first, *lines = planner.drawing(QUESTION, now=NOW)
    assert first == QUESTION
    said = {(under(line), line[len(QUESTION) :].split("(")[0].strip()) for line in lines}
    assert ("songz", "Class music stream") in said
    assert ("Wham", "Value “Wham!”") in said
    assert ("listen to", "Verb music stream") in said
    assert ("In 2024", "Filter TimeRange inPeriod") in said


def test_a_line_tells_how_sure_it_is_and_what_it_gives(planner):
    lines = planner.drawing(QUESTION, now=NOW)
    assert any("Property song (0.6" in line and "by spelling)" in line for line in lines)
    assert any("begin=2024-01-01; end=2024-12-31" in line for line in lines)
    assert any("class=MusicStream; namesEvents=true" in line for line in lines)


def test_every_annotation_has_a_place_in_the_question_and_a_confidence(planner):
    found: dict[str, dict[str, str]] = {}
    for triple in planner.parse_graph(QUESTION, now=NOW):
        if isinstance(triple.object, Literal):
            name = triple.predicate.value.rsplit("#", 1)[-1]
            found.setdefault(str(triple.subject), {})[name] = triple.object.value
    annotations = [values for values in found.values() if "confidence" in values]
    assert len(annotations) == len(planner.drawing(QUESTION, now=NOW)) - 1
    for values in annotations:
        start, length = int(values["questionOffset"]), int(values["questionLength"])
        assert length
        assert 0 <= start <= start + length <= len(QUESTION)
    assert "songz" in {QUESTION[int(v["questionOffset"]) :][: int(v["questionLength"])] for v in annotations}


def test_nothing_is_drawn_of_nothing(planner):
    assert planner.drawing("?!", now=NOW) == ()
    assert planner.parse_graph("", now=NOW) == ()


def test_words_of_one_letter(planner):
    lines = planner.drawing("2 m", now=NOW)
    assert all("╵" in line or "└" in line for line in lines[1:])
