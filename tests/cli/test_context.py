"""Follow-ups on the command line: `ask --context`, and `context` in a batch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_lives import life

from reqap_kg.cli.app import run

NOW = "2024-06-30T12:00:00"


@pytest.fixture
def given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    store = ["--store", str(tmp_path / "store")]
    assert run(["ingest", str(life(tmp_path / "life")), *store, "--now", NOW]) == 0
    capsys.readouterr()
    return store


def asked(
    question: str, context: object, given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    file = tmp_path / "context.json"
    file.write_text(context if isinstance(context, str) else json.dumps(context), encoding="utf-8")
    assert run(["ask", question, "--context", str(file), "--json", "--now", NOW, *given]) == 0
    return json.loads(capsys.readouterr().out)


COUNTED = "How many times did I go running in 2024?"


@pytest.mark.long
@pytest.mark.parametrize(
    "context",
    [
        [COUNTED],
        [{"question": COUNTED, "answer": [3]}],
        [{"speaker": "Ada", "text": COUNTED}, {"speaker": "assistant", "text": "3 times."}],
        {"context": [COUNTED]},
        COUNTED + "\n",
        json.dumps({"question": COUNTED}) + "\n" + json.dumps({"role": "assistant", "content": "3"}) + "\n",
    ],
)
def test_a_follow_up_is_answered_as_the_question_that_it_means(
    context: object, given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asked("And cycling?", context, given, tmp_path, capsys)
    assert found["answer"] == [1]
    assert found["question"] == "And cycling?"
    assert found["resolved"] == "How many times did I go cycling in 2024?"


def test_an_unambiguous_question_stays_as_it_is(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asked("How many workouts did I do in 2024?", [COUNTED], given, tmp_path, capsys)
    assert found["answer"] == [4]
    assert "resolved" not in found


def test_an_offer_is_accepted(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    context = [{"question": COUNTED, "answer": "3. Would you like to know how far you ran in total?"}]
    found = asked("Yes, please do.", context, given, tmp_path, capsys)
    assert found["answer"] == [18]
    assert found["unit"] == "km"


@pytest.mark.parametrize("context", ["[1]", '[{"speaker": "Ada"}]', '{"question": 3}'])
def test_what_is_no_context_is_refused_with_the_turn(
    context: str, given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "context.json"
    file.write_text(context, encoding="utf-8")
    assert run(["ask", "And cycling?", "--context", str(file), *given]) == 2
    assert "turn 1: expected" in capsys.readouterr().err


def test_a_context_goes_with_a_question(given: list[str], tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    assert run(["ask", "--context", str(file), "--batch", str(file), "--out", str(file), *given]) == 2
    assert run(["ask", "x", "--context", str(file), *given]) == 2
    file.write_text("[]", encoding="utf-8")
    assert run(["ask", "x", "--context", str(file), "--plan", 'RETRIEVE(query="x")', *given]) == 2


def test_contexts_in_a_batch(given: list[str], tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "And cycling?", "context": [COUNTED], "now": NOW},
        {"id": "b", "question": "And cycling?", "context": 7, "now": NOW},
        {"id": "c", "question": COUNTED, "now": NOW},
    ]
    batch, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(["ask", "--batch", str(batch), "--out", str(out), *given]) == 2
    first, second, third = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (first["id"], first["answer"], first["resolved"]) == ("a", [1], "How many times did I go cycling in 2024?")
    assert "expected a list of earlier turns" in second["warnings"][0]
    assert third["answer"] == [3]
    assert "resolved" not in third
