"""Methods of texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import TreeTypeError
from .budget import fits_text
from .values import shown

_PLAIN = (
    *("lower", "upper", "title", "capitalize", "casefold", "swapcase", "isdigit", "isalpha", "isalnum"),
    *("isnumeric", "isdecimal", "isspace", "isupper", "islower", "istitle", "strip", "lstrip", "rstrip"),
    *("removeprefix", "removesuffix", "find", "rfind", "index", "count", "startswith", "endswith"),
)


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    found = text.count(old)
    fits_text(len(text) + (found if count < 0 else min(found, count)) * max(0, len(new) - len(old)))
    return text.replace(old, new, count)


def _padded(name: str) -> Callable[..., str]:
    method: Callable[..., str] = getattr(str, name)

    def pad(text: str, width: int, *fill: str) -> str:
        fits_text(width)
        return method(text, width, *fill)

    return pad


def _join(text: str, parts: Any) -> str:
    """The parts with the text between them; those that are missing do not count."""
    if isinstance(parts, str):
        parts = tuple(parts)
    if not isinstance(parts, tuple):
        raise TreeTypeError(f".join() is of a list, not of {shown(parts)}")
    known = [part for part in parts if part is not None]
    fits_text(sum(len(part) + len(text) for part in known))
    return text.join(known)


def _listed(method: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments, **keywords: tuple(method(*arguments, **keywords))


TEXT_METHODS: dict[str, Callable[..., Any]] = {
    **{name: getattr(str, name) for name in _PLAIN},
    **{name: _listed(getattr(str, name)) for name in ("split", "rsplit", "splitlines", "partition", "rpartition")},
    **{name: _padded(name) for name in ("zfill", "center", "ljust", "rjust")},
    "replace": _replace,
    "join": _join,
}
"""What a method gives of a text and the method's arguments."""
