"""`training.distil`: only trees that give the gold are kept, as steps that the training reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_lives import NOW, QUESTIONS, life, lines, read

from reqap_kg.bench.lives.generate import Wanted, generate
from reqap_kg.cli.app import run
from reqap_kg.errors import UsageError
from reqap_kg.operators.nodes import Retrieve, walk
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.proposers.language import FewShotExample
from reqap_kg.training.distil import program
from reqap_kg.training.distilling import part_of, split_tree

Row = dict[str, Any]
NOTHING: Row = {"id": "s1-q4", "question": "How many times did I go swimming?", "answer": [], "answer_type": "none"}


@pytest.fixture
def distilled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[Row, list[Row]]]:
    """Distils the small life with these questions: the counts, and the lines."""
    config = tmp_path / "config.toml"
    config.write_text('home_zone = "UTC"\nproposers = ["rules"]\n', encoding="utf-8")

    def made(questions: list[Row], *more: str) -> tuple[Row, list[Row]]:
        folder, out = tmp_path / "lives" / "s1", tmp_path / "steps.jsonl"
        if not folder.exists():
            life(folder)
        lines(folder / "questions.jsonl", [{"now": NOW, "complexity": ["aggregation"], **row} for row in questions])
        given = [str(folder), "--out", str(out), "--config", str(config), "--json", *more]
        capsys.readouterr()
        assert run(given, program) == 0
        return json.loads(capsys.readouterr().out), read(out)

    return made


def test_right_trees_are_kept_and_the_others_counted(distilled: Callable[..., tuple[Row, list[Row]]]) -> None:
    counts, rows = distilled([*QUESTIONS, NOTHING])
    del counts["seconds"]
    # of four runs the gold names, the data has three
    assert counts == {"kept": 1, "wrong": 1, "declined": 1, "failed": 0, "unanswered": 1}
    assert [(row["id"], row["life"], row["proposer"]) for row in rows] == [("s1-q1", "s1", "rules")]


def test_a_wrong_gold_drops_the_tree(distilled: Callable[..., tuple[Row, list[Row]]]) -> None:
    right = {**QUESTIONS[1], "answer": [3]}
    counts, rows = distilled([right])
    assert (counts["kept"], counts["wrong"], len(rows)) == (1, 0, 1)
    counts, rows = distilled([{**right, "answer": [2]}])
    assert (counts["kept"], counts["wrong"], rows) == (0, 1, [])


def test_steps_fill_up_to_the_tree_and_the_training_reads_them(
    distilled: Callable[..., tuple[Row, list[Row]]], tmp_path: Path
) -> None:
    _, rows = distilled([{**QUESTIONS[0], "question": "How many workouts did I do in March 2024?", "answer": [1]}])
    steps = [(question, tree) for question, tree in rows[0]["steps"]]
    assert [question for question, _ in steps] == [
        "How many workouts did I do in March 2024?",
        "workouts I did, in March 2024",
        "workouts I did",
    ]
    assert steps[0][1] == 'APPLY(l=QUD("workouts I did, in March 2024"), fct=len)'
    assert "QUD" not in format_tree(FewShotExample(tuple(steps)).whole)
    training = pytest.importorskip("reqap_kg.training.decomposer_steps", reason="needs transformers")
    read_again = training.read_steps(tmp_path / "steps.jsonl")
    assert read_again == [steps]
    turns = list(training.conversations(read_again[0]))
    assert [len(turn) for turn in turns] == [2, 4, 6]
    assert turns[-1][-1] == {"role": "assistant", "content": 'RETRIEVE(query="workouts I did")'}


def test_trees_in_conditions_are_steps_too() -> None:
    runs = 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'
    whole = parse_tree(f'APPLY(l=APPLY(l=RETRIEVE(query="I swam"), fct=len), fct=lambda n: n - {runs}.result)')
    named = {part.query: part for part in walk(whole) if isinstance(part, Retrieve)}
    steps = split_tree("How many more swims than runs?", whole, named)
    assert [question for question, _ in steps] == ["How many more swims than runs?", "I swam", "I ran"]
    assert "RETRIEVE" not in steps[0][1]
    assert FewShotExample(tuple(steps)).whole == whole


def test_only_lives_for_training_are_used(tmp_path: Path) -> None:
    for split in ("train", "dev"):
        (tmp_path / split).mkdir()
    assert part_of(tmp_path, "train") == tmp_path / "train"
    assert part_of(tmp_path, "all") == tmp_path
    assert part_of(tmp_path / "dev", "train") == tmp_path / "dev"
    with pytest.raises(UsageError, match="no part 'test'"):
        part_of(tmp_path, "test")


def test_generated_lives_are_distilled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate(tmp_path / "lives", Wanted(personas=2, seed=3, events=250, questions=12, exports=False))
    config, out = tmp_path / "config.toml", tmp_path / "steps.jsonl"
    config.write_text('proposers = ["rules"]\nread_texts = false\nclassifiers = false\n', encoding="utf-8")
    given = ["--out", str(out), "--limit", "6", "--top", "2", "--config", str(config)]
    assert run([str(tmp_path / "lives"), *given], program) == 0
    told, rows = capsys.readouterr().out, read(out)
    assert told.startswith("6 questions in")
    assert f"{len(rows)} kept" in told
    assert rows
    assert {row["life"] for row in rows} == {"p1"}
    for row in rows:
        assert FewShotExample(tuple((question, tree) for question, tree in row["steps"])).whole
