"""A store that came from others: what it writes to is in its folder, whatever links stand there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from stored_life import NOW, QUESTIONS, chat, exports, import_life

from reqap_kg.cli.app import run
from reqap_kg.store.folder import write_whole
from reqap_kg.store.generations import current

NAMES = (
    "import.lock", "dialogue.jsonl", "chat-history", "dialogue.kept", "demo.sha256", "dialogues", "cache",
    "cache/vectors.sqlite", "cache/notes.sqlite", "cache/vectors.sqlite-wal", "NOW.lock", "NOW.open", "NEXT.lock",
)  # fmt: skip


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    return import_life(root / "exports", root / "store")


@pytest.mark.parametrize("kind", ["dangling", "file", "pipe"])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_written_through_a_link(
    name: str, kind: str, life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    outside = tmp_path / "outside" / "file"
    outside.parent.mkdir()
    now = str(current(store))
    place = store / name.replace("NOW", now).replace("NEXT", f"gen-{int(now[4:]) + 1:06d}")
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.parent.mkdir(exist_ok=True)
    if kind == "file":
        outside.write_bytes(b"mine")
    if kind == "pipe":
        if name in ("dialogues", "cache") or name.startswith("cache/") or name == "chat-history":
            pytest.skip("a pipe is no folder, and neither a database nor a prompt opens one in these commands")
        os.mkfifo(place)
    else:
        place.symlink_to(outside)
    more = exports(tmp_path / "exports")[0]
    more.write_text(more.read_text() + more.read_text().splitlines()[0].replace("2024", "2023") + "\n")
    codes = [
        run(["ingest", str(more), "--source", more.stem, "--store", str(store), "--now", NOW, "--no-index"]),
        run(["ask", QUESTIONS[0], "--store", str(store), "--now", NOW]),
        run(["retrieve", "lunch with a friend", "--store", str(store)]),
        chat(store, QUESTIONS[0]),
        run(["forget", "--dialogues", "--store", str(store)]),
    ]
    assert set(codes) <= {0, 1, 3}
    if kind == "file":
        assert outside.read_bytes() == b"mine"
        assert outside.parent.stat().st_nlink == 2
    assert [path.name for path in outside.parent.iterdir()] == (["file"] if kind == "file" else [])
    assert "Traceback" not in capsys.readouterr().err


def test_a_half_written_file_is_no_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (tmp_path / f"CURRENT.{os.getpid()}.new").symlink_to(outside)
    write_whole(tmp_path / "CURRENT", "gen-000001\n")
    assert not outside.exists()
    assert (tmp_path / "CURRENT").read_text() == "gen-000001\n"
