"""Hostile and broken exports on the command line: a clear message, exit code 1, the store unchanged."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from reqap_kg.cli.app import run
from reqap_kg.store.generations import current

MIB = 2**20


def empty(path: Path) -> Path:
    (path / "empty.json").write_bytes(b"")
    return path / "empty.json"


def truncated_zip(path: Path) -> Path:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.md", "# A note\n" * 2000)
    (path / "cut.zip").write_bytes(buffer.getvalue()[: len(buffer.getvalue()) // 2])
    return path / "cut.zip"


def escaping_zip(path: Path) -> Path:
    with zipfile.ZipFile(path / "escape.zip", "w") as archive:
        archive.writestr("../../outside.md", "# Out\n")
    return path / "escape.zip"


def bomb(path: Path) -> Path:
    with zipfile.ZipFile(path / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("big.json", b"[" + b" " * (300 * MIB) + b"]")
    return path / "bomb.zip"


def billion_laughs(path: Path) -> Path:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    doctype = f'<!DOCTYPE HealthData [<!ENTITY l0 "lol">{entities}]>'
    text = f'<?xml version="1.0"?>{doctype}<HealthData locale="&l11;">&l11;</HealthData>'
    (path / "export.xml").write_text(text)
    return path / "export.xml"


def deep_json(path: Path) -> Path:
    (path / "deep.json").write_text(
        '[{"source": "note", "start_date": "2024-01-01", "x": ' + "[" * 100_000 + "]" * 100_000 + "}]"
    )
    return path / "deep.json"


def binary_ics(path: Path) -> Path:
    (path / "binary.ics").write_bytes(bytes((i * 197 + 13) % 256 for i in range(20_000)))
    return path / "binary.ics"


def long_line(path: Path) -> Path:
    with (path / "line.jsonl").open("w") as out:
        out.write('{"source": "note", "start_date": "2024-01-01", "text": "')
        for _ in range(200):
            out.write("x" * MIB)
        out.write('"}\n')
    return path / "line.jsonl"


CASES = [empty, truncated_zip, escaping_zip, bomb, billion_laughs, deep_json, binary_ics, long_line]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_bad_input(make: Callable[[Path], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    (tmp_path / "good.md").write_text("---\ndate: 2024-05-01\n---\n# Shopping\nbread\n", encoding="utf-8")
    assert run(["ingest", str(tmp_path / "good.md"), "--store", str(store), "--now", "2025-01-01T00:00:00"]) == 0
    before = current(store)
    capsys.readouterr()
    bad = make(tmp_path)
    code = run(["ingest", str(bad), "--store", str(store), "--now", "2025-01-01T00:00:00"])
    said = capsys.readouterr()
    assert code == 1
    assert bad.name in said.err
    assert "Traceback" not in said.err + said.out
    assert current(store) == before
    assert not (tmp_path.parent / "outside.md").exists()
