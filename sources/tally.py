"""Records that are kept out for the same reason are reported once, with how many they are."""

from __future__ import annotations

from collections.abc import Iterator

from .base import BadRecord

__all__ = ["Tally"]


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
