"""Looking around in odd data: hostile names in every field, long words, many events of one day, places on a map."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from html import unescape
from urllib.parse import quote

import pytest
from page.asking import barriers, get
from page.conftest import NOW, serving
from playwright.sync_api import expect

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions

HOSTILE = '<img src=x onerror=alert(1)> "O\'Brien" {{7*7}}'
ARABIC = "القاهرة"
PLACES = (
    ("Utrecht", 52.09, 5.12, 40),
    ("Bologna", 44.49, 11.34, 9),
    (ARABIC, 30.04, 31.24, 2),
    (HOSTILE, 40.7, -74.0, 1),
)


def _records():
    number = 0
    for name, north, east, times in PLACES:
        for time in range(times):
            number += 1
            start = datetime(2024, 1, 1, 9) + timedelta(days=time)
            yield {"id": f"stay-{number}", "source": "location", "place_name": name, "latitude": north,
                   "longitude": east, "start_datetime": start.isoformat()}  # fmt: skip
    day = datetime(2024, 5, 5, 10)
    yield {"id": "note", "source": "note", "title": HOSTILE, "text": f"{HOSTILE}\n\n{'W' * 300}",
           "start_datetime": day.isoformat()}  # fmt: skip
    yield {"id": "mail", "source": "mail", "subject": f"{ARABIC} 🎉", "text": "مرحبا", "sender": HOSTILE,
           "recipient": ["Ann Lee"], "start_datetime": day.isoformat()}  # fmt: skip
    for song in range(150):
        start = datetime(2024, 5, 6, 10) + timedelta(minutes=3 * song)
        yield {"id": f"song-{song}", "source": "music_stream", "song_name": f"Song {song % 7}",
               "song_artist": [HOSTILE], "start_datetime": start.isoformat()}  # fmt: skip


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A service of odd data."""
    folder = tmp_path_factory.mktemp("odd")
    path = folder / "odd.json"
    path.write_text(json.dumps(list(_records())), encoding="utf-8")
    ingest([path], folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW, source="odd"))
    with serving(folder / "store") as service:
        yield service


@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_hostile_names_are_shown_as_they_are_everywhere(odd, opened, width):
    page = opened(odd, width)
    for path in (
        "/timeline/2024?day=2024-05-05", "/day/2024-05-05", "/things", "/things/people", "/search?q=onerror", "/map",
        f"/thing?kind=people&name={quote(HOSTILE)}", f"/thing?kind=artist&name={quote(HOSTILE)}",
    ):  # fmt: skip
        page.goto(path)
        assert page.locator("main img").count() == 0, path
        assert "onerror" in page.locator("main").inner_text(), path
        assert "49" not in page.locator("h1").inner_text(), path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.goto("/day/2024-05-05")
    page.locator(".what a", has_text="onerror").first.click()
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator(".words").inner_text().startswith(HOSTILE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_run_of_many_songs_comes_in_parts(odd, opened):
    page = opened(odd)
    page.goto("/day/2024-05-06")
    expect(page.locator(".run .what")).to_have_text("150 songs")
    page.locator(".run summary").click()
    expect(page.locator(".inside a")).to_have_count(60)
    page.get_by_role("button", name="90 more").click()
    expect(page.locator(".inside a")).to_have_count(120)
    page.get_by_role("button", name="30 more").click()
    expect(page.locator(".inside a")).to_have_count(150)


def test_places_stand_on_a_map_that_begins_where_most_of_life_is(odd, opened):
    page = opened(odd)
    page.goto("/things")
    page.get_by_role("link", name="On a map").click()
    point = page.locator("a.place[aria-label='Utrecht: 40 events']")
    expect(point).to_be_visible()
    away = page.locator("a.place[aria-label$='1 event']")
    assert not away.is_visible()
    page.get_by_role("button", name="All").click()
    expect(away).to_be_visible()
    expect(page.locator("path.land")).to_have_attribute("d", re.compile("^M"))
    assert page.locator("[data-places] li").all_inner_texts()[0].split("\n") == ["Utrecht", "40"]
    assert barriers(page) == []
    point.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Utrecht")


def test_a_map_is_not_offered_where_nothing_has_a_place(page):
    page.goto("/things")
    assert page.get_by_role("link", name="On a map").count() == 0
    page.goto("/map")
    assert "None of your events says where it was" in page.locator("main").inner_text()


@pytest.mark.parametrize(
    "words", ["2024-13-45", "31 February", "31 February 2024", "30/02/2024", "June 31", "29 Feb 2023"]
)
def test_a_day_that_there_is_not_is_said(served, words):
    assert f"There is no {words} in any calendar" in unescape(get(served, f"search?q={quote(words)}").text)


@pytest.mark.parametrize("words", ["29 February", "29 February 2024", "room 12 2024", "12-34-56", "April", "2024"])
def test_what_is_a_day_or_no_date_at_all_is_only_looked_for(served, words):
    assert "in any calendar" not in unescape(get(served, f"search?q={quote(words)}").text)


def test_an_event_of_several_days_counts_once_in_its_year(served):
    years = (2023, 2024, 2025, 2026)
    shown = [get(served, f"timeline/{year}").text for year in years]
    told = [re.search(r"<span>calendar entr(?:ies|y) ([0-9]+)</span>", page) for page in shown]
    assert sum(int(one[1]) for one in told if one) == 252  # as many as the source has
