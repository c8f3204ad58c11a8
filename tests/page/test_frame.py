"""The frame of all pages: what it loads, its keys, what is not there."""

from __future__ import annotations

import re
import signal

import httpx
from page.asking import get
from page.chromium import Chromium, signal_processes
from page.conftest import TOKEN


def test_nothing_inline_is_allowed_and_nothing_inline_is_there(served):
    got = get(served, "nothing")
    policy = got.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy
    assert not re.search(r"<script(?![^>]* src=)|\son\w+=|\sstyle=|<style", got.text)


def test_files_are_kept_for_good_and_no_others_are_there(served):
    text = get(served, "nothing").text
    for path in re.findall(r'(?:href|src)="/(static/[^"]+)"', text):
        got = get(served, path)
        assert got.status_code == 200, path
        assert "immutable" in got.headers["cache-control"]
    assert get(served, "static/x/../pages.py").status_code == 404
    assert get(served, "static/x/%2e%2e/%2e%2e/service.py").status_code == 404


def test_what_is_not_there_is_said_as_a_page_and_to_programs_as_a_problem(served):
    assert "There is nothing here" in get(served, "nothing").text
    assert get(served, "nothing", Accept="application/json").json()["reason"] == "not_found"


def test_keys_are_shown_by_a_question_mark(page):
    page.goto("/nothing")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()


def test_the_foot_says_how_much_there_is(page):
    page.goto("/nothing")
    page.locator(".foot p").first.wait_for()
    assert page.locator(".foot").inner_text().startswith("2,339 events")


def test_a_browser_is_let_in_once_by_the_address_that_serve_prints(served, browser):
    page = browser.page(base_url=served.address.rstrip("/"))
    assert httpx.get(f"{served.address}nothing").status_code == 401
    page.goto(f"/nothing?token={TOKEN}")
    assert "token" not in page.url
    assert page.get_by_role("heading").inner_text() == "There is nothing here"
    assert page.evaluate("document.cookie") == ""
    browser.leave(page)


def test_a_browser_that_does_not_close_a_page_is_ended_and_the_next_page_has_a_new_one(browser):
    hasty = Chromium(browser.playwright, patience=2)
    page = hasty.page()
    signal_processes(hasty.mark, signal.SIGSTOP)
    hasty.leave(page)
    other = hasty.page()
    other.goto("about:blank")
    assert other.context.browser is not page.context.browser
    hasty.leave(other)
    hasty.close()
