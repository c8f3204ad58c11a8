"""Files that come in slices, as no request may be long: each slice holds pieces of one or many files.

A slice begins with a line of JSON, `[{"path": …, "size": …, "from": …, "length": …}, …]`, and then has the bytes of
these pieces one after another. What came already may come again. What is sent is bounded by what was announced, and
that by the room on the disk.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from threading import Lock
from time import monotonic
from typing import Any, Final

from starlette.exceptions import HTTPException

from ....errors import UsageError
from ....store.upkeep.disk_space import disk_errors, require_space
from ..frame.formats import size as in_bytes
from .jobs import FILES, About, Job, Jobs

LONGEST_NAME: Final = 200
"""Bytes of one name; file systems take 255."""
DEEPEST: Final = 24
"""Folders inside one another."""
_LONGEST_SAID: Final = 8_000
_NOT_IN_NAMES: Final = frozenset('<>:"|?*')
"""Signs that some file systems do not take."""
_UNNAMED: Final = "file"
MOST_BYTES: Final = 2**35
"""Bytes of one upload."""
MOST_FILES: Final = 200_000
_MOST_AT_ONCE: Final = 4
"""Uploads on their way."""
_IDLE_SECONDS: Final = 3_600.0
"""How long one that gets no slice is kept."""
_MAP: Final = ".ttl"
_MOST_PIECES: Final = 10_000
_APPEND: Final = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def own_path(said: str) -> PurePosixPath | None:
    """Where a file of that name is kept, relative to a folder; None where too much is said. Signs that lead elsewhere,
    or that no name can have, become "_"; a name that begins with a dot, as hidden ones do, keeps it."""
    if len(said) > _LONGEST_SAID:
        return None
    parts = [_own_name(part) for part in said.replace("\\", "/").split("/") if part.strip(" .")]
    if len(parts) > DEEPEST:
        return None
    return PurePosixPath(*(parts or [_UNNAMED]))


def other_name(path: PurePosixPath, number: int) -> PurePosixPath:
    """The same in another file, where its name is taken."""
    stem = _cut(path.stem, LONGEST_NAME - len(path.suffix.encode()) - 8)
    return path.with_name(f"{stem} ({number}){path.suffix}")


def _own_name(part: str) -> str:
    kept = "".join("_" if _is_odd(sign) else sign for sign in part)
    kept = kept.rstrip(" .") or _UNNAMED
    stem, dot, suffix = kept.rpartition(".")
    if not dot or len(suffix.encode()) > LONGEST_NAME // 4:
        return _cut(kept, LONGEST_NAME)
    return _cut(stem, LONGEST_NAME - len(suffix.encode()) - 1) + dot + suffix


def _is_odd(sign: str) -> bool:
    return sign in _NOT_IN_NAMES or unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _cut(text: str, most: int) -> str:
    """A text of so many bytes at most."""
    return text.encode()[:most].decode("utf-8", "ignore")


@dataclass
class _File:
    path: PurePosixPath
    size: int
    written: int = 0


@dataclass
class _Upload:
    """One on its way; `announced` is how many bytes come at most."""

    folder: Path
    announced: int
    files: dict[str, _File] = field(default_factory=dict[str, _File])
    taken: _Taken = field(default_factory=lambda: _Taken())
    written: int = 0
    last: float = field(default_factory=monotonic)
    guard: Lock = field(default_factory=Lock)


class Uploads:
    """The uploads that are on their way into jobs."""

    def __init__(self, jobs: Jobs, clock: Callable[[], float] = monotonic) -> None:
        self._jobs = jobs
        self._clock = clock
        self._on_their_way: dict[str, _Upload] = {}
        self._guard = Lock()

    def begin(self, files: int, announced: int) -> str:
        """Begins one; its name. Raises UsageError where too much is announced, StoreError where there is no room."""
        if files > MOST_FILES:
            raise UsageError(f"these are {files:,} files; at most {MOST_FILES:,} come at once: bring them as a zip")
        if announced > MOST_BYTES:
            told = f"these are {in_bytes(announced)}; at most {in_bytes(MOST_BYTES)} come at once"
            raise UsageError(f"{told}: reqap-kg ingest takes them from where they are")
        require_space(self._jobs.directory, announced * 2)  # as sent, and imported
        with self._guard:
            self._forget_idle()
            if len(self._on_their_way) >= _MOST_AT_ONCE:
                raise UsageError("other files are still on their way; wait until they are here")
            folder = self._jobs.new_folder()
            self._on_their_way[folder.name] = _Upload(folder, announced, last=self._clock())
        return folder.name

    def take(self, name: str, body: bytes) -> int:
        """Takes a slice; how many bytes are here now. Raises HTTPException where there is no such upload, UsageError
        for a slice that does not fit it."""
        upload = self._found(name)
        head, _, rest = body.partition(b"\n")
        with upload.guard, disk_errors(self._jobs.directory):
            upload.last = self._clock()
            begin = 0
            for piece in _pieces(head):
                end = begin + piece.length
                if end > len(rest):
                    raise UsageError("the slice is shorter than it says")
                self._write(upload, piece, rest[begin:end])
                begin = end
            if begin != len(rest):
                raise UsageError("the slice is longer than it says")
            return upload.written

    def finish(self, name: str, now: datetime) -> Job:
        """Makes a job of an upload that is whole. Raises as `take`."""
        upload = self._found(name)
        with upload.guard:
            missing = [file.path.name for file in upload.files.values() if file.written != file.size]
            if missing or not upload.files:
                raise UsageError(f"{missing[0]} did not come whole" if missing else "nothing was sent")
            about = _about(upload, now)
            job = self._jobs.begin(upload.folder, about)
        with self._guard:
            self._on_their_way.pop(name, None)
        return job

    def drop(self, name: str) -> None:
        """Gives an upload up. Raises HTTPException where there is none."""
        upload = self._found(name)
        with self._guard:
            self._on_their_way.pop(name, None)
        with upload.guard:
            self._jobs.remove(upload.folder)

    def tidy(self, now: datetime) -> None:
        """Removes what earlier services left; not what is on its way."""
        with self._guard:
            if not self._on_their_way:
                self._jobs.tidy(now)

    def _found(self, name: str) -> _Upload:
        with self._guard:
            upload = self._on_their_way.get(name)
        if upload is None:
            raise HTTPException(404)
        return upload

    def _forget_idle(self) -> None:
        for name, upload in list(self._on_their_way.items()):
            if self._clock() - upload.last > _IDLE_SECONDS:
                del self._on_their_way[name]
                self._jobs.remove(upload.folder)

    def _write(self, upload: _Upload, piece: _Piece, data: bytes) -> None:
        file = upload.files.get(piece.path) or self._new_file(upload, piece)
        begin = piece.begin
        if piece.size != file.size or begin > file.written or begin + len(data) > file.size:
            raise UsageError(f"the slice does not go on where {file.path.name} ends")
        fresh = data[file.written - begin :]
        if upload.written + len(fresh) > upload.announced:
            raise UsageError("more was sent than was announced")
        target = upload.folder / FILES / file.path
        with open(os.open(target, _APPEND, 0o600), "ab") as out:
            out.write(fresh)
        file.written += len(fresh)
        upload.written += len(fresh)

    def _new_file(self, upload: _Upload, piece: _Piece) -> _File:
        if len(upload.files) >= MOST_FILES:
            raise UsageError(f"at most {MOST_FILES:,} files come at once")
        path = own_path(piece.path)
        if path is None:
            raise UsageError("a file is called by too long a name, or lies in too many folders")
        path = upload.taken.own(path)
        target = upload.folder / FILES / path
        for parent in list(reversed(path.parents))[1:]:
            (upload.folder / FILES / parent).mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(target, _APPEND | os.O_CREAT | os.O_EXCL, 0o600))
        upload.files[piece.path] = found = _File(path, piece.size)
        return found


@dataclass(frozen=True)
class _Piece:
    path: str
    size: int
    begin: int
    length: int


def _pieces(head: bytes) -> list[_Piece]:
    try:
        told = json.loads(head)
        found = [_Piece(_text(one["path"]), *(_count(one[key]) for key in ("size", "from", "length"))) for one in told]
    except (ValueError, TypeError, KeyError, RecursionError) as bad:
        raise UsageError("the slice does not say what is in it") from bad
    if not found or len(found) > _MOST_PIECES:
        raise UsageError(f"a slice has 1 to {_MOST_PIECES:,} pieces")
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


@dataclass
class _Taken:
    """Names that files and folders have; of whatever case, as some disks take both for one."""

    files: set[str] = field(default_factory=set[str])
    folders: dict[str, PurePosixPath] = field(default_factory=dict[str, PurePosixPath])
    _last: dict[str, int] = field(default_factory=dict[str, int])

    def own(self, path: PurePosixPath) -> PurePosixPath:
        """The path, or one beside it where another file has its name, or that of a folder of it."""
        parent = PurePosixPath()
        for part in path.parts[:-1]:
            wanted = parent / part
            parent = self.folders.get(_folded(wanted)) or self._free(wanted)
            self.folders[_folded(wanted)] = self.folders[_folded(parent)] = parent
        found = self._free(parent / path.name)
        self.files.add(_folded(found))
        return found

    def _free(self, path: PurePosixPath) -> PurePosixPath:
        tried, number = path, self._last.get(_folded(path), 1)
        while _folded(tried) in self.files or _folded(tried) in self.folders:
            number += 1
            tried = other_name(path, number)
        self._last[_folded(path)] = number
        return tried


def _folded(path: PurePosixPath) -> str:
    return str(path).casefold()


def _about(upload: _Upload, now: datetime) -> About:
    paths = [file.path for file in upload.files.values()]
    tops = list(dict.fromkeys(path.parts[0] for path in paths))
    maps = [path for path in paths if len(path.parts) == 1 and path.suffix.lower() == _MAP]
    mapping = str(maps[0]) if len(maps) == 1 and len(paths) > 1 else ""
    tops = [top for top in tops if top != mapping]
    title = tops[0] if len(tops) == 1 else f"{tops[0]} and {len(tops) - 1:,} more"
    return About("import", title, now.isoformat(timespec="seconds"), len(paths), upload.written, mapping)
