"""A FILTER of some days: the events that touch them are looked up by `ev:day`, and no others are read.

A store finds the events of a day at once, but has to read the start of each event to compare it. Every event touches
the day of its start (that is counted, not believed: `store.index.statistics`), so the events of the days hold all
that the FILTER keeps; of an event that touches several of them, only the day of its start counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from ..ontology.namespaces import EV
from ..operators.conditions import FLIPPED, conjuncts, fixed_day
from ..operators.expressions import Attribute, Call, Comparison, Expression, Field, Literal, Method
from .scope import Context, Rows
from .sparql.algebra import Iri

_MOST_DAYS = 400
"""Days that are named in a query; of more, most events are read anyway."""
START = Iri(EV + "start")


@dataclass(frozen=True)
class Days:
    """Days from `begin` to `end`, both included."""

    begin: date = date.min
    end: date = date.max

    def within(self, other: Days) -> Days:
        """The days of both."""
        return Days(max(self.begin, other.begin), min(self.end, other.end))

    def few(self) -> tuple[date, ...] | None:
        """Each of them; None where there are none, or too many to be named."""
        count = (self.end - self.begin).days + 1
        return tuple(self.begin + timedelta(days=at) for at in range(count)) if 0 < count <= _MOST_DAYS else None


def on_days(context: Context, rows: Rows, condition: Expression, parameter: Expression) -> Rows:
    """The rows, those of other days than a condition over `parameter` allows left out, where that costs less."""
    bounds: dict[str, Days] = {}
    for part in conjuncts(condition):
        told = _bound(part, parameter)
        if told is not None:
            bounds[told[0]] = bounds.get(told[0], Days()).within(told[1])
    for name, days in bounds.items():
        column, few = rows.columns.get(name), days.few()
        if column is None or few is None:
            continue
        source = column.moment or column.variable
        pattern = context.reads.of_days(rows.pattern, source, START, few, context.names.fresh)
        if pattern is not None:
            return replace(rows, pattern=pattern)
    return rows


def _bound(part: Expression, parameter: Expression) -> tuple[str, Days] | None:
    """The attribute, and its days, of a comparison with a fixed day, moment or year; None for any other condition."""
    if not isinstance(part, Comparison) or len(part.operators) != 1 or part.operators[0] not in FLIPPED:
        return None
    one, operator, other = part.left, part.operators[0], part.rights[0]
    if isinstance(one, Call | Literal):
        one, operator, other = other, FLIPPED[operator], one
    if isinstance(one, Field) and one.name == "year" and isinstance(other, Literal):
        one, days = one.base, _of_year(operator, other.value)
    else:
        days = _of_day(operator, fixed_day(other))
    if isinstance(one, Method) and one.name == "date":
        one = one.base
    if days is None or not isinstance(one, Attribute) or one.base != parameter:
        return None
    return one.name, days


def _of_day(operator: str, day: date | None) -> Days | None:
    if day is None:
        return None
    after, before = Days(begin=day), Days(end=day)
    return {"==": Days(day, day), ">=": after, ">": after, "<=": before, "<": before}.get(operator)


def _of_year(operator: str, year: object) -> Days | None:
    if operator != "==" or type(year) is not int or not date.min.year <= year <= date.max.year:
        return None
    return Days(date(year, 1, 1), date(year, 12, 31))
