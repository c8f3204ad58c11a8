"""From the rows of a run tree to the values of an answer: type, unit, months and weekdays by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from ...compiler.query import Shape
from ...execution.run import Result
from ...planner.forms.lowering import MEASURE
from ...planner.search.plan import AnswerForm
from ...store.vocabulary import Vocabulary
from .answer import Plain, Table, plain

_TWICE = re.compile(r"_\d+$")
_NAMED_BY_QUESTION = frozenset({"month", "weekday", "duration", "date", "time"})
"""Types that a question may ask for though the value alone would not tell."""


@dataclass(frozen=True)
class Shaped:
    """Values best first, their type and unit."""

    values: tuple[Plain, ...]
    answer_type: str
    unit: str | None
    table: Table | None = None
    """The rows behind the values, where an analysis shows several columns."""


NOTHING = Shaped((), "none", None)


def shape(found: Result, form: AnswerForm, vocabulary: Vocabulary) -> Shaped:
    """The values of an answer in the form that the question asks for; a value stands once.

    Events have no values here: what answers then is the evidence itself.
    """
    if _is_grouped(found, form):
        return _labelled(found, form, vocabulary)
    answer = _answer(found, form.column)
    if form.type == "events" or (found.answer_type == "events" and not form.column):
        return Shaped((), "events" if found.events else "none", None)
    if not answer:
        return Shaped((), "none", None)
    if form.type == "boolean":
        return Shaped((bool(answer[0]),), "boolean", None)
    kind = _type(form.type, answer[0], found.answer_type)
    values, unit = _in_unit(answer, found.unit, form.unit, vocabulary)
    shown = [plain(value, kind) for value in values]
    table = _table(found) if form.analysis and len(found.columns) > 1 else None
    said = shown if table is not None and not form.distinct else list(dict.fromkeys(shown))
    return Shaped(tuple(said), kind, unit if kind in ("number", "duration") else None, table)


def _is_grouped(found: Result, form: AnswerForm) -> bool:
    """Whether the rows are groups with one measure each, and all of them are the answer."""
    others = form.analysis or form.column or form.distinct or form.type in ("events", "any", "boolean")
    rows = found.shape is Shape.ROWS and len(found.columns) > 1 and found.columns[-1] == MEASURE
    return not others and rows and bool(found.rows)


def _labelled(found: Result, form: AnswerForm, vocabulary: Vocabulary) -> Shaped:
    """Groups as "label: measure", in the order of their labels, with the table."""
    rows = sorted((row for row in found.rows if None not in row), key=lambda row: tuple(map(str, row[:-1])))
    measures, unit = _in_unit([row[-1] for row in rows], found.unit, form.unit, vocabulary)
    labels = [tuple(_label(part, name) for part, name in zip(row, found.columns[:-1], strict=False)) for row in rows]
    table = Table(found.columns, tuple((*label, plain(one, "")) for label, one in zip(labels, measures, strict=True)))
    said = tuple(f"{', '.join(label)}: {plain(one, '')}" for label, one in zip(labels, measures, strict=True))
    return Shaped(said, "table" if said else "none", unit, table)


def _label(value: Any, name: str) -> str:
    """What a group is called: months as 2024-03, weekdays by name."""
    return str(plain(value, name if name in ("month", "weekday") else ""))


def _table(found: Result) -> Table:
    """Columns and rows as plain values; a column that a join has twice stands once."""
    kept = [at for at, name in enumerate(found.columns) if _TWICE.sub("", name) not in found.columns[:at]]
    rows = (tuple(None if row[at] is None else plain(row[at], "") for at in kept) for row in found.rows)
    return Table(tuple(found.columns[at] for at in kept), tuple(rows))


def _answer(found: Result, column: str | None) -> tuple[Any, ...]:
    """The values of the column that the question is about, where rows have several; else what the tree answers."""
    if column is None or column not in found.columns or len(found.columns) == 1:
        return found.answer
    values = (row[found.columns.index(column)] for row in found.rows)
    flat = (item for value in values for item in (value if isinstance(value, tuple) else (value,)))
    return tuple(item for item in flat if item is not None)


def _type(wanted: str, value: Any, told: str) -> str:
    """The type that was asked for where the value can be read as it, else the value's own."""
    if wanted in _NAMED_BY_QUESTION and _fits(wanted, value):
        return wanted
    if isinstance(value, str):
        return "text"
    return told if told not in ("events", "none") else "number"


def _fits(wanted: str, value: Any) -> bool:
    if wanted in ("month", "weekday"):
        return isinstance(value, int | date | tuple)
    if wanted == "duration":
        return isinstance(value, int | float | timedelta) and not isinstance(value, bool)
    return isinstance(value, (datetime, date if wanted == "date" else time))


def _in_unit(
    values: Sequence[Any], unit: str | None, wanted: str | None, vocabulary: Vocabulary
) -> tuple[list[Any], str | None]:
    """The values in the unit asked for, where both measure the same kind of quantity."""
    old = vocabulary.unit_named(unit) if unit else None
    new = vocabulary.unit_named(wanted) if wanted else None
    if old is None or new is None or old.kind != new.kind:
        return list(values), unit
    factor = old.factor / new.factor
    numbers = (value + old.offset if isinstance(value, int | float) else value for value in values)
    return [float(n) * factor - new.offset if isinstance(n, int | float) else n for n in numbers], new.symbol
