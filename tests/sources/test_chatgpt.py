"""ChatGPT exports: one branch of a tree, without what is hidden."""

from __future__ import annotations

import json
from typing import Any

from reqap_kg.sources.chats.chatgpt import FORMAT
from reqap_kg.sources.detect import detect

BEGIN = 1_700_000_000


def node(
    name: str, parent: str | None, role: str, content: Any, time: float | None = None, **more: Any
) -> dict[str, Any]:
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    message = {"id": f"m-{name}", "author": {"role": role}, "content": content, "create_time": time} | more
    return {"id": name, "parent": parent, "children": [], "message": message}


def conversation(title: str | None, nodes: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    root = {"id": "root", "parent": None, "children": [], "message": None}
    mapping = {made["id"]: made | {"children": []} for made in [root, *nodes]}
    for made in nodes:
        if made["parent"] in mapping:
            mapping[made["parent"]]["children"].append(made["id"])
    return {"title": title, "create_time": BEGIN, "mapping": mapping, "id": f"c-{title}"} | more


def said(records: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(record["_sender"], record["_text"]) for record in records if record["_kind"] == "message"]


BRANCHED = [
    node("a", "root", "user", "Which tea?", BEGIN + 1),
    node("b", "a", "assistant", "Green tea.", BEGIN + 2),
    node("c", "root", "user", "Which coffee?", BEGIN + 30),
    node("d", "c", "assistant", "A filter coffee.", BEGIN + 40.5),
    node("e", "c", "assistant", "An espresso.", BEGIN + 60),
]


def test_the_branch_of_the_current_node_is_the_conversation(make_file: Any, read: Any) -> None:
    log = json.dumps([conversation("Drinks", BRANCHED, current_node="d")])
    assert detect(make_file(log)).name == "chatgpt"
    found = read(FORMAT, log).records
    assert said(found) == [("me", "Which coffee?"), ("ChatGPT", "A filter coffee.")]
    first = found[0]
    assert (first["_chat"], first["_start"], first["_direction"]) == ("Drinks", "2023-11-14T22:13:50Z", "sent")
    assert (first["_own"], first["_thread"], first["_addressee"]) == ("m-c", "c-Drinks", ["ChatGPT"])


def test_without_a_current_node_it_is_the_branch_made_last(read: Any) -> None:
    assert said(read(FORMAT, json.dumps([conversation("Drinks", BRANCHED)])).records)[-1] == ("ChatGPT", "An espresso.")


def test_what_is_hidden_or_of_tools_is_left_out_and_counted(read: Any) -> None:
    nodes = [
        node("s", "root", "system", "You are helpful.", BEGIN),
        node("h", "s", "user", "About me: …", BEGIN, metadata={"is_visually_hidden_from_conversation": True}),
        node("a", "h", "user", "How warm is it?", BEGIN + 1),
        node("t", "a", "assistant", "search(weather)", BEGIN + 2, recipient="browser"),
        node("r", "t", "tool", "21 degrees", BEGIN + 3),
        node("w", "r", "assistant", {"content_type": "thoughts", "thoughts": []}, BEGIN + 3),
        node("b", "w", "assistant", "It is 21 degrees.", BEGIN + 4, recipient="all"),
    ]
    found = read(FORMAT, json.dumps([conversation("Weather", nodes)]))
    assert said(found.records) == [("me", "How warm is it?"), ("ChatGPT", "It is 21 degrees.")]
    assert sum(bad.count for bad in found.bad) == 5


def test_times_may_be_missing(read: Any) -> None:
    nodes = [
        node("a", "root", "user", "One"),
        node("b", "a", "assistant", "Two", BEGIN + 9),
        node("c", "b", "user", "Three"),
    ]
    found = [row for row in read(FORMAT, json.dumps([conversation("x", nodes)])).records if row["_kind"] == "message"]
    assert [row["_start"][-3:] for row in found] == ["20Z", "29Z", "29Z"]
    assert [row["_precision"] for row in found] == ["day", "second", "day"]
    bare = read(FORMAT, json.dumps([conversation("x", nodes[:1], create_time=None)]))
    assert not bare.records
    assert "without a time" in bare.reasons[0]


def test_pictures_and_files_are_attachments(read: Any) -> None:
    picture = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "What is this?"]}
    nodes = [
        node("a", "root", "user", picture, BEGIN, metadata={"attachments": [{"name": "tree.jpg"}]}),
        node("b", "a", "user", picture, BEGIN + 1),
    ]
    first, second, _ = read(FORMAT, json.dumps([conversation("x", nodes)])).records
    assert (first["_text"], first["_attachment"]) == ("What is this?", ["tree.jpg"])
    assert second["_attachment"] == ["image"]


def test_conversations_of_one_name_are_one_chat_with_sessions_of_their_own(read: Any) -> None:
    one = conversation("New chat", [node("a", "root", "user", "One", BEGIN)], id="1")
    two = conversation("New chat", [node("b", "root", "user", "Two", BEGIN + 60)], id="2")
    found = read(FORMAT, json.dumps([two, one])).records
    assert [(row["_text"], row["_session"], row["_log"]) for row in found if row["_kind"] == "message"] == [
        ("One", 1, 0),
        ("Two", 2, 1),
    ]


def test_damaged_trees_end(read: Any) -> None:
    circle = conversation(
        "x", [node("a", "b", "user", "One", BEGIN), node("b", "a", "user", "Two", BEGIN)], current_node="a"
    )
    assert len(said(read(FORMAT, json.dumps([circle, {"mapping": 5}, 7])).records)) == 2
