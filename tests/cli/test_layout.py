"""How answers look at a terminal of 40, 80, 120 and 200 columns, in a pipe, and in a pager."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from wcwidth import wcswidth

from reqap_kg.cli.printing import console
from reqap_kg.cli.printing.layout import cut, laid_out, plain_table, width, wrapped

ROWS = [
    ("when", "what", "kind", "source"),
    ("2024-05-01 18:21", "Something 4 the Weekend – Super Furry Animals", "MusicStream", "spotify"),
    ("2024-05-02 08:00", "日本語の歌 – あいみょん と 友達 の 歌", "MusicStream", "spotify"),
    ("2024-05-03 09:10", "A walk", "Workout", "apple-health"),
]
SHOWN = Path(__file__).with_name("layouts.txt")
WORDS = st.text(st.sampled_from("abc  日é👩,"), max_size=60)


def drawn(rows: list[tuple[str, ...]], columns: int) -> str:
    out = Console(width=columns, color_system=None, highlight=False, markup=False)
    with out.capture() as captured:
        out.print(laid_out(rows, columns))
    return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))


def test_tables_are_drawn_as_recorded() -> None:
    """`layouts.txt` is for eyes: after a change of the layout, look at what differs, then record it anew."""
    found = "".join(f"== {columns} columns\n{drawn(ROWS, columns)}\n\n" for columns in (40, 80, 120, 200))
    found += f"== a pipe\n{plain_table(ROWS)}\n"
    assert found == SHOWN.read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [40, 80, 120, 200])
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=5))
def test_tables_fit_and_words_stay_whole(columns: int, body: list[tuple[str, ...]]) -> None:
    body = [tuple(" ".join(cell.split()) for cell in row) for row in body]
    lines = drawn([("first", "second", "third"), *body], columns).split("\n")
    assert all(width(line) <= columns for line in lines)
    said = " ".join(lines)
    for word in (word for row in body for cell in row for word in cell.split() if width(word) <= 20):
        assert word in said


@given(WORDS, st.integers(1, 80))
def test_lines_fit_and_lose_nothing(text: str, columns: int) -> None:
    found = wrapped(text, max(columns, 2))
    assert all(width(line) <= max(columns, 2) for line in found.split("\n"))
    assert "".join(found.split()) == "".join(text.split())


@given(WORDS, st.integers(1, 40))
def test_cut_titles_end_in_dots(text: str, columns: int) -> None:
    found = cut(text, columns)
    assert width(found) <= columns
    assert found == text if width(text) <= columns else found.endswith("…")


def test_words_are_not_cut_in_two() -> None:
    assert cut("Something 4 the Weekend", 15) == "Something 4…"
    assert cut("Donaudampfschifffahrtsgesellschaft", 15) == "Donaudampfschi…"


@pytest.mark.parametrize("text", ["plain", "日本語", "e\u0301", "❤️", "👩\u200d👩\u200d👧"])
def test_widths_are_those_of_terminals(text: str) -> None:
    assert cell_len(text) == wcswidth(text) == width(text)


def test_piped_tables_have_no_lines(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_table([("a", "b"), ("[red]x[/red]", "y\nz")])
    assert capsys.readouterr().out == "a             b\n[red]x[/red]  y␊z\n"


def test_the_pager_is_started_without_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, made = tmp_path / "told", tmp_path / "made"
    program = tmp_path / "my pager"
    program.write_text(
        f"#!{sys.executable}\nimport sys; open({str(told)!r}, 'w').write(sys.stdin.read() + sys.argv[1])\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PAGER", f"'{program}' '; touch {made}'")
    text = "line\n" * 30
    assert console.page(text, 24)
    assert told.read_text() == f"{text}; touch {made}"
    assert not made.exists()


@pytest.mark.parametrize("name", ["", "cat", "no-such-pager-anywhere", "'unclosed"])
def test_without_a_pager_the_text_is_printed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", name)
    monkeypatch.setenv("PATH", "")
    assert not console.page("line\n" * 30, 24)


def test_what_fits_needs_no_pager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", sys.executable)
    assert not console.page("line\n" * 3, 24)


def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert console.styled().no_color
    assert not re.search(r"\x1b\[3\d", drawn(ROWS, 80))
