"""ListenBrainz's listens."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.listenbrainz import FORMAT


def listen(song: Any = "Clover", at: Any = 1720214100, **more: Any) -> dict[str, Any]:
    track = {"artist_name": "The Fixtures feat. Ann", "track_name": song, "release_name": "Field"}
    return {"listened_at": at, "track_metadata": {**track, "additional_info": more}, "inserted_at": 1720214110}


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_lines_and_lists_are_told(make_file: Any) -> None:
    assert detect(make_file(lines(listen(), listen()))) is FORMAT
    assert detect(make_file(json.dumps([listen()]))) is FORMAT


def test_a_listen(mapped: Any) -> None:
    row = listen(artist_names=["The Fixtures", "Ann"], duration_ms=200000, music_service_name="Fen Radio")
    event = mapped(FORMAT, lines(row)).only
    assert (event["a"], event["ev:songName"], event["ev:album"]) == (["ev:MusicStream"], ["Clover"], ["Field"])
    assert sorted(event["ev:artist"]) == ["Ann", "The Fixtures"]
    assert (event["ev:start"], event["ev:service"]) == (["2024-07-05T22:15:00"], ["Fen Radio"])
    assert "ev:duration" not in event, "how long the song is, not how long it was played"


def test_one_line_alone_and_a_list_give_the_same_ids(read: Any) -> None:
    ids = [record["_id"] for text in (lines(listen()), json.dumps([listen()])) for record in read(FORMAT, text).records]
    assert len(ids) == 2
    assert len(set(ids)) == 1


@pytest.mark.parametrize("value", [None, 10**400, -1, 1e308, [], {}, [[1]], "\0", True, "1720214100", float("nan")])
def test_any_value_under_any_key(mapped: Any, value: Any) -> None:
    row = listen()
    rows = [{**row, "listened_at": value}, {**row, "track_metadata": value}, listen(value), listen(artist_names=value)]
    found = mapped(FORMAT, lines(*rows, 7, "x", listen("Dock")))
    assert len(found.events) + sum(bad.count for bad in found.bad) >= len(rows)
    assert "Dock" in str(found.events)
