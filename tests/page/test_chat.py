"""A conversation in the browser: what leans on what, what is taken back, what is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import httpx
import pytest
from page.asking import barriers
from page.conftest import TOKEN, serving
from playwright.sync_api import Page, expect

RUNS = "How many runs did I do in 2024?"


def _say(page: Page, text: str) -> None:
    turns = page.locator(".turn").count()
    page.get_by_label("What you say").fill(text)
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.locator(".turn")).to_have_count(turns + 1)


@pytest.mark.parametrize("page", ["phone", "desktop"], indirect=True)
def test_a_conversation_goes_on_and_is_there_when_it_is_opened_again(page):
    page.goto("/chat?keep=no")
    _say(page, RUNS)
    expect(page.locator(".turn").last).to_contain_text("57")
    _say(page, "and in 2023?")
    expect(page.locator(".turn").last).to_contain_text("after “How many runs did I do in 2024?”")
    expect(page.locator(".turn").last).to_contain_text("39 runs in 2023")
    assert page.get_by_label("What you say").input_value() == ""
    page.reload()
    expect(page.locator(".turn")).to_have_count(2)


def test_what_is_taken_back_is_not_leaned_on(page):
    page.goto("/chat?keep=no")
    _say(page, RUNS)
    _say(page, "Which artist did I listen to most in 2024?")
    page.get_by_role("button", name="/undo").click()
    expect(page.locator(".turn")).to_have_count(1)
    _say(page, "and in 2023?")
    expect(page.locator(".turn").last).to_contain_text("39")
    page.get_by_role("button", name="/new").click()
    expect(page.locator(".turn")).to_have_count(0)


def test_a_large_answer_is_narrowed_by_a_button(page):
    page.goto("/chat?keep=no")
    _say(page, "Show me my workouts")
    chip = page.locator(".replies .chip").first
    name = chip.inner_text().split()[0]
    chip.click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn .said").last).to_contain_text(name)


def test_an_answer_leads_to_why_with_what_was_said_before(page):
    page.goto("/chat?keep=no")
    _say(page, RUNS)
    _say(page, "and in 2023?")
    page.get_by_role("link", name="Why, and charts").last.click()
    expect(page.locator(".value span").first).to_have_text("39")


def test_what_is_said_is_kept_or_not_and_is_forgotten(imported_demo, tmp_path, opened):
    store = Path(copytree(imported_demo, tmp_path / "store"))
    journal = store / "dialogue.jsonl"
    with serving(store) as service:
        page = opened(service)
        page.goto("/chat?keep=no")
        _say(page, RUNS)
        assert "Nothing of this chat is kept" in page.locator(".head").inner_text()
        assert not journal.exists()
        page.goto("/chat")
        _say(page, RUNS)
        assert next(json.loads(line)["text"] for line in journal.read_text().splitlines()) == RUNS
        page.get_by_role("button", name="/forget").click()
        expect(page.locator(".turn")).to_have_count(0)
        assert RUNS not in (journal.read_text() if journal.exists() else "")


def test_an_unknown_command_is_told_and_hostile_text_is_text(page):
    page.goto("/chat?keep=no")
    _say(page, "/dance")
    expect(page.locator(".turn").last).to_contain_text("There is no /dance")
    _say(page, "/<img src=x onerror=alert(1)>")
    assert page.locator(".turn img").count() == 0


def test_without_scripts_it_is_a_form(served):
    with httpx.Client(base_url=served.address, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as client:
        begun = client.get("chat?keep=no")
        name = re.search(r'name="talk" value="([^"]+)"', client.get(begun.headers["location"]).text)
        assert name
        said = client.post("chat", data={"talk": name[1], "text": RUNS})
        assert said.status_code == 303
        assert "<strong>57</strong>" in client.get(said.headers["location"]).text
        assert client.post("chat", data={"talk": "none", "text": RUNS}).status_code == 404
        assert client.post("chat", data={"talk": name[1], "text": "run " * 130}).status_code == 422


def test_it_has_no_barriers(page):
    page.goto("/chat?keep=no")
    _say(page, RUNS)
    assert barriers(page) == []
