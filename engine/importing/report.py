"""What an import did, as values: for people, for --json, and for the catalog in the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from ...errors import ReaderFault, ReqapError
from ...sources.base import BadRecord
from ...sources.text import plain
from ...sources.unique_identifiers import KEPT_APART

MAX_SKIPPED_KEPT = 10_000
"""Skipped records kept one by one per source; what exceeds it is kept as counts by reason."""


class Progress(Protocol):
    """Where an import reports to while it runs."""

    def start(self, path: str, size: int) -> None:
        """A file of `size` bytes begins."""
        ...

    def advance(self, records: int) -> None:
        """So many more records of the file were read."""
        ...

    def step(self, text: str) -> None:
        """A step that is not a file begins."""
        ...

    def counted(self, step: str, done: int, total: int) -> None:
        """So much of a step is done; `total` is 0 where it is not known."""
        ...


class Silent:
    """Progress that nobody looks at."""

    def start(self, path: str, size: int) -> None:
        """Ignores the file."""

    def advance(self, records: int) -> None:
        """Ignores the records."""

    def step(self, text: str) -> None:
        """Ignores the step."""

    def counted(self, step: str, done: int, total: int) -> None:
        """Ignores the step."""


State = Literal["new", "replaced", "unchanged", "empty", "withheld"]


@dataclass
class SourceReport:
    """One source of one import: every record read is an event, or skipped, or one of the counted exceptions.

    `events` + `merged` - `added` + `skipped_count` are `records`, where every record tells of an event. `skipped` are
    the records kept out, `overflow` counts by reason what is not listed. `unread` are values that could not be read in
    records that are in all the same, `unread_overflow` counts by key and reason what of these is not listed.
    """

    name: str
    format: str
    files: list[str] = field(default_factory=list)
    records: int = 0
    events: int = 0
    merged: int = 0
    """Records of events that earlier records had told of."""
    added: int = 0
    """Events beyond the first of their record."""
    triples: int = 0
    skipped: list[BadRecord] = field(default_factory=list)
    overflow: Counter[str] = field(default_factory=Counter)
    unread: list[BadRecord] = field(default_factory=list)
    unread_overflow: Counter[tuple[str, str]] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    state: State = "new"
    withheld: str | None = None
    """Why the source stays as it is though this import differs: what would be lost, and what to do about it."""
    digest: str = ""
    subjects: set[int] = field(default_factory=set[int], repr=False)
    """The events of the files so far, to know again those that several records tell of."""

    def counts(self) -> tuple[Any, ...]:
        """What `back_to` goes back to where a file turns out to be unreadable."""
        numbers = (self.records, self.events, self.merged, self.added, self.triples)
        overflows = (Counter(self.overflow), Counter(self.unread_overflow))
        return (numbers, (len(self.skipped), len(self.unread)), overflows)

    def back_to(self, counts: tuple[Any, ...]) -> None:
        """Forgets what was counted since `counts()`."""
        numbers, (skipped, unread), (self.overflow, self.unread_overflow) = counts
        self.records, self.events, self.merged, self.added, self.triples = numbers
        del self.skipped[skipped:], self.unread[unread:]

    def skip(self, bad: BadRecord) -> None:
        """Notes a record that was kept out, a value of one that is in, or how a file was read."""
        if bad.count == 0:
            if len(self.warnings) < MAX_SKIPPED_KEPT:
                self.warnings.append(f"{bad.path}: {bad.reason}")
        elif bad.key is not None:
            if len(self.unread) < MAX_SKIPPED_KEPT:
                self.unread.append(bad)
            else:
                self.unread_overflow[bad.key, bad.reason] += bad.count
        elif len(self.skipped) < MAX_SKIPPED_KEPT:
            self.skipped.append(bad)
        else:
            self.overflow[bad.reason] += bad.count

    def skip_unmapped(self, path: str, count: int) -> None:
        """Notes records that the map makes nothing of: none of its triples maps is about them."""
        if count:
            self.skip(BadRecord(path, _records(count), "no triples map is about it", count))

    @property
    def skipped_count(self) -> int:
        """How many records were kept out."""
        return sum(bad.count for bad in self.skipped) + self.overflow.total()

    @property
    def told(self) -> list[str]:
        """The warnings, then for each key how many values of it could not be read."""
        found: Counter[str] = Counter()
        apart = 0
        overflow = [(key, reason, count) for (key, reason), count in self.unread_overflow.items()]
        for key, reason, count in [(bad.key or "", bad.reason, bad.count) for bad in self.unread] + overflow:
            if reason == KEPT_APART:
                apart += count
            else:
                found[key] += count
        said = [f"{_records(count)} with a value that could not be read: {key}" for key, count in found.most_common()]
        if apart:
            own = "an event of its own" if apart == 1 else "events of their own"
            said.append(f"{_records(apart)} with the identifier of another that differs: kept as {own}")
        if self.merged:
            said.append(f"{_records(self.merged)} of events that other records tell of, too")
        if self.added:
            said.append(f"{self.added:,} events beyond one a record")
        return [*self.warnings, *said]

    def reasons(self) -> Counter[str]:
        """Counts of skipped records by reason."""
        found: Counter[str] = Counter(self.overflow)
        for bad in self.skipped:
            found[bad.reason] += bad.count
        return found

    def as_json(self) -> dict[str, Any]:
        """The object of `ingest --json`."""
        return {
            "name": self.name,
            "format": self.format,
            "state": self.state,
            "withheld": self.withheld,
            "files": self.files,
            "records": self.records,
            "events": self.events,
            "merged": self.merged,
            "added": self.added,
            "triples": self.triples,
            "skipped": [
                {"path": bad.path, "where": bad.where, "reason": bad.reason, "count": bad.count} for bad in self.skipped
            ]
            + [{"path": "", "where": "", "reason": r, "count": n} for r, n in sorted(self.overflow.items())],
            "unread": [
                {"path": bad.path, "where": bad.where, "key": bad.key, "reason": bad.reason, "count": bad.count}
                for bad in self.unread
            ]
            + [
                {"path": "", "where": "", "key": k, "reason": r, "count": n}
                for (k, r), n in sorted(self.unread_overflow.items())
            ],
            "warnings": self.told,
        }


def _records(count: int) -> str:
    return f"{count:,} record{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Refused:
    """A file that was not imported at all, and why."""

    path: str
    reason: str
    fault: bool = False
    """Whether the file is not to blame: a reader of ours failed at it (ReaderFault)."""

    @staticmethod
    def of(path: str, bad: ReqapError) -> Refused:
        """A file and the error for which it is refused."""
        return Refused(path, str(bad).removeprefix(f"{path}: "), isinstance(bad, ReaderFault))


@dataclass(frozen=True)
class IngestReport:
    """One import. `ignored` are files that hold no personal data by nature (pictures, checksums)."""

    sources: tuple[SourceReport, ...]
    refused: tuple[Refused, ...]
    ignored: tuple[Refused, ...]
    home_zone: str
    dry_run: bool

    @property
    def faults(self) -> tuple[Refused, ...]:
        """The files at which a reader of ours failed."""
        return tuple(refused for refused in self.refused if refused.fault)

    @property
    def changed(self) -> bool:
        """Whether the store is different now (or would be, in a dry run)."""
        return any(source.state in ("new", "replaced") for source in self.sources)

    def as_json(self) -> dict[str, Any]:
        """The object of `ingest --json`."""
        return {
            "sources": [source.as_json() for source in self.sources],
            "refused": [{"path": r.path, "reason": r.reason} for r in self.refused],
            "ignored": [{"path": r.path, "reason": r.reason} for r in self.ignored],
            "home_zone": self.home_zone,
            "dry_run": self.dry_run,
        }


_SHOWN = 200
_Item = TypeVar("_Item")


@contextmanager
def one_file(path: str, *, debug: bool) -> Iterator[None]:
    """Raises ReaderFault in place of an error that nobody foresaw, while the file at `path` is recognised or read.

    With `debug`, the error itself is raised. Errors of the error tree, of the machine (OSError) and of its memory are
    none of the file's and go through.
    """
    try:
        yield
    except (ReqapError, OSError, MemoryError):
        raise
    # A broad except is right here, and only here: exports are written by strangers, and a reader that stumbles over
    # one value must not keep a person from all their other files. Nothing is hidden: the file is refused by name, as
    # a fault of ours to report, the exit code says so, and --debug raises.
    except Exception as bad:
        if debug:
            raise
        what = plain(f"{type(bad).__name__}: {bad}" if str(bad) else type(bad).__name__)[:_SHOWN]
        said = "please report it with what the same command prints with --debug; it may quote your data"
        raise ReaderFault(f"{path}: a fault of reqap-kg ({what}); {said}") from bad


def each_of(items: Iterable[_Item], path: str, *, debug: bool) -> Iterator[_Item]:
    """The items that are made of the file at `path`, one by one. Raises ReaderFault as `one_file` does."""
    with one_file(path, debug=debug):
        yield from items
