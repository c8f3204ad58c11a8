"""`reqap-kg plan`: the tree of a question, and the likeliest of several."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reqap_kg.cli.app import run

NOTES = "---\ndate: 2024-07-12\n---\n# Stalls\n\n- waffles\n"
RULES = '''@prefix ex: <https://example.org/own#> .
@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
ex:frame a pg:Pattern ; pg:kind pg:Frame ; pg:extract "^ frobnicate $" .
ex:more a sh:SPARQLRule ; sh:order 1 ; pg:trigger ex:frame ; sh:construct """
CONSTRUCT { [] a qud:Apply ; qud:function "len" ; pg:note "counted" ; qud:input [ a qud:Retrieve ; qud:query "notes" ] }
WHERE { $this a pg:Question }""" .
ex:less a sh:SPARQLRule ; sh:order 1 ; pg:trigger ex:frame ; sh:construct """
CONSTRUCT { [] a qud:Retrieve ; qud:query "notes" } WHERE { $this a pg:Question }""" .
ex:later a sh:SPARQLRule ; sh:order 2 ; pg:trigger ex:frame ; sh:construct """
CONSTRUCT { [] a qud:Retrieve ; qud:query "later notes" } WHERE { $this a pg:Question }""" .
'''


@pytest.fixture
def given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    (tmp_path / "note.md").write_text(NOTES, encoding="utf-8")
    store = ["--store", str(tmp_path / "store"), "--now", "2025-01-01T00:00:00"]
    assert run(["ingest", str(tmp_path / "note.md"), *store]) == 0
    (tmp_path / "own.ttl").write_text(RULES, encoding="utf-8")
    (tmp_path / "config.toml").write_text(
        f'rules = ["{tmp_path}/own.ttl"]\n[ranking]\nconfidence = 1\n', encoding="utf-8"
    )
    capsys.readouterr()
    return [*store, "--config", str(tmp_path / "config.toml")]


def test_top_shows_the_likeliest_trees_with_their_scores_and_rules(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", "frobnicate", "--top", "5", *given]) == 0
    said = capsys.readouterr().out
    assert said.index("1. APPLY") < said.index("2. RETRIEVE") < said.index('3. RETRIEVE(query="later notes")')
    assert "confidence" in said
    assert "selectivity 1.00" in said
    assert "  more: frobnicate" in said
    assert "  note: counted" in said


def test_top_as_json(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "frobnicate", "--top", "2", "--json", *given]) == 0
    found = json.loads(capsys.readouterr().out)["plans"]
    assert [plan["steps"][0]["rule"] for plan in found] == ["more", "less"]
    assert found[0]["score"] > found[1]["score"]
    assert set(found[0]["score_parts"]) == {"confidence", "complexity", "selectivity"}


def test_without_top_there_is_one(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "frobnicate", *given]) == 0
    said = capsys.readouterr().out
    assert said.startswith("APPLY")
    assert said.count("answer:") == 1


def test_a_rule_that_loops_is_told(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = RULES.split("ex:more")[0] + (
        'ex:loop a sh:SPARQLRule ; pg:trigger ex:frame ; sh:construct "CONSTRUCT { [] a qud:Qud, pg:Question ; '
        "qud:question 'frobnicate' } WHERE { $this a pg:Question }\" ."
    )
    (tmp_path / "own.ttl").write_text(loop, encoding="utf-8")
    assert run(["plan", "frobnicate", *given]) == 2
    assert "own#loop loops" in capsys.readouterr().err
