"""Fitbit's archive: exercise, sleep, weight, and series that become days."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.errors import SourceError
from reqap_kg.sources.moving.fitbit import FORMAT
from reqap_kg.store.generations import open_graph

EXERCISE = {
    "logId": 40,
    "activityName": "Bike",
    "calories": 320,
    "averageHeartRate": 131,
    "duration": 3_900_000,
    "activeDuration": 3_600_000,
    "steps": 12,
    "distance": 10.0,
    "distanceUnit": "Mile",
    "source": {"type": "tracker", "name": "Band 4"},
    "heartRateZones": [{"name": "Peak", "minutes": 3}],
    "startTime": "07/05/24 17:23:11",
}
SLEEP = {
    "logId": 41,
    "dateOfSleep": "2024-07-06",
    "startTime": "2024-07-05T23:10:30.000",
    "endTime": "2024-07-06T06:40:30.000",
    "duration": 27_000_000,
    "minutesAsleep": 400,
    "minutesAwake": 50,
    "timeInBed": 450,
    "efficiency": 93,
    "mainSleep": True,
    "levels": {"summary": {stage: {"minutes": n} for stage, n in (("deep", 80), ("light", 220), ("rem", 100))}},
}
WEIGHT = {"logId": 42, "weight": 176.4, "bmi": 24.7, "date": "07/05/24", "time": "07:30:00", "source": "API"}


def series(*pairs: tuple[str, Any]) -> str:
    return json.dumps([{"dateTime": time, "value": value} for time, value in pairs])


def test_files_are_told_by_their_keys(make_file: Any) -> None:
    for content in (json.dumps([EXERCISE]), json.dumps([SLEEP]), json.dumps([WEIGHT])):
        assert FORMAT.recognise(make_file(content)) == 1.0
    assert FORMAT.recognise(make_file(series(("07/05/24 08:00:00", "5")))) == 0.9
    for other in (series(("2024-07-05", "5")), '[{"dateTime": 1, "value": 2}]', "[]", "{}", ""):
        assert FORMAT.recognise(make_file(other)) == 0.0


def test_exercise_is_in_utc(mapped: Any) -> None:
    event = mapped(FORMAT, json.dumps([EXERCISE])).only
    assert (event["a"], event["ev:workoutType"]) == (["ev:Workout"], ["cycling"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T18:23:11"], ["2024-07-05T19:28:11"])
    assert float(event["ev:distance"][0]) == pytest.approx(16.09344)
    assert (event["ev:duration"], event["ev:energy"], event["ev:device"]) == (["3600"], ["320"], ["Band 4"])
    assert (event["ev:timeCertainty"], event["key:steps"], event["ev:sourceId"]) == (
        ["assumed"],
        ["12"],
        ["workout-40"],
    )


def test_sleep_is_local_and_lasts_as_long_as_the_sleeper_slept(mapped: Any) -> None:
    event = mapped(FORMAT, json.dumps([SLEEP])).only
    assert event["a"] == ["ev:Sleep"]
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T23:10:30"], ["2024-07-06T06:40:30"])
    assert (event["ev:duration"], event["ev:timeInBed"], event["ev:awakeTime"]) == (["24000"], ["27000"], ["3000"])
    assert [event[f"ev:{name}Sleep"] for name in ("deep", "light", "rem")] == [["4800"], ["13200"], ["6000"]]
    assert (event["ev:sleepEfficiency"], event["rdfs:label"]) == (["93"], ["sleep 2024-07-06"])


def test_the_body_mass_index_tells_the_unit_of_a_weight(mapped: Any, read: Any) -> None:
    event = mapped(FORMAT, json.dumps([WEIGHT])).only
    assert (event["a"], event["ev:bodyWeight"]) == (["ev:WeightMeasurement"], ["80.01"])
    assert event["ev:start"] == ["2024-07-05T07:30:00"]
    assert read(FORMAT, json.dumps([WEIGHT | {"weight": 80, "bmi": 24.7}])).only["_kg"] == 80
    untold = read(FORMAT, json.dumps([WEIGHT | {"weight": 80, "bmi": 0}]))
    assert (untold.only["_kg"], [bad.key for bad in untold.bad]) == (80, ["weight"])


def test_minutes_in_utc_become_days_at_home(mapped: Any) -> None:
    text = series(("07/05/24 10:00:00", "100"), ("07/05/24 23:30:00", "40"), ("07/06/24 09:00:00", "7"))
    days = mapped(FORMAT, text, path="x/steps-2024-07-05.json").by("ev:start")
    assert {start: day["ev:steps"] for start, day in days.items()} == {
        "2024-07-05T00:00:00": ["100"],
        "2024-07-06T00:00:00": ["47"],
    }
    day = days["2024-07-05T00:00:00"]
    assert (day["a"], day["ev:day"], day["ev:timePrecision"]) == (["ev:DailyActivity"], ["2024-07-05"], ["day"])
    assert mapped(FORMAT, series(("07/05/24 23:30:00", "1.5")), path="calories-2024-07-05.json").only["ev:day"] == [
        "2024-07-05"
    ], "calories are local"
    assert mapped(FORMAT, text, path="distance-2024-07-05.json").by("ev:day")["2024-07-06"]["ev:dayDistance"] == [
        "0.0005"
    ]


def test_resting_heart_rate_and_what_is_not_read(read: Any) -> None:
    text = series(
        ("07/05/24 00:00:00", {"date": "07/05/24", "value": 57.64, "error": 5}),
        ("07/06/24 00:00:00", {"date": None, "value": 0.0, "error": 0}),
    )
    outcome = read(FORMAT, text, path="resting_heart_rate-2024-07-05.json")
    assert (outcome.only["_bpmResting"], outcome.reasons) == (57.6, ["no value for the day"])
    assert read(FORMAT, text, path="altitude-2024-07-05.json").reasons == ["the series altitude is not read"]
    assert "tells no measure" in read(FORMAT, text, path="a.json").reasons[0]


def test_hostile_values_have_reasons(read: Any) -> None:
    rows = [
        EXERCISE | {"startTime": ["x"]},
        EXERCISE | {"logId": {"a": 1}, "duration": "1e999", "distance": "\0", "distanceUnit": 5, "source": [1]},
        5,
        EXERCISE,
        EXERCISE,
    ]
    outcome = read(FORMAT, json.dumps(rows))
    assert [record["_id"][:8] for record in outcome.records] == ["workout-", "workout-"]
    assert outcome.reasons == ["startTime is no date-time: ['x']", "not an object", "the same entry once more"]
    assert read(
        FORMAT, json.dumps([SLEEP | {"startTime": "x"}, SLEEP | {"levels": [1], "endTime": "2024-07-06T01:00Z"}])
    ).only
    bad = read(FORMAT, series(("07/05/24 08:00:00", "5"), ("13/45/24 08:00:00", "5"), ("07/05/24 08:00:00", "-5")),
               path="steps-2024-07-05.json")  # fmt: skip
    assert (bad.only["_steps"], bad.reasons) == (5, ["dateTime is no date-time", "value is no number"])
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, series(("07/05/24 08:00:00", "5"))[:-3], path="steps-2024-07-05.json")


def test_a_day_in_two_files_is_one_event_with_its_whole_sum(tmp_path: Path) -> None:
    folder = tmp_path / "Global Export Data"
    folder.mkdir()
    one, two = ("07/05/24 10:00:00", "100"), ("07/05/24 11:00:00", "50")
    (folder / "steps-2024-06-06.json").write_text(series(one))
    (folder / "steps-2024-07-05.json").write_text(series(two, ("07/06/24 10:00:00", "9")))
    (folder / "steps-2024-07-05-copy.json").write_text(series(two, ("07/06/24 10:00:00", "9")))
    (folder / "distance-2024-07-05.json").write_text(series(("07/05/24 10:00:00", "250000")))
    report = ingest(
        [folder], tmp_path / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), datetime(2025, 3, 1))
    )
    assert {source.name: source.events for source in report.sources} == {"fitbit": 2}
    with open_graph(tmp_path / "store") as graph:
        query = "SELECT ?s ?k { ?e ev:steps ?s ; ev:start ?t OPTIONAL { ?e ev:dayDistance ?k } } ORDER BY ?t"
        rows = [[cell.value if cell else None for cell in row] for row in graph.select(query)]
    assert rows == [["150", "2.5"], ["9", None]]
