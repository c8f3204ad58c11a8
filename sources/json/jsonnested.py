"""Objects in lists that lie deeper in a JSON text, one at a time, each list with the object that holds it.

`{"name": …, "messages": [{…}, …], "title": …}` holds its messages under `("messages", None)`; a list of such objects
under `(None, "messages", None)`. What is said about a list may stand behind it, so its holder is given at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ijson
from ijson.common import JSONError

from ...config import Limits
from ...errors import HostileInput, SourceError
from ...texts.json_bounds import NumberGuard
from ..base import InputFile
from .jsonstream import CountedStream
from .jsontree import NOTHING, Elements, TooDeep

__all__ = ["Holder", "Item", "Place", "json_nested"]

Place = tuple[str | None, ...]
"""Where items lie: keys, and None for any element of a list; the last is None."""
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list: its number from 1 in the text, and its value."""

    number: int
    value: Any


@dataclass(frozen=True, slots=True)
class Holder:
    """The end of the object that held the items since the last holder: what else it says."""

    value: dict[str, Any]


def json_nested(file: InputFile, limits: Limits, place: Place) -> Iterator[Item | Holder]:
    """Items at `place`, and after those of each holder the holder without them.

    Raises SourceError when the text is malformed or cut off, HostileInput when it passes a limit.
    """
    with file.open() as stream:
        source = CountedStream(stream, file.path, limits.record_bytes)
        walk = _Walk(place, limits.depth)
        try:
            for event, value in ijson.basic_parse(_ShortNumbers(source), buf_size=_CHUNK):
                made = walk.feed(event, value)
                if made is not None:
                    yield made
                    source.mark()
        except TooDeep as bad:
            raise HostileInput(f"{file.path}: JSON nested more than {limits.depth} deep") from bad
        except JSONError as bad:
            cut_off = "premature EOF" in str(bad)
            raise SourceError(f"{file.path}: {'the JSON is cut off' if cut_off else 'malformed JSON'}") from bad
        except (ValueError, ArithmeticError) as bad:  # bytes that are no UTF-8, a number of thousands of digits
            raise SourceError(f"{file.path}: malformed JSON: {bad}") from bad


class _ShortNumbers:
    """A stream that refuses endless numbers, of which the parser in C makes integers."""

    def __init__(self, stream: CountedStream) -> None:
        self._stream = stream
        self._guard = NumberGuard()

    def read(self, size: int) -> bytes:
        return self._guard.checked(self._stream.read(size))


class _Walk:
    """Follows parse events, building items and what their holders say besides."""

    def __init__(self, place: Place, depth: int) -> None:
        self._items = place
        self._holder = place[:-2]
        self._depth = depth
        self._path: list[str | None] = []
        """For each open container the key whose value comes next, None for a list: together the place of that value."""
        self._building: _Value | None = None
        self._held: dict[str, Any] = {}
        self._count = 0

    def feed(self, event: str, value: Any) -> Item | Holder | None:
        """What this event completes. Raises TooDeep."""
        if self._building is not None:
            return self._build(self._building, event, value)
        if event == "map_key":
            self._path[-1] = value
        elif event in ("end_map", "end_array"):
            self._path.pop()
            if event == "end_map" and tuple(self._path) == self._holder:
                held, self._held = self._held, {}
                return Holder(held)
        elif tuple(self._path) == self._items or self._is_of_holder():
            self._building = _Value(self._depth)
            return self._build(self._building, event, value)
        elif event.startswith("start_"):
            if len(self._path) >= self._depth:
                raise TooDeep
            self._path.append(None)
        return None

    def _is_of_holder(self) -> bool:
        """Whether the value that comes next stands in a holder, beside the list of items."""
        here = tuple(self._path)
        return len(here) == len(self._holder) + 1 and here[:-1] == self._holder and here != self._items[:-1]

    def _build(self, building: _Value, event: str, value: Any) -> Item | None:
        made = building.feed(event, value)
        if made is NOTHING:
            return None
        self._building = None
        if tuple(self._path) != self._items:
            self._held[self._path[-1] or ""] = made
            return None
        self._count += 1
        return Item(self._count, made)


class _Value:
    """One value of any kind out of parse events: of a top-level list, Elements gives the elements one by one."""

    def __init__(self, depth: int) -> None:
        self._elements = Elements(depth)
        self._level = 0
        self._is_list = False

    def feed(self, event: str, value: Any) -> Any:
        """The value that this event completes, or NOTHING. Raises TooDeep."""
        if self._level == 0 and event == "start_array":
            self._is_list = True
            self._elements.feed("start_map", None)
            self._elements.feed("map_key", "")
        self._level += event.startswith("start_")
        self._level -= event.startswith("end_")
        made = self._elements.feed(event, value)
        if self._is_list and self._level == 0:
            return self._elements.feed("end_map", None)[""]
        return made
