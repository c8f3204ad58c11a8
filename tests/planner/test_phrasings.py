"""Phrasings of time and quantity in many voices, with what they come to at a fixed time of asking.

The tables are in phrasings/. Every phrase is asked inside a question, so that a row only holds if the words are found,
taken out, computed and put around the events: nothing of them may be left over for RETRIEVE.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.patterns.functions import Clock
from reqap_kg.planner.patterns.patterns import Matcher
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.planner.search.plan import Planner, plan
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle

from .building import DATE, TIME, count, days, ext, get, keep

TABLES = Path(__file__).parent / "phrasings"
LIFE = MemoryGraph(parse_turtle((TABLES / "life.ttl").read_text(encoding="utf-8")))
"""Jobs, homes, studies, people and a pet, for the phrasings that speak of one's own life."""
SONGS = get("songs I listened to")


def rows(table: str) -> list[Any]:
    """Every row of a table, with the time of asking before it."""
    sections = json.loads((TABLES / f"{table}.json").read_text(encoding="utf-8"))
    return [
        pytest.param(datetime.fromisoformat(section["now"]), *row, id=f"{row[0]} ({section['now'][:10]})")
        for section in sections
        for row in section["rows"]
    ]


@pytest.fixture(scope="module")
def asked(vocabulary):
    planner = Planner(LIFE, vocabulary)

    def ask(question: str, now: datetime) -> str:
        return format_tree(planner.plan(question, now=now).tree)

    return ask


def normal(tree: str) -> str:
    """The tree as it is printed."""
    return format_tree(parse_tree(tree))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("now", "phrase", "begin", "end"), [*rows("days"), *rows("life")])
def test_ranges_of_days(asked, now, phrase, begin, end):
    assert asked(f"How many songs did I listen to {phrase}?", now) == normal(count(days(SONGS, begin, end)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("now", "phrase", "begin", "end"), rows("days")[::7])
def test_ranges_may_stand_first(asked, now, phrase, begin, end):
    said = phrase[0].upper() + phrase[1:]
    assert asked(f"{said}, how many songs did I listen to?", now) == normal(count(days(SONGS, begin, end)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("now", "question", "tree"), rows("questions"))
def test_whole_questions(asked, now, question, tree):
    assert asked(question, now) == normal(tree)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("now", "phrase", "condition"), rows("conditions"))
def test_conditions(asked, now, phrase, condition):
    """D stands for the day of an event, T for its time."""
    name, kind = ("start_time", TIME) if re.search(r"\bT\b", condition) else ("start_date", DATE)
    written = re.sub(r"\b[DT]\b", f'attr["{name}"]', condition)
    tree = asked(f"How many songs did I listen to {phrase}?", now)
    assert tree == normal(count(keep(ext(SONGS, **{name: kind}), written)))


@pytest.mark.parametrize(("now", "phrase", "pattern", "values"), rows("values"))
def test_values(book, matcher, now, phrase, pattern, values):
    """What a pattern that serves inside others makes of a phrase: of the whole phrase, nothing left over."""
    text = tokenise(phrase)
    found = Matcher(matcher.graph, Clock(now)).run(book.patterns, text, {})
    whole = [m for m in found if m.pattern.name == pattern and m.last - m.first == len(text.tokens)]
    assert whole, f"{pattern} does not read {phrase!r}"
    assert {
        name: int(float(term.value)) if isinstance(values[name], int) else type(values[name])(term.value)
        for name, term in whole[0].variables.items()
        if name in values
    } == values


def test_there_are_more_than_three_hundred_phrasings():
    tables = ("days", "life", "conditions", "questions", "values")
    phrases = {(row.values[0], row.values[1]) for table in tables for row in rows(table)}
    assert len(phrases) > 300


def test_without_a_profile_nothing_is_known_of_a_life(vocabulary):
    """No job, no date: the words stay, and are refused or left to RETRIEVE, never guessed."""
    found = plan(
        "How many songs did I listen to before my wedding?",
        graph=MemoryGraph(),
        vocabulary=vocabulary,
        now=datetime(2025, 9, 14),
    )
    tree = format_tree(found.tree)
    assert 'RETRIEVE(query="wedding")' in tree
    assert "date(2" not in tree


@pytest.mark.parametrize(
    "phrase",
    [
        "on 29 February 2023",
        "since February 30th, 2024",
        "on 2023-02-29",
        "on the fifth Sunday of February 2023",
        "in week 53 of 2024",
    ],
)
def test_days_that_do_not_exist_are_refused(asked, phrase):
    with pytest.raises(NotUnderstood, match="there is no"):
        asked(f"How many songs did I listen to {phrase}?", datetime(2025, 9, 14))


@pytest.mark.parametrize("phrase", ["every other week", "every other Sunday"])
def test_every_other_is_refused_with_its_reason(asked, phrase):
    with pytest.raises(NotUnderstood, match="which of the two"):
        asked(f"How many songs did I listen to {phrase}?", datetime(2025, 9, 14))
