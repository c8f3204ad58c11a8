"""The folder of a store: known by its marker, private, and emptied of nothing but what the store itself wrote.

    DIR/reqap-kg-store     the marker: says that this folder is a store, and of which version

Nothing is created in, or removed from, a folder that has other things and no marker. A store of a version that wrote no
marker is known by its pointer and the database that it names, and gets one. What is in a store is for its owner alone.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Final, NewType

from ..errors import NoStore, StoreError, UsageError

MARKER: Final = "reqap-kg-store"
VERSION: Final = 2
POINTER: Final = "CURRENT"
GENERATION: Final = re.compile(r"gen-\d{6}")
WORK: Final = "incoming-"
"""How the names of folders begin in which an import works."""
_TEXT: Final = re.compile(rb"reqap-kg store, version (\d{1,4})(, empty)?\n")
_IMPORTS: Final = "import.lock"
_DATABASE: Final = re.compile(
    r"(bulk-[\w-]+\.|\d+\.)sst|\d+\.(log|blob|dbtmp)|MANIFEST-\d+|OPTIONS-\d+(\.dbtmp)?|CURRENT|IDENTITY|LOCK|LOG(\.old\.\d+)?"
)
_INDEX: Final = re.compile(r"[^/]+\.(sqlite|sqlite-(journal|wal|shm)|json|npy|npz|new|part)")
_COPY: Final = re.compile(r"[^/]+\.nq\.gz")
_PARTS: Final = {"db": _DATABASE, "index": _INDEX, "copies": _COPY}
_PLAIN: Final = re.compile(r"[\w%~-][\w%~.-]*", re.ASCII)
_WORKED: Final = re.compile(r"[^/]+\.(nq|nq\.gz|nt|jsonl)")
NOTES: Final = "notes.sqlite"
VECTORS: Final = "vectors.sqlite"
PATTERNS: Final = "patterns.json"
_CACHE: Final = re.compile(
    rf"({re.escape(NOTES)}|{re.escape(VECTORS)})(-(journal|wal|shm))?|{re.escape(PATTERNS)}(\.\d+\.new)?"
)
JOURNAL: Final = "dialogue.jsonl"
"""What was asked in chats and answered."""
HISTORY: Final = "chat-history"
"""What was typed at a terminal."""
DIALOGUES: Final = "dialogues"
"""A store in the store's folder, which the journal is read into."""
ADDRESS: Final = "service.json"
"""Where the resident service listens, and what lets one in."""
SERVICE_LOG: Final = "service.log"
CALLS: Final = "calls.jsonl"
"""What assistants asked for, and how much they were given."""
JOBS: Final = "jobs"
"""What the page brings into the store, a folder for each time."""
OLD_MARK: Final = "dialogue.kept"
"""Beside journals of older versions: how much of them was imported among the events."""
_OWN: Final = re.compile(
    r"reqap-kg-store|CURRENT|import\.(lock|wanted)|gen-\d{6}(\.lock|\.seal|\.open|\.wanted)?|cache|incoming(-\d+)?"
    rf"|remote\.json|building|service\.(json|sock|log)|calls\.jsonl|{re.escape(JOURNAL)}|{re.escape(OLD_MARK)}|{HISTORY}|{DIALOGUES}|{JOBS}|demo\.sha256|[^/]+\.new"
)
"""Names that a store gives to what stands in its folder."""
_BUT_MARKER: Final = re.compile(rf"(?!{MARKER}$)({_OWN.pattern})")
_WRITTEN: Final = (
    _IMPORTS, JOURNAL, HISTORY, ADDRESS, SERVICE_LOG, CALLS, OLD_MARK, "demo.sha256", DIALOGUES, JOBS, "cache"
)  # fmt: skip
"""What is written to, or into, by its name."""
_BESIDE: Final = ("lock", "seal", "open", "wanted")
"""Small files beside a generation."""
_FOLDERS: Final = (*_PARTS, "cache", DIALOGUES, JOBS)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


Inside = NewType("Inside", str)
"""A file of a generation: one of its parts, a slash, and a name such as the store gives to files there."""


def inside(text: str) -> Inside | None:
    """A file's name as a file of the store has it, if it is one of a file of a generation; None for all others, which
    may lead anywhere."""
    part, _, name = text.partition("/")
    if part not in _PARTS or not _PLAIN.fullmatch(name) or not _PARTS[part].fullmatch(name):
        return None
    return Inside(text)


class Kind(Enum):
    """What a folder is to the store."""

    NOTHING = "nothing"
    """There is no such folder, or nothing is in it."""
    EMPTY = "empty"
    """A store into which nothing was imported yet."""
    STORE = "store"
    OLDER = "older"
    """A store of a version that wrote no marker."""


def kind_of(directory: Path) -> Kind:
    """What a folder is. Raises UsageError for one that has other things and is no store, or whose name the database
    cannot write, StoreError where the marker is damaged or of a newer version."""
    if not _is_text(directory):
        shown = os.fsencode(directory).decode("utf-8", "replace")
        raise UsageError(f"{shown} has a name that is not UTF-8; name another folder for the store with --store")
    if directory.is_dir():
        return _kind_of_folder(directory)
    if directory.exists():
        raise UsageError(f"{directory} is no folder; name another for the store with --store")
    return Kind.NOTHING


def _is_text(path: Path) -> bool:
    try:
        os.fsencode(path.absolute()).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _kind_of_folder(directory: Path) -> Kind:
    marker = directory / MARKER
    try:
        if is_own_file(marker):
            refuse_links(directory)
            return _marked(marker)
        if _is_older_store(directory):
            refuse_links(directory)
            return Kind.OLDER
        others = [entry.name for entry in os.scandir(directory) if not _is_no_thing(entry)]
    except PermissionError as bad:
        raise StoreError(f"the folder {directory} cannot be read: {bad.strerror}") from bad
    if others:
        raise UsageError(
            f"{directory} is no store and has other files ({min(others)}): nothing is written there or taken away;"
            " name an empty or a new folder with --store"
        )
    return Kind.NOTHING


def refuse_links(directory: Path) -> None:
    """Raises StoreError where what a store reads and writes would be elsewhere, or wait for others: one that came from
    others may have links and pipes for files. What others put beside its own files is left alone."""
    named = [Path(directory, name) for name in _WRITTEN]
    folders = [Path(directory, "cache")]
    for entry in os.scandir(directory):
        if GENERATION.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
            folders += [Path(entry.path, part) for part in _PARTS]
            named += [Path(f"{entry.path}.{kind}") for kind in _BESIDE]
    for path in (*named, *folders):
        _refuse(path, folder=path.name in _FOLDERS)
    for folder in filter(is_own_folder, folders):
        for entry in os.scandir(folder):
            _refuse(Path(entry.path), folder=folder.name == "db" and entry.is_dir(follow_symlinks=False))


def _refuse(path: Path, *, folder: bool) -> None:
    """Raises StoreError for a link, and what is no regular file or no `folder`; nothing may be there."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not (stat.S_ISDIR(mode) if folder else stat.S_ISREG(mode)):
        raise StoreError(
            f"{path} is a link, or not what a store has under this name; nothing is read or written through it:"
            " take it away"
        )


def _is_no_thing(entry: os.DirEntry[str]) -> bool:
    """Whether it is the lock that an import which failed at once left in a folder of its own."""
    return entry.name == _IMPORTS and entry.is_file(follow_symlinks=False) and entry.stat().st_size == 0


def _marked(marker: Path) -> Kind:
    said = _TEXT.fullmatch(marker.read_bytes()[:200])
    if said is None:
        raise StoreError(f"the store's marker {marker} is damaged; reqap-kg doctor --repair writes it anew")
    if int(said[1]) > VERSION:
        raise StoreError(f"the store at {marker.parent} is of a newer version ({int(said[1])}); update reqap-kg")
    return Kind.EMPTY if said[2] else Kind.STORE


def _is_older_store(directory: Path) -> bool:
    pointer = directory / POINTER
    if not is_own_file(pointer) or pointer.stat().st_size > 20:
        return False
    name = pointer.read_bytes().decode("ascii", "replace").strip()
    generation = directory / name
    is_named = GENERATION.fullmatch(name) is not None and is_own_folder(generation)
    return is_named and is_own_folder(generation / "db") and is_own_file(generation / "db" / "CURRENT")


def no_store(directory: Path) -> NoStore:
    """What is raised where a store is to be opened and there is none."""
    return NoStore(directory)


def is_store(directory: Path) -> bool:
    """Whether a folder is a store, of whatever version, whole or damaged."""
    return is_own_file(directory / MARKER) or _is_older_store(directory)


def claim(directory: Path) -> Kind:
    """Makes a folder a store, where it is none yet; what it was. Raises as `kind_of`."""
    found = kind_of(directory)
    if found is Kind.NOTHING:
        directory.mkdir(parents=True, exist_ok=True)
        write_marker(directory, empty=True)
    elif found is Kind.OLDER:
        write_marker(directory)
    return found


def remove_old_work(directory: Path) -> None:
    """Removes what imports of an older version that were killed left in their folder."""
    left = directory / "incoming"
    if is_own_folder(left):
        _remove_own(left, _WORKED)
        _remove_if_empty(left)


def write_marker(directory: Path, *, empty: bool = False) -> None:
    """Writes the marker, whole or not at all."""
    write_whole(directory / MARKER, f"reqap-kg store, version {VERSION}{', empty' if empty else ''}\n")


def write_whole(path: Path, text: str | bytes) -> None:
    """Writes a small file, whole or not at all, on the disk when this returns."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.unlink(missing_ok=True)
    try:
        with beside.open("xb") as out:
            out.write(text.encode() if isinstance(text, str) else text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def own_opener(path: str, flags: int) -> int:
    """An opener for `open()` of what a store writes to: never through a link, and no pipe or device. Raises StoreError
    for these."""
    try:
        found = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError as bad:
        if bad.errno in (errno.ELOOP, errno.ENXIO):
            raise StoreError(f"{path} is a link or no regular file; nothing is written to it: take it away") from bad
        raise
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise StoreError(f"{path} is no regular file; nothing is written to it: take it away")
    return found


def break_links(path: Path) -> None:
    """Gives a file that has other names, too (hard links), which may lead anywhere, bytes of its own before it is
    written to."""
    if is_own_file(path) and path.stat().st_nlink > 1:
        write_whole(path, path.read_bytes())


def touch_own(path: Path) -> None:
    """Makes an empty file where there is none. Raises StoreError for a link, a pipe or a device."""
    with open(path, "ab", opener=own_opener):
        pass


def is_own_file(path: Path) -> bool:
    """Whether a file is there itself, not a link to one."""
    return path.is_file() and not path.is_symlink()


def is_own_folder(path: Path) -> bool:
    """Whether a folder is there itself, not a link to one."""
    return path.is_dir() and not path.is_symlink()


@contextmanager
def private_files() -> Iterator[None]:
    """What is created meanwhile, by the database too, is for this user alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def tighten(directory: Path) -> None:
    """Takes from all others what an older version let them read of the store; links are not followed, and a folder that
    has other things, too, stays open."""
    entries = list(os.scandir(directory))
    own = [entry for entry in entries if _OWN.fullmatch(entry.name)]
    if len(own) == len(entries):
        _for_owner(directory)
    for entry in own:
        _for_owner(entry.path)
        if entry.is_dir(follow_symlinks=False):
            for folder, folders, files in os.walk(entry.path):
                for name in (*folders, *files):
                    _for_owner(os.path.join(folder, name))


def _for_owner(path: str | Path) -> None:
    found = os.lstat(path)
    is_mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if is_mine and found.st_mode & _OTHERS and not stat.S_ISLNK(found.st_mode):
        os.chmod(path, stat.S_IMODE(found.st_mode) & ~_OTHERS)


def is_generation(directory: Path, name: str) -> bool:
    """Whether a folder is a generation that the store made: it has a lock or a seal, or a database in it."""
    folder = directory / name
    beside = (directory / f"{name}.lock", directory / f"{name}.seal", folder / "db" / "IDENTITY")
    return GENERATION.fullmatch(name) is not None and is_own_folder(folder) and any(map(is_own_file, beside))


def generations(directory: Path) -> tuple[str, ...]:
    """Names of the generations in a store's folder, the oldest first."""
    names = (entry.name for entry in os.scandir(directory)) if directory.is_dir() else ()
    return tuple(sorted(name for name in names if is_generation(directory, name)))


def remove_generation(directory: Path, name: str) -> None:
    """Removes what the store wrote of a generation, and its folders where nothing else is in them."""
    folder = directory / name
    if is_own_folder(folder):
        for inner, pattern in _PARTS.items():
            if is_own_folder(folder / inner):
                _remove_own(folder / inner, pattern)
                _remove_if_empty(folder / inner)
        _remove_if_empty(folder)
    for suffix in (".seal", ".open", ".wanted"):
        if is_own_file(directory / f"{name}{suffix}"):
            (directory / f"{name}{suffix}").unlink()


def work_folder(directory: Path) -> Path:
    """A new folder for an import's own files."""
    folder = directory / f"{WORK}{os.getpid()}"
    folder.mkdir()
    (folder / MARKER).touch()
    return folder


def remove_work(directory: Path) -> None:
    """Removes the files of imports that ended or were killed."""
    for folder in directory.glob(f"{WORK}*"):
        if is_own_folder(folder) and is_own_file(folder / MARKER):
            _remove_own(folder, _WORKED)
            if is_own_folder(folder / "db"):
                _remove_own(folder / "db", _DATABASE)
                _remove_if_empty(folder / "db")
            (folder / MARKER).unlink()
            _remove_if_empty(folder)


def remove_caches(folder: Path, *names: str) -> None:
    """Removes from the folder of caches what is kept of texts that were read: `NOTES`, `VECTORS`."""
    if is_own_folder(folder):
        for name in names:
            _remove_own(folder, re.compile(rf"{re.escape(name)}(-(journal|wal|shm))?"))


def remove_store(directory: Path) -> None:
    """Removes what the store wrote of a whole store, and its folders where nothing else is in them."""
    if not (is_own_folder(directory) and is_own_file(directory / MARKER)):
        return
    for name in generations(directory):
        remove_generation(directory, name)
    remove_work(directory)
    if is_own_folder(directory / "cache"):
        _remove_own(directory / "cache", _CACHE)
        _remove_if_empty(directory / "cache")
    _remove_own(directory, _BUT_MARKER)
    (directory / MARKER).unlink()  # last: by it the rest is known
    _remove_if_empty(directory)


def _remove_own(folder: Path, pattern: re.Pattern[str]) -> None:
    for entry in list(os.scandir(folder)):
        if pattern.fullmatch(entry.name) and (entry.is_file(follow_symlinks=False) or _is_socket(entry)):
            os.unlink(entry)


def _is_socket(entry: os.DirEntry[str]) -> bool:
    return stat.S_ISSOCK(entry.stat(follow_symlinks=False).st_mode)


def _remove_if_empty(folder: Path) -> None:
    if not any(os.scandir(folder)):
        folder.rmdir()
