"""The demo life from end to end, as a user has it: import, questions in a batch, right answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import reqap_kg
from reqap_kg.cli.app import run

DEMO = Path(str(reqap_kg.__file__)).parent / "examples" / "demo"


def questions() -> list[dict[str, object]]:
    lines = (DEMO / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["level"] == "structured"]


@pytest.fixture(scope="module")
def store(demo_store: Path) -> Path:
    return demo_store


@pytest.fixture(scope="module")
def answers(read_demo_store: Path) -> dict[str, dict[str, object]]:
    batch, out = read_demo_store.parent / "in.jsonl", read_demo_store.parent / "out.jsonl"
    batch.write_text("".join(json.dumps(row) + "\n" for row in questions()), encoding="utf-8")
    assert run(["ask", "--batch", str(batch), "--out", str(out), "--store", str(read_demo_store)]) == 0
    return {row["id"]: row for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}


def same(given: object, wanted: object) -> bool:
    if isinstance(given, int | float) and isinstance(wanted, int | float):
        return given == pytest.approx(wanted, abs=0.005)
    return given == wanted


@pytest.mark.long
@pytest.mark.parametrize("row", questions(), ids=lambda row: str(row["id"]))
def test_structured_questions(row: dict[str, object], answers: dict[str, dict[str, object]]) -> None:
    found = answers[str(row["id"])]
    given, wanted = found["answer"], row["answer"]
    assert isinstance(given, list)
    assert isinstance(wanted, list)
    told = f"{row['question']}: {given}, wanted {wanted}; {found.get('plan')} {found['warnings']}"
    assert len(given) == len(wanted), told
    assert all(any(same(g, w) for g in given) for w in wanted), told
    assert found["unit"] == row["unit"], told
    assert found["events"], told


@pytest.mark.long
def test_the_sparql_of_an_answer_gives_it_again_without_any_model(
    read_demo_store: Path, answers: dict[str, dict[str, object]], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answers["d06"]
    capsys.readouterr()
    assert run(["sparql", str(answer["sparql"]), "--format", "json", "--store", str(read_demo_store)]) == 0
    rows = json.loads(capsys.readouterr().out)["results"]["bindings"]
    assert [next(iter(row.values()))["value"] for row in rows] == answer["answer"]


@pytest.mark.parametrize(
    ("question", "events"),
    [
        ("In which month did I run the most often?", 'ev:Workout ; ev:workoutType "running"'),
        ("Which month did I listen to the most songs in?", "ev:MusicStream"),
    ],
)
def test_months_are_counted_with_their_years(
    question: str, events: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_hand = (
        f"SELECT ?m (COUNT(?e) AS ?n) {{ ?e a {events} ; ev:start ?s BIND(SUBSTR(STR(?s), 1, 7) AS ?m) }} GROUP BY ?m"
    )
    assert run(["sparql", by_hand, "--format", "json", "--store", str(store)]) == 0
    rows = json.loads(capsys.readouterr().out)["results"]["bindings"]
    counts = {row["m"]["value"]: int(row["n"]["value"]) for row in rows}
    assert run(["ask", question, "--json", "--store", str(store), "--now", "2025-03-01T12:00:00"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found["answer"]) == sorted(m for m, n in counts.items() if n == max(counts.values()))
    assert found["answer_type"] == "month"


def test_what_is_not_understood_is_said(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "Is the sky frobnicated?", "--store", str(store)]) == 4
    assert "frobnicated" in capsys.readouterr().out


def test_ask_json_has_the_keys_of_the_contract(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "ask",
        "How many runs did I do in 2024?",
        "--json",
        "--store",
        str(store),
        "--now",
        "2025-03-01T12:00:00",
    ]
    assert run(arguments) == 0
    answer = json.loads(capsys.readouterr().out)
    for key in ("question", "answer", "answer_type", "text", "plan", "sparql", "planner", "score", "warnings", "unit"):
        assert key in answer
    assert set(answer["events"][0]) == {"iri", "type", "source", "source_id", "start", "end", "label", "basis"}
    assert {event["basis"] for event in answer["events"]} == {"records"}
    assert set(answer["timings_ms"]) == {"plan", "retrieve", "extract", "sparql", "total"}


def test_a_question_without_free_text_never_imports_torch(store: Path) -> None:
    question = "Which artist did I listen to most in 2024?"
    code = (
        "import sys; from reqap_kg.cli.app import run; "
        f"code = run(['ask', {question!r}, '--store', {str(store)!r}]); "
        "sys.exit(code or ('torch' in sys.modules and 9))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_a_plan_can_be_given_and_run(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = 'APPLY(l=RETRIEVE(query="my runs"), fct=len)'
    assert run(["run", tree, "--json", "--store", str(store)]) == 0
    by_run = json.loads(capsys.readouterr().out)
    assert run(["ask", "how many runs", "--plan", tree, "--json", "--store", str(store)]) == 0
    by_ask = json.loads(capsys.readouterr().out)
    assert by_run["answer"] == by_ask["answer"]
    assert by_ask["planner"] == "given"


def test_a_tree_that_is_wrong_is_refused_with_its_place(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", 'APPLY(l=RETRIEVE(query="x"), fct=lambda l: __import__("os"))', "--store", str(store)]) == 2
    assert "column" in capsys.readouterr().err


def test_status_validate_finds_what_breaks_a_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.ttl"
    bad.write_text(
        """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
        <#M> a rml:TriplesMap ; rml:logicalSource [ rml:source [ a rml:RelativePathSource ;
          rml:root rml:MappingDirectory ; rml:path "a.csv" ] ; rml:referenceFormulation rml:CSV ] ;
          rml:subjectMap [ rml:template "urn:e:{id}" ; rml:class ev:Workout ] ;
          rml:predicateObjectMap [ rml:predicate ev:distance ; rml:objectMap [ rml:reference "km" ] ] .""",
        encoding="utf-8",
    )
    (tmp_path / "a.csv").write_text("id,km\n1,far\n", encoding="utf-8")
    store = tmp_path / "store"
    assert run(["ingest", str(tmp_path / "a.csv"), "--mapping", str(bad), "--store", str(store)]) == 0
    capsys.readouterr()
    assert run(["status", "--validate", "--json", "--store", str(store)]) == 1
    messages = {v["message"] for v in json.loads(capsys.readouterr().out)["violations"]}
    assert "a workout has a start" in messages
    assert "a distance is one decimal number of kilometres" in messages


def test_what_can_be_asked_is_told_line_by_line(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "What can I ask?", "--store", str(store), "--now", "2025-03-01T12:00:00"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Your data has ")
    assert sum(line.startswith("- ") for line in lines) == 5


def test_the_demo_life_never_enters_a_store_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REQAP_KG_STORE", str(tmp_path / "mine"))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache")
    monkeypatch.setattr("reqap_kg.cli.demo._import_once", lambda folder, store, now: False)
    assert run(["demo"]) == 0
    assert str(tmp_path / "cache" / "demo") in capsys.readouterr().out
    assert not (tmp_path / "mine").exists()
    assert run(["demo", "--domain", "resorts"]) == 2
    assert "--domain" in capsys.readouterr().err
