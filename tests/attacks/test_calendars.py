"""Calendars with entries that could be expanded for ever: what they cost is bounded, and the good entries stay."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Event

from reqap_kg.config import Limits
from reqap_kg.sources.base import BadRecord, ReadContext, Record
from reqap_kg.sources.calendars.icalendar import FORMAT
from reqap_kg.sources.calendars.rules import RuleProblem, Searches, last_wanted
from reqap_kg.sources.files import walk

SECONDS = 8
NUMBERS = {most: ",".join(map(str, range(most))) for most in (24, 60)}
EVERY_SECOND = f"BYHOUR={NUMBERS[24]};BYMINUTE={NUMBERS[60]};BYSECOND={NUMBERS[60]}"
RULES = {
    "lists of times": f"RRULE:FREQ=DAILY;{EVERY_SECOND}",
    "lists of times in a year": f"RRULE:FREQ=YEARLY;{EVERY_SECOND}",
    "leap days": f"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;{EVERY_SECOND}",
    "minutes": f"RRULE:FREQ=HOURLY;BYMINUTE={NUMBERS[60]}",
    "a second a day": "RRULE:FREQ=SECONDLY;BYHOUR=3;BYMINUTE=0;BYSECOND=7",
    "no such day": "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2",
    "no such week": "RRULE:FREQ=DAILY;BYWEEKNO=54;INTERVAL=7",
    "never meets": "RRULE:FREQ=MONTHLY;INTERVAL=12;BYMONTH=2",
    "never a Monday": "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO",
    "many rules": "\r\n".join(["RRULE:FREQ=WEEKLY;BYHOUR=1,2,3"] * 60),
    "no part of a rule": "RRULE:FREQ=DAILY;BYEASTER=400",
}


def event(uid: str, lines: str = "", start: str = "DTSTART:20240301T100000") -> str:
    return f"BEGIN:VEVENT\r\nUID:{uid}\r\nSUMMARY:{uid}\r\n{start}\r\n{lines}END:VEVENT\r\n"


GOOD = event("first") + event("weekly", "RRULE:FREQ=WEEKLY;COUNT=5\r\nEXDATE:20240308T100000\r\n")
MORE = event("last", start="DTSTART;TZID=Europe/Dublin:20240301T100000") + event(
    "other", "RRULE:FREQ=MONTHLY;COUNT=3\r\n"
)


def read(folder: Path, evil: str, limits: Limits | None = None) -> tuple[list[Record], list[BadRecord]]:
    """What is read of a calendar with good entries around what is evil; asserts what holds of every one."""
    path = folder / "a.ics"
    path.write_bytes(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{GOOD}{evil}{MORE}END:VCALENDAR\r\n".encode())
    file = next(iter(walk(path, Limits())))
    assert not isinstance(file, BadRecord)
    began = process_time()
    found = list(
        FORMAT.read(file, ReadContext(ZoneInfo("Europe/Dublin"), "2025-01-01T00:00:00", limits=limits or Limits()))
    )
    assert process_time() - began < SECONDS
    records = [record for record in found if not isinstance(record, BadRecord)]
    good = Counter(str(record["SUMMARY"]) for record in records)
    assert {name: good[name] for name in ("first", "weekly", "last", "other")} == {
        "first": 1, "weekly": 4, "last": 1, "other": 3
    }  # fmt: skip
    return records, [bad for bad in found if isinstance(bad, BadRecord)]


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_that_yields_too_much_or_nothing(rule: str, tmp_path: Path) -> None:
    records, bad = read(tmp_path, "".join(event(f"evil{n}", RULES[rule] + "\r\n") for n in range(120)))
    assert sum(str(record["SUMMARY"]).startswith("evil") for record in records) == 120, "each is kept once"
    assert sum(one.count for one in bad if one.key == "RRULE") == 120, bad[:3]


def zone(observances: int, lines: str) -> str:
    one = "BEGIN:DAYLIGHT\r\n" + lines + "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n"
    inside = "".join(one.replace("{y}", str(1910 + n % 100)) for n in range(observances))
    return f"BEGIN:VTIMEZONE\r\nTZID:Odd\r\n{inside}END:VTIMEZONE\r\n"


ZONES = {
    "many rules": zone(3000, "DTSTART:{y}0301T020000\r\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=1\r\n"),
    "many dates": zone(1, f"DTSTART:{{y}}0301T020000\r\nRDATE:{','.join(['20240101T000000'] * 50_000)}\r\n"),
    "every second": zone(2, f"DTSTART:{{y}}0301T020000\r\nRRULE:FREQ=YEARLY;{EVERY_SECOND}\r\n"),
    "every day": zone(2, "DTSTART:{y}0301T020000\r\nRRULE:FREQ=DAILY\r\n"),
    "late": zone(3000, "DTSTART:99980301T020000\r\nRRULE:FREQ=YEARLY\r\n"),
}


@pytest.mark.parametrize("odd", sorted(ZONES))
def test_a_zone_of_endless_changes_is_told(odd: str, tmp_path: Path) -> None:
    within = "".join(
        event(f"evil{n}", start=f"DTSTART;TZID=Odd:{2000 + n % 30}{n % 12 + 1:02}{n % 28 + 1:02}T100000")
        for n in range(300)
    )
    records, bad = read(tmp_path, ZONES[odd] + within)
    assert sum(str(record["SUMMARY"]).startswith("evil") for record in records) == 300
    assert [one.key for one in bad] == ["TZID"], bad[:3]
    assert "Odd" in bad[0].reason


@pytest.mark.smoke
def test_zones_of_real_calendars_are_taken(tmp_path: Path) -> None:
    outlook = "BEGIN:VTIMEZONE\r\nTZID:Office\r\n" + "".join(
        f"BEGIN:{kind}\r\nDTSTART:16010101T0{hour}0000\r\nTZOFFSETFROM:{before}\r\nTZOFFSETTO:{after}\r\n"
        f"RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH={month}\r\nEND:{kind}\r\n"
        for kind, hour, before, after, month in (
            ("STANDARD", 3, "+0300", "+0200", 10),
            ("DAYLIGHT", 2, "+0200", "+0300", 3),
        )
    )
    records, bad = read(
        tmp_path, outlook + "END:VTIMEZONE\r\n" + event("office", start="DTSTART;TZID=Office:20240701T100000")
    )
    (office,) = (record for record in records if record["SUMMARY"] == "office")
    assert not bad
    assert "+03:00" in str(office), office


DATES = ",".join(f"20{n % 100:02}{n % 12 + 1:02}{n % 28 + 1:02}T{n % 24:02}{n % 60:02}00" for n in range(1000))
REPEATED = {
    "dates that are out": f"RRULE:FREQ=DAILY\r\nEXDATE:{DATES}\r\n",
    "dates that are in": f"RDATE:{DATES}\r\n",
    "a long text": f"RRULE:FREQ=DAILY\r\nDESCRIPTION:{'a' * 100_000}\r\n",
}


@pytest.mark.parametrize("what", sorted(REPEATED))
def test_what_each_occurrence_repeats_is_counted(what: str, tmp_path: Path) -> None:
    limits = Limits(file_occurrences=2_000)
    records, bad = read(tmp_path, "".join(event(f"evil{n}", REPEATED[what]) for n in range(20)), limits)
    evil = [record for record in records if str(record["SUMMARY"]).startswith("evil")]
    assert len({record["SUMMARY"] for record in evil}) == 20
    assert sum(one.count for one in bad if one.key == "RRULE" and "file_occurrences" in one.reason)
    assert len(evil) < 150, "a few of the first, and each once"


PARTS = st.fixed_dictionaries(
    {"FREQ": st.sampled_from(("DAILY", "WEEKLY", "MONTHLY", "YEARLY"))},
    optional={
        "INTERVAL": st.integers(1, 14),
        "BYDAY": st.sampled_from(("MO", "FR", "SA,SU")),
        "BYMONTH": st.sampled_from(("2", "3,4")),
        "BYMONTHDAY": st.sampled_from(("29", "1,15", "-1")),
        "BYHOUR": st.sampled_from(("9", "9,17")),
        "COUNT": st.integers(1, 30),
    },
)


@settings(max_examples=150, deadline=None)
@given(parts=PARTS, start=st.datetimes(datetime(1990, 1, 1), datetime(2024, 1, 1)), years=st.integers(1, 12))
def test_a_rule_yields_what_the_naive_way_says(parts: dict[str, object], start: datetime, years: int) -> None:
    start = start.replace(microsecond=0)
    stop = start + timedelta(days=365 * years)
    text = ";".join(f"{name}={value}" for name, value in parts.items())
    naive = [moment for moment in _first(text, start, stop) if moment <= stop]
    entry: Event = Event.from_ical(f"BEGIN:VEVENT\r\nDTSTART:{start:%Y%m%dT%H%M%S}\r\nRRULE:{text}\r\nEND:VEVENT\r\n")  # type: ignore[assignment]
    try:
        found, problem = last_wanted(entry, stop, 10_000, Searches())
    except RuleProblem:
        assert not naive
        return
    assert (found, problem) == (stop, None)
    rule: str = entry["RRULE"].to_ical().decode()  # type: ignore[union-attr]
    after = [moment for moment in _first(rule, start, stop) if moment <= stop]
    assert after == naive


def _first(rule: str, start: datetime, stop: datetime) -> list[datetime]:
    """The dates of a rule until some time after `stop`."""
    return rrulestr(rule, dtstart=start).between(start, stop + timedelta(days=1), inc=True)
