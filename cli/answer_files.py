"""What `ask` writes beside the answer: its rows as a table, and a chart of it."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ..engine.answers.answer import Answer, Plain, Table
from ..engine.authoring.domain import own_documents
from ..engine.knowledge import KnowledgeGraph
from ..errors import OutputError, UsageError
from ..texts.words import counted
from .printing.console import drawing_size, say
from .printing.safe_text import csv_escaped, json_escaped

TERMINAL = "-"
"""What draws a chart in the terminal."""
_MOST_OF_A_CELL: Final = 32_767
"""Characters that a cell of Excel holds."""
_TIMES: Final = frozenset({"start", "end"})


@dataclass(frozen=True)
class AnswerExtras:
    """What is beside an answer: keys of its JSON, and lines for people."""

    json: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lines: str = ""


@dataclass(frozen=True)
class Files:
    """Where the rows that an answer rests on go, and its chart; nowhere by default."""

    table: Path | None = None
    chart: str | None = None

    def write(self, answer: Answer, known: KnowledgeGraph, *, quiet: bool) -> AnswerExtras:
        """Writes them, and says so, if not `quiet`. Raises UsageError for an ending that is not known."""
        if self.table is not None:
            save_table(answer, known, self.table, quiet=quiet)
        return AnswerExtras() if self.chart is None else _drawn(answer, known, self.chart, quiet=quiet)


def _drawn(answer: Answer, known: KnowledgeGraph, target: str, *, quiet: bool) -> AnswerExtras:
    """The chart of an answer, drawn; what draws is imported by those who want it."""
    from ..engine.answers.charts.choose import chart_of
    from ..engine.answers.charts.draw import draw
    from ..engine.answers.charts.terminal import in_terminal

    chart = chart_of(answer, own_documents(known.settings.rules))
    if chart is None:
        return AnswerExtras({"chart": None}, "there is nothing in this answer to draw")
    if target == TERMINAL:
        return AnswerExtras({"chart": chart.as_json()}, "" if quiet else in_terminal(chart, *drawing_size()))
    draw(chart, Path(target))
    return AnswerExtras({"chart": chart.as_json()}, f"{chart.kind} chart written to {target}: {chart.reason}")


def save_table(answer: Answer, known: KnowledgeGraph, path: Path, *, quiet: bool = False) -> None:
    """Writes the rows that an answer rests on."""
    table = known.rests_on(answer)
    write_table(table, path)
    if not quiet:
        say(f"{counted(len(table.rows), 'row')} written to {path}")


NO_FILES = Files()
NOTHING = AnswerExtras()


def write_table(table: Table, path: Path) -> None:
    """Writes a table, all of it or nothing. Raises UsageError for an ending that is not known, OutputError where the
    file cannot be written."""
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise UsageError(f"{path}: expected a file that ends in {', '.join(_WRITERS)}")
    scratch = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        writer(table, scratch)
        scratch.replace(path)
    except OSError as bad:
        raise OutputError(f"{path} cannot be written: {bad.strerror or bad}") from bad
    finally:
        scratch.unlink(missing_ok=True)


def _csv(table: Table, path: Path) -> None:
    held = io.StringIO(newline="")
    lines = csv.writer(held)
    lines.writerow(table.columns)
    lines.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    path.write_text(csv_escaped(held.getvalue()), encoding="utf-8", newline="")


def _json(table: Table, path: Path) -> None:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    path.write_text(json_escaped(json.dumps(rows, ensure_ascii=False, indent=1)) + "\n", encoding="utf-8")


def _parquet(table: Table, path: Path) -> None:
    import duckdb

    kinds = [_kind(name, [row[at] for row in table.rows]) for at, name in enumerate(table.columns)]
    named = ", ".join(f"{_quoted(name)} {kind}" for name, kind in zip(table.columns, kinds, strict=True))
    places = ", ".join("?" * len(table.columns))
    with duckdb.connect() as db:
        db.execute(f"CREATE TABLE held ({named})")
        if table.rows:
            rows = [[_as(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in table.rows]
            db.executemany(f"INSERT INTO held VALUES ({places})", rows)  # noqa: S608 - question marks only
        db.sql("SELECT * FROM held").write_parquet(str(path))


def _kind(name: str, values: Sequence[Plain | None]) -> str:
    """The type of a column in SQL."""
    known = [value for value in values if value is not None]
    if name in _TIMES and all(_moment(value) is not None for value in known):
        return "TIMESTAMP"
    if known and all(isinstance(value, bool) for value in known):
        return "BOOLEAN"
    if known and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        return "BIGINT" if all(isinstance(value, int) for value in known) else "DOUBLE"
    return "VARCHAR"


def _as(cell: Plain | None, kind: str) -> Any:
    if cell is None:
        return None
    return _moment(cell) if kind == "TIMESTAMP" else str(cell) if kind == "VARCHAR" else cell


def _quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def _workbook(table: Table, path: Path) -> None:
    import xlsxwriter

    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(str(path), plain) as book:
        sheet, bold = book.add_worksheet("answer"), book.add_format({"bold": True})
        of_times = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        sheet.write_row(0, 0, table.columns, bold)
        for number, row in enumerate(table.rows, start=1):
            for at, cell in enumerate(row):
                moment = _moment(cell) if table.columns[at] in _TIMES else None
                if moment is not None:
                    sheet.write_datetime(number, at, moment, of_times)
                elif cell is not None:
                    sheet.write(number, at, cell[:_MOST_OF_A_CELL] if isinstance(cell, str) else cell)
        sheet.freeze_panes(1, 0)
        sheet.autofit()


def _moment(value: Plain | None) -> datetime | None:
    if isinstance(value, str):
        with suppress(ValueError):
            return datetime.fromisoformat(value).replace(tzinfo=None)
    return None


_WRITERS: Final[dict[str, Callable[[Table, Path], None]]] = {
    ".csv": _csv,
    ".json": _json,
    ".parquet": _parquet,
    ".xlsx": _workbook,
}
