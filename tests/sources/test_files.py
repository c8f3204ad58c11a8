"""Walking folders and archives, and refusing the hostile ones."""

from __future__ import annotations

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import HostileInput, SourceError
from reqap_kg.sources.archives import MemberFile
from reqap_kg.sources.base import BadRecord, InputFile
from reqap_kg.sources.files import walk
from reqap_kg.texts.import_budget import Budget

LIMITS = Limits()


def make_zip(path: Path, members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def split(path: Path, limits: Limits = LIMITS) -> tuple[dict[str, InputFile], list[BadRecord]]:
    files: dict[str, InputFile] = {}
    bad: list[BadRecord] = []
    for found in walk(path, limits):
        if isinstance(found, BadRecord):
            bad.append(found)
        else:
            files[found.path] = found
    return files, bad


def content(file: InputFile) -> bytes:
    with file.open() as stream:
        return stream.read()


def test_a_single_file_is_given_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    place.write_bytes(b"hello")
    files, bad = split(place)
    assert list(files) == [str(place)]
    assert bad == []
    assert content(files[str(place)]) == b"hello"
    assert files[str(place)].head(2) == b"he"
    assert files[str(place)].size == 5


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        split(tmp_path / "nowhere")


def test_a_folder_is_walked_in_order_without_junk(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/.DS_Store", ".git/config", "Thumbs.db", "__MACOSX/a.txt", "a/._z.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    files, bad = split(tmp_path)
    assert list(files) == [str(tmp_path / "b.txt"), str(tmp_path / "a/z.txt")]
    assert bad == []


def test_a_zip_is_read_in_place_and_named_with_its_member(tmp_path: Path) -> None:
    place = make_zip(tmp_path / "takeout.zip", {"Keep/n.json": b"{}", "__MACOSX/._n": b"x", "Keep/.DS_Store": b"x"})
    files, bad = split(place)
    assert list(files) == [f"{place}!Keep/n.json"]
    assert bad == []
    member = files[f"{place}!Keep/n.json"]
    assert content(member) == b"{}"
    assert content(member) == b"{}", "a member can be opened more than once"


def test_an_archive_in_a_folder_and_one_inside_an_archive(tmp_path: Path) -> None:
    inner = make_zip(tmp_path / "inner.zip", {"deep.txt": b"deep"}).read_bytes()
    (tmp_path / "inner.zip").unlink()
    (tmp_path / "folder").mkdir()
    place = make_zip(tmp_path / "folder/outer.zip", {"inner.zip": inner, "top.txt": b"top"})
    files, bad = split(tmp_path / "folder")
    assert {name: content(file) for name, file in files.items()} == {
        f"{place}!inner.zip!deep.txt": b"deep",
        f"{place}!top.txt": b"top",
    }
    assert bad == []


def test_archives_are_not_opened_deeper_than_one_inside_another(tmp_path: Path) -> None:
    innermost = make_zip(tmp_path / "1.zip", {"x.txt": b"x"}).read_bytes()
    middle = make_zip(tmp_path / "2.zip", {"1.zip": innermost}).read_bytes()
    files, bad = split(make_zip(tmp_path / "3.zip", {"2.zip": middle}))
    assert files == {}
    assert [record.path for record in bad] == [f"{tmp_path}/3.zip!2.zip!1.zip"]
    assert "unpack it first" in bad[0].reason


def test_a_tar_gz_is_read_like_a_zip(tmp_path: Path) -> None:
    place = tmp_path / "takeout.tgz"
    with tarfile.open(place, "w:gz") as archive:
        info = tarfile.TarInfo("Mail/all.mbox")
        info.size = 4
        archive.addfile(info, io.BytesIO(b"From"))
    files, _ = split(place)
    assert {name: content(file) for name, file in files.items()} == {f"{place}!Mail/all.mbox": b"From"}


def test_a_gzip_that_is_no_tar_is_the_file_in_it(tmp_path: Path) -> None:
    place = tmp_path / "a.gpx.gz"
    place.write_bytes(gzip.compress(b"<gpx/>"))
    inside = make_zip(tmp_path / "b.zip", {"activities/b.fit.gz": gzip.compress(b"fit"), "c": gzip.compress(b"plain")})
    files, bad = split(place)
    assert {name: (content(file), file.size) for name, file in files.items()} == {f"{place}!a.gpx": (b"<gpx/>", 6)}
    files, more = split(inside)
    assert {name: content(file) for name, file in files.items()} == {
        f"{inside}!activities/b.fit.gz!b.fit": b"fit",
        f"{inside}!c!c": b"plain",
    }
    assert bad == more == []


def test_a_gzip_that_is_cut_off_or_a_bomb_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.gpx.gz"
    place.write_bytes(gzip.compress(b"<gpx>" + bytes(range(256)) * 40)[:-20])
    with pytest.raises(SourceError, match="damaged or cut off"):
        split(place)
    place.write_bytes(gzip.compress(bytes(30 * 2**20)))
    with pytest.raises(HostileInput, match="times the packed size"):
        split(place)


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/passwd", "C:\\evil.txt", "a/../../evil", "..\\evil.txt"])
def test_a_member_that_escapes_refuses_the_archive(tmp_path: Path, name: str) -> None:
    place = make_zip(tmp_path / "a.zip", {"good.txt": b"x", name: b"x"})
    with pytest.raises(HostileInput, match="leaves the archive"):
        split(place)


def test_a_link_in_a_zip_refuses_the_archive(tmp_path: Path) -> None:
    place = tmp_path / "a.zip"
    with zipfile.ZipFile(place, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.create_system = 3
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(HostileInput, match="a link inside"):
        split(place)


def test_a_link_in_a_tar_refuses_the_archive(tmp_path: Path) -> None:
    place = tmp_path / "a.tar"
    with tarfile.open(place, "w") as archive:
        info = tarfile.TarInfo("link")
        info.type = tarfile.SYMTYPE
        info.linkname = "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(HostileInput, match="link or device"):
        split(place)


def test_a_truncated_zip_is_damaged(tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "a.zip", {"a.txt": os.urandom(5000), "b.txt": b"b" * 5000}).read_bytes()
    (tmp_path / "a.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match="damaged or cut off"):
        split(tmp_path / "a.zip")


def test_a_truncated_tar_gz_is_damaged(tmp_path: Path) -> None:
    place = tmp_path / "a.tgz"
    with tarfile.open(place, "w:gz") as archive:
        info = tarfile.TarInfo("a")
        info.size = 50000
        archive.addfile(info, io.BytesIO(os.urandom(50000)))
    place.write_bytes(place.read_bytes()[:20000])
    with pytest.raises(SourceError, match="damaged or cut off"):
        split(place)


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    place = make_zip(tmp_path / "bomb.zip", {"zeros": b"\0" * (20 * 2**20)})
    with pytest.raises(HostileInput, match="decompression bombs"):
        split(place)


def test_small_members_of_zeros_are_no_bomb(tmp_path: Path) -> None:
    files, _ = split(make_zip(tmp_path / "a.zip", {"zeros": b"\0" * (2 * 2**20)}))
    assert len(files) == 1


def test_the_sum_of_the_members_is_limited(tmp_path: Path) -> None:
    place = make_zip(tmp_path / "a.zip", {f"{n}": os.urandom(1000) for n in range(5)})
    with pytest.raises(HostileInput, match="more than the 4000 allowed"):
        split(place, Limits(archive_bytes=4000))


def test_the_number_of_members_is_limited(tmp_path: Path) -> None:
    place = make_zip(tmp_path / "a.zip", {f"{n}": b"" for n in range(5)})
    with pytest.raises(HostileInput, match="more than 4 members"):
        split(place, Limits(archive_members=4))


def test_a_bomb_whose_header_lies_is_caught_while_unpacking() -> None:
    """The announced size is what the header says; what comes out counts."""
    member = MemberFile("a.zip!x", 1000, 10, lambda: io.BytesIO(b"x" * 100_000), Budget(LIMITS))
    with member.open() as stream, pytest.raises(HostileInput, match="more than the 1000 bytes"):
        stream.read()


def test_a_gzip_bomb_is_caught_while_unpacking(tmp_path: Path) -> None:
    place = tmp_path / "bomb.tgz"
    place.write_bytes(gzip.compress(b"\0" * (30 * 2**20)))
    with pytest.raises(HostileInput, match="decompression bombs"):
        split(place)


def test_an_encrypted_member_says_what_to_do(tmp_path: Path) -> None:
    place = make_zip(tmp_path / "a.zip", {"a.txt": b"secret"}, zipfile.ZIP_STORED)
    data = bytearray(place.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(signature) + offset
        data[at : at + 2] = struct.pack("<H", 1)
    place.write_bytes(data)
    with pytest.raises(SourceError, match="password"):
        split(place)


def test_a_damaged_member_is_noticed_when_it_is_read(tmp_path: Path) -> None:
    members = {"good.txt": b"good", "short.txt": b"hello world " * 10, "long.txt": b"jolly world " * 10_000}
    place = make_zip(tmp_path / "a.zip", members, zipfile.ZIP_STORED)
    data = place.read_bytes().replace(b"hello", b"jello", 1).replace(b"jolly", b"dolly", 1)
    place.write_bytes(data)
    files, bad = split(place)
    assert list(files) == [f"{place}!good.txt", f"{place}!long.txt"]
    assert [(record.path, "damaged" in record.reason) for record in bad] == [(f"{place}!short.txt", True)]
    with pytest.raises(SourceError, match="damaged or cut off"):
        content(files[f"{place}!long.txt"])


def test_one_bad_archive_in_a_folder_does_not_lose_the_rest(tmp_path: Path) -> None:
    make_zip(tmp_path / "bad.zip", {"../evil": b"x"})
    (tmp_path / "good.txt").write_text("x")
    files, bad = split(tmp_path)
    assert list(files) == [str(tmp_path / "good.txt")]
    assert [(record.path, "leaves the archive" in record.reason) for record in bad] == [
        (str(tmp_path / "bad.zip"), True)
    ]


def test_links_that_leave_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("x")
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    (folder / "file").symlink_to(tmp_path / "outside/secret.txt")
    (folder / "dir").symlink_to(tmp_path / "outside")
    (folder / "inside").symlink_to(folder / "a.txt")
    (folder / "loop").symlink_to(folder / "loop")
    files, bad = split(folder)
    assert list(files) == [str(folder / "a.txt")]
    assert {Path(record.path).name for record in bad} == {"file", "dir", "loop"}


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    files, bad = split(tmp_path)
    assert files == {}
    assert [record.reason for record in bad] == ["not a regular file"]
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        split(tmp_path / "pipe")


def test_a_tar_cut_off_between_two_members_is_damaged(tmp_path: Path) -> None:
    place = tmp_path / "a.tar"
    with tarfile.open(place, "w") as archive:
        for name in ("a", "b"):
            info = tarfile.TarInfo(name)
            info.size = 600
            archive.addfile(info, io.BytesIO(b"x" * 600))
    whole = place.read_bytes()
    assert len(split(place)[0]) == 2
    place.write_bytes(whole[: 512 + 1024])
    with pytest.raises(SourceError, match="cut off"):
        split(place)


def test_a_giant_table_of_contents_is_refused_before_it_is_read(tmp_path: Path) -> None:
    place = make_zip(tmp_path / "a.zip", {f"{'n' * 600}{n}": b"" for n in range(5)})
    with pytest.raises(HostileInput, match="table of contents"):
        split(place, Limits(archive_members=4))


def test_a_name_that_is_no_text_can_be_reported(tmp_path: Path) -> None:
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))).write_bytes(b"x")
    files, _ = split(tmp_path)
    assert [name.encode("utf-8").decode() for name in files] == [f"{tmp_path}/caf�.txt"]
    assert content(next(iter(files.values()))) == b"x"
