"""How many distinct texts there are, in bounded memory, so that counts of several graphs can be joined."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST: Final = 16_384
"""Texts that are counted exactly."""
Hashes = NDArray[np.uint64]
_ALL: Final = 2**64


def text_hash(text: str) -> int:
    """64 bits that tell texts apart: of ten million texts two are taken for one with a chance of one in 400,000."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


class Distinct:
    """Counts distinct texts: exactly up to MOST; of more it keeps the smallest hashes, whose largest tells how dense
    they are (the k minimum values of Bar-Yossef and others, Counting distinct elements in a data stream, 2002)."""

    __slots__ = ("_hashes", "_limit", "_texts")

    def __init__(self) -> None:
        self._texts = set[str]()
        self._hashes: set[int] | None = None
        self._limit = _ALL

    def add(self, text: str) -> None:
        """Counts a text."""
        if self._hashes is not None:
            found = text_hash(text)
            if found < self._limit:
                self._hashes.add(found)
                if len(self._hashes) >= 2 * MOST:
                    self._shrink(self._hashes)
            return
        self._texts.add(text)
        if len(self._texts) > MOST:
            self._hashes = set(map(text_hash, self._texts))
            self._texts = set()

    def _shrink(self, held: set[int]) -> None:
        kept = sorted(held)[:MOST]
        self._limit, self._hashes = kept[-1], set(kept)

    def hashes(self) -> Hashes:
        """The smallest hashes, in order, MOST of them at most."""
        held = self._hashes if self._hashes is not None else map(text_hash, self._texts)
        return np.array(sorted(held)[:MOST], dtype=np.uint64)


def joined(held: Iterable[Hashes]) -> Hashes:
    """The smallest hashes of the texts of all."""
    found = list(held)
    return np.unique(np.concatenate(found))[:MOST] if found else np.zeros(0, dtype=np.uint64)


def estimate(hashes: Hashes) -> int:
    """How many distinct texts such hashes stand for; exact for fewer than MOST."""
    if len(hashes) < MOST:
        return len(hashes)
    return round((MOST - 1) * (_ALL / (int(hashes[-1]) + 1)))
