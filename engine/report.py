"""What an import did, as values: for people, for --json, and for the catalog in the graph."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ..sources.base import BadRecord

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


class Silent:
    """Progress that nobody looks at."""

    def start(self, path: str, size: int) -> None:
        """Ignores the file."""

    def advance(self, records: int) -> None:
        """Ignores the records."""

    def step(self, text: str) -> None:
        """Ignores the step."""


State = Literal["new", "replaced", "unchanged", "empty"]


@dataclass
class SourceReport:
    """One source of one import. `skipped` are the records kept out, `overflow` counts by reason what is not listed."""

    name: str
    format: str
    files: list[str] = field(default_factory=list)
    records: int = 0
    events: int = 0
    triples: int = 0
    skipped: list[BadRecord] = field(default_factory=list)
    overflow: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    state: State = "new"
    digest: str = ""

    def skip(self, bad: BadRecord) -> None:
        """Notes a record that was kept out."""
        if len(self.skipped) < MAX_SKIPPED_KEPT:
            self.skipped.append(bad)
        else:
            self.overflow[bad.reason] += bad.count

    @property
    def skipped_count(self) -> int:
        """How many records were kept out."""
        return sum(bad.count for bad in self.skipped) + self.overflow.total()

    def reasons(self) -> Counter[str]:
        """Counts of skipped records by reason."""
        found: Counter[str] = Counter(self.overflow)
        for bad in self.skipped:
            found[bad.reason] += bad.count
        return found

    def as_json(self) -> dict[str, Any]:
        """The object of `ingest --json` (DESIGN section 5)."""
        return {
            "name": self.name,
            "format": self.format,
            "state": self.state,
            "files": self.files,
            "records": self.records,
            "events": self.events,
            "triples": self.triples,
            "skipped": [
                {"path": bad.path, "where": bad.where, "reason": bad.reason, "count": bad.count} for bad in self.skipped
            ]
            + [{"path": "", "where": "", "reason": r, "count": n} for r, n in sorted(self.overflow.items())],
            "warnings": self.warnings,
        }


@dataclass(frozen=True)
class Refused:
    """A file that was not imported at all, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class IngestReport:
    """One import. `ignored` are files that hold no personal data by nature (pictures, checksums)."""

    sources: tuple[SourceReport, ...]
    refused: tuple[Refused, ...]
    ignored: tuple[Refused, ...]
    home_zone: str
    dry_run: bool

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
