"""`reqap-kg map`: N-Quads on standard output, the rest on standard error, the exit code."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from reqap_kg.cli.map_command import map_command

MAP = """@prefix rml: <http://w3id.org/rml/> .
<#Song> a rml:TriplesMap ;
  rml:logicalSource [ rml:source "songs.jsonl" ; rml:referenceFormulation rml:JSONPath ; rml:iterator "$" ] ;
  rml:subjectMap [ rml:template "song/{id}" ] ;
  rml:predicateObjectMap [ rml:predicate <http://e/title> ; rml:objectMap [ rml:reference "title" ] ] .
"""


def _run(folder: Path, map_text: str, data: str | None, base: str | None = None) -> tuple[int, str, str]:
    (folder / "map.ttl").write_text(map_text, encoding="utf-8")
    if data is not None:
        (folder / "songs.jsonl").write_text(data, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = map_command(folder / "map.ttl", base)
    return code, out.getvalue(), err.getvalue()


def test_prints_n_quads(tmp_path) -> None:
    data = '{"id": 1, "title": "A"}\n{"id": 2, "title": "B"}\n'
    code, out, err = _run(tmp_path, MAP, data, "http://base/")
    assert code == 0
    assert sorted(out.splitlines()) == [
        '<http://base/song/1> <http://e/title> "A" .',
        '<http://base/song/2> <http://e/title> "B" .',
    ]
    assert err == ""


def test_without_base_iris_are_the_projects_own(tmp_path) -> None:
    _, out, _ = _run(tmp_path, MAP, '{"id": 1, "title": "A"}\n')
    assert out.startswith("<https://w3id.org/reqap-kg/data/song/1> ")


def test_a_broken_line_is_told_and_fails_the_command_but_nothing_else_is_lost(tmp_path) -> None:
    code, out, err = _run(tmp_path, MAP, '{"id": 1, "title": "A"}\n{"id": 2, "title": "B"}\n{oops\n', "http://base/")
    assert code == 1
    assert len(out.splitlines()) == 2
    assert err.startswith("kept out: songs.jsonl, line 3: no JSON")


def test_a_map_without_triples_is_a_warning(tmp_path) -> None:
    code, out, err = _run(tmp_path, MAP, '{"id": 1, "name": "A"}\n', "http://base/")
    assert (code, out) == (0, "")
    assert err.startswith("warning: ")
    assert "map.ttl:2:1: <http://base/#Song> yielded no triples" in err


def test_a_wrong_map(tmp_path) -> None:
    code, out, err = _run(tmp_path, MAP.replace("rml:template", "rml:templat"), "")
    assert (code, out) == (1, "")
    assert "map.ttl:4:20: unknown name rml:templat" in err
    assert "did you mean rml:template?" in err


def test_a_missing_source(tmp_path) -> None:
    code, _, err = _run(tmp_path, MAP, None)
    assert code == 1
    assert "songs.jsonl: no such file" in err


def test_a_map_that_is_not_there_or_no_text(tmp_path) -> None:
    err = io.StringIO()
    with redirect_stderr(err):
        assert map_command(tmp_path / "none.ttl", None) == 2
    assert "none.ttl" in err.getvalue()
    (tmp_path / "none.ttl").write_bytes(b"\xff\xfe\x00")
    assert map_command(tmp_path / "none.ttl", None) == 2


def test_a_data_error_fails_the_command(tmp_path) -> None:
    code, _, err = _run(tmp_path, MAP, '{"id": 1, "title": "A"}\n{"id": 2, "title": ["B"]}\n')
    assert code == 1
    assert "songs.jsonl: line 2: title: a list" in err
