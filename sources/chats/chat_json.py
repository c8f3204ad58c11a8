"""Logs of conversations as JSON or JSON Lines: who said what when, under the names that are usual for it.

A log is a list of messages, an object that holds one (a messenger's export of a chat: Telegram, Discord, Messenger and
the like), or a list of such objects. A sender is a text or an object with a name; a text is a text, or a list of parts.
Sessions that a log states itself are not taken over: they are found in every source by the same pauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_object
from ..json.jsonnested import Holder, Item, Place, json_nested
from ..json.jsonstream import json_lines
from ..peek import json_beginning, json_shape, known_json
from ..record_times import Times, time_key, time_under
from ..text import plain
from .chat_values import TEXTS, attached, kept, mended, named, names_in, words_of
from .conversations import ChatLog, Message, log_name
from .dialogue import OWN_TURN, is_turn
from .people import OF_SERVICE, Directory, as_read, chat_named, directory_of, is_slack, why_no_message

__all__ = ["FORMAT"]

_SENDERS = (
    "sender", "speaker", "sender_name", "senderName", "from", "from_name", "role", "participant", "said_by"
)  # fmt: skip
_SENDERS_IN_CHATS = ("author", "user", "username", "user_name", "who", "name", "actor")
"""Names of a sender that other lists have, too: they count where the list is called that of a chat."""
_LISTS = (
    "messages", "chat_messages", "responses", "conversation", "conversations", "dialogue", "dialog", "turns",
    "utterances", "history", "log", "chat", "chats", "list", "items", "data",
)  # fmt: skip
_CHAT_LISTS = frozenset(_LISTS) - {"items", "data", "list", "history", "log"}
_CHATS = ("chat", "chat_name", "channel", "conversation", "room", "group", "conversation_id", "chat_id")
"""Which chat a message is of, as a key of the message."""
_TITLES = ("title", "name", "chat", "chat_name", "channel", "conversation", "topic", "group", "threadName")
"""What an object with messages is called."""
_ADDRESSEES = ("addressee", "recipient", "recipients", "to", "receiver")
_IDS = ("id", "message_id", "number", "uuid", "uid", "client_msg_id")
_TIMES = ("date_unixtime", "timestamp_ms", "timestamp", "ts", "time", "sent_at", "datetime", "date", "created_at")
_OWN: Final = frozenset({"user", "human", "me", "you"})
_MACHINES: Final = frozenset({"assistant", "ai", "bot", "model", "chatbot", "gpt"})
_HIDDEN: Final = frozenset({"system", "developer", "tool", "function"})
_CHAT_SOURCES: Final = frozenset({"chat", "chat_message", "message", "messenger", "dialogue", "conversation"})
_MARKS: Final = ("source", "role", "type", "user_profile")
"""Keys that are read for what they say of the others."""
_NOT_CHAT = ("subject", "cc", "bcc")
"""What mails have and chats have not."""
_MENTION: Final = re.compile(r"<@([A-Z0-9]+)(?:\|[^<>]*)?>")
_OF_TELEGRAM: Final[Place] = ("chats", "list", None, "messages", None)
_DEEPEST = 3


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is None or known_json(shape) is not None:
        return 0.0
    found = _place(head)
    return 0.8 if found is not None else 0.0


@lru_cache(maxsize=4)
def _place(head: bytes) -> Place | None:
    """Where the messages of a text lie that begins with `head`; None where it has none."""
    shape = json_shape(head)
    seen = json_beginning(head)
    if shape is None or not seen:
        return None
    if shape.kind == "object" and shape.has("about") and {"personal_information", "left_chats"} & set(shape.keys):
        return _OF_TELEGRAM  # its chats may begin far behind
    if shape.kind == "object":
        return _within(seen[0], (), chat=False, deep=0)
    return _among(seen, (), chat=False, deep=0)


def _places(head: bytes) -> tuple[Place, ...]:
    """Where the messages lie: of Telegram's full export, those of chats that were left have a list of their own."""
    place = _place(head)
    if place is None:
        return ()
    return (place, ("left_chats", *place[1:])) if place[:2] == _OF_TELEGRAM[:2] else (place,)


def _within(value: Any, path: Place, *, chat: bool, deep: int) -> Place | None:
    """The place of messages below an object, in the list of the likeliest name."""
    if not isinstance(value, dict) or deep > _DEEPEST:
        return None
    for key in (name for name in _LISTS if name in value):
        inner, known = value[key], chat or key in _CHAT_LISTS
        if isinstance(inner, list):
            found = _among(inner, (*path, key), chat=known, deep=deep)
        else:
            found = _within(inner, (*path, key), chat=known, deep=deep + 1)
        if found is not None:
            return found
    return None


def _among(values: Sequence[Any], path: Place, *, chat: bool, deep: int) -> Place | None:
    """The place of messages that are the elements of a list, or lie below them."""
    here = (*path, None)
    objects = [value for value in values if isinstance(value, dict)]
    fine = sum(1 for value in objects if _is_message(value, chat=chat))
    signed = any(_key(value, (*_SENDERS, *_SENDERS_IN_CHATS, "from_id")) for value in objects)
    if fine and signed and fine * 5 >= 4 * (len(objects) - 1):  # the last one may be cut off
        return here
    return next((found for value in objects if (found := _within(value, here, chat=chat, deep=deep + 1))), None)


def _is_message(value: Mapping[str, Any], *, chat: bool) -> bool:
    """Whether an object says who wrote what and when. `chat`: the list is called one of messages."""
    source = value.get("source")
    if any(key in value for key in _NOT_CHAT) or (isinstance(source, str) and source.lower() not in _CHAT_SOURCES):
        return False
    chat = chat or value.get("type") == "message" or isinstance(source, str)
    service = value.get("type") in ("service", "call") and chat  # Telegram's "… joined the group"
    sender = any(name in value for name in (*_SENDERS, *(_SENDERS_IN_CHATS if chat else ())))
    return bool((sender or service) and _key(value, TEXTS) is not None and _time_key(value) is not None)


def _key(value: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """The first of the names under which an object has something."""
    return next((name for name in names if value.get(name) is not None), None)


def _time_key(value: Mapping[str, Any]) -> str | None:
    usual = next((name for name in _TIMES if name in value and time_under(value, name) is not None), None)
    return usual or time_key(value)


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The messages, each with its session and its places; messages of the system and of tools are left out."""
    with ChatLog(file.path, context) as log:
        reader = _Reader(file, log, directory_of(file.path, context))
        for place in _places(file.head()):
            for item in _items(file, context, place):
                bad = reader.take(item)
                if bad is not None:
                    yield bad
        reader.end()
        yield from reader.tally.report()
        yield from log.records()


def _items(file: InputFile, context: ReadContext, place: Place) -> Iterator[Item | Holder | BadRecord]:
    """Messages, and what holds them, in the order of the file."""
    shape = json_shape(file.head())
    if shape is None or shape.kind != "lines":
        yield from json_nested(file, context.limits, place)
        return
    for element in json_lines(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
        elif len(place) == 1:
            yield Item(int(element.where.rpartition(" ")[2]), element.value)
        else:
            yield from _below(element.value, place[1:])


def _below(value: Any, place: Place) -> Iterator[Item | Holder]:
    """The same of a value that is in memory."""
    if not place:
        yield Item(0, value)
    elif place[0] is None:
        for inner in value if isinstance(value, list) else ():
            yield from _below(inner, place[1:])
    elif isinstance(value, dict):
        yield from _below(value.get(place[0]), place[1:])
        if len(place) == 2:
            yield Holder({key: inner for key, inner in value.items() if key != place[0]})


class _Reader:
    """Turns items into messages of a log."""

    def __init__(self, file: InputFile, log: ChatLog, names: Directory) -> None:
        self.tally = Tally(file.path)
        self._path = file.path
        self._log = log
        self._holder = 0
        self._names = names
        self._called = dict(names.people)
        self._owner = _owner_key(file.head())
        self._time_keys: dict[tuple[str, ...], str | None] = {}

    def take(self, item: Item | Holder | BadRecord) -> BadRecord | None:
        """Adds what an item is to the log; the item as a bad record where it is no message."""
        if isinstance(item, BadRecord):
            return item
        if isinstance(item, Holder):
            self._close(item.value)
            return None
        where = f"message {item.number}"
        if not isinstance(item.value, dict):
            return BadRecord(self._path, where, "not an object")
        if is_turn(item.value):
            self.tally.add(where, OWN_TURN, group="messages")
            return None
        made = self._message(item.value, where)
        if isinstance(made, Message):
            self._log.add(made)
            return None
        return made

    def _close(self, holder: Mapping[str, Any]) -> None:
        """The messages since the last holder have its name."""
        titles = (named(holder.get(name)) for name in _TITLES)
        title = next((title for title in titles if re.search(r"[^\W\d_]", title)), "")  # a number is no name
        if title:
            self._log.name(self._key_of_holder(), mended(re.sub(r"_\d+$", "", title)))
        self._holder += 1

    def end(self) -> None:
        """A list without a holder that is a file of a chat's folder has the name of that chat."""
        key = re.split(r"[/\\!]", self._path)[-2:][0]
        if name := chat_named(key, self._names):
            self._log.name(self._key_of_holder(), name)

    def _key_of_holder(self) -> str:
        return f"list {self._holder}"

    def _message(self, value: Mapping[str, Any], where: str) -> Message | BadRecord | None:
        sender_key = self._sender_key(value)
        sender = self._sender(value, sender_key)
        part = "" if f"{sender_key}_id" in value else sender.lower()  # a name beside a number is a person's
        text_key, text = self._words(value)
        why = OF_SERVICE if part in _HIDDEN else why_no_message(value, mended(sender), mended(text))
        if why is not None:
            self.tally.add(where, why)
            return None
        carried = attached(value)
        if not sender:
            return BadRecord(self._path, where, "a message without a sender")
        if not text and not carried:
            self.tally.add(where, "a message without words")
            return None
        time = self._time(value)
        if time is None:
            return BadRecord(self._path, where, "a message without a time")
        id_key, to_key = _key(value, _IDS), _key(value, _ADDRESSEES)
        known = {sender_key, text_key, id_key, to_key, *time.keys, *_TIMES, *_CHATS, *_MARKS}
        return Message(
            chat=self._chat(value),
            sender="me" if part in _OWN else mended(sender),
            text=mended(text),
            time=time.start,
            precision=time.precision,
            own_id=str(value[id_key]) if id_key else None,
            addressees=tuple(names_in(value[to_key])) if to_key else (),
            attachments=carried,
            mine=self._is_mine(value, part),
            more={plain(key): kept(inner) for key, inner in value.items() if key not in known and _is_more(key, inner)},
        )

    def _is_mine(self, value: Mapping[str, Any], part: str) -> bool | None:
        """Whether the person wrote a message, where the log tells."""
        if self._owner:
            return value.get("from_id") == self._owner
        role = str(value.get("role", "")).lower()
        return True if part in _OWN or role in _OWN else False if role in _MACHINES else None

    def _sender_key(self, value: Mapping[str, Any]) -> str | None:
        """Under which key the sender stands; of somebody who has no name any more there is a number (Telegram)."""
        if "from" in value and not value["from"] and value.get("from_id"):
            return "from_id"
        return _key(value, (*_SENDERS, *_SENDERS_IN_CHATS, "bot_profile"))

    def _sender(self, value: Mapping[str, Any], key: str | None) -> str:
        """Who wrote a message: by name where the log or its export tells one for what stands under the key."""
        told = named(value[key]) if key else ""
        if isinstance(profile := value.get("user_profile"), dict) and (name := named(profile)):  # Slack
            self._called[told] = name
        return self._called.get(told, told)

    def _words(self, value: Mapping[str, Any]) -> tuple[str | None, str]:
        """The key and text of a message, with the people that it mentions by name where that is known."""
        key, text = words_of(value)
        if is_slack(value):
            return key, as_read(text, self._called)
        if "<@" in text:
            text = _MENTION.sub(lambda found: f"@{self._called.get(found[1], found[1])}", text)
        return key, text

    def _time(self, value: Mapping[str, Any]) -> Times | None:
        """When a message was sent; the key is looked for once for all messages with the same keys."""
        keys = tuple(value)
        if keys not in self._time_keys:
            self._time_keys[keys] = _time_key(value)
        key = self._time_keys[keys]
        found = time_under(value, key) if key else None
        if found is None and (other := _time_key(value)) is not None:
            found = time_under(value, other)
        return found

    def _chat(self, value: Mapping[str, Any]) -> str:
        key = _key(value, _CHATS)
        name = named(value[key]) if key else ""
        if not name:
            return self._key_of_holder()
        self._log.name(f"chat {name}", mended(name))
        return f"chat {name}"


def _owner_key(head: bytes) -> str | None:
    """The key of the person in Telegram's full export."""
    seen = json_beginning(head)
    told = as_object(as_object(seen[0]).get("personal_information")).get("user_id") if seen else None
    return f"user{told}" if told else None


def _is_more(key: str, value: Any) -> bool:
    """Whether a key is kept with its message: plain values, unless they say what is found by pauses here."""
    plain_value = not isinstance(value, dict | list) or (
        isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)
    )
    return plain_value and value not in (None, "", []) and re.search(r"session", key, re.IGNORECASE) is None


FORMAT = Format(
    name="chat-json",
    label="log of a conversation (JSON)",
    map_file="chat.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda file: log_name(file.path),
)
