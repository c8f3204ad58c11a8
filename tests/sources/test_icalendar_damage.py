"""iCalendar: damaged files, and the sample calendars."""

from __future__ import annotations

import io
import json
import time
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events
import x_wr_timezone
from builders import NOW, event, ics
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.config import Limits
from reqap_kg.sources.base import BadRecord, ReadContext
from reqap_kg.sources.calendars.icalendar import FORMAT

# ---------------------------------------------------------------- damaged files


def test_one_bad_entry_does_not_lose_the_others(read: Any) -> None:
    good = event("UID:good", "DTSTART:20240101T100000Z")
    bad = [
        event("UID:b1"),
        event("UID:b2", "DTSTART;;VALUE=DATE-TIME:20140409T093000"),
        event("UID:b3", "DTSTART:someday"),
        event("UID:b4", "DTSTART:PT5M"),
        "BEGIN:VEVENT\nUID:b5\nDTSTART:20240101T100000Z",
    ]
    outcome = read(FORMAT, ics(*bad, good))
    assert [record["_id"] for record in outcome.records] == ["good"]
    assert [record.where.split()[1] for record in outcome.bad if "b5" not in record.where] == ["b1", "b2", "b3", "b4"]
    assert [record.reason for record in outcome.bad if "b5" in record.where] == ["no END:VEVENT"]
    assert outcome.bad[0].where == "VEVENT b1 (line 3)" or outcome.bad[1].where == "VEVENT b1 (line 3)"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("RRULE:FREQ=SOMETIMES", "RRULE"),
        ("RRULE:COUNT=3", "RRULE"),
        ("RDATE:soon", "RDATE"),
        ("EXDATE:never", "EXDATE"),
        ("DTEND:later", "DTEND"),
        ("DURATION:long", "DURATION"),
        ("SEQUENCE:first", "SEQUENCE"),
        ("RECURRENCE-ID:that one", "RECURRENCE-ID"),
    ],
)
def test_a_malformed_property_does_not_lose_the_entry(read: Any, line: str, name: str) -> None:
    outcome = read(FORMAT, ics(event("DTSTART:20240101T100000Z", line)))
    assert outcome.only["_start"] == "2024-01-01T10:00:00Z"
    assert outcome.only[name] == line.partition(":")[2]
    assert name in outcome.reasons[0]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=SECONDLY;BYMONTH=12",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=DAILY;BYSETPOS=5",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
        "FREQ=YEARLY;BYMONTHDAY=400",
        "FREQ=WEEKLY;UNTIL=whenever",
        "FREQ=MINUTELY;COUNT=1000000000",
        "FREQ=DAILY;COUNT=-1",
    ],
)
def test_endless_and_impossible_rules_end(read: Any, rule: str) -> None:
    start = time.monotonic()
    outcome = read(FORMAT, ics(event("DTSTART:20240101T100000Z", f"RRULE:{rule}")), now=NOW)
    assert time.monotonic() - start < 20
    assert 1 <= len(outcome.records) <= 10_001
    assert outcome.records[0]["_start"] == "2024-01-01T10:00:00Z"


def test_too_many_occurrences_are_reported(read: Any) -> None:
    outcome = read(FORMAT, ics(event("DTSTART:20240101T100000Z", "RRULE:FREQ=MINUTELY")), now=NOW)
    assert outcome.reasons == ["more than 1000 occurrences: those after 2024-01-02 are left out"]


def test_lines_are_unfolded_and_unescaped_lines_rejoined(read: Any) -> None:
    folded = event(
        "DTSTART:20240101T100000Z", "SUMMARY:Cho", " ir af", "\tter six", "DESCRIPTION:one", "two without a fold"
    )
    record = read(FORMAT, ics(folded)).only
    assert (record["_summary"], record["_description"]) == ("Choir after six", "one\ntwo without a fold")
    umlaut = ics(event("DTSTART:20240101T100000Z", "SUMMARY:Grüße")).encode()
    cut = umlaut.index(b"\xbc")
    assert read(FORMAT, umlaut[:cut] + b"\r\n " + umlaut[cut:]).only["_summary"] == "Grüße"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(read: Any, make_file: Any, encoding: str, end: str) -> None:
    data = ics(event("DTSTART:20240101T100000Z", "SUMMARY:Café")).replace("\n", end).encode(encoding)
    assert FORMAT.recognise(make_file(data)) == 1.0
    assert read(FORMAT, data).only["_summary"] == "Café"


def test_a_file_that_is_cut_off(read: Any) -> None:
    text = ics(event("UID:a", "DTSTART:20240101T100000Z"), event("UID:b", "DTSTART:20240102T100000Z"))
    outcome = read(FORMAT, text[: text.index("UID:b") + 30])
    assert outcome.only["_id"] == "a"
    assert sorted(outcome.reasons) == ["cut off: no END:VCALENDAR", "cut off: no END:VEVENT"]


def test_tasks_and_journals_are_counted_as_skipped(read: Any) -> None:
    todo = "BEGIN:VTODO\nUID:t\nEND:VTODO"
    outcome = read(FORMAT, ics(todo, todo, "BEGIN:VJOURNAL\nEND:VJOURNAL"))
    assert {(bad.where, bad.reason, bad.count) for bad in outcome.bad} == {
        ("VTODO", "a task, not a calendar entry", 2),
        ("VJOURNAL", "a journal entry, not a calendar entry", 1),
    }


@pytest.mark.parametrize(
    "hostile",
    [
        "BEGIN:VEVENT\n" + "BEGIN:VALARM\n" * 5000,
        event("DTSTART:20240101T100000Z", "X-LONG:" + "x" * 3_000_000),
        event("DTSTART:00010101T000000Z", "RRULE:FREQ=YEARLY"),
        event("DTSTART:99991231T235959Z", "DURATION:P9999D"),
        event("DTSTART;TZID=Pacific/Auckland:00010101T000000", "RRULE:FREQ=MONTHLY;COUNT=3"),
        event("DTSTART:20240101T100000Z", "RDATE:" + ",".join(["20240101T100000Z"] * 20_000)),
        event('DTSTART;TZID="' + "a/" * 5000 + '":20240101T100000'),
        event("DTSTART;TZID=../../etc/passwd:20240101T100000"),
        "BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0000\n"
        "RRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\n" + event("DTSTART;TZID=Z:20240101T100000"),
        event("DTSTART:20240101T100000Z", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20240101", "RRULE:FREQ=DAILY"),
        "END:VEVENT\nEND:VALARM\nEND:VTIMEZONE",
    ],
)
def test_hostile_entries_do_not_lose_the_next_one(read: Any, hostile: str) -> None:
    start = time.monotonic()
    good = event("UID:good", "DTSTART:20240101T100000Z")
    outcome = read(FORMAT, ics(hostile) + ics(good), now=NOW, limits=Limits(record_bytes=2_000_000))
    assert outcome.records[-1]["_id"] == "good"
    assert time.monotonic() - start < 20


@dataclass(frozen=True)
class BytesFile:
    data: bytes
    path: str = "x"
    size: int = 0

    def open(self) -> io.BytesIO:
        return io.BytesIO(self.data)

    def head(self, size: int = 65536) -> bytes:
        return self.data[:size]


LINES = st.sampled_from(
    ["BEGIN:VEVENT", "END:VEVENT", "BEGIN:VALARM", "END:VALARM", "BEGIN:VCALENDAR", "END:VCALENDAR", "UID:1", "UID:2",
     "DTSTART:20240101T100000Z", "DTSTART;VALUE=DATE:20240101", "DTSTART;TZID=X:20240101T100000", "DTEND:20240102",
     "DURATION:-P1D", "RRULE:FREQ=DAILY;COUNT=3", "RDATE;VALUE=DATE:20240103", "EXDATE:20240101T100000Z", "SEQUENCE:2",
     "RECURRENCE-ID:20240102T100000Z", "RECURRENCE-ID;RANGE=THISANDFUTURE:20240102", "SUMMARY", "x", " y", ":", "",
     "STATUS:CANCELLED", "X-WR-TIMEZONE:Europe/Rome", "ATTENDEE:", "GEO:1", "CATEGORIES:", "ATTACH;VALUE=BINARY:x"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(LINES, max_size=25))
def test_no_sequence_of_lines_raises(lines: list[str]) -> None:
    text = "\n".join(["BEGIN:VCALENDAR", *lines])
    found = list(FORMAT.read(BytesFile(text.encode()), ReadContext(ZoneInfo("Europe/Dublin"), NOW)))
    names = [record["_id"] for record in found if not isinstance(record, BadRecord)]
    assert len(names) == len(set(names))


# ---------------------------------------------------------------- samples


def expected_by_the_library(data: bytes, horizon: datetime) -> Counter[tuple[str, str]]:
    calendar: Any = x_wr_timezone.to_standard(icalendar.Calendar.from_ical(data))  # type: ignore[arg-type]
    found: list[Any] = recurring_ical_events.of(calendar).between(datetime(2000, 1, 1), horizon)
    return Counter((str(event["SUMMARY"]), plain_start(event["DTSTART"].dt)) for event in found)


def plain_start(value: date) -> str:
    return value.isoformat().replace("+00:00", "Z")


@pytest.mark.shared_data
def test_the_samples_expand_as_the_library_expands_them(read: Any, shared_data: Path) -> None:
    horizon = datetime.fromisoformat(NOW) + timedelta(days=366)
    compared = 0
    for path in sorted((shared_data / "export-samples/icalendar").glob("*.ics")):
        if path.stem in ("broken_ical", "issue_201_mixed_datetime_and_date"):
            continue
        records = read(FORMAT, path, now=NOW).records
        found = Counter((record["_summary"], record["DTSTART"]) for record in records)
        assert found == expected_by_the_library(path.read_bytes(), horizon), path.name
        assert len({record["_id"] for record in records}) == len(records), path.name
        compared += len(records)
    assert compared > 1000


@pytest.mark.shared_data
def test_the_odd_samples(read: Any, shared_data: Path) -> None:
    folder = shared_data / "export-samples/icalendar"
    broken = read(FORMAT, folder / "broken_ical.ics")
    assert broken.records == []
    assert broken.reasons[0].startswith("no DTSTART")
    mixed = read(FORMAT, folder / "issue_201_mixed_datetime_and_date.ics").only
    assert (mixed["_start"], mixed["_end"]) == ("2023-07-24", "2023-08-16T23:59:59")
    bom = read(FORMAT, folder / "bom_calendar.ics")
    assert (bom.records, bom.bad) == ([], [])
    ranged = read(FORMAT, folder / "issue_75_range_parameter.ics", now=NOW).records
    names = {record["_start"][:10]: record["_summary"] for record in ranged}
    assert [names[day] for day in ("2024-09-11", "2024-09-13", "2024-09-17", "2024-09-24")] == [
        "ORIGINAL EVENT",
        "MODIFIED EVENT",
        "MODIFIED EVENT",
        "EDITED EVENT",
    ]


@pytest.mark.shared_data
@pytest.mark.parametrize("persona", ["p1", "p2"])
def test_the_personas_calendars_agree_with_what_they_observed(read: Any, shared_data: Path, persona: str) -> None:
    folder = shared_data / "personas" / persona
    rows = [json.loads(line) for line in (folder / "observables.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = {
        f"{row['id']}@calendar.example": (
            f"{row['start_date']}T{row['start_time']}",
            f"{row['end_date']}T{row['end_time']}",
            row["summary"],
            row["location"],
            row["description"],
        )
        for row in rows
        if row["source"] == "calendar"
    }
    outcome = read(FORMAT, folder / "exports/calendar.ics", now="2026-01-01T00:00:00")
    assert outcome.bad == []
    found = {
        record["_id"]: tuple(record[key] for key in ("_start", "_end", "_summary", "_location", "_description"))
        for record in outcome.records
    }
    assert found == gold
