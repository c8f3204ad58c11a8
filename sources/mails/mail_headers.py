"""Headers of mails as text: encoded words, wrong character sets, addresses, dates.

The parsers of `email.policy.default` refuse some malformed addresses with exceptions and take a millisecond for a long
one; headers are therefore decoded here, leniently, from their raw form (RFC 2047, RFC 5322).
"""

from __future__ import annotations

import binascii
import quopri
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses, parsedate_tz
from itertools import groupby
from typing import Final

from ..charsets import decoded, is_known
from ..text import plain

__all__ = ["Address", "Headers", "MailPolicy", "addresses", "decode_words", "parse_date"]

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?((?:[^?]|\?(?!=))*+)(?:\?=|$)")
"""An encoded word; also one with a question mark in it, and one that is cut off at the end."""
_BETWEEN = re.compile(r"(?<=\?=)\s+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_RUN = re.compile(r"(?:=\?[^?\s]{1,60}\?[bBqQ]\?(?:[^?]|\?(?!=))*+\?=\s*+)++")
_SPECIAL = re.compile(r"[\"<>@,;:()]")
"""What no encoded word of a name may have as it stands (RFC 2047, 5)."""
_ZONED = re.compile(
    r":\d\d\s*(?:[+-]\d{4}|(?:UTC?|GMT|Z|[ACEMP][SD]T)\b)|\b(?:UTC?|GMT|[+-]\d{4})\s*(?:\(|$)", re.IGNORECASE
)
_MOST: Final = 64 * 1024
"""Characters of one header that are read."""
_MOST_IN_ALL: Final = 4 * _MOST
"""Characters of all headers of addresses of one name."""
_MOST_ADDRESSES: Final = 1_000
"""Addresses of one name of header: each is a person to know, to match and to compare."""
_MOST_CONTENT: Final = 4_096
"""Characters of a header such as Content-Type."""
_SPELLINGS: Final = {
    name.lower(): name
    for name in (
        "From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
        "Received", "Return-Path", "Delivered-To", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
        "Keywords", "X-Gmail-Labels", "X-GM-THRID", "List-Id",
    )
}  # fmt: skip


class MailPolicy(Compat32):
    """How the standard library reads a message: headers that say how to read it are cut where no honest one goes on,
    as it takes their parameters apart in quadratic time."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """A header's name and value."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_MOST_CONTENT] if name.lower().startswith("content-") else value


class Headers:
    """A message's headers: decoded, every one, repeated ones as lists."""

    def __init__(self, message: Message) -> None:
        self._raw: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}
        self.doubts: dict[str, str] = {}
        """Why what a header holds may not be what was written, by its name."""
        self.cut: dict[str, None] = {}
        """The headers whose ends were left out."""
        for name, value in message.raw_items():
            low, text = name.lower(), str(value)
            self._names.setdefault(low, name)
            self._raw.setdefault(low, []).append(self._repaired(name, text))
            if len(text) > _MOST:
                self.cut[name] = None

    def raw(self, name: str) -> list[str]:
        """The values of a header as they are written, character sets repaired."""
        return self._raw.get(name.lower(), [])

    def text(self, name: str) -> str:
        """The first value of a header, decoded; empty without one."""
        values = self.raw(name)
        return decode_words(values[0]) if values else ""

    def addresses(self, name: str) -> list[Address]:
        """The people of the headers of a name, each address once; those beyond a thousand are left out."""
        values, left = self.raw(name), _MOST_IN_ALL
        some = [value for value in values if (left := left - len(value)) >= 0]
        found = addresses(some)
        if len(some) < len(values) or len(found) > _MOST_ADDRESSES:
            self.cut[self._names[name.lower()]] = None
        return found[:_MOST_ADDRESSES]

    def record(self) -> dict[str, str | list[str]]:
        """All headers, decoded: those of the standards under their names, all others as lines under `header`. Their
        names are the sender's, who may call one as the person calls what is asked for."""
        found: dict[str, str | list[str]] = {}
        others: list[str] = []
        for low, values in self._raw.items():
            doubts: list[str] = []
            read = [decode_words(value, doubts) for value in values]
            if doubts:
                self.doubts[self._names[low]] = doubts[0]
            if low in _SPELLINGS:
                found[_SPELLINGS[low]] = read[0] if len(read) == 1 else read
            else:
                others += [f"{self._names[low]}: {value}" for value in read]
        return {**found, "header": others} if others else found

    def _repaired(self, name: str, value: str) -> str:
        """A raw header without folding, its undeclared 8-bit characters read as UTF-8 or else Windows-1252."""
        value = value[:_MOST]
        if not value.isascii():
            found = decoded(value.encode("utf-8", "surrogateescape"), None)
            value = found.text
            if found.doubt:
                self.doubts.setdefault(name, found.doubt)
        return re.sub(r"\r?\n[ \t]*|\r", " ", value).strip()


def decode_words(value: str, doubts: list[str] | None = None) -> str:
    """`value` with its encoded words decoded (RFC 2047); characters that are split between words are joined.

    `doubts` takes why a word may not be what was written.
    """
    if "=?" not in value:
        return plain(value)
    out: list[str] = []
    run: list[tuple[str, bytes]] = []
    at, value = 0, _BETWEEN.sub("", value)
    for found in _WORD.finditer(value):
        label = found[1].split("*")[0].lower()
        if not found[0].endswith("?=") and not is_known(label):
            continue  # a text that only begins like an encoded word
        if before := value[at : found.start()]:
            out += [_joined(run, doubts), before]
            run = []
        run.append((label, _payload(found[2], found[3])))
        at = found.end()
    return plain("".join([*out, _joined(run, doubts), value[at:]]))


def _joined(run: list[tuple[str, bytes]], doubts: list[str] | None) -> str:
    found = [decoded(b"".join(data for _, data in group), label) for label, group in groupby(run, lambda pair: pair[0])]
    if doubts is not None:
        doubts += [word.doubt for word in found if word.doubt]
    return "".join(word.text for word in found)


def _payload(encoding: str, payload: str) -> bytes:
    data = payload.encode("utf-8", "replace")
    if encoding in "qQ":
        return quopri.decodestring(data.replace(b"_", b" "), header=False)
    try:
        return binascii.a2b_base64(data + b"==")
    except binascii.Error:
        return data


@dataclass(frozen=True)
class Address:
    """Who a mail is from or to; `name` is the address where no name is given."""

    name: str
    address: str


def addresses(values: Iterable[str]) -> list[Address]:
    """The people of address headers, each address once. Groups are their members."""
    found: dict[str, Address] = {}
    waiting: list[str] = []
    values = [_RUN.sub(_name_of, value) for value in values]
    try:
        pairs = getaddresses(values)
    except (RecursionError, IndexError, ValueError, TypeError):  # nested comments, cut-off quotes
        pairs = [("", text) for value in values for text in re.findall(r"(?<![\w.+-])[\w.+-]++@[\w.-]+", value)]
    for raw_name, raw_address in pairs:
        name = decode_words(raw_name).strip().strip("'\"").strip()
        address = decode_words(raw_address).strip().strip("<>'\"")
        if "@" not in address:
            # A name with a comma that should have been quoted: Doe, Jane <jane@example.org>
            waiting += [part for part in (name or address,) if part]
            continue
        before, waiting = ", ".join(waiting), []
        if before and name:
            name = f"{before}, {name}"
        elif before:
            found.setdefault(before.lower(), Address(before, ""))
        found.setdefault(
            address.lower(), Address(name if name and name.lower() != address.lower() else address, address)
        )
    if before := ", ".join(waiting):
        found.setdefault(before.lower(), Address(before, ""))
    return list(found.values())


def _name_of(found: re.Match[str]) -> str:
    """A run of encoded words as what reads addresses takes for one name; with the address where this stands in it."""
    run = found[0]
    if not _SPECIAL.search(run):
        return run
    told = decode_words(run)
    quoted = told if re.search(r"[<\"]", run) else '"' + told.replace("\\", "").replace('"', "'") + '"'
    return f"{quoted} "


def parse_date(text: str) -> datetime | None:
    """A date of RFC 5322 or ISO 8601: aware where it tells an offset, else naive; None when it is none."""
    text = text.strip()[:200]
    try:
        parts = parsedate_tz(text)
    except (ValueError, IndexError, TypeError):
        parts = None
    try:
        if parts is None:
            return datetime.fromisoformat(text)
        moment = datetime(*parts[:6])
        # -0000 is UTC, of which it is not known how late it was where the mail was written: parsedate_tz gives None.
        if parts[9] is None:
            return moment.replace(tzinfo=UTC)
        if not _ZONED.search(text):  # for no zone and for an unknown one it gives 0
            return moment
        return moment.replace(tzinfo=timezone(timedelta(seconds=parts[9])))
    except (ValueError, OverflowError):
        return None
