"""Last.fm's scrobbles."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.lastfm import FORMAT

HEADER = "uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid\n"


def track(name: str = "Clover", uts: Any = "1720214100", **keys: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "artist": {"mbid": "", "#text": "The Fixtures"},
        "album": {"mbid": "", "#text": "Field"},
        "name": name,
        "url": "https://a.test/clover",
        "date": {"uts": uts, "#text": "05 Jul 2024, 21:15"},
    }
    return row | keys


def pages(*tracks: Any) -> str:
    return json.dumps([{"track": list(tracks), "@attr": {"page": "1"}}])


def test_all_its_shapes_are_told(make_file: Any) -> None:
    shapes = [
        pages(track()),
        json.dumps([track(), track()]),
        json.dumps({"recenttracks": {"track": [track()]}}),
        HEADER + "1720214100,2024-07-05 21:15:00,The Fixtures,,Field,,Clover,\n",
        '"The Fixtures",,Clover,"05 Jul 2024, 21:15"\n',
    ]
    assert [detect(make_file(text)).name for text in shapes] == ["lastfm"] * 5
    assert FORMAT.recognise(make_file("a,b,c,d\n1,2,3,4\n")) == 0
    assert FORMAT.recognise(make_file('[{"track": "A", "artist": "B"}]')) == 0


def test_a_play(mapped: Any) -> None:
    event = mapped(FORMAT, pages(track())).only
    assert event["a"] == ["ev:MusicStream"]
    assert (event["ev:songName"], event["ev:artist"], event["ev:album"]) == (["Clover"], ["The Fixtures"], ["Field"])
    assert (event["ev:start"], event["ev:startInstant"]) == (["2024-07-05T22:15:00"], ["2024-07-05T21:15:00Z"])
    assert event["rdfs:label"] == ["Clover – The Fixtures"]


def test_a_play_has_the_same_id_in_every_shape(read: Any) -> None:
    texts = [
        pages(track()),
        "\ufeff" + HEADER + "1720214100,2024-07-05 21:15:00,The Fixtures,,Field,,Clover,\n",
        "\ufeffThe Fixtures,Field,Clover,05 Jul 2024 21:15\n",
    ]
    assert len({read(FORMAT, text).only["_id"] for text in texts}) == 1


def test_a_table_without_a_header_loses_no_row(read: Any) -> None:
    rows = "".join(f"The Fixtures,,Song {n},05 Jul 2024 21:1{n}\n" for n in range(5))
    assert [record["_songName"] for record in read(FORMAT, rows).records] == [f"Song {n}" for n in range(5)]


def test_what_is_still_playing_has_no_time(read: Any) -> None:
    playing = {**track(), "@attr": {"nowplaying": "true"}}
    del playing["date"]
    outcome = read(FORMAT, pages(playing, track()))
    assert len(outcome.records) == 1
    assert outcome.reasons == ["still playing when it was exported: it has no time"]


@pytest.mark.parametrize("key", ["artist", "album", "name", "date", "@attr", "url"])
@pytest.mark.parametrize(
    "value", [None, 10**400, -1, 1e308, [], {}, [[1]], "\0", True, {"#text": [1]}, {"uts": "9" * 30}]
)
def test_any_value_under_any_key(mapped: Any, key: str, value: Any) -> None:
    found = mapped(FORMAT, pages(track(**{key: value}), 5, track("Dock")))
    assert len(found.events) + sum(bad.count for bad in found.bad) >= 3
    assert "Dock" in str(found.events)
