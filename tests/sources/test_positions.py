"""Positions of OwnTracks and of CSV, check-ins of Swarm, and the stay points that positions become."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.sources.detect import detect
from reqap_kg.sources.json.jsonmembers import json_member_elements
from reqap_kg.sources.places.owntracks import FORMAT as OWNTRACKS
from reqap_kg.sources.places.positions_csv import FORMAT as TABLE
from reqap_kg.sources.places.stay_points import Point, Stay, Trip, stays_and_trips
from reqap_kg.sources.places.swarm import FORMAT as SWARM
from reqap_kg.texts.lexicon.nearest_town import kilometres, town_at

START = 1_685_606_400  # 2023-06-01 08:00 UTC


def location(minute: int, lat: float = 52.52, lon: float = 13.405, **keys: Any) -> dict[str, Any]:
    return {"_type": "location", "tst": START + 60 * minute, "lat": lat, "lon": lon, "acc": 9} | keys


HOUR = [location(minute, inregions=["Office"]) for minute in range(0, 60, 5)]


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    "text",
    [
        lines(*HOUR),
        json.dumps(HOUR),
        json.dumps({"count": 12, "data": HOUR}),
        "".join(f"2023-06-01T08:00:00Z\t*                 \t{json.dumps(row)}\n" for row in HOUR),
    ],
    ids=["lines", "array", "answer", "rec"],
)
def test_owntracks_in_all_its_spellings(make_file: Any, mapped: Any, text: str) -> None:
    assert detect(make_file(text)) is OWNTRACKS
    visit = mapped(OWNTRACKS, text).only
    assert (visit["a"], visit["ev:placeName"], visit["ev:city"]) == (["ev:Visit"], ["Office"], ["Berlin"])
    assert visit["rdfs:label"] == ["Office, Berlin"]


def test_other_messages_of_owntracks_are_counted(read: Any) -> None:
    outcome = read(OWNTRACKS, lines(location(0), {"_type": "lwt", "tst": 1}, *HOUR[1:], "x", location(70, acc=4000)))
    assert len(outcome.records) == 1
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [
        ("a message of OwnTracks that is no position", 2),
        ("a position that is exact to more than 200 m, not used", 1),
    ]


@pytest.mark.parametrize(
    "header", ["time,lat,lon,accuracy", "Timestamp;Latitude;Longitude", "timestamp,latitudeE7,longitudeE7,accuracy"]
)
def test_positions_of_a_table(make_file: Any, read: Any, header: str) -> None:
    sign = ";" if ";" in header else ","
    by = 1e7 if "E7" in header else 1
    north, east = (f"{value * by:.10g}" for value in (52.52, 13.405))
    if sign == ";":
        north, east = north.replace(".", ","), east.replace(".", ",")
    rows = [
        sign.join((f"2023-06-01T08:{minute:02d}:00Z", north, east, "8")[: header.count(sign) + 1])
        for minute in range(0, 60, 5)
    ]
    text = "\n".join([header, *rows, sign.join(("never", north, east, "8")[: header.count(sign) + 1])])
    assert detect(make_file(text)) is TABLE
    outcome = read(TABLE, text)
    assert (outcome.only["_city"], outcome.only["_seconds"]) == ("Berlin", 3300.0)
    assert outcome.reasons == ["a position without a time"]


def check_in(**keys: Any) -> dict[str, Any]:
    venue = {"id": "v", "name": "Café Kranz", "url": "https://x.test/v", "categories": [{"name": "Café"}]}
    row = {"id": "c1", "createdAt": "2023-06-01 08:00:00.000000", "type": "checkin", "timeZoneOffset": 120}
    return row | {"venue": venue, "lat": 52.52, "lng": 13.405, "shout": "cake"} | keys


def test_a_check_in(make_file: Any, mapped: Any) -> None:
    text = json.dumps({"items": [check_in()]})
    assert detect(make_file(text)) is SWARM
    event = mapped(SWARM, text).only
    assert (event["a"], event["ev:placeName"], event["ev:placeKind"]) == (["ev:CheckIn"], ["Café Kranz"], ["Café"])
    assert (event["ev:start"], event["ev:startInstant"]) == (["2023-06-01T10:00:00"], ["2023-06-01T08:00:00Z"])
    assert (event["ev:city"], event["ev:text"], event["ev:sourceId"]) == (["Berlin"], ["cake"], ["c1"])
    assert "ev:end" not in event


def test_check_ins_as_the_interface_answers_them(read: Any) -> None:
    place = {"lat": 48.2, "lng": 16.37, "city": "Wien", "country": "Austria", "address": "Am Hof"}
    row = check_in(createdAt=START, venue={"name": "A", "location": place}, **{"with": [{"firstName": "Bo"}]})
    row.pop("lat")
    record = read(SWARM, json.dumps([row])).only
    assert (record["_city"], record["_with"], record["_start"]) == ("Wien", ["Bo"], "2023-06-01T10:00:00")


def test_check_ins_that_are_none(read: Any) -> None:
    rows = [check_in(createdAt="soon"), check_in(venue=None), check_in(), check_in(), 7]
    outcome = read(SWARM, json.dumps({"items": rows, "more": [1]}))
    assert len(outcome.records) == 1
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [
        ("a check-in without a time", 2),
        ("a check-in without a place", 1),
        ("the same check-in again", 1),
    ]


@pytest.mark.parametrize("value", [None, True, 1e308, 10**400, "x\0", [[]], {"a": {}}, [{"name": 3}]], ids=str)
def test_any_value_may_stand_under_any_key(read: Any, value: Any) -> None:
    rows = [check_in(**{key: value}) for key in check_in()] + [check_in(venue={"name": "a", "location": value})]
    read(SWARM, json.dumps({"items": [*rows, check_in(venue={"name": "b", "categories": value, "url": value})]}))
    read(OWNTRACKS, lines(location(0), *(location(0, **{key: value}) for key in (*location(0), "inregions", "poi"))))


moves = st.lists(st.tuples(st.integers(1, 4000), st.integers(-9, 9), st.integers(-9, 9)), max_size=120)


@settings(max_examples=60)
@given(moves)
def test_stays_are_long_near_and_in_order(steps: list[tuple[int, int, int]]) -> None:
    """What the algorithm promises of any way: stays of 20 minutes within 200 m of their first position, one after the
    other, and trips exactly between them."""
    at, north, east = 0.0, 52.0, 13.0
    points = [Point(at, north, east)]
    for seconds, up, right in steps:
        at, north, east = at + seconds, north + up / 4000, east + right / 4000
        points.append(Point(at, north, east))
    found = list(stays_and_trips(points))
    stays = [one for one in found if isinstance(one, Stay)]
    assert all(stay.end - stay.start >= 1200 for stay in stays)
    assert all(one.end <= two.start for one, two in pairwise(stays))
    for stay in stays:
        inside = [point for point in points if stay.start <= point.at <= stay.end]
        assert min(kilometres(p.latitude, p.longitude, stay.latitude, stay.longitude) for p in inside) <= 0.4
    for trip in (one for one in found if isinstance(one, Trip)):
        assert (trip.start, trip.end) == (trip.origin.end, trip.destination.start)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ((52.4997, 13.4034), "Berlin"),  # Kreuzberg
        ((52.3989, 13.0657), "Potsdam"),
        ((40.7282, -74.0776), "Jersey City"),
        ((53.3331, -6.2489), "Dublin"),
        ((-16.5, 179.99), None),
        ((0.0, -30.0), None),
        ((float("nan"), 1.0), None),
        ((91.0, 1.0), None),
    ],
)
def test_the_town_of_a_position(where: tuple[float, float], name: str | None) -> None:
    town = town_at(*where)
    assert (town.name if town else None) == name


@pytest.mark.parametrize("text", ['{"x": {"items": [9]}, "items": [1, {"a": "]}"}, bad], "y": [2], "items": [3]}'])
def test_members_of_an_object_are_streamed(make_file: Any, text: str) -> None:
    from reqap_kg.config import Limits
    from reqap_kg.sources.base import BadRecord

    found = [one for _, one in json_member_elements(make_file(text), Limits(), ("items",))]
    values = [one.where if isinstance(one, BadRecord) else one.value for one in found]
    assert values == [1, {"a": "]}"}, "items 3", 3]
