"""`reqap-kg rules`: exit codes and what is printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reqap_kg.cli.app import run

HEAD = """@prefix pg: <https://w3id.org/reqap-kg/parse#> . @prefix ex: <https://example.org/own#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
SPELT_WRONG = (
    HEAD + 'ex:a a pg:Pattern ; rdfs:label "a" ; pg:kind pg:Filter, pg:TimeRange ; pg:extract "in {yearNumbr}" .\n'
)
WEIGHT = 'APPLY(l=RETRIEVE(query="jazz"), fct=lambda events: len(events) * 2)'


def test_check_tells_line_column_and_the_nearest_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.ttl").write_text(SPELT_WRONG, encoding="utf-8")
    assert run(["rules", "check", str(tmp_path / "own.ttl")]) == 2
    said = capsys.readouterr().err
    assert f"{tmp_path}/own.ttl:3:88: error: {{yearNumbr}} is no pattern; did you mean yearNumber?" in said
    assert run(["rules", "check", str(tmp_path), "--json"]) == 2
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["line"], finding["column"], finding["nearest"]) == (3, 88, "yearNumber")


def test_test_fails_where_a_case_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = "ex:c a pg:Case ; pg:question \"How many songs did I play?\" ; pg:tree '%s' ."
    (tmp_path / "good.ttl").write_text(HEAD + case % 'APPLY(l=RETRIEVE(query="songs I played"), fct=len)', "utf-8")
    (tmp_path / "bad.ttl").write_text(HEAD + case % 'APPLY(l=RETRIEVE(query="songs"), fct=len)', "utf-8")
    assert run(["rules", "test", str(tmp_path / "good.ttl")]) == 0
    assert "1 case: 1 passed, 0 failed" in capsys.readouterr().out
    assert run(["rules", "test", str(tmp_path / "bad.ttl")]) == 1
    said = capsys.readouterr().out
    assert "bad.ttl:3:" in said
    assert 'got      APPLY(l=RETRIEVE(query="songs I played"), fct=len)' in said
    assert "by       countEvents, retrieve" in said


@pytest.mark.long
def test_new_writes_a_draft_that_checks_and_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "draft.ttl"
    assert run(["rules", "new", "--from", "how odd is jazz", "--tree", WEIGHT, "--out", str(out)]) == 0
    assert 'RETRIEVE(query="green tea")' in capsys.readouterr().err
    assert run(["rules", "check", str(out)]) == 0
    assert run(["rules", "test", str(out)]) == 0
    assert run(["rules", "new", "--from", "how odd is jazz", "--tree", WEIGHT, "--out", str(out)]) == 2
    assert run(["rules", "new", "--from", "how odd is jazz", "--tree", "APPLY(l="]) == 2


def test_list_names_rules_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "list", "--json", "--patterns"]) == 0
    found = json.loads(capsys.readouterr().out)
    orders = [rule["order"] for rule in found["rules"]]
    assert orders == sorted(orders)
    assert any(pattern["pattern"].endswith("#yearNumber") for pattern in found["patterns"])


@pytest.mark.parametrize(
    "where",
    [
        "SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }",
        "SERVICE <file:///etc/passwd> { ?s ?p ?o }",
    ],
)
def test_a_rule_reaches_neither_network_nor_files(tmp_path: Path, capsys, where: str) -> None:
    rule = (
        'ex:p a pg:Pattern ; rdfs:label "p" ; pg:kind pg:Frame ; pg:extract "^ zork $" .\n'
        'ex:r a sh:SPARQLRule ; rdfs:label "r" ; sh:order 1 ; pg:trigger ex:p ; sh:construct """'
        f"CONSTRUCT {{ [] a qud:Retrieve ; qud:query ?o }} WHERE {{ $this pg:filters [] . {where} }}"
        '""" .\n'
    )
    (tmp_path / "own.ttl").write_text(HEAD + rule, encoding="utf-8")
    assert run(["rules", "check", str(tmp_path / "own.ttl")]) == 2
    assert "own.ttl:4:" in capsys.readouterr().err


def test_from_reads_no_file(tmp_path: Path, capsys) -> None:
    (tmp_path / "secret.ttl").write_text('<urn:a> <urn:b> "secret" .', encoding="utf-8")
    rule = (
        'ex:p a pg:Pattern ; rdfs:label "p" ; pg:kind pg:Frame ; pg:extract "^ zork $" .\n'
        'ex:r a sh:SPARQLRule ; rdfs:label "r" ; sh:order 1 ; pg:trigger ex:p ; sh:construct """'
        f"CONSTRUCT {{ [] a qud:Retrieve ; qud:query ?o }} FROM <file://{tmp_path}/secret.ttl> "
        'WHERE { $this pg:filters [] . ?s ?p ?o }""" .\n'
    )
    (tmp_path / "own.ttl").write_text(HEAD + rule, encoding="utf-8")
    assert run(["rules", "check", str(tmp_path / "own.ttl")]) == 2
    assert "FROM" in capsys.readouterr().err


def test_imports_are_not_followed(tmp_path: Path, capsys) -> None:
    (tmp_path / "other.ttl").write_text(SPELT_WRONG, encoding="utf-8")
    own = HEAD + f"<urn:own> <http://www.w3.org/2002/07/owl#imports> <file://{tmp_path}/other.ttl> .\n"
    (tmp_path / "own.ttl").write_text(own, encoding="utf-8")
    assert run(["rules", "check", str(tmp_path / "own.ttl")]) == 0
    assert "0 patterns and 0 rules added" in capsys.readouterr().out
