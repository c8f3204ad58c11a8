"""`backup`, `restore` and `export` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reqap_kg.cli.app import run

Out = pytest.CaptureFixture[str]
QUESTION = "how many workouts did I do?"


def printed(capsys: Out, *arguments: str) -> dict:
    assert run(list(arguments)) == 0
    return json.loads(capsys.readouterr().out)


def test_a_life_moves_to_another_machine(small_life: Path, tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "secret").write_text("correct horse battery\n")
    file, secret = str(tmp_path / "life.age"), str(tmp_path / "secret")
    told = printed(capsys, "backup", file, "--passphrase-file", secret, "--store", str(small_life), "--json")
    assert told["encrypted"] is True
    target = str(tmp_path / "new")
    found = printed(capsys, "restore", file, "--passphrase-file", secret, "--no-index", "--store", target, "--json")
    assert {key: found[key] for key in ("graphs", "quads", "bytes")} == {
        key: told[key] for key in ("graphs", "quads", "bytes")
    }
    before, after = (printed(capsys, "ask", QUESTION, "--store", one, "--json") for one in (str(small_life), target))
    assert (before["answer"], before["events"]) == (after["answer"], after["events"])


def test_what_was_written_is_said(small_life: Path, tmp_path: Path, capsys: Out) -> None:
    assert run(["backup", str(tmp_path / "life.reqap"), "--store", str(small_life)]) == 0
    said = capsys.readouterr().out
    assert "not encrypted" in said
    assert "triples in" in said
    assert run(["export", str(tmp_path / "life.parquet"), "--store", str(small_life)]) == 0
    assert "events written to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["restore", "nowhere"], "there is no backup"),
        (["backup", "no/such/folder/life"], "there is no folder"),
        (["backup", "x.age", "--passphrase-file", "nowhere"], "cannot be read"),
        (["export", "life.xml"], "life.xml ends in none of"),
    ],
)
def test_what_cannot_be_done_is_told(
    small_life: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    store = str(tmp_path / "new") if arguments[0] == "restore" else str(small_life)
    assert run([*arguments, "--store", store]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_short_passphrase_is_refused(small_life: Path, tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "secret").write_text("short")
    arguments = ["backup", str(tmp_path / "b"), "--passphrase-file", str(tmp_path / "secret")]
    assert run([*arguments, "--store", str(small_life)]) == 2
    assert "fewer than 8" in capsys.readouterr().err
