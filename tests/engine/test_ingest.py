"""An import: idempotent, replacing, reporting, all or nothing."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.admin.manage import forget, skipped, status
from reqap_kg.engine.importing.catalog import read_catalog
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.errors import SourceError, UsageError
from reqap_kg.store.generations import current, open_graph

OPTIONS = IngestOptions(Settings(home_zone="Europe/Oslo"), datetime(2025, 3, 1, 12))

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//EN
BEGIN:VEVENT
UID:choir@test
DTSTART:20240110T180000Z
DTEND:20240110T200000Z
SUMMARY:Choir
LOCATION:Town hall
END:VEVENT
END:VCALENDAR
"""


def stream(song: str, ts: str = "2024-01-05T20:03:20Z") -> dict[str, object]:
    return {
        "ts": ts,
        "ms_played": 200_000,
        "master_metadata_track_name": song,
        "master_metadata_album_artist_name": "The Fjords",
        "master_metadata_album_album_name": "Deep",
        "spotify_track_uri": f"spotify:track:{song}",
        "ip_addr": "203.0.113.9",
    }


def write_streams(path: Path, *songs: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [stream(song, f"2024-01-{day:02d}T20:03:20Z") for day, song in enumerate(songs, start=5)]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def songs(store: Path) -> list[str]:
    with open_graph(store) as graph:
        return [row[0].value for row in graph.select("SELECT ?s { ?e ev:songName ?s } ORDER BY ?s") if row[0]]


def test_the_same_export_twice_adds_nothing(tmp_path: Path) -> None:
    export = write_streams(tmp_path / "in" / "history.json", "Ice", "Snow")
    first = ingest([export], tmp_path / "store", OPTIONS)
    generation = current(tmp_path / "store")
    second = ingest([export], tmp_path / "store", OPTIONS)
    assert [s.state for s in first.sources] == ["new"]
    assert [s.state for s in second.sources] == ["unchanged"]
    assert current(tmp_path / "store") == generation
    assert songs(tmp_path / "store") == ["Ice", "Snow"]


def test_a_newer_export_replaces_the_older_and_nothing_else(tmp_path: Path) -> None:
    store = tmp_path / "store"
    (tmp_path / "choir.ics").write_text(CALENDAR, encoding="utf-8")
    ingest([write_streams(tmp_path / "a.json", "Ice", "Snow"), tmp_path / "choir.ics"], store, OPTIONS)
    report = ingest([write_streams(tmp_path / "b.json", "Ice", "Sun", "Rain")], store, OPTIONS)
    assert [(s.name, s.state) for s in report.sources] == [("spotify", "replaced")]
    assert songs(store) == ["Ice", "Rain", "Sun"]
    with open_graph(store) as graph:
        assert graph.ask("ASK { ?e a ev:CalendarEntry ; ev:title 'Choir' }")


def test_times_are_wall_clock_times_of_the_home_zone(tmp_path: Path) -> None:
    ingest([write_streams(tmp_path / "a.json", "Ice")], tmp_path / "store", OPTIONS)
    with open_graph(tmp_path / "store") as graph:
        ((start, end),) = graph.select("SELECT ?start ?end { ?e ev:start ?start ; ev:end ?end }")
        assert start is not None
        assert end is not None
        assert (start.value, end.value) == ("2024-01-05T21:00:00", "2024-01-05T21:03:20")
        dump = " ".join(str(term) for row in graph.select("SELECT ?s ?p ?o { ?s ?p ?o }") for term in row)
        assert "203.0.113.9" not in dump


def test_a_dry_run_changes_nothing_and_says_the_same(tmp_path: Path) -> None:
    export = write_streams(tmp_path / "a.json", "Ice", "Snow")
    dry = ingest([export], tmp_path / "store", replace(OPTIONS, dry_run=True))
    assert not (tmp_path / "store").exists()
    wet = ingest([export], tmp_path / "store", OPTIONS)
    assert dry.as_json()["sources"] == wet.as_json()["sources"]


def test_what_is_skipped_is_reported_and_can_be_queried(tmp_path: Path) -> None:
    rows = [{"source": "note", "start_date": "2024-02-01", "title": "Fine", "text": "fine"}]
    text = json.dumps(rows[0]) + "\n{broken\n" + json.dumps(rows[0] | {"title": "Also"}) + "\n"
    (tmp_path / "list.jsonl").write_text(text, encoding="utf-8")
    report = ingest([tmp_path / "list.jsonl"], tmp_path / "store", OPTIONS)
    (source,) = report.sources
    assert (source.records, source.events, source.skipped_count) == (3, 2, 1)
    with open_graph(tmp_path / "store") as graph:
        ((path, where, reason, count),) = skipped(graph)
    assert path.endswith("list.jsonl")
    assert "2" in where
    assert reason
    assert count == 1


def test_forget_takes_out_one_source(tmp_path: Path) -> None:
    store = tmp_path / "store"
    (tmp_path / "choir.ics").write_text(CALENDAR, encoding="utf-8")
    ingest([write_streams(tmp_path / "a.json", "Ice"), tmp_path / "choir.ics"], store, OPTIONS)
    forget("spotify", store, Settings(lock_seconds=1))
    assert songs(store) == []
    with open_graph(store) as graph:
        assert [entry.format for entry in read_catalog(graph)] == ["icalendar"]
    with pytest.raises(UsageError, match="there is no source 'spotify'"):
        forget("spotify", store, Settings(lock_seconds=1))


def test_a_folder_with_a_bad_file_keeps_the_good_ones(tmp_path: Path) -> None:
    write_streams(tmp_path / "in" / "a.json", "Ice")
    (tmp_path / "in" / "b.ics").write_bytes(bytes(range(256)) * 50)
    report = ingest([tmp_path / "in"], tmp_path / "store", OPTIONS)
    assert [s.name for s in report.sources] == ["spotify"]
    assert [Path(r.path).name for r in report.refused] == ["b.ics"]


def test_a_named_bad_file_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    ingest([write_streams(tmp_path / "a.json", "Ice")], tmp_path / "store", OPTIONS)
    before = current(tmp_path / "store")
    (tmp_path / "b.ics").write_bytes(bytes(range(256)) * 50)
    with pytest.raises(SourceError, match=r"b\.ics"):
        ingest([tmp_path / "b.ics"], tmp_path / "store", OPTIONS)
    assert current(tmp_path / "store") == before


def test_a_zip_is_read_like_a_folder(tmp_path: Path) -> None:
    write_streams(tmp_path / "a.json", "Ice", "Snow")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(tmp_path / "a.json", "MyData/Streaming_History_Audio_0.json")
    report = ingest([tmp_path / "export.zip"], tmp_path / "store", OPTIONS)
    assert report.sources[0].files == [f"{tmp_path}/export.zip!MyData/Streaming_History_Audio_0.json"]
    assert songs(tmp_path / "store") == ["Ice", "Snow"]


EMPTY = {
    "calendar.ics": "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n",
    "NetflixViewingHistory.csv": "Title,Date\n",
    "tweets.js": "window.YTD.tweets.part0 = []",
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_file_without_records_is_refused_with_the_reason(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(EMPTY[name], encoding="utf-8")
    report = ingest([tmp_path / name], tmp_path / "store", OPTIONS)
    assert not report.sources
    assert [(Path(refused.path).name, "no record is in it" in refused.reason) for refused in report.refused] == [
        (name, True)
    ]


def single(*lines: str) -> str:
    inner = "\n".join(("BEGIN:VEVENT", *lines, "END:VEVENT"))
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Test//EN\n{inner}\nEND:VCALENDAR\n"


def write_entries(folder: Path) -> Path:
    folder.mkdir(parents=True)
    series = ("UID:a", "SUMMARY:Sync", "DTSTART:20240103T100000Z", "DTEND:20240103T110000Z")
    moved = ("UID:a", "SUMMARY:Sync", "RECURRENCE-ID:20240110T100000Z", "DTSTART:20240111T100000Z")
    called_off = ("UID:a", "RECURRENCE-ID:20240117T100000Z", "DTSTART:20240117T100000Z", "STATUS:CANCELLED")
    (folder / "1.ics").write_text(single(*moved), encoding="utf-8")
    (folder / "2.ics").write_text(single(*series, "RRULE:FREQ=WEEKLY;COUNT=4"), encoding="utf-8")
    (folder / "3.ics").write_text(single(*called_off), encoding="utf-8")
    (folder / "4.ics").write_text(single("UID:b", "SUMMARY:Walk", "DTSTART:20240105T100000Z"), encoding="utf-8")
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_of_single_entries_is_one_calendar(tmp_path: Path, packed: bool) -> None:
    folder = write_entries(tmp_path / "in" / "Home")
    if packed:
        with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, f"Home/{path.name}")
        folder = tmp_path / "all.zip"
    report = ingest([folder], tmp_path / "store", OPTIONS)
    assert [(source.name, source.events) for source in report.sources] == [("calendar-home", 4)]
    with open_graph(tmp_path / "store") as graph:
        found = [row[0].value for row in graph.select("SELECT ?s { ?e ev:start ?s } ORDER BY ?s") if row[0]]
    assert found == ["2024-01-03T11:00:00", "2024-01-05T11:00:00", "2024-01-11T11:00:00", "2024-01-24T11:00:00"]


def test_a_single_entry_beside_other_things_is_a_source_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "invitation.ics").write_text(single("UID:b", "DTSTART:20240105T100000Z"), encoding="utf-8")
    write_streams(tmp_path / "in" / "a.json", "Ice")
    report = ingest([tmp_path / "in"], tmp_path / "store", OPTIONS)
    assert [source.name for source in report.sources] == ["calendar-invitation", "spotify"]


def test_a_change_by_mail_does_not_touch_a_folders_series(tmp_path: Path) -> None:
    folder = write_entries(tmp_path / "Home")
    text = single("UID:a", "RECURRENCE-ID:20240124T100000Z", "DTSTART:20240125T100000Z")
    (folder / "mail.ics").write_text(text.replace("VERSION:2.0", "METHOD:REQUEST"), encoding="utf-8")
    report = ingest([folder], tmp_path / "store", OPTIONS)
    assert [(source.name, source.events) for source in report.sources] == [("calendar-home", 4), ("calendar-mail", 1)]


def test_one_name_for_two_formats_is_refused(tmp_path: Path) -> None:
    (tmp_path / "choir.ics").write_text(CALENDAR, encoding="utf-8")
    paths = [write_streams(tmp_path / "a.json", "Ice"), tmp_path / "choir.ics"]
    with pytest.raises(UsageError, match="2 formats"):
        ingest(paths, tmp_path / "store", replace(OPTIONS, source="mine"))


def test_status_counts_what_is_there(tmp_path: Path) -> None:
    ingest([write_streams(tmp_path / "a.json", "Ice", "Snow")], tmp_path / "store", OPTIONS)
    found = status(tmp_path / "store", Settings(lock_seconds=1))
    assert [(s.name, s.events) for s in found.sources] == [("spotify", 2)]
    assert found.classes == (("music stream", 2),)
    assert found.span == ("2024-01-05", "2024-01-06")


SPAM = """BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Pacific/Kiritimati\r\nBEGIN:VEVENT\r\nUID:9\r\nSUMMARY:Win
DTSTART:20240501T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"""
LOCAL = IngestOptions(Settings(), datetime(2025, 3, 1, 12), default_zone="Europe/Oslo")


def zones(store: Path) -> set[str]:
    with open_graph(store) as graph:
        return {entry.home_zone for entry in read_catalog(graph)}


def test_a_calendar_that_somebody_sends_does_not_change_the_home_zone(tmp_path: Path) -> None:
    (tmp_path / "choir.ics").write_text(CALENDAR * 3, encoding="utf-8")
    (tmp_path / "spam.ics").write_text(SPAM, encoding="utf-8")
    ingest([tmp_path / "choir.ics", tmp_path / "spam.ics"], tmp_path / "one", LOCAL)
    assert zones(tmp_path / "one") == {"Europe/Oslo"}
    for file in ("choir.ics", "spam.ics"):
        ingest([tmp_path / file], tmp_path / "two", LOCAL)
    assert zones(tmp_path / "two") == {"Europe/Oslo"}
    ingest([tmp_path / "spam.ics"], tmp_path / "own", LOCAL)
    assert zones(tmp_path / "own") == {"Pacific/Kiritimati"}, "one's own calendar says where one lives"


def test_later_mail_is_sent_and_received_by_the_owner_of_the_profile(tmp_path: Path) -> None:
    profile = {
        "id": "x",
        "name": "Ann Other",
        "first_name": "Ann",
        "birth_date": "1990-01-01",
        "friends": [{"name": "Bo"}],
    }
    (tmp_path / "profile.json").write_text(json.dumps(profile | {"email": "ann@a.test"}), encoding="utf-8")
    mails = "".join(
        f"From x@y Wed Feb 12 10:00:00 2025\nFrom: {sender}\nTo: undisclosed-recipients:;\nSubject: hi\n"
        f"Message-ID: <{number}@z>\nDate: Wed, 12 Feb 2025 10:03:00 +0000\n\nhello\n\n"
        for number, sender in enumerate(("Bo <b@b.test>", "A. <ann@a.test>"))
    )
    (tmp_path / "later.mbox").write_text(mails, encoding="utf-8")
    ingest([tmp_path / "profile.json"], tmp_path / "store", OPTIONS)
    ingest([tmp_path / "later.mbox"], tmp_path / "store", OPTIONS)
    with open_graph(tmp_path / "store") as graph:
        found = {value.value for (value,) in graph.select("SELECT ?d { ?m ev:direction ?d }") if value is not None}
    assert found == {"sent", "received"}
