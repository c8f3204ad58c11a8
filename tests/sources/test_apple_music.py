"""Apple Music's play activity."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.apple_music import FORMAT

COLUMNS = (
    "Song Name,Album Name,Event Type,Event Start Timestamp,Event End Timestamp,Play Duration Milliseconds,"
    "UTC Offset In Seconds,End Reason Type,Client IP Address,Device Identifier,Feature Name\n"
)
PLAY = (
    "Clover,Field,PLAY_END,2024-07-05T21:15:00.5Z,2024-07-05T21:18:20.5Z,200000,"
    "7200,TRACK_SKIPPED_FORWARDS,198.51.100.4,d1,library\n"
)


def test_it_is_told_by_its_columns(make_file: Any) -> None:
    assert detect(make_file(COLUMNS + PLAY)) is FORMAT


def test_a_play_is_at_the_time_where_the_person_was(mapped: Any) -> None:
    event = mapped(FORMAT, COLUMNS + PLAY).only
    assert (event["a"], event["ev:songName"], event["ev:album"]) == (["ev:MusicStream"], ["Clover"], ["Field"])
    assert (event["ev:start"], event["ev:end"]) == (["2024-07-05T23:15:00.5"], ["2024-07-05T23:18:20.5"])
    assert event["ev:startInstant"] == ["2024-07-05T23:15:00.5+02:00"]
    assert (event["ev:duration"], event["ev:skipped"]) == (["200"], ["true"])
    assert event["key:Feature%20Name"] == ["library"]
    assert "198.51.100.4" not in str(event)
    assert "d1" not in str(event)


def test_what_is_no_play_is_kept_out_with_a_reason(read: Any) -> None:
    rows = [
        PLAY.replace("PLAY_END", "PLAY_START"),
        PLAY.replace("PLAY_END", "LYRIC_DISPLAY"),
        PLAY.replace(",200000,", ",0,"),
        PLAY.replace("Clover", ""),
        PLAY,
    ]
    outcome = read(FORMAT, COLUMNS + "".join(rows))
    assert len(outcome.records) == 1
    assert outcome.reasons == [
        "the beginning of a play: its end is a row of its own",
        "no play, but LYRIC_DISPLAY",
        "not played (0 ms)",
        "no song is named",
    ]


def test_a_start_that_is_missing_is_told_by_the_end(read: Any) -> None:
    record = read(FORMAT, COLUMNS + PLAY.replace("2024-07-05T21:15:00.5Z", "")).only
    assert record["_start"] == "2024-07-05T23:15:00.500000+02:00"


@pytest.mark.parametrize("value", ["", "never", "9" * 300, "-1", "1e999", "nan", "0001-01-01T00:00:00Z", "\u2028"])
def test_any_value_in_any_cell(mapped: Any, value: str) -> None:
    cells = PLAY.strip().split(",")
    for at in range(len(cells)):
        row = ",".join([*cells[:at], value, *cells[at + 1 :]]) + "\n"
        found = mapped(FORMAT, COLUMNS + row + PLAY)
        assert len(found.events) + sum(bad.count for bad in found.bad if bad.key is None) == 2
