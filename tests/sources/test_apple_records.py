"""Apple Health's steps, heart rates, sleep and weights: what is added up, and of which source."""

from __future__ import annotations

import tracemalloc
from typing import Any

from reqap_kg.sources.moving.apple_health import FORMAT

DAY = "2024-07-05"


def export(*children: str) -> str:
    return '<HealthData><ExportDate value="2024-08-01 10:00:00 +0100"/>' + "\n".join(children) + "</HealthData>"


def record(kind: str, start: str, end: str, value: object, unit: str = "count", source: str = "Watch") -> str:
    name = ("Category" if kind == "SleepAnalysis" else "Quantity") + f"TypeIdentifier{kind}"
    times = f'startDate="{start} +0100" endDate="{end} +0100"'
    return f'<Record type="HK{name}" sourceName="{source}" unit="{unit}" {times} value="{value}"/>'


def steps(hour: int, count: object, source: str = "Watch", minutes: int = 10) -> str:
    return record("StepCount", f"{DAY} {hour:02d}:00:00", f"{DAY} {hour:02d}:{minutes}:00", count, source=source)


def stage(name: str, start: str, end: str, source: str = "Watch") -> str:
    return record("SleepAnalysis", start, end, f"HKCategoryValueSleepAnalysis{name}", source=source)


def test_phone_and_watch_are_not_added_up(mapped: Any) -> None:
    rows = [steps(8, 100), steps(8, 60), steps(8, 150, "Phone"), steps(9, 40, "Phone"), steps(20, 500)]
    event = mapped(FORMAT, export(*rows)).only
    assert (event["a"], event["ev:steps"]) == (["ev:DailyActivity"], ["700"]), "160 or 150, 40, 500"
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T00:00:00"], ["2024-07-06T00:00:00"])
    assert (event["ev:timePrecision"], event["ev:sourceId"]) == (["day"], ["day-2024-07-05"])
    assert event["rdfs:label"] == ["daily activity 2024-07-05"]


def test_a_total_of_many_hours_is_spread_over_them(read: Any) -> None:
    whole = record("StepCount", f"{DAY} 00:00:00", f"{DAY} 23:59:59", 2400, source="App")
    found = read(FORMAT, export(whole, steps(8, 150))).only
    assert found["_steps"] == 2450, "23 hours of the app and one of the watch"


def test_units_and_kinds_of_a_day(mapped: Any) -> None:
    rows = [
        record("DistanceWalkingRunning", f"{DAY} 08:00:00", f"{DAY} 08:10:00", 1, "mi"),
        record("ActiveEnergyBurned", f"{DAY} 08:00:00", f"{DAY} 08:10:00", 418.4, "kJ"),
        record("FlightsClimbed", f"{DAY} 08:00:00", f"{DAY} 08:10:00", 3),
        record("AppleExerciseTime", f"{DAY} 08:00:00", f"{DAY} 08:10:00", 10, "min"),
        record("HeartRate", f"{DAY} 08:00:00", f"{DAY} 08:00:00", 60, "count/min"),
        record("HeartRate", f"{DAY} 09:00:00", f"{DAY} 09:00:00", 120, "count/min"),
        record("RestingHeartRate", f"{DAY} 00:00:00", f"{DAY} 23:00:00", 52, "count/min"),
    ]
    event = mapped(FORMAT, export(*rows)).only
    assert (event["ev:dayDistance"], event["ev:dayEnergy"]) == (["1.609344"], ["100"])
    assert (event["ev:floors"], event["ev:activeTime"], event["ev:restingHeartRate"]) == (["3"], ["600"], ["52"])
    rates = [event[f"ev:day{name}HeartRate"] for name in ("", "Minimum", "Maximum")]
    assert rates == [["90"], ["60"], ["120"]]


def test_the_stages_of_a_night_are_one_sleep(mapped: Any) -> None:
    rows = [
        stage("InBed", f"{DAY} 22:50:00", "2024-07-06 07:00:00", "Phone"),
        stage("AsleepCore", f"{DAY} 23:00:00", "2024-07-06 02:00:00"),
        stage("Awake", "2024-07-06 02:00:00", "2024-07-06 02:20:00"),
        stage("AsleepDeep", "2024-07-06 02:20:00", "2024-07-06 04:20:00"),
        stage("AsleepREM", "2024-07-06 04:20:00", "2024-07-06 06:20:00"),
        stage("AsleepUnspecified", "2024-07-06 14:00:00", "2024-07-06 14:30:00"),
    ]
    night, nap = mapped(FORMAT, export(*rows)).by("ev:start").values()
    assert (night["a"], night["ev:start"], night["ev:end"]) == (
        ["ev:Sleep"],
        ["2024-07-05T23:00:00"],
        ["2024-07-06T06:20:00"],
    )
    assert (night["ev:duration"], night["ev:timeInBed"], night["ev:awakeTime"]) == (["25200"], ["29400"], ["1200"])
    assert [night[f"ev:{name}Sleep"] for name in ("light", "deep", "rem")] == [["10800"], ["7200"], ["7200"]]
    assert (night["ev:device"], night["ev:startInstant"]) == (["Watch"], ["2024-07-05T23:00:00+01:00"])
    assert (nap["ev:duration"], nap["ev:start"]) == (["1800"], ["2024-07-06T14:00:00"])


def test_a_night_in_bed_alone_tells_no_time_asleep(mapped: Any) -> None:
    event = mapped(FORMAT, export(stage("InBed", f"{DAY} 22:50:00", "2024-07-06 07:00:00"))).only
    assert event["ev:timeInBed"] == ["29400"]
    assert "ev:duration" not in event


def test_weights(mapped: Any, read: Any) -> None:
    one = record("BodyMass", f"{DAY} 07:00:00", f"{DAY} 07:00:00", 176.4, "lb", "Scale")
    event = mapped(FORMAT, export(one)).only
    assert (event["a"], event["ev:bodyWeight"], event["ev:start"]) == (
        ["ev:WeightMeasurement"],
        ["80.014"],
        ["2024-07-05T07:00:00"],
    )
    assert event["key:sourceName"] == ["Scale"]
    outcome = read(FORMAT, export(one, one.replace("Scale", "App"), one.replace("lb", "stone")))
    assert len(outcome.records) == 1
    assert outcome.reasons == ["the same weight from another app", "no weight in a unit that is known"]


def test_hostile_values_have_reasons(read: Any) -> None:
    rows = [
        steps(8, "1e999"),
        steps(8, "-5"),
        steps(8, 5).replace('unit="count"', 'unit="bushels"'),
        steps(8, 5).replace("2024-07-05", "soon"),
        stage("Snoring", f"{DAY} 22:50:00", "2024-07-06 07:00:00"),
        stage("InBed", f"{DAY} 22:50:00", "2025-07-06 07:00:00"),
        record("HeartRate", f"{DAY} 08:00:00", f"{DAY} 08:00:00", 60, "Hz"),
        *(steps(8, 1, f"App {number}") for number in range(20)),
    ]
    outcome = read(FORMAT, export(*rows))
    assert outcome.only["_steps"] == 1
    assert {(bad.reason, bad.count) for bad in outcome.bad} == {
        ("value is no number", 2),
        ("a unit that is not known: 'bushels'", 1),
        ("startDate is no date-time", 1),
        ("a stage of sleep that is not known: 'HKCategoryValueSleepAnalysisSnoring'", 1),
        ("a sleep of no length, or of more than a day", 1),
        ("no heart rate in beats a minute", 1),
        ("more than 16 sources on one day", 4),
    }


def test_ids_stay_in_a_newer_export_and_memory_does_not_grow_with_records(read: Any) -> None:
    rows = [steps(hour, 10) for hour in range(24)] + [stage("AsleepCore", f"{DAY} 23:00:00", "2024-07-06 02:00:00")]
    ids = {one["_id"] for one in read(FORMAT, export(*rows)).records}
    assert ids == {one["_id"] for one in read(FORMAT, export(*reversed(rows))).records}
    text = export(*(steps(hour % 24, 1) for hour in range(3_000)))
    tracemalloc.start()
    read(FORMAT, text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * len(text) + 1_000_000
