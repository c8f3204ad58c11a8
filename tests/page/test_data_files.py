"""What a browser sends is kept below a folder of ours, within bounds; jobs are found again; progress in words."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from page.asking import get
from starlette.exceptions import HTTPException

from reqap_kg.config import Settings
from reqap_kg.engine.admin.manage import begin_empty
from reqap_kg.engine.answers.sentence import source_in_words
from reqap_kg.errors import UsageError
from reqap_kg.store.generations import current
from reqap_kg.web.page.data import process
from reqap_kg.web.page.data.bringing import reasons_in_words, report_of
from reqap_kg.web.page.data.job_processes import settings_for
from reqap_kg.web.page.data.jobs import About, Jobs, Measured, Stage, State, write_json
from reqap_kg.web.page.data.process import Task
from reqap_kg.web.page.data.sources import label_of, short_path
from reqap_kg.web.page.data.uploads import LONGEST_NAME, MOST_BYTES, MOST_FILES, Uploads, own_path
from reqap_kg.web.page.data.views import in_words, whole_of
from reqap_kg.web.readying import After

NOW = datetime(2025, 3, 1, 12)
_CALENDAR = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:A\r\n%bEND:VCALENDAR\r\n"
_ENTRY = b"BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:20240201T100000\r\nSUMMARY:Tea\r\nEND:VEVENT\r\n"


def _slice(*pieces: tuple[str, int, int, bytes]) -> bytes:
    head = [{"path": p, "size": size, "from": begin, "length": len(data)} for p, size, begin, data in pieces]
    return json.dumps(head).encode() + b"\n" + b"".join(data for _, _, _, data in pieces)


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    begin_empty(tmp_path / "store", Settings())
    return Jobs(tmp_path / "store")


@pytest.fixture
def uploads(jobs: Jobs) -> Uploads:
    return Uploads(jobs)


# ------------------------------------------------------------------ names
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("a/b.txt", "a/b.txt"),
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("..\\..\\windows\\x", "windows/x"),
        ("C:\\x.txt", "C_/x.txt"),
        ("a/./b/../c", "a/b/c"),
        ("", "file"),
        ("..", "file"),
        ("a\x00b\n\u202ec.txt", "a_b__c.txt"),
        ("lone\ud800.txt", "lone_.txt"),
        ("WhatsApp Chat with عمر.txt", "WhatsApp Chat with عمر.txt"),
        ("dots...", "dots"),
        ("/".join("x" * 30), None),
        ("x" * 9_000, None),
    ],
)
def test_names_lead_nowhere_else(said, kept):
    found = own_path(said)
    assert (str(found) if found is not None else None) == kept


def test_long_names_keep_their_ending():
    found = own_path("é" * 300 + ".json")
    assert found is not None
    assert found.suffix == ".json"
    assert len(found.name.encode()) <= LONGEST_NAME


# ------------------------------------------------------------------ slices
def test_files_come_whole_private_and_where_they_belong(jobs, uploads):
    name = uploads.begin(3, 100)
    folder = jobs.folder / name
    assert uploads.take(name, _slice(("a/b.txt", 5, 0, b"hel"), ("../c.txt", 2, 0, b"ok"))) == 5
    assert uploads.take(name, _slice(("a/b.txt", 5, 0, b"hel"))) == 5  # what came may come again
    assert uploads.take(name, _slice(("a/b.txt", 5, 2, b"llo"), ("empty", 0, 0, b""))) == 7
    job = uploads.finish(name, NOW)
    assert (folder / "files/a/b.txt").read_bytes() == b"hello"
    assert (folder / "files/c.txt").read_bytes() == b"ok"
    assert (job.about.files, job.about.bytes, job.about.title) == (3, 7, "a and 2 more")
    for path in (jobs.folder, folder, folder / "files", folder / "files/a"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "files/a/b.txt").stat().st_mode) == 0o600
    with pytest.raises(HTTPException):
        uploads.take(name, _slice(("a", 1, 0, b"x")))


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{}\n", b"[]\n", b"no\n", b"[1]\n", _slice(("a", 3, 1, b"x")), _slice(("a", 1, 0, b"xy")),
        _slice(("a", 3, 0, b"x")) + b"more", _slice(("a", 3, 0, b"xyz"))[:-1], _slice(("x/" * 40, 1, 0, b"x")),
        b'[{"path": 1, "size": 1, "from": 0, "length": 0}]\n', b'[{"path": "a", "size": -1, "from": 0, "length": 0}]\n',
        b'[{"path": "a", "size": true, "from": 0, "length": 0}]\n', b"[" * 100_000 + b"\n",
        _slice(("a", 99, 0, b"x" * 99)),
    ],
)  # fmt: skip
def test_odd_slices_are_refused(uploads, body):
    name = uploads.begin(1, 50)
    with pytest.raises(UsageError):
        uploads.take(name, body)
    with pytest.raises(UsageError):
        uploads.finish(name, NOW)


def test_names_that_meet_are_kept_apart(jobs, uploads):
    name = uploads.begin(9, 100)
    for number, said in enumerate(("a.txt", "A.TXT", "./a.txt", "x", "x/y", "x/z", "q/w", "Q")):
        uploads.take(name, _slice((said, 1, 0, b"%d" % number)))
    files = jobs.folder / name / "files"
    held = {str(path.relative_to(files)): path.read_bytes() for path in files.rglob("*") if path.is_file()}
    assert len(held) == 8
    assert held["a.txt"] == b"0"
    assert held["A (2).TXT"] == b"1"
    assert held["x (2)/y"] == b"4"
    assert held["x (2)/z"] == b"5"


def test_what_is_too_much_is_refused_before_it_comes(uploads):
    for files, announced in ((MOST_FILES + 1, 1), (1, MOST_BYTES + 1)):
        with pytest.raises(UsageError):
            uploads.begin(files, announced)
    for _ in range(4):
        uploads.begin(1, 1)
    with pytest.raises(UsageError, match="still on their way"):
        uploads.begin(1, 1)


def test_what_nobody_goes_on_with_goes(jobs, uploads):
    name = uploads.begin(1, 10)
    uploads.tidy(NOW)
    assert (jobs.folder / name).is_dir()  # it is on its way
    uploads.drop(name)
    assert not (jobs.folder / name).exists()
    left = jobs.new_folder()  # of a service that was killed
    old = jobs.begin(jobs.new_folder(), About("import", "old", (NOW - timedelta(days=2)).isoformat()))
    young = jobs.begin(jobs.new_folder(), About("import", "young", NOW.isoformat()))
    uploads.tidy(NOW)
    assert not left.exists()
    assert [job.about.title for job in jobs.all()] == ["young"]
    assert not old.folder.exists()
    assert young.folder.is_dir()


def test_no_other_folder_is_a_job(jobs, tmp_path):
    jobs.new_folder()
    (tmp_path / "elsewhere").mkdir()
    (jobs.folder / "a").symlink_to(tmp_path / "elsewhere")
    (jobs.folder / ("0" * 32)).symlink_to(tmp_path / "elsewhere")
    write_json(tmp_path / "elsewhere" / "about.json", {"kind": "import", "title": "x", "at": NOW.isoformat()})
    assert jobs.all() == []
    for name in ("0" * 32, "..", "a", "../../x", "0" * 31):
        with pytest.raises(HTTPException):
            jobs.job(name)


# ------------------------------------------------------------------ the process
def _task(jobs: Jobs) -> Task:
    return Task("import", str(jobs.directory), settings_for(Settings()), NOW.isoformat(), "UTC")


def _run(jobs: Jobs, task: Task, stage: Stage, content: bytes, *, apart: bool = False) -> dict:
    """How a stage ends; `apart` in a process of its own, as the service does it."""
    folder = jobs.new_folder()
    job = jobs.begin(folder, About("import", "calendar.ics", NOW.isoformat()))
    (job.files / "calendar.ics").write_bytes(content)
    write_json(folder / f"{stage}.task.json", task.as_json())
    assert job.state(stage) is State.LOST
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr(sys, "argv", ["process", str(folder), stage])
        if apart:
            command = [sys.executable, "-P", "-m", process.__name__, str(folder), stage]
            assert subprocess.run(command, cwd=folder, timeout=60).returncode == 0
        else:
            process.main()
    found = jobs.job(folder.name)  # as a service that begins anew finds it
    assert found.state(stage) is State.ENDED
    return found.end(stage) or {}


def test_a_dry_run_compares_and_an_import_is_whole(jobs):
    before = current(jobs.directory)
    first = _CALENDAR % b"".join(_ENTRY % number for number in range(3))
    looked = _run(jobs, _task(jobs), "look", first, apart=True)
    assert looked["compared"] == {"calendar-a": {"new": 3, "known": 0, "gone": 0}}
    assert looked["unread"] == 0
    assert current(jobs.directory) == before
    ran = _run(jobs, replace(_task(jobs), measured=looked["measured"]), "run", first)
    assert ran["changed"] is True
    assert current(jobs.directory) != before
    assert (jobs.directory / str(current(jobs.directory)) / "index" / "values.sqlite").is_file()  # made before
    again = _run(jobs, _task(jobs), "look", _CALENDAR % b"".join(_ENTRY % number for number in range(1, 6)))
    assert again["compared"] == {"calendar-a": {"new": 3, "known": 2, "gone": 1}}
    assert again["report"]["sources"][0]["files"] == ["calendar.ics"]  # as it was sent
    wrong = _run(jobs, replace(_task(jobs), name="nothing", kind="forget"), "run", b"")
    assert "there is no source" in wrong["error"]["message"]


# ------------------------------------------------------------------ in words
def test_the_whole_goes_on_and_says_how_long():
    look = {
        "measured": Measured([4.0, 6.0], [10, 20]).as_json(),
        "report": {"sources": [{"name": "m", "state": "new", "events": 240, "triples": 60_000, "format": "mail"}]},
        "compared": {"m": {"new": 240}},
    }
    begun = whole_of({"phase": "reading", "share": 0.0, "spent": 0.0}, look, None)
    half = whole_of({"phase": "reading", "share": 0.5, "spent": 5.0}, look, None)
    loads = whole_of({"phase": "loading", "share": None, "spent": 1.0}, look, After())
    texts = whole_of({}, look, After("texts", 0.5, worked=5.0))
    assert begun.percent == 0
    assert begun.percent < half.percent < loads.percent < texts.percent < 100
    assert (half.doing, texts.doing) == ("Reading files", "Reading texts")
    assert texts.left == "it goes on when nothing is asked"
    assert half.left == "about 30 s left"
    assert whole_of({}, {}, None).percent == 0  # nothing was measured


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "a moment left"), (12, "about 10 s left"), (70, "about 1 min left"), (3_500, "about 58 min left"),
        (9_000, "about 2 hours left"),
    ],
)  # fmt: skip
def test_time_left_in_words(seconds, said):
    assert in_words(seconds) == said


def test_a_measure_says_how_much_is_read():
    measured = Measured([1.0, 3.0], [10, 30])
    assert measured.share(0, 5) == pytest.approx(0.125)
    assert measured.share(1, 15) == pytest.approx(0.625)
    assert measured.share(1, 99) == pytest.approx(1.0)
    assert measured.share(2, 0) is None
    assert Measured.of_json(None).share(0, 1) is None


def test_what_sources_are_called():
    assert source_in_words("calendar-rhys") == "Calendar “Rhys”"
    assert source_in_words("apple-health") == "Apple Health"
    assert label_of("spotify-extended", "spotify") == "extended streaming history"
    assert label_of("mail", "mail") == "Mails (mbox or eml)"
    assert label_of("map birds.ttl", "birds") == "map birds.ttl"
    assert short_path("/home/me/exports/Takeout/Keep/a.json") == "…/Takeout/Keep/a.json"
    assert short_path("x.zip!Takeout/Keep/a.json") == "Takeout/Keep/a.json"


def test_reasons_in_words():
    one = [{"path": "a/trip.json", "where": "1", "reason": "no JSON", "count": 1}]
    assert reasons_in_words(one) == "a/trip.json: no JSON"
    many = [{"path": "", "where": "", "reason": f"reason {n}", "count": n} for n in (1, 2, 3, 4)]
    assert reasons_in_words(many) == "reason 4 (4), reason 3 (3), 2 more reasons"
    assert reasons_in_words([]) == ""


# ------------------------------------------------------------------ what nobody reads yet
def test_files_that_a_map_would_read_are_named():
    refused = [
        {"path": path, "reason": "no format"} for path in ("x/birds.csv", "a.zip!b/Hours.XML", "c.bin", "y/birds.csv")
    ]
    report = report_of({"report": {"refused": refused, "sources": [], "ignored": []}})
    assert report.mappable == ("birds.csv", "Hours.XML")


@pytest.mark.parametrize(
    ("said", "named"),
    [("my hours.csv", "my hours.csv"), ('a"b.csv', "birds.csv"), ("", "birds.csv"), ("x\n.csv", "birds.csv")],
)
def test_a_map_is_begun_for_a_file(served, said, named):
    page = unescape(get(served, f"data/rules?kind=maps&file={quote(said)}").text)
    assert f'rml:source "{named}"' in page
    assert f"each line of {named} becomes" in page
