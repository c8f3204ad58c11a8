"""`bench run`: predictions line by line, whatever fails, and from where a run was cut off."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_lives import GOLD, OBSERVABLES, QUESTIONS, life, lines, read

from reqap_kg.cli.app import run
from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import UsageError
from reqap_kg.evaluation import systems
from reqap_kg.evaluation.running import RunOptions, fingerprint, run_suite, trace_of
from reqap_kg.evaluation.suites.base import Question
from reqap_kg.evaluation.systems import Response, Tracing

OPTIONS = RunOptions(settings=Settings(home_zone="UTC"))


def opened(answer: Callable[[Question], Response], monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Has `answer` be the system of that name."""
    monkeypatch.setattr(systems, f"open_{name}", lambda known, life, tracing: answer, raising=False)
    monkeypatch.setitem(systems.SYSTEMS, name, f".systems:open_{name}")  # type: ignore[arg-type]


@pytest.mark.long
def test_a_folder_without_gold_runs_as_one_with(tmp_path: Path) -> None:
    with_gold, without = life(tmp_path / "s1"), life(tmp_path / "bare" / "s1", gold=False)
    assert not any(key in row for row in read(without / "questions.jsonl") for key in GOLD)
    found = []
    for number, folder in enumerate((with_gold, without)):
        out = tmp_path / f"p{number}.jsonl"
        done = run_suite("personas", folder, out, OPTIONS)
        assert (done.answered, done.declined, done.failed) == (3, 1, 0)
        found.append(out.read_text(encoding="utf-8"))
    assert found[0] == found[1]
    rows = read(tmp_path / "p0.jsonl")
    assert [set(row) for row in rows] == [{"id", "answer"}] * 3
    assert [row["answer"] for row in rows] == [[4], [3], []]


@pytest.mark.long
def test_traces_have_times_operators_and_events(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    options = RunOptions(settings=OPTIONS.settings, tracing=Tracing(operators=True, events=True), again=True)
    run_suite("personas", life(tmp_path / "s1"), out, options)
    traces = {row["id"]: row for row in read(trace_of(out)) if "id" in row}
    runs = traces["s1-q2"]
    assert {"plan", "retrieve", "extract", "sparql", "total", "wall", "cpu"} <= set(runs["ms"])
    assert "RETRIEVE" in [name for name, _, _ in runs["operators"]]
    assert sorted(event for event, _ in runs["behind"]) == ["1", "2", "4"]
    assert all(isinstance(found, list) for found in runs["retrieved"].values())
    assert runs["again_ms"]["wall"] >= 0
    assert "not understood" in traces["s1-q3"]["reason"]


@pytest.mark.long
def test_a_question_that_fails_does_not_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: KnowledgeGraph, question: str, **given: Any) -> Any:
        if "running" in question:
            raise KeyError("gone")
        return real(self, question, **given)

    real = KnowledgeGraph.ask
    monkeypatch.setattr(KnowledgeGraph, "ask", ask)
    out = tmp_path / "p.jsonl"
    done = run_suite("personas", life(tmp_path / "s1"), out, OPTIONS)
    assert (done.answered, done.failed) == (3, 1)
    assert [row["answer"] for row in read(out)] == [[4], [], []]
    assert "KeyError" in next(row["reason"] for row in read(trace_of(out)) if row.get("id") == "s1-q2")


def test_a_run_goes_on_where_it_was_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(question: Question) -> Response:
        asked.append(question.id)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return Response((question.id,))

    opened(answer, monkeypatch, "echo")
    folder, out = life(tmp_path / "s1"), tmp_path / "p.jsonl"
    options = RunOptions(settings=OPTIONS.settings, systems=("echo",))
    with pytest.raises(KeyboardInterrupt):
        run_suite("personas", folder, out, options)
    with out.open("a", encoding="utf-8") as half:
        half.write('{"id": "s1-q3", "ans')
    done = run_suite("personas", folder, out, options)
    assert (done.answered, done.before) == (1, 2)
    assert asked == ["s1-q1", "s1-q2", "s1-q3", "s1-q3"]
    assert read(out) == [{"id": f"s1-q{n}", "answer": [f"s1-q{n}"]} for n in (1, 2, 3)]
    run_suite("personas", folder, out, RunOptions(settings=OPTIONS.settings, systems=("echo",), fresh=True))
    assert len(asked) == 7


def test_predictions_of_other_questions_are_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    lines(out, [{"id": "other", "answer": [1]}])
    lines(trace_of(out), [{"id": "other"}])
    with pytest.raises(UsageError, match="other questions"):
        run_suite("personas", life(tmp_path / "s1"), out, OPTIONS)


def test_answers_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    folder, out = life(tmp_path / "s1"), tmp_path / "p.jsonl"
    run_suite("personas", folder, out, replace(OPTIONS, limit=1))
    with pytest.raises(UsageError, match="another run"):
        run_suite("personas", folder, out, replace(OPTIONS, label={"switches": ["keys-only"]}))
    done = run_suite("personas", folder, out, replace(OPTIONS, label={"switches": ["keys-only"]}, fresh=True, limit=1))
    assert (done.answered, done.before) == (1, 0)


@pytest.mark.long
def test_several_systems_answer_in_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Question] = []

    def answer(question: Question) -> Response:
        seen.append(question)
        return Response((3,), ms={"read": 1.0})

    opened(answer, monkeypatch, "three")
    out = tmp_path / "p.jsonl"
    done = run_suite(
        "personas", life(tmp_path / "s1"), out, RunOptions(settings=OPTIONS.settings, systems=("reqap", "three"))
    )
    assert done.files == [str(out), str(tmp_path / "p.three.jsonl")]
    assert [row["answer"] for row in read(tmp_path / "p.three.jsonl")] == [[3]] * 3
    assert set(vars(seen[0])) == {"id", "text", "now", "context", "speaker"}


def test_the_store_is_built_anew_only_when_its_data_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imports: list[Path] = []
    from reqap_kg.evaluation import running

    real = running.ingest

    def ingest(paths: Any, directory: Path, options: Any) -> Any:
        imports.append(directory)
        return real(paths, directory, options)

    monkeypatch.setattr(running, "ingest", ingest)
    folder, out = life(tmp_path / "s1"), tmp_path / "p.jsonl"
    fresh = RunOptions(settings=OPTIONS.settings, fresh=True, limit=1)
    run_suite("personas", folder, out, fresh)
    run_suite("personas", folder, out, fresh)
    assert len(imports) == 1
    more = {**OBSERVABLES[0], "id": 9, "start_date": "2024-05-01", "end_date": "2024-05-01"}
    lines(folder / "observables.jsonl", [*OBSERVABLES, more])
    run_suite("personas", folder, out, fresh)
    assert len(imports) == 2
    assert read(out)[0]["answer"] == [5]


def test_fingerprints_tell_contents_apart(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one", encoding="utf-8")
    first = fingerprint((tmp_path,))
    assert fingerprint((tmp_path,)) == first
    (tmp_path / "a").write_text("two", encoding="utf-8")
    assert fingerprint((tmp_path,)) != first


@pytest.mark.long
def test_the_layout_in_which_perqa_is_released(tmp_path: Path) -> None:
    folder = tmp_path / "test" / "test_persona_0"
    folder.mkdir(parents=True)
    with (folder / "test_persona_0_obs.csv").open("w", encoding="utf-8", newline="") as stream:
        times = ("start_date", "start_time", "end_date", "end_time")
        out = csv.DictWriter(stream, ["id", *times, "event_type", "event_data", "properties_mentioned"])
        out.writeheader()
        for row in OBSERVABLES:
            data = {key: value for key, value in row.items() if key not in ("id", "source", *times)}
            told = {"id": row["id"], "event_type": row["source"], "event_data": json.dumps(data)}
            out.writerow({**told, **{key: row[key] for key in times}, "properties_mentioned": "[]"})
    questions = [{"question": q["question"], "answers": q["answer"], "reference_date": "2024-06-30"} for q in QUESTIONS]
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    out_path = tmp_path / "p.jsonl"
    run_suite("perqa", tmp_path / "test", out_path, OPTIONS)
    assert [row["answer"] for row in read(out_path)] == [[4], [3], []]
    assert read(out_path)[0]["id"] == "test_persona_0-0"


@pytest.mark.long
def test_exports_are_read_where_asked(tmp_path: Path) -> None:
    folder = life(tmp_path / "s1")
    (folder / "exports").mkdir()
    lines(folder / "exports" / "sport.jsonl", OBSERVABLES[:1])
    config = tmp_path / "config.toml"
    config.write_text('home_zone = "UTC"\n', encoding="utf-8")
    given = ["--out", str(tmp_path / "p.jsonl"), "--read", "exports", "--config", str(config)]
    assert run(["bench", "run", "personas", str(folder), *given]) == 0
    assert read(tmp_path / "p.jsonl")[0]["answer"] == [1]


@pytest.mark.parametrize(
    "wrong",
    [
        ["bench", "run", "nothing", "{dir}", "--out", "{out}"],
        ["bench", "run", "personas", "{dir}/none", "--out", "{out}"],
        ["bench", "run", "personas", "{dir}", "--out", "{out}", "--read", "elsewhere"],
        ["bench", "run", "personas", "{dir}", "--out", "{out}", "--system", "oracle"],
        ["bench", "run", "personas", "{dir}", "--out", "{out}", "--rules-only", "--model-only"],
    ],
)
def test_wrong_usage_is_told(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = life(tmp_path / "s1")
    arguments = [part.format(dir=folder, out=tmp_path / "p.jsonl") for part in wrong]
    assert run(arguments) == 2
    assert "reqap-kg:" in capsys.readouterr().err
