"""The next generation of a store: what the one in force holds, less what goes, plus what comes.

    DIR/gen-000007/copies/https%3A%2F%2F….nq.gz    one named graph, as compressed N-Quads

A damaged database is made anew from the copies of its imported graphs. They are links to those of the generation
before for all graphs that an import left alone, and go with their graph. What is derived has none: the same question
derives it again.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast
from urllib.parse import quote, unquote

import pyoxigraph as ox

from ...errors import StoreError
from ...ontology.namespaces import DERIVED
from ..folder import POINTER, is_own_file, touch_own, write_marker, write_whole
from ..graph import OxigraphGraph, WritableGraph, WritableOxigraph
from ..locks import locked
from ..rdf import NamedNode, link
from . import seal
from .disk_space import require_space

FOLDER: Final = "copies"
_ENDING: Final = ".nq.gz"
_LONGEST: Final = 200
_LEVEL: Final = 1
# Removing a quad one by one costs about five times loading it in bulk (docs/benchmarks.md): large removals rebuild.
_LAST = 999_999
_REMOVE_COST = 5
_PIECE = 32 * 2**20
"""Bytes of N-Quads that are loaded at once: Oxigraph holds what one load brings in memory before it sorts it."""
_KEPT = (".sqlite", ".json")
_COLUMNS = (".npy", ".npz")
"""What is derived and says itself what it was made from; the second are many files, of which old ones go."""
_PACKED = 2
"""How much larger N-Quads are than what the database makes of them, at least."""
_SMALL = 20_000
"""Triples up to which graphs are copied together: a bulk load of its own costs a tenth of a second."""


def copy_path(generation: Path, graph: str) -> Path:
    """Where the copy of a graph stands."""
    name = quote(graph, safe="")
    short = name if len(name) <= _LONGEST else hashlib.sha256(graph.encode()).hexdigest()
    return generation / FOLDER / f"{short}{_ENDING}"


def graph_of(path: Path) -> str:
    """The graph that a copy is of, or what stands for its name where that is too long."""
    return unquote(path.name.removesuffix(_ENDING))


@dataclass(frozen=True)
class PreviousGeneration:
    """The generation before: which graphs are `kept` of it, and which of its copies are not as they were sealed."""

    folder: Path
    kept: frozenset[str]
    stale: tuple[str, ...]

    def copy_of(self, graph: str) -> Path | None:
        """The sound copy of a graph that is kept."""
        path = copy_path(self.folder, graph)
        sound = is_own_file(path) and f"{FOLDER}/{path.name}" not in self.stale
        return path if sound and graph in self.kept else None


def write_copies(
    store: ox.Store, generation: Path, earlier: PreviousGeneration | None, files: Mapping[str, Path]
) -> None:
    """Copies all imported graphs of a store: from the one before, from the N-Quads of one graph that are in `files`, or
    from the store."""
    (generation / FOLDER).mkdir(exist_ok=True)
    for graph in OxigraphGraph(store).graphs():
        if graph.startswith(DERIVED):
            continue
        target = copy_path(generation, graph)
        old = earlier.copy_of(graph) if earlier else None
        if old is not None:
            link(old, target)
        else:
            with target.open("wb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as out:
                _write(store, graph, files.get(graph), out)


def _write(store: ox.Store, graph: str, file: Path | None, out: gzip.GzipFile) -> None:
    if file is None:
        quads = store.quads_for_pattern(None, None, None, NamedNode(graph))
        ox.serialize(quads, output=cast(IO[bytes], out), format=ox.RdfFormat.N_QUADS)
        return
    with file.open("rb") as held:
        shutil.copyfileobj(held, out)


class Import:
    """The next generation under construction, from `begin_import`; nothing shows before `commit`."""

    def __init__(self, directory: Path, before: str | None, work: Path, lock_seconds: float) -> None:
        self.directory = directory
        self.lock_seconds = lock_seconds
        self.before = before
        self.work = work
        """A folder for the import's own files; emptied at its end."""
        self.name = next_name(directory, int(before.removeprefix("gen-")) if before else 0)

    def build(
        self,
        drop: frozenset[str],
        files: Iterable[Path],
        *,
        finish: Callable[[WritableGraph], object] | None = None,
        whole: Mapping[str, Path] | None = None,
        forget: bool = False,
    ) -> None:
        """Makes the next generation: the one in force less the graphs `drop`, plus the N-Quads of `files`, of which
        those in `whole` are one named graph.

        `finish` then brings what was derived in line with it; nothing of it shows before `commit` either. To `forget`,
        all that stays is copied, so that no file holds a word of what went: the database never forgets a text, and an
        index keeps what was struck out of it. Raises StoreError where there is no room for it.
        """
        loaded = tuple(files)
        held = _bytes_of(self.directory / self.before / "db") if self.before and forget else 0
        require_space(self.directory, sum(file.stat().st_size for file in loaded) // _PACKED + held)
        target = self.directory / self.name
        touch_own(self.directory / f"{self.name}.lock")  # by it the folder is known as the store's
        target.mkdir()
        path = (self.work if forget else target) / "db"
        if self.before:
            store, earlier = self._carry_over(self.before, path, drop, index=not forget)
        else:
            store, earlier = ox.Store(path), None
        for file in loaded:
            _bulk_load(store, file)
        if finish is not None:
            finish(WritableOxigraph(store))
        store.flush()
        if forget:
            fresh = self._copy_kept(store, target / "db", OxigraphGraph(store).graphs())
            fresh.flush()
            del fresh
        write_copies(store, target, earlier, whole or {})
        del store
        seal.seal_generation(self.directory, self.name, seal.read_seal(self.directory, str(self.before)))

    def rebuild(self, files: Iterable[Path]) -> None:
        """Makes the next generation of these files (N-Quads, also compressed) alone."""
        self.before = None
        self.build(frozenset(), files)

    def _carry_over(
        self, before: str, path: Path, drop: frozenset[str], *, index: bool
    ) -> tuple[ox.Store, PreviousGeneration | None]:
        lock = self.directory / f"{before}.lock"
        with locked(lock, exclusive=False, seconds=self.lock_seconds, what=f"the store at {self.directory}"):
            found = seal.check(self.directory, before)
            seal.require_whole(self.directory, before, found)
            if index:
                carry_index(self.directory / before, self.directory / self.name, found.stale)
            old = ox.Store.read_only(str(self.directory / before / "db"))
            view = OxigraphGraph(old)
            kept = [iri for iri in view.graphs() if iri not in drop]
            gone = set(view.graphs()).difference(kept)
            earlier = PreviousGeneration(self.directory / before, frozenset(kept), found.stale) if found.seal else None
            if sum(view.count(iri) for iri in gone) * _REMOVE_COST > view.count():
                return self._copy_kept(old, path, kept), earlier
            old.backup(str(path))
        store = ox.Store(path)
        for iri in gone:
            store.remove_graph(NamedNode(iri))
        return store, earlier

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
        write_whole(self.directory / POINTER, f"{self.name}\n")
        write_marker(self.directory)


def next_name(directory: Path, last: int) -> str:
    """The first name after the last that nothing else in the folder has. Raises StoreError where there is none."""
    if last >= _LAST:
        raise StoreError(f"{directory} has had {_LAST:,} generations, more than it can name: import into a new store")
    name = f"gen-{last + 1:06d}"
    taken = os.path.lexists(directory / name) or os.path.lexists(directory / f"{name}.lock")
    return next_name(directory, last + 1) if taken else name


def _bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def carry_index(before: Path, generation: Path, stale: Sequence[str]) -> None:
    """Gives a new generation what was derived from the one before, as links. What of it still holds need not be made
    again: whoever opens it sees that, and writes beside what does not. Columns that the one before did not use go, and
    what is `stale`: not as it was sealed."""
    if not (before / "index").is_dir():
        return
    (generation / "index").mkdir()
    unfinished = {file.name.removesuffix("-journal") for file in before.glob("index/*-journal")}
    for file in before.glob("index/*"):
        used = file.stat().st_mtime_ns >= before.stat().st_mtime_ns
        wanted = file.suffix in _KEPT or (file.suffix in _COLUMNS and used)
        whole = f"index/{file.name}" not in stale and ".new" not in file.suffixes and not file.is_symlink()
        if wanted and whole and file.name not in unfinished:
            link(file, generation / "index" / file.name)


def _bulk_load(store: ox.Store, file: Path, graph: NamedNode | None = None) -> None:
    """Loads N-Quads, or N-Triples into a `graph`, in pieces: a file of any size needs the memory of one piece."""
    form = ox.RdfFormat.N_QUADS if graph is None else ox.RdfFormat.N_TRIPLES
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
        while lines := stream.readlines(_PIECE):
            store.bulk_load(b"".join(lines), format=form, to_graph=graph)
