"""YouTube's history and Google My Activity."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.sources.detect import describe, detect
from reqap_kg.sources.media.google_activity import FORMAT
from reqap_kg.sources.media.google_titles import split_title


def entry(title: str = "Watched Pruning a hedge", **keys: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "header": "YouTube",
        "title": title,
        "titleUrl": "https://www.youtube.com/watch?v=abc",
        "subtitles": [{"name": "Garden Lab", "url": "https://www.youtube.com/channel/UC1"}],
        "time": "2024-07-05T21:15:00.250Z",
        "products": ["YouTube"],
        "activityControls": ["YouTube watch history"],
    }
    return row | keys


def google(title: str, url: str, **keys: Any) -> dict[str, Any]:
    row = {"header": "Search", "title": title, "titleUrl": url, "time": "2024-01-02T10:00:00Z", "products": ["Search"]}
    return row | keys


def test_it_is_told_by_its_keys_and_youtube_is_a_source_of_its_own(make_file: Any) -> None:
    youtube = make_file(json.dumps([entry()]))
    search = make_file(json.dumps([google("Visited Ferns", "https://a.test/")]))
    assert (detect(youtube), detect(search)) == (FORMAT, FORMAT)
    assert (FORMAT.source_name(youtube), FORMAT.source_name(search)) == ("youtube", "google-activity")
    assert FORMAT.recognise(make_file('[{"title": "T", "time": "2024-01-01T00:00:00Z"}]')) == 0


def test_html_is_refused_with_the_advice_to_choose_json(make_file: Any) -> None:
    page = (
        '<html><head><title>My Activity</title></head><body><p class="mdl-typography--title">YouTube</p></body></html>'
    )
    assert "JSON" in describe(make_file(page)).text
    assert "Takeout" in describe(make_file(page)).text


def test_a_video(mapped: Any) -> None:
    event = mapped(FORMAT, json.dumps([entry()])).only
    assert event["a"] == ["ev:OnlineVideoStream"]
    assert (event["ev:videoTitle"], event["ev:channel"]) == (["Pruning a hedge"], ["Garden Lab"])
    assert (event["ev:start"], event["ev:day"]) == (["2024-07-05T22:15:00.25"], ["2024-07-05"])
    assert event["ev:startInstant"] == ["2024-07-05T21:15:00.25Z"]
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["second"], ["stated"])
    assert event["rdfs:label"] == ["Pruning a hedge – Garden Lab"]


@pytest.mark.parametrize(
    "title", ["Ferns angesehen", "Vous avez regardé Ferns", "Je hebt naar Ferns gekeken", "Ferns を視聴しました"]
)
def test_titles_of_other_languages(read: Any, title: str) -> None:
    assert read(FORMAT, json.dumps([entry(title)])).only["_videoTitle"] == "Ferns"


def test_a_verb_of_an_unknown_language_stays_in_the_title(read: Any) -> None:
    record = read(FORMAT, json.dumps([entry("Ferns kijkte ik")])).only
    assert (record["_class"], record["_videoTitle"]) == ("OnlineVideoStream", "Ferns kijkte ik")


def test_the_title_of_a_video_that_is_gone_is_not_known(read: Any) -> None:
    gone = entry("Watched a video that has been removed", titleUrl=None, subtitles=None)
    linked = entry("Watched https://www.youtube.com/watch?v=abc", subtitles=[])
    records = read(FORMAT, json.dumps([gone, linked])).records
    assert [record["_class"] for record in records] == ["OnlineVideoStream"] * 2
    assert not any("_videoTitle" in record for record in records)
    assert records[0]["_label"] == "a video that has been removed"


def test_songs_of_youtube_music(mapped: Any) -> None:
    row = entry("Watched Clover", header="YouTube Music", subtitles=[{"name": "The Fixtures - Topic"}])
    event = mapped(FORMAT, json.dumps([row])).only
    assert (event["a"], event["ev:songName"], event["ev:artist"]) == (["ev:MusicStream"], ["Clover"], ["The Fixtures"])


def test_searches_are_read_from_the_link_whatever_the_language(read: Any) -> None:
    rows = [
        entry("Nach hedge gesucht", titleUrl="https://www.youtube.com/results?search_query=hedge+shears"),
        google("Searched for ferns", "https://www.google.com/search?q=ferns+of+wales"),
        google("Etsitty: saniainen", "https://www.google.fi/search?q=saniainen"),
        google("Searched for Fen Bridge", "https://www.google.com/maps/place/x", header="Maps"),
    ]
    records = read(FORMAT, json.dumps(rows)).records
    assert [record["_class"] for record in records] == ["WebSearch"] * 4
    assert [record["_searchPhrase"] for record in records] == [
        "hedge shears",
        "ferns of wales",
        "saniainen",
        "Fen Bridge",
    ]


def test_what_else_was_done(mapped: Any) -> None:
    rows = [
        google("Visited Ferns of Wales", "https://a.test/ferns"),
        google("Viewed area around Fen", "https://b.test"),
    ]
    events = mapped(FORMAT, json.dumps(rows)).by("rdfs:label")
    assert events["Visited Ferns of Wales"]["a"] == ["ev:OnlineActivity"]
    assert events["Visited Ferns of Wales"]["ev:title"] == ["Ferns of Wales"]
    assert events["Viewed area around Fen"]["ev:service"] == ["Search"]


def test_advertisements_are_kept_out_with_a_count(read: Any) -> None:
    ads = [entry(details=[{"name": name}]) for name in ("From Google Ads", "Von Google Anzeigen")]
    outcome = read(FORMAT, json.dumps([*ads, entry()]))
    assert len(outcome.records) == 1
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [("an advertisement, not watched by choice", 2)]


def test_the_same_entry_in_a_newer_export_has_the_same_id(read: Any) -> None:
    ids = {record["_id"] for record in read(FORMAT, json.dumps([entry(), entry()])).records}
    newer = [entry("Ferns angesehen", time="2025-01-01T00:00:00Z"), entry("Pruning a hedge angesehen"), entry()]
    assert len(ids) == 2
    assert ids < {record["_id"] for record in read(FORMAT, json.dumps(newer)).records}


@pytest.mark.parametrize("key", ["header", "title", "titleUrl", "subtitles", "time", "products", "details"])
@pytest.mark.parametrize("value", [None, 10**400, -1, 1e308, [], {}, [[1]], "http://[x", "\0", True, {"name": [1]}])
def test_any_value_under_any_key(mapped: Any, key: str, value: Any) -> None:
    found = mapped(FORMAT, json.dumps([entry(**{key: value}), entry(time="2025-01-01T00:00:00Z"), 5, None]))
    assert len(found.events) + sum(bad.count for bad in found.bad if bad.key is None) >= 4


def test_splitting_titles() -> None:
    assert split_title("Watched Watched").what == "Watched"
    assert split_title('Nach "hedge" gesucht').what == "hedge"
    assert split_title("Watched ").verb is None
    assert split_title("Ferns") == split_title("Ferns")
