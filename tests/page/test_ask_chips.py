"""How a question was read, changed by its chips: the tree changes, the words stay."""

from __future__ import annotations

import re

import httpx
import pytest
from page.asking import barriers
from page.conftest import TOKEN
from playwright.sync_api import Page, expect

RUNS = "/?q=How many runs did I do in 2024?"


def _value(page: Page) -> str:
    page.locator(".value").first.wait_for()
    return page.locator(".value span").first.inner_text()


def _chip(page: Page, text: str):
    return page.locator(".read-as .chip", has_text=text).first


@pytest.mark.parametrize("page", ["phone", "desktop"], indirect=True)
def test_a_part_is_left_out_by_one_click_and_the_words_stay(page):
    page.goto(RUNS)
    assert _value(page) == "57"
    _chip(page, "in 2024").get_by_label("Leave out in 2024").click()
    expect(page.locator(".value span").first).to_have_text("104")
    assert "tree=" in page.url
    assert page.locator(".asked").inner_text().startswith("How many runs did I do in 2024?")
    assert page.locator(".read-as").inner_text().count("2024") == 0
    page.reload()
    assert _value(page) == "104"


def test_another_kind_of_events_stands_in_its_place(page):
    page.goto(RUNS)
    _value(page)
    _chip(page, "workout type: running").locator("summary").click()
    page.get_by_role("link", name=re.compile("soccer")).click()
    expect(page.locator(".value span").first).to_have_text("31")
    expect(_chip(page, "workout type: soccer")).to_be_visible()


def test_what_is_told_of_them_is_changed(page):
    page.goto(RUNS)
    _value(page)
    _chip(page, "counted").locator("summary").click()
    page.get_by_role("link", name="total distance").click()
    expect(page.locator(".value").first).to_contain_text("km")


def test_any_days_are_asked_for(page):
    page.goto(RUNS)
    _value(page)
    _chip(page, "in 2024").locator("summary").click()
    page.get_by_label("from").first.fill("2024-02-01")
    page.get_by_label("to", exact=True).first.fill("2024-02-29")
    page.get_by_role("button", name="Show").first.click()
    expect(_chip(page, "in February 2024")).to_be_visible()
    assert _value(page) == "7"


def test_a_condition_is_added(page):
    page.goto("/?q=How many workouts did I do in 2024?")
    assert _value(page) == "120"
    page.get_by_text("+ add a condition").click()
    page.locator(".by summary", has_text="workout type").click()
    page.get_by_role("link", name=re.compile("swimming")).click()
    expect(page.locator(".value span").first).to_have_text("5")
    _chip(page, "workout type: swimming").get_by_label(re.compile("Leave out")).click()
    expect(page.locator(".value span").first).to_have_text("120")


def test_a_menu_is_opened_and_closed_by_keys(page):
    page.goto(RUNS)
    _value(page)
    summary = _chip(page, "workouts").locator("summary")
    summary.press("Enter")
    link = page.get_by_role("link", name=re.compile("music streams"))
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Escape")
    expect(link).not_to_be_visible()
    summary.click()
    page.locator(".asked").click()
    expect(link).not_to_be_visible()


def test_open_menus_have_no_barriers(page):
    page.goto(RUNS)
    _value(page)
    _chip(page, "in 2024").locator("summary").click()
    assert barriers(page) == []


@pytest.mark.parametrize("days", ["first=2024-13-01&last=2024-02-01", "first=2024-03-01&last=2024-02-01", "first=x"])
def test_days_that_are_none_are_refused(served, days):
    address = f"{served.address}in-period?q=How+many+runs+did+I+do+in+2024%3F&{days}"
    got = httpx.get(address, headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/html"}, timeout=30)
    assert got.status_code == 422
    assert "That did not work" in got.text
