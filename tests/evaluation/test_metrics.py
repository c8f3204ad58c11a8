"""`bench score`: shares by group, McNemar's test, errors by stage, tables, JSON and the page of charts."""

from __future__ import annotations

import json
import re
from math import comb
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from small_lives import QUESTIONS, life, lines

from reqap_kg.cli.app import run
from reqap_kg.errors import UsageError
from reqap_kg.evaluation.metrics import Times, mcnemar, scored, stage_of_error
from reqap_kg.evaluation.report import page, tables
from reqap_kg.evaluation.running import trace_of
from reqap_kg.evaluation.suites.base import Gold, Options

ANSWERS = {"s1-q1": [4], "s1-q2": [3.9], "s1-q3": []}
ALWAYS_FOUR = {"s1-q1": [4], "s1-q2": [4]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = life(tmp_path / "s1")
    lines(tmp_path / "one.jsonl", [{"id": id_, "answer": answer} for id_, answer in ANSWERS.items()])
    lines(tmp_path / "two.jsonl", [{"id": id_, "answer": answer} for id_, answer in ALWAYS_FOUR.items()])
    ms = {"plan": 10.0, "total": 30.0, "wall": 40.0}
    traces: list[dict[str, Any]] = [{"id": id_, "ms": ms, "operators": [["RETRIEVE", 5.0, 4]]} for id_ in ANSWERS]
    traces[2]["reason"] = "not understood: “gizmo”"
    lines(trace_of(tmp_path / "one.jsonl"), [*traces, {"run": {"system": "reqap", "switches": ["keys-only"]}}])
    return found


def test_shares_of_questions_by_group(folder: Path, tmp_path: Path) -> None:
    found = scored("personas", folder, [tmp_path / "one.jsonl"], Options())
    system = found.systems[0]
    assert (system.name, system.switches) == ("reqap", ("keys-only",))
    assert (system.whole.count, system.whole.hit, system.whole.relaxed) == (3, 1 / 3, 2 / 3)
    assert (system.whole.answered, system.whole.precision) == (2 / 3, 0.5)
    kinds = system.groups["complexity"]
    assert {name: (cell.count, cell.hit, cell.relaxed) for name, cell in kinds.items()} == {
        "aggregation": (2, 0.5, 1.0),
        "join": (1, 0.0, 0.0),
        "temporal": (1, 1.0, 1.0),
    }
    assert system.groups["persona"]["s1"].count == 3
    assert system.stages["wall"].median == 40.0
    assert system.operators["RETRIEVE"] == Times(3, 5.0, 5.0, 5.0, 15.0)
    assert system.errors == {"wrong": 1, "declined": 1}
    assert [miss.id for miss in system.misses] == ["s1-q2", "s1-q3"]


def test_a_missing_prediction_is_wrong(folder: Path, tmp_path: Path) -> None:
    system = scored("personas", folder, [tmp_path / "two.jsonl"], Options()).systems[0]
    assert system.name == "two"
    assert system.whole.hit == 2 / 3
    assert system.errors == {"not asked": 1}


@pytest.mark.parametrize(("first", "second", "p"), [(0, 0, 1.0), (5, 5, 1.0), (10, 2, 0.03857421875), (0, 6, 0.03125)])
def test_mcnemar(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p)
    assert mcnemar(second, first) == mcnemar(first, second)


def test_mcnemar_is_the_binomial_test() -> None:
    for n in range(1, 40):
        for k in range(n + 1):
            equal = comb(n, k)
            expected = sum(comb(n, i) for i in range(n + 1) if comb(n, i) <= equal) / 2**n
            assert mcnemar(k, n - k) == pytest.approx(expected)


def test_systems_are_compared_on_the_same_questions(folder: Path, tmp_path: Path) -> None:
    found = scored("personas", folder, [tmp_path / "two.jsonl", tmp_path / "one.jsonl"], Options())
    whole = next(c for c in found.comparisons if c.group == "all")
    assert (whole.first, whole.second) == ("two", "reqap --keys-only")
    assert (whole.only_first, whole.only_second, whole.p) == (1, 0, 1.0)
    assert {c.group for c in found.comparisons} > {"all", "complexity: join"}


def test_without_gold_there_is_nothing_to_score(tmp_path: Path) -> None:
    lines(tmp_path / "one.jsonl", [])
    with pytest.raises(UsageError, match="no gold"):
        scored("personas", life(tmp_path / "s1", gold=False), [tmp_path / "one.jsonl"], Options())


def _stage(retrieved: list[str], behind: list[tuple[str, str]], plan: str, **more: Any) -> str:
    gold = Gold("q", "?", {}, (), (frozenset("12"), frozenset("3")))
    trace = {"retrieved": {"runs": retrieved}, "behind": behind, "plan": plan, **more}
    return stage_of_error(gold, trace, asked=True, declined=False)


READS = 'EXTRACT(l=RETRIEVE(query="runs"), attr_names=["distance"], attr_types=[float])'
COUNTS = 'APPLY(l=RETRIEVE(query="runs"), fct=len)'


@pytest.mark.parametrize(
    ("retrieved", "behind", "plan", "stage"),
    [
        ([], [], COUNTS, "RETRIEVE"),
        (["8", "9"], [("8", "Workout")], COUNTS, "tree"),
        (["1"], [("1", "Workout")], COUNTS, "RETRIEVE"),
        (["1", "3"], [("1", "Workout")], READS, "EXTRACT"),
        (["1", "3"], [("1", "Workout")], COUNTS, "tree"),
        (["1", "3"], [("1", "Workout"), ("3", "Mail"), ("7", "Mail")], COUNTS, "RETRIEVE"),
        (["1", "3"], [("1", "Workout"), ("3", "Mail"), ("7", "Workout")], COUNTS, "tree"),
        (["2", "3"], [("2", "Workout"), ("3", "Mail")], READS, "EXTRACT"),
        (["2", "3"], [("2", "Workout"), ("3", "Mail")], COUNTS, "tree"),
    ],
)
def test_errors_are_laid_to_a_stage(retrieved: list[str], behind: list[tuple[str, str]], plan: str, stage: str) -> None:
    assert _stage(retrieved, behind, plan) == stage


def test_other_errors_are_told_apart() -> None:
    assert _stage([], [], COUNTS, failed=True) == "failed"
    gold = Gold("q", "?", {})
    assert stage_of_error(gold, None, asked=False, declined=True) == "not asked"
    assert stage_of_error(gold, {}, asked=True, declined=True) == "declined"
    assert stage_of_error(gold, {"plan": COUNTS}, asked=True, declined=False) == "wrong"


def test_the_page_stands_alone_and_escapes(folder: Path, tmp_path: Path) -> None:
    rows = [{**row, "question": f"<b>{row['question']}</b>"} for row in QUESTIONS]
    lines(folder / "questions.jsonl", rows)
    html = page(scored("personas", folder, [tmp_path / "one.jsonl", tmp_path / "two.jsonl"], Options()))
    assert "<b>" not in html
    assert "&lt;b&gt;Frobnicate" in html
    assert not re.search(r"""(src|href)=|https?://|@import|<script|url\(""", html)
    drawn = re.findall(r"<svg.*?</svg>", html, re.S)
    assert len(drawn) >= 5
    for svg in drawn:
        bars = [node for node in ElementTree.fromstring(svg).iter("rect")]
        assert all(0 <= float(bar.get("width", "-1")) <= 420 for bar in bars)


def test_tables_name_every_group(folder: Path, tmp_path: Path) -> None:
    found = scored("personas", folder, [tmp_path / "one.jsonl", tmp_path / "two.jsonl"], Options())
    shown = dict(tables(found, misses=1))
    assert ("reqap --keys-only", "3", "0.333", "0.667", "0.667", "0.500", "0.333", "40") in shown[
        "personas: 3 questions"
    ]
    assert ("aggregation", "two", "2", "1.000", "1.000", "1.000", "1.000", "0.000") in shown["Complexity types"]
    assert len(shown["Not right: reqap --keys-only"]) == 2


def test_the_command_line(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, html, out = str(tmp_path / "one.jsonl"), tmp_path / "page.html", tmp_path / "score.json"
    assert run(["bench", "score", "personas", str(folder), one, "--html", str(html), "--json", str(out)]) == 0
    assert "Hit@1" in capsys.readouterr().out
    assert html.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(out.read_text(encoding="utf-8"))["systems"][0]["all"]["count"] == 3
    assert run(["bench", "score", "personas", str(folder), one, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["suite"] == "personas"


@pytest.mark.shared_data
def test_conversations_are_scored_by_recall_and_f2(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "temporal-memory"
    rows = [
        json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()
    ]
    lines(tmp_path / "gold.jsonl", [{"id": row["id"], "events": row["relevant"]} for row in rows])
    lines(tmp_path / "half.jsonl", [{"id": row["id"], "events": [*row["relevant"], -1]} for row in rows])
    found = scored("temporal-memory", folder, [tmp_path / "gold.jsonl", tmp_path / "half.jsonl"], Options())
    assert found.systems[0].whole.hit == found.systems[0].whole.relaxed == 1
    assert found.systems[1].whole.hit == 1
    tests = found.systems[1].groups["test"]
    assert found.systems[1].whole.relaxed == pytest.approx(sum(cell.relaxed for cell in tests.values()) / len(tests))


@pytest.mark.shared_data
def test_gold_as_predictions_is_right(shared_data: Path, tmp_path: Path) -> None:
    for suite, pattern in (("personas", "*/questions.jsonl"), ("timelineqa", "*/questions_*.jsonl")):
        rows = [
            json.loads(line) for path in (shared_data / suite).glob(pattern) for line in path.open(encoding="utf-8")
        ]
        lines(tmp_path / f"{suite}.jsonl", [{"id": row["id"], "answer": row["answer"]} for row in rows])
        found = scored(suite, shared_data / suite, [tmp_path / f"{suite}.jsonl"], Options())
        assert found.systems[0].whole.hit == 1
