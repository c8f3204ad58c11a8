"""Workouts of Apple Health."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import HostileInput, SourceError
from reqap_kg.sources.moving.apple_health import FORMAT

DTD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData (ExportDate,Me,Record*)>\n'
BROKEN_DTD = DTD + "<!ATTLIST Record\n  type CDATA #REQUIRED\n  unit CDATA #IMPLIED value CDATA>>\n]>\n"
OLD = (
    '<Workout workoutActivityType="HKWorkoutActivityTypeTraditionalStrengthTraining" duration="30.5" '
    'durationUnit="min" totalDistance="2" totalDistanceUnit="mi" totalEnergyBurned="418.4" totalEnergyBurnedUnit="kJ" '
    'sourceName="Watch" device="&lt;&lt;HKDevice: 0x2818c5c20&gt;, name:Apple Watch, model:Watch&gt;" '
    'startDate="2024-07-01 18:00:00 +0100" endDate="2024-07-01 18:30:30 +0100"/>'
)


def export(*children: str, date: str = "2024-08-01 10:00:00 +0100", prologue: str = "") -> str:
    return (
        f'{prologue}<HealthData locale="en_IE">\n <ExportDate value="{date}"/>\n'
        + "\n".join(children)
        + "</HealthData>\n"
    )


def workout(start: str, end: str, inside: str = "", kind: str = "Running", **keys: str) -> str:
    more = " ".join(f'{key}="{value}"' for key, value in keys.items())
    return (
        f'<Workout workoutActivityType="HKWorkoutActivityType{kind}" duration="20" durationUnit="min" {more} '
        f'sourceName="Watch" startDate="{start}" endDate="{end}">{inside}</Workout>'
    )


def record(kind: str = "HeartRate", start: str = "2024-07-01 18:00:00 +0100") -> str:
    return f'<Record type="HKQuantityTypeIdentifier{kind}" unit="x" startDate="{start}" endDate="{start}" value="1"/>'


def test_the_format_is_told_by_its_root(make_file: Any) -> None:
    assert FORMAT.recognise(make_file(export(prologue=BROKEN_DTD))) == 1.0
    assert FORMAT.recognise(make_file("# About <HealthData>")) == 0.0


def test_totals_in_attributes_until_ios_15(mapped: Any) -> None:
    event = mapped(FORMAT, export(OLD)).only
    assert event["a"] == ["ev:Workout"]
    assert event["ev:workoutType"] == ["traditional strength training"]
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-01T18:00:00"], ["2024-07-01T18:30:30"])
    assert event["ev:startInstant"] == ["2024-07-01T18:00:00+01:00"]
    assert (event["ev:duration"], event["ev:distance"], event["ev:energy"]) == (["1830"], ["3.218688"], ["100"])
    assert float(event["ev:averageSpeed"][0]) == pytest.approx(3.218688 / (1830 / 3600))
    assert event["ev:device"] == ["Apple Watch"]
    assert event["key:workoutActivityType"] == ["HKWorkoutActivityTypeTraditionalStrengthTraining"]
    assert event["key:sourceName"] == ["Watch"]
    assert "0x2818c5c20" not in str(event)


def test_statistics_since_ios_16_and_metadata(mapped: Any) -> None:
    inside = (
        '<MetadataEntry key="HKWorkoutBrandName" value="tag rugby"/><MetadataEntry key="HKIndoorWorkout" value="0"/>'
        '<MetadataEntry key="HKElevationAscended" value="1234 cm"/><MetadataEntry key="HKAverageMETs" value="7.5 x"/>'
        '<WorkoutStatistics type="HKQuantityTypeIdentifierDistanceCycling" sum="4.2" unit="km"/>'
        '<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="140.5" minimum="90" maximum="180" '
        'unit="count/min"/><WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="250" unit="Cal"/>'
        '<WorkoutStatistics type="HKQuantityTypeIdentifierRunningSpeed" average="10" maximum="5" unit="m/s"/>'
        '<WorkoutEvent type="HKWorkoutEventTypePause" date="2024-07-01 18:10:00 +0100"/>'
        '<WorkoutRoute><FileReference path="/workout-routes/r.gpx"/></WorkoutRoute>'
    )
    event = mapped(FORMAT, export(workout("2024-07-01 18:00:00 +0100", "2024-07-01 18:20:00 +0100", inside))).only
    assert event["ev:workoutType"] == ["tag rugby"]
    assert event["key:workoutActivityType"] == ["HKWorkoutActivityTypeRunning"]
    assert (event["ev:distance"], event["ev:energy"]) == (["4.2"], ["250"])
    assert (event["ev:averageSpeed"], event["ev:maximumSpeed"]) == (["36"], ["18"])
    heart = [event[f"ev:{name}HeartRate"][0] for name in ("minimum", "average", "maximum")]
    assert heart == ["90", "140.5", "180"]
    assert (event["ev:indoor"], event["ev:elevationGain"]) == (["false"], ["12.34"])
    assert event["key:HKAverageMETs"] == ["7.5 x"]
    assert event["key:WorkoutRoute"] == ["/workout-routes/r.gpx"]
    assert event["key:WorkoutEvent"] == ["HKWorkoutEventTypePause 2024-07-01 18:10:00 +0100"]


def test_a_winter_offset_of_zero_is_local_time_too(mapped: Any) -> None:
    text = export(
        workout("2024-01-01 08:00:00 +0000", "2024-01-01 08:20:00 +0000"), record(start="2024-07-01 08:00:00 +0100")
    )
    assert mapped(FORMAT, text, zone="America/Chicago").only["ev:start"] == ["2024-01-01T08:00:00"]


def test_an_export_that_froze_the_offset_is_moved_home(mapped: Any) -> None:
    """Health writes winter times with the offset of the export: 07:25 -0700 was 06:25 in November in California."""
    run = workout("2016-11-14 07:25:41 -0700", "2016-11-14 07:30:52 -0700")
    text = export(record(start="2016-07-18 08:25:32 -0700"), run, date="2019-07-19 10:36:11 -0700")
    home = mapped(FORMAT, text, zone="America/Los_Angeles").only
    assert home["ev:start"] == ["2016-11-14T06:25:41"]
    assert home["ev:startInstant"] == ["2016-11-14T06:25:41-08:00"]
    assert mapped(FORMAT, text, zone="Europe/Dublin").only["ev:start"] == ["2016-11-14T07:25:41"], "exported elsewhere"


def test_a_frozen_export_uses_the_zone_of_the_workout(mapped: Any) -> None:
    inside = '<MetadataEntry key="HKTimeZone" value="America/New_York"/>'
    run = workout("2016-11-14 07:25:41 -0700", "2016-11-14 07:30:52 -0700", inside)
    text = export(record(start="2016-07-18 08:25:32 -0700"), run, date="2019-07-19 10:36:11 -0700")
    assert mapped(FORMAT, text, zone="America/Los_Angeles").only["ev:start"] == ["2016-11-14T09:25:41"]


def test_an_export_with_true_offsets_is_left_as_stated(mapped: Any) -> None:
    text = export(
        workout("2024-07-01 18:00:00 +0200", "2024-07-01 18:20:00 +0200"),
        record(start="2024-01-01 08:00:00 +0000"),
    )
    assert mapped(FORMAT, text).only["ev:start"] == ["2024-07-01T18:00:00"], "a run in Vienna"


def test_other_records_are_counted_by_type(read: Any) -> None:
    outcome = read(
        FORMAT,
        export(record("Height"), record("VO2Max"), record("Height"), OLD, "<ActivitySummary/>", "<ActivitySummary/>"),
    )
    assert len(outcome.records) == 1
    assert {(bad.where, bad.count) for bad in outcome.bad} == {
        ("Record Height", 2),
        ("Record VO2Max", 1),
        ("ActivitySummary", 2),
    }
    assert all("this kind of record is not read" in bad.reason for bad in outcome.bad)


def test_a_workout_without_time_is_reported(read: Any) -> None:
    outcome = read(FORMAT, export(workout("some day", "some day"), OLD))
    assert len(outcome.records) == 1
    assert outcome.bad[0].where == "Workout, line 3"


def test_malformed_document_types_and_forbidden_characters_are_tolerated(read: Any) -> None:
    text = export(OLD.replace('sourceName="Watch"', 'sourceName="Wa\x0btch"'), prologue=BROKEN_DTD)
    assert read(FORMAT, text).only["sourceName"] == "Watch"


def test_entities_are_refused_before_anything_is_expanded(read: Any) -> None:
    laughs = '<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">'
    with pytest.raises(HostileInput, match="defines entities"):
        read(FORMAT, export("<Record type='&lol2;'/>", prologue=DTD + laughs + "]>"))
    with pytest.raises(HostileInput, match="defines entities"):
        read(FORMAT, export(prologue='<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'))


def test_an_undefined_entity_is_an_error_not_a_crash(read: Any) -> None:
    with pytest.raises(SourceError, match="damaged"):
        read(FORMAT, export("<Record type='&lol2;'/>"))


def test_a_cut_off_file_is_refused(read: Any) -> None:
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, export(OLD, OLD)[:-200])


def test_nesting_bombs_are_refused(read: Any) -> None:
    with pytest.raises(HostileInput, match="nested more than"):
        read(FORMAT, export("<a>" * 100_000))


def test_a_giant_element_is_refused(read: Any) -> None:
    giant = workout(
        "2024-07-01 18:00:00 +0100", "2024-07-01 18:20:00 +0100", '<MetadataEntry key="a" value="b"/>' * 60_000
    )
    with pytest.raises(HostileInput, match="one element is larger"):
        read(FORMAT, export(giant), limits=Limits(record_bytes=1_000_000))


def test_ids_do_not_depend_on_order_or_offset(read: Any) -> None:
    one = workout("2024-07-01 18:00:00 +0100", "2024-07-01 18:20:00 +0100")
    two = workout("2024-07-02 18:00:00 +0100", "2024-07-02 18:20:00 +0100")
    ids = {record["_id"] for record in read(FORMAT, export(one, two)).records}
    elsewhere = one.replace("18:00:00 +0100", "12:00:00 -0500").replace("18:20:00 +0100", "12:20:00 -0500")
    assert ids == {record["_id"] for record in read(FORMAT, export(two, elsewhere)).records}
    assert len(ids) == 2
