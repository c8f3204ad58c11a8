"""Names, words and attachments out of the values of a chat's messages, however they are told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..text import plain

__all__ = ["TEXTS", "attached", "kept", "mended", "named", "names_in", "text_of", "words_of"]

TEXTS: Final = ("text", "content", "message", "body", "utterance", "msg", "parts")
_NAMES: Final = ("real_name", "global_name", "nickname", "display_name", "name", "username", "role")
_HIDDEN_PARTS: Final = frozenset(
    ("tool_use", "tool_result", "thinking", "redacted_thinking", "token_budget", "server_tool_use")
)
"""Kinds of the parts of an assistant's answer that are not said to the person."""
_WIDE: Final = re.compile("[^\x00-\xff]")


def named(value: Any) -> str:
    """The name of who or what a value is: a text, or an object with a name."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, dict):
        return next((found for name in _NAMES if (found := named(value.get(name)))), "")
    return ""


def names_in(value: Any) -> Iterator[str]:
    """The names in a list, or the one that a value is."""
    for one in value if isinstance(value, list) else [value]:
        if name := named(one):
            yield mended(name)


def words_of(value: Mapping[str, Any]) -> tuple[str | None, str]:
    """The key and the words of a message: those of the first key that has any."""
    keys = [name for name in TEXTS if value.get(name) is not None]
    found = next(((key, text) for key in keys if (text := text_of(value[key]))), None)
    return found or (keys[0] if keys else None, "")


def text_of(value: Any) -> str:
    """The words of a message: a text, or parts of one (Telegram's entities, blocks of an assistant's answer)."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return _joined(
            [part for part in value if not (isinstance(part, dict) and str(part.get("type")) in _HIDDEN_PARTS)]
        )
    if isinstance(value, dict):
        return next((text_of(value[name]) for name in (*TEXTS, "value") if value.get(name) is not None), "")
    return ""


def _joined(parts: Sequence[Any]) -> str:
    texts = [part if isinstance(part, str) else text_of(part) for part in parts]
    blocks = all(isinstance(part, dict) and part.get("type") == "text" for part in parts)
    inline = not blocks and all(isinstance(part, str | dict) for part in parts)
    return plain(("" if inline else "\n").join(texts))


def attached(value: Mapping[str, Any]) -> tuple[str, ...]:
    """What a message carries besides words: names of files, or what kind of thing it is."""
    found: list[str] = []
    for key in ("attachments", "photos", "videos", "audio_files", "files", "gifs", "media"):
        items = value.get(key)
        for item in items if isinstance(items, list) else ():
            name = named(item) or next(
                (named(item.get(name)) for name in ("fileName", "file_name", "title", "uri", "url") if item.get(name))
                if isinstance(item, dict)
                else iter(()),
                "",
            )
            found.append(name or key.rstrip("s"))
    for key in ("file_name", "media_type", "photo", "file", "sticker_emoji"):
        if isinstance(value.get(key), str) and value[key]:
            found.append(value[key])
            break
    return tuple(found)


def kept(value: Any) -> Any:
    """A value as any JSON has it: no half characters, no number beyond 64 bits."""
    if isinstance(value, list):
        return [kept(item) for item in value]
    if isinstance(value, int) and abs(value) >= 2**63:
        return str(value)
    return plain(value) if isinstance(value, str) else value


def mended(text: str) -> str:
    """A text whose UTF-8 was written as if it were Latin-1, as in exports of Messenger and Instagram."""
    if text.isascii() or _WIDE.search(text):
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
