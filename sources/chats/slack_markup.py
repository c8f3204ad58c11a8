"""Slack's own markup in the texts of messages: who and what is mentioned, links, and what it escapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ..base import as_text

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
