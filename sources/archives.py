"""Archives (zip, tar, tar.gz) as input files: checked by the table of contents, and again while unpacking.

The checks follow what goes wrong with archives from strangers: members that escape (CWE-22), links (CWE-59), and
decompression bombs (CWE-409), also those whose headers lie about sizes.
"""

from __future__ import annotations

import gzip
import io
import lzma
import re
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO, cast

from ..config import Limits
from ..errors import HostileInput, SourceError
from .base import InputFile

__all__ = ["MemberFile", "is_archive", "open_archive"]

_FREE_BYTES = 10 * 2**20
"""Below this a member's ratio does not matter: small files of zeros are common and harmless."""
_SPOOL_BYTES = 16 * 2**20
_ENCRYPTED = 0x1
_DIRECTORY_ENTRY = 512
"""Bytes of one entry in a zip's table of contents at the most, on average: 46, its name and its extra fields."""
_UNPACK_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)


def is_archive(head: bytes) -> bool:
    """Whether the first bytes (at least 262) are those of a zip, a gzip or a tar archive."""
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08") or _is_gzip(head) or _is_tar(head)


def _is_gzip(head: bytes) -> bool:
    return head[:3] == b"\x1f\x8b\x08"


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


@dataclass(frozen=True)
class MemberFile:
    """One member of an archive; `path` is `archive.zip!member`."""

    path: str
    size: int
    packed: int
    """Packed size, for the ratio; the size itself where members are not packed one by one."""
    opener: Callable[[], IO[bytes]]
    limits: Limits

    def open(self) -> BinaryIO:
        """A binary stream of the unpacked member; reading it raises SourceError or HostileInput."""
        try:
            inner = self.opener()
        except _UNPACK_ERRORS as bad:
            raise SourceError(f"{self.path}: cannot be unpacked: {bad}") from bad
        return cast(BinaryIO, io.BufferedReader(_Guarded(inner, self.path, self.size, self.packed, self.limits), 2**16))

    def head(self, size: int = 65536) -> bytes:
        """The first `size` unpacked bytes, fewer when the member is shorter."""
        with self.open() as stream:
            return stream.read(size)


class _Guarded(io.RawIOBase):
    """Counts what really comes out of an archive, whatever its headers say."""

    def __init__(self, inner: IO[bytes], path: str, size: int | None, packed: int, limits: Limits) -> None:
        self._inner = inner
        self._path = path
        self._most = limits.archive_bytes if size is None else size
        self._ratio = limits.archive_ratio
        self._packed = packed
        self._seen = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._inner.read(len(buffer))
        except _UNPACK_ERRORS as bad:
            raise SourceError(f"{self._path}: cannot be unpacked, damaged or cut off: {bad}") from bad
        self._seen += len(data)
        if self._seen > self._most:
            raise HostileInput(f"{self._path}: unpacks to more than the {self._most} bytes allowed or announced")
        _check_ratio(self._path, self._seen, self._packed, self._ratio)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def open_archive(file: InputFile, limits: Limits) -> Iterator[MemberFile]:
    """The regular members of an archive, in its order.

    Raises HostileInput when the contents pass a limit or a member would escape, SourceError when the archive is
    damaged, cut off or encrypted: before the first member, so that never half an archive is taken.
    """
    head = file.head(512)
    stream = _spooled(file) if isinstance(file, MemberFile) else file.open()
    try:
        if _is_gzip(head):
            stream = _gunzipped(file, stream, limits)
            if not _is_tar(_peek(stream, 512)):
                raise SourceError(f"{file.path}: a gzip-compressed file that holds no tar archive; unpack it first")
            return _tar_members(file.path, stream, limits)
        if _is_tar(head):
            return _tar_members(file.path, stream, limits)
        return _zip_members(file.path, stream, limits)
    except SourceError:
        stream.close()
        raise


def _peek(stream: IO[bytes], size: int) -> bytes:
    head = stream.read(size)
    stream.seek(0)
    return head


def _spooled(file: InputFile) -> IO[bytes]:
    """A seekable copy of a packed member, deleted when nothing refers to it any more."""
    with file.open() as stream:
        return _copy(stream)


def _copy(stream: IO[bytes]) -> IO[bytes]:
    spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115 - outlives this call
    while chunk := stream.read(2**20):
        spool.write(chunk)
    spool.seek(0)
    return cast(IO[bytes], spool)


def _gunzipped(file: InputFile, stream: IO[bytes], limits: Limits) -> IO[bytes]:
    with gzip.GzipFile(fileobj=stream, mode="rb") as inner:
        return _copy(io.BufferedReader(_Guarded(cast(IO[bytes], inner), file.path, None, file.size, limits), 2**20))


def _zip_members(path: str, stream: IO[bytes], limits: Limits) -> Iterator[MemberFile]:
    try:
        _check_directory(path, stream, limits)
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as bad:
        raise SourceError(f"{path}: a zip archive that is damaged or cut off: {bad}") from bad
    entries = archive.infolist()
    _check_count(path, len(entries), limits)
    total = 0
    for entry in entries:
        total += entry.file_size
        where = f"{path}!{entry.filename}"
        _check_name(where, entry.filename)
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise HostileInput(f"{where}: a link inside the archive")
        if entry.flag_bits & _ENCRYPTED:
            raise SourceError(f"{where}: encrypted; unpack the archive with its password first")
        _check_ratio(where, entry.file_size, entry.compress_size, limits.archive_ratio)
    _check_total(path, total, limits)
    return (
        MemberFile(f"{path}!{item.filename}", item.file_size, item.compress_size, _zip_opener(archive, item), limits)
        for item in entries
        if not item.is_dir()
    )


def _check_directory(path: str, stream: IO[bytes], limits: Limits) -> None:
    """Refuses a table of contents that would fill the memory before its entries could be counted (APPNOTE 4.3.16)."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - 2**16 - 22))
    tail = stream.read()
    stream.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        return  # no zip: what opens it says so
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    long_at = tail.rfind(b"PK\x06\x06", 0, at)
    if directory == 0xFFFFFFFF and long_at >= 0:
        directory = int.from_bytes(tail[long_at + 40 : long_at + 48], "little")
    if min(directory, size) > limits.archive_members * _DIRECTORY_ENTRY:
        raise HostileInput(f"{path}: a table of contents for more than {limits.archive_members} members")


def _zip_opener(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(entry)


def _tar_members(path: str, stream: IO[bytes], limits: Limits) -> Iterator[MemberFile]:
    try:
        archive = tarfile.open(fileobj=stream, mode="r:")  # noqa: SIM115 - the members read from it
        entries: list[tarfile.TarInfo] = []
        total = 0
        for entry in archive:
            entries.append(entry)
            _check_count(path, len(entries), limits)
            where = f"{path}!{entry.name}"
            _check_name(where, entry.name)
            if not (entry.isreg() or entry.isdir()):
                raise HostileInput(f"{where}: a link or device inside the archive")
            total += entry.size
            _check_total(path, total, limits)
        _check_end(path, stream, entries)
    except (tarfile.TarError, OSError, EOFError, ValueError) as bad:
        raise SourceError(f"{path}: a tar archive that is damaged or cut off: {bad}") from bad
    return (
        MemberFile(f"{path}!{entry.name}", entry.size, entry.size, _tar_opener(archive, entry), limits)
        for entry in entries
        if entry.isreg()
    )


def _check_end(path: str, stream: IO[bytes], entries: list[tarfile.TarInfo]) -> None:
    """A tar ends with blocks of zeros (POSIX pax); tarfile takes one that is cut off between members for whole."""
    end = 0
    if entries:
        last = entries[-1]
        end = last.offset_data + (-(-last.size // 512) * 512 if last.isreg() else 0)
    stream.seek(end)
    if stream.read(512) != bytes(512):
        raise SourceError(f"{path}: a tar archive that is damaged or cut off: no end after its last member")


def _tar_opener(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    def opener() -> IO[bytes]:
        inner = archive.extractfile(entry)
        if inner is None:
            raise tarfile.TarError("not a regular file")
        return inner

    return opener


def _check_name(where: str, name: str) -> None:
    plain = name.replace("\\", "/")
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain) or ".." in plain.split("/") or "\0" in plain:
        raise HostileInput(f"{where}: the member's path leaves the archive")


def _check_count(path: str, count: int, limits: Limits) -> None:
    if count > limits.archive_members:
        raise HostileInput(f"{path}: more than {limits.archive_members} members")


def _check_total(path: str, total: int, limits: Limits) -> None:
    if total > limits.archive_bytes:
        raise HostileInput(f"{path}: unpacks to {total} bytes, more than the {limits.archive_bytes} allowed")


def _check_ratio(path: str, size: int, packed: int, ratio: int) -> None:
    if size > _FREE_BYTES and size > ratio * max(packed, 1):
        raise HostileInput(f"{path}: unpacks to more than {ratio} times its size, as decompression bombs do")
