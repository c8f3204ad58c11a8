"""`status`, `forget --derived` and the functions of `sparql` on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import pytest
from derived_life import DINNERS, without_weights

from reqap_kg.cli.app import run

Out = pytest.CaptureFixture[str]


@pytest.fixture
def store(small_life: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> str:
    without_weights(monkeypatch)
    copytree(small_life, tmp_path / "store")
    assert run(["retrieve", DINNERS, "--store", str(tmp_path / "store")]) == 0
    assert run(["extract", "load", "--query", "workouts", "--store", str(tmp_path / "store")]) == 0
    capsys.readouterr()
    return str(tmp_path / "store")


def printed(capsys: Out, *arguments: str) -> dict:
    assert run(list(arguments)) == 0
    return json.loads(capsys.readouterr().out)


def test_status_lists_derivations_for_people_and_programs(store: str, capsys: Out) -> None:
    assert run(["status", "--store", store]) == 0
    short = capsys.readouterr().out
    assert "findings kept" in short
    assert "--derived" in short
    assert not re.search("RETRIEVE|EXTRACT|TELLS|gen-", short)
    assert run(["status", "--derived", "--store", store]) == 0
    text = capsys.readouterr().out
    (row,) = [line for line in text.splitlines() if line.startswith("RETRIEVE")]
    cells = [cell.strip() for cell in re.split(" {2,}", row)]
    assert cells[1:4] == [DINNERS, "words", "2"]
    assert int(cells[4]) > 10
    found = printed(capsys, "status", "--store", store, "--json")["derivations"]
    (search,) = [one for one in found if one["operator"] == "RETRIEVE"]
    assert (search["query"], search["model"], search["model_hash"]) == (DINNERS, "words", "sha256:words")
    assert search["results"] == 2
    assert search["triples"] == int(cells[4])
    assert {"diary", "mails"} == set(search["sources"])
    assert "https://w3id.org/reqap-kg/event#Mail" in search["depends_on"]
    assert search["made"]


def test_derivations_are_cleared_by_words_or_all_of_them(store: str, capsys: Out) -> None:
    assert printed(capsys, "forget", "--derived", "no such words", "--store", store, "--json") == {
        "forgotten": [],
        "triples": 0,
        "still_held": [],
    }
    gone = printed(capsys, "forget", "--derived", "TRATTORIA", "--store", store, "--json")
    assert DINNERS in {one["query"] for one in gone["forgotten"]}
    assert run(["retrieve", DINNERS, "--store", store]) == 0
    capsys.readouterr()
    assert run(["forget", "--derived", "--store", store]) == 0
    assert capsys.readouterr().out.startswith("forgot ")
    assert printed(capsys, "status", "--store", store, "--json")["derivations"] == []


def test_forget_needs_a_source_or_the_option(store: str, capsys: Out) -> None:
    assert run(["forget", "--store", store]) == 2
    assert "--derived" in capsys.readouterr().err


def test_the_functions_of_sparql(store: str, capsys: Out) -> None:
    query = (
        f'SELECT ?title {{ ?e a ev:Note FILTER(rq:matches(?e, "{DINNERS}")) BIND(rq:extract(?e, "title") AS ?title) }}'
    )
    assert run(["sparql", query, "--format", "tsv", "--store", store]) == 0
    found = capsys.readouterr()
    assert found.out.split("\n") == ["?title", '"Dinner at the trattoria"', ""]
    assert f"note: '{DINNERS}' was searched" in found.err


def test_a_wrong_call_is_told_with_its_place(store: str, capsys: Out) -> None:
    assert run(["sparql", "ASK {\n ?e a ev:Note\n FILTER(rq:matches(?e, ?q)) }", "--store", store]) == 2
    assert "line 3, column 24" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["status", "forget", "sparql"])
def test_help_teaches(command: str, capsys: Out) -> None:
    assert run([command, "--help"]) == 0
    words = {"status": "--derived", "forget": "forget --derived", "sparql": "rq:extract(?event"}
    assert words[command] in capsys.readouterr().out
