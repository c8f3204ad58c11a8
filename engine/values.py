"""From the rows of a run tree to the values of an answer: type, unit, months and weekdays by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from ..execution.run import Result
from ..planner.plan import AnswerForm
from ..store.vocabulary import Vocabulary
from .answer import Plain, plain

_NAMED_BY_QUESTION = frozenset({"month", "weekday", "duration", "date", "time"})
"""Types that a question may ask for though the value alone would not tell."""


@dataclass(frozen=True)
class Shaped:
    """Values best first, their type and unit."""

    values: tuple[Plain, ...]
    answer_type: str
    unit: str | None


def shape(found: Result, form: AnswerForm, vocabulary: Vocabulary) -> Shaped:
    """The values of an answer in the form that the question asks for; a value stands once."""
    if not found.answer:
        return Shaped((), "events" if found.rows else "none", None)
    if form.type == "boolean":
        return Shaped((bool(found.answer[0]),), "boolean", None)
    kind = _type(form.type, found)
    values, unit = _in_unit(found.answer, found.unit, form.unit, vocabulary)
    said = dict.fromkeys(plain(value, kind) for value in values)
    return Shaped(tuple(said), kind, unit if kind in ("number", "duration") else None)


def _type(wanted: str, found: Result) -> str:
    """The type of the values, or the one asked for where they can be read as it."""
    value = found.answer[0]
    if wanted in _NAMED_BY_QUESTION and _fits(wanted, value):
        return wanted
    return found.answer_type


def _fits(wanted: str, value: Any) -> bool:
    if wanted in ("month", "weekday"):
        return isinstance(value, int | date | tuple)
    if wanted == "duration":
        return isinstance(value, int | float | timedelta) and not isinstance(value, bool)
    return isinstance(value, datetime) or isinstance(value, date if wanted == "date" else time)


def _in_unit(
    values: Sequence[Any], unit: str | None, wanted: str | None, vocabulary: Vocabulary
) -> tuple[list[Any], str | None]:
    """The values in the unit asked for, where both measure the same kind of quantity."""
    old = vocabulary.unit_named(unit) if unit else None
    new = vocabulary.unit_named(wanted) if wanted else None
    if old is None or new is None or old.kind != new.kind:
        return list(values), unit
    factor = old.factor / new.factor
    return [float(value) * factor if isinstance(value, int | float) else value for value in values], new.symbol
