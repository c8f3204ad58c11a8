"""Mails: mbox files (Takeout, Thunderbird, Apple Mail) and single messages (.eml)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from typing import Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally
from ..text import stem_slug
from ..unique_identifiers import UniqueIdentifiers
from .labels import DRAFTS, SENT, given_by_hand, kind_of_folder, kinds_of
from .mail_content import content_of, parsable
from .mail_headers import Address, Headers, MailPolicy, parse_date
from .mbox import RawMail, begins_mbox, envelope_date, split_mbox

__all__ = ["FORMAT"]

_MARKS: Final = frozenset(
    ["from", "to", "date", "subject", "message-id", "received", "return-path", "delivered-to", "mime-version", "sender",
     "reply-to", "cc", "x-mailer", "in-reply-to", "references", "content-type", "x-gm-thrid"]
)  # fmt: skip
_SURE: Final = frozenset(["from", "message-id", "received", "return-path", "delivered-to"])
_HEADER = re.compile(r"([!-9;-~]{1,100}):")
_LENGTH_LINE = re.compile(rb"\d{1,12}[ \t]*\r?\n")
"""With which Apple Mail's .emlx files begin."""
_MOST_TEXT: Final = 1_000_000
_DELETED: Final = 0x0008
"""Thunderbird's mark in X-Mozilla-Status of a mail that is deleted and not yet compacted away."""
_EARLIEST: Final = datetime(1980, 1, 1)


def _recognise(file: InputFile) -> float:
    head = file.head()
    if begins_mbox(head):
        return 1.0
    length = _LENGTH_LINE.match(head)
    names = _leading_headers(head[length.end() :] if length else head)
    return 0.9 if len(names & _MARKS) >= 2 and names & _SURE else 0.0


def _leading_headers(head: bytes) -> set[str]:
    """Lower-case names of the headers with which a text begins; none when other lines come before a blank one."""
    names: set[str] = set()
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    for line in re.split(r"\r?\n", text.lstrip("\r\n"))[:-1]:
        if not line:
            return names
        if line[0] in " \t" and names:
            continue
        found = _HEADER.match(line)
        if found is None:
            return set()
        names.add(found.group(1).lower())
    return names


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """One record per message: all headers, decoded, and what the map reads, with `_` in front."""
    mailbox = _Mailbox(file.path, context)
    for raw in _messages(file, context):
        yield from mailbox.read(raw)
    yield from mailbox.tally.report()


def _messages(file: InputFile, context: ReadContext) -> Iterator[RawMail]:
    most = context.limits.record_bytes
    with file.open() as stream:
        if begins_mbox(file.head()):
            yield from split_mbox(stream, most)
            return
        data = stream.read(most + 1)
    length = _LENGTH_LINE.match(data)
    if length:
        data = data[length.end() :][: int(length.group())]
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    yield RawMail(1, 1, "", data[:most], len(data) > most)


@dataclass(frozen=True)
class _When:
    """When a mail was written or, failing that, arrived."""

    moment: datetime
    certainty: str


class _Mailbox:
    """Turns the raw messages of one file into records."""

    def __init__(self, path: str, context: ReadContext) -> None:
        self.tally = Tally(path)
        self._path = path
        self._limit = context.limits.record_bytes
        self._latest = datetime.fromisoformat(context.now).replace(tzinfo=None) + timedelta(days=2)
        self._owner = frozenset(" ".join(name.split()).casefold() for name in context.owner_names if name.strip())
        self._folder = kind_of_folder(path)
        self._identities = Identities()
        self._apart = UniqueIdentifiers(self.tally, context, key="Message-ID", again="the same message again")

    def read(self, raw: RawMail) -> Iterator[Record | BadRecord]:
        where = f"message {raw.number}" + (f" (line {raw.line})" if raw.envelope else "")
        try:
            data = parsable(raw.data)
            message = message_from_bytes(data, policy=MailPolicy())
            headers = Headers(message)
            refusal = self._refusal(headers)
            if refusal:
                self.tally.add(where, refusal)
                return
            record = self._record(message, headers, raw)
        except (RecursionError, ValueError, LookupError, TypeError, AttributeError, AssertionError) as bad:
            # What the standard library's parser raises on hostile structure; the next message is whole again.
            yield BadRecord(self._path, where, f"cannot be parsed ({type(bad).__name__})")
            return
        if record is None:
            self.tally.add(where, "an empty message")
            return
        if not self._apart.take(record, where, *_told(record)):
            return
        doubts = record.pop("_doubts")
        yield record
        for key, doubt in doubts:
            self.tally.add(where, doubt, key=key)
        if len(data) < len(raw.data):
            reason = "more parts and lines than can be told apart in time: its end was left out"
            yield BadRecord(self._path, where, reason, key="text")
        for name in headers.cut:
            reason = "more characters or addresses than are read of a header: its end was left out"
            yield BadRecord(self._path, where, reason, key=name)
        yield from self._notes(record, raw, where)

    def _refusal(self, headers: Headers) -> str | None:
        kinds = kinds_of(_labels(headers)) or ({self._folder} if self._folder else set())
        marked = headers.text("X-Unsent") == "1" or "mail-draft" in headers.text("X-Uniform-Type-Identifier")
        begun = headers.raw("X-Mozilla-Draft-Info") and not headers.raw("Received") and self._folder != SENT
        if marked or begun or (DRAFTS in kinds and SENT not in kinds):
            return "a draft that was not sent"
        status = headers.text("X-Mozilla-Status")
        if re.fullmatch(r"[0-9A-Fa-f]{4}", status) and int(status, 16) & _DELETED:
            return "deleted in the mail program"
        return None

    def _record(self, message: Message, headers: Headers, raw: RawMail) -> Record | None:
        record: Record = dict(headers.record())
        content = content_of(message)
        if not record and not content.text:
            return None
        people = {name: headers.addresses(name) for name in ("From", "Sender", "To", "Cc", "Bcc")}
        sender = (people["From"] or people["Sender"])[:1]
        direction = self._direction(sender, headers)
        record["_text"] = content.text[:_MOST_TEXT]
        record["_cut"] = len(content.text) > _MOST_TEXT
        record["_attachments"] = content.attachments
        record["_sender"] = [person.name for person in sender]
        record["_senderAddress"] = [person.address for person in sender if person.address]
        for key, to in (("_recipient", people["To"] + people["Bcc"]), ("_copy", people["Cc"])):
            record[key] = [person.name for person in to]
            record[f"{key}Address"] = [person.address for person in to if person.address]
        record["_direction"] = direction
        record["_labels"] = labels = _labels(headers)
        record["_tags"] = given_by_hand(labels)
        record["labels"] = [label for label in labels if label not in record["_tags"]]
        record["_doubts"] = [*headers.doubts.items(), *(("text", doubt) for doubt in content.doubts[:1])]
        record |= self._when(headers, raw.envelope, direction)
        record |= _thread(headers)
        if "_id" not in record:
            parts = (headers.text("From"), headers.text("Date"), headers.text("Subject"), record["_text"])
            record["_id"] = self._identities.of(*parts)
        return record

    def _direction(self, sender: list[Address], headers: Headers) -> str | None:
        """sent or received, where the person's names or the mail program's labels tell."""
        if any(self._is_owner(person) for person in sender):
            return "sent"
        kinds = kinds_of(_labels(headers)) - {DRAFTS} or ({self._folder} if self._folder else set())
        if len(kinds) == 1:
            return "sent" if SENT in kinds else "received"
        arrived = any(headers.raw(name) for name in ("Delivered-To", "X-Received", "X-Delivered-To"))
        return "received" if self._owner or (arrived and not kinds) else None

    def _is_owner(self, person: Address) -> bool:
        own = {" ".join(person.name.split()).casefold(), person.address.casefold()}
        return bool(own & self._owner)

    def _when(self, headers: Headers, envelope: str, direction: str | None) -> Record:
        """`_start` as wall clock, `_instant` with offset.

        The offset of a mail is its writer's: only for what the person sent is it the person's own, so that the stated
        time of day counts; what was received counts by the clock at home.
        """
        when = self._written(headers, envelope)
        if when is None:
            return {}
        moment = when.moment
        if moment.tzinfo is None:
            return {"_start": moment.isoformat(), "_certainty": "assumed", "_precision": "second"}
        local = moment if direction == "sent" else moment.astimezone(UTC)
        return {
            "_start": local.isoformat().replace("+00:00", "Z"),
            "_instant": moment.isoformat(),
            "_certainty": when.certainty,
            "_precision": "second",
        }

    def _written(self, headers: Headers, envelope: str) -> _When | None:
        for text in headers.raw("Date"):
            if (moment := parse_date(text)) and self._plausible(moment):
                return _When(moment, "stated")
        hops = [text.rpartition(";")[2] for name in ("Received", "X-Received") for text in headers.raw(name)]
        for text in (*hops, *headers.raw("Delivery-Date"), *headers.raw("Resent-Date")):
            if (moment := parse_date(text)) and self._plausible(moment):
                return _When(moment, "assumed")
        moment = envelope_date(envelope)
        return _When(moment, "assumed") if moment and self._plausible(moment) else None

    def _plausible(self, moment: datetime) -> bool:
        try:
            return (
                _EARLIEST <= (moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment) <= self._latest
            )
        except OverflowError:
            return False

    def _notes(self, record: Record, raw: RawMail, where: str) -> Iterator[BadRecord]:
        """What of a message that is kept was left out or is wrong."""
        if raw.cut:
            reason = f"longer than {self._limit} bytes: what follows was left out"
            yield BadRecord(self._path, where, reason, key="text")
        if record["_labels"] and record["_direction"] is None:
            names = ", ".join(record["_labels"])
            self.tally.add(where, f"labels that tell neither sent nor received: {names:.80}", key="labels")
        if record["_cut"]:
            reason = f"text longer than {_MOST_TEXT} characters: its end was left out"
            yield BadRecord(self._path, where, reason, key="text")
        if "_start" not in record:
            self.tally.add(where, "no usable date: kept without a time", key="Date")
        elif "Date" in record and record["_certainty"] == "assumed":
            self.tally.add(where, "a date that is wrong or without zone: its time is assumed", key="Date")


def _told(record: Record) -> Iterator[object]:
    """What makes a mail this one and no other: who wrote what, and when, however it was sent and filed."""
    stated = record.get("_instant")
    yield datetime.fromisoformat(stated).timestamp() if stated else record.get("_start")
    yield [address.casefold() for address in record["_senderAddress"]] or record["_sender"]
    yield " ".join(str(record.get("Subject") or "").split())
    yield " ".join(record["_text"].split())


def _labels(headers: Headers) -> list[str]:
    """Gmail's labels or a mail program's keywords."""
    text = headers.text("X-Gmail-Labels") or headers.text("Keywords")
    try:
        row = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        row = text.split(",")
    return [label.strip() for label in row if label.strip()]


def _thread(headers: Headers) -> Record:
    """The mail's own identifier, what it answers, and the conversation: Gmail's, else the first mail's identifier."""
    own = _identifiers(headers, "Message-ID")[:1]
    answered = _identifiers(headers, "In-Reply-To")[:1]
    before = _identifiers(headers, "References") or answered
    root = [text for text in (headers.text("X-GM-THRID"),) if text] or before[:1] or own
    return {
        key: values[0]
        for key, values in (("_id", own), ("_inReplyTo", answered or before[-1:]), ("_thread", root))
        if values
    }


def _identifiers(headers: Headers, name: str) -> list[str]:
    text = headers.text(name)
    found = re.findall(r"<([^<>\s]+)>", text)
    bare = text.strip("<> \t")
    return found or ([bare] if bare and not re.search(r"\s", bare) else [])


def _source_name(file: InputFile) -> str:
    """A mailbox by its file's name, as people export several folders; single messages belong together."""
    name = stem_slug(file.path) if file.head(5) == b"From " else ""
    return f"mail-{name}" if name not in ("", "mail", "mbox") else "mail"


FORMAT = Format(
    name="mail",
    label="Mails (mbox or eml)",
    map_file="mail.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
