"""Regular expressions in conditions: `re.search("caf[eé]", attr["summary"])`, each with a time limit."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import regex

from ...errors import TreeTypeError
from .budget import fits_text

MAX_PATTERN = 500
"""Characters in a pattern."""
_SECONDS = 0.1
_FLAGS = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL}


def _matched(name: str) -> Callable[..., tuple[Any, ...]]:
    """search, match or fullmatch: the text found and its groups as a list, an empty one where nothing is found."""

    def match(pattern: str, text: str, flags: str = "") -> tuple[Any, ...]:
        try:
            found = getattr(_compiled(pattern, flags), name)(text, timeout=_SECONDS)
        except TimeoutError as bad:
            raise TreeTypeError(f"the pattern {pattern!r} takes too long") from bad
        return () if found is None else (found[0], *found.groups())

    return match


def _find_all(pattern: str, text: str, flags: str = "") -> tuple[Any, ...]:
    try:
        found = _compiled(pattern, flags).findall(text, timeout=_SECONDS)
    except TimeoutError as bad:
        raise TreeTypeError(f"the pattern {pattern!r} takes too long") from bad
    return tuple(found)


def _substituted(pattern: str, new: str, text: str) -> str:
    fits_text((len(text) + 1) * (len(new) + 1))
    try:
        return _compiled(pattern, "").sub(new, text, timeout=_SECONDS)
    except TimeoutError as bad:
        raise TreeTypeError(f"the pattern {pattern!r} takes too long") from bad
    except (regex.error, IndexError) as bad:
        raise TreeTypeError(f"{new!r} cannot stand for what {pattern!r} finds: {bad}") from bad


@lru_cache(maxsize=256)
def _compiled(pattern: str, flags: str) -> regex.Pattern[str]:
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN or not set(flags) <= _FLAGS.keys():
        raise TreeTypeError(f"a pattern is a text of at most {MAX_PATTERN} characters")
    chosen = regex.VERSION0
    for flag in flags:
        chosen |= _FLAGS[flag]
    try:
        return regex.compile(pattern, chosen)
    except (regex.error, ValueError, RecursionError) as bad:
        raise TreeTypeError(f"{pattern!r} is not a pattern: {bad}") from bad


PATTERNS: dict[str, Callable[..., Any]] = {
    "re.search": _matched("search"),
    "re.match": _matched("match"),
    "re.fullmatch": _matched("fullmatch"),
    "re.findall": _find_all,
    "re.sub": _substituted,
}
