"""Large answers, tables and charts on the command line."""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import duckdb
import pytest

from reqap_kg.cli.answer_files import write_table
from reqap_kg.cli.app import run
from reqap_kg.engine.answers.answer import Table
from reqap_kg.errors import OutputError, UsageError

NOW = "2025-03-01T12:00:00"
Ask = Callable[..., tuple[int, str]]
ODD = Table(
    ("start", "what", "n", "odd, \"name\""),
    (
        ("2024-03-01T09:41:00", "=1+1", 3, "a\nb"),
        (None, "<b>\N{FAMILY}\u202e", 2.5, None),
        ("2024-03-02", "\u65e5\u672c, x", None, "-2"),
    ),
)  # fmt: skip


@pytest.fixture
def ask(imported_demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """`reqap-kg ask` over the demo life: its exit code, and what it prints."""
    (tmp_path / "config.toml").write_text('proposers = ["rules"]\nread_texts = false\n')
    store = str(copytree(imported_demo, tmp_path / "store"))

    def asked(*arguments: str) -> tuple[int, str]:
        given = ["--store", store, "--now", NOW, "--config", str(tmp_path / "config.toml")]
        code = run(["ask", *arguments, *given])
        return code, capsys.readouterr().out

    return asked


def test_the_answer_comes_first_then_how_it_was_read_and_no_tree(ask: Ask) -> None:
    code, said = ask("How many runs did I do in 2024?")
    lines = said.splitlines()
    assert code == 0
    assert lines[0] == "57 runs in 2024, by Apple Health."
    assert lines[1].startswith("read as: the number of “runs I did”, from 2024-01-01")
    assert "APPLY(" not in said
    _, explained = ask("How many runs did I do in 2024?", "--explain")
    assert "APPLY(" in explained


def test_a_large_answer_is_asked_about_in_one_line(ask: Ask) -> None:
    _, said = ask("Show me my songs of 2024")
    first, *_ = said.splitlines()
    assert first.endswith("?")
    assert " songs. By " in first
    assert "InfoRank" in said
    _, everything = ask("Show me my songs of 2024", "--all")
    assert "InfoRank" not in everything


def test_a_chat_is_answered_by_numbers_names_and_undo(
    imported_demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text('proposers = ["rules"]\nread_texts = false\n')
    store = str(copytree(imported_demo, tmp_path / "store"))
    said_to_it = ("Show me my workouts", "1", "undo", "by year", "2024", "all", "/table rows.csv", "/table", "/chart")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(said_to_it)))
    monkeypatch.chdir(tmp_path)
    assert run(["chat", "--store", store, "--now", NOW, "--config", str(tmp_path / "config.toml"), "--no-keep"]) == 0
    said = capsys.readouterr().out
    assert "“all”, “none of these” or “undo”" in said
    assert "“1” is taken back: “Show me my workouts” is the last question now" in said
    assert "expected a file: /table runs.csv" in said
    narrowed = said.split("> 2024\n")[1]
    rows = list(csv.DictReader((tmp_path / "rows.csv").open(encoding="utf-8", newline="")))
    assert rows
    assert {row["start"][:4] for row in rows} == {"2024"}
    assert f"{len(rows)} rows written to rows.csv" in narrowed


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "xlsx"])
def test_rows_behind_an_answer_are_written(ask: Ask, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"rows.{ending}"
    code, said = ask("How many runs did I do in 2024?", "--table", str(path))
    assert code == 0
    assert f"57 rows written to {path}" in said
    assert len(read(path)) == 57
    assert {row["workout type"] for row in read(path)} == {"running"}


def read(path: Path) -> Sequence[Mapping[str, object]]:
    """The rows of a file."""
    if path.suffix == ".csv":
        return list(csv.DictReader(path.open(encoding="utf-8", newline="")))
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    if path.suffix == ".parquet":
        found = duckdb.sql(f"SELECT * FROM '{path}'")
        assert found is not None
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    return sheet(path)


def sheet(path: Path) -> Sequence[Mapping[str, object]]:
    """The rows of a workbook's first sheet, cells as text."""
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(path) as book:
        texts = ["".join(one.itertext()) for one in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))]
        rows = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml")).iter(f"{space}row")
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
        found = [{cell_place(cell): value(cell, texts, space) for cell in row} for row in rows]
    head = found[0]
    return [{str(head[at]): row.get(at) for at in head} for row in found[1:]]


def cell_place(cell: ElementTree.Element) -> str:
    return cell.attrib["r"].rstrip("0123456789")


def value(cell: ElementTree.Element, texts: list[str], space: str) -> str | None:
    held = cell.findtext(f"{space}v")
    return texts[int(held)] if cell.get("t") == "s" and held is not None else held


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "xlsx"])
def test_odd_values_stay_what_they_are(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"odd.{ending}"
    write_table(ODD, path)
    rows = read(path)
    assert len(rows) == 3
    assert list(rows[0]) == list(ODD.columns)
    assert str(rows[0]["what"]).lstrip("'") == "=1+1"  # CSV marks what a spreadsheet would compute
    assert float(str(rows[1]["n"])) == 2.5


def test_an_unknown_ending_and_a_folder_that_is_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.csv, \.json, \.parquet, \.xlsx"):
        write_table(ODD, tmp_path / "rows.doc")
    with pytest.raises(OutputError, match="cannot be written"):
        write_table(ODD, tmp_path / "none" / "rows.csv")
    assert list(tmp_path.iterdir()) == []


def test_charts_are_drawn_into_files_and_here(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "runs.svg"
    code, said = ask("How many runs did I do in 2024?", "--chart", str(path))
    assert code == 0
    assert f"chart written to {path}: " in said
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    _, here = ask("How many runs did I do in 2024?", "--chart", "-")
    assert len(here.splitlines()) > 15
    code, told = ask("How many runs did I do in 2024?", "--json", "--chart", "-")
    chart = json.loads(told)["chart"]
    assert chart["kind"] in ("bar", "line")
    assert chart["spec"]["data"]
