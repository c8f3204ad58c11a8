"""Spotify's two kinds of listening history."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.streaming.spotify import ACCOUNT, EXTENDED

NAMES = ("master_metadata_track_name", "master_metadata_album_artist_name", "master_metadata_album_album_name")


def stream(ts: str = "2024-07-05T21:15:00Z", played: int = 200_000, **keys: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ts": ts,
        "platform": "ios",
        "ms_played": played,
        "conn_country": "IE",
        "ip_addr": "198.51.100.4",
        "user_agent_decrypted": "unknown",
        **dict.fromkeys(NAMES),
        "spotify_track_uri": None,
        "episode_name": None,
        "skipped": False,
        "incognito_mode": False,
    }
    return row | keys


def track(name: str = "Clover", **keys: Any) -> dict[str, Any]:
    given: dict[str, Any] = {}
    given |= {NAMES[0]: name, NAMES[1]: "The Fixtures", NAMES[2]: "Field", "spotify_track_uri": f"spotify:track:{name}"}
    return stream(**(given | keys))


def test_formats_are_told_by_their_keys(make_file: Any) -> None:
    extended = make_file(json.dumps([track()]))
    account = make_file('[{"endTime": "2024-01-05 14:23", "artistName": "A", "trackName": "B", "msPlayed": 1}]')
    assert (EXTENDED.recognise(extended), ACCOUNT.recognise(extended)) == (1.0, 0.0)
    assert (EXTENDED.recognise(account), ACCOUNT.recognise(account)) == (0.0, 1.0)
    assert EXTENDED.recognise(make_file(b"PK\3\4 not json")) == 0.0


def test_the_end_is_stated_and_the_start_is_the_time_played_before_it(mapped: Any) -> None:
    event = mapped(EXTENDED, json.dumps([track(played=200_500)])).only
    assert event["a"] == ["ev:MusicStream"]
    assert event["ev:start"] == ["2024-07-05T22:11:39.5"]
    assert event["ev:end"] == ["2024-07-05T22:15:00"]
    assert event["ev:startInstant"] == ["2024-07-05T21:11:39.5Z"]
    assert event["ev:duration"] == ["200.5"]
    assert event["ev:timeCertainty"] == ["stated"]
    assert event["ev:day"] == ["2024-07-05"]


def test_names_land_in_the_ontology_and_other_keys_are_kept(mapped: Any) -> None:
    event = mapped(EXTENDED, json.dumps([track(reason_end="fwdbtn", skipped=True)])).only
    assert event["ev:songName"] == ["Clover"]
    assert event["ev:artist"] == ["The Fixtures"]
    assert event["ev:album"] == ["Field"]
    assert event["ev:skipped"] == ["true"]
    assert event["ev:country"] == ["IE"]
    assert event["ev:device"] == ["ios"]
    assert event["key:reason_end"] == ["fwdbtn"]
    assert event["key:incognito_mode"] == ["false"]
    assert event["rdfs:label"] == ["Clover – The Fixtures"]


def test_the_address_and_the_browser_are_dropped(mapped: Any) -> None:
    event = mapped(EXTENDED, json.dumps([track()])).only
    assert not any(key.endswith(("ip_addr", "user_agent_decrypted")) for key in event)
    assert "198.51.100.4" not in str(event)


def test_a_stream_over_midnight_touches_both_days(mapped: Any) -> None:
    event = mapped(EXTENDED, json.dumps([track(ts="2024-01-02T00:02:00Z", played=300_000)])).only
    assert event["ev:day"] == ["2024-01-01", "2024-01-02"]


def test_podcasts_audiobooks_and_the_unnamed(mapped: Any) -> None:
    rows = [
        stream("2024-01-01T10:00:00Z", episode_name="On hedges", episode_show_name="Rows", spotify_episode_uri="e:1"),
        stream("2024-01-01T11:00:00Z", audiobook_title="The Field", audiobook_chapter_title="One", audiobook_uri="b"),
        stream("2024-01-01T12:00:00Z"),
    ]
    by_class = mapped(EXTENDED, json.dumps(rows)).by("a")
    assert by_class["ev:PodcastStream"]["ev:episodeName"] == ["On hedges"]
    assert by_class["ev:PodcastStream"]["ev:showName"] == ["Rows"]
    assert by_class["ev:AudiobookStream"]["ev:audiobookTitle"] == ["The Field"]
    assert by_class["ev:AudiobookStream"]["key:audiobook_chapter_title"] == ["One"]
    assert by_class["ev:Stream"]["ev:start"] == ["2024-01-01T11:56:40"]


def test_what_was_never_played_is_kept_out_once_with_a_count(read: Any) -> None:
    outcome = read(EXTENDED, json.dumps([track(played=0), track(), track(played=0)]))
    assert len(outcome.records) == 1
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [("not played (0 ms)", 2)]


def test_bad_rows_are_named_and_nothing_else_is_lost(read: Any) -> None:
    rows = [track(), track(ts="yesterday"), track(played=-5), "text", track(ts=None), track("Dock")]
    outcome = read(EXTENDED, json.dumps(rows))
    assert [record[NAMES[0]] for record in outcome.records] == ["Clover", "Dock"]
    assert [bad.where for bad in outcome.bad] == ["element 2", "element 3", "element 4", "element 5"]


def test_a_newer_reordered_export_gives_the_same_ids(read: Any) -> None:
    old = [track(), track(), track("Dock")]
    new = [track("Fern"), track("Dock", new_key=1), track(), track()]
    ids = {record["_id"] for record in read(EXTENDED, json.dumps(old)).records}
    assert len(ids) == 3, "the same stream twice is two events"
    assert ids < {record["_id"] for record in read(EXTENDED, json.dumps(new)).records}


def test_older_spellings_of_the_time(read: Any) -> None:
    rows = [track(ts="2015-03-01 10:00:00 UTC"), track(ts="2015-03-01T10:00:00")]
    assert {record["ts"] for record in read(EXTENDED, json.dumps(rows)).records} == {"2015-03-01T10:00:00Z"}


def test_account_history_is_to_the_minute_and_its_zone_assumed(mapped: Any) -> None:
    row = {"endTime": "2024-07-05 14:23", "artistName": "Ada", "trackName": "Loop", "msPlayed": 60_000}
    event = mapped(ACCOUNT, json.dumps([row])).only
    assert event["ev:end"] == ["2024-07-05T15:23:00"]
    assert event["ev:start"] == ["2024-07-05T15:22:00"]
    assert event["ev:timePrecision"] == ["minute"]
    assert event["ev:timeCertainty"] == ["assumed"]
    assert (event["ev:artist"], event["ev:songName"], event["ev:duration"]) == (["Ada"], ["Loop"], ["60"])


def test_account_podcasts(mapped: Any) -> None:
    row = {"endTime": "2024-07-05 14:23", "podcastName": "Rows", "episodeName": "On hedges", "msPlayed": 60_000}
    event = mapped(ACCOUNT, json.dumps([row])).only
    assert (event["a"], event["ev:showName"], event["ev:episodeName"]) == (
        ["ev:PodcastStream"],
        ["Rows"],
        ["On hedges"],
    )


def test_a_file_cut_in_the_middle_is_refused(read: Any) -> None:
    text = json.dumps([track() for _ in range(50)])
    with pytest.raises(SourceError, match="cut off"):
        read(EXTENDED, text[: len(text) // 2])


def test_a_nesting_bomb_costs_itself(read: Any) -> None:
    bomb = '{"ts": "x", "ms_played": 1, "deep": ' + "[" * 100_000 + "]" * 100_000 + "}"
    outcome = read(EXTENDED, f"[{bomb}, {json.dumps(track())}]")
    assert (len(outcome.records), outcome.reasons) == (1, ["JSON nested more than 200 deep"])
