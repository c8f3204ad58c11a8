"""What a mail says, and the names of what is attached to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.message import Message
from typing import Final

from ..charsets import decoded
from ..text import html_to_text, plain
from .mail_headers import decode_words

__all__ = ["Content", "content_of", "parsable"]

_MOST_PARTS: Final = 1000
_MOST_DEPTH: Final = 50
_MULTIPART = re.compile(rb"multipart/", re.IGNORECASE)
_MOST_LOOKS: Final = 4
"""How often each byte of a message may be looked at in search of the ends of parts, on average; for lines of usual
length these are some hundred parts inside one another."""
_SMALL: Final = 64 * 1024
_HTML_DOCUMENT = re.compile(r"\s*(?:<!doctype html|<html|<head|<body)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\bhtml\b", re.IGNORECASE)
_SHORT: Final = 300
"""A plain part shorter than this that speaks of HTML stands for the HTML part that it belongs to."""


@dataclass
class Content:
    """The readable text, and attachments by name (by kind where they have none)."""

    texts: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    parts: int = 0
    doubts: list[str] = field(default_factory=list)
    """Why texts may not be what was written."""

    @property
    def text(self) -> str:
        """All of it, the parts of a mail one after the other."""
        return "\n\n".join(text for text in self.texts if text)


def parsable(data: bytes) -> bytes:
    """A message's bytes as far as the parser of the standard library gets through them in time: at each line it looks
    for the end of every part that the line is in, so its time grows with lines times parts."""
    parts = sum(1 for _ in _MULTIPART.finditer(data))
    lines = data.count(b"\n") + data.count(b"\r")
    most = _MOST_LOOKS * len(data) + _SMALL
    return data if lines * parts <= most else data[: max(_SMALL, most // parts)]


def content_of(message: Message) -> Content:
    """Text and attachments. Parts beyond a thousand, or nested more than fifty deep, are left out."""
    content = Content()
    _walk(message, content, 0)
    return content


def _walk(part: Message, content: Content, depth: int) -> None:
    content.parts += 1
    if content.parts > _MOST_PARTS or depth > _MOST_DEPTH:
        return
    kind = part.get_content_type()
    inner = part.get_payload()
    if kind.startswith("message/") and isinstance(inner, list):
        forwarded = [decode_words(str(item.get("Subject") or "")) for item in inner if isinstance(item, Message)]
        content.attachments += [subject or kind for subject in forwarded if kind == "message/rfc822"]
        return
    if isinstance(inner, list):
        children = [item for item in inner if isinstance(item, Message)]
        if kind == "multipart/alternative":
            _alternative(children, content, depth)
        else:
            for child in children:
                _walk(child, content, depth + 1)
        return
    _leaf(part, kind, content)


def _alternative(children: list[Message], content: Content, depth: int) -> None:
    """One of several versions of the same: plain text where it is really there, else HTML."""
    versions: list[tuple[str, Content]] = []
    for child in children:
        own = Content(parts=content.parts)
        _walk(child, own, depth + 1)
        content.parts = own.parts
        content.attachments += own.attachments
        content.doubts += own.doubts
        versions.append((child.get_content_type(), own))
    plains = [own.text for kind, own in versions if kind == "text/plain" and own.text.strip()]
    others = [own.text for kind, own in versions if kind != "text/plain" and own.text.strip()]
    if (
        plains
        and others
        and len(plains[0]) < _SHORT
        and _PLACEHOLDER.search(plains[0])
        and len(others[-1]) > len(plains[0])
    ):
        plains = []
    content.texts += (plains or others[-1:])[:1]


def _leaf(part: Message, kind: str, content: Content) -> None:
    name = _file_name(part)
    disposition = (part.get_content_disposition() or "").lower()
    if kind in ("text/plain", "text/html") and disposition != "attachment" and not name:
        content.texts.append(_text(part, kind, content))
    elif disposition == "attachment" or (name and not (kind.startswith("image/") and part.get("Content-ID"))):
        content.attachments.append(name or kind)


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename()
    except (ValueError, TypeError, LookupError, AttributeError):  # malformed RFC 2231 parameters
        return ""
    return decode_words(str(name).encode("utf-8", "replace").decode()) if name else ""


def _text(part: Message, kind: str, content: Content) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = part.get_param("charset")
    found = decoded(data, charset if isinstance(charset, str) else None)
    content.doubts += [found.doubt] if found.doubt else []
    text = found.text
    if kind == "text/html" or _HTML_DOCUMENT.match(text):
        return html_to_text(text)
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unflow(text, joined=str(part.get_param("delsp", "")).lower() == "yes")
    return plain(text)


def _unflow(text: str, *, joined: bool) -> str:
    """Paragraphs out of lines that end with a space where they go on (RFC 3676); a signature's line does not."""
    out: list[list[str]] = []
    open_line = False
    for line in text.replace("\r\n", "\n").split("\n"):
        line = line.removeprefix(" ")
        if not open_line or line.startswith(">"):
            out.append([])
        open_line = line.endswith(" ") and line != "-- " and not line.startswith(">")
        out[-1].append(line[:-1] if open_line and joined else line)
    return "\n".join("".join(lines) for lines in out)
