"""The page over a life of 45,000 events, in Chromium: what it adds to an answer, the first paint, a list of thousands.

    python -m reqap_kg.bench.served.page [--events N] [--keep DIR]

Each question is asked by the API twice, then by the page: what the page takes beyond the API's second time is its own.
Debian's Chromium must be there (`apt-get install chromium`).
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

from ...web.http.tokens import COOKIE, cookie_value
from ..table import Figure
from .__main__ import LETS_IN, STRUCTURED, Service, p95, run, served

_QUESTIONS: Final = STRUCTURED[:20]
_PAGES: Final = {
    "start": "/", "an answer": f"/?q={quote(_QUESTIONS[0])}", "a year": "/timeline", "things": "/things",
    "SPARQL": "/query", "data": "/data",
}  # fmt: skip
_VISITS: Final = 5
_PAINT: Final = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_LARGE: Final = "Show me my songs of 2021"
_ROWS: Final = 10_000
_FRAMES: Final = """async rows => {
  const gaps = []; let last = performance.now();
  const count = () => document.querySelectorAll('tbody tr:not(.more)').length;
  const begin = last;
  while (count() < rows && performance.now() - begin < 120000) {
    window.scrollTo(0, document.body.scrollHeight);
    await new Promise(requestAnimationFrame);
    const now = performance.now(); gaps.push(now - last); last = now;
  }
  return [count(), performance.now() - begin, gaps.sort((a, b) => a - b)];
}"""


def measure(store: Path, chromium: str) -> Iterator[Figure]:
    """All figures of a store."""
    with served(store) as service, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield _added(service, browser, waits=True)
        yield _added(service, browser, waits=False)
        for name, path in _PAGES.items():
            yield _painted(service, browser, name, path)
        yield _scrolled(service, browser)
        browser.close()


def _opened(service: Service, browser: Browser) -> Page:
    context = browser.new_context(base_url=service.address.rstrip("/"), viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": COOKIE, "value": cookie_value(LETS_IN), "url": service.address}])
    page = context.new_page()
    page.set_default_timeout(120_000)
    return page


def _added(service: Service, browser: Browser, *, waits: bool) -> Figure:
    """`waits`: what is looked up beside an answer is there before the next question is asked."""
    page, own = _opened(service, browser), []
    page.goto("/")
    for question in _QUESTIONS[::2] if waits else _QUESTIONS[1::2]:
        if waits:
            page.wait_for_load_state("networkidle")
        service.ask(question)
        known = service.ask(question)
        page.fill("#q", question)
        begin = perf_counter()
        page.press("#q", "Enter")
        page.wait_for_url(lambda url, said=question: quote(said, safe="")[:20] in url.replace("+", "%20"))
        page.locator("#answer:not(.waiting) > .value").first.wait_for()
        own.append((perf_counter() - begin - known) * 1000)
    when = "once all of the page before is there" if waits else "at once after the answer before"
    return Figure(f"from the service's answer to its page, asked {when}, p50 / p95 (wanted 100 ms)", _spread(own))


def _painted(service: Service, browser: Browser, name: str, path: str) -> Figure:
    taken = []
    for _ in range(_VISITS):
        page = _opened(service, browser)
        page.goto(path)
        page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
        taken.append(float(page.evaluate(_PAINT)))
        page.context.close()
    return Figure(f"first paint: {name}, nothing cached, p50 / p95 (wanted 300 ms)", _spread(taken))


def _scrolled(service: Service, browser: Browser) -> Figure:
    page = _opened(service, browser)
    page.goto(f"/?q={quote(_LARGE)}&show=table")
    page.locator("#answer:not(.waiting) > .value").first.wait_for()
    page.locator("tbody tr.more button").first.click()  # what follows comes by itself
    rows, whole, gaps = page.evaluate(_FRAMES, _ROWS)
    frames = f"frames {statistics.median(gaps):.0f} ms, p99 {gaps[int(len(gaps) * 0.99)]:.0f} ms"
    return Figure("a list of 10,000 events, scrolled to its end", f"{rows:,} rows in {whole / 1000:.1f} s; {frames}")


def _spread(taken: Sequence[float]) -> str:
    held = sorted(taken)
    return f"{statistics.median(held):,.0f} / {p95(held):,.0f} ms"


if __name__ == "__main__":
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("no Chromium: apt-get install chromium")
    run(partial(measure, chromium=chromium))
