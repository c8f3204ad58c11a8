"""The block of keys and values (YAML or TOML) with which a Markdown note may begin, read within limits."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Any, Final

import yaml
from frontmatter.default_handlers import YAMLHandler

from ...config import read_toml

__all__ = ["split_front_matter"]

_YAML = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"([\w][\w .-]{0,60}):(?:[ \t]+(.*))?")
_MOST_CHARACTERS: Final = 64 * 1024
_MOST_VALUES: Final = 5000
_MOST_DEPTH: Final = 20
_ALIAS = re.compile(r"(?<![^\s\[,{:-])\*\w")
_MOST_ALIASES: Final = 10
"""References to references, merged, make a small block a huge one while it is loaded."""


def split_front_matter(text: str) -> tuple[dict[str, Any], str, str | None]:
    """Keys and values, the rest of the text, and why the block could not be read in full (None when it could).

    Values are JSON-like, dates and date-times aside. A text that only begins with a rule (`---`) has no block.
    """
    for pattern, load in ((_YAML, _load_yaml), (_TOML, _load_toml)):
        found = pattern.match(text[: 2 * _MOST_CHARACTERS])
        if found is None:
            continue
        block, rest = found.group(1), text[found.end() :]
        if len(block) > _MOST_CHARACTERS:
            return {}, rest, f"front matter longer than {_MOST_CHARACTERS} characters"
        loaded = load(block)
        if isinstance(loaded, dict):
            try:
                return {str(key): _plain(value, [_MOST_VALUES]) for key, value in loaded.items()}, rest, None
            except _TooMuch:
                return {}, rest, "front matter with too many or too deeply nested values"
        lines = _lines(block)
        if lines:
            return lines, rest, None if loaded is None else f"front matter that is no {load.__name__[6:].upper()}"
    return {}, text, None


_NUMBERS_END = 10**300
"""Whole numbers beyond it are none that anybody measured, and thousands of digits cannot even be printed."""


class _TooMuch(Exception):
    """References to references, or a number of thousands of digits, made a small block a huge value."""


def _load_yaml(block: str) -> Any:
    if len(_ALIAS.findall(block)) > _MOST_ALIASES:
        return "aliases"
    try:
        # The loader in Python, not the one in C: nesting then ends in RecursionError instead of a full stack.
        return YAMLHandler().load(block, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError) as bad:
        return f"{type(bad).__name__}"


def _load_toml(block: str) -> Any:
    try:
        return read_toml(block)
    except ValueError as bad:
        return f"{type(bad).__name__}"


def _lines(block: str) -> dict[str, Any]:
    """`key: value` lines as texts, for blocks that are no YAML because of a template's braces or a stray colon."""
    found: dict[str, Any] = {}
    for line in block.splitlines():
        match = _LINE.fullmatch(line.rstrip())
        if match:
            value = (match.group(2) or "").strip().strip("\"'")
            found[match.group(1).strip()] = value or None
    return found


def _plain(value: Any, left: list[int], depth: int = 0) -> Any:
    """JSON-like copy; `left` holds how many values may still come. Raises _TooMuch."""
    left[0] -= 1
    if left[0] < 0 or depth > _MOST_DEPTH:
        raise _TooMuch
    if isinstance(value, dict):
        return {str(key): _plain(item, left, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item, left, depth + 1) for item in value]
    if isinstance(value, time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int) and abs(value) >= _NUMBERS_END:
        raise _TooMuch
    if value is None or isinstance(value, str | int | float | datetime | date):
        return value
    return str(value)
