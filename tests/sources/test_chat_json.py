"""Logs of conversations as JSON: their layouts, sessions and places."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from reqap_kg.sources.chats import conversations
from reqap_kg.sources.chats.chat_json import FORMAT
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


TELEGRAM = {
    "name": "Hiking",
    "type": "private_group",
    "id": 77,
    "messages": [
        {
            "id": 1,
            "type": "service",
            "date": "2024-03-01T09:00:00",
            "date_unixtime": "1709283600",
            "actor": "Ann",
            "action": "create_group",
            "text": "",
        },
        {
            "id": 2,
            "type": "message",
            "date": "2024-03-01T09:01:00",
            "date_unixtime": "1709283660",
            "from": "Ann",
            "from_id": "user1",
            "text": ["See ", {"type": "link", "text": "this.org"}, "!"],
            "text_entities": [],
        },
        {
            "id": 3,
            "type": "message",
            "date": "2024-03-01T09:02:00",
            "date_unixtime": "1709283720",
            "from": "Bo",
            "from_id": "user2",
            "photo": "photos/1.jpg",
            "text": "",
        },
    ],
}
DISCORD = {
    "guild": {"id": "1", "name": "Club"},
    "channel": {"id": "2", "name": "general"},
    "dateRange": {"after": None},
    "messages": [
        {
            "id": "10",
            "type": "Default",
            "timestamp": "2024-03-01T09:00:00+00:00",
            "content": "Morning",
            "author": {"id": "5", "name": "ann5", "nickname": "Ann"},
            "attachments": [{"fileName": "a.png"}],
            "reactions": [],
        },
    ],
}
SLACK = [
    {
        "type": "message",
        "user": "U1",
        "text": "Morning",
        "ts": "1709283600.000200",
        "user_profile": {"real_name": "Ann Lee", "display_name": "ann"},
    },
    {
        "type": "message",
        "subtype": "channel_join",
        "user": "U2",
        "text": "<@U2> has joined the channel",
        "ts": "1709283601.000200",
    },
    {"type": "message", "user": "U2", "text": "Hello <@U1>", "ts": "1709283660.000200"},
]
MESSENGER = {
    "participants": [{"name": "Ann"}, {"name": "Zo\u00c3\u00ab"}],
    "messages": [
        {
            "sender_name": "Zo\u00c3\u00ab",
            "timestamp_ms": 1709283660000,
            "content": "caf\u00c3\u00a9?",
            "is_geoblocked_for_viewer": False,
        },
        {"sender_name": "Ann", "timestamp_ms": 1709283600000, "content": "Hi", "photos": [{"uri": "x/1.jpg"}]},
    ],
    "title": "Zo\u00c3\u00ab",
}
CLAUDE = [
    {
        "uuid": "1",
        "name": "Tea",
        "chat_messages": [
            {"uuid": "m1", "text": "Which tea?", "sender": "human", "created_at": "2024-03-01T09:00:00.123Z"},
            {"uuid": "m2", "text": "Green.", "sender": "assistant", "created_at": "2024-03-01T09:00:09Z"},
        ],
    },
    {"uuid": "2", "name": "", "chat_messages": []},
]
CLAUDE_BLOCKS = [
    {
        "uuid": "1",
        "name": "Tea",
        "chat_messages": [
            {
                "uuid": "m1",
                "text": "",
                "content": [{"type": "text", "text": "Which tea?"}],
                "sender": "human",
                "created_at": "2024-03-01T09:00:00Z",
            },
            {
                "uuid": "m2",
                "text": "",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "Green."},
                    {"type": "tool_use", "name": "search", "input": {"text": "tea"}},
                    {"type": "tool_result", "content": [{"type": "text", "text": "found"}]},
                    {"type": "text", "text": "Or black."},
                ],
                "sender": "assistant",
                "created_at": "2024-03-01T09:00:09Z",
            },
        ],
    },
]


def encrypted(minute: int, sender: str, text: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    own = {"senderName": sender, "timestamp": 1709283600000 + 60000 * minute + 789, "text": text, "type": kind}
    return {"isUnsent": False, "media": [], "reactions": [], **own, **more}


ENCRYPTED = {
    "participants": ["Ann Lee", "Bo Moss"],
    "threadName": "Bo_40",
    "messages": [
        encrypted(0, "Ann Lee", "Hi"),
        encrypted(1, "Bo Moss", "", "media", media=[{"uri": "./media/1.jpeg"}]),
        encrypted(2, "Bo Moss", "", "placeholder", isUnsent=True),
        encrypted(3, "Bo Moss", "Bo Moss hat das Design geändert."),
    ],
}
FULL_TELEGRAM = {
    "about": "…",
    "personal_information": {"user_id": 2, "first_name": "Bo"},
    "contacts": {"about": "…", "list": [{"first_name": "x" * 100, "date": "2024-01-01T00:00:00"}] * 1000},
    "chats": {"about": "…", "list": [TELEGRAM]},
    "left_chats": {"about": "…", "list": [TELEGRAM | {"name": "Left", "id": 78}]},
}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (TELEGRAM, [("Hiking", "Ann", "See this.org!", []), ("Hiking", "Bo", "", ["photos/1.jpg"])]),
        (
            {"about": "…", "chats": {"about": "…", "list": [TELEGRAM]}},
            [("Hiking", "Ann", "See this.org!", []), ("Hiking", "Bo", "", ["photos/1.jpg"])],
        ),
        (DISCORD, [("general", "Ann", "Morning", ["a.png"])]),
        (SLACK, [("Ann Lee and U2", "Ann Lee", "Morning", []), ("Ann Lee and U2", "U2", "Hello @Ann Lee", [])]),
        (MESSENGER, [("Zoë", "Ann", "Hi", ["x/1.jpg"]), ("Zoë", "Zoë", "café?", [])]),
        (CLAUDE_BLOCKS, [("Tea", "me", "Which tea?", []), ("Tea", "assistant", "Green.\nOr black.", [])]),
        (ENCRYPTED, [("Bo", "Ann Lee", "Hi", []), ("Bo", "Bo Moss", "", ["./media/1.jpeg"])]),
        (
            FULL_TELEGRAM,
            [
                ("Hiking", "Ann", "See this.org!", []),
                ("Left", "Ann", "See this.org!", []),
                ("Hiking", "Bo", "", ["photos/1.jpg"]),
                ("Left", "Bo", "", ["photos/1.jpg"]),
            ],
        ),
        (CLAUDE, [("Tea", "me", "Which tea?", []), ("Tea", "assistant", "Green.", [])]),
    ],
)
def test_messengers(make_file: Any, read: Any, content: Any, told: list[tuple[str, str, str, list[str]]]) -> None:
    log = json.dumps(content)
    assert detect(make_file(log)).name == "chat-json"
    found = messages(read(FORMAT, log).records)
    assert [(row["_chat"], row["_sender"], row["_text"], row["_attachment"]) for row in found] == told
    assert all(row["_start"].startswith("2024-03-01T09:0") for row in found)


def discord(number: int, kind: str | int, text: str, author: str = "Ann") -> dict[str, Any]:
    own = {"id": str(number), "type": kind, "content": text, "author": {"id": "5", "name": author}, "isPinned": False}
    return own | {"timestamp": f"2024-03-01T09:0{number}:00+00:00", "attachments": []}


def slack(number: int, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": text, "ts": f"170928360{number}.000200", **more}


def messenger(number: int, text: str, **more: Any) -> dict[str, Any]:
    return {"sender_name": "Ann Lee", "timestamp_ms": 1709283600000 + number, "content": text, **more}


def telegram(number: int, text: str, **more: Any) -> dict[str, Any]:
    own = {"id": number, "type": "message", "date": f"2024-03-01T09:0{number}:00", "text": text}
    return own | {"from": "Ann", "from_id": "user5"} | more


@pytest.mark.parametrize(
    "said_by_service",
    [
        [discord(1, "GuildMemberJoin", "Hat den Server betreten."), discord(2, "Call", "…"), discord(3, 7, "")],
        [
            discord(1, "ChannelPinnedMessage", "Pinned."),
            discord(2, "ThreadCreated", "x"),
            discord(3, "RecipientAdd", ""),
        ],
        [slack(1, "<@U1> ist beigetreten", subtype="channel_join"), slack(2, "x", subtype="pinned_item")],
        [
            slack(1, "x", subtype="group_purpose"),
            slack(2, "x", subtype="huddle_thread"),
            slack(3, "", subtype="tombstone"),
        ],
        [messenger(1, "Ann Lee hat die Gruppe „Fest“ genannt."), messenger(2, "x", call_duration=5)],
        [messenger(1, "You named the group Fest."), messenger(2, "Ann Lee s'est jointe.", type="Subscribe")],
        [messenger(1, "You are now connected on Messenger."), messenger(2, "weg", is_unsent=True)],
        [telegram(1, "", type="service", action="pin_message", actor="Ann")],
    ],
)
def test_what_a_service_says_is_nobodys_message(read: Any, said_by_service: list[dict[str, Any]]) -> None:
    person = {
        "content": discord(9, "Reply", "Ann joined the server."),
        "ts": slack(9, "joined", subtype="thread_broadcast"),
        "timestamp_ms": messenger(9, "See Ann Lee"),
        "text": telegram(9, "Ann pinned this"),
    }
    key = next(key for key in ("timestamp_ms", "ts", "content", "text") if key in said_by_service[0])
    outcome = read(FORMAT, json.dumps({"name": "Fest", "messages": [*said_by_service, person[key]]}))
    assert len(messages(outcome.records)) == 1
    assert sum(bad.count for bad in outcome.bad) == len(said_by_service)


def test_who_has_no_name_any_more_still_speaks(make_file: Any, read: Any) -> None:
    log = [telegram(1, "Hi"), telegram(2, "Who was I?", **{"from": None, "from_id": "user77"}), telegram(3, "?")]
    found = messages(read(FORMAT, json.dumps({"name": "Fest", "messages": log})).records)
    assert [row["_sender"] for row in found] == ["Ann", "user77", "Ann"]
    alone = json.dumps({"name": None, "messages": [telegram(1, "Hi", **{"from": None, "from_id": "user7"})]})
    assert detect(make_file(alone)).name == "chat-json"
    assert [row["_sender"] for row in messages(read(FORMAT, alone).records)] == ["user7"]
    nobody = [messenger(1, "Hi"), messenger(2, "lost", sender_name=None), messenger(3, "lost", sender_name="")]
    outcome = read(FORMAT, json.dumps({"title": "Fest", "messages": nobody}))
    assert len(messages(outcome.records)) + len(outcome.bad) == 3


@pytest.mark.parametrize("name", ["You", "Tool", "System"])
def test_a_person_may_be_called_as_a_part_of_a_log(read: Any, name: str) -> None:
    """A name beside a number is a person's; without one it says who spoke to whom."""
    told = [said(1, name, "Hi", from_id="user7"), said(2, "Bo", "Hello", from_id="user8")]
    renamed = [{("from" if key == "sender" else key): value for key, value in one.items()} for one in told]
    found = messages(read(FORMAT, json.dumps(renamed), owner_names=("Bo",)).records)
    assert [(row["_sender"], row["_direction"]) for row in found] == [(name, "received"), ("Bo", "sent")]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("inbox/ann_12/message_1.json", "ann-12"),
        ("slack/general/2024-03-01.json", "general"),
        ("export.zip!Garden/result.json", "garden"),
        ("Garden club.zip!result.json", "garden-club"),
        ("result.json", "result"),
        ("talks/garden club.json", "garden-club"),
    ],
)
def test_a_log_without_a_name_has_that_of_its_file_or_folder(make_file: Any, path: str, name: str) -> None:
    assert FORMAT.source_name(make_file(json.dumps(TALK), path=path)) == name


def test_what_no_file_of_runs_could_hold_is_made_plain(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "_RUN", 2)
    log = [
        said(minute, "Ann\ud83d", "half \ud83d of it", id="\ud83d", much=10**30, odd=["\ud83d"]) for minute in range(5)
    ]
    found = messages(read(FORMAT, json.dumps(log)).records)
    assert [(row["_sender"], row["_text"], row["much"]) for row in found] == [("Ann?", "half ? of it", str(10**30))] * 5
