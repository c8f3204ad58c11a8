"""Garmin Connect's list of activities, and what it leaves untold: units, marks, zones."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.sources.moving.garmin import FORMAT

HEADER = "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR,Max HR,Avg Run Cadence,Avg Stride Length,Total Ascent,Moving Time,Elapsed Time\n"  # noqa: E501
RUN = 'Running,2024-10-12 07:01:22,false,"Down, and back","5.00","1,012","00:30:00","148","163","160","1.04","200","00:30:00","00:32:00"\n'  # noqa: E501
SWIM = 'Pool Swim,2024-10-13 07:00:00,false,Pool,"1,500",300,"00:40:00","--","--","--","--","--","--","--"\n'
GERMAN = (
    "Aktivitätstyp,Datum,Favorit,Titel,Distanz,Kalorien,Zeit,Ø Herzfrequenz,Maximale Herzfrequenz,Anstieg gesamt\n"
    'Radfahren,2024-10-12 07:01:22,false,Runde,"25,50","1.012",01:00:00,120,150,"1.200"\n'
)


def test_the_list_is_told_from_others(make_file: Any) -> None:
    assert FORMAT.recognise(make_file(HEADER + RUN)) == 0.9
    assert FORMAT.recognise(make_file(GERMAN)) == 0.9
    assert FORMAT.recognise(make_file("Date,Time,Title,Distance,Calories\n")) == 0.0


def test_a_run_with_local_times(mapped: Any) -> None:
    event = mapped(FORMAT, HEADER + RUN).only
    assert (event["a"], event["ev:workoutType"]) == (["ev:Workout"], ["running"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-10-12T07:01:22"], ["2024-10-12T07:33:22"])
    assert "ev:startInstant" not in event
    assert event["ev:timeCertainty"] == ["assumed"]
    assert (event["ev:distance"], event["ev:energy"], event["ev:duration"]) == (["5"], ["1012"], ["1800"])
    assert (event["ev:averageHeartRate"], event["ev:maximumHeartRate"]) == (["148"], ["163"])
    assert (event["ev:averageSpeed"], event["ev:elevationGain"]) == (["10"], ["200"])
    assert (event["rdfs:label"], event["key:Favorite"]) == (["Down, and back"], ["false"])


def test_steps_tell_miles_from_kilometres(read: Any) -> None:
    kilometres = read(FORMAT, HEADER + RUN + SWIM)
    assert [record["_km"] for record in kilometres.records] == [5.0, 1.5]
    assert kilometres.bad == [], "the unit is known"
    miles = read(FORMAT, HEADER + RUN.replace('"5.00"', '"3.10"') + SWIM).records
    assert miles[0]["_km"] == pytest.approx(3.1 * 1.609344)
    assert miles[0]["_climb"] == pytest.approx(60.96)
    assert miles[1]["_km"] == pytest.approx(1500 * 0.0009144)
    centimetres = read(FORMAT, HEADER + RUN.replace('"1.04"', '"104"'))
    assert (centimetres.only["_km"], centimetres.bad) == (5.0, [])


def test_other_languages_and_marks(read: Any) -> None:
    outcome = read(FORMAT, GERMAN)
    record = outcome.only
    assert (record["_sport"], record["_km"], record["_kcal"], record["_climb"]) == ("cycling", 25.5, 1012.0, 1200.0)
    assert [(bad.key, bad.count) for bad in outcome.bad] == [("Distance", 1)], "nothing shows the unit"
    english = GERMAN.replace('"25,50"', '"25.50"').replace('"1.012"', '"1,012"').replace('"1.200"', '"1,200"')
    assert read(FORMAT, english).only["_km"] == 25.5


def test_bad_rows_and_rows_twice(read: Any) -> None:
    rows = [RUN, RUN, RUN.replace("2024-10-12 07:01:22", "7/4/2020 15:36"), RUN.replace("Running", "", 1)]
    outcome = read(FORMAT, HEADER + "".join(rows))
    assert len(outcome.records) == 1
    assert sorted(outcome.reasons) == [
        "no type of activity",
        "the date is no local date-time: '7/4/2020 15:36'",
        "the same activity once more",
    ]


def test_ids_stay_when_a_title_changes(read: Any) -> None:
    assert read(FORMAT, HEADER + RUN).only["_id"] == read(FORMAT, HEADER + RUN.replace("Down", "Up")).only["_id"]
