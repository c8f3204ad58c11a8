"""Archives and paths as attackers make them: each function writes one into a folder and gives its path."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

MIB = 2**20
NOTE = b"---\ndate: 2024-05-01\n---\n# Shopping\nbread\n"
EVENT = b'{"source": "note", "start_date": "2024-01-01", "text": "bread"}\n'
Maker = Callable[[Path], Path]


def zipped(path: Path, members: Iterable[tuple[str, bytes]], name: str = "export.zip") -> Path:
    with zipfile.ZipFile(path / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for member, data in members:
            archive.writestr(member, data)
    return path / name


def zip_bytes(members: Iterable[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for member, data in members:
            archive.writestr(member, data)
    return buffer.getvalue()


def repeated(data: bytes, names: Iterable[str]) -> bytes:
    """A zip whose members all hold the same, packed once and written often, each with its own bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed, crc = packer.compress(data) + packer.flush(), zlib.crc32(data)
    body, entries = bytearray(), bytearray()
    names = list(names)
    count = len(names)
    for name in names:
        told = name.encode()
        sizes = (crc, len(packed), len(data), len(told), 0)
        entries += struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0x21, *sizes, 0, 0, 0, 0, len(body)) + told
        body += struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0x21, *sizes) + told + packed
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count % 2**16, count % 2**16, len(entries), len(body), 0)
    return bytes(body + entries + end)


def _written(path: Path, data: bytes, name: str = "export.zip") -> Path:
    (path / name).write_bytes(data)
    return path / name


def many_small_bombs(path: Path) -> Path:
    return _written(path, repeated(b"[" + b" " * (4 * MIB) + b"]", (f"{number}.json" for number in range(500))))


def many_bombs_of_events(path: Path) -> Path:
    data = b"".join(b'{"source":"note","start_date":"2024-01-01","n":%d}\n' % (number % 9) for number in range(9000))
    return _written(path, repeated(data, (f"{number}.jsonl" for number in range(200))))


def many_blank_heads(path: Path) -> Path:
    return _written(path, repeated(b" " * 65536, (f"{number}.txt" for number in range(3000))))


def nested_zips(path: Path) -> Path:
    data = zip_bytes([("note.md", NOTE)])
    for _ in range(30):
        data = zip_bytes([("inner.zip", data)])
    (path / "nested.zip").write_bytes(data)
    return path / "nested.zip"


def wide_nested_zips(path: Path) -> Path:
    inner = repeated(b"[" + b" " * MIB + b"]", (f"{number}.json" for number in range(100)))
    return _written(path, repeated(inner, (f"{number}.zip" for number in range(100))))


def zip_of_gzip_of_zip(path: Path) -> Path:
    inner = zip_bytes([("big.json", b"[" + b" " * (60 * MIB) + b"]")])
    return zipped(path, [("inner.zip", zip_bytes([("inner.zip", inner)]))])


def quoted_overlap(path: Path) -> Path:
    """Fifield's bomb: all entries of the table of contents share one kernel."""
    kernel = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = kernel.compress(b" " * (9 * MIB)) + kernel.flush()
    crc = zlib.crc32(b" " * (9 * MIB))
    header = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0x21, crc, len(data), 9 * MIB, 1, 0) + b"a"
    entries = b""
    for number in range(3000):
        name = f"{number}.json".encode()
        head = ("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0x21, crc, len(data), 9 * MIB, len(name), 0, 0, 0, 0, 0, 0)
        entries += struct.pack(*head) + name
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 3000, 3000, len(entries), len(header) + len(data), 0)
    (path / "overlap.zip").write_bytes(header + data + entries + end)
    return path / "overlap.zip"


def lying_sizes(path: Path) -> Path:
    data = bytearray(zip_bytes([("big.json", b"[" + b" " * (30 * MIB) + b"]")]))
    at = data.find(b"PK\1\2")
    data[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    (path / "lying.zip").write_bytes(data)
    return path / "lying.zip"


def huge_announced_sizes(path: Path) -> Path:
    data = bytearray(zip_bytes([("a.md", NOTE), ("b.md", NOTE)]))
    at = data.find(b"PK\1\2")
    data[at + 24 : at + 28] = b"\xfe\xff\xff\xff"
    (path / "huge.zip").write_bytes(data)
    return path / "huge.zip"


def zip64_of_nothing(path: Path) -> Path:
    extra = struct.pack("<HHQQQ", 1, 24, 2**62, 2**62, 2**62)
    entry = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", 45, 45, 0, 8, 0, 0x21, 0, 2**32 - 1, 2**32 - 1, 4, len(extra), 0, 0, 0, 0, 2**32 - 1
    )
    entry += b"a.md" + extra
    long_end = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 2**60, 2**60, len(entry), 4)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, 4 + len(entry), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, 2**32 - 1, 2**32 - 1, 0)
    (path / "zip64.zip").write_bytes(b"PK\3\4" + entry + long_end + locator + end)
    return path / "zip64.zip"


def encrypted(path: Path) -> Path:
    data = bytearray(zip_bytes([("a.md", NOTE)]))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.find(mark) + offset] |= 1
    (path / "encrypted.zip").write_bytes(data)
    return path / "encrypted.zip"


def unknown_compression(path: Path) -> Path:
    data = bytearray(zip_bytes([("a.md", NOTE)]))
    for mark, offset in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        data[data.find(mark) + offset] = 99
    (path / "method.zip").write_bytes(data)
    return path / "method.zip"


def escaping_names(path: Path) -> Path:
    return zipped(path, [("good.md", NOTE), ("a/../../../outside.md", NOTE)])


def control_names(path: Path) -> Path:
    return zipped(path, [("a\x1b[31m\x07\r\n\u202e.md", NOTE), ("b.md", NOTE)])


def surrogate_names(path: Path) -> Path:
    data = zip_bytes([("aaaa.md", NOTE)]).replace(b"aaaa.md", b"\xff\xfe\xed\xa0.")
    (path / "names.zip").write_bytes(data)
    return path / "names.zip"


def long_names(path: Path) -> Path:
    return zipped(path, ((f"{'d/' * 30_000}{number}.md", NOTE) for number in range(200)))


def many_members(path: Path) -> Path:
    with zipfile.ZipFile(path / "many.zip", "w", zipfile.ZIP_STORED) as archive:
        for number in range(10_000):
            archive.writestr(zipfile.ZipInfo(f"{number}.md"), b"")
    return path / "many.zip"


def too_many_members(path: Path) -> Path:
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 0x21, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0) + b"a.md"
    entries = entry * 400_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, len(entries), 4, 0)
    (path / "count.zip").write_bytes(b"PK\3\4" + entries + end)
    return path / "count.zip"


def same_names(path: Path) -> Path:
    return zipped(path, (("a.md", NOTE + b"%d" % number) for number in range(300)))


# ---------------------------------------------------------------- tar


def _block(name: bytes, size: int, kind: bytes, prefix: bytes = b"") -> bytes:
    head = name[:100].ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2
    head += (b"%011o\0" % size) if size < 8**11 else (b"\x80" + size.to_bytes(11, "big"))
    head += b"00000000000\0" + b" " * 8 + kind + b"\0" * 100 + b"ustar\x0000" + b"\0" * 80 + prefix.ljust(155, b"\0")
    head = head.ljust(512, b"\0")
    return head[:148] + b"%06o\0 " % sum(head) + head[156:]


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 512)


def _tar(path: Path, blocks: bytes, name: str = "export.tar") -> Path:
    (path / name).write_bytes(blocks + bytes(1024))
    return path / name


def _member(name: bytes, data: bytes) -> bytes:
    return _block(name, len(data), b"0") + _padded(data)


def chained_long_names(path: Path) -> Path:
    link = _block(b"././@LongLink", 100, b"L") + _padded(b"n" * 99 + b"\0")
    return _tar(path, link * 5000 + _member(b"a.md", NOTE))


def chained_pax(path: Path) -> Path:
    link = _block(b"pax", 12, b"x") + _padded(b"12 path=abc\n")
    return _tar(path, link * 5000 + _member(b"a.md", NOTE))


def huge_pax(path: Path) -> Path:
    body = b"".join(b"%d k%06d=v\n" % (13, number) for number in range(1_000_000))
    return _tar(path, _block(b"pax", len(body), b"g") + _padded(body) + _member(b"a.md", NOTE) * 2000)


def slow_pax(path: Path) -> Path:
    body = b"1" * 300_000
    return _tar(path, _block(b"pax", len(body), b"x") + _padded(body) + _member(b"a.md", NOTE))


def long_tar_name(path: Path) -> Path:
    body = b"d/" * (10 * MIB) + b"\0"
    return _tar(path, _block(b"././@LongLink", len(body), b"L") + _padded(body) + _member(b"a.md", NOTE))


def sparse_tar(path: Path) -> Path:
    info = _block(b"sparse", 0, b"S")
    body = bytearray(info)
    body[386:410] = b"%011o\0%011o\0" % (8**10 * 7, 0)
    body[483:495] = b"%011o\0" % (8**10 * 7)
    body[148:156] = b" " * 8
    body[148:156] = b"%06o\0 " % sum(body)
    return _tar(path, bytes(body))


def pax_sparse(path: Path) -> Path:
    lines = [b"GNU.sparse.major=1", b"GNU.sparse.minor=0", b"GNU.sparse.realsize=99999999999999"]
    body = b"".join(b"%d %s\n" % (len(line) + 4, line) for line in lines)
    return _tar(path, _block(b"pax", len(body), b"x") + _padded(body) + _member(b"a.md", b"99999999\n" * 60_000))


def negative_size(path: Path) -> Path:
    block = bytearray(_block(b"a.md", 10, b"0"))
    block[124:136] = b"\xff" * 11 + b"\0"
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return _tar(path, bytes(block) * 3 + NOTE)


def linked_tar(path: Path) -> Path:
    with tarfile.open(path / "link.tar", "w") as archive:
        link = tarfile.TarInfo("a.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path / "link.tar"


def device_tar(path: Path) -> Path:
    return _tar(path, _block(b"null", 0, b"3") + _block(b"fifo", 0, b"6"))


def many_in_tar(path: Path) -> Path:
    return _tar(path, _member(b"a.md", b"") * 20_000)


def tar_gz_bomb(path: Path) -> Path:
    with gzip.open(path / "bomb.tgz", "wb") as out:
        out.write(_block(b"a.json", 40 * MIB, b"0"))
        for _ in range(40):
            out.write(b" " * MIB)
        out.write(bytes(1024))
    return path / "bomb.tgz"


def gzip_bomb(path: Path) -> Path:
    with gzip.open(path / "bomb.gz", "wb") as out:
        for _ in range(40):
            out.write(b" " * MIB)
    return path / "bomb.gz"


def gzip_members(path: Path) -> Path:
    (path / "many.gz").write_bytes(gzip.compress(b"") * 300_000)
    return path / "many.gz"


def bz2_bomb(path: Path) -> Path:
    (path / "bomb.bz2").write_bytes(bz2.compress(b" " * (10 * MIB)))
    return path / "bomb.bz2"


def xz_bomb(path: Path) -> Path:
    (path / "bomb.xz").write_bytes(lzma.compress(b" " * (10 * MIB)))
    return path / "bomb.xz"


# ---------------------------------------------------------------- paths


def fifo(path: Path) -> Path:
    os.mkfifo(path / "pipe.json")
    return path / "pipe.json"


def folder_of_fifo(path: Path) -> Path:
    (path / "folder").mkdir()
    os.mkfifo(path / "folder" / "pipe.json")
    return path / "folder"


def unix_socket(path: Path) -> Path:
    here = os.getcwd()
    os.chdir(path)
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("socket.json")
    finally:
        os.chdir(here)
    return path / "socket.json"


def device(path: Path) -> Path:
    (path / "zero.json").symlink_to("/dev/zero")
    return path / "zero.json"


def link_loop(path: Path) -> Path:
    (path / "loop").mkdir()
    (path / "loop" / "a").symlink_to("b")
    (path / "loop" / "b").symlink_to("a")
    (path / "loop" / "up").symlink_to("..")
    return path / "loop"


def loop_named(path: Path) -> Path:
    (path / "a.json").symlink_to("a.json")
    return path / "a.json"


def unreadable_memory(path: Path) -> Path:
    (path / "mem.json").symlink_to("/proc/self/mem")
    return path / "mem.json"


def deep_folders(path: Path) -> Path:
    here = os.getcwd()
    (path / "deep").mkdir()
    os.chdir(path / "deep")
    try:
        for _ in range(900):
            os.mkdir("d")
            os.chdir("d")
        Path("note.md").write_bytes(NOTE)
    finally:
        os.chdir(here)
    return path / "deep"


ARCHIVES: tuple[Maker, ...] = (
    many_small_bombs, many_bombs_of_events, many_blank_heads, nested_zips, wide_nested_zips, zip_of_gzip_of_zip,
    quoted_overlap, lying_sizes, huge_announced_sizes, zip64_of_nothing, encrypted, unknown_compression,
    escaping_names, control_names, surrogate_names, long_names, many_members, too_many_members, same_names,
    chained_long_names, chained_pax, huge_pax, slow_pax, long_tar_name, sparse_tar, pax_sparse, negative_size,
    linked_tar, device_tar, many_in_tar, tar_gz_bomb, gzip_bomb, gzip_members, bz2_bomb, xz_bomb,
)  # fmt: skip
PATHS: tuple[Maker, ...] = (
    fifo, folder_of_fifo, unix_socket, device, link_loop, loop_named, unreadable_memory, deep_folders,
)  # fmt: skip
