"""Vectors of texts: a cache by content that survives generations, and cosine search over the values of some classes.

A model is only asked for texts that it has never seen; loading vectors is a memory map.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...parallel import ALONE, Workers, ordered_map
from ..cache_file import open_cache, row_sum
from ..folder import VECTORS
from ..words import tells_words
from .index import Progress, Value

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]

PASSAGE_WORDS: Final = 60
_OVERLAP: Final = 15
MOST_PASSAGES: Final = 250
"""Of a longer text the beginning has vectors; its words are found all the same."""
_LONGEST_PASSAGE: Final = 4_000
"""Characters of a passage: of words without end no model reads more."""
_BATCH: Final = 256
_MANY: Final = 4 * _BATCH
"""New texts from which on workers encode them: each loads the model first, which takes seconds."""
_KEYS_AT_ONCE: Final = 500
_ROWS_AT_ONCE: Final = 65536
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS vectors (model TEXT, text BLOB, data BLOB, sum INTEGER, PRIMARY KEY (model, text)) "
    "WITHOUT ROWID"
)


class VectorCache:
    """Vectors by (model identity, text), in one SQLite file; several processes may use it. Of the vectors of a cache
    that was `before`, those that are asked for are taken over."""

    def __init__(self, folder: Path | None, before: sqlite3.Connection | None = None, workers: Workers = ALONE) -> None:
        self._db = open_cache(folder, VECTORS, _TABLE)
        self._before = before
        self._workers = workers

    def close(self) -> None:
        self._db.close()

    def vectors(
        self, texts: Sequence[str], *, identity: str, encode: Encode, progress: Progress | None = None
    ) -> Vectors:
        """One row per text, unit length; `encode` is called for new ones, in batches that are kept as they come. The
        batches are the same whoever encodes them; workers encode many."""
        keys = [_digest(text) for text in texts]
        found = self._found(keys, identity)
        todo = [(key, text) for key, text in dict(zip(keys, texts, strict=True)).items() if key not in found]
        todo.sort(key=lambda entry: len(entry[1]))
        texts_of = ([text for _, text in todo[start : start + _BATCH]] for start in range(0, len(todo), _BATCH))
        made = ordered_map(encode, texts_of, self._workers if len(todo) >= _MANY else ALONE)
        for start in range(0, len(todo), _BATCH):
            if progress:
                progress("embed", start, len(todo))
            rows = next(made).astype(np.float16)
            batch = todo[start : start + _BATCH]
            new = {key: row.tobytes() for (key, _), row in zip(batch, rows, strict=True)}
            self._keep(new, identity)
            found.update(new)
        if progress and todo:
            progress("embed", len(todo), len(todo))
        if not keys:
            return np.zeros((0, 0), dtype=np.float32)
        joined = b"".join(found[key] for key in keys)
        return np.frombuffer(joined, dtype=np.float16).reshape(len(keys), -1).astype(np.float32)

    def _keep(self, new: Mapping[bytes, bytes], identity: str) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
            [(identity, key, data, row_sum(identity, key, data)) for key, data in new.items()],
        )

    def _found(self, keys: Sequence[bytes], identity: str) -> dict[bytes, bytes]:
        """Data of the vectors that are there, or were in the cache before."""
        found = self._read(self._db, list(dict.fromkeys(keys)), identity)
        if self._before is not None and (missing := [key for key in dict.fromkeys(keys) if key not in found]):
            earlier = self._read(self._before, missing, identity)
            self._keep(earlier, identity)
            found |= earlier
        return found

    @staticmethod
    def _read(db: sqlite3.Connection, asked: Sequence[bytes], identity: str) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(asked), _KEYS_AT_ONCE):
            some = asked[start : start + _KEYS_AT_ONCE]
            places = ", ".join("?" * len(some))
            query = f"SELECT text, data, sum FROM vectors WHERE model = ? AND text IN ({places})"  # noqa: S608 - question marks only
            rows = db.execute(query, (identity, *some))
            found.update((key, data) for key, data, told in rows if told == row_sum(identity, key, data))
        return found


class DenseIndex:
    """Passages of values with their vectors: which values are nearest to a query's vector."""

    def __init__(self, owners: NDArray[np.int64], matrix: NDArray[np.float16]) -> None:
        self._owners = owners
        self._matrix = matrix

    def __len__(self) -> int:
        return len(self._owners)

    def scores(self, query: Vectors) -> dict[int, float]:
        """Cosine of each value's nearest passage to the query, by value id."""
        found: dict[int, float] = {}
        for start in range(0, len(self._owners), _ROWS_AT_ONCE):
            rows = np.asarray(self._matrix[start : start + _ROWS_AT_ONCE], dtype=np.float32) @ query
            for owner, score in zip(self._owners[start : start + _ROWS_AT_ONCE].tolist(), rows.tolist(), strict=True):
                if score > found.get(owner, -2.0):
                    found[owner] = score
        return found


def open_dense(
    folder: Path | None,
    values: Sequence[Value],
    cache: VectorCache,
    *,
    identity: str,
    encode: Encode,
    progress: Progress | None = None,
) -> DenseIndex:
    """Vectors of these values, from the generation's index folder if they are there, else from cache and model."""
    owners, texts = _units(values)
    if not texts:
        return DenseIndex(np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.float16))
    path = None if folder is None else folder / f"dense-{_scope_digest(owners, texts, identity)}.npy"
    if path is not None and path.is_file():
        path.touch()  # what a generation uses, the next one gets (store.generations)
        matrix: NDArray[np.float16] = np.load(path, mmap_mode="r", allow_pickle=False)
        return DenseIndex(owners, matrix)
    fresh = cache.vectors(texts, identity=identity, encode=encode, progress=progress).astype(np.float16)
    if path is not None:
        scratch = path.with_suffix(".new.npy")
        np.save(scratch, fresh, allow_pickle=False)
        scratch.replace(path)
    return DenseIndex(owners, fresh)


def passages(text: str) -> tuple[str, ...]:
    """`text` whole when short, else overlapping passages of PASSAGE_WORDS: one vector says little of a long text."""
    words = text.split()
    if len(words) <= PASSAGE_WORDS:
        return (text.strip()[:_LONGEST_PASSAGE],) if words else ()
    starts = range(0, max(len(words) - _OVERLAP, 1), PASSAGE_WORDS - _OVERLAP)[:MOST_PASSAGES]
    return tuple(" ".join(words[start : start + PASSAGE_WORDS])[:_LONGEST_PASSAGE] for start in starts)


def _units(values: Sequence[Value]) -> tuple[NDArray[np.int64], list[str]]:
    owners: list[int] = []
    texts: list[str] = []
    for value in filter(lambda value: tells_words(value.text), values):
        for passage in passages(value.text):
            owners.append(value.id)
            texts.append(passage)
    return np.asarray(owners, dtype=np.int64), texts


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _scope_digest(owners: NDArray[np.int64], texts: Sequence[str], identity: str) -> str:
    digest = hashlib.sha256(identity.encode())
    digest.update(owners.tobytes())
    for text in texts:
        digest.update(_digest(text))
    return digest.hexdigest()[:24]
