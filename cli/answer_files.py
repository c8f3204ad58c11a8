"""What `ask` writes beside the answer: its rows as a table, and a chart of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engine.answers.answer import Answer
from ..engine.authoring.rules import own_documents
from ..engine.knowledge import KnowledgeGraph
from ..texts.words import counted
from .printing.console import drawing_size, say
from .table_file import write_table

TERMINAL = "-"
"""What draws a chart in the terminal."""


@dataclass(frozen=True)
class Beside:
    """What is beside an answer: keys of its JSON, and lines for people."""

    json: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lines: str = ""


@dataclass(frozen=True)
class Files:
    """Where the rows that an answer rests on go, and its chart; nowhere by default."""

    table: Path | None = None
    chart: str | None = None

    def write(self, answer: Answer, known: KnowledgeGraph, *, quiet: bool) -> Beside:
        """Writes them, and says so, if not `quiet`. Raises UsageError for an ending that is not known."""
        if self.table is not None:
            save_table(answer, known, self.table, quiet=quiet)
        return Beside() if self.chart is None else _drawn(answer, known, self.chart, quiet=quiet)


def _drawn(answer: Answer, known: KnowledgeGraph, target: str, *, quiet: bool) -> Beside:
    """The chart of an answer, drawn; what draws is imported by those who want it."""
    from ..engine.answers.charts.choose import chart_of
    from ..engine.answers.charts.draw import draw
    from ..engine.answers.charts.terminal import in_terminal

    chart = chart_of(answer, own_documents(known.settings.rules))
    if chart is None:
        return Beside({"chart": None}, "there is nothing in this answer to draw")
    if target == TERMINAL:
        return Beside({"chart": chart.as_json()}, "" if quiet else in_terminal(chart, *drawing_size()))
    draw(chart, Path(target))
    return Beside({"chart": chart.as_json()}, f"{chart.kind} chart written to {target}: {chart.reason}")


def save_table(answer: Answer, known: KnowledgeGraph, path: Path, *, quiet: bool = False) -> None:
    """Writes the rows that an answer rests on."""
    table = known.rests_on(answer)
    write_table(table, path)
    if not quiet:
        say(f"{counted(len(table.rows), 'row')} written to {path}")


NO_FILES = Files()
NOTHING = Beside()
