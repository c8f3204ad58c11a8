"""iCalendar: entries, time zones, names, damaged files."""

from __future__ import annotations

from typing import Any

import pytest
from builders import BERLIN_BY_HAND, event, ics

from reqap_kg.sources.calendars.icalendar import FORMAT

# ---------------------------------------------------------------- one entry


def test_an_entry_with_everything(read: Any) -> None:
    text = ics(
        "X-WR-CALNAME:Town\\, mine",
        event(
            "DTSTART;TZID=Europe/Berlin:20240301T190000",
            "DTEND;TZID=Europe/Berlin:20240301T203000",
            "SUMMARY:Choir\\, spring &amp; co",
            "LOCATION:Town hall\\nRoom 2",
            "DESCRIPTION:<p>Bring <b>tea</b></p><p>and cups</p>",
            "CATEGORIES:music,evening",
            "CATEGORIES:town",
            "ORGANIZER;CN=Dee Day:mailto:dee@d.test",
            'ATTENDEE;CN="Lee, Ann";PARTSTAT=ACCEPTED:mailto:ann@a.test',
            "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@b.test",
            "ATTENDEE;CN=Cy;PARTSTAT=DECLINED:mailto:cy@c.test",
            "ATTENDEE;CN=Hall;CUTYPE=ROOM:mailto:hall@d.test",
            "GEO:52.5;13.4",
            "URL:https://choir.test",
            "X-COLOUR;TYPE=x:deep\\, blue",
            "STATUS:TENTATIVE",
            "BEGIN:VALARM",
            "TRIGGER:-PT15M",
            "END:VALARM",
        ),
    )
    record = read(FORMAT, text, owner_names=("Ann Other",)).only
    assert (record["_start"], record["_end"]) == ("2024-03-01T19:00:00", "2024-03-01T20:30:00")
    assert (record["_startInstant"], record["_endInstant"]) == (
        "2024-03-01T19:00:00+01:00",
        "2024-03-01T20:30:00+01:00",
    )
    assert (record["_duration"], record["_allDay"], record["_recurring"]) == (5400, False, False)
    assert (record["_precision"], record["_certainty"]) == ("minute", "stated")
    assert record["_summary"] == "Choir, spring & co"
    assert record["_location"] == "Town hall, Room 2"
    assert record["_description"] == "Bring tea\n\nand cups"
    assert record["_categories"] == ["music", "evening", "town"]
    assert record["_organizer"] == ["Dee Day"]
    assert record["_participants"] == ["Lee, Ann", "bo@b.test"], "without those who declined, and without rooms"
    assert record["_id"] == "u1"
    assert record["X-COLOUR"] == "deep, blue", "properties that nobody names are kept"
    assert (record["GEO"], record["URL"], record["STATUS"]) == ("52.5;13.4", "https://choir.test", "TENTATIVE")
    assert record["X-WR-CALNAME"] == "Town, mine"
    assert record["VALARM"] == ["-PT15M"] or record["VALARM"]


def test_the_person_is_no_participant(read: Any) -> None:
    text = ics(
        event("DTSTART:20240301T190000Z", "ATTENDEE;CN=Ann:mailto:Ann@a.test", "ATTENDEE;CN=Bo:mailto:bo@b.test")
    )
    for owner in ("ann", "ANN@A.TEST"):
        assert read(FORMAT, text, owner_names=(owner,)).only["_participants"] == ["Bo"]


@pytest.mark.parametrize(
    ("lines", "start", "end", "seconds"),
    [
        (["DTSTART:20240301T190000Z", "DTEND:20240301T200000Z"], "2024-03-01T19:00:00Z", "2024-03-01T20:00:00Z", 3600),
        (["DTSTART:20240301T190000Z", "DURATION:PT90M"], "2024-03-01T19:00:00Z", "2024-03-01T20:30:00Z", 5400),
        (["DTSTART:20240301T190000Z"], "2024-03-01T19:00:00Z", None, None),
        (["DTSTART:20240301T190000Z", "DTEND:20240301T190000Z"], "2024-03-01T19:00:00Z", None, None),
        (["DTSTART:20240301T190000"], "2024-03-01T19:00:00", None, None),
        (["DTSTART;VALUE=DATE:20240301"], "2024-03-01", "2024-03-01T23:59:59", 86400),
        (["DTSTART;VALUE=DATE:20240301", "DTEND;VALUE=DATE:20240304"], "2024-03-01", "2024-03-03T23:59:59", 259200),
        (["DTSTART;VALUE=DATE:20240301", "DURATION:P2D"], "2024-03-01", "2024-03-02T23:59:59", 172800),
        (["DTSTART;VALUE=DATE:20240301", "DTEND;VALUE=DATE:20240301"], "2024-03-01", "2024-03-01T23:59:59", 86400),
        (["DTSTART;VALUE=DATE:20240301", "DTEND:20240304T000000Z"], "2024-03-01", "2024-03-03T23:59:59", 259200),
        (["DTSTART;VALUE=DATE:20240301", "DTEND:20240301T120000Z"], "2024-03-01", "2024-03-01T12:00:00Z", 43200),
        (["DTSTART:20240301T190000Z", "DTEND:20240301T180000Z"], "2024-03-01T18:00:00Z", "2024-03-01T19:00:00Z", 3600),
        (
            ["DTSTART;TZID=Europe/Berlin:20240331T010000", "DURATION:PT3H"],
            "2024-03-31T01:00:00",
            "2024-03-31T05:00:00",
            10800,
        ),
    ],
)
def test_start_and_end(read: Any, lines: list[str], start: str, end: str | None, seconds: int | None) -> None:
    record = read(FORMAT, ics(event(*lines))).only
    assert (record["_start"], record.get("_end"), record.get("_duration")) == (start, end, seconds)


def test_certainty_of_times(read: Any) -> None:
    def told(*lines: str) -> tuple[str, str | None]:
        record = read(FORMAT, ics(*lines)).only
        return record["_certainty"], record["_startInstant"]

    assert told(event("DTSTART:20240301T190000")) == ("assumed", None)
    assert told(event("DTSTART;TZID=Nowhere/Atlantis:20240301T190000")) == ("assumed", None)
    assert told(event("DTSTART;VALUE=DATE:20240301")) == ("stated", None)
    assert told("X-WR-TIMEZONE:Europe/Rome", event("DTSTART:20240301T190000")) == (
        "stated",
        "2024-03-01T19:00:00+01:00",
    )


# ---------------------------------------------------------------- time zones


@pytest.mark.parametrize(
    "zone",
    [
        "Europe/Berlin",
        '"Europe/Berlin"',
        "/freeassociation.sourceforge.net/Europe/Berlin",
        "/mozilla.org/20070129_1/Europe/Berlin",
        "W. Europe Standard Time",
        '"W. Europe Standard Time"',
        "Office",
        "GMT+0200",
        '"(UTC+02:00)"',
    ],
)
def test_zone_names_of_all_kinds(read: Any, zone: str) -> None:
    record = read(FORMAT, ics(BERLIN_BY_HAND, event(f"DTSTART;TZID={zone}:20240701T190000"))).only
    assert (record["_start"], record["_startInstant"]) == ("2024-07-01T19:00:00", "2024-07-01T19:00:00+02:00")
    assert record["_certainty"] == "stated"


def test_a_zone_defined_in_one_file_does_not_reach_the_next(read: Any) -> None:
    text = event("DTSTART;TZID=Office:20240701T190000")
    other = BERLIN_BY_HAND.replace("+0200", "-0400").replace("+0100", "-0500")
    instants = [read(FORMAT, ics(zone, text)).only["_startInstant"] for zone in (BERLIN_BY_HAND, other, "")]
    assert instants == ["2024-07-01T19:00:00+02:00", "2024-07-01T19:00:00-04:00", None]


def test_winter_in_london_is_not_utc(read: Any) -> None:
    record = read(FORMAT, ics(event("DTSTART;TZID=Europe/London:20240101T190000"))).only
    assert (record["_start"], record["_startInstant"]) == ("2024-01-01T19:00:00", "2024-01-01T19:00:00Z")
    assert read(FORMAT, ics(event("DTSTART;TZID=UTC:20240101T190000"))).only["_start"] == "2024-01-01T19:00:00Z"


def test_the_calendars_own_zone(starts: Any) -> None:
    for name in ("America/New_York", "Eastern Standard Time"):
        assert starts(f"X-WR-TIMEZONE:{name}", event("DTSTART:20211223T020000Z")) == ["2021-12-22T21:00:00"]
    assert starts("X-WR-TIMEZONE:Europe/Nowhere", event("DTSTART:20211223T020000Z")) == ["2021-12-23T02:00:00Z"]


def test_daylight_saving_keeps_the_clock(starts: Any) -> None:
    rule = ["DTSTART;TZID=Europe/Berlin:20240324T190000", "RRULE:FREQ=WEEKLY;COUNT=3"]
    assert starts(event(*rule)) == ["2024-03-24T19:00:00", "2024-03-31T19:00:00", "2024-04-07T19:00:00"]


# ---------------------------------------------------------------- recognition and names


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ("BEGIN:VCALENDAR\r\nEND:VCALENDAR", True),
        ("\ufeff\r\n begin:vcalendar\r\n", True),
        ("BEGIN:VCARD\r\nEND:VCARD", False),
        ("BEGIN:VCALENDARX", False),
        ("SUMMARY:BEGIN:VCALENDAR", False),
        ("", False),
    ],
)
def test_recognition(make_file: Any, content: str, known: bool) -> None:
    assert (FORMAT.recognise(make_file(content)) > 0) is known


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("X-WR-CALNAME:Família\\, 2024", "calendar-familia-2024"),
        ("NAME:Work", "calendar-work"),
        ("X-WR-CALNAME;VALUE=TEXT:Wo\r\n rk", "calendar-work"),
        ("X-WR-CALNAME:家族", "calendar-file"),
        ("X-OTHER:1", "calendar-file"),
    ],
)
def test_the_source_is_named_after_the_calendar(make_file: Any, line: str, name: str) -> None:
    assert FORMAT.source_name(make_file(ics(line))) == name


# ---------------------------------------------------------------- the map


def test_the_map_of_entries(mapped: Any) -> None:
    text = ics(
        event(
            "DTSTART;TZID=Europe/Berlin:20240301T230000",
            "DURATION:PT2H",
            "LOCATION:Hall",
            "DESCRIPTION:Bring tea",
            "CATEGORIES:music,town",
            "ATTENDEE;CN=Bo:mailto:bo@b.test",
            "STATUS:CONFIRMED",
            "X-COLOUR:blue",
        )
    )
    found = mapped(FORMAT, text).only
    assert found["a"] == ["ev:CalendarEntry"]
    assert (found["ev:title"], found["ev:location"], found["ev:description"]) == (["Choir"], ["Hall"], ["Bring tea"])
    assert (found["ev:start"], found["ev:end"]) == (["2024-03-01T23:00:00"], ["2024-03-02T01:00:00"])
    assert found["ev:startInstant"] == ["2024-03-01T23:00:00+01:00"]
    assert found["ev:day"] == ["2024-03-01", "2024-03-02"]
    assert (found["ev:duration"], found["ev:allDay"], found["ev:recurring"]) == (["7200"], ["false"], ["false"])
    assert (found["ev:tag"], found["ev:participant"], found["ev:status"]) == (["music", "town"], ["Bo"], ["confirmed"])
    assert (found["key:X-COLOUR"], found["key:UID"], found["ev:sourceId"]) == (["blue"], ["u1"], ["u1"])
    assert not {"key:SUMMARY", "key:LOCATION", "key:DESCRIPTION"} & set(found), "not said twice"


def test_the_map_of_zones_and_whole_days(mapped: Any) -> None:
    text = ics(
        event("UID:utc", "DTSTART:20240701T100000Z"),
        event("UID:london", "DTSTART;TZID=Europe/London:20240101T100000"),
        event("UID:floating", "DTSTART:20240701T100000"),
        event("UID:day", "DTSTART;VALUE=DATE:20240701", "DTEND;VALUE=DATE:20240703"),
    )
    found = mapped(FORMAT, text, zone="America/Chicago").by("ev:sourceId")
    assert found["utc"]["ev:start"] == ["2024-07-01T05:00:00"]
    assert found["london"]["ev:start"] == ["2024-01-01T10:00:00"]
    assert found["floating"]["ev:start"] == ["2024-07-01T10:00:00"]
    assert found["floating"]["ev:timeCertainty"] == ["assumed"]
    assert "ev:startInstant" not in found["floating"]
    whole = found["day"]
    assert (whole["ev:start"], whole["ev:end"]) == (["2024-07-01T00:00:00"], ["2024-07-02T23:59:59"])
    assert (whole["ev:day"], whole["ev:duration"]) == (["2024-07-01", "2024-07-02"], ["172800"])
    assert (whole["ev:allDay"], whole["ev:timePrecision"]) == (["true"], ["day"])
