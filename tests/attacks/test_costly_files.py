"""Files that lead a reader around in circles, or ask for more than there is: they cost themselves and no other."""

from __future__ import annotations

import io
import lzma
import tarfile
import time
import zipfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reqap_kg.config import Limits, Settings
from reqap_kg.engine.importing.ingest import by_format, ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.errors import SourceError
from reqap_kg.sources.archives import open_archive
from reqap_kg.sources.base import ReadContext
from reqap_kg.sources.files import DiskFile, walk
from reqap_kg.sources.mails.mail import FORMAT
from reqap_kg.sources.mails.mail_content import parsable
from reqap_kg.sources.registry import formats
from reqap_kg.texts.import_budget import Budget

NOTE = b"---\ndate: 2024-05-01\n---\n# Shopping\nbread\n"
NOW = datetime(2025, 3, 1, 12)


def _number(value: int) -> bytes:
    """A number of a tar's header in base 256, which may be below nothing (as GNU tar writes it)."""
    return (value % 256**12).to_bytes(12) if value < 0 else b"%011o\0" % value


def _header(name: bytes, size: int, kind: bytes = b"0") -> bytes:
    block = (
        name.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + _number(size) + b"00000000000\0" + b" " * 8 + kind
    )
    block = (block.ljust(257, b"\0") + b"ustar\x0000").ljust(512, b"\0")
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


@example(-1536, b"0", 1, True)
@given(st.integers(-(10**7), -1), st.sampled_from([b"0", b"x", b"L", b"g", b"5"]), st.integers(0, 9), st.booleans())
def test_a_size_below_nothing_is_refused(size: int, kind: bytes, before: int, described: bool) -> None:
    """tarfile looks for the next member where this one ends, which may be where it began."""
    pax = b"20 comment=" + b"a" * 8 + b"\n"
    blocks = b"".join(_header(b"n%d.md" % n, len(NOTE)) + NOTE.ljust(512, b"\0") for n in range(before))
    blocks += (_header(b"pax", len(pax), b"x") + pax.ljust(512, b"\0")) if described else b""
    data = blocks + _header(b"last.md", size, kind) + bytes(1024)
    path = "x.tar"
    began = time.process_time()
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DiskFile, "open", lambda self: io.BytesIO(data))
        with suppress(SourceError):
            found = members(path, data)
    assert len(found) <= before + 1
    assert time.process_time() - began < 1


def test_honest_tars_are_read(tmp_path: Path) -> None:
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT):
        path = tmp_path / f"{form}.tar"
        with tarfile.open(path, "w", format=form) as archive:
            for number in range(5):
                entry = tarfile.TarInfo(("a" * 90 + "/") * (1 + (form != tarfile.USTAR_FORMAT)) + f"{number}.md")
                entry.size = len(NOTE)
                archive.addfile(entry, io.BytesIO(NOTE))
        members = [file for file in walk(path, Limits()) if not isinstance(file, tuple)]
        assert [cast(DiskFile, member).head() for member in members] == [NOTE] * 5


def members(path: str, data: bytes) -> list[str]:
    file = DiskFile(Path(path), path, len(data))
    return [member.path for member in open_archive(file, Budget(Limits()))]


def nested(depth: int, lines: int, line: bytes = b"") -> bytes:
    """A mail with parts inside one another and lines in the innermost."""
    head = b"Message-ID: <1@x>\nFrom: a@x.test\nSubject: s\nDate: Mon, 01 Jan 2024 10:00:00 +0000\n"
    for level in range(depth):
        head += b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level)
    return head + b"Content-Type: text/plain\n\nhello\n" + (line + b"\n") * lines


@pytest.mark.smoke
def test_parts_inside_one_another_cost_no_more_than_they_are_long(tmp_path: Path) -> None:
    (tmp_path / "in.eml").write_bytes(nested(45, 500_000))
    file = DiskFile(tmp_path / "in.eml", "in.eml", 0)
    began = time.process_time()
    record, *bad = FORMAT.read(file, ReadContext(ZoneInfo("UTC"), NOW.isoformat()))
    assert time.process_time() - began < 2, "20 s without the bound"
    assert isinstance(record, dict)
    assert record["_text"].startswith("hello")
    assert any("more parts and lines" in note.reason for note in bad if not isinstance(note, dict))


@given(
    st.integers(0, 40), st.integers(0, 3_000), st.sampled_from([b"a line of usual length in a mail, with words in it"])
)
def test_honest_mails_are_read_whole(depth: int, lines: int, line: bytes) -> None:
    data = nested(depth, lines, line)
    assert parsable(data) == data


@pytest.mark.smoke
def test_a_member_that_asks_for_too_much_memory_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object, **__: object) -> None:
        raise MemoryError

    with zipfile.ZipFile(tmp_path / "l.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.md", NOTE)
    (tmp_path / "b.md").write_bytes(NOTE)
    monkeypatch.setattr(lzma, "LZMADecompressor", greedy)
    report = ingest([tmp_path], tmp_path / "store", IngestOptions(Settings(), NOW))
    assert [refused.reason for refused in report.refused if "more memory than there is" in refused.reason]
    assert [source.name for source in report.sources] == ["markdown"]


def test_a_list_of_the_name_of_a_service_is_no_part_of_it(tmp_path: Path) -> None:
    listed = '[{"source": "note", "date": "2024-05-05", "text": "good"}]'
    stream = '[{"ts": "2024-01-01T00:00:00Z", "ms_played": 5000, "master_metadata_track_name": "x"}]'
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "spotify.json").write_text(listed)
    (tmp_path / "Streaming_History_Audio_x.json").write_text(stream)
    options = IngestOptions(Settings(), NOW)
    report = ingest([tmp_path], tmp_path / "store", options)
    told = {source.name: source.format for source in report.sources}
    assert told == {"spotify": "spotify-extended", "spotify-key-value": "key-value"}
    again = ingest([tmp_path / "Streaming_History_Audio_x.json"], tmp_path / "store", options)
    assert [source.state for source in again.sources] == ["unchanged"]


@given(
    st.dictionaries(st.sampled_from(["a", "a-mail", "a-mail-mail"]), st.lists(st.sampled_from(formats()), min_size=1))
)
def test_every_source_is_of_one_format(groups: dict[str, list]) -> None:
    file = DiskFile(Path(), "x", 0)
    found = by_format({name: [(form, file) for form in kinds] for name, kinds in groups.items()})
    assert all(len({form.name for form, _ in files}) == 1 for files in found.values())
    assert sorted(form.name for files in found.values() for form, _ in files) == sorted(
        form.name for kinds in groups.values() for form in kinds
    )
