"""Lists of key-value events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import HostileInput, SourceError
from reqap_kg.sources.json.keyvalue import FORMAT

TIMES = {"start_date": "2024-03-01", "start_time": "23:30:00", "end_date": "2024-03-02", "end_time": "00:10:00"}


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize(
    ("content", "score"),
    [
        (lines({"source": "mail", **TIMES}, {"source": "note", **TIMES}), 0.7),
        (lines({"source": "mail", **TIMES}), 0.7),
        (json.dumps([{"source": "mail", **TIMES}]), 0.7),
        (json.dumps([{"source": "social_media", "text": "no time at all"}]), 0.7),
        (json.dumps([{"when": "2024-03-01T10:00:00", "tea": "green"}]), 0.4),
        (json.dumps([{"loggedAt": "2024-03-01 10:00", "tea": "green"}]), 0.4),
        (json.dumps([{"tea": "green"}]), 0.0),
        (json.dumps({"tea": "green", "date": "2024-03-01"}), 0.0),
        (json.dumps([{"date": "2024-03-01", "deep": [{"a": 1}]}]), 0.0),
        (json.dumps([{"ts": "2024-01-01T00:00:00Z", "ms_played": 1}]), 0.0),
        (
            json.dumps([{"header": "Maps", "title": "Visited", "time": "2024-01-01T00:00:00Z", "products": ["Maps"]}]),
            0.0,
        ),
        ("[]", 0.0),
        ("date,tea\n2024-03-01,green\n", 0.0),
    ],
)
def test_recognition(make_file: Any, content: str, score: float) -> None:
    assert FORMAT.recognise(make_file(content)) == score


def test_a_workout_of_the_papers_table_with_numbers_as_text(mapped: Any) -> None:
    record = {
        "id": 7, "source": "workout", **TIMES, "workout_type": "soccer", "duration": "40", "duration_unit": "min",
        "minimum_heart_rate": "120", "average_heart_rate": "156.87", "distance": "3", "distance_unit": "mi",
        "average_speed": 10, "speed_unit": "m/s", "mood": "fine",
    }  # fmt: skip
    event = mapped(FORMAT, lines(record), path="export/My Life.jsonl").events["my-life/7"]
    assert event["a"] == ["ev:Workout"]
    assert (event["ev:start"], event["ev:end"]) == (["2024-03-01T23:30:00"], ["2024-03-02T00:10:00"])
    assert event["ev:day"] == ["2024-03-01", "2024-03-02"]
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["second"], ["assumed"])
    assert "ev:startInstant" not in event
    assert (event["ev:workoutType"], event["ev:duration"], event["ev:distance"]) == (["soccer"], ["2400"], ["4.828032"])
    assert (event["ev:averageHeartRate"], event["ev:minimumHeartRate"]) == (["156.87"], ["120"])
    assert event["ev:averageSpeed"] == ["36"]
    assert event["ev:sourceType"] == ["workout"]
    assert event["key:mood"] == ["fine"]
    assert not [key for key in event if key.startswith(("key:start", "key:end"))]


def test_every_source_of_the_paper_has_its_class(mapped: Any) -> None:
    sources = {
        "music_stream": "ev:MusicStream", "movie_stream": "ev:MovieStream", "tvseries_stream": "ev:EpisodeStream",
        "workout": "ev:Workout", "online_purchase": "ev:Purchase", "calendar": "ev:CalendarEntry", "mail": "ev:Mail",
        "social_media": "ev:SocialPost", "note": "ev:Note", "podcast stream": "ev:PodcastStream",
        "Location": "ev:LocationStay",
    }  # fmt: skip
    found = mapped(FORMAT, lines(*({"source": source, **TIMES} for source in sources))).events.values()
    assert {event["ev:sourceType"][0]: event["a"][0] for event in found} == sources


def test_streams_purchases_and_messages(mapped: Any) -> None:
    records = [
        {"source": "music_stream", **TIMES, "song_name": "Loop", "song_artist": ["Ada", "Bo"], "song_album": "Rows"},
        {"source": "tvseries_stream", **TIMES, "tvseries_title": "Hedges", "tvseries_season": "2",
         "episode_name": "Gap", "episode_number": 4, "season_name": "Hedges, season 2"},
        {"source": "online_purchase", **TIMES, "product": "Twine", "price": "19.50 EUR", "product_quantity": "3",
         "category": "Garden", "order": "3 x Twine"},
        {"source": "mail", "timestamp": "2024-03-01T10:00:00", "sender": "Ada", "recipient": ["Bo", "Cy"],
         "subject": "Hi"},
    ]  # fmt: skip
    by_class = mapped(FORMAT, lines(*records)).by("a")
    music, episode, purchase, mail = (
        by_class[f"ev:{name}"] for name in ("MusicStream", "EpisodeStream", "Purchase", "Mail")
    )
    assert (music["ev:artist"], music["rdfs:label"]) == (["Ada", "Bo"], ["Loop – Ada – Bo"])
    assert (episode["ev:seriesTitle"], episode["ev:seasonNumber"], episode["ev:episodeNumber"]) == (
        ["Hedges"],
        ["2"],
        ["4"],
    )
    assert (purchase["ev:price"], purchase["ev:currency"], purchase["ev:quantity"]) == (["19.5"], ["EUR"], ["3"])
    assert purchase["key:order"] == ["3 x Twine"]
    assert (mail["ev:start"], mail["ev:recipient"], mail["ev:subject"]) == (
        ["2024-03-01T10:00:00"],
        ["Bo", "Cy"],
        ["Hi"],
    )


def test_an_own_list_with_only_a_time(mapped: Any) -> None:
    """No source, no id, own keys: events of the general class, every key kept."""
    records = [
        {"loggedAt": "2024-07-01 10:00:00 +0200", "tea": "green", "cups": 2, "with": {"milk": False, "sugar": 1.5}},
        {"loggedAt": "2024-07-02", "tea": "black", "tags": ["late", "strong"], "none": None},
    ]
    first, second = mapped(FORMAT, json.dumps(records), path="tea log.json").events.values()
    assert (first["a"], first["ev:start"]) == (["ev:Event"], ["2024-07-01T10:00:00"])
    assert first["ev:startInstant"] == ["2024-07-01T10:00:00+02:00"]
    assert (first["key:tea"], first["key:cups"], first["key:with.sugar"]) == (["green"], ["2"], ["1.5"])
    assert (second["ev:start"], second["ev:timePrecision"]) == (["2024-07-02T00:00:00"], ["day"])
    assert second["key:tags"] == ["late", "strong"]
    assert "key:none" not in second


def test_an_unknown_source_is_an_event_with_a_label(mapped: Any) -> None:
    event = mapped(FORMAT, lines({"source": "bird_watch", "date": "2024-03-01", "title": "Wren", "count": 2})).only
    assert (event["a"], event["rdfs:label"], event["ev:sourceType"]) == (["ev:Event"], ["Wren"], ["bird_watch"])
    assert event["key:count"] == ["2"]


@pytest.mark.parametrize(
    ("record", "start", "end", "precision"),
    [
        ({"timestamp": "2024-07-01T10:00:00Z"}, "2024-07-01T10:00:00Z", None, "second"),
        ({"timestamp": 1719828000}, "2024-07-01T10:00:00Z", None, "second"),
        ({"timestamp": "1719828000123"}, "2024-07-01T10:00:00.123000Z", None, "second"),
        ({"Start Date": "2024-07-01", "Start Time": "9:05"}, "2024-07-01T09:05:00", None, "minute"),
        ({"date": "2024-07-01", "time": "09:05:00", "end_time": "08:00"},
         "2024-07-01T09:05:00", "2024-07-02T08:00:00", "second"),
        ({"date": "2024/07/01"}, "2024-07-01", None, "day"),
        ({"start": "2024-07-01T10:00:00+02:00", "end": "2024-07-01T11:00:00+02:00"},
         "2024-07-01T10:00:00+02:00", "2024-07-01T11:00:00+02:00", "second"),
        ({"start_date": "2024-07-01", "start_time": None, "end_date": None, "x": 1}, "2024-07-01", None, "day"),
        ({"start": "2024-07-01T10:00:00", "end": "2024-06-01T10:00:00"}, "2024-07-01T10:00:00", None, "second"),
        ({"source": "note"}, None, None, None),
    ],
)  # fmt: skip
def test_times(read: Any, record: dict[str, Any], start: str | None, end: str | None, precision: str | None) -> None:
    found = read(FORMAT, json.dumps([record, record])).records[0]
    assert (found["_start"], found["_end"], found["_precision"]) == (start, end, precision)


def test_the_duration_gives_the_end_when_none_is_stated(mapped: Any) -> None:
    event = mapped(FORMAT, lines({"source": "workout", "timestamp": "2024-03-01T10:00:00", "duration": 90})).only
    assert (event["ev:end"], event["ev:duration"]) == (["2024-03-01T10:01:30"], ["90"])


def test_own_ids_are_kept_and_others_are_stable(read: Any) -> None:
    records = [{"id": "a 1", **TIMES}, {"id": 2, **TIMES}, {"note": "x", **TIMES}, {"note": "x", **TIMES}]
    ids = [record["_id"] for record in read(FORMAT, lines(*records)).records]
    assert ids[:2] == ["a 1", "2"]
    assert len(set(ids)) == 4
    again = [record["_id"] for record in read(FORMAT, lines({"id": 9, **TIMES}, *records[::-1])).records]
    assert set(ids) < set(again)


def test_broken_lines_are_reported_with_their_number(read: Any) -> None:
    text = (
        lines({"id": 1, **TIMES})
        + '{"id": 2, "start\n'
        + "[1, 2]\n\n"
        + lines({"id": 3, **TIMES}, {"id": 4, "date": "later"})
    )
    outcome = read(FORMAT, text)
    assert [record["_id"] for record in outcome.records] == ["1", "3"]
    assert [bad.where for bad in outcome.bad] == ["line 2", "line 3", "line 6"]


def test_a_first_line_that_is_broken_does_not_hide_the_format(make_file: Any, read: Any) -> None:
    text = '{"id": 1, "start\n' + lines(*({"id": number, **TIMES} for number in range(5)))
    assert FORMAT.recognise(make_file(text)) > 0
    assert len(read(FORMAT, text).records) == 5


def test_a_list_cut_off_is_refused(read: Any) -> None:
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, json.dumps([{"id": 1, **TIMES}] * 3)[:-20])


@pytest.mark.parametrize(
    "deep", ["[" * 100_000 + "]" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000, "[" * 500 + "]" * 500]
)
def test_nesting_bombs_cost_themselves(read: Any, deep: str) -> None:
    first, bomb, last = ({"title": title, **TIMES} for title in ("one", "two", "three"))
    deeper = json.dumps(bomb).replace("}", ', "deep": ' + deep + "}")
    for text in (
        f"{json.dumps(first)}\n{deeper}\n{json.dumps(last)}\n",
        f"[{json.dumps(first)},{deeper},{json.dumps(last)}]",
    ):
        outcome = read(FORMAT, text)
        assert [record["_label"] for record in outcome.records] == ["one", "three"]
        assert outcome.reasons == ["JSON nested more than 200 deep"]


def test_a_giant_line_and_a_giant_element_are_refused(read: Any) -> None:
    limits = Limits(record_bytes=100_000)
    giant = lines({"id": 1, **TIMES}, {"id": 2, "text": "x" * 1_000_000, **TIMES})
    with pytest.raises(HostileInput, match="line 2 is longer"):
        read(FORMAT, giant, limits=limits)
    with pytest.raises(HostileInput, match="element is larger"):
        read(FORMAT, json.dumps([{"id": 2, "text": "x" * 1_000_000, **TIMES}]), limits=limits)


@pytest.mark.parametrize(
    "odd", [{"deep": [{"a": 1}]}, 7, None, "text", [], {"source": 5}, {"source": "run", "n": {"a": {}}}]
)
def test_one_odd_element_takes_nothing_from_the_others(odd: Any, make_file: Any, mapped: Any) -> None:
    good = [{"id": f"g{number}", "source": "sports", **TIMES, "activity": "run"} for number in range(20)]
    for place in (0, 7, 20):
        content = json.dumps([*good[:place], odd, *good[place:]])
        assert FORMAT.recognise(make_file(content)) == 0.7
        found = mapped(FORMAT, content, path="list.json")
        assert {f"list/g{number}" for number in range(20)} <= set(found.events)


@pytest.mark.parametrize("clock", ["2:30 PM", "noon", "12h30", "25:00"])
def test_a_clock_time_that_cannot_be_read_is_told(clock: str, mapped: Any) -> None:
    outcome = mapped(FORMAT, lines({"source": "note", "start_date": "2024-05-01", "start_time": clock, "text": "x"}))
    assert len(outcome.events) == 1
    assert [(bad.key, clock in bad.reason) for bad in outcome.bad] == [("start_time", True)]


@pytest.mark.parametrize("end", [{"end_date": "2020-01-01"}, {"end_date": "soon"}, {"end_time": "late"}])
def test_an_end_that_is_none_is_told(end: dict[str, str], mapped: Any) -> None:
    outcome = mapped(FORMAT, lines({"source": "note", "start_date": "2024-05-01", "text": "x", **end}))
    assert [bad.key for bad in outcome.bad] == list(end)


def test_times_that_are_read_are_not_told(mapped: Any) -> None:
    assert not mapped(FORMAT, lines({"source": "note", "text": "x", **TIMES}, {"date": "2024-01-01", "end": None})).bad
