"""Archives (zip, tar, tar.gz) and gzips of one file as input files: checked by the table of contents, and again while
unpacking.

The checks follow what goes wrong with archives from strangers: members that escape (CWE-22), links (CWE-59), and
decompression bombs (CWE-409), also those whose headers lie about sizes.
"""

from __future__ import annotations

import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

from ..config import Limits
from ..errors import HostileInput, SourceError
from ..texts.import_budget import Budget, check_ratio
from .base import InputFile

__all__ = ["MemberFile", "is_archive", "open_archive"]

_LONGEST_NAME = 4096
"""Bytes of a member's path, as of any path on the common systems."""
_TAR_HEADER = 2**18
"""Bytes of what a tar says about one member, or about all: long names, attributes, access lists."""
_MANY_DIGITS = re.compile(rb"[0-9]{256}")
"""Longer than any name; what tarfile looks for in such headers takes quadratic time on them."""
_LOCAL_HEADER = 30
"""Bytes that stand before each member of a zip at the least."""
_SPOOL_BYTES = 16 * 2**20
_ENCRYPTED = 0x1
_DIRECTORY_ENTRY = 512
"""Bytes of one entry in a zip's table of contents at the most, on average: 46, its name and its extra fields."""
_TOO_MUCH = "cannot be unpacked: it asks for more memory than there is"
"""Said of a member of which the archive says how much is needed to unpack it: anybody may write that."""
_UNPACK_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    IndexError,
    struct.error,
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
    budget: Budget
    """That of the whole import."""
    number: int = 0
    """Which member of the import it is: archives may hold several of one name."""

    def open(self) -> BinaryIO:
        """A binary stream of the unpacked member; reading it raises SourceError or HostileInput."""
        try:
            inner = self.opener()
        except _UNPACK_ERRORS as bad:
            raise SourceError(f"{self.path}: cannot be unpacked: {bad}") from bad
        except MemoryError as bad:
            raise SourceError(f"{self.path}: {_TOO_MUCH}") from bad
        return cast(
            BinaryIO,
            io.BufferedReader(_Guarded(inner, self.path, self.size, self.packed, self.budget, self.number), 2**16),
        )

    def head(self, size: int = 65536) -> bytes:
        """The first `size` unpacked bytes, fewer when the member is shorter."""
        with self.open() as stream:
            return stream.read(size)


class _Guarded(io.RawIOBase):
    """Counts what really comes out of an archive, whatever its headers say."""

    def __init__(self, inner: IO[bytes], path: str, size: int | None, packed: int, budget: Budget, number: int) -> None:
        self._inner = inner
        self._number = number
        self._path = path
        self._most = budget.limits.archive_bytes if size is None else size
        self._budget = budget
        self._packed = packed
        self._seen = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._inner.read(len(buffer))
        except _UNPACK_ERRORS as bad:
            raise SourceError(f"{self._path}: cannot be unpacked, damaged or cut off: {bad}") from bad
        except MemoryError as bad:
            raise SourceError(f"{self._path}: {_TOO_MUCH}") from bad
        self._seen += len(data)
        if self._seen > self._most:
            raise HostileInput(f"{self._path}: unpacks to more than the {self._most} bytes allowed or announced")
        check_ratio(self._path, self._seen, self._packed, self._budget.limits)
        self._budget.unpacked(self._number, self._path, self._seen)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def open_archive(file: InputFile, budget: Budget) -> Iterator[MemberFile]:
    """The regular members of an archive, in its order; of a gzip that holds no tar archive, the file in it.

    Raises HostileInput when the contents pass a limit or a member would escape, SourceError when the archive is
    damaged, cut off or encrypted: before the first member, so that never half an archive is taken.
    """
    head = file.head(512)
    if not isinstance(file, MemberFile):
        budget.archive(file.size)
    number = budget.number() if _is_gzip(head) else 0
    if number and not _holds_tar(file, budget, number):
        return iter([_packed_file(file, budget, number)])
    stream = _spooled(file) if isinstance(file, MemberFile) else file.open()
    try:
        if number:
            return _tar_members(file.path, _gunzipped(file, stream, budget, number), budget)
        if _is_tar(head):
            return _tar_members(file.path, stream, budget)
        return _zip_members(file.path, stream, budget)
    except SourceError:
        stream.close()
        raise


class _Unpacked(gzip.GzipFile):
    """What a gzip holds; closes the packed file, too."""

    def __init__(self, packed: IO[bytes]) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


def _unpacked(file: InputFile, budget: Budget, number: int) -> BinaryIO:
    """What a gzip holds as a stream, counted as it comes out."""
    inner = cast(IO[bytes], _Unpacked(file.open()))
    return cast(BinaryIO, io.BufferedReader(_Guarded(inner, file.path, None, file.size, budget, number), 2**16))


def _holds_tar(file: InputFile, budget: Budget, number: int) -> bool:
    with _unpacked(file, budget, number) as stream:
        return _is_tar(stream.read(512))


def _packed_file(file: InputFile, budget: Budget, number: int) -> MemberFile:
    """The file that a gzip holds, named without `.gz`; unpacked once to know its size, and that it is whole."""
    budget.members(file.path)
    size = 0
    with _unpacked(file, budget, number) as stream:
        while chunk := stream.read(2**20):
            size += len(chunk)
    name = PurePosixPath(re.split(r"[/\\!]", file.path)[-1])
    inner = name.stem if name.suffix.lower() == ".gz" else name.name

    def opener() -> IO[bytes]:
        return cast(IO[bytes], _Unpacked(file.open()))

    return MemberFile(f"{file.path}!{inner}", size, file.size, opener, budget, number)


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


def _gunzipped(file: InputFile, stream: IO[bytes], budget: Budget, number: int) -> IO[bytes]:
    with gzip.GzipFile(fileobj=stream, mode="rb") as inner:
        guarded = _Guarded(cast(IO[bytes], inner), file.path, None, file.size, budget, number)
        return _copy(io.BufferedReader(guarded, 2**20))


def _zip_members(path: str, stream: IO[bytes], budget: Budget) -> Iterator[MemberFile]:
    limits = budget.limits
    try:
        size = _check_directory(path, stream, limits)
        archive = zipfile.ZipFile(stream)
    except HostileInput:
        raise
    except _UNPACK_ERRORS as bad:
        raise SourceError(f"{path}: a zip archive that is damaged or cut off: {bad}") from bad
    entries = archive.infolist()
    budget.members(path, len(entries))
    total = 0
    for entry in entries:
        total += entry.file_size
        where = f"{path}!{entry.filename}"
        _check_name(where, entry.filename)
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise HostileInput(f"{where}: a link inside the archive")
        if entry.flag_bits & _ENCRYPTED:
            raise SourceError(f"{where}: encrypted; unpack the archive with its password first")
        check_ratio(where, entry.file_size, entry.compress_size, limits)
    _check_overlap(path, entries, size)
    _check_total(path, total, limits)
    check_ratio(path, total, sum(entry.compress_size for entry in entries), limits, "its members together unpack")
    return (
        MemberFile(
            f"{path}!{item.filename}",
            item.file_size,
            item.compress_size,
            _zip_opener(archive, item),
            budget,
            budget.number(),
        )
        for item in entries
        if not item.is_dir()
    )


def _check_overlap(path: str, entries: list[zipfile.ZipInfo], size: int) -> None:
    """Refuses members that share their bytes, with which a small file holds any number of large ones (Fifield 2019)."""
    free = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < free:
            raise HostileInput(f"{path}!{entry.filename}: overlaps another member, as decompression bombs do")
        free = entry.header_offset + _LOCAL_HEADER + entry.compress_size
    if free > size:
        raise SourceError(f"{path}: a zip archive that is damaged or cut off: a member ends behind its end")


def _check_directory(path: str, stream: IO[bytes], limits: Limits) -> int:
    """The archive's size; refuses a table of contents that would fill the memory before its entries could be counted
    (APPNOTE 4.3.16)."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - 2**16 - 22))
    tail = stream.read()
    stream.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        return size  # no zip: what opens it says so
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    long_at = tail.rfind(b"PK\x06\x06", 0, at)
    if directory == 0xFFFFFFFF and long_at >= 0:
        directory = int.from_bytes(tail[long_at + 40 : long_at + 48], "little")
    if min(directory, size) > limits.archive_members * _DIRECTORY_ENTRY:
        raise HostileInput(f"{path}: a table of contents for more than {limits.archive_members} members")
    return size


def _zip_opener(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(entry)


class _TarStream:
    """A tar's bytes. What describes a member is read in one piece, as long as it says it is: long ones are refused."""

    def __init__(self, stream: IO[bytes], path: str) -> None:
        self._stream = stream
        self._path = path
        self.describing = True
        """Whether what is read describes members; later it is the members themselves."""
        self._reached = 0

    def read(self, size: int = -1) -> bytes:
        if self.describing and size < 0:
            raise HostileInput(f"{self._path}: a member is described in less than no bytes")
        if size > _TAR_HEADER:
            raise HostileInput(f"{self._path}: a member is described in more than {_TAR_HEADER} bytes")
        data = self._stream.read(size)
        if self.describing and size > tarfile.BLOCKSIZE and _MANY_DIGITS.search(data):
            raise HostileInput(f"{self._path}: a member is described by more than 255 digits in a row")
        self._reached = max(self._reached, self._stream.tell())
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        # A size below nothing leads back to the member before; tarfile looks one byte back before it reads on.
        if self.describing and offset < self._reached - 1:
            raise HostileInput(f"{self._path}: a member that ends before it begins")
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        self._stream.close()


def _tar_members(path: str, stream: IO[bytes], budget: Budget) -> Iterator[MemberFile]:
    try:
        blocks = _TarStream(stream, path)
        archive = tarfile.open(fileobj=cast(IO[bytes], blocks), mode="r:")  # noqa: SIM115 - the members read from it
        entries: list[tarfile.TarInfo] = []
        total = 0
        for entry in archive:
            entries.append(entry)
            budget.members(path)
            where = f"{path}!{entry.name}"
            _check_name(where, entry.name)
            if entry.issparse():
                raise HostileInput(f"{where}: a sparse file inside the archive")
            if not (entry.isreg() or entry.isdir()):
                raise HostileInput(f"{where}: a link or device inside the archive")
            total += entry.size
            _check_total(path, total, budget.limits)
        blocks.describing = False
        _check_end(path, stream, entries)
    except RecursionError as bad:  # each header that describes the next one is read inside the one before
        raise HostileInput(f"{path}: a tar archive with a chain of headers that describe headers") from bad
    except SourceError:
        raise
    except _UNPACK_ERRORS as bad:
        raise SourceError(f"{path}: a tar archive that is damaged or cut off: {bad}") from bad
    return (
        MemberFile(f"{path}!{entry.name}", entry.size, entry.size, _tar_opener(archive, entry), budget, budget.number())
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
    if len(name) > _LONGEST_NAME:
        raise HostileInput(f"{where[:200]}…: a member whose path is longer than {_LONGEST_NAME} characters")
    plain = name.replace("\\", "/")
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain) or ".." in plain.split("/") or "\0" in plain:
        raise HostileInput(f"{where}: the member's path leaves the archive")


def _check_total(path: str, total: int, limits: Limits) -> None:
    if total > limits.archive_bytes:
        raise HostileInput(f"{path}: unpacks to {total} bytes, more than the {limits.archive_bytes} allowed")
