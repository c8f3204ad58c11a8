"""Elements of a JSON array as slices of bytes, told apart without parsing: what is wrong in one costs no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["CutOff", "Piece", "pieces", "value_of"]

_BETWEEN: Final = re.compile(rb'["\[\]{,]')
_WITHIN: Final = re.compile(rb'["\[\]{}]')
_TEXT: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_QUOTE, _COMMA = b'",'
_OPEN: Final = b"[{"
_HALF_CHARACTER: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class CutOff(Exception):
    """The array has no end; callers turn it into the package's own error."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One element as it is written, and how many containers it nests."""

    text: bytes
    depth: int


def value_of(text: bytes) -> Any:
    """The value of one element; NaN and Infinity, which some programs write, are numbers. Raises ValueError.

    It recurses as deep as the text nests: count that before.
    """
    value = json.loads(text.decode("utf-8"))
    if _HALF_CHARACTER.search(text):
        json.dumps(value, ensure_ascii=False).encode()  # half a character is no text
    return value


def pieces(data: Iterable[bytes]) -> Iterator[Piece | bytes]:
    """Each element of an array behind its `[`, and at the end, as bytes, what was read of the text that follows it.

    Takes linear time, and the memory of one element. Raises CutOff.
    """
    scan, depth, deepest = _Scan(), 0, 0
    for more in data:
        scan.held += more
        while (sign := scan.next_sign(_WITHIN if depth else _BETWEEN)) is not None:
            if sign in _OPEN:
                depth += 1
                deepest = max(deepest, depth)
            elif depth:
                depth -= 1
            else:
                text = scan.taken()
                if text or sign == _COMMA:
                    yield Piece(text, deepest)
                deepest = 0
                if sign != _COMMA:
                    yield bytes(scan.held)
                    return
    raise CutOff


class _Scan:
    """Finds the signs outside of strings in a text that comes in parts."""

    def __init__(self) -> None:
        self.held = bytearray()
        self._at = 0
        self._in_text = False

    def next_sign(self, signs: re.Pattern[bytes]) -> int | None:
        """The next of `signs` that is no quote, None where more of the text is needed."""
        while self._at < len(self.held):
            if self._in_text:
                found = _TEXT.match(self.held, self._at)
                self._at = found.end() if found else self._at
                if self._at == len(self.held) or self.held[self._at] != _QUOTE:
                    return None  # the string goes on, perhaps behind a backslash that is the last byte so far
                self._at, self._in_text = self._at + 1, False
                continue
            found = signs.search(self.held, self._at)
            self._at = found.end() if found else len(self.held)
            if found is None or self.held[found.start()] != _QUOTE:
                return None if found is None else self.held[found.start()]
            self._in_text = True
        return None

    def taken(self) -> bytes:
        """The text before the last sign, which is held no longer."""
        text = bytes(self.held[: self._at - 1]).strip()
        del self.held[: self._at]
        self._at = 0
        return text
