"""Objects in lists that lie deeper in a JSON text, one at a time, each list with the object that holds it.

`{"name": …, "messages": [{…}, …], "title": …}` holds its messages under `("messages", None)`; a list of such objects
under `(None, "messages", None)`. What is said about a list may stand behind it, so its holder is given at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import ijson
from ijson.common import JSONError

from ...config import Limits
from ...errors import HostileInput, SourceError
from ...texts.import_budget import NumberGuard
from ..base import InputFile
from .jsonstream import CountedStream

NOTHING: Final = object()
"""No element is complete yet (None is a value of JSON)."""
Place = tuple[str | None, ...]
"""Where items lie: keys, and None for any element of a list; the last is None."""
_CHUNK = 64 * 1024


class TooDeep(Exception):
    """The text nests more containers than allowed; callers turn it into the package's own error."""


class Elements:
    """Takes `ijson.basic_parse` events; gives the elements of a top-level array, or the one top-level value.

    ijson's own builders keep a path per event, which for a text nested 100,000 deep is gigabytes; this keeps a stack.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._stack: list[Any] = []
        self._names: list[str] = []
        self._level = 0

    @property
    def is_array(self) -> bool:
        """Whether the top-level value is an array."""
        return self._level == 1

    @property
    def unfinished(self) -> Any:
        """The element being assembled, as far as it is known; None when there is none."""
        return self._stack[self._level] if len(self._stack) > self._level else None

    def feed(self, event: str, value: Any) -> Any:
        """The element that this event completes, or NOTHING. Raises TooDeep."""
        if event == "map_key":
            self._names[-1] = value
            return NOTHING
        if event in ("end_map", "end_array"):
            return self._close()
        if event == "start_map":
            return self._open({})
        if event == "start_array":
            return self._open([])
        # Only Python's own numbers have no limit of size; Decimals are what ijson makes of fractions.
        return self._place(float(value) if isinstance(value, Decimal) else value)

    def _open(self, made: Any) -> Any:
        if not self._stack:
            self._level = 1 if isinstance(made, list) else 0
        elif len(self._stack) >= self._depth:
            raise TooDeep
        self._place(made)
        self._stack.append(made)
        self._names.append("")
        return NOTHING

    def _close(self) -> Any:
        done = self._stack.pop()
        self._names.pop()
        whole_array = self._level == 1 and not self._stack
        return done if len(self._stack) == self._level and not whole_array else NOTHING

    def _place(self, value: Any) -> Any:
        if len(self._stack) <= self._level:
            return value
        parent = self._stack[-1]
        if isinstance(parent, dict):
            parent[self._names[-1]] = value
        else:
            parent.append(value)
        return NOTHING


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
