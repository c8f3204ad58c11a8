"""What an answer's page says, as a program reads it: no browser is needed."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest
from page.asking import get

from reqap_kg.web.service import Service


def _page(service: Service, question: str) -> str:
    return get(service, f"?q={quote(question)}&whole=1").text


def _items(html: str, begin: str, end: str) -> list[str]:
    part = html.partition(begin)[2].partition(end)[0]
    return [unescape(one) for one in re.findall("<li>([^<]*)</li>", part)]


@pytest.mark.parametrize(
    ("question", "value", "numbers"),
    [
        ("Did I go running more often in 2024 than in 2023?", "Yes",
         ["57 running workouts in 2024", "39 running workouts in 2023"]),
        ("How many more runs did I do in 2024 than in 2023?", "18", ["57 runs in 2024", "39 runs in 2023"]),
    ],
)  # fmt: skip
def test_a_comparison_shows_both_numbers_and_the_records_of_both(
    served: Service, question: str, value: str, numbers: list[str]
) -> None:
    html = _page(served, question)
    assert f"<span>{value}</span>" in html
    assert _items(html, 'class="lines compared">', "</ul>") == numbers
    assert "96 records" in html
    rows = get(served, f"answer.csv?q={quote(question)}").text
    assert rows.count("2024-") >= 57
    assert len([line for line in rows.splitlines() if "2023-" in line]) == 39


def test_what_compares_nothing_shows_no_numbers_beside(served: Service) -> None:
    assert "compared" not in _page(served, "How many runs did I do in 2024?")


def test_conditions_that_may_be_added_are_those_of_the_answers_events(served: Service) -> None:
    question = quote("How many workouts did I do in 2024?")
    html = get(served, f"parts/ask/conditions?q={question}").text
    types = html.partition("<summary>workout type</summary>")[2].partition("</details>")[0]
    told = dict(re.findall('<span>([^<]*)</span> <span class="soft">([^<]*)</span>', types))
    assert told["running"] == "57"
    assert sum(map(int, told.values())) == 120
    chips = _page(served, "How many workouts did I do in 2024?")
    assert "1,361" not in chips.partition('class="chips read-as"')[2].partition("+ add")[0]


@pytest.mark.parametrize(
    ("question", "tabs", "measure"),
    [
        ("What is the average distance of my runs in 2024?", True, "average distance (km)"),
        ("How far did I run in 2024?", True, "distance (km)"),
        ("How many runs did I do in 2024?", True, "runs"),
        ("Average distance of runs by month in 2024", False, ""),
    ],
)
def test_a_chart_over_time_is_of_what_was_asked(served: Service, question: str, tabs: bool, measure: str) -> None:
    html = _page(served, question)
    assert ('id="tab-time"' in html) is tabs
    if tabs:
        chart = get(served, f"parts/ask/show?q={quote(question)}&show=time").text
        assert f'"title": "{measure}"' in chart or f"{measure.partition(' (')[0].capitalize()}" in chart


@pytest.mark.parametrize("day", ["2024-09-11", "2024-09-14", "2024-09-22"])
def test_what_is_asked_about_a_day_has_what_lasts_across_it(served: Service, day: str) -> None:
    html = get(served, f"day/{day}").text
    assert "BOLOGNA" in html
    asked = _asked_about(served, day)
    assert "BOLOGNA" in asked.partition('class="chips read-as"')[2]
    assert f"on {int(day[-2:])} September 2024" in asked.partition('class="chips read-as"')[2]
    assert "BOLOGNA" not in _asked_about(served, "2024-09-10").partition('class="chips read-as"')[2]


def _asked_about(service: Service, day: str) -> str:
    """The answer that the link of a day's page leads to."""
    html = get(service, f"day/{day}").text
    link = html[: html.index(">Ask about this day")].rpartition('href="/')[2].rstrip('"')
    return get(service, f"{unescape(link)}&whole=1").text


@pytest.mark.parametrize("words", [60, 120, 250])
def test_a_question_that_is_too_long_can_be_shortened(served: Service, words: int) -> None:
    question = "How often did I run" + " and run" * (words // 2)
    page = get(served, f"?q={quote(question)}").text
    box = re.search('<input id="q"[^>]*>', page)
    assert box is not None
    if "That did not work" in page:
        assert question in box[0]
        assert "words" in page or "characters" in page
