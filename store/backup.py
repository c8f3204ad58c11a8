"""A store as one file, and a store made of one.

    backup.json            what the file holds: each part with its size and SHA-256 sum
    graphs/0001.nq.gz      one named graph each, as compressed N-Quads
    dialogue.jsonl         what was asked in chats, and answered

The file is a zip. An encrypted one is in the format age, which the program `age` opens, too. What is derived, indexes
and caches are left out: they are made again.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

import pyoxigraph as ox

from ..config.parts import NO_ACCESS, Access
from ..errors import StoreError, UsageError
from ..ontology.namespaces import DERIVED
from .folder import JOURNAL, Kind, is_own_file, kind_of, private_files, write_whole
from .generations import EventGraph, begin_import, open_graph
from .rdf import BlankNode, NamedNode, Quad, RdfFormat
from .upkeep.disk_space import disk_errors, require_space
from .upkeep.repair import is_bounded

_HEAD: Final = "backup.json"
_FORMAT: Final = "reqap-kg backup"
_VERSION: Final = 1
_LEVEL: Final = 6
_AGE: Final = b"age-encryption.org/v1"
_CHUNK: Final = 1 << 20
_LOCKED: Final = 1
"""The flag of a zip's part that is encrypted."""
_MOST_HEAD: Final = 8 << 20
"""Bytes of what says what a backup holds."""
_GROWTH: Final = 12
"""How much larger a database is than its compressed quads, at most."""
Tell = Callable[[str, int, int], None]
"""Hears a step, how much of it is done, and of how much."""


@dataclass(frozen=True)
class Part:
    """One part of a backup; `graph` is the IRI of a named graph, None for the journal of chats."""

    name: str
    bytes: int
    sha256: str
    graph: str | None = None


@dataclass(frozen=True)
class Backup:
    """What a backup holds, and how large the file is."""

    parts: tuple[Part, ...]
    quads: int
    bytes: int = 0

    @property
    def graphs(self) -> int:
        """Named graphs."""
        return sum(one.graph is not None for one in self.parts)


def write_backup(
    directory: Path,
    target: Path,
    passphrase: str | None = None,
    *,
    access: Access = NO_ACCESS,
    lock_seconds: float = 10.0,
    tell: Tell = lambda *_: None,
) -> Backup:
    """Writes all that was imported into a store, and what was said in chats, to one file, whole or not at all. With a
    passphrase it is encrypted. Raises as `open_graph`, UsageError where the target is there already."""
    if target.exists():
        raise UsageError(f"{target} is there already; name another file")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}")
    beside = target.with_name(f"{target.name}.part")
    with private_files(), disk_errors(target.parent), tempfile.TemporaryFile() as held:
        with open_graph(directory, lock_seconds=lock_seconds, access=access) as graph:
            backup = _packed(graph, directory, held, tell)
        held.seek(0)
        try:
            with beside.open("wb") as out:
                if passphrase is None:
                    while chunk := held.read(_CHUNK):
                        out.write(chunk)
                else:
                    out.write(_encrypted(held.read(), passphrase))
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    return Backup(backup.parts, backup.quads, target.stat().st_size)


def _packed(graph: EventGraph, directory: Path, out: IO[bytes], tell: Tell) -> Backup:
    iris = [iri for iri in graph.graphs() if not iri.startswith(DERIVED)]
    parts: list[Part] = []
    quads = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as pack:
        for at, iri in enumerate(iris):
            tell("write", at, len(iris))
            with tempfile.TemporaryFile() as file:
                with gzip.GzipFile("", "wb", _LEVEL, file, mtime=0) as packed:
                    quads += write_quads(graph, iri, cast(IO[bytes], packed))
                file.seek(0)
                parts.append(_add(pack, f"graphs/{at + 1:04}.nq.gz", file, iri))
        if is_own_file(directory / JOURNAL):
            with (directory / JOURNAL).open("rb") as journal:
                parts.append(_add(pack, JOURNAL, journal, None))
        head = {"format": _FORMAT, "version": _VERSION, "quads": quads, "parts": [vars(one) for one in parts]}
        pack.writestr(_HEAD, json.dumps(head, indent=1))
    return Backup(tuple(parts), quads)


def write_quads(graph: EventGraph, iri: str, out: IO[bytes]) -> int:
    """Writes one named graph as N-Quads; how many they are."""
    count = 0

    def quads() -> Iterator[Quad]:
        nonlocal count
        for subject, pairs in graph.described(iri):
            node = BlankNode(subject[2:]) if subject.startswith("_:") else NamedNode(subject)
            for predicate, value in pairs:
                count += 1
                yield Quad(node, NamedNode(predicate), value, NamedNode(iri))

    ox.serialize(quads(), output=out, format=RdfFormat.N_QUADS)
    return count


def _add(pack: zipfile.ZipFile, name: str, file: IO[bytes], graph: str | None) -> Part:
    sums, size = hashlib.sha256(), 0
    with pack.open(name, "w", force_zip64=True) as out:
        while chunk := file.read(_CHUNK):
            out.write(chunk)
            sums.update(chunk)
            size += len(chunk)
    return Part(name, size, sums.hexdigest(), graph)


def _encrypted(data: bytes, passphrase: str) -> bytes:
    import pyrage

    return pyrage.passphrase.encrypt(data, passphrase)


def restore_backup(
    source: Path,
    directory: Path,
    passphrase: Callable[[], str],
    *,
    access: Access = NO_ACCESS,
    lock_seconds: float = 10.0,
    tell: Tell = lambda *_: None,
) -> Backup:
    """Makes a store in an empty or new folder of what a backup holds, all of it or nothing. `passphrase` is asked where
    the file is encrypted. Raises StoreError where the file is damaged or of a newer version, UsageError where the
    folder has a store, or the passphrase is another one."""
    if kind_of(directory) not in (Kind.NOTHING, Kind.EMPTY):
        raise UsageError(f"{directory} has a store already; name an empty or a new folder with --store")
    with _opened(source, passphrase) as pack:
        backup = _head_of(pack, source)
        with begin_import(directory, lock_seconds=lock_seconds, access=access) as new:
            if new.before is not None:
                raise UsageError(f"{directory} has a store already; name an empty or a new folder with --store")
            require_space(directory, sum(one.bytes for one in backup.parts) * _GROWTH)
            files = {one: new.work / one.name.replace("/", "-") for one in backup.parts}
            for at, (part, file) in enumerate(files.items()):
                tell("check", at, len(files))
                _extract(pack, part, file, source)
            tell("load", 0, 0)
            new.rebuild([file for part, file in files.items() if part.graph is not None])
            for part, file in files.items():
                if part.graph is None:
                    write_whole(directory / JOURNAL, file.read_bytes())
            new.commit()
    return backup


@contextmanager
def _opened(source: Path, passphrase: Callable[[], str]) -> Iterator[zipfile.ZipFile]:
    if not source.is_file():
        raise UsageError(f"there is no backup {source}")
    with source.open("rb") as file, private_files(), tempfile.TemporaryFile() as plain:
        held: IO[bytes] = file
        if file.read(len(_AGE)) == _AGE:
            file.seek(0)
            plain.write(_decrypted(file.read(), passphrase(), source))
            held = plain
        held.seek(0)
        with _reading(source):
            pack = zipfile.ZipFile(held)
        with pack:
            yield pack


@contextmanager
def _reading(source: Path) -> Iterator[None]:
    """Says that a backup is damaged where a zip cannot be read."""
    try:
        yield
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, struct.error) as bad:
        raise _damaged(source, str(bad) or "it ends too early") from bad
    except OSError as bad:
        if bad.errno != errno.EINVAL:  # a place before the file's begin
            raise
        raise _damaged(source, "a part is said to be where nothing is") from bad


def _decrypted(data: bytes, passphrase: str, source: Path) -> bytes:
    import pyrage

    try:
        return pyrage.passphrase.decrypt(data, passphrase)
    except pyrage.DecryptError as bad:
        raise UsageError(
            f"{source} cannot be decrypted: the passphrase is another one, or the file is damaged"
        ) from bad


def _head_of(pack: zipfile.ZipFile, source: Path) -> Backup:
    """What a backup says that it holds, where all of that is there and nothing besides."""
    there = pack.infolist()
    if _HEAD not in [one.filename for one in there] or pack.getinfo(_HEAD).file_size > _MOST_HEAD:
        raise UsageError(f"{source} is no backup of reqap-kg")
    if any(one.compress_type != zipfile.ZIP_STORED or one.flag_bits & _LOCKED for one in there):
        raise _damaged(source, "its parts are packed otherwise than a backup's")
    with _reading(source):
        told = json.loads(pack.read(_HEAD))
    if not isinstance(told, dict) or told.get("format") != _FORMAT:
        raise UsageError(f"{source} is no backup of reqap-kg")
    if told.get("version") != _VERSION:
        raise StoreError(f"{source} was written by a newer version; update reqap-kg")
    parts, quads = told.get("parts"), told.get("quads")
    found = [_part_of(one) for one in parts] if isinstance(parts, list) else []
    whole = [one for one in found if one is not None]
    if not whole or len(whole) != len(found) or not isinstance(quads, int) or not _fit(whole, there):
        raise _damaged(source, f"{_HEAD} does not say what is there")
    return Backup(tuple(whole), quads, source.stat().st_size)


def _part_of(told: Any) -> Part | None:
    if not isinstance(told, Mapping) or set(told) != {"name", "bytes", "sha256", "graph"}:
        return None
    graph, is_text = told["graph"], isinstance(told["name"], str) and isinstance(told["sha256"], str)
    if not is_text or not isinstance(told["bytes"], int) or not isinstance(graph, str | None):
        return None
    expected = told["name"] == JOURNAL if graph is None else graph != "" and not graph.startswith(DERIVED)
    return Part(**told) if expected else None


def _fit(parts: Sequence[Part], there: Sequence[zipfile.ZipInfo]) -> bool:
    """Whether the parts are exactly the files that are there, each graph once."""
    files = {one.filename: one for one in there if one.filename != _HEAD}
    graphs = [one.graph for one in parts]
    sizes = all(one.name in files and files[one.name].file_size == one.bytes for one in parts)
    return sizes and len(parts) == len(files) == len(there) - 1 and len(set(graphs)) == len(graphs)


def _extract(pack: zipfile.ZipFile, part: Part, file: Path, source: Path) -> None:
    """Writes a part to a file, whose name is our own. Raises StoreError where it is not what the backup says."""
    sums = hashlib.sha256()
    with _reading(source), pack.open(part.name) as held, file.open("xb") as out:
        while chunk := held.read(_CHUNK):
            sums.update(chunk)
            out.write(chunk)
    if sums.hexdigest() != part.sha256:
        raise _damaged(source, f"{part.name} is not as it was written")
    if part.graph is not None and not (is_bounded(file) and _is_of(file, NamedNode(part.graph))):
        raise _damaged(source, f"{part.name} is not the graph {part.graph}")


def _is_of(file: Path, graph: NamedNode) -> bool:
    """Whether compressed N-Quads are all of one graph."""
    try:
        with gzip.open(file) as stream:
            return all(quad.graph_name == graph for quad in ox.parse(cast(IO[bytes], stream), format=RdfFormat.N_QUADS))
    except (OSError, EOFError, SyntaxError, ValueError):
        return False


def _damaged(source: Path, what: str) -> StoreError:
    return StoreError(f"the backup {source} is damaged: {what}; nothing was restored")
