"""What tests of asking have in common: a question that is asked in the browser, and its answer."""

from __future__ import annotations

from urllib.parse import quote

import httpx
from axe_playwright_python.sync_playwright import Axe
from page.conftest import TOKEN
from playwright.sync_api import Page

from reqap_kg.web.service import Service

RUNS = "How often did I go running in 2024?"
SONGS = "Show me my songs of 2024"


def ask(page: Page, question: str, more: str = "") -> None:
    """Opens the page of a question, and waits for its answer."""
    page.goto(f"/?q={quote(question)}{more}")
    answered(page)


def answered(page: Page) -> None:
    """Waits until an answer, or a refusal, is there."""
    page.locator("#answer:not(.waiting) > :is(.value, .note.error)").first.wait_for()


def value(page: Page) -> str:
    """The largest words."""
    return " ".join(page.locator("h1.value").inner_text().split())


def get(service: Service, path: str, **headers: str) -> httpx.Response:
    """A page as a program gets it."""
    return httpx.get(
        service.address + path.removeprefix("/"),
        headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/html", **headers},
        timeout=60,
    )


def barriers(page: Page) -> list[str]:
    """What hinders somebody, as axe finds it."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")
    ]
