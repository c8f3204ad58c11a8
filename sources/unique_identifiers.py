"""Unique identifiers for records: a repeated record is left out, a different one gets an identifier of its own.

An identifier that an export states is whatever its writer put there: two mails may have one Message-ID, two calendars
one UID. Mapped under one identifier, they would become one event with the times and words of both.
"""

from __future__ import annotations

import re
from typing import Final

from .base import ReadContext, Record, Tally, digest

__all__ = ["KEPT_APART", "UniqueIdentifiers"]

KEPT_APART: Final = "another record that differs has it, too: kept as an event of its own"
"""Why a record has not the identifier that it states."""

_HASHED: Final = re.compile("#[0-9a-f]{16}$")


class UniqueIdentifiers:
    """Give the records of one file identifiers that no other record of their source has.

    The first of several, in the order of the files and their contents, keeps the stated identifier; the others get it
    with a hash of their content. So the same files give the same identifiers. `key` is where identifiers stand;
    `again` the reason for which the same record is left out the second time, None where it is mapped again, so that
    one event has what each of its records adds.
    """

    def __init__(self, tally: Tally, context: ReadContext, *, key: str, again: str | None = None) -> None:
        self._tally = tally
        self._known = context.known
        self._key = key
        self._again = again

    def take(self, record: Record, where: str, *told: object) -> bool:
        """Whether a record that stands at `where` is to be kept; it gets another `_id` where that is a different one's.

        Records are the same where identifier and `told` are. What is left out or renamed is reported.
        """
        content = digest(told)
        stated = record["_id"]
        if _HASHED.search(stated):  # as identifiers look that are given here: whoever wrote it may mean another's
            stated = record["_id"] = f"{stated}#{content}"
        if self._is_new(stated, content):
            return True
        if self._known[hash(stated)] != hash(content):
            name = f"{stated}#{content}"
            if self._is_new(name, content):
                record["_id"] = name
                self._tally.add(where, KEPT_APART, key=self._key)
                return True
        if self._again is None:
            record["_id"] = stated if self._known[hash(stated)] == hash(content) else f"{stated}#{content}"
            return True
        self._tally.add(where, self._again)
        return False

    def _is_new(self, name: str, content: str) -> bool:
        if hash(name) in self._known:
            return False
        self._known[hash(name)] = hash(content)
        return True
