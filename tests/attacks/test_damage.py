"""Bytes of a store that flip, go or come: the same right answers as before, or one sentence that says what to do."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stored_life import HOW_MANY, NOW, QUESTIONS, answers, chat, import_life

from reqap_kg.cli.app import run
from reqap_kg.engine.conversation.journal import Journal
from reqap_kg.store.folder import DIALOGUES, JOURNAL
from reqap_kg.store.generations import current, open_graph
from reqap_kg.store.upkeep.seal import open_mark

Damage = Callable[[Path, random.Random], None]


def flip(path: Path, rng: random.Random) -> None:
    held = bytearray(path.read_bytes())
    if held:
        held[rng.randrange(len(held))] ^= 1 << rng.randrange(8)
    path.write_bytes(held)


def cut(path: Path, rng: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size + 1)])


def shorten(path: Path, rng: random.Random) -> None:
    held = path.read_bytes()
    at = rng.randrange(len(held) + 1)
    path.write_bytes(held[:at] + held[at + 1 :])


def append(path: Path, rng: random.Random) -> None:
    path.write_bytes(path.read_bytes() + bytes([rng.randrange(256)]))


def remove(path: Path, rng: random.Random) -> None:
    del rng
    path.unlink()


DAMAGES: tuple[Damage, ...] = (flip, flip, cut, shorten, append, remove)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two sources, derivations, caches, an index and a dialogue."""
    root = tmp_path_factory.mktemp("life")
    store = import_life(root / "exports", root / "store")
    assert chat(store, *QUESTIONS) == 0
    for question in QUESTIONS:
        assert run(["ask", question, "--store", str(store), "--now", NOW]) == 0
    return store


def asked_in_chats(store: Path) -> int:
    return Journal(store).kept(60).questions


def only_its_end_is_gone(journal: Path, whole: bytes) -> bool:
    """Whether a journal lost nothing, or whole lines at its end, which nothing tells of: it may end anywhere."""
    held = journal.read_bytes() if journal.exists() else b""
    return whole.startswith(held) and (not held or held.endswith(b"\n"))


def is_one_sentence(said: str) -> bool:
    lines = said.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("reqap-kg: ") and "Traceback" not in said


def drawn(store: Path, rng: random.Random) -> Path:
    """A file of the store, the kinds of files with equal chances, as most are tables."""
    files = [path for path in sorted(store.rglob("*")) if path.is_file()]
    kinds = sorted({path.suffix or path.name[:8] for path in files})
    kind = rng.choice(kinds)
    return rng.choice([path for path in files if (path.suffix or path.name[:8]) == kind])


def test_damage_is_noticed_and_mended(
    life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], full_attack: bool
) -> None:
    whole = shutil.copytree(life, tmp_path / "whole")
    right = answers(whole, capsys)
    assert all(code == 0 for code, *_ in right)
    noticed = 0
    for seed in range(120 if full_attack else 3):
        rng = random.Random(seed)
        store = shutil.copytree(life, tmp_path / f"store{seed}")
        path, damage = drawn(store, rng), rng.choice(DAMAGES)
        what = f"{damage.__name__} of {path.relative_to(store)}, seed {seed}"
        damage(path, rng)
        journal = store / JOURNAL
        shortened = path == journal and only_its_end_is_gone(journal, (life / JOURNAL).read_bytes())
        expected = [*right[:-1]] if shortened else right
        for (code, answer, said), (_, wanted, _) in zip(answers(store, capsys), expected, strict=not shortened):
            if code == 0:
                assert answer == wanted, what
            else:
                assert code == 1, f"{what}: {code} {said}"
                assert is_one_sentence(said), f"{what}: {said}"
                assert "doctor --repair" in said, what
                noticed += 1
        talked = chat(store, QUESTIONS[0])
        said = capsys.readouterr()
        assert talked == 0 or (talked == 1 and is_one_sentence(said.err)), f"{what}: {said}"
        mended = run(["doctor", "--repair", "--json", "--store", str(store)])
        told = capsys.readouterr().out
        assert mended == 0, f"{what}: {told}"
        assert answers(store, capsys)[:-1] == right[:-1], f"{what}, after {told}"
        Journal(store).check()
        lost = len(QUESTIONS) + (talked == 0) - asked_in_chats(store)
        assert 0 <= lost <= (len(QUESTIONS) if path == journal else 0), f"{what}, after {told}"
        shutil.rmtree(store)
    assert noticed or not full_attack


@pytest.mark.smoke
def test_a_doctor_without_repair_changes_nothing_and_names_the_file(
    life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    assert run(["doctor", "--store", str(store)]) == 0
    table = max((store / str(current(store)) / "db").glob("*.sst"), key=lambda path: path.stat().st_size)
    flip(table, random.Random(1))
    capsys.readouterr()
    assert run(["doctor", "--json", "--store", str(store)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["whole"]
    assert any(table.name in row["said"] for row in found["findings"] if row["outcome"] == "damaged")
    assert run(["doctor", "--store", str(store)]) == 1


@pytest.mark.smoke
def test_a_change_whose_time_was_set_back_is_noticed(life: Path, tmp_path: Path) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    assert run(["status", "--store", str(store)]) == 0
    table = max((store / str(current(store)) / "db").glob("*.sst"), key=lambda path: path.stat().st_size)
    before = table.stat()
    flip(table, random.Random(2))
    os.utime(table, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run(["status", "--store", str(store)]) == 1


def test_what_is_lost_is_named(life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    root = store / str(current(store))
    (copy,) = root.glob("copies/*source%2Fdiary*")
    flip(copy, random.Random(3))
    for table in root.glob("db/*.sst"):
        table.write_bytes(b"nothing")
    capsys.readouterr()
    assert run(["doctor", "--repair", "--store", str(store)]) == 1
    said = capsys.readouterr().out
    assert "lost" in said
    assert "diary" in said
    assert answers(store, capsys)[0][:2] == (0, [8])


@pytest.mark.parametrize("damage", [flip, shorten, cut])
def test_a_damaged_journal_is_told_where_dialogues_are_asked_about(
    damage: Damage, life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    right = answers(store, capsys)
    damage(store / JOURNAL, random.Random(5))
    found = answers(store, capsys)
    assert found[:-1] == right[:-1]
    assert found[-1][0] == 1
    assert is_one_sentence(found[-1][2])
    assert JOURNAL in found[-1][2]
    assert run(["doctor", "--store", str(store)]) == 1
    assert "journal: damaged" in capsys.readouterr().out
    assert run(["doctor", "--repair", "--store", str(store)]) == 0
    assert "journal: mended" in capsys.readouterr().out
    code, count, _ = answers(store, capsys)[-1]
    assert (code, count) == (0, [asked_in_chats(store)])


def test_what_the_journal_is_read_into_is_made_again(
    life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    right = answers(store, capsys)
    for table in (store / DIALOGUES).glob("gen-*/db/*.sst"):
        flip(table, random.Random(6))
    code, _, said = answers(store, capsys)[-1]
    assert code == 1
    assert is_one_sentence(said)
    assert run(["doctor", "--store", str(store)]) == 1
    assert "dialogues: damaged" in capsys.readouterr().out
    assert run(["doctor", "--repair", "--store", str(store)]) == 0
    assert answers(store, capsys) == right


KILLED = """
import os, signal, sys
from pathlib import Path
from reqap_kg.store.generations import open_graph
from reqap_kg.store.rdf import Literal, NamedNode, Triple
with open_graph(Path(sys.argv[1]), write=True) as graph:
    graph.replace_graph("urn:derived", [Triple(NamedNode("urn:a"), NamedNode("urn:b"), Literal("c"))])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_is_no_damage(life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    right = [code_answer[:2] for code_answer in answers(store, capsys)]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(store)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert open_mark(store, str(current(store))).exists()
    with open_graph(store) as graph:
        assert "urn:derived" in graph.graphs()
    assert [code_answer[:2] for code_answer in answers(store, capsys)] == right
    assert not open_mark(store, str(current(store))).exists()


ASKED = """
import sys
from reqap_kg.cli.app import run
from reqap_kg.engine.conversation.journal import Journal
from reqap_kg.store.folder import DIALOGUES, JOURNAL
at = ["--store", sys.argv[1], "--now", "2025-01-01T12:00:00"]
codes = [run(["ask", question, "--json", *at]) for question in sys.argv[2:4]]
commands = ["ingest", sys.argv[4]], ["forget", "diary"], ["forget", "--dialogues"]
codes += [run([*command, "--store", sys.argv[1]]) for command in commands]
codes += [run(["chat", *at])]
print("codes", codes, file=sys.stderr)
"""


def without_rights() -> list[str]:
    """What makes a child process one to which permissions apply: for root, without the right to pass them over."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    tool = shutil.which("setpriv")
    if tool is None:
        pytest.skip("root may write everywhere, and there is no setpriv")
    return [tool, "--bounding-set", "-dac_override,-dac_read_search,-fowner"]


def test_a_store_that_may_only_be_read_answers(life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    right, *_, asked_before = [answer for _, answer, _ in answers(store, capsys)]
    export = tmp_path / "more.jsonl"
    export.write_text('{"source": "note", "start_date": "2024-01-01", "text": "x"}\n')
    for path in (store, *store.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in store.rglob("*")}
    command = [*without_rights(), sys.executable, "-c", ASKED, str(store), QUESTIONS[0], HOW_MANY, str(export)]
    asked = subprocess.run(command, capture_output=True, text=True, check=False, input="What did I ask you?\n")
    assert "Traceback" not in asked.stderr, asked.stderr
    assert "codes [0, 0, 1, 1, 1, 0]\n" in asked.stderr, asked.stderr
    first, end = json.JSONDecoder().raw_decode(asked.stdout)
    found = [first, json.JSONDecoder().raw_decode(asked.stdout[end:].lstrip())[0]]
    assert [answer["answer"] for answer in found] == [right, asked_before]
    assert all(any("may only be read" in note for note in answer["notes"]) for answer in found), found
    assert "Nothing of this chat is kept: the store may only be read." in asked.stderr
    assert {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in store.rglob("*")} == before
