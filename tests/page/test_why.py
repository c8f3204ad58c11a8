"""Why, beside an answer: the records or the words that told, what was left out, how it ran, its query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest
from derived_life import NOW as LIFE_NOW
from derived_life import import_source, without_weights
from page.asking import RUNS, answered, ask, barriers, get, value
from page.conftest import serving
from playwright.sync_api import Page, expect

from reqap_kg.web.service import Service

DINNERS = "How often did we have dinner at a trattoria?"
TEXTS = {
    "mails": [
        ("2024-05-01", {"subject": "Saturday", "text": "Thanks for dinner, that trattoria has the best ragu."}),
        ("2024-05-02", {"subject": "Invoice", "text": "Your invoice for March is attached."}),
        ("2024-05-09", {"subject": "Again", "text": f"{'x ' * 80}A trattoria dinner, {'y ' * 80}"}),
    ],
    "diary": [("2024-05-04", {"title": "Dinner at the trattoria", "text": "With Bo. Gnocchi again."})],
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of a small life, of which texts tell; without weights, so that words alone count."""
    folder = tmp_path_factory.mktemp("told")
    for name, kind in (("mails", "mail"), ("diary", "note")):
        rows = [{"source": kind, "start_datetime": f"{day}T10:00:00", **row} for day, row in TEXTS[name]]
        import_source(folder, name, rows)
    with pytest.MonkeyPatch.context() as patch:
        without_weights(patch)
        with serving(folder / "store", LIFE_NOW) as service:
            yield service


# ---------------------------------------------------------------- the reasons
def test_records_are_listed_with_their_values_and_more_come(page: Page) -> None:
    ask(page, RUNS)
    assert page.locator("#margin .head").inner_text().split("\n") == ["Why", "57 records"]
    rows = page.locator("#margin .why > li:not(.more)")
    assert rows.count() == 6
    assert rows.first.inner_text().split("\n") == [
        "7 Jan 2024", "Running", "11.9 km · 1 h 01 min · 09:41", "workout, Apple Health",
    ]  # fmt: skip
    assert rows.nth(1).locator(".when").inner_text() == "9 Jan"
    page.get_by_role("button", name="51 more").click()
    expect(rows).to_have_count(56)
    page.get_by_role("button", name="1 more").scroll_into_view_if_needed()
    expect(rows).to_have_count(57)  # the rest comes by itself
    expect(rows.last.locator(".when")).to_have_text("22 Dec")


def test_keys_walk_the_reasons_and_open_one(page: Page) -> None:
    ask(page, RUNS)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    current = page.locator("#margin li[aria-current]")
    assert current.locator(".when").inner_text() == "9 Jan"
    with page.expect_request("**/event?iri=*") as asked:
        page.keyboard.press("Enter")
    assert "data/apple-health/" in unquote(asked.value.url)


def test_keys_walk_on_to_reasons_that_are_loaded_then(page: Page) -> None:
    ask(page, RUNS)
    assert page.evaluate("document.activeElement.matches('h1.value')")
    for _ in range(6):
        page.keyboard.press("j")
    expect(page.locator("#margin .why > li:not(.more)").nth(5)).to_have_attribute("aria-current", "true")
    page.keyboard.press("j")
    expect(page.locator("#margin .why > li:not(.more)").nth(6)).to_have_attribute("aria-current", "true")
    expect(page.locator("#margin .why > li:not(.more)")).to_have_count(56)
    page.keyboard.press("k")
    expect(page.locator("#margin li[aria-current]")).to_have_count(1)
    expect(page.locator("#margin .why > li:not(.more)").nth(5)).to_have_attribute("aria-current", "true")


def test_on_a_phone_the_reasons_are_a_tab(served: Service, opened: Callable[..., Page]) -> None:
    page = opened(served, "phone")
    ask(page, RUNS)
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == "Why · 57"
    assert page.locator("#margin .why > li").first.is_visible()
    assert not page.locator("#panel").is_visible()
    page.get_by_role("tab", name="By month").click()
    page.locator("#panel svg").first.wait_for()
    assert not page.locator("#margin .why").is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator("#margin .why").is_visible()
    assert page.locator("#panel").is_visible()


def test_what_was_left_out_is_told_with_the_reason(page: Page) -> None:
    ask(page, RUNS)
    page.get_by_role("button", name="Left out, and why").click()
    page.locator(".left-out summary").first.wait_for()
    assert page.locator(".left-out summary").first.inner_text() == "47 not in 2024"
    assert page.locator(".left-out li").first.inner_text() == "running 5 Mar 2023"
    page.locator(".left-out summary").last.click()
    assert "Apple Health: " in page.locator(".left-out details").last.inner_text()


def test_the_words_that_told_are_marked(told: Service, opened: Callable[..., Page]) -> None:
    page = opened(told)
    ask(page, DINNERS)
    assert value(page) == "3 times"
    assert page.locator("#margin .head .soft").inner_text() == "3 texts"
    rows = page.locator("#margin .why > li")
    marked = [row.locator("mark").all_inner_texts() for row in rows.all()]
    assert ["dinner", "trattoria"] in marked
    assert ["Dinner", "trattoria"] in [found[:2] for found in marked]
    long = rows.filter(has_text="Again").locator(".passage").inner_text()
    assert long.startswith("… x x")
    assert long.endswith("y y …")
    assert len(long) < 200
    assert barriers(page) == []


def test_what_is_not_sure_is_decided_with_one_click(told: Service, opened: Callable[..., Page]) -> None:
    page = opened(told)
    ask(page, DINNERS)
    unsure = page.locator("#margin .unsure").count()
    assert unsure
    page.locator(".note.doubt").get_by_role("link", name="No").click()
    expect(page.locator("h1.value span").first).to_have_text("2")
    assert "tree" in parse_qs(urlsplit(page.url).query)
    page.go_back()
    expect(page.locator("h1.value span").first).to_have_text("3")
    page.locator(".note.doubt").get_by_role("link", name="Yes").click()
    expect(page.locator("#margin .unsure")).to_have_count(unsure - 1)
    assert value(page) == "3 times"


# ---------------------------------------------------------------- how it ran
def test_a_picture_shows_how_it_ran_and_the_rows_of_each_part(page: Page) -> None:
    ask(page, RUNS)
    page.keyboard.press(".")
    nodes = page.locator("svg.tree .node")
    nodes.first.wait_for()
    names = page.locator("svg.tree .name").all_text_contents()
    assert names[0] == "Count"
    assert names[-1].startswith("Retrieve “I")
    assert page.locator("svg.tree .rows").all_text_contents()[-1] == "104"
    assert (nodes.first.get_attribute("aria-label") or "").startswith("Count: 1 row, ")
    assert barriers(page) == []
    page.get_by_label("Filter: in 2024").click()
    page.locator("#margin .node-rows").wait_for()
    assert page.locator("#margin .head").inner_text().split("\n") == ["Filter", "57 rows"]
    assert page.locator("#margin .node-rows tbody tr").count() == 20
    page.get_by_role("button", name="Back to why").click()
    page.locator("#margin .why").wait_for()
    page.get_by_label("Filter: in 2024").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="run this part alone").click()
    expect(page.locator("h1.value span").first).to_have_text("57")
    expect(page.locator("[role=tab]", has_text="List")).to_have_count(1)


def test_the_query_is_shown_copied_and_opened(served: Service, opened: Callable[..., Page]) -> None:
    page = opened(served, permissions=["clipboard-read", "clipboard-write"])
    ask(page, RUNS, "&show=sparql")
    assert page.locator(".query pre").inner_text().startswith("PREFIX ev:")
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("PREFIX ev:")
    href = page.get_by_role("link", name="Open in the editor").get_attribute("href") or ""
    assert parse_qs(urlsplit(href).query)["q"][0].startswith("PREFIX ev:")


def test_tabs_are_walked_by_arrows(page: Page) -> None:
    ask(page, RUNS)
    page.locator("#tab-time").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#panel svg [aria-label^='Tuesday']").wait_for()
    assert page.evaluate("document.activeElement.id") == "tab-weekday"
    assert page.locator("#tab-weekday").get_attribute("aria-selected") == "true"
    assert page.locator("#panel").get_attribute("aria-labelledby") == "tab-weekday"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.locator(".query pre").wait_for()
    answered(page)


# ---------------------------------------------------------------- decided, and taken back
def _link(html: str, words: str) -> str:
    """Where the link with these words leads, with the whole answer."""
    before = html[: html.index(f">{words}</a>")]
    return unescape(before[before.rindex('href="') + 6 :].partition('"')[0]).removeprefix("/") + "&whole=1"


def _said(html: str) -> str:
    return html.partition('<h1 class="value')[2].partition("<span>")[2].partition("</span>")[0]


def test_what_was_decided_is_not_asked_again_and_can_be_taken_back(told: Service) -> None:
    html = get(told, f"?q={quote(DINNERS)}&whole=1").text
    first, steps = html, 0
    while "Count it?" in html:  # each of which it is not sure counts
        html, steps = get(told, _link(html, "Yes")).text, steps + 1
    assert steps
    assert _said(html) == _said(first)
    assert "note doubt" not in html
    assert 'class="unsure"' not in html
    for _ in range(steps):
        html = get(told, _link(html, "take it back")).text
    assert html.count('class="unsure"') == first.count('class="unsure"')
    assert "take it back" not in html


def test_what_was_left_out_by_a_click_is_taken_back(told: Service) -> None:
    first = get(told, f"?q={quote(DINNERS)}&whole=1").text
    left = get(told, _link(first, "No")).text
    assert _said(left) != _said(first)
    chip = re.search('class="x" href="([^"]+)"', left)
    assert chip is not None
    less = get(told, unescape(chip[1]).removeprefix("/") + "&whole=1").text
    again = get(told, _link(less, "take it back")).text
    assert _said(again) == _said(left)
    assert _said(get(told, _link(again, "take it back")).text) == _said(first)
