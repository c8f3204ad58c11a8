"""The extension functions that patterns and rules may call in SPARQL, under fn: (documented in docs/planner.md)."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType

from ..ontology.namespaces import FN, XSD
from ..store.graph import Function
from ..store.rdf import Literal, NamedNode, Term
from .inflection import Forms

_DATE = NamedNode(XSD + "date")


def extension_functions(forms: Forms) -> Mapping[str, Function]:
    """The functions by IRI; a wrong argument leaves the expression unbound, as SPARQL's own functions do."""
    return MappingProxyType(
        {
            FN + "past": _text_function(forms.past),
            FN + "singular": _text_function(forms.singular),
            FN + "case": _case,
            FN + "date": _date,
            FN + "addDays": _add_days,
            FN + "addMonths": _add_months,
            FN + "weekday": _weekday,
        }
    )


def _text_function(function: Callable[[str], str]) -> Function:
    def call(term: Term) -> Term | None:
        return Literal(function(term.value)) if isinstance(term, Literal) else None

    return call


def _case(value: Term, table: Term, default: Term | None = None) -> Term | None:
    """fn:case(value, "in=out|in=out", default): the out of the first in that equals value, without case."""
    wanted = value.value.strip().casefold()
    for entry in table.value.split("|"):
        key, _, out = entry.partition("=")
        if key.strip() == wanted:
            return Literal(out.strip())
    return default


def _whole(term: Term) -> int | None:
    try:
        number = float(term.value)
    except ValueError:
        return None
    return int(number) if number == int(number) else None


def _day(term: Term) -> date | None:
    try:
        return date.fromisoformat(term.value[:10])
    except ValueError:
        return None


def _literal(day: date) -> Literal:
    return Literal(day.isoformat(), datatype=_DATE)


def _date(year: Term, month: Term, day: Term) -> Term | None:
    """fn:date(year, month, day): months below 1 and above 12 run into other years; a day that the month lacks has no value."""
    y, m, d = _whole(year), _whole(month), _whole(day)
    if y is None or m is None or d is None:
        return None
    y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
    if not 1 <= y <= 9999 or not 1 <= d <= monthrange(y, m)[1]:
        return None
    return _literal(date(y, m, d))


def _add_days(day: Term, days: Term) -> Term | None:
    """fn:addDays(date, days)."""
    start, count = _day(day), _whole(days)
    if start is None or count is None:
        return None
    try:
        return _literal(start + timedelta(days=count))
    except OverflowError:
        return None


def _add_months(day: Term, months: Term) -> Term | None:
    """fn:addMonths(date, months): the same day, or the month's last where it has none such."""
    start, count = _day(day), _whole(months)
    if start is None or count is None:
        return None
    total = start.year * 12 + start.month - 1 + count
    year, month = total // 12, total % 12 + 1
    if not 1 <= year <= 9999:
        return None
    return _literal(date(year, month, min(start.day, monthrange(year, month)[1])))


def _weekday(day: Term) -> Term | None:
    """fn:weekday(date): 1 for Monday to 7 for Sunday."""
    found = _day(day)
    return Literal(found.isoweekday()) if found else None
