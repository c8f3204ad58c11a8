"""While the data are being changed, whoever waits for an answer is told so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from page.asking import get
from page.conftest import NOW, serving
from playwright.sync_api import Page, expect

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.store.generations import current
from reqap_kg.store.locks import locked
from reqap_kg.web.page.data.jobs import LOCK, About, Jobs, write_json
from reqap_kg.web.service import Service

SETTINGS = Settings(encoder="none-there", proposers=("rules",), classifiers=False, lock_seconds=3)
HOW_MANY = "How many calendar entries do I have?"
_ENTRY = "BEGIN:VEVENT\r\nUID:{0}\r\nDTSTART:{1:%Y%m%d}T100000\r\nSUMMARY:Tea {0}\r\nEND:VEVENT\r\n"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over a calendar; no model is there."""
    folder = tmp_path_factory.mktemp("changing")
    entries = "".join(_ENTRY.format(day, date(2024, 1, 31) + timedelta(days=day)) for day in range(1, 6))
    (folder / "a.ics").write_text(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:A\r\n{entries}END:VCALENDAR\r\n")
    ingest([folder / "a.ics"], folder / "store", IngestOptions(SETTINGS, NOW))
    with serving(folder / "store", settings=SETTINGS) as service:
        yield service


@contextmanager
def forgetting(directory: Path, title: str, *, reads: bool) -> Iterator[None]:
    """A source is being forgotten: its job runs; where it `reads` what is in force, nobody else writes there."""
    jobs = Jobs(directory)
    job = jobs.begin(jobs.new_folder(), About("forget", title, datetime.now().isoformat()))
    write_json(job.folder / "run.task.json", {})
    try:
        with locked(job.folder / LOCK, exclusive=True, seconds=1, what="a job"):
            if not reads:
                yield
                return
            held = locked(directory / f"{current(directory)}.lock", exclusive=False, seconds=10, what="the store")
            with held:
                yield
    finally:
        jobs.remove(job.folder)


def test_nothing_is_said_where_nothing_changes(own):
    assert get(own, "parts/changing").text.strip() == ""
    assert "being changed" not in get(own, f"?q={HOW_MANY}&whole=1").text


def test_what_is_being_done_is_said_at_once(own):
    with forgetting(own.held.directory, "Old mail", reads=False):
        told = get(own, "parts/changing").text
        assert "Old mail is being forgotten" in told
        answered = get(own, f"?q={HOW_MANY}&whole=1").text
    assert "Old mail is being forgotten" in answered  # the answer is of the data before
    assert ">5<" in answered.replace(" ", "")


def test_another_program_that_imports_is_told_of(own):
    with locked(own.held.directory / "import.lock", exclusive=True, seconds=1, what="an import"):
        assert "another program" in get(own, "parts/changing").text


def test_a_refusal_says_why_the_store_is_busy(own):
    with forgetting(own.held.directory, "Old mail", reads=True):
        refused = get(own, "timeline")
    assert refused.status_code == 503
    assert "Old mail is being forgotten" in refused.text
    assert get(own, "timeline").status_code == 200


def test_a_question_that_waits_says_what_for(own: Service, opened: Callable[..., Page]):
    page = opened(own)
    page.goto("/")
    expect(page.locator("#changing")).to_be_hidden()
    with forgetting(own.held.directory, "Old mail", reads=True):
        page.locator("#q").fill(HOW_MANY)
        page.locator("#q").press("Enter")
        expect(page.locator("#changing")).to_contain_text("Old mail is being forgotten")
    expect(page.locator("h1.value, .note.error").first).to_be_visible()
    expect(page.locator("#changing")).to_be_hidden()
