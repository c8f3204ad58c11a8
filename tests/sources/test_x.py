"""Posts of an X archive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.x import FORMAT


def post(**keys: Any) -> dict[str, Any]:
    return {"id_str": "17", "id": "17", "created_at": "Sat Mar 02 09:15:00 +0000 2024", "full_text": "Hello"} | keys


def script(*posts: dict[str, Any], name: str = "window.YTD.tweets.part0", wrap: bool = True) -> str:
    return f"{name} = " + json.dumps([{"tweet": item} if wrap else item for item in posts], indent=1)


def test_a_post_with_everything(read: Any) -> None:
    entities = {
        "hashtags": [{"text": "chess", "indices": ["0", "6"]}],
        "user_mentions": [{"name": "Bo B", "screen_name": "bo"}, {"screen_name": "cy"}],
        "urls": [{"url": "https://t.co/a", "expanded_url": "https://club.test/blitz"}],
        "media": [
            {"url": "https://t.co/p", "expanded_url": "https://x.test/p", "media_url_https": "https://i.test/p.jpg"}
        ],
    }
    text = "R&amp;D with @bo #chess https://t.co/a https://t.co/p"
    record = read(FORMAT, script(post(full_text=text, entities=entities, favorite_count="3"))).only
    assert record["_text"] == "R&D with @bo #chess https://club.test/blitz"
    assert record["_tags"] == ["chess"]
    assert record["_mentions"] == ["Bo B", "cy"]
    assert record["_links"] == ["https://club.test/blitz"]
    assert record["_media"] == ["https://x.test/p"]
    assert record["_id"] == "17"
    assert record["favorite_count"] == "3"
    assert record["entities"] == entities


def test_a_repost_names_whose_it_was(read: Any) -> None:
    record = read(FORMAT, script(post(full_text="RT @bo: Mate in two"))).only
    assert (record["_repost"], record["_repostOf"]) == (True, "bo")


@pytest.mark.parametrize(
    "content",
    [
        script(post()),
        script(post(), wrap=False, name="window.YTD.tweet.part3"),
        json.dumps([post()]),
        json.dumps([{"tweet": post()}]),
        "\ufeff" + script(post()),
        script(post()) + ";\n",
        script(post(), name="var tweets"),
    ],
)
def test_all_generations_of_the_archive_are_recognised_and_read(read: Any, make_file: Any, content: str) -> None:
    assert FORMAT.recognise(make_file(content)) >= 0.8
    assert read(FORMAT, content).only["_text"] == "Hello"


@pytest.mark.parametrize(
    "content",
    [
        script(post(), name="window.YTD.deleted_tweets.part0"),
        'window.YTD.like.part0 = [{"like": {"tweetId": "1", "fullText": "x"}}]',
        '[{"text": "x", "date": "2024-01-01"}]',
        '[{"created_at": "2024-01-01", "text": "x"}]',
        "window.YTD",
        "",
    ],
)
def test_other_lists_are_not_taken_for_posts(make_file: Any, content: str) -> None:
    assert FORMAT.recognise(make_file(content)) == 0.0


def test_what_is_no_post_is_reported_with_its_place(read: Any) -> None:
    outcome = read(FORMAT, "x = [5, {}, " + json.dumps({"tweet": post()}) + "]")
    assert len(outcome.records) == 1
    assert [(record.where, record.reason) for record in outcome.bad] == [
        ("element 1", "not a post"),
        ("element 2", "not a post"),
    ]


def test_a_post_without_a_number_has_a_stable_identifier(read: Any) -> None:
    bare = {"created_at": "Sat Mar 02 09:15:00 +0000 2024", "full_text": "Hello"}
    first = [record["_id"] for record in read(FORMAT, script(bare, bare)).records]
    assert len(set(first)) == 2
    assert first == [record["_id"] for record in read(FORMAT, script(bare, bare)).records]


def test_a_cut_off_archive_is_refused(read: Any) -> None:
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, script(post(), post())[:-30])
    with pytest.raises(SourceError, match="no list"):
        read(FORMAT, "window.YTD.tweets.part0 = ")


@pytest.mark.shared_data
def test_the_sample(read: Any, make_file: Any, shared_data: Path) -> None:
    record = read(FORMAT, shared_data / "export-samples/twitter/tweets.js").only
    assert record["_id"] == "1997370581860180189"
    assert record["_mentions"] == ["Example Person"]
    assert record["created_at"] == "Sat Dec 06 18:20:30 +0000 2025"


# ---------------------------------------------------------------- the map


def test_the_map_of_posts(mapped: Any) -> None:
    entities = {"hashtags": [{"text": "chess"}], "user_mentions": [{"name": "Bo"}]}
    content = script(
        post(full_text="R&amp;D #chess", entities=entities, favorite_count="3", retweet_count="1", lang="en")
    )
    event = mapped(FORMAT, content).only
    assert event["a"] == ["ev:SocialPost"]
    assert event["ev:text"] == ["R&D #chess"]
    assert (event["ev:start"], event["ev:startInstant"]) == (["2024-03-02T09:15:00"], ["2024-03-02T09:15:00Z"])
    assert (event["ev:likes"], event["ev:shares"], event["ev:boost"]) == (["3"], ["1"], ["false"])
    assert (event["ev:tag"], event["ev:mention"], event["ev:sourceId"]) == (["chess"], ["Bo"], ["17"])
    assert event["key:lang"] == ["en"]
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["second"], ["stated"])


def test_a_post_with_a_bad_date_is_kept_out(mapped: Any) -> None:
    outcome = mapped(FORMAT, script(post(created_at="noon")))
    assert not outcome.events
    assert [(bad.key, "noon" in bad.reason) for bad in outcome.bad] == [(None, True)]
