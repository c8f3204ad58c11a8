"""How texts are laid out: widths as a terminal counts them, breaks between words, tables that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType

_NARROW: Final = 20
"""Columns up to this width are never broken: times, kinds, numbers."""
_WORD: Final = 24
"""A word of up to so many columns is never broken; a longer one (an address) may be."""
_BETWEEN: Final = 3
"""Columns between two cells of a table."""
_WIDEST: Final = 500


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, most: int) -> str:
    """A text of at most `most` columns; one that is cut ends between words where it can, and in "…"."""
    if width(text) <= most:
        return text
    if most < 1:
        return ""
    from rich.cells import set_cell_size

    begin = set_cell_size(text, most - 1).rstrip()
    words, space, rest = begin.rpartition(" ")
    goes_on = text[len(begin) : len(begin) + 1] not in ("", " ")
    return (words.rstrip() if goes_on and space and width(rest) <= most // 3 else begin) + "…"


def wrapped(text: str, most: int) -> str:
    """A line broken between words into lines of at most `most` columns; those after the first keep its indent."""
    if width(text) <= most:
        return text
    indent = text[: len(text) - len(text.lstrip(" "))]
    if len(indent) >= most // 2:
        indent = ""
    return "\n".join(f"{indent}{line}" for line in _lines(text.strip(), max(most - len(indent), 1)))


def _lines(text: str, most: int) -> list[str]:
    from rich.console import Console
    from rich.text import Text

    return [line.plain.rstrip() for line in Text(text).wrap(Console(width=most), most)]


def plain_table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns parted by two spaces, without lines and never cut, for files and programs."""
    # What is wider than any screen stands out of line: filling every row up to it would take many times its room.
    widths = [min(_WIDEST, max(width(cell) for cell in column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def laid_out(rows: Sequence[tuple[str, ...]], room: int) -> RenderableType:
    """A header and rows as a table, or each row as lines of names and values where a table has no room."""
    from rich.table import Table
    from rich.text import Text

    header, *body = rows
    columns = list(zip(*rows, strict=True))
    widest = [max(map(width, column)) for column in columns]
    words = [width(word) for column in columns for cell in column for word in cell.split()]
    least = max(min(max(words, default=0), _WORD), _NARROW)
    if sum(min(wide, least) for wide in widest) + _BETWEEN * (len(columns) - 1) > room:
        return Text(_records(header, body, room))
    table = Table(show_edge=False, pad_edge=False)
    for name, wide in zip(header, widest, strict=True):
        table.add_column(Text(name), no_wrap=wide <= least, overflow="fold")
    for row in body:
        table.add_row(*map(Text, row))
    return table


def _records(header: tuple[str, ...], body: Sequence[tuple[str, ...]], room: int) -> str:
    """Rows beneath each other, a line for each cell that is not empty."""
    wide = max(width(name) for name in header) + 2
    wide = wide if wide <= room // 2 else 0
    return "\n\n".join(
        "\n".join(_named(name, cell, wide, room) for name, cell in zip(header, row, strict=True) if cell)
        for row in body
    )  # fmt: skip


def _named(name: str, cell: str, wide: int, room: int) -> str:
    lines = _lines(cell, max(room - wide, 1))
    first = name + " " * (wide - width(name)) if wide else f"{name}:\n"
    return f"\n{' ' * wide}".join([first + lines[0], *lines[1:]])
