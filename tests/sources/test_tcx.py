"""Activities of TCX files, also those whose elements are in an order that the schema does not have."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.moving.tcx import FORMAT

HEAD = (
    '<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">'
)


def lap(start: str, seconds: float, metres: float, beats: int, points: str = "") -> str:
    return (
        f'<Lap StartTime="{start}"><TotalTimeSeconds>{seconds}</TotalTimeSeconds><DistanceMeters>{metres}'
        f"</DistanceMeters><MaximumSpeed>5.0</MaximumSpeed><Calories>100</Calories><AverageHeartRateBpm><Value>{beats}"
        f"</Value></AverageHeartRateBpm><MaximumHeartRateBpm><Value>{beats + 20}</Value></MaximumHeartRateBpm>"
        f"<Track>{points}</Track></Lap>"
    )


def activity(*laps: str, sport: str = "Biking", start: str = "2024-07-05T06:00:00Z") -> str:
    creator = "<Creator><Name>Wrist One</Name><Version><VersionMajor>1</VersionMajor></Version></Creator>"
    return f'<Activity Sport="{sport}"><Id>{start}</Id>{"".join(laps)}<Notes>by the river</Notes>{creator}</Activity>'


def tcx(*parts: str) -> str:
    return f"{HEAD}<Activities>{''.join(parts)}</Activities><Author><Name>App</Name></Author></TrainingCenterDatabase>"


TWO = activity(lap("2024-07-05T06:00:00Z", 1800, 12_000, 120), lap("2024-07-05T06:30:00Z", 600, 4_000, 160))


def test_laps_are_summed_up(mapped: Any) -> None:
    event = mapped(FORMAT, tcx(TWO)).only
    assert (event["a"], event["ev:workoutType"], event["key:Sport"]) == (["ev:Workout"], ["cycling"], ["Biking"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T07:00:00"], ["2024-07-05T07:40:00"])
    assert (event["ev:duration"], event["ev:distance"], event["ev:energy"]) == (["2400"], ["16"], ["200"])
    assert (event["ev:averageHeartRate"], event["ev:maximumHeartRate"]) == (["130"], ["180"]), "by the laps' lengths"
    assert (event["ev:maximumSpeed"], event["ev:averageSpeed"]) == (["18"], ["24"])
    assert (event["ev:device"], event["key:Notes"]) == (["Wrist One"], ["by the river"])


def test_the_order_of_elements_does_not_matter_and_points_fill_in(read: Any) -> None:
    point = (
        "<Trackpoint><DistanceMeters>1</DistanceMeters><HeartRateBpm><Value>{}</Value></HeartRateBpm><Position>"
        "<LatitudeDegrees>0</LatitudeDegrees><LongitudeDegrees>{}</LongitudeDegrees></Position>"
        "<Time>2024-07-05T06:0{}:00.000Z</Time></Trackpoint>"
    )
    points = "".join(point.format(100 + 10 * number, number / 100, number) for number in range(3))
    odd = f'<Lap StartTime="2024-07-05T06:00:00Z"><Track>{points}</Track><Calories>7</Calories></Lap>'
    record = read(FORMAT, tcx(activity(odd, sport="Running"))).only
    assert record["_km"] == pytest.approx(2.2239, abs=0.001)
    assert (record["_seconds"], record["_bpm"], record["_bpmMaximum"], record["_kcal"]) == (120.0, 110.0, 120.0, 7.0)


def test_what_is_no_activity_has_a_reason(read: Any) -> None:
    text = tcx('<Activity Sport="Running"><Id>soon</Id></Activity>')
    text = text.replace("</Activities>", "</Activities><Courses><Course><Name>x</Name></Course></Courses>")
    outcome = read(FORMAT, text)
    assert outcome.records == []
    assert outcome.reasons == [
        "an activity without a time: when it was is not known",
        "a course is a plan, not a workout",
    ]


def test_hostile_values_and_cut_files(read: Any) -> None:
    text = (
        tcx(TWO)
        .replace("12000", "9" * 400)
        .replace("<Calories>100<", "<Calories>NaN<")
        .replace("<Value>120<", "<Value>x<")
    )
    record = read(FORMAT, text).only
    assert record["_km"] == 4.0
    assert "_kcal" not in record
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, tcx(TWO)[:-50])


def test_ids_do_not_depend_on_the_order(read: Any) -> None:
    other = TWO.replace("2024-07-05", "2024-07-06")
    ids = {record["_id"] for record in read(FORMAT, tcx(TWO, other)).records}
    assert ids == {record["_id"] for record in read(FORMAT, tcx(other, TWO)).records}
    assert len(ids) == 2
