"""What is asked of messages besides what they say: how many, who, when, whether, first and last, by chat."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2024, 5, 20, 12, 0)
GROUP = """\
01/05/2024, 09:00 - Messages and calls are end-to-end encrypted.
01/05/2024, 09:00 - Nora created group "The Allotment"
13/05/2024, 18:01 - Nora: The water butt is leaking again
13/05/2024, 18:02 - Piet: I can bring sealant on Saturday
13/05/2024, 18:04 - Nora: You are a hero
13/05/2024, 18:09 - Wim: Are the tomatoes in yet?
14/05/2024, 08:30 - Wim: Frost tonight, cover the tomatoes
14/05/2024, 08:31 - Nora: Done
16/05/2024, 20:00 - Piet: Sealant works, not a drop
16/05/2024, 20:01 - Wim: Cake for Piet
16/05/2024, 20:03 - Nora: Rhubarb cake it is
"""
SLACK = {
    "kitchen/2024-05-13.json": [("Mara", 1715598000, "The oven is back"), ("Jo", 1715598060, "Hurray")],
    "kitchen/2024-05-15.json": [("Jo", 1715770800, "Menu is printed"), ("Ilse", 1715770860, "Looks lovely")],
    "floor/2024-05-15.json": [("Mara", 1715774400, "Table nine wants the oven chips")],
}


@pytest.fixture(scope="module")
def group(tmp_path_factory):
    folder = tmp_path_factory.mktemp("group")
    chat = folder / "WhatsApp Chat with The Allotment.txt"
    chat.write_text(GROUP, encoding="utf-8")
    ingest((chat,), folder / "store", IngestOptions(Settings(), NOW, "UTC"))
    with KnowledgeGraph.open(folder / "store") as known:
        yield known


@pytest.fixture(scope="module")
def channels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("channels")
    for name, said in SLACK.items():
        path = folder / "export" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        told = [
            {"type": "message", "user": who, "ts": f"{at}.000100", "text": text, "user_profile": {"real_name": who}}
            for who, at, text in said
        ]
        path.write_text(json.dumps(told), encoding="utf-8")
    ingest((folder / "export",), folder / "store", IngestOptions(Settings(), NOW, "UTC"))
    with KnowledgeGraph.open(folder / "store") as known:
        yield known


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many messages did Nora send?", [4]),
        ("how many texts did wim write on 14 may", [1]),
        ("How many messages are there in the Allotment group?", [9]),
        ("How many conversations did we have in May?", [3]),
        ("On how many days did we chat?", [3]),
        ("Who writes the most?", ["Nora"]),
        ("Who sent the fewest messages, Piet or Nora?", ["Piet"]),
        ("Who first mentioned the sealant?", ["Piet"]),
        ("Who mentioned the tomatoes?", ["Wim"]),
        ("When was the sealant mentioned?", ["2024-05-13", "2024-05-16"]),
        ("When did we last talk about tomatoes?", ["2024-05-14"]),
        ("Did we ever talk about rhubarb?", [True]),
        ("Did Wim mention the sealant?", [False]),
        ("Did Piet write anything on 14 May?", [False]),
        ("Who started the conversation on 14 May?", ["Wim"]),
        ("Who had the last word?", ["Nora"]),
        ("What was the first message in the group?", ["The water butt is leaking again"]),
        ("What was the last thing Piet said?", ["Sealant works, not a drop"]),
        ("How many messages were in our longest conversation?", [4]),
        ("When was our longest conversation?", ["2024-05-13"]),
        ("Which day had the most messages?", ["2024-05-13"]),
        ("What is the average number of messages per conversation?", [3]),
        ("How many people are in the group?", [3]),
        ("When did we first talk?", ["2024-05-13"]),
        ("What did we discuss in sessions 1 and 3?", None),
    ],
)
def test_messages_are_counted_grouped_and_ordered(group, question, answer):
    found = group.ask(question, now=NOW)
    if answer is None:
        assert len(found.events) == 7
    else:
        assert sorted(map(str, found.values)) == sorted(map(str, answer))


def test_each_one_s_messages_are_a_table(group):
    table = group.ask("How many messages did each of us send?", now=NOW).table
    assert table is not None
    assert dict(table.rows) == {"Nora": 4, "Piet": 2, "Wim": 3}


def test_what_is_asked_of_chats_alone_is_looked_for_in_them(group):
    found = group.ask("What kind of cake did they promise on 16 May?", now=NOW)
    assert "Rhubarb cake it is" in {event.label for event in found.events}
    assert found.steps[0][0] == "talkOfAnything"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many messages are in the kitchen channel?", [4]),
        ("How many conversations were there in the kitchen channel?", [2]),
        ("Who wrote in kitchen?", ["Mara", "Jo", "Ilse"]),
        ("In which channel did we talk about chips?", ["floor"]),
        ("How many channels are there?", [2]),
        ("Which channel has the most messages?", ["kitchen"]),
    ],
)
def test_the_days_of_a_channel_are_one_chat(channels, question, answer):
    found = channels.ask(question, now=NOW)
    assert sorted(map(str, found.values)) == sorted(map(str, answer))


def test_sessions_of_a_named_chat_are_its_own(channels):
    found = channels.ask("What did we talk about in session 2 of kitchen?", now=NOW)
    assert [event.label for event in found.events] == ["Menu is printed", "Looks lovely"]
