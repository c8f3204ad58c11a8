"""`bench.generate`: folders that the suite personas reads, and whose gold it judges right."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.bench.generate import program
from reqap_kg.bench.lives.generate import Wanted, generate
from reqap_kg.cli.app import run
from reqap_kg.errors import UsageError
from reqap_kg.evaluation.suites.base import Options
from reqap_kg.evaluation.suites.personas import Personas

FILES = {
    "profile.json", "observables.jsonl", "questions.jsonl", "canonical.jsonl", "links.csv", "occurrences.jsonl",
    "retrieval.jsonl", "extraction.jsonl", "exports",
}  # fmt: skip
WANTED = Wanted(personas=3, seed=2, events=900, questions=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small benchmark."""
    made = tmp_path_factory.mktemp("made") / "lives"
    generate(made, WANTED)
    return made


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_lives_are_shared_out_with_all_their_files(folder: Path) -> None:
    lives = sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*"))
    assert lives == ["dev/p2", "test/p3", "train/p1"]
    for life in lives:
        assert {path.name for path in (folder / life).iterdir()} == FILES


def test_the_same_arguments_write_the_same_files(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path / "again", WANTED)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "again" / path.relative_to(folder)).read_bytes()


def test_no_template_is_asked_in_two_parts(folder: Path) -> None:
    asked = {
        part: {r["template"] for p in (folder / part).glob("*/questions.jsonl") for r in rows(p)}
        for part in ("train", "dev", "test")
    }
    assert all(asked.values())
    assert not asked["train"] & asked["test"]
    assert not asked["train"] & asked["dev"]
    assert not asked["dev"] & asked["test"]


def test_the_suite_reads_it_and_judges_gold_right_and_nonsense_wrong(folder: Path) -> None:
    suite, options = Personas(), Options(read=None, only="", domain=None)
    for part in ("train", "test"):
        lives = list(suite.lives(folder / part, options))
        golds = list(suite.gold(folder / part, options))
        assert sum(len(life.questions) for life in lives) == len(golds) > 40
        assert all(suite.judge(gold, gold.row["answer"]).hit == 1 for gold in golds)
        wrong = [suite.judge(gold, ["nonsense"]) for gold in golds]
        assert not any(judged.hit for judged in wrong)


def test_gold_of_each_stage_names_observables_that_there_are(folder: Path) -> None:
    for life in folder.glob("*/p*"):
        ids = {row["id"] for row in rows(life / "observables.jsonl")}
        events = {row["id"]: row for row in rows(life / "canonical.jsonl")}
        with (life / "links.csv").open(encoding="utf-8", newline="") as stream:
            links = list(csv.DictReader(stream))
        assert {link["canonical_id"] for link in links} == events.keys()
        assert {int(link["observable_id"]) for link in links} <= ids
        for query in rows(life / "retrieval.jsonl"):
            assert query["relevant"]
            assert set(query["relevant"]) | set(query["ignore"]) <= ids
            assert not set(query["relevant"]) & set(query["ignore"])
            assert 0 < query["occurrences"] <= len(query["relevant"]) * 10
        _occurrences(life, links)


def _occurrences(life: Path, links: list[dict[str, str]]) -> None:
    told = {(link["canonical_id"], int(link["observable_id"])) for link in links}
    for row in rows(life / "occurrences.jsonl"):
        assert len(row["observables"]) > 1
        assert all((row["canonical_id"], number) in told for number in row["observables"])


def test_extraction_gold_is_what_the_texts_say(folder: Path) -> None:
    for life in folder.glob("*/p*"):
        shown = {row["id"]: " ".join(map(str, row.values())).casefold() for row in rows(life / "observables.jsonl")}
        gold = rows(life / "extraction.jsonl")
        assert {row["key"] for row in gold} >= {"participants", "place", "activity", "event_date"}
        for row in gold:
            if row["key"] in ("dish", "doctor_name", "reason", "movie_title", "product"):
                assert row["value"].casefold() in shown[row["event"]], row


def test_the_command_says_what_it_made_and_refuses_folders_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        str(tmp_path / "b"),
        "--personas",
        "1",
        "--events",
        "500",
        "--questions",
        "20",
        "--json",
    ]
    assert run(arguments, program) == 0
    made: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    one = made["made"][0]
    assert (one["split"], one["persona"], one["questions"]) == ("test", "p1", 20)
    assert one["observables"] == len(rows(tmp_path / "b" / "test" / "p1" / "observables.jsonl"))
    assert run(arguments, program) != 0
    assert "not empty" in json.loads(capsys.readouterr().out)["error"]


def test_none_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        generate(tmp_path / "b", Wanted(personas=0))
