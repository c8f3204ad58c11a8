"""Asking in the browser: the start, the answer and all that stands below it, follow-ups, what is declined."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest
from page.asking import RUNS, SONGS, answered, ask, barriers, get, value
from page.conftest import TOKEN, WIDTHS, serving
from playwright.sync_api import Page, expect

from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.answers.charts.choose import chart_of
from reqap_kg.store.generations import begin_import
from reqap_kg.web.page.ask.panels import drawn
from reqap_kg.web.service import Service

DRAW = """async (spec) => {
  const figure = document.createElement("figure");
  figure.className = "chart map";
  figure.dataset.chart = spec;
  figure.innerHTML = "<div class=drawing></div>";
  document.getElementById("panel").replaceChildren(figure);
  (await import(document.querySelector("script[src*='chart.js']").src)).drawAll(document);
}"""


# ---------------------------------------------------------------- the start
def test_the_start_offers_questions_that_these_data_answer(page: Page) -> None:
    page.goto("/")
    assert page.evaluate("document.activeElement.id") == "q"
    questions = page.locator(".examples li")
    questions.first.wait_for()
    assert questions.count() == 5
    assert len({one.split(" ")[-1] for one in questions.locator("span").all_inner_texts()}) == 5
    assert "1,361 music streams" in questions.first.inner_text()
    questions.first.locator("a").click()
    answered(page)
    assert value(page) == "Gwenno"


def test_without_data_the_start_invites_to_add_some(opened, tmp_path: Path) -> None:
    with begin_import(tmp_path / "store") as new:
        new.build(frozenset(), ())
        new.commit()
    with serving(tmp_path / "store") as service:
        page = opened(service, "phone")
        page.goto("/")
        page.get_by_role("link", name="Add your data").wait_for()
        assert page.get_by_role("link", name="Add your data").get_attribute("href") == "/data"


def test_the_start_needs_no_script(served: Service, opened: Callable[..., Page]) -> None:
    page = opened(served, "desktop", java_script_enabled=False)
    page.goto("/")
    page.locator(".examples li").first.wait_for()
    page.fill("#q", RUNS)
    page.press("#q", "Enter")
    page.locator("h1.value").wait_for()
    assert value(page) == "57 running workouts in 2024"
    page.get_by_role("tab", name="SPARQL").click()
    page.locator(".query pre").wait_for()
    assert "ev:workoutType" in page.locator(".query pre").inner_text()


# ---------------------------------------------------------------- the answer
@pytest.mark.parametrize("page", WIDTHS, indirect=True)
def test_an_answer_is_first_and_its_address_shows_it_again(page: Page) -> None:
    ask(page, RUNS)
    assert value(page) == "57 running workouts in 2024"
    assert page.locator(".sentence").inner_text() == (
        "Recorded by Apple Health. About one every six days; most in February and August."
    )
    size = page.locator("h1.value span").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= 36
    assert page.title() == f"{RUNS} · reqap-kg"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    answered(page)
    assert value(page) == "57 running workouts in 2024"
    assert barriers(page) == []


def test_the_page_does_not_wait_for_the_engine(served: Service) -> None:
    shell = get(served, f"?q={quote('How many songs did I listen to?')}")
    assert shell.status_code == 200
    assert "How many songs did I listen to?" in shell.text
    assert "data-stream=" in shell.text
    assert "1,361" not in shell.text


def test_a_chart_is_drawn_in_several_ways_and_saved(page: Page) -> None:
    ask(page, RUNS)
    bars = page.locator("#panel svg [role='graphics-symbol'][aria-roledescription='bar']")
    bars.first.wait_for()
    assert bars.count() == 12
    assert bars.first.get_attribute("aria-label") == "January 2024: 6 running workouts"
    page.get_by_role("tab", name="By weekday").click()
    page.locator("#panel svg [aria-label='Tuesday: 31 running workouts']").wait_for()
    assert parse_qs(urlsplit(page.url).query)["show"] == ["weekday"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save chart").click()
    assert Path(saved.value.path()).read_text(encoding="utf-8").startswith("<svg")
    page.get_by_role("tab", name="Calendar").click()
    page.locator("#panel svg [aria-label='7 January 2024, Sun: 1 running workouts']").wait_for()
    page.reload()
    page.locator("#panel svg [aria-label='7 January 2024, Sun: 1 running workouts']").wait_for()


def test_charts_have_the_colours_of_the_dark(served: Service, opened: Callable[..., Page]) -> None:
    page = opened(served, "desktop", color_scheme="dark")
    ask(page, RUNS)
    bar = page.locator("#panel svg [aria-roledescription='bar']").first
    bar.wait_for()
    assert bar.get_attribute("fill") == "#5cc3ae"
    page.emulate_media(color_scheme="light")
    page.locator("#panel svg [aria-roledescription='bar'][fill='#0f6b5c']").first.wait_for()


def test_a_sum_is_drawn_by_what_it_adds_up(page: Page) -> None:
    ask(page, "How far did I run in 2024?")
    assert value(page) == "510.19 km"
    page.locator("#panel svg [aria-label='February 2024: 83.14 distance (km)']").wait_for()


def test_a_ranking_shows_those_behind_the_first(page: Page) -> None:
    ask(page, "Which artist did I listen to most in 2024?")
    page.locator("#panel svg [aria-label='Spinvis: 83 times']").hover()
    expect(page.locator(".vg-tooltip")).to_be_visible()
    assert page.locator(".vg-tooltip").inner_text() == "Spinvis: 83 times"
    assert "And 12 more." in page.locator("#panel figcaption").inner_text()


def test_places_stand_on_a_map_with_the_outlines_of_land(page: Page) -> None:
    places = Answer("Which countries?", ("Denmark", "France"), "text", "", "", "rules", 1.0, analysis="places")
    chart = chart_of(places)
    assert chart is not None
    given = drawn(chart)
    assert given.is_map
    ask(page, RUNS)
    page.evaluate(DRAW, json.dumps(given.spec))
    page.locator("#panel svg [aria-label^='Denmark']").first.wait_for()
    land = page.locator("#panel svg .mark-shape path")
    assert land.count() > 100
    assert "Grey dots" not in page.locator("#panel").inner_text()


def test_the_table_has_all_rows_and_is_saved(page: Page) -> None:
    ask(page, RUNS, "&show=table")
    rows = page.locator("#panel tbody tr:not(.more)")
    assert rows.count() == 50
    page.get_by_role("button", name="7 more").click()
    expect(rows).to_have_count(57)
    with page.expect_download() as saved:
        page.locator("#panel").get_by_role("link", name="Save table").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("start,end,what,kind,source")
    assert len(lines) == 58


def test_several_answers_are_listed(page: Page) -> None:
    ask(page, "What did I buy in March 2024?")
    assert page.locator(".values li").first.inner_text() == "Safety pins, assorted, 150 pieces"
    ask(page, "Which movies did I watch in 2024?")
    assert value(page) == "16 movie streams in 2024"
    page.locator("#panel").get_by_role("cell", name="La La Land").wait_for()


def test_nothing_found_is_a_zero_that_says_what_was_looked_at(page: Page) -> None:
    ask(page, "How often did I run in 2019?")
    assert value(page) == "0 running workouts in 2019"
    assert "104 events for “I ran”" in page.locator(".sentence").inner_text()


# ---------------------------------------------------------------- going on
def test_a_follow_up_leans_on_what_is_above_and_can_be_taken_back(page: Page) -> None:
    ask(page, RUNS)
    page.keyboard.press("/")
    page.keyboard.type("And in 2023?")
    page.keyboard.press("Enter")
    page.locator(".leans").wait_for()
    assert value(page).startswith("39 ")
    assert page.locator(".leans").inner_text() == (f"after “{RUNS}”: read as “And in 2023, running?”")
    assert parse_qs(urlsplit(page.url).query) == {"q": ["And in 2023?"], "after": [RUNS]}
    assert page.input_value("#q") == ""
    page.reload()
    page.locator(".leans").wait_for()
    assert value(page).startswith("39 ")
    page.keyboard.press("u")
    expect(page.locator("h1.value span").first).to_have_text("57")
    page.go_back()
    expect(page.locator("h1.value span").first).to_have_text("39")


def test_ways_to_go_on_have_answers(page: Page) -> None:
    ask(page, RUNS)
    on = page.locator(".go-on a")
    on.first.wait_for()
    assert on.all_inner_texts() == ["and in 2023?", "the longest of them", "when was the last?"]
    on.nth(1).click()
    expect(page.locator("h1.value span").first).to_have_text("21.1 km")
    page.keyboard.press("u")
    expect(page.locator("h1.value span").first).to_have_text("57")


def test_a_large_answer_asks_back(page: Page) -> None:
    ask(page, SONGS)
    assert value(page) == "735 songs in 2024, 81 different"
    assert page.locator("#panel tbody tr").first.inner_text().split("\t") == [
        "An Stevel Nowydh – Gwenno", "Tresor", "33", "27 Dec 2024",
    ]  # fmt: skip
    assert barriers(page) == []
    page.locator(".ways").get_by_role("link", name="quarter").click()
    page.locator(".asks .chip", has_text="January to March").wait_for()
    page.locator(".ways").get_by_role("link", name="artist").click()
    page.locator(".asks .chip", has_text="Gwenno").click()
    expect(page.locator("h1.value span").first).to_have_text("169")
    assert "tree" in parse_qs(urlsplit(page.url).query)
    page.keyboard.press("u")
    expect(page.locator("h1.value span").first).to_have_text("735")
    page.locator(".ways").get_by_role("link", name="show all 735").click()
    expect(page.locator(".asks")).to_have_count(0)


def test_a_tree_is_answered_under_the_words_of_a_question(served: Service, opened: Callable[..., Page]) -> None:
    tree = 'APPLY(l=RETRIEVE(query="I went swimming"), fct=len)'
    there = httpx.post(
        f"{served.address}run-tree", data={"q": "How many?", "tree": tree, "after": [RUNS]},
        headers={"Authorization": f"Bearer {TOKEN}"},
    )  # fmt: skip
    assert there.status_code == 303
    page = opened(served)
    page.goto(there.headers["location"])
    answered(page)
    assert page.locator(".asked").inner_text().startswith("How many?")
    assert value(page).startswith("16 ")
    assert parse_qs(urlsplit(page.url).query)["after"] == [RUNS]


# ---------------------------------------------------------------- what is declined, or fails
def test_what_is_declined_says_what_was_looked_for_and_offers_what_works(page: Page) -> None:
    ask(page, "How many cigarettes did I smoke in Lisbon?")
    assert value(page) == "I can’t answer that from your data."
    assert page.locator(".looked tr").last.inner_text().split("\t") == [
        "Lisbon", "no kind, no key, no value; in no text",
    ]  # fmt: skip
    assert barriers(page) == []
    page.locator(".offers a").first.click()
    expect(page.locator("h1.value")).not_to_have_text("I can’t answer that from your data.")
    page.locator("#margin .why").wait_for()
    assert page.locator(".looked").count() == 0


def test_a_long_question_says_its_steps_and_is_stopped(page: Page) -> None:
    page.route("**/parts/ask/answer*", lambda route: None)  # it never comes
    page.goto(f"/?q={quote(RUNS)}")
    assert page.locator(".step-text").inner_text() == "Reading the question …"
    page.get_by_role("button", name="stop").click()
    assert "Stopped. Nothing is lost." in page.locator("#answer").inner_text()
    page.unroute("**/parts/ask/answer*")
    page.get_by_role("link", name="Ask again").click()
    expect(page.locator("h1.value span").first).to_have_text("57")


def test_a_service_that_is_gone_is_said(page: Page) -> None:
    ask(page, RUNS)
    page.route("**/parts/ask/answer*", lambda route: route.abort())
    page.fill("#q", "And in 2023?")
    page.press("#q", "Enter")
    page.locator(".note.error").wait_for()
    assert "The service does not answer." in page.locator(".note.error").inner_text()


def test_a_tree_that_is_wrong_is_told_with_its_place(page: Page) -> None:
    ask(page, "How many?", "&tree=APPLY(l=")
    assert "(line 1, column 6)" in page.locator(".note.error").inner_text()


@pytest.mark.parametrize("page", ["phone", "desktop"], indirect=True)
def test_hostile_words_are_shown_as_text(page: Page) -> None:
    hostile = "<img src=x onerror=alert(1)> \u202eسلام 🏃 " + "w" * 60
    tree = 'APPLY(l=RETRIEVE(query="I went swimming"), fct=len)'
    ask(page, hostile, f"&tree={quote(tree)}&after={quote(hostile)}%0A{quote(tree)}")
    assert page.locator(".asked").inner_text().startswith("<img src=x onerror=alert(1)>")
    assert page.locator("main img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("parts/ask/rows", 422),
        ("parts/ask/rows?q=x&first=-1", 422),
        ("parts/ask/rows?q=x&first=99999999999", 422),
        ("parts/ask/rows?q=x&at=yesterday", 422),
        ("parts/ask/rows?q=x&at=0001-01-01", 422),
        ("parts/ask/node?q=How+many+runs+did+I+do%3F&node=a.b", 422),
        ("parts/ask/node?q=How+many+runs+did+I+do%3F&node=9.9", 404),
        ("parts/ask/node?q=How+many+runs+did+I+do%3F&number=7", 404),
        ("parts/ask/show?q=How+many+runs+did+I+do%3F&show=%3Cscript%3E", 404),
        ("?q=" + "x" * 1001, 422),
        ("?q=x&after=" + "y" * 1001, 422),
        ("answer.csv", 422),
    ],
)
def test_odd_addresses_are_refused(served: Service, path: str, status: int) -> None:
    got = get(served, path)
    assert got.status_code == status
    assert "<script>" not in got.text


def test_no_part_has_anything_inline(served: Service) -> None:
    for show in ("time", "table", "how", "sparql"):
        got = get(served, f"?q={quote(RUNS)}&whole=1&show={show}")
        assert got.status_code == 200
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|\sstyle=|<style", got.text)
