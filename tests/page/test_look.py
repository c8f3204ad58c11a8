"""The timeline and days: a year in one look, a day in full, by keyboard, narrowed, at all widths."""

from __future__ import annotations

import re
from shutil import copytree
from time import sleep

import pytest
from page.asking import barriers, get
from page.conftest import NOW, WIDTHS, serving
from playwright.sync_api import expect

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.extraction.coreference.links import store_links

PAGES = ("/timeline/2024?day=2024-09-13", "/day/2024-02-07", "/things", "/things/artist", "/search?q=dentist", "/map")


@pytest.fixture(scope="module")
def told(imported_demo, tmp_path_factory):
    """A service of the demo life in which it was found out which events tell of one happening."""
    store = copytree(imported_demo, tmp_path_factory.mktemp("told") / "store")
    with KnowledgeGraph.open(store, Settings()) as known:
        store_links(known._context(NOW))
    with serving(store) as service:
        yield service


@pytest.mark.parametrize("page", WIDTHS, indirect=True)
def test_a_year_is_one_look_and_its_last_day_is_in_full(page):
    page.goto("/timeline")
    assert page.locator("h1").inner_text() == "2025"
    assert page.locator("#day-title").inner_text() == "Friday, 28 February 2025"  # now is 1 March
    squares = page.locator("[data-calendar] a")
    assert squares.count() == 365
    assert squares.first.get_attribute("aria-label") == "1 January 2025: 5 events"
    page.get_by_role("link", name="‹ 2024").click()
    assert page.locator("h1").inner_text() == "2024"
    assert squares.count() == 366
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_arrows_go_by_day_and_week_and_enter_shows_the_day_below(page):
    page.goto("/timeline/2024?day=2024-09-13")
    page.locator("[data-calendar] a[aria-current]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-calendar] a:focus")).to_have_attribute("data-day", "2024-09-19")
    expect(page.locator("#day-title")).to_have_text("Friday, 13 September 2024")
    page.keyboard.press("Enter")
    expect(page.locator("#day-title")).to_have_text("Thursday, 19 September 2024")
    expect(page.locator("#said")).to_have_text("Thursday, 19 September 2024")
    expect(page.locator("[data-calendar] a[aria-current]")).to_have_attribute("data-day", "2024-09-19")
    assert page.url.endswith("/timeline/2024?day=2024-09-19")
    page.go_back()
    expect(page.locator("#day-title")).to_have_text("Friday, 13 September 2024")
    expect(page.locator("[data-calendar] a[aria-current]")).to_have_attribute("data-day", "2024-09-13")


def test_keys_turn_days_and_go_through_what_is_listed(page):
    page.goto("/timeline/2024?day=2024-09-13")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#day-title")).to_have_text("Thursday, 12 September 2024")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#day-title")).to_have_text("Friday, 13 September 2024")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator(":focus")).to_have_text("BOLOGNA: Tia + Giulia")
    page.keyboard.press("Enter")
    page.wait_for_url("**/event?iri=*")
    page.keyboard.press("/")
    page.goto("/things")
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()


def test_chips_narrow_the_year_and_its_days_and_the_address_keeps_it(page):
    page.goto("/timeline/2024?day=2024-09-13")
    page.get_by_role("link", name="workouts 120").click()
    expect(page.locator("[data-calendar] a[data-day='2024-09-13']")).to_have_attribute(
        "aria-label", "13 September 2024: 1 event"
    )
    expect(page.locator(".day .what")).to_have_text(["Soccer"])
    assert "kind=Workout" in page.url
    page.locator("[data-day-before]").click()
    expect(page.locator(".day .what").first).to_have_text(re.compile("Running|Soccer|Cycling|Swimming|Yoga"))
    page.reload()
    expect(page.locator(".day .from").first).to_have_text("workout · Apple Health")
    page.get_by_role("link", name="workouts 120").click()
    assert "kind=" not in page.url


def test_songs_that_follow_one_another_are_one_line_until_they_unfold(page):
    page.goto("/day/2024-03-01")
    expect(page.locator(".run .what")).to_have_text("4 songs")
    assert "to 22:13" in page.locator(".run summary").inner_text()
    song = page.get_by_role("link", name="Simulation Swarm – Big Thief")
    assert not song.is_visible()
    page.locator(".run summary").click()
    song.click()
    expect(page.locator("h1")).to_have_text("Simulation Swarm – Big Thief")


def test_a_happening_stands_once_with_what_else_tells_of_it(told, opened):
    page = opened(told)
    page.goto("/day/2024-02-07")
    assert page.locator(".day > li").count() == 2  # the football in the calendar is the workout of that evening
    assert page.locator(".day .also").first.inner_text() == "also told by a calendar entry of 19:30"
    dinner = page.locator(".day > li", has_text="Sette Colli")
    assert "also told by a mail of 8 Feb and a mail of 8 Feb" in dinner.inner_text()
    assert "2 texts of other days tell of it" in page.locator("aside").inner_text()
    page.locator("aside").get_by_role("link", name="yesterday evening you missed", exact=True).click()
    assert "It tells of Sette Colli (Tia invites), a calendar entry of 7 Feb" in page.locator("aside").inner_text()
    page.locator(".kind a").click()
    expect(page.locator(".day .also").first).to_have_text("tells of Sette Colli (Tia invites), 7 Feb")


def test_that_day_leads_to_people_places_and_a_question(page):
    page.goto("/day/2024-09-13")
    met = page.get_by_role("list", name="People and places")
    assert met.locator("a").all_inner_texts() == ["Giulia Ferri", "Mattia Conti", "Bologna", "Via Saragozza, Bologna"]
    ask = page.get_by_role("link", name="Ask about this day").get_attribute("href")
    assert ask is not None
    assert ask.startswith("/?q=What+did+I+do+on+13+September+2024%3F&tree=")
    page.get_by_role("link", name="Day after, 14 September 2024").click()
    expect(page.locator("h1")).to_have_text("Saturday, 14 September 2024")
    page.goto("/day/2024-09-15")
    assert "since 14 Sept" in page.locator(".day .when").all_inner_texts()


def test_years_and_days_without_events_say_so(page):
    page.goto("/timeline/2011")
    expect(page.locator(".empty")).to_have_text("Your data tells of nothing in 2011.")
    page.get_by_role("link", name="2023 ›").click()
    page.goto("/day/2011-01-01")
    assert "nothing on this day" in page.locator("main").inner_text()
    page.goto("/timeline/2024?kind=Unicorn")
    page.get_by_role("link", name="Show everything").click()
    expect(page.locator("h1")).to_have_text("2024")


def test_a_folder_without_a_store_is_served_until_somebody_asks(tmp_path):
    (tmp_path / "store").mkdir()
    with serving(tmp_path / "store") as service:
        sleep(1.2)  # longer than the service takes to look whether its store is gone
        assert get(service, "/timeline").status_code == 200


def test_without_any_data_there_is_a_way_to_add_some(tmp_path):
    (tmp_path / "store").mkdir()
    with serving(tmp_path / "store") as service:
        for path in ("/timeline", "/timeline/2024", "/day/2024-01-01", "/things", "/search?q=x"):
            found = get(service, path)
            assert found.status_code == 200, path
            assert 'href="/data"' in found.text.partition("<main")[2], path


@pytest.mark.parametrize(
    "path",
    [
        "/timeline/0", "/timeline/10000", "/timeline/-1", "/timeline/twenty", "/day/2024-13-01", "/day/20240101",
        "/day/2024-1-1", "/day/2024-02-30", "/timeline/2024?day=x", "/day/2024-09-13/run?first=x", "/day/%00",
    ],
)  # fmt: skip
def test_what_is_no_day_or_year_is_not_there(served, path):
    assert get(served, path).status_code == 404


def test_part_of_a_page_is_for_htmx_and_the_way_back_gets_the_whole(served):
    path = "/timeline/2024?day=2024-09-13"
    part = get(served, path, **{"HX-Request": "true"}).text
    assert "<html" not in part
    assert 'id="day"' in part
    whole = get(served, path, **{"HX-Request": "true", "HX-History-Restore-Request": "true"}).text
    assert "<html" in whole


def test_nothing_is_inline(served):
    for path in PAGES:
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|\sstyle=|<style", get(served, path).text), path


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pages_have_no_serious_barrier(served, opened, colours):
    page = opened(served, color_scheme=colours)
    for path in PAGES if colours == "light" else PAGES[:1]:
        page.goto(path)
        assert barriers(page) == [], path
