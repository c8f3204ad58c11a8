"""Google's location history in its five shapes: what is told, what is derived, what is left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.detect import detect
from reqap_kg.sources.places.google_location import FORMAT as TAKEOUT
from reqap_kg.sources.places.google_timeline import FORMAT as PHONE

BERLIN, POTSDAM = (52.52, 13.405), (52.3989, 13.0657)


def record(minute: int, at: tuple[float, float] = BERLIN, **keys: Any) -> dict[str, Any]:
    """A position of Records.json, so many minutes after 08:00 UTC."""
    row = {"latitudeE7": round(at[0] * 1e7), "longitudeE7": round(at[1] * 1e7), "accuracy": 20}
    return row | {"timestamp": f"2023-06-01T{8 + minute // 60:02d}:{minute % 60:02d}:00Z"} | keys


def records(*rows: dict[str, Any]) -> str:
    return json.dumps({"locations": rows})


def a_morning() -> list[dict[str, Any]]:
    """An hour in Berlin, an hour on the way, an hour in Potsdam."""
    way = [(52.52 - 0.1211 * step / 11, 13.405 - 0.3393 * step / 11) for step in range(1, 11)]
    here = [record(minute) for minute in range(0, 61, 5)]
    there = [record(minute, POTSDAM) for minute in range(120, 181, 5)]
    return here + [record(65 + 5 * step, at) for step, at in enumerate(way)] + there


def told(kind: str, **keys: Any) -> dict[str, Any]:
    times = {"startTimestamp": "2023-06-01T08:00:00.5Z", "endTimestamp": "2023-06-01T09:00:00.5Z"}
    return {kind: {"duration": times} | keys}


def e7(at: tuple[float, float], **keys: Any) -> dict[str, Any]:
    return {"latitudeE7": round(at[0] * 1e7), "longitudeE7": round(at[1] * 1e7)} | keys


def segment(**keys: Any) -> dict[str, Any]:
    return {"startTime": "2023-06-01T10:00:00.000+02:00", "endTime": "2023-06-01T11:00:00.000+02:00"} | keys


def test_the_shapes_are_told_by_their_content(make_file: Any) -> None:
    old = records({"timestampMs": "1437263846012", "latitudeE7": 376955289, "longitudeE7": -1219287261})
    for text, form in (
        (records(record(0)), TAKEOUT),
        (old, TAKEOUT),
        (json.dumps({"timelineObjects": []}), TAKEOUT),
        (json.dumps({"semanticSegments": [segment()]}), PHONE),
        (json.dumps([segment(visit={"hierarchyLevel": "0"})]), PHONE),
    ):
        assert detect(make_file(text)) is form
    assert TAKEOUT.recognise(make_file('{"locations": ["Berlin"]}')) == 0.0


def test_positions_become_visits_and_the_trip_between_them(mapped: Any) -> None:
    by_kind = mapped(TAKEOUT, records(*a_morning()), zone="America/New_York").events.values()
    first, trip, second = sorted(by_kind, key=lambda event: event["ev:start"])
    assert (first["a"], first["ev:city"], first["ev:country"]) == (["ev:Visit"], ["Berlin"], ["Germany"])
    assert first["ev:start"] == ["2023-06-01T10:00:00"], "the clock of the place, not of home"
    assert first["ev:startInstant"] == ["2023-06-01T08:00:00Z"]
    assert first["ev:duration"] == ["3600"]
    assert (first["ev:basis"], trip["ev:basis"]) == (["derived"], ["derived"])
    assert first["key:positions"] == ["13"]
    assert (trip["a"], trip["ev:origin"], trip["ev:destination"]) == (["ev:Trip"], ["Berlin"], ["Potsdam"])
    assert 26 < float(trip["ev:distance"][0]) < 28
    assert (second["ev:city"], second["rdfs:label"]) == (["Potsdam"], ["Potsdam"])


def test_the_newest_first_is_the_same_as_the_oldest_first(read: Any) -> None:
    rows = a_morning()
    one, two = (read(TAKEOUT, records(*given)).records for given in (rows, rows[::-1]))
    key = [{name: row.get(name) for name in ("_kind", "_start", "_end", "_city", "_origin", "_metres")} for row in one]
    assert key == [
        {name: row.get(name) for name in ("_kind", "_start", "_end", "_city", "_origin", "_metres")}
        for row in sorted(two, key=lambda row: row["_start"])
    ]


def test_a_newer_export_keeps_the_ids_of_older_visits(read: Any) -> None:
    old = read(TAKEOUT, records(*a_morning())).records
    more = [record(minute) for minute in range(240, 301, 5)]
    new = read(TAKEOUT, records(*a_morning(), *more)).records
    assert {row["_id"] for row in old} < {row["_id"] for row in new}


def test_one_far_position_does_not_end_a_visit(read: Any) -> None:
    rows = a_morning()[:13]
    rows[6] = record(30, (52.60, 13.9))
    assert [row["_kind"] for row in read(TAKEOUT, records(*rows)).records] == ["visit"]


def test_a_day_without_positions_is_no_visit(read: Any) -> None:
    late = [row | {"timestamp": row["timestamp"].replace("06-01", "06-04")} for row in a_morning()[:13]]
    found = read(TAKEOUT, records(*a_morning()[:13], *late)).records
    assert [row["_start"][:10] for row in found] == ["2023-06-01", "2023-06-04"]


def test_positions_that_cannot_be_used_are_counted(read: Any) -> None:
    rows = [
        *a_morning(),
        record(200, accuracy=900),
        record(201, (0.0, 0.0)),
        {"latitudeE7": 1},
        record(202, latitudeE7=1e30),
    ]
    outcome = read(TAKEOUT, records(*rows, record(203, timestamp=None)))
    assert len(outcome.records) == 3
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [
        ("a position that is exact to more than 200 m, not used", 1),
        ("no position on Earth", 2),
        ("a position without a time", 2),
    ]


def test_moving_about_all_the_time_is_said(read: Any) -> None:
    rows = [record(minute, (52.0 + minute / 100, 13.0)) for minute in range(30)]
    outcome = read(TAKEOUT, records(*rows))
    assert (outcome.records, outcome.bad[0].count) == ([], 30)
    with pytest.raises(SourceError, match="no positions"):
        read(TAKEOUT, '{"locations": [], "latitudeE7": 1, "timestamp": 1}')


def test_the_semantic_history_is_told(mapped: Any) -> None:
    place = told("placeVisit", location=e7(BERLIN, name="Rewe", address="Bergstr. 1", placeId="x"), childVisits=[{}])
    way = told(
        "activitySegment", startLocation=e7(BERLIN), endLocation=e7(POTSDAM), distance=30_500, activityType="IN_TRAIN"
    )
    found = mapped(TAKEOUT, json.dumps({"timelineObjects": [place, way]}))
    by = found.by("a")
    visit, trip = by["ev:Visit"], by["ev:Trip"]
    assert (visit["ev:placeName"], visit["rdfs:label"]) == (["Rewe"], ["Rewe, Berlin"])
    assert (visit["ev:basis"], visit["key:address"]) == (["recorded"], ["Bergstr. 1"])
    assert (trip["ev:travelMode"], trip["ev:distance"]) == (["train"], ["30.5"])
    assert [bad.reason for bad in found.bad] == ["a place inside the place of another visit"]


def test_where_both_are_there_only_what_is_told_is_read(make_file: Any) -> None:
    from zoneinfo import ZoneInfo

    from reqap_kg.sources.base import BadRecord, ReadContext

    context = ReadContext(ZoneInfo("UTC"), "2025-11-01T12:00:00")
    assert TAKEOUT.survey is not None
    for text in (json.dumps({"timelineObjects": []}), records(record(0))):
        TAKEOUT.survey(make_file(text), context)
    [bad] = TAKEOUT.read(make_file(records(*a_morning())), context)
    assert isinstance(bad, BadRecord)
    assert "tell the same" in bad.reason


def test_android_and_ios_tell_the_same(read: Any) -> None:
    android = [
        segment(
            visit={
                "topCandidate": {
                    "placeId": "x",
                    "semanticType": "HOME",
                    "placeLocation": {"latLng": "52.52°, 13.405°"},
                }
            }
        ),
        segment(activity={
            "start": {"latLng": "52.52°, 13.405°"}, "end": {"latLng": "52.3989°, 13.0657°"}, "distanceMeters": 30000.0,
            "topCandidate": {"type": "IN_PASSENGER_VEHICLE"},
        }),
        segment(timelinePath=[{"point": "52.52°, 13.405°"}]),
    ]  # fmt: skip
    ios = [
        segment(
            visit={
                "hierarchyLevel": "0",
                "topCandidate": {"placeID": "x", "semanticType": "Home", "placeLocation": "geo:52.520000,13.405000"},
            }
        ),
        segment(activity={
            "start": "geo:52.52,13.405", "end": "geo:52.3989,13.0657", "distanceMeters": "30000.000000",
            "topCandidate": {"type": "in passenger vehicle"},
        }),
    ]  # fmt: skip
    one, two = read(PHONE, json.dumps({"semanticSegments": android})), read(PHONE, json.dumps(ios))
    for outcome in (one, two):
        visit, trip = outcome.records
        assert (visit["_place"], visit["_city"], visit["_start"]) == ("Home", "Berlin", "2023-06-01T10:00:00")
        assert (trip["_mode"], trip["_metres"], trip["_label"]) == ("driving", 30000, "Berlin → Potsdam")
    assert [row["_id"] for row in one.records] == [row["_id"] for row in two.records]
    assert one.reasons == ["points of a way: the visits and trips are read"]


def test_where_no_town_is_near_the_stated_offset_counts(read: Any) -> None:
    sea = segment(
        visit={"topCandidate": {"placeLocation": {"latLng": "40.0°, -40.0°"}}}, startTimeTimezoneUtcOffsetMinutes=-180
    )
    [visit] = read(PHONE, json.dumps({"semanticSegments": [sea]})).records
    assert (visit["_start"], visit["_city"]) == ("2023-06-01T05:00:00", None)


HOSTILE: list[Any] = [None, True, 1e308, 10**400, -1, "x\0y", [[]], {"a": {}}, "NaN", ""]


@pytest.mark.parametrize("value", HOSTILE, ids=str)
def test_any_value_may_stand_under_any_key(read: Any, value: Any) -> None:
    def spoiled(row: Any) -> list[Any]:
        """The row with the value at each of its places, in turn."""
        if not isinstance(row, dict):
            return [value]
        return [value, *({**row, key: bad} for key, held in row.items() for bad in spoiled(held))]

    rows = [
        told("placeVisit", location=e7(BERLIN, name="a")),
        told("activitySegment", startLocation=e7(BERLIN), distance=1),
    ]
    text = json.dumps({"timelineObjects": [bad for row in rows for bad in spoiled(row)]})
    read(TAKEOUT, text)
    read(TAKEOUT, json.dumps({"locations": [record(0), *spoiled(record(0))]}))
    visit = segment(visit={"hierarchyLevel": 0, "topCandidate": {"placeLocation": {"latLng": "52.52°, 13.405°"}}})
    way = segment(activity={"start": {"latLng": "1°, 1°"}, "distanceMeters": 1, "topCandidate": {"type": "X"}})
    found = read(PHONE, json.dumps({"semanticSegments": [bad for row in (visit, way) for bad in spoiled(row)]}))
    assert all(record["_start"] for record in found.records)


@pytest.mark.parametrize("form", [TAKEOUT, PHONE], ids=lambda form: form.name)
def test_a_cut_file_says_so(read: Any, form: Any) -> None:
    rows = {"locations": a_morning()} if form is TAKEOUT else {"semanticSegments": [segment(visit={"a": 1})] * 9}
    text = json.dumps(rows)
    with pytest.raises(SourceError, match="cut off"):
        read(form, text[: len(text) // 2])
