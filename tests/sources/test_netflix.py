"""Netflix viewing activity and viewing history."""

from __future__ import annotations

import json
from typing import Any

from reqap_kg.sources.streaming.netflix import ACTIVITY, HISTORY

COLUMNS = ("Profile Name", "Start Time", "Duration", "Attributes", "Title", "Supplemental Video Type", "Device Type")
HEADER = ",".join([*COLUMNS, "Bookmark", "Latest Bookmark", "Country"])


def activity(*rows: str) -> str:
    """Rows of `start|duration|title[|supplemental]`."""
    lines = [HEADER]
    for row in rows:
        start, duration, title, *more = row.split("|")
        kind = more[0] if more else ""
        lines.append(f'Robin,{start},{duration},,"{title}",{kind},TV,{duration},{duration},IE (Ireland)')
    return "\n".join(lines) + "\n"


def test_formats_are_told_by_their_columns(make_file: Any) -> None:
    wide, thin = make_file(activity()), make_file("﻿Title,Date\nA,01/02/2024\n")
    assert (ACTIVITY.recognise(wide), HISTORY.recognise(wide)) == (1.0, 0.0)
    assert (ACTIVITY.recognise(thin), HISTORY.recognise(thin)) == (0.0, 0.9)


def test_an_episode(mapped: Any) -> None:
    event = mapped(ACTIVITY, activity("2024-07-01 20:00:00|0:30:05|Hedges: Season 2: The Gap (Episode 4)")).only
    assert event["a"] == ["ev:EpisodeStream"]
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-01T21:00:00"], ["2024-07-01T21:30:05"])
    assert event["ev:duration"] == ["1805"]
    assert (event["ev:seriesTitle"], event["ev:seasonName"], event["ev:seasonNumber"]) == (
        ["Hedges"],
        ["Season 2"],
        ["2"],
    )
    assert (event["ev:episodeName"], event["ev:episodeNumber"]) == (["The Gap"], ["4"])
    assert (event["ev:viewer"], event["ev:country"], event["ev:device"]) == (["Robin"], ["Ireland"], ["TV"])
    assert event["rdfs:label"] == ["Hedges: Season 2: The Gap (Episode 4)"]
    assert event["key:Latest%20Bookmark"] == ["0:30:05"]


def test_viewing_activity_as_json(make_file: Any, read: Any) -> None:
    rows = [{"Profile Name": "Ann", "Start Time": "2024-07-01 20:00:00", "Duration": "0:30:05", "Title": "Fern"}]
    assert ACTIVITY.recognise(make_file(json.dumps(rows))) == 1.0
    assert read(ACTIVITY, json.dumps(rows)).only["Start Time"] == "2024-07-01T20:00:00Z"


def test_a_film_and_a_day_long_sleep(mapped: Any) -> None:
    event = mapped(ACTIVITY, activity("2024-01-01 20:00:00|25:10:00|Gate: Vol. 1")).only
    assert event["a"] == ["ev:MovieStream"]
    assert event["ev:movieTitle"] == ["Gate: Vol. 1"]
    assert event["ev:duration"] == ["90600"]
    assert event["ev:day"] == ["2024-01-01", "2024-01-02"]


def test_trailers_are_kept_out_with_a_reason_and_a_count(read: Any) -> None:
    outcome = read(
        ACTIVITY,
        activity(
            "2024-01-01 20:00:00|0:01:00|Gate|TRAILER",
            "2024-01-01 20:02:00|1:30:00|Gate",
            "2024-01-01 22:00:00|0:00:05|Field|HOOK",
            "2024-01-01 22:01:00|0:00:05|Field|TRAILER",
        ),
    )
    assert [record["Title"] for record in outcome.records] == ["Gate"]
    assert sorted((bad.count, "TRAILER" in bad.reason) for bad in outcome.bad) == [(1, False), (2, True)]


def test_broken_rows_cost_only_themselves(read: Any) -> None:
    text = activity("2024-01-01 20:00:00|1:00:00|A", "never|1:00:00|B", "2024-01-02 20:00:00|long|C")
    text += 'Robin,2024-01-03 20:00:00,1:00:00,,"open quote,,TV,,,IE\n' + "too,few\n"
    text += activity("2024-01-04 20:00:00|1:00:00|D").split("\n", 1)[1]
    outcome = read(ACTIVITY, text)
    assert [record["Title"] for record in outcome.records] == ["A", "D"] or [
        record["Title"] for record in outcome.records
    ] == ["A", '"open quote', "D"]
    assert {bad.where for bad in outcome.bad} >= {"line 3", "line 4", "line 6"}


def test_a_series_without_seasons_is_told_from_a_film_series_by_the_other_titles(read: Any) -> None:
    rows = [
        "2024-01-01 20:00:00|0:50:00|Deep Water: Kelp",
        "2024-01-02 20:00:00|0:50:00|Deep Water: Reefs",
        "2024-01-03 20:00:00|0:50:00|Deep Water: The Ice",
        "2024-01-04 20:00:00|2:10:00|Agent Nine: Downfall",
        "2024-01-05 20:00:00|2:10:00|Agent Nine: Rise",
        "2024-01-06 20:00:00|2:10:00|Agent Nine: The Return",
    ]
    kinds = {record["Title"]: record["_kind"] for record in read(ACTIVITY, activity(*rows)).records}
    assert [kinds[title] for title in sorted(kinds)] == ["movie"] * 3 + ["episode"] * 3


def test_same_rows_get_the_same_ids_in_any_order(read: Any) -> None:
    rows = ["2024-01-01 20:00:00|1:00:00|A", "2024-01-02 20:00:00|1:00:00|B"]
    first = {record["_id"] for record in read(ACTIVITY, activity(*rows)).records}
    again = {record["_id"] for record in read(ACTIVITY, activity("2024-01-03 20:00:00|1:00:00|C", *rows[::-1])).records}
    assert len(first) == 2
    assert first < again


def test_history_knows_only_the_day(mapped: Any) -> None:
    text = '﻿Title,Date\n"Hedges: Season 1: Pilot",25/12/2023\nInner Field,01/02/2024\n'
    events = mapped(HISTORY, text).by("rdfs:label")
    film = events["Inner Field"]
    assert film["ev:start"] == ["2024-02-01T00:00:00"]
    assert film["ev:day"] == ["2024-02-01"]
    assert (film["ev:timePrecision"], film["ev:timeCertainty"]) == (["day"], ["stated"])
    assert "ev:end" not in film
    assert events["Hedges: Season 1: Pilot"]["ev:seriesTitle"] == ["Hedges"]


def test_the_order_of_day_and_month_is_told_from_the_whole_file(read: Any) -> None:
    def days(*dates: str) -> list[str]:
        rows = "".join(f"Film {number},{date}\n" for number, date in enumerate(dates))
        return [record["Date"] for record in read(HISTORY, "Title,Date\n" + rows).records]

    assert days("2/1/24", "12/31/23") == ["2024-02-01", "2023-12-31"]
    assert days("1.2.24", "31.12.23") == ["2024-02-01", "2023-12-31"]
    assert days("2024-02-01", "2023-12-05") == ["2024-02-01", "2023-12-05"]
    assert days("10/02/2024", "09/02/2024", "08/01/2024")[0] == "2024-02-10", "nothing tells: the day is first"
    assert days("11/03/2024", "10/04/2024", "09/05/2024") == ["2024-11-03", "2024-10-04", "2024-09-05"], (
        "sorted by month"
    )


def test_years_of_two_digits_are_years_that_may_be(read: Any) -> None:
    def days(*dates: str) -> list[str]:
        rows = "".join(f"Film {number},{date}\n" for number, date in enumerate(dates))
        return [record["Date"] for record in read(HISTORY, "Title,Date\n" + rows).records]

    assert days("21.03.22", "04.06.22", "02.06.22") == ["2022-03-21", "2022-06-04", "2022-06-02"]
    assert days("04.06.08", "11.12.09", "02.03.10") == ["2008-06-04", "2009-12-11", "2010-03-02"], "points: day first"
    assert days("24/3/5", "8/12/31", "22/3/4") == ["2024-03-05", "2008-12-31", "2022-03-04"], "no year before 2007"
    assert days("24. 3. 5.", "23. 12. 31.") == ["2024-03-05", "2023-12-31"]
    assert days("9/10/25", "12/8/24", "1/2/25") == ["2025-09-10", "2024-12-08", "2025-01-02"], "none after the import"


def test_a_guessed_order_is_called_assumed(read: Any) -> None:
    outcome = read(HISTORY, "Title,Date\nA,10/02/2024\nB,09/02/2024\n")
    assert {record["_certainty"] for record in outcome.records} == {"assumed"}
    assert [(bad.key, bad.count) for bad in outcome.bad] == [("Date", 2)]
    assert outcome.reasons == ["nothing in the file tells day from month: read as DMY"]


def test_watching_the_same_thing_twice_on_a_day_is_two_events(read: Any) -> None:
    text = "Title,Date\nLoop,31/01/2024\nLoop,31/01/2024\nDock,31/01/2024\n"
    ids = [record["_id"] for record in read(HISTORY, text).records]
    assert len(set(ids)) == 3
    longer = "Title,Date\nNew,01/02/2024\nDock,31/01/2024\nLoop,31/01/2024\nLoop,31/01/2024\n"
    assert set(ids) < {record["_id"] for record in read(HISTORY, longer).records}


def test_a_date_that_is_none_is_reported(read: Any) -> None:
    outcome = read(HISTORY, "Title,Date\nLoop,31/01/2024\nDock,soon\nFern,31/31/2024\n")
    assert len(outcome.records) == 1
    assert [bad.where for bad in outcome.bad] == ["line 3", "line 4"]
