"""The page in a real browser: Debian's Chromium (`apt-get install chromium`) over a service of the demo life.

    def test_it_answers(page):
        page.goto("/?q=How many runs did I do in 2024?")

`page` fails a test whose page asked another host, ran into its content security policy, or raised an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from shutil import copytree

import pytest
from page.chromium import CHROMIUM, Chromium
from playwright.sync_api import ConsoleMessage, Error, Page, expect, sync_playwright

from reqap_kg.config import Settings
from reqap_kg.web.holding import Held
from reqap_kg.web.http.tokens import COOKIE, cookie_value
from reqap_kg.web.service import Service, application_of, bound

_WAIT = 60_000
"""Milliseconds; a machine of CI has other work, too."""
expect.set_options(timeout=_WAIT)
TOKEN = "a-token-that-nobody-guesses"
NOW = datetime(2025, 3, 1, 12)
WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1280, 800)}
_LEFT = ("htmx:afterRequest", "htmx:sendAbort")
"""What htmx says of a part that the page was left before it came."""
_PAGES = pytest.StashKey[list[Page]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips what needs a browser where there is none, and says how to have one."""
    for item in items:
        if CHROMIUM is None and "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason="no Chromium: apt-get install chromium"))


@contextmanager
def serving(store: Path, now: datetime = NOW, settings: Settings | None = None) -> Iterator[Service]:
    """A service of a store on a thread of this process."""
    listening = bound("127.0.0.1", 0)
    with listening, Held(store, settings or Settings()) as held:
        port = listening.getsockname()[1]
        service = Service(held, "127.0.0.1", port, TOKEN, now, "0", None)
        made = application_of(service, lambda: now)
        thread = threading.Thread(target=service.run, args=(listening, made), daemon=True)
        thread.start()
        yield service
        service.quit()
        thread.join(timeout=30)


@pytest.fixture(scope="session")
def served(imported_demo, tmp_path_factory) -> Iterator[Service]:
    """A service of the demo life; tests may ask, and leave the data as they are."""
    store = Path(copytree(imported_demo, tmp_path_factory.mktemp("page") / "store"))
    with serving(store) as service:
        service.held.run(lambda known: known.ask("How often did I go running in 2024?", now=NOW))  # models are loaded
        yield service


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    """One browser for all tests of a file; while it is there, nothing else in this process can run an event loop."""
    with sync_playwright() as playwright:
        chromium = Chromium(playwright)
        try:
            chromium.start()
        except Error as bad:
            pytest.skip(f"{CHROMIUM} does not start: {bad}")
        yield chromium
        chromium.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Shows with a test that failed what its pages said at last."""
    report = yield
    if report.failed and report.when == "call":
        for page in item.stash.get(_PAGES, ()):
            with suppress(Error):  # its browser was ended
                report.sections.append((page.url, page.locator("body").inner_text(timeout=5_000)[:3_000]))
    return report


@pytest.fixture
def opened(request: pytest.FixtureRequest, browser: Chromium) -> Iterator[Callable[..., Page]]:
    """A page of a service at a width, `opened(service, "phone")`, let in; other hosts and errors fail the test."""
    wrong: list[str] = []
    pages = request.node.stash[_PAGES] = []

    def open_(service: Service, width: str = "desktop", **more) -> Page:
        size = WIDTHS[width]
        base = service.address.rstrip("/")
        page = browser.page(base_url=base, viewport={"width": size[0], "height": size[1]}, **more)
        pages.append(page)
        page.set_default_timeout(_WAIT)
        page.on("request", lambda request: _asked(request.url, service, wrong))
        page.on("console", lambda told: _heard(told, wrong))
        page.on("pageerror", lambda error: wrong.append(f"raised {error}"))
        page.context.add_cookies([{"name": COOKIE, "value": cookie_value(TOKEN), "url": service.address}])
        return page

    yield open_
    for page in pages:
        browser.leave(page)
    assert not wrong, wrong


def _asked(url: str, service: Service, wrong: list[str]) -> None:
    """A request; one to another host is wrong."""
    if not url.startswith((service.address, "data:", "blob:")):
        wrong.append(f"asked {url}")


def _heard(told: ConsoleMessage, wrong: list[str]) -> None:
    """An error on the console; a refusal that the page shows is none, nor a part that is left unread."""
    if told.type == "error" and "Failed to load resource" not in told.text and not told.text.startswith(_LEFT):
        wrong.append(f"said {told.text}")


@pytest.fixture(params=["desktop"])
def page(served: Service, opened: Callable[..., Page], request: pytest.FixtureRequest) -> Page:
    """The page over the demo life, at 1280 pixels; all: `@pytest.mark.parametrize("page", WIDTHS, indirect=True)`."""
    return opened(served, request.param)
