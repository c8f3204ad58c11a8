"""Patterns of a user's own: checked on the command line, and used when questions are planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from reqap_kg.cli.app import run

PATTERN = '''@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ex: <https://example.org/own#> .
ex:festival a pg:Pattern ; rdfs:label "during the festival" ;
  pg:kind pg:Filter, pg:TimeRange ;
  pg:extract "(during | at) the harbour festival of {y=yearNumber}" ;
  pg:output "begin", "end", "note" ;
  pg:compute """
    BIND(fn:date(?y, 7, 10) AS ?begin)
    BIND(fn:date(?y, 7, 16) AS ?end)
    BIND("" AS ?note)""" .
'''
NOTES = "---\ndate: 2024-{month}-12\n---\n# Stalls\n\n- waffles\n"


@pytest.mark.long
def test_a_pattern_of_the_users_own_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for month in ("06", "07"):
        (tmp_path / f"{month}.md").write_text(NOTES.format(month=month), encoding="utf-8")
    store = ["--store", str(tmp_path / "store")]
    assert run(["ingest", str(tmp_path), *store, "--now", "2025-01-01T00:00:00"]) == 0
    (tmp_path / "own.ttl").write_text(PATTERN, encoding="utf-8")
    (tmp_path / "config.toml").write_text(f'rules = ["{tmp_path}/own.ttl"]\n', encoding="utf-8")
    assert run(["rules", "check", str(tmp_path / "own.ttl")]) == 0
    assert "1 pattern and 0 rules added" in capsys.readouterr().out
    question = "How many notes did I write during the harbour festival of 2024?"
    assert (
        run(["ask", question, *store, "--config", str(tmp_path / "config.toml"), "--now", "2025-01-01T00:00:00"]) == 0
    )
    said = capsys.readouterr().out
    assert "date(2024, 7, 10)" in said
    assert said.startswith("1 ")


def test_a_wrong_pattern_is_named_with_what_is_near(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.ttl").write_text(PATTERN.replace("yearNumber", "yearNumbr"), encoding="utf-8")
    assert run(["rules", "check", str(tmp_path / "own.ttl")]) == 2
    assert "did you mean yearNumber" in capsys.readouterr().err
