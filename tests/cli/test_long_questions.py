"""A question that is too long is refused in one sentence, wherever it comes from, and nothing of it is run."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from reqap_kg.cli.app import run
from reqap_kg.planner.patterns.limits import LONGEST_QUESTION, MOST_WORDS

NOW = "2025-03-01T12:00:00"
LONG = "How many runs did I do in 2024" + " or in 2024" * 100
MANY_WORDS = "a " * (MOST_WORDS + 1)
SAID = f"a question has at most {LONGEST_QUESTION:,} characters; this one has {len(LONG):,}"


@pytest.mark.parametrize(
    "command", [["ask"], ["ask", "--explain"], ["plan"], ["plan", "--parse-graph"], ["plan", "--top", "3"]]
)
def test_one_question(command: list[str], demo_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, LONG, "--store", str(demo_store), "--now", NOW]) == 2
    assert capsys.readouterr().err == f"reqap-kg: {SAID}\n"


def test_too_many_words(demo_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", MANY_WORDS, "--store", str(demo_store), "--now", NOW]) == 2
    assert f"at most {MOST_WORDS} words" in capsys.readouterr().err


def test_batch_goes_on(demo_store: Path, tmp_path: Path) -> None:
    asked, told = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": 1, "question": LONG}, {"id": 2, "question": "How many runs did I do in 2024?"}]
    asked.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["ask", "--batch", str(asked), "--out", str(told), "--store", str(demo_store), "--now", NOW]) == 2
    first, second = (json.loads(line) for line in told.read_text().splitlines())
    assert (first["warnings"], first["answer"]) == ([SAID], [])
    assert second["answer"] == [57]


@pytest.mark.parametrize("context", [["How many runs did I do in 2023?"], [LONG]])
def test_context(context: list[str], demo_store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "context.json"
    file.write_text(json.dumps(context))
    question = "And in 2024?" if context == [LONG] else LONG
    assert run(["ask", question, "--context", str(file), "--store", str(demo_store), "--now", NOW]) == 2
    assert f"has at most {LONGEST_QUESTION:,} characters" in capsys.readouterr().err


def test_chat_goes_on(demo_store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(f"{LONG}\nHow many runs did I do in 2024?\n"))
    assert run(["chat", "--store", str(demo_store), "--now", NOW]) == 0
    told = capsys.readouterr().out
    assert f"failed: {SAID}" in told
    assert "57 runs" in told
