"""Verifies a whole store and repairs what it can: the marker, pointer, database, index, copies and caches.

The database is rebuilt from the spare copies of its small files, else from the copies of its graphs, else from what
can still be read of it. Derived graphs are left to the next question.
"""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, cast

import pyoxigraph as ox

from ...errors import StoreBusy, StoreError
from ...ontology.namespaces import DERIVED
from ..cache_file import row_sum
from ..database import has_foreign_journal, open_database
from ..folder import (
    GENERATION,
    MARKER,
    NOTES,
    POINTER,
    VECTORS,
    Inside,
    Kind,
    generations,
    is_own_file,
    is_store,
    kind_of,
    no_store,
    refuse_links,
    remove_caches,
    write_marker,
    write_whole,
)
from ..generations import begin_import, current, is_writable
from ..graph import OxigraphGraph
from ..locks import locked
from ..rdf import NamedNode
from . import seal
from .building import FOLDER, graph_of
from .disk_space import disk_errors

_SUMS = {
    VECTORS: "SELECT model, text, data, sum FROM vectors",
    NOTES: "SELECT about, key, told, sum FROM notes",
}


_MOST_UNPACKED = 200
"""How often its own size a copy may unpack to; those that are written here unpack to some twenty times."""
_LONGEST_LINE = 64 * 2**20
"""Bytes of one line of a copy; a text that is imported is shorter."""


IN_USE = "in use: it is sealed, and can be looked at, when it is closed"
"""What is said of a part that could not be looked at now."""


class Outcome(Enum):
    """What became of a part that was looked at."""

    FINE = "fine"
    DAMAGED = "damaged"
    MENDED = "mended"
    LOST = "lost"


@dataclass(frozen=True)
class Finding:
    """One part of a store, and what was found or done."""

    part: str
    outcome: Outcome
    said: str = ""


def verify(directory: Path, *, repair: bool, lock_seconds: float) -> Iterator[Finding]:
    """Read everything in a store and report what is not as it was written; with `repair`, repair it.

    Raises StoreError where there is no store or it is in use, UsageError for a folder of other things.
    """
    with disk_errors(directory):
        if is_store(directory):
            refuse_links(directory)  # before anything is mended by what may not be the store's
            if repair and not is_writable(directory):
                raise StoreError(f"the store at {directory} may only be read: nothing of it can be mended there")
        yield from _marker(directory, repair)
        pointer = _pointer(directory, repair)
        yield pointer
        if pointer.outcome is Outcome.DAMAGED:
            return
        generation = current(directory)
        if generation is None:
            raise no_store(directory)
        alone = begin_import(directory, lock_seconds=lock_seconds) if is_writable(directory) else nullcontext()
        with alone:  # nobody imports meanwhile
            found = seal.check(directory, generation, read_all=True)
        yield from _database(directory, generation, found, repair, lock_seconds)
        if not repair and _is_written_to(directory, generation):
            yield Finding("index", Outcome.FINE, IN_USE)
        else:
            yield from _beside(directory, generation, found, repair)
        yield from (_cache(directory / "cache" / name, repair) for name in _SUMS)


def _marker(directory: Path, repair: bool) -> Iterator[Finding]:
    try:
        kind = kind_of(directory)
    except StoreError as bad:
        if not (is_own_file(directory / MARKER) and generations(directory)):
            raise
        if not repair:
            yield Finding("marker", Outcome.DAMAGED, str(bad))
            return
        write_marker(directory)
        yield Finding("marker", Outcome.MENDED, "written anew")
        return
    yield Finding("marker", Outcome.FINE, "written by an older version" if kind is Kind.OLDER else "")


def _pointer(directory: Path, repair: bool) -> Finding:
    try:
        current(directory)
    except StoreError as bad:
        whole = [name for name in generations(directory) if _is_whole(directory, name)]
        if not (repair and whole):
            return Finding("pointer", Outcome.DAMAGED, str(bad))
        write_whole(directory / POINTER, f"{whole[-1]}\n")
        return Finding("pointer", Outcome.MENDED, f"{whole[-1]} is in force, the newest that is whole")
    return Finding("pointer", Outcome.FINE)


def _is_written_to(directory: Path, generation: str) -> bool:
    """Whether a process has the generation open for writing: what it writes beside the database is not sealed yet."""
    try:
        with locked(directory / f"{generation}.lock", exclusive=False, seconds=0, what=generation):
            return False
    except StoreBusy:
        return True


def _is_whole(directory: Path, name: str) -> bool:
    found = seal.check(directory, name, read_all=True)
    return GENERATION.fullmatch(name) is not None and found.seal is not None and not found.broken


def _database(
    directory: Path, generation: str, found: seal.SealCheck, repair: bool, lock_seconds: float
) -> Iterator[Finding]:
    broken = dict(found.broken)
    unread = None if broken else _unread(directory / generation / "db")
    if not broken and unread is None:
        sealed = "" if found.seal else "was not sealed: read whole instead"
        yield Finding("database", Outcome.FINE, sealed)
        return
    what = "; ".join(f"{generation}/{name} {wrong}" for name, wrong in broken.items()) or str(unread)
    if not repair:
        yield Finding("database", Outcome.DAMAGED, what)
        return
    with locked(
        directory / f"{generation}.lock", exclusive=True, seconds=lock_seconds, what=f"the store at {directory}"
    ):
        restored = bool(broken) and found.seal and _is_restored(directory / generation, found.seal, broken)
    if restored:
        yield Finding("database", Outcome.MENDED, f"{what}: put back from the seal")
        return
    yield from _rebuilt(directory, generation, found, what, lock_seconds)


def _unread(database: Path) -> str | None:
    """What stands in the way of reading a whole database; None where nothing does."""
    try:
        store = ox.Store.read_only(str(database))
        for graph in OxigraphGraph(store).graphs():
            for _ in store.quads_for_pattern(None, None, None, NamedNode(graph)):
                pass
    except (OSError, RuntimeError, ValueError) as bad:
        return str(bad).splitlines()[0][:200]
    return None


def _is_restored(root: Path, sealed: seal.Seal, broken: dict[Inside, str]) -> bool:
    """Whether all broken files are small ones of which the seal has a copy; they are then put back."""
    if not broken.keys() <= sealed.spares.keys():
        return False
    for name in broken:
        (root / name).unlink(missing_ok=True)
        (root / name).write_bytes(sealed.spares[name].encode("latin-1"))
    return _unread(root / "db") is None


def _rebuilt(
    directory: Path, generation: str, found: seal.SealCheck, what: str, lock_seconds: float
) -> Iterator[Finding]:
    root = directory / generation
    with begin_import(directory, lock_seconds=lock_seconds) as new:
        if new.before != generation:
            raise StoreBusy(f"somebody imported into {directory} meanwhile: nothing was made anew; look it over again")
        copies = [
            path for path in sorted((root / FOLDER).glob("*.nq.gz")) if f"{FOLDER}/{path.name}" not in found.stale
        ]
        read = {graph_of(path): path for path in copies if _reads(path)}
        kept, lost = _rescued(root / "db", new.work, set(read))
        gone = {graph_of(Path(name)) for name in found.stale if name.startswith(f"{FOLDER}/")}
        lost |= (gone | {graph_of(path) for path in copies}) - set(kept) - set(read)
        if not read and not kept:
            yield Finding("database", Outcome.LOST, f"{what}: nothing of it can be read; import your exports again")
            return
        new.rebuild([*read.values(), *kept.values()])
        new.commit()
    yield Finding(
        "database", Outcome.MENDED, f"{what}: made anew; what was derived is derived again when it is asked for"
    )
    for graph in sorted(lost):
        name = graph.rsplit("/", 1)[-1]
        yield Finding(f"graph {graph}", Outcome.LOST, f"“{name}” can no longer be read; import it again")


def _rescued(database: Path, work: Path, copied: set[str]) -> tuple[dict[str, Path], set[str]]:
    """Graphs of a damaged database that have no copy: those that can still be read whole, written to files, and those
    that cannot."""
    kept: dict[str, Path] = {}
    lost: set[str] = set()
    try:
        store = ox.Store.read_only(str(database))
        graphs = [graph for graph in OxigraphGraph(store).graphs() if not graph.startswith(DERIVED)]
    except (OSError, RuntimeError, ValueError):
        return kept, lost
    for number, graph in enumerate(sorted(set(graphs) - copied)):
        file = work / f"rescued-{number}.nq"
        try:
            with file.open("wb") as out:
                quads = store.quads_for_pattern(None, None, None, NamedNode(graph))
                ox.serialize(quads, output=out, format=ox.RdfFormat.N_QUADS)
            kept[graph] = file
        except (OSError, RuntimeError, ValueError):
            lost.add(graph)
    return kept, lost


def _reads(path: Path) -> bool:
    """Whether a compressed file is complete N-Quads by its own checksum; the seal is not trusted for it."""
    if not is_bounded(path):
        return False
    try:
        with gzip.open(path) as stream:
            for _ in ox.parse(cast(IO[bytes], stream), format=ox.RdfFormat.N_QUADS):
                pass
    except (OSError, EOFError, zlib.error, SyntaxError, ValueError):
        return False
    return True


def is_bounded(path: Path) -> bool:
    """Whether a compressed file unpacks to no more than its size allows, in lines of which each has room in memory."""
    most, total, line = path.stat().st_size * _MOST_UNPACKED + _LONGEST_LINE, 0, 0
    try:
        with gzip.open(path) as stream:
            while piece := stream.read(2**20):
                total += len(piece)
                ends = piece.rfind(b"\n")
                line = line + len(piece) if ends < 0 else len(piece) - ends - 1
                if total > most or line > _LONGEST_LINE:
                    return False
    except (OSError, EOFError, zlib.error):
        return False
    return True


def _beside(directory: Path, generation: str, found: seal.SealCheck, repair: bool) -> Iterator[Finding]:
    for name in found.stale:
        part = "copy" if name.startswith(FOLDER) else "index"
        if repair:
            (directory / generation / name).unlink(missing_ok=True)
        outcome = Outcome.MENDED if repair else Outcome.DAMAGED
        when = "the next import" if part == "copy" else "the next question"
        yield Finding(part, outcome, f"{generation}/{name} is not as it was written: {when} makes it anew")
    if not found.stale:
        yield Finding("index", Outcome.FINE)


def _cache(path: Path, repair: bool) -> Finding:
    part = f"cache {path.name}"
    if not is_own_file(path):
        return Finding(part, Outcome.FINE)
    if not has_foreign_journal(path) and _holds(path):
        return Finding(part, Outcome.FINE)
    if repair:
        remove_caches(path.parent, path.name)
    return Finding(part, Outcome.MENDED if repair else Outcome.DAMAGED, "what it holds is found out again")


def _holds(path: Path) -> bool:
    """Whether a cache is whole, and every row what its sum says."""
    try:
        with closing(open_database(path, "write" if is_writable(path.parent) else "still", timeout=30)) as db:
            told = db.execute("PRAGMA integrity_check(1)").fetchone()
            rows = db.execute(_SUMS[path.name])
            return told == ("ok",) and all(row_sum(*row[:-1]) == row[-1] for row in rows)
    except sqlite3.DatabaseError:
        return False
