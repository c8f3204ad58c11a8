"""Generations of a remote store: opened for questions, and built beside the one in force.

DIR/remote.json         where the graphs are
DIR/gen-000007/index    what is derived from the generation of that name, on this machine alone
DIR/building            generations that an import of this machine began and did not end
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

import pyoxigraph as ox

from ...config.parts import Access
from ...errors import NoStore, StoreError
from ..folder import POINTER, is_own_file, is_own_folder, touch_own, write_marker, write_whole
from ..graph import Rows, WritableGraph
from ..locks import locked
from ..opened import EventGraph
from ..rdf import NamedNode, Quad, Term, Triple
from ..upkeep.building import carry_index, next_name
from .address import Address, read_address
from .client import Connection
from .dialects import dialect_of
from .graph import RemoteGraph, fetch_whole
from .in_place import open_in_place
from .manifest import Manifest, Register, first_manifest, fresh_name

REMOTE: Final = "remote.json"
BUILDING: Final = "building"
_KEPT: Final = 1_000
_MOST_KEPT: Final = 2_000
"""Answers that are kept, and rows of one."""
_LOOK_SECONDS: Final = 10.0
"""How long the pointer on the server is believed: another machine may import."""


class RemoteEvents(RemoteGraph, EventGraph):
    """The graph of a generation on a server, and its folder on this machine."""

    def __init__(self, register: Register, manifest: Manifest, directory: Path) -> None:
        super().__init__(register.connection, register.dialect, manifest.names, manifest.dataset)
        self._register = register
        self._manifest = manifest
        self._looked = monotonic()
        self._rows: dict[tuple[str, tuple[tuple[str, Term], ...]], Rows] = {}
        self.directory, self.generation, self.notes = directory, manifest.generation, ()

    def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> Rows:
        """As any graph; what was asked before need not be asked again until something is written."""
        if self._functions:  # what they say changes from run to run
            return super().select(query, bindings)
        self._look()
        key = (query, tuple(sorted((bindings or {}).items())))
        if key not in self._rows:
            found = super().select(query, bindings)
            if len(found) > _MOST_KEPT:
                return found
            if len(self._rows) >= _KEPT:
                self._rows.clear()
            self._rows[key] = found
        return self._rows[key]

    def _take(self, manifest: Manifest) -> None:
        self._rows.clear()
        self._manifest, self._names, self._dataset = manifest, manifest.names, manifest.dataset

    def _replaced(self, iri: str, triples: list[Triple]) -> bool:
        was_there = iri in self._manifest.graphs
        self._take(self._register.replace(self._manifest, iri, triples))
        return was_there

    def _dropped(self, iris: list[str]) -> None:
        self._take(self._register.remove(self._manifest, iris))

    @property
    def manifest(self) -> Manifest:
        """The generation as it is on the server."""
        return self._manifest

    def _look(self) -> None:
        """Looks up after _LOOK_SECONDS which generation is in force, and has the local pointer say so."""
        if monotonic() - self._looked > _LOOK_SECONDS:
            self._looked = monotonic()
            found = self._register.in_force()
            if found is not None and found.node != self._manifest.node:
                write_whole(self.directory / POINTER, f"{found.generation}\n")

    def close(self) -> bool:
        self.connection.close()
        return True


def address_of(directory: Path) -> Address | None:
    """Where the graphs of the store at `directory` are; None for one that has them itself. Raises StoreError where the
    file that says so is damaged."""
    path = directory / REMOTE
    if not is_own_file(path):
        return None
    try:
        return read_address(str(json.loads(path.read_bytes())["address"]))
    except (ValueError, KeyError, TypeError) as bad:
        raise StoreError(f"{path} is damaged: take the folder {directory} away; the graphs are on the server") from bad


def keep_address(directory: Path, text: str) -> None:
    """Makes a folder that of a remote store. Raises UsageError for what is no address."""
    read_address(text)
    directory.mkdir(parents=True, exist_ok=True)
    if address_of(directory) is None:
        write_whole(directory / REMOTE, json.dumps({"address": text}) + "\n")
        write_marker(directory, empty=True)


@contextmanager
def connected(address: Address, access: Access) -> Iterator[Register]:
    """The register of a store on a server. Raises StoreError where nobody answers."""
    connection = Connection(address, access)
    try:
        yield Register(connection, dialect_of(connection.server()))
    finally:
        connection.close()


def told_of(directory: Path, access: Access) -> dict[str, str]:
    """What is to be said of a remote store, by part; nothing of an embedded one. Raises StoreError where its server
    does not answer."""
    address = address_of(directory)
    if address is None:
        return {}
    with connected(address, access) as register:
        found = {"server": f"{address.text} answers queries; {register.dialect.told}"}
        if address.in_place:
            return found | {"updates": "none are sent: it is answered over in place", "folder": str(directory)}
        register.try_update()
        found["updates"] = f"{address.update} takes them"
        manifest = register.in_force()
        if manifest is None:
            return found | {"graphs": "none: nothing was imported", "folder": str(directory)}
        graph = RemoteGraph(register.connection, register.dialect, manifest.names, manifest.dataset)
        found["graphs"] = f"{len(graph.graphs())} with {graph.count():,} triples, of {manifest.generation}"
        return found | {"folder": f"{directory} has what is computed from them, and can be taken away"}


@contextmanager
def open_remote(
    directory: Path, address: Address, access: Access, *, write: bool, lock_seconds: float
) -> Iterator[EventGraph]:
    """Opens the generation in force. Raises NoStore where nothing was imported, StoreError where nobody answers,
    StoreBusy as an embedded store."""
    with connected(address, access) as register, ExitStack() as stack:
        if address.in_place:
            yield stack.enter_context(open_in_place(directory, register, write=write, lock_seconds=lock_seconds))
            return
        manifest = register.in_force()
        if manifest is None:
            raise NoStore(directory, address.text)
        lock = directory / f"{manifest.generation}.lock"
        what = f"the store at {address.text}"
        stack.enter_context(locked(lock, exclusive=write, seconds=lock_seconds, what=what))
        _adopt(directory, manifest)
        yield RemoteEvents(register, manifest, directory)


def _adopt(directory: Path, manifest: Manifest) -> None:
    """Makes the local folder that of a generation; what was derived from another one of its name goes."""
    folder = directory / manifest.generation
    of = folder / "index" / "of.json"
    if not (is_own_file(of) and json.loads(of.read_bytes()) == manifest.node.value):
        if is_own_folder(folder):
            shutil.rmtree(folder)
        _write_of(folder, manifest)
    pointer = directory / POINTER
    if not is_own_file(pointer) or pointer.read_text().strip() != manifest.generation:
        write_whole(pointer, f"{manifest.generation}\n")
        write_marker(directory)


def _write_of(folder: Path, manifest: Manifest) -> None:
    (folder / "index").mkdir(parents=True, exist_ok=True)
    write_whole(folder / "index" / "of.json", json.dumps(manifest.node.value))


class RemoteImport:
    """The next generation of a remote store, from `begin_remote_import`; nothing shows before `commit`."""

    def __init__(self, register: Register, directory: Path, work: Path, lock_seconds: float) -> None:
        self._register = register
        self._before = register.in_force()
        if self._before is not None:
            _adopt(directory, self._before)
        self._next: Manifest | None = None
        self._forget = False
        self.directory = directory
        self.work = work
        self.lock_seconds = lock_seconds
        self.before = self._before.generation if self._before else None
        self.name = next_name(directory, int(self.before.removeprefix("gen-")) if self.before else 0)

    def build(
        self,
        drop: frozenset[str],
        files: Iterable[Path],
        *,
        finish: Callable[[WritableGraph], object] | None = None,
        whole: Mapping[str, Path] | None = None,
        forget: bool = False,
    ) -> None:
        """Builds the next generation beside the one in force, as `Import.build` does; the server keeps copies itself,
        so that files that are one graph as a `whole` are like all others."""
        del whole
        parted = _by_graph(files, self.work)
        base = self._before or first_manifest(self._register.control, self.name)
        manifest = base.without(drop).next(self.name, self._register.control)
        for graph in parted:
            manifest = manifest.with_graph(graph, fresh_name(graph))
        write_whole(self.directory / BUILDING, manifest.node.value + "\n")
        self._register.announce(manifest)
        for graph, file in parted.items():
            self._register.load(manifest.graphs[graph], self._lines(graph, file, base, drop))
        touch_own(self.directory / f"{self.name}.lock")
        (self.directory / self.name).mkdir()
        if self.before and not forget and is_own_folder(self.directory / self.before):
            carry_index(self.directory / self.before, self.directory / self.name, ())
        _write_of(self.directory / self.name, manifest)
        graph = RemoteEvents(self._register, manifest, self.directory)
        if finish is not None:
            finish(graph)
        self._next, self._forget = graph.manifest, forget

    def _lines(self, graph: str, file: Path, base: Manifest, drop: frozenset[str]) -> Iterator[bytes]:
        """What a graph will hold, as N-Triples: those of the file, after those it had, if it stays."""
        if graph in base.graphs and graph not in drop:
            held = self.work / "held.nt"
            fetch_whole(self._register.connection, self._register.dialect, base.graphs[graph], held)
            with held.open("rb") as stream:
                yield from stream
        with file.open("rb") as stream:
            yield from stream

    def rebuild(self, files: Iterable[Path]) -> None:
        """A remote store is repaired where it is."""
        del files
        raise StoreError(f"the graphs are at {self._register.connection.address.text}: repair them there")

    def commit(self) -> None:
        """Puts the built generation in force, by one update on the server."""
        assert self._next is not None
        self._register.put_in_force(self._next, self._before)
        write_whole(self.directory / POINTER, f"{self._next.generation}\n")
        (self.directory / BUILDING).unlink(missing_ok=True)
        # Who reads the generation before goes on with it, until the next import.
        kept = [self._next] if self._forget or self._before is None else [self._next, self._before]
        self._register.remove_others(*kept)


@contextmanager
def begin_remote_import(
    directory: Path, address: Address, access: Access, work: Path, lock_seconds: float
) -> Iterator[RemoteImport]:
    """The next generation; takes away what a killed import of this machine left. Raises StoreError for a graph that is
    answered over in place."""
    if address.in_place:
        raise StoreError(f"nothing is imported into {address.text}: it is answered over in place, read-only")
    with connected(address, access) as register:
        begun = directory / BUILDING
        if is_own_file(begun):
            kept = register.in_force()
            register.remove_others(*([kept] if kept else []), only=begun.read_text().split())
            begun.unlink()
        yield RemoteImport(register, directory, work, lock_seconds)


def _by_graph(files: Iterable[Path], work: Path) -> dict[str, Path]:
    """N-Quads as a file of N-Triples for each graph."""
    found: dict[str, Path] = {}
    for file in files:
        held: dict[str, list[Quad]] = {}
        for number, quad in enumerate(ox.parse(path=str(file), format=ox.RdfFormat.N_QUADS)):
            if isinstance(quad.graph_name, NamedNode):
                held.setdefault(quad.graph_name.value, []).append(quad)
            if number % _AT_ONCE == _AT_ONCE - 1:
                _write_parts(held, found, work)
                held = {}
        _write_parts(held, found, work)
    return found


_AT_ONCE: Final = 100_000


def _write_parts(held: Mapping[str, list[Quad]], found: dict[str, Path], work: Path) -> None:
    for graph, quads in held.items():
        path = found.setdefault(graph, work / f"graph-{len(found)}.nt")
        with path.open("ab") as out:
            out.write(ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b"")
