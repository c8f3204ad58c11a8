"""Mastodon outboxes and single activities."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import HostileInput, SourceError
from reqap_kg.sources.mastodon import FORMAT

ME = "https://social.test/users/ada"


def create(number: int = 1, **post: Any) -> dict[str, Any]:
    own = {"id": f"{ME}/statuses/{number}", "type": "Note", "published": "2024-05-01T10:00:00Z", "content": "<p>Hi</p>"}
    activity = {"id": f"{ME}/statuses/{number}/activity", "type": "Create", "actor": ME, "to": ["public"]}
    return activity | {"published": "2024-05-01T10:00:00Z", "object": own | post}


def boost(number: int = 9) -> dict[str, Any]:
    activity = {"id": f"{ME}/statuses/{number}/activity", "type": "Announce", "actor": ME}
    return activity | {"published": "2024-06-02T08:30:00Z", "object": "https://other.test/users/bo/statuses/77"}


def outbox(*items: Any) -> str:
    shell = {"@context": "https://www.w3.org/ns/activitystreams", "id": "outbox.json", "type": "OrderedCollection"}
    return json.dumps(shell | {"totalItems": len(items), "orderedItems": list(items)})


def test_a_post_is_text_with_tags_mentions_and_media(read: Any) -> None:
    tags = [{"type": "Hashtag", "name": "#swim"}, {"type": "Mention", "name": "@bo@other.test"}, {"type": "Emoji"}]
    media = [
        {"type": "Document", "name": "A heron", "url": "m/1.jpg"},
        {"type": "Document", "name": None, "url": "m/2"},
    ]
    post = create(
        content="<p>Cold!<br />Very &amp; wet</p><p>#swim</p>", tag=tags, attachment=media, url="https://s.t/1"
    )
    record = read(FORMAT, outbox(post)).only
    assert record["_text"] == "Cold!\nVery & wet\n\n#swim"
    assert record["_tags"] == ["swim"]
    assert record["_mentions"] == ["bo@other.test"]
    assert record["_media"] == ["A heron", "m/2"]
    assert record["_boost"] is False
    assert record["_published"] == "2024-05-01T10:00:00Z"
    assert (record["_id"], record["_url"]) == (f"{ME}/statuses/1", "https://s.t/1")
    assert record["activity.actor"] == ME
    assert record["content"].startswith("<p>Cold!"), "the post's own keys are kept"


def test_a_boost_has_the_address_of_what_it_shares(read: Any) -> None:
    record = read(FORMAT, outbox(boost())).only
    assert record["_boost"] is True
    assert record["_url"] == "https://other.test/users/bo/statuses/77"
    assert record["_published"] == "2024-06-02T08:30:00Z"
    assert record["_text"] == ""


def test_a_boost_of_an_own_post_keeps_the_time_of_the_boost(read: Any) -> None:
    again = create()["object"] | {"published": "2020-01-01T00:00:00Z"}
    record = read(FORMAT, outbox(boost() | {"object": again})).only
    assert record["_published"] == "2024-06-02T08:30:00Z"
    assert record["_id"].endswith("9/activity")


def test_content_warnings_and_polls_are_text(read: Any) -> None:
    poll = create(summary="Food", content="<p>Which?</p>", oneOf=[{"name": "figs"}, {"name": "rye"}])
    assert read(FORMAT, outbox(poll)).only["_text"] == "Food\n\nWhich?\n\n- figs\n- rye"


def test_other_activities_and_repetitions_are_counted_not_lost_silently(read: Any) -> None:
    outcome = read(FORMAT, outbox(create(1), {"type": "Delete"}, {"type": "Delete"}, create(1), 5, create(2)))
    assert [record["_id"][-1] for record in outcome.records] == ["1", "2"]
    reasons = {record.reason: record.count for record in outcome.bad}
    assert reasons == {
        "not an activity": 1,
        "not a post: an activity of type 'Delete'": 2,
        "the same post again": 1,
    }


def test_a_single_activity_is_read(read: Any, make_file: Any) -> None:
    content = json.dumps(create())
    assert FORMAT.recognise(make_file(content)) == 0.9
    assert read(FORMAT, content).only["_text"] == "Hi"


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (outbox(create()), True),
        (outbox(boost()), True),
        (outbox(), True),
        (json.dumps({"@context": "x", "id": "likes.json", "orderedItems": ["https://o.test/1"]}), False),
        (json.dumps({"type": "Person", "id": ME, "outbox": "outbox.json"}), False),
        (json.dumps([create()]), False),
    ],
)
def test_only_outboxes_are_recognised(make_file: Any, content: str, known: bool) -> None:
    assert (FORMAT.recognise(make_file(content)) > 0) is known


def test_a_long_outbox_is_recognised_and_streamed(read: Any, make_file: Any) -> None:
    content = outbox(*(create(number, content=f"<p>{'long ' * 200}</p>") for number in range(300)))
    assert FORMAT.recognise(make_file(content)) == 1.0
    limits = Limits(record_bytes=200_000)
    assert len(read(FORMAT, content, limits=limits).records) == 300, "the limit is on one element, not on the file"


def test_limits_and_broken_files(read: Any) -> None:
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, outbox(create())[:-40])
    with pytest.raises(HostileInput, match="nested"):
        read(FORMAT, outbox(create())[:-2] + "," + '{"a":' * 1000)
    with pytest.raises(HostileInput, match="larger"):
        read(FORMAT, outbox(create(content="x" * 500_000)), limits=Limits(record_bytes=100_000))
    with pytest.raises(SourceError, match="no activities"):
        read(FORMAT, '{"orderedItems": {"a": 1}}')


@pytest.mark.shared_data
def test_the_samples(read: Any, shared_data: Path) -> None:
    folder = shared_data / "export-samples/mastodon"
    assert read(FORMAT, folder / "outbox.json").records[0]["_text"] == "Hello world!"
    record = read(FORMAT, folder / "activity-with-attachment.json").only
    assert record["_mentions"] == ["george@a2mi.social", "samfirke@a2mi.social"]
    assert len(record["_media"]) == 2
    assert "@george" in record["_text"]


@pytest.mark.shared_data
@pytest.mark.parametrize(("persona", "zone"), [("p1", "Europe/Dublin"), ("p2", "America/Chicago")])
def test_the_personas_posts_agree_with_what_they_observed(
    read: Any, shared_data: Path, persona: str, zone: str
) -> None:
    folder = shared_data / "personas" / persona
    rows = [json.loads(line) for line in (folder / "observables.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = {(row["timestamp"], row["text"]) for row in rows if row["source"] == "social_media"}
    found = set()
    for record in read(FORMAT, folder / "exports/outbox.json").records:
        moment = datetime.fromisoformat(record["_published"]).astimezone(ZoneInfo(zone))
        found.add((moment.replace(tzinfo=None).isoformat(), record["_text"]))
    assert found == gold


# ---------------------------------------------------------------- the map


def test_the_map_of_posts(mapped: Any) -> None:
    tags = [{"type": "Hashtag", "name": "#swim"}, {"type": "Mention", "name": "@bo@other.test"}]
    post = create(
        content="<p>Cold &amp; wet</p>", tag=tags, url="https://s.t/1", inReplyTo="https://s.t/0", sensitive=False
    )
    event = mapped(FORMAT, outbox(post)).only
    assert event["a"] == ["ev:SocialPost"]
    assert event["ev:text"] == event["rdfs:label"] == ["Cold & wet"]
    assert event["ev:start"] == ["2024-05-01T11:00:00"], "UTC becomes the time at home"
    assert event["ev:startInstant"] == ["2024-05-01T10:00:00Z"]
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["second"], ["stated"])
    assert (event["ev:tag"], event["ev:mention"], event["ev:boost"]) == (["swim"], ["bo@other.test"], ["false"])
    assert (event["ev:url"], event["ev:inReplyTo"]) == (["https://s.t/1"], ["https://s.t/0"])
    assert event["key:sensitive"] == ["false"]
    assert event["key:activity.actor"] == [ME]
    assert "key:content" not in event


def test_the_map_of_boosts(mapped: Any) -> None:
    event = mapped(FORMAT, outbox(boost())).only
    assert event["ev:boost"] == ["true"]
    assert event["rdfs:label"] == ["https://other.test/users/bo/statuses/77"]
    assert "ev:text" not in event
