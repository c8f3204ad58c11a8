"""Trakt's history and ratings."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.sources.base import BadRecord, ReadContext
from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.trakt import FORMAT

GATE = {"title": "The Gate", "year": 1961, "ids": {"trakt": 7, "imdb": "tt7"}}
SHOW = {"title": "Hedges", "year": 2020, "ids": {"trakt": 9}}
PILOT = {"season": 1, "number": 2, "title": "Pilot", "ids": {"trakt": 11}}


def film(**keys: Any) -> dict[str, Any]:
    return {"id": 1, "watched_at": "2024-07-05T21:15:00.000Z", "action": "watch", "type": "movie", "movie": GATE} | keys


def episode(**keys: Any) -> dict[str, Any]:
    row = {"id": 2, "watched_at": "2024-07-06T21:15:00.000Z", "type": "episode", "episode": PILOT, "show": SHOW}
    return row | keys


def rated(thing: str, value: Any, rating: Any = 9, **keys: Any) -> dict[str, Any]:
    return {"rated_at": "2024-08-01T10:00:00.000Z", "rating": rating, "type": thing, thing: value} | keys


def test_it_is_told_by_its_keys(make_file: Any) -> None:
    assert detect(make_file(json.dumps([film()]))) is FORMAT
    assert detect(make_file(json.dumps([rated("show", SHOW)]))) is FORMAT
    assert FORMAT.recognise(make_file('[{"watched_at": "2024-07-05T21:15:00Z", "movie": "The Gate"}]')) == 0


def test_films_and_episodes(mapped: Any) -> None:
    events = mapped(FORMAT, json.dumps([film(), episode()])).by("a")
    assert events["ev:MovieStream"]["ev:movieTitle"] == ["The Gate"]
    assert events["ev:MovieStream"]["ev:start"] == ["2024-07-05T22:15:00"]
    assert events["ev:MovieStream"]["ev:releaseYear"] == ["1961"]
    one = events["ev:EpisodeStream"]
    assert (one["ev:seriesTitle"], one["ev:seasonNumber"], one["ev:episodeNumber"]) == (["Hedges"], ["1"], ["2"])
    assert (one["ev:episodeName"], one["rdfs:label"]) == (["Pilot"], ["Hedges – Pilot"])


def test_a_rating_is_read_with_its_viewing(make_file: Any) -> None:
    history = make_file(json.dumps([film(), film(id=3), episode()]))
    ratings = make_file(json.dumps([rated("movie", GATE, 9), rated("show", SHOW, 7)]))
    context = ReadContext(ZoneInfo("Europe/Dublin"), "2025-01-01T00:00:00")
    assert FORMAT.survey is not None
    for file in (history, ratings):
        FORMAT.survey(file, context)
    found = [item for file in (history, ratings) for item in FORMAT.read(file, context)]
    records = [item for item in found if not isinstance(item, BadRecord)]
    assert [(record["_class"], record.get("_rating")) for record in records] == [
        ("MovieStream", 4.5),
        ("MovieStream", 4.5),
        ("EpisodeStream", None),
        ("Rating", 3.5),
    ]
    assert records[-1]["_title"] == "Hedges"
    assert [item.reason for item in found if isinstance(item, BadRecord)] == ["its rating is with its viewing"]


def test_lists_and_counts_are_no_viewings(read: Any) -> None:
    listed = {"listed_at": "2024-01-01T00:00:00Z", "type": "movie", "movie": GATE}
    counted = {"plays": 3, "last_watched_at": "2024-01-01T00:00:00Z", "movie": GATE}
    outcome = read(FORMAT, json.dumps([listed, counted, film()]))
    assert len(outcome.records) == 1
    assert outcome.reasons == [
        "on a list: not watched by that",
        "only how often and when last: each viewing is in the history",
    ]


def test_the_id_is_that_of_the_history(read: Any) -> None:
    assert [record["_id"] for record in read(FORMAT, json.dumps([episode(), film()])).records] == [
        "history-2",
        "history-1",
    ]


@pytest.mark.parametrize("key", ["id", "watched_at", "movie", "episode", "show", "action"])
@pytest.mark.parametrize("value", [None, 10**400, -1, 1e308, [], {}, [[1]], "\0", True, {"ids": [1], "title": {}}])
def test_any_value_under_any_key(mapped: Any, key: str, value: Any) -> None:
    rows = [film(**{key: value}), episode(**{key: value}), rated("movie", GATE, value), 5, film(id=77)]
    found = mapped(FORMAT, json.dumps(rows))
    assert len(found.events) + sum(bad.count for bad in found.bad if bad.key is None) >= len(rows) - 1
    assert "trakt/history-77" in found.events
