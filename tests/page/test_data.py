"""Data in the browser: files brought in, looked at, imported while questions are answered; forgotten, looked over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from shutil import copytree

import httpx
import pytest
from page.asking import barriers
from page.conftest import NOW, TOKEN, serving
from playwright.sync_api import FilePayload, Locator, Page, expect

from reqap_kg.config import Settings
from reqap_kg.config.parts import Service as ServiceSettings
from reqap_kg.engine.admin.manage import begin_empty
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.store.generations import current
from reqap_kg.web.service import Service

pytestmark = pytest.mark.long

_ENTRY = (
    "BEGIN:VEVENT\r\nUID:{0}\r\nDTSTART:{2:%Y%m%d}T100000\r\nDTEND:{2:%Y%m%d}T110000\r\nSUMMARY:{1}\r\nEND:VEVENT\r\n"
)
HOSTILE = "<img src=x onerror=alert(1)> ünïcødé عربى"
BIRDS_MAP = """@prefix rml: <http://w3id.org/rml/> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<#Sighting> a rml:TriplesMap ;
  rml:logicalSource [ rml:source "birds.csv" ; rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/birds/{when}" ; rml:class <https://example.org/mine#Sighting> ] ;
  rml:predicateObjectMap [ rml:predicate ev:start ; rml:objectMap [ rml:reference "when" ] ] ,
    [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "species" ] ] .
"""


def calendar(days: range, name: str = "Rhys", said: str = "Tea") -> FilePayload:
    """A calendar from February 2024 on, as a file that is chosen."""
    entries = "".join(_ENTRY.format(day, f"{said} {day}", date(2024, 1, 31) + timedelta(days=day)) for day in days)
    text = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:{name}\r\n{entries}END:VCALENDAR\r\n"
    return {"name": f"{name}.ics", "mimeType": "text/calendar", "buffer": text.encode()}


def plain(name: str, text: str) -> FilePayload:
    """A file that is chosen."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over a store of the module's own with two calendars; what is sent comes in slices of 16 KB. Texts are
    not read: no model is there."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "exports").mkdir()
    for name in ("Loss", "Gone"):
        (folder / "exports" / f"{name}.ics").write_bytes(calendar(range(1, 10), name=name)["buffer"])
    service = ServiceSettings(request_bytes=16_384)
    chosen = Settings(service=service, encoder="none-there", proposers=("rules",), classifiers=False)
    ingest([folder / "exports"], folder / "store", IngestOptions(chosen, NOW))
    with serving(folder / "store", settings=chosen) as service:
        yield service


@pytest.fixture
def mine(own: Service, opened: Callable[..., Page]) -> Page:
    """The data page of the module's own service."""
    page = opened(own)
    page.goto("/data")
    return page


def _brought(page: Page, *files: FilePayload) -> Locator:
    """Chooses files, and waits until what they would bring is shown: the latest job."""
    names = page.locator("article.job").count()
    page.locator("#files").set_input_files(list(files))
    expect(page.locator("article.job")).to_have_count(names + 1)
    job = page.locator(f"#{page.locator('article.job').first.get_attribute('id')}")
    expect(job).to_have_class(re.compile("is-looked|is-failed"))
    return job


def _imported(job: Locator) -> None:
    job.locator(".primary").click()
    expect(job).to_have_class(re.compile("is-done"))


def _asked(service: Service, method: str, path: str, **more) -> httpx.Response:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/html", **more.pop("headers", {})}
    return httpx.request(method, service.address + path, headers=headers, timeout=60, **more)


# ------------------------------------------------------------------ files are brought
def test_an_empty_store_invites_and_takes_what_is_dropped(tmp_path, opened):
    begin_empty(tmp_path / "store", Settings())
    with serving(tmp_path / "store") as service:
        page = opened(service)
        page.goto("/data")
        expect(page.locator("h1")).to_have_text("Bring your data")
        text = calendar(range(1, 4))["buffer"].decode()
        handle = page.evaluate_handle(
            """text => { const held = new DataTransfer();
                held.items.add(new File([text], "calendar.ics", { type: "text/calendar" })); return held; }""",
            text,
        )
        page.dispatch_event("#drop", "dragenter", {"dataTransfer": handle})
        expect(page.locator("#drop")).to_have_class(re.compile("over"))
        page.dispatch_event("#drop", "drop", {"dataTransfer": handle})
        row = page.locator(".brought tbody tr")
        expect(row).to_contain_text("Calendar “Rhys”")
        assert row.locator(".num").all_inner_texts() == ["3", "0", "–"]
        before = current(service.held.directory)
        page.get_by_role("button", name="Leave it").click()
        expect(page.locator("article.job")).to_have_count(0)
        assert current(service.held.directory) == before
        assert not list((service.held.directory / "jobs").iterdir())


def test_files_are_looked_at_imported_and_told(own, mine):
    kept = json.dumps({"title": HOSTILE, "textContent": "x", "createdTimestampUsec": 1704067200000000})
    job = _brought(
        mine, calendar(range(1, 9), said=HOSTILE), plain("broken.json", '{"title": "Trip", "text'),
        plain(f"{HOSTILE}.json", kept), plain("long.md", "# A walk\n\n2024-05-01\n\n" + "We walked. " * 4_000),
    )  # fmt: skip
    expect(job.locator("tr", has_text="Calendar")).to_contain_text("8")
    expect(job.locator(".not-read")).to_contain_text("broken.json")
    job.get_by_role("button", name="Import").click()
    expect(job.locator("progress")).to_be_visible()
    asked = _asked(own, "GET", "api/ask?question=How+many+calendar+entries+do+I+have")  # meanwhile
    assert asked.status_code == 200, asked.text
    mine.reload()  # the page may be closed
    expect(job).to_contain_text("was imported")
    row = mine.locator(".sources tr", has_text="Calendar “Rhys”")
    expect(row).to_contain_text("1 Feb 2024 – 8 Feb 2024")
    expect(row.locator(".num").first).to_have_text("8")
    assert [path for path in (own.held.directory / "jobs").rglob("*") if "files" in path.parts] == []
    job.get_by_role("link", name=re.compile(r"^\d files?$")).click()
    expect(mine.locator(".left-out")).to_contain_text("broken.json")
    mine.go_back()
    job.get_by_role("button", name="Close").click()
    expect(job).to_have_count(0)


def test_what_is_known_already_is_said_and_a_loss_is_asked_about(mine):
    job = _brought(mine, calendar(range(8, 11), name="Loss"))
    assert job.locator("tbody .num").all_inner_texts() == ["1", "2", "–"]
    expect(job.locator(".note.doubt")).to_contain_text("9 events now, and 7 of them are not in these files")
    job.get_by_label("Replace it all the same").check()
    _imported(job)
    expect(mine.locator(".sources tr", has_text="Calendar “Loss”").locator(".num").first).to_have_text("3")


def test_an_import_that_is_stopped_changes_nothing(own, mine):
    before = current(own.held.directory)
    job = _brought(mine, calendar(range(1, 5_000), name="Stopped"))
    job.locator(".primary").click()
    job.get_by_role("button", name="Stop").click()
    expect(job).to_contain_text("nothing was changed")
    assert current(own.held.directory) == before
    expect(job.get_by_role("button", name="Try again")).to_be_visible()


def test_a_map_of_ones_own_reads_the_files_beside_it(mine):
    csv, wrong = plain("birds.csv", "when,species\n2024-05-04T06:10:00,Kingfisher\n"), "rml:tmplate"
    job = _brought(mine, csv, plain("birds.ttl", BIRDS_MAP))
    expect(job.locator("tbody tr")).to_contain_text("Birds")
    assert job.locator("tbody .num").all_inner_texts() == ["1", "0", "–"]
    job = _brought(mine, csv, plain("birds.ttl", BIRDS_MAP.replace("rml:template", wrong)))
    expect(job).to_contain_text("line 6")
    job.get_by_role("button", name="Leave it").click()
    expect(job).to_have_count(0)


def test_a_source_is_forgotten_once_that_is_confirmed(own, mine):
    link = mine.get_by_role("link", name="Forget Calendar “Gone”")
    link.click()
    expect(mine.get_by_role("dialog")).to_contain_text("9 events")
    mine.get_by_role("dialog").get_by_role("button", name="Leave it").click()
    expect(mine.get_by_role("dialog")).to_have_count(0)
    link.click()
    mine.get_by_role("button", name="Forget it").click()
    expect(mine.locator(".job", has_text="Forgot Calendar “Gone”: 9 events")).to_be_visible()
    expect(mine.locator(".sources")).not_to_contain_text("Gone")
    told = [path for path in (own.held.directory / "jobs").rglob("look.end.json") if "Gone" in path.read_text()]
    assert told == []  # what an earlier import told of it goes, too


# ------------------------------------------------------------------ what there is
def test_sources_left_out_and_the_doctor(page):
    page.goto("/data")
    rows = page.locator(".sources tbody tr")
    expect(rows).to_have_count(10)
    expect(rows.first).to_contain_text("Spotify extended streaming history")
    page.get_by_role("button", name="Look").click()
    expect(page.locator("#doctor")).to_contain_text("all well", timeout=30_000)
    page.get_by_role("link", name="28 left out of Apple Health").click()
    expect(page.locator("h1")).to_have_text("Left out of Apple Health")
    expect(page.locator(".reasons")).to_contain_text("this kind of record is not read")
    assert page.locator(".left-out tbody tr").count() == 1


def test_findings_are_listed_and_forgotten(demo_store, opened, tmp_path):
    store = Path(copytree(demo_store, tmp_path / "store"))
    with serving(store, settings=Settings(classifiers=False, encoder="none-there")) as service:
        service.held.run(lambda known: known.run('APPLY(l=RETRIEVE(query="my runs"), fct=len)', now=NOW))
        page = opened(service)
        page.goto("/data/derivations")
        number = page.locator("#derived tr").count()
        assert number >= 1
        page.goto("/data/derivations?words=nothing+like+it")
        expect(page.locator("#derived")).to_contain_text("Nothing with “nothing like it”")
        page.goto("/data/derivations")
        page.get_by_role("link", name="Forget all…").click()
        page.get_by_role("button", name="Forget them").click()
        expect(page.locator(".job.is-done")).to_contain_text("Forgot")


@pytest.mark.parametrize("width", ["phone", "tablet"])
def test_nothing_is_wider_than_the_page(served, opened, width):
    page = opened(served, width)
    for path in ("/data", "/data/rules", "/data/sources/netflix/left-out", "/data/derivations"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], path


@pytest.mark.parametrize(
    "path", ["/data", "/data/sources/netflix/left-out", "/data/derivations", "/data/rules?kind=maps"]
)
def test_nothing_serious_by_axe(page, path):
    page.goto(f"/data{path}")
    assert barriers(page) == []


# ------------------------------------------------------------------ rules and maps
def test_rules_are_checked_where_they_are_wrong_and_their_cases_tried(page):
    page.goto("/data/rules")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#checked")).to_contain_text("1 pattern, 0 rules, 1 case", timeout=30_000)
    page.get_by_role("button", name="Try the cases").click()
    expect(page.locator("#checked")).to_contain_text("The case passed", timeout=30_000)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("my:wrong a pg:Pattern ; nosuch:thing 1 .\n")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".marks .error")).to_contain_text("Line 1")
    expect(page.locator(".cm-lint-marker-error")).to_be_visible()
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("my:wrong")  # what is written is not lost
    with page.expect_download() as waited:
        page.get_by_role("button", name="Download").click()
    assert waited.value.suggested_filename == "my-rules.ttl"


def test_a_map_is_tried_on_a_few_records(page):
    page.goto("/data/rules?kind=maps")
    page.get_by_role("button", name="Check and try").click()
    expect(page.locator(".made")).to_contain_text('"Kingfisher"', timeout=30_000)
    page.get_by_role("link", name="markdown", exact=True).click()
    expect(page.locator("pre.shipped")).to_contain_text("rml:TriplesMap")
    page.get_by_role("link", name="Begin from it").click()
    expect(page.locator(".cm-content")).to_contain_text("Markdown notes")


# ------------------------------------------------------------------ odd requests
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "data/jobs/nothing", 404),
        ("GET", f"data/jobs/{'0' * 32}", 404),
        ("GET", "data/jobs/..%2f..", 404),
        ("POST", f"data/jobs/{'0' * 32}/import", 404),
        ("GET", "data/sources/nothing/left-out", 404),
        ("GET", "data/sources/%3Cscript%3E/forget", 404),
        ("POST", "data/sources/nothing/forget", 404),
        ("GET", "data/sources/netflix/left-out?from=-1", 422),
        ("GET", "data/sources/netflix/left-out?from=99999", 200),
        ("GET", "data/derivations?from=x", 422),
        ("GET", "data/rules?kind=other", 404),
        ("GET", "data/rules?start=nothing", 404),
        ("GET", "data/rules/shipped?name=../../secrets", 404),
        ("POST", "data/uploads", 400),
        ("POST", f"data/uploads/{'0' * 32}", 404),
        ("DELETE", f"data/uploads/{'0' * 32}", 404),
    ],
)
def test_odd_addresses_are_refused(served, method, path, status):
    assert _asked(served, method, path).status_code == status


def test_without_scripts_a_source_is_asked_about_on_a_page(served):
    got = _asked(served, "GET", "data/sources/netflix/forget")
    assert "Forget Netflix?" in got.text
    assert 'method="post"' in got.text


def test_texts_of_checks_are_shown_as_texts(served):
    got = _asked(served, "POST", "data/rules/check", data={"kind": "rules", "text": "<script>alert(1)</script>"})
    assert got.status_code == 200
    assert "<script>alert" not in got.text
    assert "Line 1" in got.text


def test_time_of_asking_is_the_services_own(own):
    assert isinstance(NOW, datetime)
    told = [json.loads(path.read_text()) for path in (own.held.directory / "jobs").rglob("about.json")]
    assert all(one["at"].startswith("2025-03-01") for one in told)
