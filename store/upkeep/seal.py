"""The seal of a generation: what each of its files holds, so that damage is noticed before anything is answered.

    DIR/gen-000007.seal    size, SHA-256 and state in the file system of every file of the generation, and a spare copy
                           of the two small files by which the database finds the others
    DIR/gen-000007.open    is there while somebody writes to it: what is sealed then does not all hold

A file that is as it was when it was last read whole (same size, inode, times of change; no program can set the last of
them) is not read again, so that a check costs a look at each file. Whoever wrote to a generation seals it anew. After a
process was killed, its tables, which never change, must still be as sealed; the database checks the rest by itself.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeGuard

from ...errors import StoreError
from ..folder import Inside, inside, is_own_file, is_own_folder, write_whole
from .disk_space import damaged

_FORMAT: Final = 1
_UNSEALED: Final = ("LOG", "LOCK", "OPTIONS-", "IDENTITY")
"""Files of the database of which its content does not depend."""
_SPARED: Final = ("CURRENT", "MANIFEST-")
_TABLE: Final = ".sst"
_PARTS: Final = ("db", "index", "copies")

State = tuple[int, ...]
"""Size, inode, times of the content's and of the file's last change."""


@dataclass(frozen=True)
class Sealed:
    """One file as it was sealed."""

    digest: str
    state: State

    @property
    def size(self) -> int:
        return self.state[0]


@dataclass(frozen=True)
class Seal:
    """Files of a generation by their path in it, and spare copies (text in latin-1) of some."""

    files: Mapping[Inside, Sealed]
    spares: Mapping[Inside, str] = field(default_factory=dict[Inside, str])


def seal_path(directory: Path, generation: str) -> Path:
    return directory / f"{generation}.seal"


def open_mark(directory: Path, generation: str) -> Path:
    return directory / f"{generation}.open"


def read_seal(directory: Path, generation: str) -> Seal | None:
    """The seal of a generation; None where it has none, or one that is damaged itself: it is then made anew, the
    index too, and the database's own checks must do."""
    path = seal_path(directory, generation)
    if not is_own_file(path):
        return None
    try:
        found = json.loads(path.read_bytes())
        return _parsed(found) if _is_whole(found) else None
    except (ValueError, RecursionError):
        return None


def _is_whole(found: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(found, dict) and found.get("format") == _FORMAT and found.get("check") == _check(found)


def _parsed(found: Mapping[str, Any]) -> Seal | None:
    """What a seal says; None where it names what is no file of a generation, or is no seal's text at all: its sum is
    made by whoever writes it."""
    match found:
        case {"files": dict(told), "spares": dict(copied)}:
            files = {inside(str(name)): _sealed(about) for name, about in told.items()}
            spares = {inside(str(name)): text for name, text in copied.items()}
        case _:
            return None
    known = {name: sealed for name, sealed in files.items() if name is not None and sealed is not None}
    small = {name: text for name, text in spares.items() if name is not None and _is_spare(name, text)}
    return Seal(known, small) if len(known) == len(told) and len(small) == len(copied) else None


def _sealed(about: Any) -> Sealed | None:
    match about:
        case [str(digest), [int(), int(), int(), int()] as state]:
            return Sealed(digest, tuple(state))
        case _:
            return None


def _is_spare(name: Inside, text: Any) -> bool:
    return isinstance(text, str) and max(map(ord, text), default=0) < 256 and _is_spared(name)


def _is_spared(name: Inside) -> bool:
    return name.startswith(tuple(f"db/{small}" for small in _SPARED))


def _check(body: Mapping[str, Any]) -> str:
    told = {key: value for key, value in body.items() if key != "check"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def write_seal(directory: Path, generation: str, seal: Seal) -> None:
    """Writes it, whole or not at all."""
    files = {name: [sealed.digest, sealed.state] for name, sealed in seal.files.items()}
    body: dict[str, Any] = {"format": _FORMAT, "files": files, "spares": dict(seal.spares)}
    write_whole(seal_path(directory, generation), json.dumps({**body, "check": _check(body)}))


def seal_generation(directory: Path, generation: str, *like: Seal | None) -> Seal:
    """Seals what is there. Files that one of the seals `like` has in the same state, perhaps under another name (the
    generation before shares tables with this one), are not read again."""
    known = {sealed.state[:3]: sealed.digest for seal in like if seal for sealed in seal.files.values()}
    root = directory / generation
    files: dict[Inside, Sealed] = {}
    spares: dict[Inside, str] = {}
    for name in sealable(root):
        path, state = root / name, state_of(root / name)
        files[name] = Sealed(known.get(state[:3]) or digest_of(path), state)
        if _is_spared(name):
            spares[name] = path.read_bytes().decode("latin-1")
    seal = Seal(files, spares)
    write_seal(directory, generation, seal)
    return seal


def sealable(root: Path) -> Iterator[Inside]:
    """Files of a generation that a seal is about."""
    for part in _PARTS:
        if not is_own_folder(root / part):
            continue
        for entry in sorted(os.scandir(root / part), key=lambda entry: entry.name):
            if not entry.is_file(follow_symlinks=False) or entry.name.endswith((".new", ".part", "-journal")):
                continue
            name = inside(f"{part}/{entry.name}")
            if name and (part != "db" or not entry.name.startswith(_UNSEALED)):
                yield name


def state_of(path: Path) -> State:
    """What changes with a file."""
    found = path.lstat()
    return (found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)


def digest_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class SealCheck:
    """What a look at a generation found. `broken` are files of the database with what is wrong, `stale` files of the
    index and copies that are not as sealed; `seal` has the states of the files that were read again."""

    seal: Seal | None
    is_open: bool
    broken: Mapping[Inside, str]
    stale: tuple[Inside, ...]
    changed: bool


def check(directory: Path, generation: str, *, read_all: bool = False) -> SealCheck:
    """Compares a generation with its seal; files in another state than they were (or all) are read."""
    seal = read_seal(directory, generation)
    is_open = open_mark(directory, generation).exists()
    if seal is None:
        index = tuple(name for name in sealable(directory / generation) if name.startswith("index/"))
        return SealCheck(None, is_open, {}, index, changed=False)  # nothing says that it is as it was written
    root, files = directory / generation, dict(seal.files)
    broken: dict[Inside, str] = {}
    stale: list[Inside] = []
    for name, sealed in seal.files.items():
        wrong = _wrong(root / name, sealed, read_all=read_all)
        if wrong is None:
            files[name] = Sealed(sealed.digest, state_of(root / name))
        elif not name.startswith("db/"):
            stale.append(name)
        elif not (is_open and _may_change(root / name)):
            broken[name] = wrong
    if is_open:  # what a killed process wrote of the index nobody sealed
        stale.extend(name for name in sealable(root) if name.startswith("index/") and name not in seal.files)
    return SealCheck(Seal(files, seal.spares), is_open, broken, tuple(stale), changed=files != seal.files)


def _may_change(path: Path) -> bool:
    """Whether a file may be another than the one sealed while somebody writes: tables only go, all others change."""
    return path.suffix != _TABLE or not path.exists()


def _wrong(path: Path, sealed: Sealed, *, read_all: bool) -> str | None:
    if not is_own_file(path):
        return "is missing"
    state = state_of(path)
    if state == sealed.state and not read_all:
        return None
    if state[0] != sealed.size:
        return f"has {state[0]:,} bytes, not {sealed.size:,}"
    return None if digest_of(path) == sealed.digest else "has other bytes than were written"


def require_whole(directory: Path, generation: str, found: SealCheck) -> None:
    """Raises StoreError, naming a file, where the database of a generation is damaged."""
    if found.broken:
        name, wrong = next(iter(found.broken.items()))
        more = f" (and {len(found.broken) - 1} more)" if len(found.broken) > 1 else ""
        raise StoreError(damaged(directory, f"{generation}/{name} {wrong}{more}"))
