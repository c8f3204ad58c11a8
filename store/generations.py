"""The store on disk: generations, so that an import is seen whole or not at all.

    DIR/reqap-kg-store     the marker by which the folder is known (store.folder)
    DIR/CURRENT            name of the generation in force, replaced atomically
    DIR/gen-000007/db      its Oxigraph database
    DIR/gen-000007/index   what other parts derive from it (dropped with it)
    DIR/gen-000007.seal    what its files hold (store.upkeep.seal)
    DIR/cache              what survives generations (embeddings by content)

An import builds the next generation beside the one in force, from a checkpoint (hard links, so cheap), and then
replaces CURRENT. Killed at any moment, CURRENT names a complete generation (docs/decisions/001-generations.md).
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from ..config.parts import NO_ACCESS, Access
from ..errors import StoreBusy, StoreError
from .folder import (
    GENERATION,
    JOURNAL,
    POINTER,
    Kind,
    claim,
    generations,
    is_own_file,
    is_own_folder,
    kind_of,
    no_store,
    private_files,
    remove_generation,
    remove_old_work,
    remove_work,
    tighten,
    touch_own,
    work_folder,
    write_marker,
)
from .graph import WritableOxigraph
from .locks import is_held, locked
from .opened import EventGraph
from .rdf import Triple
from .remote.generations import RemoteImport, address_of, begin_remote_import, open_remote
from .upkeep import seal
from .upkeep.building import Import
from .upkeep.disk_space import damaged, disk_errors

__all__ = ["AnyImport", "EventGraph", "Import", "begin_import", "current", "exists", "held_before", "open_graph"]

AnyImport = Import | RemoteImport
"""The next generation under construction, wherever the graphs are."""
_IMPORTS = "import.lock"
_REFERENCES = 2
"""To a store that is one function's alone: its variable, and the argument of the function that counts."""
_HALF = re.compile(r"(gen-\d{6}\.seal|reqap-kg-store|CURRENT|dialogue\.(jsonl|kept))(\.(?P<process>\d{1,10}))?\.new")
"""Names of small files that a killed process had not yet moved into place."""


class _Embedded(WritableOxigraph, EventGraph):
    """The graph of a generation whose database is in its folder."""

    def __init__(self, store: ox.Store, directory: Path, generation: str, notes: tuple[str, ...] = ()) -> None:
        super().__init__(store)
        self.directory, self.generation, self.notes = directory, generation, notes

    def _described_by(self, graph: str) -> Iterable[Triple]:
        return self._triples_of(graph)  # a graph on disk is read along its index by subject, property, value

    def flush(self) -> None:
        """Writes what is still only in the database's log to its tables, so that the next opening is quick."""
        self._store.flush()

    def close(self) -> bool:
        # It is closed when nothing refers to the store any more.
        store = self._store
        del self._store
        return sys.getrefcount(store) <= _REFERENCES


def exists(directory: Path) -> bool:
    """Whether a store with something in it is there. Raises UsageError for a folder of other things."""
    return kind_of(directory) in (Kind.STORE, Kind.OLDER)


@contextmanager
def open_graph(
    directory: Path, *, write: bool = False, lock_seconds: float = 10.0, access: Access = NO_ACCESS
) -> Iterator[EventGraph]:
    """Opens the generation in force: shared for reading, alone for writing derivations. Of a store that may only be
    read, what is written goes when it is closed. `access` is what lets one in at a remote store.

    Raises StoreError when there is no store, it is damaged or does not answer, StoreBusy when it is held beyond
    `lock_seconds`, UsageError for a folder of other things.
    """
    kind = kind_of(directory)
    with ExitStack() as stack:
        stack.enter_context(private_files())
        stack.enter_context(disk_errors(directory))
        stack.enter_context(_last_out(directory))
        address = address_of(directory) if kind in (Kind.STORE, Kind.EMPTY) else None
        if address is not None:
            yield stack.enter_context(open_remote(directory, address, access, write=write, lock_seconds=lock_seconds))
            return
        if kind in (Kind.STORE, Kind.OLDER) and is_writable(directory):
            _bring_up(directory, kind)
        generation = _enter_current(stack, directory, write, lock_seconds)
        found = seal.check(directory, generation)
        seal.require_whole(directory, generation, found)
        opened = _reading if not write else _writing if is_writable(directory, generation) else _aside
        yield stack.enter_context(opened(directory, generation, found))


def _bring_up(directory: Path, kind: Kind) -> None:
    """Makes a store of an older version one of this: private, with a marker."""
    tighten(directory)
    if kind is Kind.OLDER:
        write_marker(directory)
        try:
            with locked(directory / _IMPORTS, exclusive=True, seconds=0, what="an import"):
                remove_old_work(directory)
        except StoreBusy:
            return


@contextmanager
def _reading(directory: Path, generation: str, found: seal.SealCheck) -> Iterator[EventGraph]:
    if found.changed and not found.is_open and found.seal and is_writable(directory, generation):
        seal.write_seal(directory, generation, found.seal)
    with _opened(directory, generation, ox.Store.read_only(str(directory / generation / "db"))) as graph:
        yield graph


@contextmanager
def _writing(directory: Path, generation: str, found: seal.SealCheck) -> Iterator[EventGraph]:
    for name in found.stale:  # made again from the graph
        (directory / generation / name).unlink(missing_ok=True)
    mark = seal.open_mark(directory, generation)
    touch_own(mark)
    graph = _Embedded(ox.Store(directory / generation / "db"), directory, generation)
    is_whole, is_released = True, False
    try:
        yield graph
        graph.flush()
    except (OSError, RuntimeError, sqlite3.Error):
        is_whole = False  # the next opening looks closer
        raise
    finally:
        is_released = graph.close()
        if is_whole and is_released:
            seal.seal_generation(directory, generation, found.seal)
            mark.unlink(missing_ok=True)


@contextmanager
def _aside(directory: Path, generation: str, found: seal.SealCheck) -> Iterator[EventGraph]:
    with overlay(directory, generation) as place:
        for name in found.stale:
            (place / generation / name).unlink(missing_ok=True)
        with _opened(place, generation, ox.Store(place / generation / "db"), (NOTE,)) as graph:
            yield graph


@contextmanager
def _opened(directory: Path, generation: str, store: ox.Store, notes: tuple[str, ...] = ()) -> Iterator[EventGraph]:
    graph = _Embedded(store, directory, generation, notes)
    del store
    try:
        yield graph
    finally:
        graph.close()


@contextmanager
def _last_out(directory: Path) -> Iterator[None]:
    """Whoever read a generation that an import replaced meanwhile takes it away, if nobody else reads it."""
    before = current(directory) if kind_of(directory) is Kind.STORE else None
    yield
    if before is not None and before != current(directory) and is_writable(directory):
        _remove_unless_held(directory, before)


def _enter_current(stack: ExitStack, directory: Path, write: bool, seconds: float) -> str:
    """Locks the generation in force; again if an import replaced it while we waited."""
    while True:
        generation = current(directory)
        if generation is None:
            raise no_store(directory)
        lock, alone = directory / f"{generation}.lock", write and is_writable(directory, generation)
        attempt = ExitStack()
        attempt.enter_context(locked(lock, exclusive=alone, seconds=seconds, what=f"the store at {directory}"))
        if current(directory) == generation:
            stack.push(attempt)
            return generation
        attempt.close()


def current(directory: Path) -> str | None:
    """Name of the generation in force, None where nothing was imported. Raises StoreError for a damaged pointer,
    UsageError for a folder of other things."""
    kind, pointer = kind_of(directory), directory / POINTER
    if not is_own_file(pointer):
        if kind is Kind.STORE:
            raise StoreError(damaged(directory, f"{POINTER} is missing"))
        return None
    name = pointer.read_bytes()[:200].decode("ascii", "replace").strip()
    if not GENERATION.fullmatch(name):
        raise StoreError(damaged(directory, f"{POINTER} says {name[:40]!r}"))
    inside = directory / name if address_of(directory) else directory / name / "db"
    if not (is_own_folder(directory / name) and is_own_folder(inside)):
        raise StoreError(damaged(directory, f"{POINTER} names {name}, which is not there"))
    return name


@contextmanager
def begin_import(directory: Path, *, lock_seconds: float = 10.0, access: Access = NO_ACCESS) -> Iterator[AnyImport]:
    """Holds the import lock; yields the next generation to build and commit. Removes what killed imports left.

    Raises as `open_graph`, but makes the store where there is none."""
    with private_files(), disk_errors(directory):
        kind = claim(directory)
        lock = directory / _IMPORTS
        with locked(lock, exclusive=True, seconds=lock_seconds, what=f"an import into {directory}"):
            _bring_up(directory, Kind.STORE)
            if kind is Kind.OLDER:
                remove_old_work(directory)
            before = current(directory)
            _remove_leftovers(directory, keep=before)
            address = address_of(directory)
            try:
                work = work_folder(directory)
                if address is None:
                    yield Import(directory, before, work, lock_seconds)
                else:
                    with begin_remote_import(directory, address, access, work, lock_seconds) as new:
                        yield new
            finally:
                _remove_leftovers(directory, keep=current(directory))


def held_before(directory: Path) -> tuple[str, ...]:
    """Generations before the one in force that are still there, as somebody reads them."""
    return tuple(name for name in generations(directory) if name != current(directory))


def is_importing(directory: Path) -> bool:
    """Whether a process makes the next generation of a store."""
    return is_held(directory / _IMPORTS)


def _remove_leftovers(directory: Path, keep: str | None) -> None:
    """Deletes generations that are neither in force nor still open in some process, and half-written files."""
    remove_work(directory)
    for entry in list(os.scandir(directory)):
        half = _HALF.fullmatch(entry.name)
        if half and entry.is_file(follow_symlinks=False) and not _runs(half["process"]):
            os.unlink(entry)
    locks = (path.stem for path in directory.glob("gen-*.lock") if is_own_file(path) and not path.stat().st_size)
    for name in sorted({*generations(directory), *filter(GENERATION.fullmatch, locks)}):
        if name != keep:
            _remove_unless_held(directory, name)


def _runs(process: str | None) -> bool:
    """Whether a process of that number, other than this one, runs: it may be about to put a file in place."""
    if process is None or int(process) == os.getpid():
        return False
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def _remove_unless_held(directory: Path, name: str) -> None:
    lock = directory / f"{name}.lock"
    try:
        with locked(lock, exclusive=True, seconds=0, what=name):
            remove_generation(directory, name)
    except StoreBusy:
        return
    lock.unlink(missing_ok=True)


_LEFT_OUT: Final = ("LOG", "LOCK")
NOTE: Final = "the store may only be read: what was found for this answer is not kept"


def is_writable(directory: Path, generation: str | None = None) -> bool:
    """Whether this process may write to the store: to its folders, and to the files of the generation."""
    folders = [directory, *((directory / name) for name in ("cache", generation or "") if name)]
    if generation:
        folders += [directory / generation / "db", directory / generation / "index"]
    there = [folder for folder in folders if folder.is_dir()]
    files = [path for folder in there[1:] for path in folder.iterdir() if path.is_file() and path.suffix != ".sst"]
    return all(os.access(path, os.W_OK) for path in (*there, *files))


@contextmanager
def overlay(directory: Path, generation: str) -> Iterator[Path]:
    """A private folder in which the store's generation, caches and journal stand like in its own."""
    with tempfile.TemporaryDirectory(prefix="reqap-kg-", ignore_cleanup_errors=True) as made:
        for part in (f"{generation}/db", f"{generation}/index", "cache"):
            (Path(made) / part).mkdir(parents=True, exist_ok=True)
            if (directory / part).is_dir():
                for path in (directory / part).iterdir():
                    _stand_in(path.absolute(), Path(made) / part / path.name)
        _stand_in((directory / JOURNAL).absolute(), Path(made) / JOURNAL)
        yield Path(made)


def _stand_in(path: Path, other: Path) -> None:
    if not path.is_file() or path.name.startswith(_LEFT_OUT):
        return
    if path.suffix == ".sst":
        other.symlink_to(path)
    else:
        shutil.copyfile(path, other)
