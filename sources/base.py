"""What every reader of an export gives, an iterator of records or of errors as values, and how it takes values of any
type out of records."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from ..config import Limits

Record = dict[str, Any]
"""One record as JSON-like values (str, int, float, bool, None, list, dict); what a map's references are read from."""


@dataclass(frozen=True, slots=True)
class BadRecord:
    """Something in an export that was kept out: the file, the place in it (line, index, element), and why.

    A record is in or out as a whole. With a `key`, it is in, and what was kept out is the value of that key, which
    could not be read; it stands under its own key all the same.
    """

    path: str
    where: str
    reason: str
    count: int = 1
    """How many records it stands for, when many alike are reported as one; 0 where nothing was kept out, and the reason
    tells how the file was read."""
    key: str | None = None


class InputFile(Protocol):
    """One file of an export: on disk or inside an archive. `path` is what reports name, never a temporary name."""

    @property
    def path(self) -> str: ...

    @property
    def size(self) -> int: ...

    def open(self) -> Any:
        """A binary stream at the start of the file; closing it is the caller's duty."""
        ...

    def head(self, size: int = 65536) -> bytes:
        """The first bytes, for recognising the format."""
        ...


@dataclass(frozen=True)
class ReadContext:
    """What a reader may need besides the bytes. Nothing reads the clock: `now` is given."""

    home_zone: ZoneInfo
    now: str
    """Wall-clock ISO date-time of the import, e.g. 2025-03-01T12:00:00."""
    horizon_days: int = 366
    """How far beyond `now` recurring calendar entries are expanded."""
    owner_names: tuple[str, ...] = ()
    """Names and mail addresses of the person, when the profile is known."""
    limits: Limits = field(default_factory=Limits)
    """Bounds on hostile input."""
    session_gap_minutes: float = 20
    """A pause in a chat that is longer than this begins a new session."""
    chats: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False)
    """What was read of each chat whose export is a folder with a file for each day, by folder and name."""
    directories: dict[str, Any] = field(default_factory=dict[str, Any], compare=False)
    """What the keys of people and chats stand for, by the folder of their export (`chats/people.py`)."""
    known: MutableMapping[int, int] = field(default_factory=dict[int, int], compare=False)
    """Identifiers of the source's records so far and what each stands for, as hashes (`Apart`)."""
    newest: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False)
    """The newest version of each calendar entry among the source's files, where these are several, by calendar and
    UID."""
    parts: dict[str, Any] = field(default_factory=dict, compare=False)
    """What files of the source hold that belongs to records of another one of its files, by what identifies these."""


Reader = Callable[[InputFile, ReadContext], Iterator[Record | BadRecord]]


@dataclass(frozen=True)
class Format:
    """One export format: how it is recognised by content, read, named and mapped.

    `recognise(file)` is a score from 0 (no) to 1 (certain), from the content (`file.head()`), never the file name.
    `source_name(file)` names the source: one name for services where a person has one account (`spotify`),
    a name with a slug of the content's own title for those where files stand beside each other (`calendar-family`).
    `is_part(file)`, where there is one, tells a file that is one entry of many: those of a folder are one source.
    `survey(file, context)`, where there is one, is done with every file of a source of several before any is read.
    `covers(file, limits)`, where there is one, names files by their paths from this one's folder that tell the same
    events: they are left out.
    `map_file` is the RML map's file name under `mappings/`.
    """

    name: str
    label: str
    map_file: str
    recognise: Callable[[InputFile], float]
    read: Reader
    source_name: Callable[[InputFile], str]
    survey: Callable[[InputFile, ReadContext], None] | None = None
    is_part: Callable[[InputFile], bool] | None = None
    names_only: bool = False
    """Whether a file only says what the keys in other files of its export stand for: it is read before these."""
    covers: Callable[[InputFile, Limits], Iterable[str]] | None = None
    shared_name: str = ""
    """What the name of a source of such files begins with."""
    extras: Mapping[str, Any] = field(default_factory=dict)


class Tally:
    """Counts what is kept out of one file, by kind of place and reason, in the order of first sight."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[tuple[str, str, str | None], int] = {}
        self._first: dict[tuple[str, str, str | None], str] = {}

    def add(self, where: str, reason: str, *, group: str = "", key: str | None = None) -> None:
        """Counts one record at `where`; of several the report names `group`, or else the first place.

        With a `key`, the record is in, and only the value of that key could not be read.
        """
        kind = (group, reason, key)
        self._found[kind] = self._found.get(kind, 0) + 1
        self._first.setdefault(kind, where)

    def report(self) -> Iterator[BadRecord]:
        """One BadRecord per kind and reason."""
        for (group, reason, key), count in self._found.items():
            first = self._first[group, reason, key]
            where = group or (first if count == 1 else f"{first} and {count - 1} more")
            yield BadRecord(self._path, where, reason, count, key)


def digest(parts: Iterable[object]) -> str:
    """16 hexadecimal digits of what identifies a record; the kinds and the order of the parts matter."""
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class Identities:
    """Gives identifiers within one file: equal records get `…`, `…-2`, `…-3`."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, *parts: object) -> str:
        """The identifier of the record that `parts` identify."""
        return self.number(digest(parts))

    def number(self, name: str) -> str:
        """`name` the first time, then `name-2`, `name-3`."""
        self._seen[name] += 1
        count = self._seen[name]
        return name if count == 1 else f"{name}-{count}"


def as_text(value: Any) -> str:
    """The value where it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def as_object(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none where the value is no list."""
    return [item for item in as_list(value) if isinstance(item, dict)]


def as_told(pairs: Iterable[tuple[str, Any]]) -> Record:
    """A record of the keys and values that an export holds, to which a reader adds what it says itself.

    Keys that begin with _ are the reader's own and the importer's (`_id`, `_source`): an export's such keys stand
    behind `key`, so that nothing an export holds takes their place and nothing of it is lost.
    """
    told = dict(pairs)
    record: Record = {}
    for key, value in told.items():
        name = key
        while name[:1] == "_" or (name != key and (name in told or name in record)):
            name = f"key{name}"
        record[name] = value
    return record
