"""The store on disk: generations, so that an import is seen whole or not at all.

    DIR/CURRENT            name of the generation in force, replaced atomically
    DIR/gen-000007/db      its Oxigraph database
    DIR/gen-000007/index   what other parts derive from it (dropped with it)
    DIR/cache              what survives generations (embeddings by content)

An import builds the next generation beside the one in force, from a checkpoint (hard links, so cheap), and then
replaces CURRENT. Killed at any moment, CURRENT names a complete generation (docs/decisions/001-generations.md).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyoxigraph as ox

from ..errors import StoreBusy, StoreError
from .graph import OxigraphGraph, WritableGraph
from .locks import locked
from .rdf import NamedNode, Quad

_GENERATION = re.compile(r"gen-\d{6}")
# Removing a quad one by one costs about five times loading it in bulk (docs/benchmarks.md): large removals rebuild.
_REMOVE_COST = 5
_PIECE = 32 * 2**20
"""Bytes of N-Quads that are loaded at once: Oxigraph holds what one load brings in memory before it sorts it."""
_KEPT = (".sqlite", ".json")
_COLUMNS = (".npy", ".npz")
"""What is derived and says itself what it was made from; the second are many files, of which old ones go."""
_SMALL = 20_000
"""Triples up to which graphs are copied together: a bulk load of its own costs a tenth of a second."""


class EventGraph(WritableGraph):
    """The graph of one generation, open for queries, and for derived graphs when open for writing."""

    def __init__(self, store: ox.Store, directory: Path, generation: str) -> None:
        super().__init__(store)
        self.directory = directory
        """The store's folder."""
        self.generation = generation
        """Changes with every import; indexes name it."""

    def _in_order(self, quads: Iterator[Quad]) -> Iterable[Quad]:
        """As they come: a graph on disk is read along its index by subject, then property, then value."""
        return quads

    def dump(self, path: Path) -> None:
        """Writes every quad as N-Quads."""
        self._store.dump(str(path), format=ox.RdfFormat.N_QUADS)

    def flush(self) -> None:
        """Writes what is still only in the database's log to its tables, so that the next opening is quick."""
        self._store.flush()

    def close(self) -> None:
        """Lets go of the database; Oxigraph frees its own lock only when nothing refers to the store any more."""
        del self._store

    @property
    def index_directory(self) -> Path:
        """Where indexes of this generation live; created on first use."""
        folder = self.directory / self.generation / "index"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def cache_directory(self) -> Path:
        """Where content-addressed caches live, across generations."""
        folder = self.directory / "cache"
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def exists(directory: Path) -> bool:
    """Whether a store is there."""
    return (directory / "CURRENT").is_file()


@contextmanager
def open_graph(directory: Path, *, write: bool = False, lock_seconds: float = 10.0) -> Iterator[EventGraph]:
    """Opens the generation in force: shared for reading, alone for writing derivations.

    Raises StoreError when there is no store, StoreBusy when it is held beyond `lock_seconds`.
    """
    with ExitStack() as stack:
        generation = _enter_current(stack, directory, write, lock_seconds)
        graph = EventGraph(_open_store(directory, generation, write), directory, generation)
        try:
            yield graph
            if write:
                graph.flush()
        finally:
            graph.close()


def _open_store(directory: Path, generation: str, write: bool) -> ox.Store:
    path = directory / generation / "db"
    try:
        return ox.Store(path) if write else ox.Store.read_only(str(path))
    except OSError as bad:
        raise StoreError(f"the store at {directory} cannot be opened: {bad}") from bad


def _enter_current(stack: ExitStack, directory: Path, write: bool, seconds: float) -> str:
    """Locks the generation in force; again if an import replaced it while we waited."""
    while True:
        generation = current(directory)
        if generation is None:
            raise StoreError(
                f"no store at {directory}; import something first: reqap-kg ingest PATH --store {directory}"
            )
        lock = directory / f"{generation}.lock"
        attempt = ExitStack()
        attempt.enter_context(locked(lock, exclusive=write, seconds=seconds, what=f"the store at {directory}"))
        if current(directory) == generation:
            stack.push(attempt)
            return generation
        attempt.close()


def current(directory: Path) -> str | None:
    """Name of the generation in force, None where there is no store. Raises StoreError for a damaged pointer."""
    try:
        name = (directory / "CURRENT").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    if not _GENERATION.fullmatch(name):
        raise StoreError(f"{directory / 'CURRENT'} is damaged: {name[:40]!r}")
    return name


class Import:
    """The next generation under construction, from `begin_import`; nothing shows before `commit`."""

    def __init__(self, directory: Path, before: str | None, lock_seconds: float) -> None:
        self.directory = directory
        self.lock_seconds = lock_seconds
        self.before = before
        self.work = directory / "incoming"
        """A folder for the import's own files; emptied at its start and end."""
        self.name = f"gen-{int(before.removeprefix('gen-')) + 1 if before else 1:06d}"
        self.committed = False

    def build(
        self, drop: frozenset[str], files: Iterable[Path], *, finish: Callable[[WritableGraph], object] | None = None
    ) -> None:
        """Makes the next generation: the one in force less the graphs `drop`, plus the N-Quads of `files`.

        `finish` then brings what was derived in line with it; nothing of it shows before `commit` either.
        """
        target = self.directory / self.name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        store = self._carry_over(target / "db", drop) if self.before else ox.Store(target / "db")
        for file in files:
            _bulk_load(store, file)
        if finish is not None:
            finish(WritableGraph(store))
        store.flush()

    def _carry_over(self, path: Path, drop: frozenset[str]) -> ox.Store:
        lock = self.directory / f"{self.before}.lock"
        with locked(lock, exclusive=False, seconds=self.lock_seconds, what=f"the store at {self.directory}"):
            _carry_index(self.directory / str(self.before), self.directory / self.name)
            old = ox.Store.read_only(str(self.directory / str(self.before) / "db"))
            view = OxigraphGraph(old)
            kept = [iri for iri in view.graphs() if iri not in drop]
            gone = set(view.graphs()).difference(kept)
            if sum(view.count(iri) for iri in gone) * _REMOVE_COST > view.count():
                return self._copy_kept(old, path, kept)
            old.backup(str(path))
        store = ox.Store(path)
        for iri in gone:
            store.remove_graph(NamedNode(iri))
        return store

    def _copy_kept(self, old: ox.Store, path: Path, kept: list[str]) -> ox.Store:
        store = ox.Store(path)
        view = OxigraphGraph(old)
        small = [iri for iri in kept if view.count(iri) <= _SMALL]
        together, scratch = self.work / "kept.nq", self.work / "kept.nt"
        with together.open("wb") as out:
            for iri in small:
                found = old.quads_for_pattern(None, None, None, NamedNode(iri))
                ox.serialize(found, output=out, format=ox.RdfFormat.N_QUADS)
        store.bulk_load(path=str(together), format=ox.RdfFormat.N_QUADS)
        together.unlink()
        for iri in set(kept).difference(small):
            old.dump(str(scratch), format=ox.RdfFormat.N_TRIPLES, from_graph=NamedNode(iri))
            _bulk_load(store, scratch, NamedNode(iri))
        scratch.unlink(missing_ok=True)
        return store

    def commit(self) -> None:
        """Puts the built generation in force, atomically."""
        pointer = self.directory / "CURRENT.new"
        with pointer.open("w", encoding="ascii") as out:
            out.write(self.name + "\n")
            out.flush()
            os.fsync(out.fileno())
        pointer.replace(self.directory / "CURRENT")
        self.committed = True


def _carry_index(before: Path, generation: Path) -> None:
    """Gives a new generation what was derived from the one before, as links. What of it still holds need not be made
    again: whoever opens it sees that, and writes beside what does not. Columns that the one before did not use go."""
    if not (before / "index").is_dir():
        return
    (generation / "index").mkdir()
    unfinished = {file.name.removesuffix("-journal") for file in before.glob("index/*-journal")}
    for file in before.glob("index/*"):
        used = file.stat().st_mtime_ns >= before.stat().st_mtime_ns
        wanted = file.suffix in _KEPT or (file.suffix in _COLUMNS and used)
        if wanted and file.name not in unfinished and ".new" not in file.suffixes:
            _link(file, generation / "index" / file.name)


def _link(file: Path, other: Path) -> None:
    try:
        other.hardlink_to(file)
    except OSError:  # some file systems have no links
        shutil.copyfile(file, other)


def _bulk_load(store: ox.Store, file: Path, graph: NamedNode | None = None) -> None:
    """Loads N-Quads, or N-Triples into a `graph`, in pieces: a file of any size needs the memory of one piece."""
    form = ox.RdfFormat.N_QUADS if graph is None else ox.RdfFormat.N_TRIPLES
    with file.open("rb") as stream:
        while lines := stream.readlines(_PIECE):
            store.bulk_load(b"".join(lines), format=form, to_graph=graph)


@contextmanager
def begin_import(directory: Path, *, lock_seconds: float = 10.0) -> Iterator[Import]:
    """Holds the import lock; yields the next generation to build and commit. Removes what killed imports left."""
    directory.mkdir(parents=True, exist_ok=True)
    with locked(directory / "import.lock", exclusive=True, seconds=lock_seconds, what=f"an import into {directory}"):
        new = Import(directory, current(directory), lock_seconds)
        _remove_leftovers(directory, keep=new.before)
        new.work.mkdir(exist_ok=True)
        try:
            yield new
        finally:
            shutil.rmtree(new.work, ignore_errors=True)
            _remove_leftovers(directory, keep=current(directory))


def _remove_leftovers(directory: Path, keep: str | None) -> None:
    """Deletes generations that are neither in force nor still open in some process."""
    shutil.rmtree(directory / "incoming", ignore_errors=True)
    for folder in directory.glob("gen-*"):
        name = folder.name.removesuffix(".lock")
        if name == keep or not _GENERATION.fullmatch(name):
            continue
        lock = directory / f"{name}.lock"
        try:
            with locked(lock, exclusive=True, seconds=0, what=name):
                shutil.rmtree(directory / name, ignore_errors=True)
        except StoreBusy:
            continue
        lock.unlink(missing_ok=True)
