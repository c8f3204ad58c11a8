"""Tracks of GPX files."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.errors import HostileInput, SourceError
from reqap_kg.sources.moving.gpx import FORMAT

HEAD = '<?xml version="1.0"?>\n<!-- a --><gpx version="1.1" creator="Test" xmlns="http://www.topografix.com/GPX/1/1">'
HEART = "<extensions><x:TrackPointExtension xmlns:x='t'><x:hr>{}</x:hr></x:TrackPointExtension></extensions>"


def point(longitude: float, time: str = "", height: float | None = None, beats: int | None = None) -> str:
    inside = f"<ele>{height}</ele>" if height is not None else ""
    inside += f"<time>{time}</time>" if time else ""
    inside += HEART.format(beats) if beats else ""
    return f'<trkpt lat="0" lon="{longitude}">{inside}</trkpt>'


def track(*points: str, kind: str = "running", name: str = "Along the quay") -> str:
    return f"<trk><name>{name}</name><type>{kind}</type><trkseg>{''.join(points)}</trkseg></trk>"


def gpx(*parts: str) -> str:
    return HEAD + "".join(parts) + "</gpx>"


RUN = track(
    point(0, "2024-07-05T06:00:00Z", 10, 120),
    point(0.01, "2024-07-05T06:06:00Z", 12, 140),
    point(0.02, "2024-07-05T06:12:00Z", 20, 160),
)


def test_the_format_is_told_by_its_root(make_file: Any) -> None:
    assert FORMAT.recognise(make_file(gpx(RUN))) == 1.0
    for other in ("<html><gpx></gpx></html>", "# about <gpx>", "<gpxx/>", "", "<"):
        assert FORMAT.recognise(make_file(other)) == 0.0


def test_points_add_up_to_a_workout(mapped: Any) -> None:
    event = mapped(FORMAT, gpx(RUN)).only
    assert (event["a"], event["ev:workoutType"]) == (["ev:Workout"], ["running"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T07:00:00"], ["2024-07-05T07:12:00"])
    assert float(event["ev:distance"][0]) == pytest.approx(2.2239, abs=0.001)
    assert float(event["ev:averageSpeed"][0]) == pytest.approx(11.12, abs=0.01)
    assert (event["ev:duration"], event["ev:elevationGain"]) == (["720"], ["10"])
    assert [event[f"ev:{name}HeartRate"] for name in ("average", "minimum", "maximum")] == [["140"], ["120"], ["160"]]
    assert (event["rdfs:label"], event["ev:timeCertainty"]) == (["Along the quay"], ["stated"])


def test_an_offset_is_that_of_the_place_and_no_zone_is_taken_as_utc(mapped: Any) -> None:
    there = mapped(FORMAT, gpx(track(point(0, "2024-07-05T06:00:00+07:00")))).only
    assert (there["ev:start"], there["ev:startInstant"]) == (["2024-07-05T06:00:00"], ["2024-07-05T06:00:00+07:00"])
    none = mapped(FORMAT, gpx(track(point(0, "2024-07-05T06:00:00")))).only
    assert (none["ev:start"], none["ev:timeCertainty"]) == (["2024-07-05T07:00:00"], ["assumed"])


def test_gaps_between_segments_are_not_measured(read: Any) -> None:
    two = (
        f"<trk><trkseg>{point(0, '2024-07-05T06:00:00Z')}</trkseg>"
        f"<trkseg>{point(50, '2024-07-05T07:00:00Z')}</trkseg><type>hiking</type></trk>"
    )
    record = read(FORMAT, gpx(two)).only
    assert "_km" not in record
    assert record["_sport"] == "hiking", "whatever the order of the elements"


def test_what_is_no_workout_has_a_reason(read: Any) -> None:
    parts = (
        '<wpt lat="1" lon="1"><name>Cairn</name></wpt><rte><rtept lat="1" lon="1"/></rte>',
        track(point(0)),
        track(),
        track(point(0, "2024-07-05T06:00:00Z"), kind="taxi"),
        track(point(0, "at noon")),
    )
    outcome = read(FORMAT, gpx(*parts))
    assert outcome.records == []
    assert outcome.reasons == [
        "a waypoint is a place, not a workout",
        "a route is a plan, not a workout",
        "a track whose points have no times: when it was is not known",
        "a track without points",
        "a journey in a vehicle is no workout",
    ]
    apple = gpx(RUN).replace('"Test"', '"Apple Health Export"')
    assert read(FORMAT, apple).reasons == ["a route of Apple Health: its workout is in export.xml"]


def test_hostile_values_are_left_out(read: Any) -> None:
    text = RUN.replace("<ele>12<", "<ele>1e999<").replace('lon="0.01"', 'lon="NaN"').replace(">140<", ">many<")
    record = read(FORMAT, gpx(text.replace("2024-07-05T06:06:00Z", "99999-01-01"))).only
    assert (record["_bpm"], record["_climb"]) == (140.0, 10.0)
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, gpx(RUN)[:-30])
    with pytest.raises(HostileInput, match="defines entities"):
        read(FORMAT, '<!DOCTYPE gpx [<!ENTITY a "b">]>' + gpx(RUN).partition("?>")[2])


def test_older_encodings(read: Any) -> None:
    text = gpx(RUN).replace('version="1.0"?', 'version="1.0" encoding="ISO-8859-1"?', 1).replace("quay", "Gäßle")
    assert read(FORMAT, text.encode("latin-1")).only["_name"] == "Along the Gäßle"


def test_ids_do_not_depend_on_the_order(read: Any) -> None:
    later = RUN.replace("07-05", "07-06")
    ids = {record["_id"] for record in read(FORMAT, gpx(RUN, later)).records}
    assert ids == {record["_id"] for record in read(FORMAT, gpx(later, RUN)).records}
    assert len(ids) == 2
    assert FORMAT.source_name is not None
