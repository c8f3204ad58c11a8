"""iCalendar: entries that recur, their exceptions, changes and lengths; versions of an entry."""

from __future__ import annotations

from typing import Any

import pytest
from builders import NOW, event, ics

from reqap_kg.sources.calendars.icalendar import FORMAT


@pytest.mark.parametrize(
    ("lines", "ends"),
    [
        # The clocks go forward on 31 March 2024 at 02:00 in Berlin, back on 27 October at 03:00.
        (["DTSTART;TZID=Europe/Berlin:20240330T200000", "DURATION:PT24H"], ["2024-03-31T21:00:00"]),
        (["DTSTART;TZID=Europe/Berlin:20240330T200000", "DURATION:P1D"], ["2024-03-31T20:00:00"]),
        (["DTSTART;TZID=Europe/Berlin:20240330T200000", "DURATION:P1DT5H"], ["2024-04-01T01:00:00"]),
        (["DTSTART;TZID=Europe/Berlin:20240330T200000", "DURATION:P1W"], ["2024-04-06T20:00:00"]),
        (["DTSTART;TZID=Europe/Berlin:20241026T200000", "DURATION:PT24H"], ["2024-10-27T19:00:00"]),
        (["DTSTART:20240330T200000", "DURATION:PT24H"], ["2024-03-31T20:00:00"]),
        (["DTSTART:20240330T190000Z", "DURATION:PT24H"], ["2024-03-31T19:00:00Z"]),
        (["DTSTART;VALUE=DATE:20240330", "DURATION:P2D"], ["2024-03-31T23:59:59"]),
        (
            ["DTSTART;TZID=Europe/Berlin:20240329T220000", "DURATION:PT8H", "RRULE:FREQ=DAILY;COUNT=3"],
            ["2024-03-30T06:00:00", "2024-03-31T07:00:00", "2024-04-01T06:00:00"],
        ),
        (
            ["DTSTART;TZID=Europe/Berlin:20240329T220000", "DURATION:P1D", "RRULE:FREQ=DAILY;COUNT=3"],
            ["2024-03-30T22:00:00", "2024-03-31T22:00:00", "2024-04-01T22:00:00"],
        ),
        (
            [
                "DTSTART;TZID=Europe/Berlin:20240329T220000",
                "DTEND;TZID=Europe/Berlin:20240330T060000",
                "RRULE:FREQ=DAILY;COUNT=3",
            ],
            ["2024-03-30T06:00:00", "2024-03-31T07:00:00", "2024-04-01T06:00:00"],
        ),
        (
            [
                "DTSTART;TZID=Europe/Berlin:20240330T220000",
                "DURATION:PT8H",
                "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20240405T220000/20240405T230000",
            ],
            ["2024-03-31T07:00:00", "2024-04-05T23:00:00"],
        ),
    ],
)
def test_lengths_over_a_change_of_the_clocks(read: Any, lines: list[str], ends: list[str]) -> None:
    records = read(FORMAT, ics(event(*lines))).records
    assert sorted(record["_end"] for record in records) == ends


def test_a_moved_instance_has_its_own_length(read: Any) -> None:
    main = event("DTSTART;TZID=Europe/Berlin:20240329T220000", "DURATION:P1D", "RRULE:FREQ=DAILY;COUNT=2")
    moved = event(
        "RECURRENCE-ID;TZID=Europe/Berlin:20240330T220000",
        "DTSTART;TZID=Europe/Berlin:20240330T210000",
        "DURATION:PT24H",
    )
    records = read(FORMAT, ics(main, moved)).records
    assert sorted(record["_end"] for record in records) == ["2024-03-30T22:00:00", "2024-03-31T22:00:00"]


def test_unbounded_rules_run_from_their_start_to_the_horizon(starts: Any) -> None:
    found = starts(event("DTSTART:20200106T100000", "RRULE:FREQ=WEEKLY"), horizon_days=30)
    assert (found[0], found[-1]) == ("2020-01-06T10:00:00", "2024-07-01T10:00:00")
    assert len(found) == 235


def test_what_happens_once_is_kept_beyond_the_horizon(starts: Any) -> None:
    assert starts(event("DTSTART:20990101T100000"), horizon_days=1) == ["2099-01-01T10:00:00"]
    assert starts(event("DTSTART:20990101T100000", "RRULE:FREQ=DAILY"), horizon_days=1)[0] == "2099-01-01T10:00:00"


@pytest.mark.parametrize(
    "lines",
    [
        ["RRULE:FREQ=DAILY;UNTIL=20231231T000000Z"],
        ["RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20240101T100000Z"],
        ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"],
    ],
)
def test_a_rule_that_gives_no_time_is_told_or_kept_once(read: Any, lines: list[str]) -> None:
    outcome = read(FORMAT, ics(event("DTSTART:20240101T100000Z", *lines)), now=NOW)
    assert len(outcome.records) + len(outcome.bad) >= 1


def test_exceptions_and_additions(read: Any) -> None:
    text = ics(
        event(
            "DTSTART;TZID=Europe/Berlin:20240101T100000",
            "DURATION:PT1H",
            "RRULE:FREQ=DAILY;COUNT=5",
            "EXDATE;TZID=Europe/Berlin:20240102T100000",
            "EXDATE:20240103T090000Z",
            "RDATE;TZID=Europe/Berlin:20240120T150000,20240101T100000",
            "RDATE;VALUE=PERIOD:20240125T150000Z/PT3H",
        )
    )
    records = read(FORMAT, text, now=NOW).records
    assert [record["_start"] for record in records] == [
        "2024-01-01T10:00:00",
        "2024-01-04T10:00:00",
        "2024-01-05T10:00:00",
        "2024-01-20T15:00:00",
        "2024-01-25T15:00:00Z",
    ]
    assert records[-1]["_duration"] == 10800
    assert [record["_id"] for record in records[:2]] == ["u1#20240101T090000Z", "u1#20240104T090000Z"]
    assert all(record["_recurring"] for record in records)


def test_all_day_series(read: Any) -> None:
    text = ics(event("DTSTART;VALUE=DATE:20200229", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20200229"))
    record = read(FORMAT, text, now=NOW).only
    assert (record["_start"], record["_end"], record["_allDay"]) == ("2024-02-29", "2024-02-29T23:59:59", True)
    assert record["_id"] == "u1#20240229"


def test_moved_changed_and_cancelled_instances(read: Any) -> None:
    text = ics(
        event(
            "RECURRENCE-ID:20240103T100000Z",
            "DTSTART:20240104T120000Z",
            "DTEND:20240104T130000Z",
            "SUMMARY:Choir (late)",
        ),
        event("DTSTART:20240101T100000Z", "DTEND:20240101T110000Z", "RRULE:FREQ=DAILY;COUNT=4"),
        event("RECURRENCE-ID:20240102T100000Z", "DTSTART:20240102T100000Z", "STATUS:CANCELLED"),
    )
    outcome = read(FORMAT, text, now=NOW)
    assert [(record["_id"], record["_start"], record["_summary"]) for record in outcome.records] == [
        ("u1#20240101T100000Z", "2024-01-01T10:00:00Z", "Choir"),
        ("u1#20240104T100000Z", "2024-01-04T10:00:00Z", "Choir"),
        ("u1#20240103T100000Z", "2024-01-04T12:00:00Z", "Choir (late)"),
    ]
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [("cancelled", 1)]


@pytest.mark.parametrize("zone", ["", "X-WR-TIMEZONE:Europe/Berlin"])
def test_a_change_of_this_and_all_following(read: Any, zone: str) -> None:
    text = ics(
        zone or "X-A:b",
        event("DTSTART:20240101T100000Z", "DTEND:20240101T110000Z", "RRULE:FREQ=DAILY;COUNT=4"),
        event(
            "RECURRENCE-ID;RANGE=THISANDFUTURE:20240103T100000Z", "DTSTART:20240103T140000Z", "DTEND:20240103T160000Z"
        ),
    )
    records = read(FORMAT, text, now=NOW).records
    assert [record["_startInstant"].replace("15:00:00+01:00", "14:00:00Z")[-9:-1] for record in records][2:] == [
        "14:00:00"
    ] * 2
    assert [record["_duration"] for record in records] == [3600, 3600, 7200, 7200]
    assert [record["_id"][9:11] for record in records] == ["01", "02", "03", "04"]
    assert len({record["_id"] for record in records}) == 4


def test_changes_without_their_series_are_entries_of_their_own(starts: Any) -> None:
    assert starts(event("RECURRENCE-ID:20240103T100000Z", "DTSTART:20240104T120000Z")) == ["2024-01-04T12:00:00Z"]


def test_cancelled_and_declined_entries_are_kept_out(read: Any) -> None:
    cancelled = read(
        FORMAT, ics(event("DTSTART:20240101T100000Z", "RRULE:FREQ=DAILY;COUNT=3", "STATUS:CANCELLED")), now=NOW
    )
    assert cancelled.records == []
    assert [(bad.where, bad.reason, bad.count) for bad in cancelled.bad] == [("VEVENT u1 (line 3)", "cancelled", 3)]
    assert read(FORMAT, ics("METHOD:CANCEL", event("DTSTART:20240101T100000Z"))).reasons == ["cancelled"]
    declined = ics(event("DTSTART:20240101T100000Z", "ATTENDEE;PARTSTAT=DECLINED:mailto:me@m.test"))
    assert read(FORMAT, declined, owner_names=("me@m.test",)).reasons == ["declined"]
    assert len(read(FORMAT, declined).records) == 1


def test_identifiers_do_not_depend_on_order_or_other_entries(read: Any) -> None:
    first = event("UID:a", "DTSTART:20240101T100000Z", "RRULE:FREQ=DAILY;COUNT=2")
    second, bare = event("UID:b", "DTSTART:20240101T100000Z"), event("UID:", "DTSTART:20240101T110000Z")
    one = {record["_id"] for record in read(FORMAT, ics(first, second, bare), now=NOW).records}
    other = {record["_id"] for record in read(FORMAT, ics("X-NEW:1", bare, second, first), now=NOW).records}
    assert one == other
    assert {"a#20240101T100000Z", "b"} < one


def test_versions_and_repetitions_of_an_entry(read: Any) -> None:
    old = event("DTSTART:20240101T100000Z", "SEQUENCE:0")
    new = event("DTSTART:20240102T100000Z", "SEQUENCE:2")
    outcome = read(FORMAT, ics(old, new, new))
    assert outcome.only["_start"] == "2024-01-02T10:00:00Z"
    assert sorted(outcome.reasons) == ["an older version of an entry", "the same entry again"]
    careless = read(FORMAT, ics(event("DTSTART:20240101T100000Z"), event("DTSTART:20240105T100000Z")))
    assert len({record["_id"] for record in careless.records}) == 2, "one UID for all: none is lost"
    earlier = event("DTSTART:20240101T100000Z", "LAST-MODIFIED:20230101T000000Z", "SUMMARY:old")
    later = event("DTSTART:20240101T100000Z", "LAST-MODIFIED:20230102T000000Z", "SUMMARY:new")
    for pair in ((earlier, later), (later, earlier)):
        assert read(FORMAT, ics(*pair)).only["_summary"] == "new"


def test_several_calendars_in_a_file(read: Any) -> None:
    first = ics("X-WR-TIMEZONE:Asia/Tokyo", event("UID:a", "DTSTART:20240101T000000Z"))
    outcome = read(FORMAT, first + ics(event("UID:b", "DTSTART:20240101T000000Z")) + first)
    assert [record["_start"] for record in outcome.records] == ["2024-01-01T09:00:00", "2024-01-01T00:00:00Z"]
    assert outcome.reasons == ["the same entry again"]
