"""A full disk and limits on files: one sentence, the old state stands, nothing half-written stays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored_life import NOW, QUESTIONS, answers, chat, import_life

from reqap_kg.cli.app import run
from reqap_kg.errors import StoreError
from reqap_kg.store.upkeep import disk_space

LIMITED = """
import resource, sys
limit = int(sys.argv[1])
from reqap_kg.cli.app import run
import reqap_kg.engine.knowledge, reqap_kg.engine.admin.manage, reqap_kg.engine.conversation.dialogue
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
sys.exit(run(sys.argv[2:]))
"""
LIMITS = (0, 1, 500, 4_000, 30_000, 70_000, 150_000, 400_000)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    store = import_life(root / "exports", root / "store")
    assert chat(store, QUESTIONS[0]) == 0
    return store


@pytest.fixture
def more(tmp_path: Path) -> Path:
    """An export of 3,000 notes."""
    path = tmp_path / "more.jsonl"
    rows = ({"source": "note", "start_date": "2024-01-01", "text": f"note {n} {n * 7919}"} for n in range(3000))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def content(store: Path) -> set[str]:
    """What stands in a store's folder, but for what every opening writes anew."""
    return {
        path.relative_to(store).as_posix()
        for path in store.rglob("*")
        if path.is_file() and path.parent.name != "db" and path.suffix not in (".lock", ".open", ".seal")
    }


def is_told(ended: subprocess.CompletedProcess[str], *words: str) -> None:
    told = [line for line in ended.stderr.splitlines() if line.startswith("reqap-kg: ")]
    assert ended.returncode == 1, (ended.returncode, ended.stdout, ended.stderr)
    assert "Traceback" not in ended.stderr + ended.stdout, ended.stderr
    assert len(told) == 1, ended.stderr
    assert any(word in told[0] for word in words), told


COMMANDS = {
    "ingest": ["ingest", "MORE", "--no-index"],
    "forget": ["forget", "diary"],
    "forget derived": ["forget", "--derived"],
    "ask": ["ask", QUESTIONS[2], "--now", NOW],
    "chat": ["chat", "--now", NOW],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_limit_on_files_leaves_the_old_state(
    command: list[str],
    life: Path,
    more: Path,
    tmp_path: Path,
    full_attack: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    right = [found[:2] for found in answers(shutil.copytree(life, tmp_path / "whole"), capsys)]
    for limit in LIMITS if full_attack else (30_000,):
        store = shutil.copytree(life, tmp_path / f"store{limit}")
        before = content(store)
        given = [str(more) if part == "MORE" else part for part in command]
        ended = subprocess.run(
            [sys.executable, "-c", LIMITED, str(limit), *given, "--store", str(store)],
            capture_output=True,
            text=True,
            check=False,
            input=f"{QUESTIONS[0]}\n",
        )
        if ended.returncode == 0:
            continue  # the limit was no hindrance
        is_told(ended, "ulimit", "limit on files")
        assert {name for name in content(store) - before if not name.startswith(("cache/", "gen-"))} == set()
        assert [name for name in os.listdir(store) if name.startswith("incoming")] == []
        assert len([name for name in os.listdir(store) if name.startswith("gen-") and "." not in name]) == 1
        found = [found[:2] for found in answers(store, capsys)]
        assert found[:-1] == right[:-1]
        shutil.rmtree(store)


def test_answers_of_a_batch_are_written_whole(life: Path, tmp_path: Path) -> None:
    asked, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    asked.write_text("".join(json.dumps({"id": str(n), "question": QUESTIONS[0]}) + "\n" for n in range(400)))
    store = shutil.copytree(life, tmp_path / "store")
    assert run_limited(10**9, ["ask", QUESTIONS[0], "--store", str(store), "--now", NOW]).returncode == 0
    command = ["ask", "--batch", str(asked), "--out", str(out), "--store", str(store), "--now", NOW]
    ended = run_limited(400_000, command)
    is_told(ended, "ulimit", "limit on files")
    lines = out.read_text().splitlines()
    assert lines
    assert all(json.loads(line)["answer"] == [8] for line in lines)
    assert out.stat().st_mode & 0o777 == 0o600


def run_limited(limit: int, command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), *command], capture_output=True, text=True, check=False
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 12 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    tool = shutil.which("mount")
    made = tool and subprocess.run([tool, "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)], check=False)
    if not made or made.returncode:
        pytest.skip("no disk may be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("left", [2_000, 600_000])
def test_a_full_disk_leaves_the_old_state(
    left: int,
    life: Path,
    more: Path,
    small_disk: Path,
    capsys: pytest.CaptureFixture[str],
    full_attack: bool,
) -> None:
    store = shutil.copytree(life, small_disk / "store")
    right = [found[:2] for found in answers(store, capsys)]
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (shutil.disk_usage(small_disk).free - left))
    for command in COMMANDS.values():
        given = [str(more) if part == "MORE" else part for part in command]
        for spare in (
            ("reqap_kg.store.upkeep.disk_space._SPARE = 0", "")
            if full_attack
            else ("reqap_kg.store.upkeep.disk_space._SPARE = 0",)
        ):
            program = LIMITED.replace(
                "import resource, sys", f"import resource, sys, reqap_kg.store.upkeep.disk_space\n{spare}"
            )
            ended = subprocess.run(
                [sys.executable, "-c", program, str(10**9), *given, "--store", str(store)],
                capture_output=True,
                text=True,
                check=False,
                input=f"{QUESTIONS[0]}\n",
            )
            if ended.returncode != 0:
                is_told(ended, "is full", "no room", "disk full")
    filler.unlink()
    assert answers(store, capsys)[0][:2] == right[0]
    assert [name for name in os.listdir(store) if name.startswith("incoming")] == []


@pytest.mark.smoke
def test_room_is_asked_for_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no room .* are needed, .* are free"):
        disk_space.require_space(tmp_path / "not" / "there", 2**60)
    disk_space.require_space(tmp_path, 1)


@pytest.mark.smoke
@given(st.lists(st.integers(0, 200)), st.integers(0, 500))
def test_no_file_too_many_is_left_out_for_room(sizes: list[int], free: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk_space, "_SPARE", 0)
        patch.setattr(disk_space, "_free", lambda _: free)
        out = disk_space.without_space(Path(), sizes)
    kept = [size for at, size in enumerate(sizes) if at not in out]
    assert sum(kept) <= free
    assert not out or sum(kept) + min(sizes[at] for at in out) > free


def test_a_file_of_holes_costs_itself_and_not_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    (folder / "good.json").write_text('[{"source": "note", "date": "2024-05-05", "text": "good"}]', encoding="utf-8")
    with (folder / "holes.mbox").open("wb") as file:
        file.write(b"From x Mon Jan 01 10:00:00 2024\nSubject: a\n\n")
        file.truncate(2**40 if shutil.disk_usage(tmp_path).free < 2**40 else 2**43)
    run(["ingest", str(folder), "--store", str(store), "--no-index", "--now", "2025-03-01T12:00:00"])
    told = capsys.readouterr()
    assert "good (key-value): 1 records read, 1 event" in told.out.replace("1 record read", "1 records read")
    assert "holes.mbox: there is no room on the disk" in " ".join((told.out + told.err).split())
