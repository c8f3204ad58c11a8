"""Google Fit: sessions, days, and the files that tell the same again."""

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
from reqap_kg.sources.moving import tcx
from reqap_kg.sources.moving.google_fit import FORMAT

RUN = {
    "fitnessActivity": "running",
    "startTime": "2024-07-05T06:00:00.500Z",
    "endTime": "2024-07-05T06:30:00Z",
    "duration": "1799.5s",
    "segment": [{"fitnessActivity": "running", "startTime": "2024-07-05T06:00:00.500Z"}],
    "aggregate": [
        {"metricName": "com.google.distance.delta", "floatValue": 5000.0},
        {"metricName": "com.google.calories.expended", "floatValue": 320.5},
        {"metricName": "com.google.step_count.delta", "intValue": 5200},
    ],
}
NIGHT = {
    "fitnessActivity": "sleep",
    "startTime": "2024-07-05T23:00:00+02:00",
    "endTime": "2024-07-06T07:00:00+02:00",
    "segment": [
        {"fitnessActivity": "sleep.deep", "startTime": "2024-07-05T21:00:00Z", "endTime": "2024-07-05T22:00:00Z"},
        {"fitnessActivity": "sleep.awake", "startTime": "2024-07-05T22:00:00Z", "endTime": "2024-07-05T22:30:00Z"},
    ],
}
DAILY = (
    "Date,Move Minutes count,Calories (kcal),Distance (m),Average heart rate (bpm),Step count,Average weight (kg)\n"
    "2024-07-05,40,2000.5,5000.2,71,10468,79.64\n"
    "2024-07-06,,,,,,\n"
    "2024-07-06,,,,,0,\n"
)
QUARTERS = (
    "Start time,End time,Move Minutes count,Step count\n"
    "07:15:00.000+05:30,07:30:00.000+05:30,5,400\n07:30:00.000+05:30,07:45:00.000+05:30,5,600\n"
)
TCX = (
    '<?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>{0}</Id>'
    '<Lap StartTime="{0}"><Track>'
    "<Trackpoint><DistanceMeters>0</DistanceMeters><Time>{0}</Time></Trackpoint></Track><DistanceMeters>4990"
    "</DistanceMeters><TotalTimeSeconds>1800</TotalTimeSeconds></Lap></Activity></Activities><Author>"
    "<Name>Google Fit</Name></Author></TrainingCenterDatabase>"
)


def test_files_are_told_by_what_they_hold(make_file: Any) -> None:
    google = TCX.format("2024-07-05T06:00:00Z")
    for content in (json.dumps(RUN), DAILY, QUARTERS, google):
        assert FORMAT.recognise(make_file(content)) == 1.0
    for other in (google.replace("Google Fit", "Other"), "Date,Step count\n", json.dumps([RUN]), "{}", ""):
        assert FORMAT.recognise(make_file(other)) == 0.0
    assert tcx.FORMAT.recognise(make_file(google.replace("Google Fit", "Other"))) == 1.0


def test_a_session_is_a_workout(mapped: Any) -> None:
    event = mapped(FORMAT, json.dumps(RUN)).only
    assert (event["a"], event["ev:workoutType"]) == (["ev:Workout"], ["running"])
    assert (event["ev:start"], event["ev:duration"]) == (["2024-07-05T07:00:00.5"], ["1799.5"])
    assert (event["ev:distance"], event["ev:energy"], event["key:steps"]) == (["5"], ["320.5"], ["5200"])


def test_a_night_has_the_offset_of_its_place(mapped: Any) -> None:
    event = mapped(FORMAT, json.dumps(NIGHT)).only
    assert event["a"] == ["ev:Sleep"]
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T23:00:00"], ["2024-07-06T07:00:00"])
    assert (event["ev:duration"], event["ev:awakeTime"], event["ev:deepSleep"]) == (["27000"], ["1800"], ["3600"])


def test_days_and_what_was_weighed(mapped: Any, read: Any) -> None:
    found = mapped(FORMAT, DAILY).by("a")
    day = found["ev:DailyActivity"]
    assert (day["ev:day"], day["ev:steps"], day["ev:dayDistance"]) == (["2024-07-05"], ["10468"], ["5.0002"])
    assert (day["ev:dayEnergy"], day["ev:activeTime"], day["ev:dayHeartRate"]) == (["2000.5"], ["2400"], ["71"])
    assert found["ev:WeightMeasurement"]["ev:bodyWeight"] == ["79.64"]
    assert read(FORMAT, DAILY).reasons == ["nothing was measured on the day", "the same day once more"]


def test_quarters_need_the_name_of_their_day(read: Any) -> None:
    record = read(FORMAT, QUARTERS, path="x/2024-07-07.csv").only
    assert (record["_id"], record["_steps"], record["_activeSeconds"]) == ("day-2024-07-07", 1000, 600)
    assert read(FORMAT, QUARTERS, path="x/y.csv").reasons == [
        "quarters of an hour: only the name of a file tells its day"
    ]


def test_hostile_values_have_reasons(read: Any) -> None:
    for changed in ({"startTime": 5}, {"startTime": "x" * 99}, {"fitnessActivity": "in_vehicle"}):
        assert len(read(FORMAT, json.dumps(RUN | changed)).reasons) == 1
    odd = {"endTime": [1], "duration": {"a": 1}, "segment": 5, "aggregate": [1, {"metricName": [], "floatValue": "\0"}]}
    assert "_km" not in read(FORMAT, json.dumps(RUN | odd)).only
    assert read(FORMAT, json.dumps(NIGHT | odd)).only["_kind"] == "sleep"
    with pytest.raises(SourceError):
        read(FORMAT, json.dumps(RUN)[:-5])
    assert "no day" in read(FORMAT, DAILY + "2024-13-45,1,1,1,1,1,1\n").reasons[0]


def test_what_two_files_tell_is_one_event(tmp_path: Path) -> None:
    files = {
        "All Sessions/a.json": json.dumps(RUN),
        "All Sessions/b.json": json.dumps(NIGHT),
        "Activities/a.tcx": TCX.format("2024-07-05T06:00:00.500Z"),
        "Activities/c.tcx": TCX.format("2024-07-09T06:00:00Z"),
        "Daily/Daily activity metrics.csv": DAILY,
        "Daily/2024-07-05.csv": QUARTERS,
        "Daily/2024-07-07.csv": QUARTERS,
    }
    for name, content in files.items():
        place = tmp_path / "Fit" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    options = IngestOptions(Settings(home_zone="Europe/Oslo"), datetime(2025, 3, 1))
    (source,) = ingest([tmp_path / "Fit"], tmp_path / "store", options).sources
    assert (source.name, source.events) == ("google-fit", 6), "two workouts, a night, two days, a weight"
    assert {bad.reason for bad in source.skipped} >= {
        "a session of the same export tells it",
        "quarters of an hour of a day that the summary of the export has",
    }
