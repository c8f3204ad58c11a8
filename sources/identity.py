"""Identifiers of records that have none of their own: a hash of what identifies them, and which of its equals it is.

The same record of a reordered or longer newer export gets the same identifier, so importing it again adds nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

__all__ = ["Identities", "digest"]


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
