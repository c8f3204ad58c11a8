"""ChatGPT's `conversations.json`: conversations as trees of messages, of which one branch is the conversation.

An edited question or a repeated answer begins another branch; `current_node` names the end of the one that the person
saw last, and where it is missing it is the branch that was made last. What is hidden from the person (the system's
words, calls of tools and what these give, reasoning) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_list, as_object, as_objects, as_text
from ..json.jsonstream import json_elements
from ..peek import json_shape
from ..text import plain
from .conversations import ChatLog, Message

__all__ = ["FORMAT"]

_SENDERS: Final = {"user": "me", "assistant": "ChatGPT"}
_SHOWN: Final = frozenset({"text", "multimodal_text", "code"})
"""Content types that a conversation shows."""
_UNTITLED: Final = "untitled conversation"


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    if shape is None or not shape.has("mapping"):
        return 0.0
    return 1.0 if shape.has("create_time") or shape.has("title") else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The messages of every conversation's active branch; the chat is the conversation's title."""
    tally = Tally(file.path)
    with ChatLog(file.path, context) as log:
        for element in json_elements(file, context.limits):
            if isinstance(element, BadRecord):
                yield element
                continue
            conversation = element.value
            if not isinstance(conversation, dict) or not isinstance(conversation.get("mapping"), dict):
                yield BadRecord(file.path, element.where, "not a conversation")
                continue
            branch = _branch(conversation)
            if not branch:
                tally.add(element.where, "a conversation without messages")
            yield from _add(log, conversation, branch, BadRecord(file.path, element.where, ""), tally)
        yield from tally.report()
        yield from log.records()


def _add(
    log: ChatLog, conversation: Mapping[str, Any], branch: list[Mapping[str, Any]], place: BadRecord, tally: Tally
) -> Iterator[BadRecord]:
    """Adds the messages of one conversation to the log; gives what is kept out."""
    title = plain(as_text(conversation.get("title")))
    own = conversation.get("conversation_id") or conversation.get("id")
    own = plain(str(own)) if own else None
    key = own or f"{title} {place.where}"
    log.name(key, title or _UNTITLED)
    time = _iso(conversation.get("create_time"))
    for message in branch:
        why = _why_hidden(message)
        if why:
            tally.add(place.where, why, group="conversations")
            continue
        stated = _iso(message.get("create_time"))
        time = stated or time  # what states none came after what stands before it
        text, attached = _content(message)
        if not text and not attached:
            tally.add(place.where, "a message without words", group="conversations")
        elif time is None:
            yield BadRecord(place.path, place.where, "a message without a time in a conversation without one")
        else:
            role = _role(message)
            model = plain(as_text(as_object(message.get("metadata")).get("model_slug")))
            log.add(
                Message(
                    key,
                    _SENDERS[role],
                    text,
                    time,
                    "second" if stated else "day",
                    own_id=plain(as_text(message.get("id"))) or None,
                    thread=own,
                    addressees=(_SENDERS["assistant" if role == "user" else "user"],),
                    attachments=attached,
                    mine=role == "user",
                    more={"model": model} if model else {},
                )
            )


def _branch(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the first to that of the current node."""
    nodes = conversation["mapping"]
    current = conversation.get("current_node")
    if not isinstance(current, str) or current not in nodes:
        current = _last_leaf(nodes)
    found: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in seen:  # a damaged tree may be a circle
        seen.add(current)
        node = as_object(nodes[current])
        if isinstance(message := node.get("message"), dict):
            found.append(message)
        current = node.get("parent")
    return found[::-1]


def _last_leaf(nodes: Mapping[str, Any]) -> str | None:
    """The node without children whose message came last; between equals the later one in the file."""

    def made(name: str) -> float:
        at = as_object(as_object(nodes[name]).get("message")).get("create_time")
        return at if isinstance(at, int | float) else 0.0

    leaves = [name for name, node in nodes.items() if not as_object(node).get("children")]
    return max(reversed(leaves), key=made, default=None)


def _role(message: Mapping[str, Any]) -> str:
    return as_text(as_object(message.get("author")).get("role"))


def _why_hidden(message: Mapping[str, Any]) -> str:
    """Why a message is nothing that the person or ChatGPT said to the other; empty where it is."""
    if _role(message) not in _SENDERS:
        stated = as_object(message.get("author")).get("role")
        return f"not said by a person or ChatGPT: {stated!s:.20}"
    hidden = as_object(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if hidden or message.get("recipient") not in (None, "all"):
        return "hidden in the conversation"
    kind = as_object(message.get("content")).get("content_type")
    return "" if kind in (None, *_SHOWN) else f"not shown as words: {kind!s:.30}"


def _content(message: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The words of a message, and names of what is attached to it."""
    content = as_object(message.get("content"))
    words = [content["text"]] if isinstance(content.get("text"), str) else []
    attached: list[str] = []
    for part in as_list(content.get("parts")):
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict):
            told = part.get("text")  # what a spoken part says
            if isinstance(told, str):
                words.append(told)
            elif isinstance(kind := part.get("content_type"), str):
                attached.append(kind.removesuffix("_asset_pointer").replace("_", " "))
    files = as_object(message.get("metadata")).get("attachments")
    names = [plain(as_text(file.get("name"))) for file in as_objects(files)]
    return plain("\n".join(words)), tuple(name for name in (names if any(names) else attached) if name)


def _iso(seconds: Any) -> str | None:
    """A moment in UTC of seconds since 1970, of the years that a computer may tell."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < 4_102_444_800:
        return None
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")


FORMAT = Format(
    name="chatgpt",
    label="ChatGPT conversations",
    map_file="chat.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "chatgpt",
)
