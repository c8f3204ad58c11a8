"""What all sources of conversations share: messages in the order of time, their sessions and places, as records.

A session is what people would call one conversation (Alonso et al. 2024): a pause longer than the setting
`session_gap_minutes` begins the next. A log of millions of messages is read in constant memory: messages are sorted
in runs that wait in temporary files, and what is remembered is little for each chat.
"""

from __future__ import annotations

import heapq
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any, NamedTuple

import orjson

from ..base import ReadContext, Record, as_told, digest
from ..text import plain, slug, stem_slug

__all__ = ["ChatLog", "Message", "log_name"]

_RUN = 20_000
"""Messages sorted in memory."""
_NAMELESS = re.compile(r"(messages?|result|chats?|conversations?|responses|log|history)?(-?\d++)*")
"""Slugs of file names that any log may have."""
_DAY_FILE = re.compile(r"(?:^|[/\\!])(?P<folder>[^/\\!]*)[/\\!]\d{4}-\d\d-\d\d\.jsonl?$")
"""A file of one day of a chat (Slack): its chat is the folder."""
_PUT_BACK = 3660
"""Seconds that a clock goes back at the end of summer, and a minute for clocks without seconds."""
_FRACTION = re.compile(r"(?<=:\d\d)\.\d{1,9}")
_LABEL = 200
"""Characters of a text that can matter for a label of 80."""


class Message(NamedTuple):
    """One message as its export tells it."""

    chat: str
    """The chat by a key of the export; its name may become known later (`ChatLog.name`)."""
    sender: str
    text: str
    time: str | None
    """ISO text of a moment, without offset where the export states none; None where it states no time."""
    precision: str | None = None
    own_id: str | None = None
    thread: str | None = None
    """Which conversation it is of several that have one name."""
    addressees: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    mine: bool | None = None
    """Whether the person wrote it, when the export tells."""
    more: Mapping[str, Any] = {}
    """Other keys of the export, which are kept under their names."""


@dataclass
class _Chat:
    """What is remembered of a chat while its messages pass in the order of time."""

    identity: str
    messages: int = 0
    session: int = 0
    last: float = 0.0
    thread: str | None = None
    begin: str | None = None
    end: str | None = None
    precision: str | None = None
    count: int = 0
    speakers: dict[str, None] = field(default_factory=dict[str, None])


class ChatLog:
    """Takes messages in the order of an export, gives them as records in the order of time, with their sessions.

    `in_order`: the export itself is in the order of time, also in the hour in which its clock was put back.
    """

    def __init__(self, path: str, context: ReadContext, *, in_order: bool = False) -> None:
        self._path = path
        self._of_day = _DAY_FILE.search(path)
        self._folder = re.sub(r"[^/\\!]*$", "", path)
        self._read = context.chats
        self._zone = context.home_zone
        self._gap = context.session_gap_minutes * 60
        self._owner = frozenset(name.casefold() for name in context.owner_names)
        self._in_order = in_order
        self._waiting: list[tuple[float, int, Message]] = []
        self._runs: list[IO[bytes]] = []
        self._names: dict[str, str] = {}
        self._speakers: dict[str, dict[str, bool | None]] = {}
        self._owned: set[str] = set()
        self._latest: dict[str, float] = {}
        self._falls = 0
        self._count = 0
        self._stack = ExitStack()

    def __enter__(self) -> ChatLog:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def name(self, chat: str, name: str) -> None:
        """Says what the chat of a key is called."""
        self._names[chat] = name

    def add(self, message: Message) -> None:
        """Takes one message."""
        before = self._latest.get(message.chat)
        moment = self._moment(message.time)
        if moment is None:
            moment = before if before is not None else float("-inf")
        if before is not None:
            self._falls += (moment < before) - (moment > before)
            if self._in_order and 0 < before - moment <= _PUT_BACK:
                moment = max(before, self._moment(message.time, fold=1) or before)
        self._latest[message.chat] = moment
        speakers = self._speakers.setdefault(message.chat, {})
        speakers.setdefault(message.sender, message.mine)
        self._count += 1
        self._waiting.append((moment, self._count, message))
        if len(self._waiting) >= _RUN:
            self._spill()

    def _moment(self, time: str | None, fold: int = 0) -> float | None:
        """Seconds since 1970 of a time as a message states it; `fold`: the second of two equal ones."""
        if time is None:
            return None
        moment = datetime.fromisoformat(time if len(time) > 10 else f"{time}T00:00")
        return (moment if moment.tzinfo else moment.replace(tzinfo=self._zone, fold=fold)).timestamp()

    def _spill(self) -> None:
        """Writes what waits, sorted, to a file of its own."""
        self._sort()
        run = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with the log
        run.writelines(
            orjson.dumps((moment, order, tuple(message))) + b"\n" for moment, order, message in self._waiting
        )
        self._waiting.clear()
        self._runs.append(run)

    def _sort(self) -> None:
        """Sorts what waits; where an export begins with its newest message, those of one second stand so, too."""
        if not self._runs:
            self._newest_first = self._falls > 0
        if self._newest_first:
            self._waiting = [(moment, -order, message) for moment, order, message in self._waiting]
        self._waiting.sort(key=_place)

    def records(self) -> Iterator[Record]:
        """One record per message and, behind its last message, per session."""
        chats: dict[str, _Chat] = {}
        self._sort()
        for key, speakers in self._speakers.items():
            self._settle_owner(key)
            if any(self._is_owner(*speaker) for speaker in speakers.items()):
                self._owned.add(key)
        for moment, _, message in heapq.merge(*map(_kept, self._runs), self._waiting, key=_place):
            name = self._names.get(message.chat) or self._named(message.chat)
            chat = chats.get(name)
            if chat is None:
                chat = chats[name] = self._begun(name, message)
            paused = moment - chat.last > self._gap or message.thread != chat.thread
            if chat.count and paused:
                yield _session(name, chat)
            if paused or not chat.count:
                chat.session, chat.count, chat.begin, chat.speakers = chat.session + 1, 0, message.time, {}
            chat.last, chat.thread, chat.end, chat.precision = moment, message.thread, message.time, message.precision
            chat.count += 1
            chat.speakers.setdefault(message.sender)
            yield self._record(name, chat, message)
            chat.messages += 1
        for name, chat in chats.items():
            yield _session(name, chat)
            if self._of_day:
                self._read[self._folder, name] = chat

    def _begun(self, name: str, message: Message) -> _Chat:
        """A chat with its first message here; what files of earlier days held of it counts on."""
        before = self._read.get((self._folder, name)) if self._of_day else None
        if isinstance(before, _Chat):
            return _Chat(before.identity, before.messages, before.session)
        return _Chat(digest((name, message.sender, message.text, message.time)))

    def _named(self, chat: str) -> str:
        """A name for a chat that has none: the other one of two, both where neither is the person, else the file's."""
        speakers = self._speakers[chat]
        if self._of_day:
            name = self._of_day["folder"] or log_name(self._path)
        elif len(speakers) == 2:
            others = [sender for sender, mine in speakers.items() if not self._is_owner(sender, mine)]
            name = " and ".join(others)
        else:
            name = log_name(self._path).replace("-", " ")
        self._names[chat] = name
        return name

    def _is_owner(self, sender: str, mine: bool | None) -> bool:
        return bool(mine) if mine is not None else sender.casefold() in self._owner

    def _settle_owner(self, chat: str) -> None:
        """In a chat of two that is named after one of them, the person is the other one, unless it is known better."""
        speakers, name = self._speakers[chat], self._names.get(chat)
        if len(speakers) != 2 or name not in speakers or any(self._is_owner(*speaker) for speaker in speakers.items()):
            return
        for sender in speakers:
            speakers[sender] = sender != name

    def _record(self, name: str, chat: _Chat, message: Message) -> Record:
        record = as_told(message.more.items())
        speakers = self._speakers[message.chat]
        own = f"{chat.identity}-{chat.messages}"
        record |= {
            "_kind": "message",
            "_class": "ChatMessage",
            "_id": own,
            "_own": message.own_id or own,
            "_sender": message.sender,
            "_text": message.text,
            "_start": _to_the_second(message.time),
            "_precision": message.precision,
            "_chat": name,
            "_session": chat.session,
            "_position": chat.count,
            "_log": chat.messages,
            "_addressee": list(message.addressees or ([] if self._of_day else _other(message.sender, speakers))),
            "_attachment": list(message.attachments),
            "_thread": message.thread,
            "_label": plain(message.text[:_LABEL]) or next(iter(message.attachments), "message without words"),
        }
        mine = message.mine if message.mine is not None else speakers[message.sender]
        if mine is not None or message.chat in self._owned:
            record["_direction"] = "sent" if self._is_owner(message.sender, mine) else "received"
        return record


def log_name(path: str) -> str:
    """The slug of a log's file name, or of its folder's where any log's file may be called so (`message_1.json`)."""
    parts = [slug(re.sub(r"\.(zip|tar|tgz|gz)$", "", part)) for part in re.split(r"[/\\!]", path)[:-1]]
    own = stem_slug(path)
    return own if own and not _NAMELESS.fullmatch(own) else next(iter(parts[-1:]), "") or own or "chat"


def _place(waiting: tuple[float, int, Message]) -> tuple[float, int]:
    return waiting[:2]


def _kept(run: IO[bytes]) -> Iterator[tuple[float, int, Message]]:
    """The messages of a run, back from its file."""
    run.seek(0)
    for line in run:
        moment, order, told = orjson.loads(line)
        yield moment if moment is not None else float("-inf"), order, Message(*told)


def _to_the_second(time: str | None) -> str | None:
    """A time as people tell it; the parts of a second only say which of two messages came first."""
    return _FRACTION.sub("", time) if time is not None else None


def _other(sender: str, speakers: Mapping[str, object]) -> list[str]:
    """To whom a message speaks where nothing but the sender is known: the other one of two."""
    return [name for name in speakers if name != sender] if len(speakers) == 2 else []


def _session(name: str, chat: _Chat) -> Record:
    """The record of the session that a chat is in."""
    who = list(chat.speakers)
    return {
        "_kind": "session",
        "_id": f"{chat.identity}-session-{chat.session}",
        "_start": _to_the_second(chat.begin),
        "_end": _to_the_second(chat.end),
        "_precision": chat.precision,
        "_chat": name,
        "_session": chat.session,
        "_count": chat.count,
        "_participant": who,
        "_label": f"{name}, session {chat.session}",
    }
