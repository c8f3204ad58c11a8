"""Who and what the keys of a chat's export stand for, by other files of it: Slack's `users.json` and `channels.json`,
Discord's `user.json`, `channel.json` and `index.json`. These files tell of no events themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, as_list, as_object, as_objects, as_text
from ..json.jsonstream import Element, json_elements
from ..peek import json_shape
from ..text import plain
from .chat_values import named

__all__ = ["FORMAT", "Directory", "chat_named", "directory_of"]

_PERSON: Final = re.compile(r"[UWB][A-Z0-9]{1,20}")
_CHANNEL: Final = re.compile(r"[CDG][A-Z0-9]{1,20}")
_NUMBER: Final = re.compile(r"\d{5,25}")
_INNER: Final = re.compile(r"account|messages|c?\d{5,25}", re.IGNORECASE)
"""Folders of Discord's package."""
_OF_CHANNEL: Final = frozenset(("id", "type", "name", "guild", "recipients"))
_MARKED: Final = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")
_SCHEMES: Final = ("http://", "https://", "mailto:", "tel:")
_ESCAPED: Final = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
OF_SERVICE: Final = "a message of the system, not of a person"
DELETED: Final = "a message that was taken back"
_SLACK: Final = frozenset(
    ("bot_message", "file_comment", "file_mention", "file_share", "me_message", "message_changed", "reply_broadcast",
     "slackbot_response", "thread_broadcast")
)  # fmt: skip
"""The subtypes of Slack under which somebody says something; all others are Slack's own."""
_DISCORD: Final = frozenset(("Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "0", "19", "20", "23"))
"""The types of Discord's messages that somebody wrote, by name and by number."""
_OF_DISCORD: Final = ("isPinned", "timestampEdited", "callEndedTimestamp", "pinned", "mention_everyone")
_SYSTEM: Final = frozenset(("service", "system", "call", "Call", "Subscribe", "Unsubscribe", "admin_text"))
_SENDERS: Final = ("sender_name", "senderName")
"""Under which Messenger and Instagram, and no others, name who wrote a message."""
_CARRIED: Final = ("photos", "videos", "audio_files", "files", "gifs", "sticker", "share", "media")
_TO_ALL: Final = re.compile(
    r"You (?:named|set|changed|removed|added|created|left|joined|started|ended|missed|called|pinned|unpinned|turned) "
    r".{0,80}\b(?:group|nickname|theme|emoji|poll|call|chat|message|admins?|photo)\b.{0,80}|"
    r"You (?:are now connected on Messenger|can now message and call each other)\b.{0,200}|"
    r"(?:Liked a message|Reacted .{1,20} to your message|Say hi to your new Facebook friend.{0,80})\s*|"
    r"(?:Ihr seid|Du bist) jetzt (?:auf|über) Messenger (?:miteinander )?verbunden.{0,80}|"
    r"Ihr könnt jetzt (?:miteinander )?.{0,40}(?:anrufen|chatten).{0,200}|"
    r"Vous êtes (?:désormais|maintenant) (?:en contact|connectés?) sur Messenger.{0,80}|"
    r"Ahora están conectados en Messenger.{0,80}|Ora siete connessi su Messenger.{0,80}|"
    r"Agora vocês estão conectados no Messenger.{0,80}|Jullie zijn nu verbonden (?:op|via) Messenger.{0,80}",
    re.DOTALL,
)


@dataclass
class Directory:
    """Names by the keys of one export."""

    people: dict[str, str] = field(default_factory=dict[str, str])
    chats: dict[str, str] = field(default_factory=dict[str, str])
    members: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Keys of the people in a chat, by its key."""
    owner: str = ""
    """The person whose export it is."""


def directory_of(path: str, context: ReadContext) -> Directory:
    """What other files of the export say in which a file lies; nothing where there are none."""
    roots = [root for root in context.directories if path.startswith(root)]
    return context.directories[max(roots, key=len)] if roots else Directory()


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    if shape is None or not shape.keys:
        return 0.0
    first = shape.elements[0] if shape.elements else {}
    if shape.kind == "array":
        return 1.0 if _is_person(first) or _is_channel(first) else 0.0
    if shape.kind != "object":
        return 0.0
    of_user = shape.has("id", "username") and (shape.has("relationships") or shape.has("discriminator"))
    of_channel = shape.has("id", "type") and len(shape.keys) > 2 and set(shape.keys) <= _OF_CHANNEL
    of_index = bool(first) and all(_NUMBER.fullmatch(key) and isinstance(name, str) for key, name in first.items())
    return 0.95 if of_user or of_channel or of_index else 0.0


def _is_person(value: Mapping[str, Any]) -> bool:
    told = isinstance(value.get("profile"), dict) or "real_name" in value
    return bool(told and "ts" not in value and _PERSON.fullmatch(as_text(value.get("id"))))


def _is_channel(value: Mapping[str, Any]) -> bool:
    told = "created" in value and ("members" in value or "creator" in value)
    return bool(told and _CHANNEL.fullmatch(as_text(value.get("id"))))


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Notes the names that a file holds for the export in whose folder it lies; no records, these are the messages."""
    for element in json_elements(file, context.limits):
        if isinstance(element, Element) and isinstance(element.value, dict):
            _note(element.value, file.path, context)
        else:
            yield element if isinstance(element, BadRecord) else BadRecord(file.path, element.where, "not an object")


def _note(value: dict[str, Any], path: str, context: ReadContext) -> None:
    slack = _is_person(value) or _is_channel(value)
    directory = context.directories.setdefault(_root(path, deep=not slack), Directory())
    key = as_text(value.get("id")) or str(value.get("id", ""))
    if _is_person(value):
        directory.people[key] = _called(value)
    elif _is_channel(value):
        directory.chats[key] = plain(as_text(value.get("name")))
        directory.members[key] = tuple(as_text(member) for member in as_list(value.get("members")))
    elif "username" in value:
        directory.owner = named({"name": value.get("global_name") or value.get("username")})
    elif key:
        guild, others = as_object(value.get("guild")), as_objects(value.get("recipients"))
        name = plain(as_text(value.get("name"))) or " and ".join(filter(None, map(named, others)))
        directory.chats[key] = directory.chats.get(key) or " in ".join(filter(None, (name, named(guild))))
    else:
        directory.chats |= {number: plain(as_text(name)) for number, name in value.items() if name}


def _called(person: dict[str, Any]) -> str:
    """A person's name as messages have it that bring their own profile: the real one first."""
    profile = as_object(person.get("profile"))
    told = (person.get("real_name"), profile.get("real_name"), profile.get("display_name"), person.get("name"))
    return next((plain(name) for name in told if isinstance(name, str) and name.strip()), "")


def _root(path: str, *, deep: bool) -> str:
    """The folder of an export, of which a file is: Slack's own, Discord's one or two above."""
    folder = re.sub(r"[^/\\!]*$", "", path)
    while deep and _INNER.fullmatch(last := re.split(r"[/\\!]", folder)[-2:][0]):
        folder = folder[: -len(last) - 1]
    return folder


def chat_named(key: str, directory: Directory) -> str:
    """What a chat is called, by its key: its name, or those of the people in it."""
    members = directory.members.get(key, ())
    return directory.chats.get(key) or " and ".join(directory.people.get(member, member) for member in members)


FORMAT = Format(
    name="chat-names",
    label="names of people and chats of an export",
    map_file="chat.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _: "chat-names",
    names_only=True,
)


def is_slack(message: Mapping[str, object]) -> bool:
    """Whether a message is one of Slack, by its keys."""
    return message.get("type") == "message" and "ts" in message


def as_read(text: str, people: Mapping[str, str]) -> str:
    """A text as Slack shows it: names for the keys of people, a link's words with its address behind."""

    def shown(found: re.Match[str]) -> str:
        sign, target, words = found[1], found[2], found[3] or ""
        if sign == "@":
            return f"@{people.get(target) or words or target}"
        if sign:  # a channel, or "<!here>"
            return f"{'#' if sign == '#' else '@'}{words.lstrip('@#') or target.partition('^')[0]}"
        if not target.startswith(_SCHEMES):
            return found[0]
        address = target.removeprefix("mailto:").removeprefix("tel:")
        return address if words in ("", target, address) else f"{words} ({address})"

    text = _MARKED.sub(shown, text)
    for escaped, sign in _ESCAPED:
        text = text.replace(escaped, sign)
    return text


def why_no_message(value: Mapping[str, Any], sender: str, text: str) -> str | None:
    """Why a message is not what a person says; None where it is. `sender` and `text` as they are read."""
    kind, subtype = value.get("type"), as_text(value.get("subtype"))
    if value.get("isUnsent") is True or value.get("is_unsent") is True or subtype == "tombstone":
        return DELETED
    if isinstance(kind, str) and kind in _SYSTEM:
        return OF_SERVICE
    if subtype and kind == "message" and subtype not in _SLACK:
        return OF_SERVICE
    if isinstance(value.get("author"), dict) and kind is not None and any(key in value for key in _OF_DISCORD):
        return None if str(kind) in _DISCORD else OF_SERVICE
    if any(key in value for key in _SENDERS) and _is_of_meta(value, sender, text):
        return OF_SERVICE
    return None


def _is_of_meta(value: Mapping[str, Any], sender: str, text: str) -> bool:
    """Whether Messenger or Instagram tells of somebody ("Ann Lee named the group …", in any language)."""
    if "call_duration" in value:
        return True
    if any(value.get(key) for key in _CARRIED):
        return False
    return text.startswith(f"{sender} ") or _TO_ALL.fullmatch(text) is not None
