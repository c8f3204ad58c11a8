"""Exit codes of `ask`: 0 answered, 3 nothing found, 4 not understood; with --json as without."""

from __future__ import annotations

from pathlib import Path

import pytest

from reqap_kg.cli.app import run


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("How many runs did I do in 2024?", 0),
        ("What did I watch in July 2019?", 3),
        ("How many books did I read?", 3),
        ("Why do I run?", 4),
        ("asdf qwer", 4),
    ],
)
def test_exit_codes(demo_store: Path, tmp_path: Path, question: str, code: int) -> None:
    config = tmp_path / "config.toml"
    config.write_text('proposers = ["rules"]\nread_texts = false\nclassifiers = false\n', encoding="utf-8")
    arguments = ["ask", question, "--store", str(demo_store), "--now", "2025-03-01T12:00:00", "--config", str(config)]
    assert run(arguments) == code
    assert run([*arguments, "--json"]) == code


@pytest.mark.parametrize("question", ["", "\u200b\u00ad", "\u0301"])
def test_a_question_without_a_word_is_not_understood(demo_store: Path, question: str) -> None:
    assert run(["ask", question, "--store", str(demo_store), "--now", "2025-03-01T12:00:00"]) == 4


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "1e300"])
def test_a_time_limit_is_one(demo_store: Path, seconds: str) -> None:
    assert run(["sparql", "ASK { ?a ?b ?c }", "--timeout", seconds, "--store", str(demo_store)]) == 2


@pytest.mark.parametrize("content", ["Title,Date\n", "Title,Date\nFern,some day\n"])
def test_an_import_of_nothing_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    (tmp_path / "history.csv").write_text(content, encoding="utf-8")
    assert run(["ingest", str(tmp_path / "history.csv"), "--store", str(tmp_path / "store"), "--no-index"]) == 1
    told = "".join(capsys.readouterr())
    assert "no record is in it" in told or "no date in the order" in told
