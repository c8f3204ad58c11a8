"""What a JSON text is looked at for before a parser in C sees it, in linear time: nesting, and endless numbers."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["NumberGuard", "nested_deeper"]

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[{\]}]")


def nested_deeper(text: bytes, most: int) -> bool:
    """Whether a JSON text nests more than `most` containers, told without parsing it.

    Parsers in C count on the stack of the process; what reaches one whole is counted here first, in linear time.
    """
    if text.count(b"[") + text.count(b"{") <= most:
        return False
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub(b"", text)):
        depth += 1 if found.group() in b"[{" else -1
        if depth > most:
            return True
    return False


_MOST_DIGITS: Final = 4000
_DIGITS: Final = b"0123456789"
_LONG_NUMBER = re.compile(rb"(?<![0-9])[0-9]{%d}" % _MOST_DIGITS)


class NumberGuard:
    """Looks for numbers of thousands of digits in a JSON text that is read in pieces, before a parser sees them.

    Python refuses to make integers of them, which the parser in C does not expect: it ends the process.
    """

    def __init__(self) -> None:
        self._last = b""

    def checked(self, piece: bytes) -> bytes:
        """The piece. Raises ValueError."""
        joined = self._last + piece
        if _LONG_NUMBER.search(joined):
            raise ValueError(f"more than {_MOST_DIGITS} digits in a row")
        self._last = joined[len(joined.rstrip(_DIGITS)) :]
        return piece
