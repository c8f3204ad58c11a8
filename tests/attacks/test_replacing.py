"""What a source holds: no single entry of a stranger's takes its place, and what is decided about it is decided once
nobody else can change it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stored_life import NOW

from reqap_kg.cli.app import run
from reqap_kg.config import Settings
from reqap_kg.engine.admin.manage import forget
from reqap_kg.engine.importing import loading as importing
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.store.generations import begin_import, open_graph

OPTIONS = IngestOptions(Settings(), datetime.fromisoformat(NOW), source="trips")
CALENDAR = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nX-WR-CALNAME:Rhys\r\n{}END:VCALENDAR\r\n"
ENTRY = "BEGIN:VEVENT\r\nUID:{0}@x\r\nDTSTART:202405{0:02d}T100000\r\nSUMMARY:Lunch {0}\r\nEND:VEVENT\r\n"
MAIL = (
    "From: A <a@x.org>\nTo: B <b@x.org>\nDate: Fri, {0:02d} Mar 2024 10:00:00 +0000\nMessage-ID: <{0}@x>\n"
    "Subject: s\n\nHi\n"
)
OWN_MAP = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
<#m> a rml:TriplesMap ; rml:logicalSource [ rml:source "trips.json" ; rml:referenceFormulation rml:JSONPath ;
    rml:iterator "$[*]" ] ;
  rml:subjectMap [ rml:template "https://x.org/{n}" ; rml:class ev:Event ] ;
  rml:predicateObjectMap [ rml:predicate ev:text ; rml:objectMap [ rml:reference "n" ] ] .
"""


def trips(folder: Path, days: set[int], name: str = "trips.jsonl") -> Path:
    rows = [{"source": "note", "start_date": f"2024-05-{day:02d}", "text": f"Trip {day}"} for day in sorted(days)]
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / name


def held(store: Path) -> set[str]:
    """Identifiers of the events of a store."""
    with open_graph(store) as graph:
        return {term.value for (term,) in graph.select("SELECT DISTINCT ?e { ?e ev:sourceId ?id }") if term}  # type: ignore[union-attr]


DAYS = st.sets(st.integers(1, 28), min_size=1, max_size=9)


@settings(max_examples=8)
@given(old=DAYS, new=DAYS, replace=st.booleans(), dry=st.booleans())
def test_an_import_that_loses_more_than_half_is_not_done(
    old: set[int], new: set[int], replace: bool, dry: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("root")
    ingest([trips(root, old)], root / "store", OPTIONS)
    before = held(root / "store")
    options = IngestOptions(Settings(), OPTIONS.now, source="trips", replace=replace, dry_run=dry)
    (told,) = ingest([trips(root, new)], root / "store", options).sources
    loses = len(old - new) * 2 > len(old) and not replace
    assert told.state == ("withheld" if loses else "unchanged" if old == new else "replaced")
    assert (told.withheld is not None) is loses
    if loses:
        assert all(said in str(told.withheld) for said in (f"{len(old)} event", f"{len(old - new)} ", "--replace"))
    if loses or dry or old == new:
        assert held(root / "store") == before
    else:
        assert len(held(root / "store")) == len(new)


def calendar(*days: int) -> str:
    return CALENDAR.format("".join(ENTRY.format(day) for day in days))


def box(*days: int) -> str:
    return "".join(f"From a@x Fri Mar 01 10:00:00 2024\n{MAIL.format(day)}\n" for day in days)


FILES = {
    "calendar": ("c.ics", calendar(*range(1, 13)), "invite.ics", calendar(28), calendar(*range(3, 28))),
    "mail": ("mail.mbox", box(*range(1, 13)), "one.eml", MAIL.format(28), box(*range(3, 28))),
}


@pytest.mark.parametrize("case", FILES)
def test_a_strangers_entry_replaces_nothing(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, own, other, hostile, newer = FILES[case]
    store = ["--store", str(tmp_path / "store"), "--now", NOW, "--no-index"]
    (tmp_path / name).write_text(own, newline="")
    (tmp_path / other).write_text(hostile, newline="")
    assert run(["ingest", str(tmp_path / name), *store]) == 0
    before = held(tmp_path / "store")
    capsys.readouterr()
    assert run(["ingest", str(tmp_path / other), *store]) == 1
    told = capsys.readouterr()
    assert "stays as it is" in told.err
    assert "12 events now, of which 12" in told.err
    assert "--source NAME" in told.err
    assert held(tmp_path / "store") == before
    assert run(["ingest", str(tmp_path / other), "--source", "other", *store]) == 0
    assert len(held(tmp_path / "store")) == len(before) + 1
    (tmp_path / name).write_text(newer, newline="")
    assert run(["ingest", str(tmp_path / name), *store]) == 0
    assert len(held(tmp_path / "store")) == 26
    assert run(["ingest", str(tmp_path / other), "--replace", *store]) == 0
    assert len(held(tmp_path / "store")) == 2


@pytest.mark.smoke
def test_another_format_replaces_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = ["--source", "trips", "--store", str(tmp_path / "store"), "--now", NOW, "--no-index"]
    (tmp_path / "c.ics").write_text(calendar(*range(1, 3)), newline="")
    assert run(["ingest", str(trips(tmp_path, {1, 2, 3})), *store]) == 0
    before = held(tmp_path / "store")
    assert run(["ingest", str(tmp_path / "c.ics"), *store]) == 1
    assert "another format" in capsys.readouterr().err
    (tmp_path / "own.ttl").write_text(OWN_MAP)
    (tmp_path / "trips.json").write_text('[{"n": 1}]')
    assert run(["ingest", str(tmp_path / "trips.json"), "--mapping", str(tmp_path / "own.ttl"), *store]) == 1
    assert held(tmp_path / "store") == before


def test_an_own_map_loses_nothing_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--mapping", str(tmp_path / "own.ttl"), "--store", str(tmp_path / "store"), "--now", NOW, "--no-index"]
    (tmp_path / "own.ttl").write_text(OWN_MAP)
    for rows, code in (([1, 2, 3, 4], 0), ([4, 5, 6, 7], 1), ([3, 4, 5], 0)):
        (tmp_path / "trips.json").write_text(json.dumps([{"n": n} for n in rows]))
        assert run(["ingest", str(tmp_path / "trips.json"), *given]) == code
    assert "4 events now, of which 3 are not in this import" in capsys.readouterr().err


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("other", ["forget", "import", "nothing"])
def test_what_another_process_did_before_the_lock_counts(
    other: str, mapped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    (tmp_path / "own.ttl").write_text(OWN_MAP)
    (tmp_path / "trips.json").write_text('[{"n": 1}, {"n": 2}]')
    path = tmp_path / "trips.json" if mapped else trips(tmp_path, {1, 2, 3})
    mapping = tmp_path / "own.ttl" if mapped else None
    options = IngestOptions(Settings(home_zone="Europe/Oslo"), OPTIONS.now, source="trips", mapping=mapping)
    ingest([path], store, options)

    def meanwhile(directory: Path, *, lock_seconds: float) -> object:
        monkeypatch.setattr(importing, "begin_import", begin_import)
        doing: dict[str, Callable[[], object]] = {
            "forget": lambda: forget("trips", directory, Settings()),
            "import": lambda: ingest(
                [trips(tmp_path, {7}, "more.jsonl")], directory, IngestOptions(Settings(), OPTIONS.now)
            ),
            "nothing": lambda: None,
        }
        doing[other]()
        return begin_import(directory, lock_seconds=lock_seconds)

    monkeypatch.setattr(importing, "begin_import", meanwhile)
    report = ingest([path], store, IngestOptions(Settings(), OPTIONS.now, source="trips", mapping=mapping))
    (told,) = report.sources
    assert told.state == ("new" if other == "forget" else "unchanged")
    assert report.home_zone == ("UTC" if other == "forget" else "Europe/Oslo")
    with open_graph(store) as graph:
        assert graph.select('SELECT ?s { ?s a ev:Source ; rdfs:label "trips" }').rows
