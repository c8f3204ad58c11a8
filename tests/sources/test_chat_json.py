"""Logs of conversations as JSON: their layouts, sessions and places."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from reqap_kg.sources import conversations
from reqap_kg.sources.chat_json import FORMAT
from reqap_kg.sources.detect import detect

BEGIN = datetime(2024, 3, 1, 9, 0)


def said(minute: float, sender: str, text: str, **more: Any) -> dict[str, Any]:
    return {"sender": sender, "text": text, "timestamp": (BEGIN + timedelta(minutes=minute)).isoformat()} | more


TALK = [said(0, "Ann", "Hello"), said(1, "Bo", "Hi"), said(21, "Ann", "Still there?"), said(41.1, "Bo", "Back again")]


def messages(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["_kind"] == "message"]


def renamed(sender: str, text: str, time: str) -> list[dict[str, Any]]:
    return [
        {sender: row["sender"], text: row["text"], time: row["timestamp"], "number": n} for n, row in enumerate(TALK)
    ]


AUTHORED = renamed("author", "message", "created_at")


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(TALK),
        "".join(json.dumps(row) + "\n" for row in TALK),
        json.dumps({"title": "Garden", "messages": TALK}),
        json.dumps({"speaker_a": "Ann", "responses": renamed("speaker", "text", "time")}),
        json.dumps([{"name": "Garden", "turns": renamed("from", "content", "date")}]),
        json.dumps({"conversation": [row | {"author": {"name": row["author"]}} for row in AUTHORED]}),
    ],
)  # fmt: skip
def test_usual_layouts_are_recognised_and_tell_the_same(make_file: Any, read: Any, content: str) -> None:
    assert detect(make_file(content)).name == "chat-json"
    found = messages(read(FORMAT, content).records)
    assert [(row["_sender"], row["_text"]) for row in found] == [(row["sender"], row["text"]) for row in TALK]
    assert [row["_session"] for row in found] == [1, 1, 1, 2]
    assert [row["_position"] for row in found] == [1, 2, 3, 1]
    assert [row["_log"] for row in found] == [0, 1, 2, 3]
    assert [row["_addressee"] for row in found] == [["Bo"], ["Ann"], ["Bo"], ["Ann"]]


def test_a_session_tells_who_spoke_and_how_much(mapped: Any) -> None:
    events = mapped(FORMAT, json.dumps({"messages": TALK, "name": "Garden"})).events
    sessions = [event for event in events.values() if event["a"] == ["ev:ChatSession"]]
    first = next(event for event in sessions if event["ev:session"] == ["1"])
    assert len(sessions) == 2
    assert first["ev:chat"] == ["Garden"]
    assert (first["ev:start"], first["ev:end"]) == (["2024-03-01T09:00:00"], ["2024-03-01T09:21:00"])
    assert (first["ev:messageCount"], sorted(first["ev:participant"])) == (["3"], ["Ann", "Bo"])


def test_a_message_as_triples(mapped: Any) -> None:
    log = [said(0, "Ann", "Hello", id="m7", mood="fine", session=9), said(1, "Bo", "Hi", id="m8")]
    event = mapped(FORMAT, json.dumps(log)).by("ev:sourceId")["m7"]
    assert event["a"] == ["ev:ChatMessage"]
    assert (event["ev:sender"], event["ev:text"], event["rdfs:label"]) == (["Ann"], ["Hello"], ["Hello"])
    assert (event["ev:chat"], event["ev:addressee"]) == (["Ann and Bo"], ["Bo"])
    assert (event["ev:session"], event["ev:positionInSession"], event["ev:positionInLog"]) == (["1"], ["1"], ["0"])
    assert event["ev:day"] == ["2024-03-01"]
    assert event["key:mood"] == ["fine"]
    assert "key:session" not in event, "sessions are found by pauses, whatever a log says"


def test_the_gap_is_a_setting(read: Any) -> None:
    found = messages(read(FORMAT, json.dumps(TALK), session_gap_minutes=5).records)
    assert [row["_session"] for row in found] == [1, 1, 2, 3]


def test_order_is_that_of_time_and_of_equal_times_that_of_the_log(read: Any) -> None:
    log = [said(0, "Ann", "one"), said(0, "Bo", "two"), said(0, "Ann", "three"), said(5, "Bo", "four")]
    wanted = ["one", "two", "three", "four"]
    assert [row["_text"] for row in messages(read(FORMAT, json.dumps(log)).records)] == wanted
    assert [row["_text"] for row in messages(read(FORMAT, json.dumps(log[::-1])).records)] == wanted


def test_many_messages_are_sorted_outside_memory(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    log = [said((minute * 7) % 200, "Ann" if minute % 2 else "Bo", f"message {minute}") for minute in range(200)]
    whole = read(FORMAT, json.dumps(log)).records
    monkeypatch.setattr(conversations, "_RUN", 16)
    assert read(FORMAT, json.dumps(log)).records == whole
    assert [row["_start"] for row in messages(whole)] == sorted(row["timestamp"] for row in log)


@pytest.mark.parametrize(
    "record",
    [
        {"from": "a@b.org", "to": "c@d.org", "subject": "Hi", "text": "…", "date": "2024-03-01T09:00:00"},
        {"source": "mail", "sender": "Ann", "text": "…", "timestamp": "2024-03-01T09:00:00"},
        {"author": "Ann", "text": "A book", "date": "2024-03-01"},
        {"sender": "Ann", "text": "no time"},
        {"sender": "Ann", "timestamp": "2024-03-01T09:00:00"},
    ],
)
def test_what_is_no_conversation_is_left_to_others(make_file: Any, record: dict[str, Any]) -> None:
    assert FORMAT.recognise(make_file(json.dumps([record, record]))) == 0
