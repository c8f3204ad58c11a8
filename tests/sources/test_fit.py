"""FIT files of watches and bike computers."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from fit_files import SPORT, activity, file_id, fit, record, session

from reqap_kg.errors import SourceError
from reqap_kg.sources.moving.fit import FORMAT

RIDE = [file_id(), session("2024-07-05T06:00:00", 3600, 24_500), activity("2024-07-05T07:00:00", "2024-07-05T09:00:00")]


def test_the_format_is_told_by_its_mark(make_file: Any) -> None:
    assert FORMAT.recognise(make_file(fit(RIDE))) == 1.0
    assert FORMAT.recognise(make_file(b"\x0e0123456.FITx"[:5])) == 0.0
    assert FORMAT.recognise(make_file("a.FIT text")) == 0.0
    assert FORMAT.source_name(make_file(fit(RIDE))) == "fit-2024-07-05t06-00-00"


def test_a_session_with_the_offset_of_the_device(mapped: Any) -> None:
    event = mapped(FORMAT, fit(RIDE)).only
    assert (event["a"], event["ev:workoutType"]) == (["ev:Workout"], ["cycling"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T08:00:00"], ["2024-07-05T09:00:00"])
    assert event["ev:startInstant"] == ["2024-07-05T08:00:00+02:00"]
    assert (event["ev:duration"], event["ev:distance"], event["ev:energy"]) == (["3540"], ["24.5"], ["300"])
    assert (event["ev:averageHeartRate"], event["ev:maximumHeartRate"]) == (["140"], ["171"])
    assert (event["ev:maximumSpeed"], event["ev:elevationGain"]) == (["45"], ["120"])
    assert event["ev:device"] == ["garmin"]


def test_an_activity_may_come_first_and_have_several_sessions(read: Any) -> None:
    parts = [
        file_id(),
        activity("2024-01-05T07:00:00", "2024-01-05T07:00:00"),
        session("2024-01-05T06:00:00", 600, 500, sport=5, sub=17),
        session("2024-01-05T06:20:00", 600, 2000, sport=1, sub=3),
        session("2024-01-05T06:40:00", 600, 2000, sport=1, sub=1),
    ]
    found = read(FORMAT, fit(parts)).records
    assert [one["_sport"] for one in found] == ["pool swimming", "trail running", "treadmill running"]
    assert found[0]["_start"] == "2024-01-05T06:00:00", "an offset of 0 is that of the place"
    assert [one.get("_indoor") for one in found] == ["true", None, "true"]
    assert len({one["_id"] for one in found}) == 3


def test_a_file_without_sessions_is_summed_up(read: Any) -> None:
    points = [record(f"2024-07-05T06:{minute:02d}:00", minute / 1000, 120 + minute) for minute in range(11)]
    one = read(FORMAT, fit([file_id(), (SPORT, [(0, "B", 1)]), *points])).only
    assert (one["_sport"], one["_seconds"], one["_bpm"]) == ("running", 600.0, 125.0)
    assert one["_km"] == pytest.approx(1.112, abs=0.001)
    assert one["_start"] == "2024-07-05T07:00:00"


def test_other_kinds_of_files_have_a_reason(read: Any) -> None:
    outcome = read(FORMAT, fit([file_id(kind=32)]))
    assert (outcome.records, outcome.reasons) == ([], ["a FIT file of the kind monitoring b: only activities are read"])


def test_a_cut_or_changed_file_says_so(read: Any) -> None:
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, fit(RIDE)[:-40])
    changed = bytearray(fit(RIDE))
    changed[-1] ^= 255
    outcome = read(FORMAT, bytes(changed))
    assert len(outcome.records) == 1
    assert outcome.reasons == ["the checksum does not match: read all the same"]


def test_damage_never_becomes_a_traceback(read: Any) -> None:
    luck = random.Random(7)
    whole = fit([*RIDE, *(record(f"2024-07-05T06:{minute:02d}:00", 0.1, 90) for minute in range(5))])
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(luck.randint(1, 6)):
            data[luck.randrange(14, len(data))] = luck.randrange(256)
        with suppress(SourceError):
            read(FORMAT, bytes(data))
