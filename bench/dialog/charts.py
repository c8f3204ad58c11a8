"""Whether answers get the chart that a reader expects: `python -m reqap_kg.bench.dialog.charts CASES.jsonl`.

A case is {"id", "question", "columns": [{"name", "role", "type", "grain"?, "unit"?}], "rows", "analysis", "expected":
[kind, …]}, written down before anything was drawn; any of the kinds that are expected is right.
"""

from __future__ import annotations

import calendar
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ...engine.answers.charts.choose import chart_of_data
from ...engine.answers.charts.draw import draw
from ...engine.answers.charts.frame import ChartData, Column, Grain, Role, Type

program = typer.Typer()
NONE = "none"


@program.command()
def main(
    cases: Annotated[Path, typer.Argument(help="JSONL of answers with the charts that are expected.")],
    out: Annotated[Path | None, typer.Option(help="A folder for pictures of all of them.")] = None,
    wrong: Annotated[bool, typer.Option(help="List what is drawn otherwise.")] = False,
) -> None:
    """Compare the kinds that are chosen with those that are expected."""
    rows = [json.loads(line) for line in cases.read_text("utf-8").splitlines() if line.strip()]
    first = right = drawn = 0
    for row in rows:
        chart = chart_of_data(data_of(row))
        kind = NONE if chart is None else chart.kind.value
        first += kind == row["expected"][0]
        right += kind in row["expected"]
        if wrong and kind not in row["expected"]:
            print(f"{row['id']}: {kind}, expected {' or '.join(row['expected'])}: {row['question']}")
        if out is not None and chart is not None and chart.spec:
            out.mkdir(parents=True, exist_ok=True)
            draw(chart, out / f"{row['id']}-{kind}.png")
            drawn += 1
    print(f"{right} of {len(rows)} charts are of a kind that is expected, {first} of the one that is expected first")
    if out is not None:
        print(f"{drawn} pictures in {out}")


def data_of(row: Mapping[str, Any]) -> ChartData:
    """A case as a chart has it; what returns (hours, weekdays, months of any year) stands in its order."""
    columns, values = zip(*(_column(one, at, row["rows"]) for at, one in enumerate(row["columns"])), strict=True)
    return ChartData(columns, tuple(zip(*values, strict=True)), row["analysis"] or "", row["question"])


def _column(told: Mapping[str, Any], at: int, rows: Sequence[Sequence[Any]]) -> tuple[Column, tuple[Any, ...]]:
    grain = Grain(told["grain"]) if told.get("grain") else None
    values = tuple(row[at] for row in rows)
    name, role, unit = told["name"], Role(told["role"]), told.get("unit")
    order = _ORDERS.get(grain) if grain is not None else None
    if order is None:
        return Column(name, role, Type(told["type"]), grain, unit), values
    first = 1 if grain is Grain.MONTH_OF_YEAR else 0
    named = tuple(order[one - first] if isinstance(one, int) else one for one in values)
    return Column(name, role, Type.ORDINAL, grain, unit, order), named


_ORDERS: Final[Mapping[Grain, tuple[Any, ...]]] = {
    Grain.HOUR: tuple(range(24)),
    Grain.WEEKDAY: tuple(calendar.day_name),
    Grain.MONTH_OF_YEAR: tuple(calendar.month_name)[1:],
}


if __name__ == "__main__":
    program()
