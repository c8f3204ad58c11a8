"""A batch gives one object for each line, in order, as `ask --json` gives it; what cannot be asked has its sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.cli.app import run

NOW = "2025-03-01T12:00:00"
QUESTIONS = ("How many runs did I do in 2024?", "Why do I run?", "What did I watch in July 2019?", "", "asdf qwer")
ODD = (
    "", "   ", "null", "5", '"text"', "[]", "{", '{"a": NaN}', "9" * 5_000, '{"id": "x"}', '{"question": 5}',
    '{"question": "How many runs?", "now": "99999-01-01"}', '{"question": "How many runs?", "now": "0000-00-00"}',
    '{"question": "How many runs?", "now": {"a": 1}}', '{"question": "And in 2023?", "context": {"a": 1}}',
    '{"question": ' + "9" * 5_000 + "}", json.dumps({"question": "How many runs in " + "9" * 5_000 + "?"}),
)  # fmt: skip
"""Lines that are no question that can be asked."""


@pytest.fixture(scope="module")
def given(demo_store: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    config = tmp_path_factory.mktemp("config") / "config.toml"
    config.write_text('proposers = ["rules"]\nread_texts = false\nclassifiers = false\n', encoding="utf-8")
    return ["--store", str(demo_store), "--now", NOW, "--config", str(config)]


def answered(lines: list[str], given: list[str], folder: Path) -> tuple[int, list[dict[str, Any]]]:
    batch, out = folder / "in.jsonl", folder / "out.jsonl"
    batch.write_text("\n".join(lines), encoding="utf-8")
    code = run(["ask", "--batch", str(batch), "--out", str(out), *given])
    return code, [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_each_odd_line_has_its_object_and_sentence(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [json.dumps({"id": "q", "question": QUESTIONS[0]})]
    lines = [line for odd in ODD for line in (odd, *asked)]
    code, found = answered(lines, given, tmp_path)
    assert code == 2
    assert [row["id"] for row in found[1::2]] == ["q"] * len(ODD)
    assert [row["answer"] for row in found[1::2]] == [[57]] * len(ODD)
    assert [row["id"] for row in found[::2] if row["id"] != "x"] == [n for n in range(1, 2 * len(ODD), 2) if n != 19]
    for row in found[::2]:
        assert row["answer"] == []
        assert row["reason"] == "usage"
        assert row["text"] == row["error"] == row["warnings"][0] != ""
    assert f"{2 * len(ODD)} lines: {len(ODD)} answered, {len(ODD)} no question that can be asked" in (
        capsys.readouterr().err
    )


def test_a_line_is_answered_as_a_question_alone(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = answered([json.dumps({"id": n, "question": q}) for n, q in enumerate(QUESTIONS)], given, tmp_path)
    assert code == 0
    assert "5 lines: 1 answered, 4 without an answer" in capsys.readouterr().err
    for number, question in enumerate(QUESTIONS):
        run(["ask", question, "--json", *given])
        alone = json.loads(capsys.readouterr().out)
        one = found[number]
        assert one.pop("id") == number
        assert one.pop("understood", False) is False
        assert {**one, "timings_ms": 0} == {**alone, "timings_ms": 0}
        assert one["text"]
