"""The pictures of docs/page.md: pages over the demo life, in Debian's Chromium (`apt-get install chromium`).

python tests/page/pictures.py docs/images      writes them into the folder

They are made smaller where Pillow is installed.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal
from urllib.parse import quote, urlencode

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demo_stores import demo_store
from page.conftest import CHROMIUM, TOKEN, WIDTHS, serving

from reqap_kg.web.http.tokens import COOKIE, cookie_value

RUNS: Final = "How often did I go running in 2024?"
ITALIAN: Final = "How often did I eat Italian food in 2024?"
DECLINED: Final = "How many cigarettes did I smoke in Lisbon?"
SONGS: Final = "Show me my songs of 2024"
ARTISTS: Final = """SELECT ?artist (COUNT(?event) AS ?times) (MIN(?start) AS ?first) {
  ?event a ev:MusicStream ;
    ev:artist ?artist ;
    ev:start ?start .
}
GROUP BY ?artist
ORDER BY DESC(?times)"""


def _there(page: Page, *shown: str) -> None:
    for one in shown:
        page.locator(one).first.wait_for()


def _start(page: Page) -> None:
    _there(page, ".examples li")


def _answer(page: Page) -> None:
    _there(page, "h1.value", "#panel svg", "#margin .why li", ".go-on a")


def _on_a_phone(page: Page) -> None:
    _there(page, "h1.value")
    page.get_by_role("tab", name="By month").click()
    _there(page, "#panel svg")


def _doubt(page: Page) -> None:
    _there(page, "h1.value", ".note.doubt", "#margin .unsure")


def _declined(page: Page) -> None:
    _there(page, "h1.value", ".looked tr", ".offers a")


def _dialog(page: Page) -> None:
    _there(page, "h1.value", ".asks .chip", "#panel tbody tr", "#margin .why li")


def _how(page: Page) -> None:
    _there(page, "h1.value", "svg.tree .node")
    page.locator("svg.tree .node", has_text="Filter").click()
    _there(page, ".node-rows")


def _timeline(page: Page) -> None:
    _there(page, "[data-calendar] a", ".day > li")


def _artist(page: Page) -> None:
    _there(page, "h1", "svg.bars", "ol.dated li")
    page.get_by_role("region", name="Goes with").wait_for()


def _query(page: Page) -> None:
    _there(page, ".cm-content")
    page.get_by_role("button", name="Run").click()
    _there(page, "#results tbody tr")
    page.locator("h1").click()  # the pointer is of no use in a picture


def _data(page: Page) -> None:
    _there(page, "#drop", "#held table")


@dataclass(frozen=True)
class Picture:
    """A page that is shown: its address, and what brings it there."""

    name: str
    address: str
    ready: Callable[[Page], None]
    width: str = "desktop"
    colours: Literal["light", "dark"] = "light"


PICTURES: Final = (
    Picture("start", "/", _start),
    Picture("answer", f"/?q={quote(RUNS)}", _answer),
    Picture("dark", f"/?q={quote(RUNS)}&show=calendar", _answer, colours="dark"),
    Picture("doubt", f"/?q={quote(ITALIAN)}", _doubt),
    Picture("declined", f"/?q={quote(DECLINED)}", _declined),
    Picture("dialog", f"/?q={quote(SONGS)}", _dialog),
    Picture("how", f"/?q={quote(RUNS)}&show=how", _how),
    Picture("timeline", "/timeline/2024?day=2024-09-13", _timeline),
    Picture("artist", "/thing?kind=artist&name=Gwenno", _artist),
    Picture("sparql", "/query?" + urlencode({"q": ARTISTS}), _query),
    Picture("data", "/data", _data),
    Picture("phone", f"/?q={quote(RUNS)}", _on_a_phone, "phone"),
    Picture("phone-timeline", "/timeline/2024?day=2024-09-13", _timeline, "phone"),
)


def take(browser: Browser, address: str, picture: Picture, folder: Path) -> None:
    """Writes one picture."""
    width, height = WIDTHS[picture.width]
    context = browser.new_context(
        base_url=address.rstrip("/"), viewport={"width": width, "height": height}, color_scheme=picture.colours,
        reduced_motion="reduce",
    )  # fmt: skip
    context.add_cookies([{"name": COOKIE, "value": cookie_value(TOKEN), "url": address}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(picture.address)
    picture.ready(page)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    path = folder / f"{picture.name}.png"
    page.screenshot(path=path)
    context.close()
    _smaller(path)


def _smaller(path: Path) -> None:
    """A picture of few colours, where Pillow is there to make it one."""
    with suppress(ImportError):
        from PIL import Image  # pyright: ignore[reportMissingImports]

        whole = Image.open(path).convert("RGB")
        whole.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


def main(folder: Path) -> None:
    """Writes the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        store = Path(shutil.copytree(demo_store(read=True), Path(temporary) / "store"))
        with serving(store) as service, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for picture in PICTURES:
                take(browser, service.address, picture, folder)
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
