"""Slack's own markup in the texts of messages: who and what is mentioned, links, and what it escapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_MARKED: Final = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")
_SCHEMES: Final = ("http://", "https://", "mailto:", "tel:")
_ESCAPED: Final = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


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
