"""Activities of Strava's bulk export."""

from __future__ import annotations

import gzip
from datetime import datetime
from pathlib import Path
from typing import Any

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.sources.moving.strava import FORMAT

HEADER = (
    "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Max Heart Rate,Commute,Activity Gear,"
    "Filename,Elapsed Time,Moving Time,Distance,Max Speed,Average Speed,Elevation Gain,Max Heart Rate,"
    "Average Heart Rate,Calories,Weather Condition\n"
)
RIDE = (
    '77,"Jul 5, 2024, 6:30:00\u202fAM",Down to the weir,Ride,3700,20.10,171,true,Old bike,activities/77.fit.gz,3700.0,'
    "3600.0,20100.0,12.5,5.583,150.5,172,131,640,sunny\n"
)


def test_the_second_column_of_a_name_is_in_base_units(mapped: Any) -> None:
    event = mapped(FORMAT, HEADER + RIDE).only
    assert event["a"] == ["ev:Workout"]
    assert (event["ev:workoutType"], event["ev:workoutName"]) == (["cycling"], ["Down to the weir"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T07:30:00"], ["2024-07-05T08:31:40"]), "UTC in Dublin"
    assert (event["ev:startInstant"], event["ev:timeCertainty"]) == (["2024-07-05T07:30:00+01:00"], ["stated"])
    assert (event["ev:duration"], event["ev:distance"], event["ev:averageSpeed"]) == (["3600"], ["20.1"], ["20.1"])
    assert (event["ev:maximumSpeed"], event["ev:elevationGain"], event["ev:energy"]) == (["45"], ["150.5"], ["640"])
    assert (event["ev:maximumHeartRate"], event["ev:averageHeartRate"]) == (["172"], ["131"])
    assert (event["ev:gear"], event["ev:commute"], event["ev:sourceId"]) == (["Old bike"], ["true"], ["77"])
    assert event["key:Weather%20Condition"] == ["sunny"]
    assert event["key:Activity%20Type"] == ["Ride"]
    assert event["rdfs:label"] == ["Down to the weir"]


def test_old_exports_have_kilometres_only_and_pools_metres(read: Any) -> None:
    head = "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,Distance\n"
    rows = [
        '1,"Jun 2, 2018, 2:30:00 AM",Old,Run,1800,6.00,#error#,',
        '2,"Jun 3, 2018, 2:30:00 AM",Pool,Swim,1800,750,,750.0',
        '3,"Jun 4, 2018, 2:30:00 AM",Both,Run,1800,5.2,,5.2',
        '4,"Jun 5, 2018, 2:30:00 AM",Miles,Run,1800,6.2,,9978',
        '5,"Jun 6, 2018, 2:30:00 AM",Gym,Weight Training,1800,0,,0.0',
    ]
    found = read(FORMAT, head + "\n".join(rows) + "\n").records
    assert [record.get("_km") for record in found] == [6.0, 0.75, 5.2, 9.978, None]
    assert found[4]["_sport"] == "strength training"


def test_other_languages(read: Any) -> None:
    german = (
        "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Verstrichene Zeit,Distanz,Kalorien\n"
        '9,"21.07.2024, 15:09:27",Am Abend,Lauf,1390,"2,81",299\n'
    )
    record = read(FORMAT, german).only
    assert (record["_sport"], record["_km"], record["_start"]) == ("running", 2.81, "2024-07-21T16:09:27")
    french = "ID de l'activité,Date de l'activité,Nom de l'activité,Type d'activité\n1,2024-01-01,x,Marche\n"
    assert "no date-time" in read(FORMAT, french).reasons[0]


def test_bad_rows_have_reasons_and_a_row_twice_is_one_event(read: Any) -> None:
    rows = [RIDE, RIDE, RIDE.replace("77,", ",", 1), RIDE.replace("Jul 5", "Jux 5"), "1,2\n"]
    outcome = read(FORMAT, HEADER + "".join(rows))
    assert [record["_id"] for record in outcome.records] == ["77"]
    assert sorted(outcome.reasons) == sorted(
        [
            "no activity id",
            "the activity's date is no date-time: 'Jux 5, 2024, 6:30:00\\u202fAM'",
            "2 cells where the header has 20",
            "the same activity once more",
        ]
    )


def test_hostile_numbers_are_no_measurements(read: Any) -> None:
    for value in ("1e400", "NaN", "-5", "9" * 400, "1_000", "٣"):
        record = read(
            FORMAT, HEADER + RIDE.replace("20100.0", value).replace("640", value).replace("20.10", value)
        ).only
        assert "_kcal" not in record
        assert "_km" not in record


def test_tracks_beside_the_list_are_not_doubled(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    (folder / "activities").mkdir(parents=True)
    (folder / "activities.csv").write_text(HEADER + RIDE, encoding="utf-8")
    track = (
        '<gpx version="1.1"><trk><type>cycling</type><trkseg><trkpt lat="1" lon="1"><time>2024-07-05T06:30:00Z</time>'
        '</trkpt><trkpt lat="1" lon="1.01"><time>2024-07-05T06:31:00Z</time></trkpt></trkseg></trk></gpx>'
    )
    (folder / "activities" / "77.fit.gz").write_bytes(gzip.compress(track.encode()))
    (folder / "activities" / "78.gpx.gz").write_bytes(gzip.compress(track.replace("07-05", "07-06").encode()))
    options = IngestOptions(Settings(home_zone="Europe/Oslo"), datetime(2025, 3, 1, 12))
    report = ingest([folder], tmp_path / "store", options)
    assert {source.name: source.events for source in report.sources}["strava"] == 1
    assert [(item.path.rpartition("/")[2], item.reason) for item in report.ignored] == [
        ("77.fit.gz!77.fit", "its events are in Strava bulk export (activities.csv)")
    ]
