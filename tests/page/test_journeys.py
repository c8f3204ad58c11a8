"""Ways through several parts of the page, hostile and empty data on all of them, and what every page keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hostile_life import hostile_life
from page.asking import RUNS, answered, ask, barriers, value
from page.conftest import NOW, TOKEN, WIDTHS, serving
from playwright.sync_api import Page, expect

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.store.generations import begin_import
from reqap_kg.web.service import Service

pytestmark = pytest.mark.long

PAGES = (
    "/", f"/?q={quote(RUNS)}", "/timeline", "/day/2024-09-13", "/things", "/things/artist",
    "/thing?kind=artist&name=Gwenno", "/search?q=dentist", "/query", "/data", "/data/rules", "/data/rules?kind=maps",
    "/chat",
)  # fmt: skip
CHECKED = ("/", "/timeline", "/things", "/query", "/data", "/data/rules", "/chat")
"""Pages that are searched for barriers at all widths."""
PARTS = ("Ask", "Timeline", "People, places", "SPARQL", "Data")
HTML = "<img src=x onerror=alert(1)><b>bold</b> {{7*7}}"
MANY = 10_000


def is_wide(page: Page) -> bool:
    """Whether the page goes beyond its window."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


def settle(page: Page) -> None:
    """Waits for what a page loads after itself."""
    if "/?q=" in page.url:
        answered(page)
    expect(page.locator(".htmx-request")).to_have_count(0)


# ---------------------------------------------------------------- from part to part
@pytest.mark.parametrize("page", WIDTHS, indirect=True)
def test_from_the_start_to_the_day_behind_an_answer_and_back(page: Page) -> None:
    page.goto("/")
    page.locator(".examples a").first.click()
    answered(page)
    assert value(page) == "Gwenno"
    page.get_by_role("link", name="Leave out in 2024").click()
    expect(page.get_by_role("link", name="Leave out in 2024")).to_have_count(0)
    answered(page)
    asked = page.url
    if page.locator("#tab-why").is_visible() and not page.locator("#margin .why a").first.is_visible():
        page.locator("#tab-why").click()
    reason = page.locator("#margin .why > li .what a").first
    song = reason.inner_text()
    reason.click()
    expect(page.locator("h1")).to_have_text(song)
    page.locator(".kind a").click()
    page.wait_for_url("**/day/*")
    expect(page.locator("main")).to_contain_text("That day")
    page.go_back()
    expect(page.locator("h1")).to_have_text(song)
    page.go_back()
    answered(page)
    assert page.url == asked
    assert value(page) == "Gwenno"


def test_a_day_of_the_timeline_is_asked_about_and_its_events_are_the_reasons(page: Page) -> None:
    page.goto("/timeline/2024?day=2024-09-13")
    page.get_by_role("link", name="Ask about this day").click()
    answered(page)
    assert "13 September 2024" in value(page)
    reasons = page.locator("#margin .why > li .what a").all_inner_texts()
    page.goto("/day/2024-09-13")
    assert set(reasons) <= set(page.locator(".day .what a").all_inner_texts())
    assert "Soccer" in reasons


def test_an_event_that_a_query_finds_leads_to_its_page_and_person(page: Page) -> None:
    page.goto(
        "/query?q=" + quote("SELECT ?event ?start { ?event a ev:Mail ; ev:start ?start } ORDER BY ?start LIMIT 3")
    )
    page.get_by_role("button", name="Run").click()
    page.locator("#results tbody a[href^='/event']").first.click()
    page.wait_for_url("**/event?iri=*")
    expect(page.locator(".kind")).to_contain_text("mail")
    person = page.locator(".met a").first
    name = person.inner_text()
    person.click()
    expect(page.locator("h1")).to_have_text(name)


def test_the_query_of_an_answer_finds_its_rows_in_the_editor(page: Page) -> None:
    ask(page, RUNS, "&show=sparql")
    page.get_by_role("link", name="Open in the editor").click()
    page.locator(".cm-content").wait_for()
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#results tbody tr").first).to_contain_text("57")


def test_what_is_searched_is_asked_about_and_leads_back(page: Page) -> None:
    page.goto("/things")
    page.fill("#find", "gwenno")
    page.press("#find", "Enter")
    page.locator(".ranked").get_by_role("link", name="Gwenno", exact=True).click()
    expect(page.locator("h1")).to_have_text("Gwenno")
    first = page.locator(".sentence a").first.inner_text()
    page.get_by_role("link", name="Ask", exact=True).click()
    page.fill("#q", "When did I first listen to Gwenno?")
    page.press("#q", "Enter")
    expect(page.locator("h1.value")).to_contain_text(first)
    page.locator("#margin .why .what a").first.click()
    page.locator("dd").get_by_role("link", name="Gwenno", exact=True).click()
    expect(page.locator(".sentence a").first).to_have_text(first)


def test_without_scripts_links_and_forms_go_the_same_way(served: Service, opened: Callable[..., Page]) -> None:
    page = opened(served, "phone", java_script_enabled=False)
    page.goto("/")
    page.locator(".examples a").first.click()
    expect(page.locator("h1.value")).to_contain_text("Gwenno")
    page.locator("#margin .why .what a").first.click()
    page.locator(".kind a").click()
    page.get_by_role("link", name="Timeline").click()
    expect(page.locator("h1")).to_have_text("2025")
    page.fill("#find", "osso buco")
    page.press("#find", "Enter")
    expect(page.locator(".dated mark").first).to_have_text("osso")


# ---------------------------------------------------------------- what every page keeps
@pytest.mark.parametrize("page", WIDTHS, indirect=True)
def test_every_page_fits_its_window_and_hinders_nobody(page: Page) -> None:
    page.goto("/")
    names = page.get_by_role("navigation", name="Parts").get_by_role("link").all_inner_texts()
    assert tuple(names) == PARTS
    titles = []
    for path in PAGES:
        page.goto(path)
        settle(page)
        assert page.locator("h1:visible, h1.hidden").count() == 1, path
        assert not is_wide(page), path
        assert path not in CHECKED or barriers(page) == [], path
        titles.append(page.title())
    assert len(set(titles)) == len(PAGES)
    assert all(title.endswith(" · reqap-kg") for title in titles)


def test_no_page_has_anything_inline(served: Service) -> None:
    for path in PAGES:
        got = httpx.get(
            served.address.rstrip("/") + path, headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/html"},
            follow_redirects=True,
        )  # fmt: skip
        assert got.status_code == 200, path
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|\sstyle=|<style|javascript:", got.text), path
        assert "unsafe" not in got.headers["content-security-policy"], path


def test_what_is_printed_is_the_answer_and_nothing_moves_where_none_wants_it(page: Page) -> None:
    ask(page, RUNS)
    page.emulate_media(media="print")
    assert not page.get_by_role("navigation", name="Parts").is_visible()
    assert not page.locator("#q").is_visible()
    assert page.locator("h1.value").is_visible()
    page.emulate_media(media="screen", reduced_motion="reduce")
    moving = """[...document.querySelectorAll("*")].filter(one => {
        const style = getComputedStyle(one);
        return parseFloat(style.transitionDuration) > 0 || style.animationName !== "none";
    }).map(one => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(moving) == []


# ---------------------------------------------------------------- odd lives
@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of a life whose every name tries to be something else."""
    folder = tmp_path_factory.mktemp("hostile")
    life = hostile_life(folder / "life")
    rows = [{"id": "1", "source": "note", "start_date": "2024-05-02", "title": HTML, "text": HTML, HTML: HTML}]
    (life / f"{HTML.replace('/', '')}.json").write_text(json.dumps(rows), encoding="utf-8")
    ingest([life], folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    with serving(folder / "store") as service:
        yield service


@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_hostile_names_are_text_in_every_part(hostile: Service, opened: Callable[..., Page], width: str) -> None:
    page = opened(hostile, width)
    seen = ""
    for path in (
        "/", "/timeline/2024?day=2024-05-02", "/day/2024-05-10", "/things", "/things/people", "/search?q=bold",
        f"/?q={quote('What did I do on 2 May 2024?')}", "/data", "/chat",
        "/query?q=" + quote(f"SELECT ?a {{ ?a ?b {HTML} }}"),
    ):  # fmt: skip
        page.goto(path)
        settle(page)
        shown = page.locator("main").inner_text()
        assert page.locator("main img, main b, main script").count() == 0, path
        assert not is_wide(page), path
        seen += shown
    assert seen.count("onerror=alert(1)") >= 4
    page.goto("/day/2024-05-02")
    page.locator(".what a", has_text="onerror").click()
    expect(page.locator("h1")).to_have_text(HTML)


@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_with_no_data_each_part_says_so_and_leads_to_data(opened, tmp_path: Path, width: str) -> None:
    with begin_import(tmp_path / "store") as new:
        new.build(frozenset(), ())
        new.commit()
    with serving(tmp_path / "store") as service:
        page = opened(service, width)
        for part in PARTS:
            page.goto("/")
            link = page.get_by_role("navigation", name="Parts").get_by_role("link", name=part)
            link.click()
            expect(link).to_have_attribute("aria-current", "page")
            settle(page)
            expect(page.locator("main a[href='/data'], main #drop").first).to_be_attached()
            assert page.locator("h1").count() == 1, part
            assert not is_wide(page), part
            assert barriers(page) == [], part


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of ten thousand songs."""
    folder = tmp_path_factory.mktemp("many")
    start = datetime(2020, 1, 1, 8)
    rows = [
        {"id": str(number), "source": "music_stream", "song_name": f"Song {number % 900}", "song_artist": ["Ann"],
         "start_datetime": (start + timedelta(hours=4 * number)).isoformat()}
        for number in range(MANY)
    ]  # fmt: skip
    (folder / "songs.json").write_text(json.dumps(rows), encoding="utf-8")
    ingest([folder / "songs.json"], folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    with serving(folder / "store") as service:
        yield service


def test_ten_thousand_rows_come_bit_by_bit(many: Service, opened: Callable[..., Page]) -> None:
    page = opened(many)
    ask(page, "How many songs did I listen to?")
    assert value(page).startswith("10,000")
    settle(page)
    rows = page.locator("#margin .why > li:not(.more)")
    assert 0 < rows.count() < 100
    before = rows.count()
    page.locator("#margin .more button").click()
    expect(rows).not_to_have_count(before)
    assert rows.count() < 300
    assert page.evaluate("document.querySelectorAll('*').length") < 5_000
    page.goto("/search?q=song")
    assert page.locator(".dated .what").count() <= 60
