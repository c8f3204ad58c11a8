"""The chart of a result, if there is one in it: columns are read as those of an answer's table are."""

from __future__ import annotations

from typing import Final

from ....engine.answers.answer import Plain, Table
from ....engine.answers.charts.choose import Chart, chart_of_data
from ....engine.answers.charts.roles import Asked, data_of_table
from ....engine.answers.charts.rules import Kind
from ....ontology.namespaces import XSD
from ....store.queries.results import short
from ....store.rdf import Literal, NamedNode, Term
from .cells import is_number
from .running import Found

_ASKED: Final = Asked("", "table", None, "")
_BOOLEAN: Final = XSD + "boolean"


def chart_of(found: Found) -> Chart | None:
    """The chart that shows rows best; None where no column has numbers, or nothing can be drawn."""
    if found.truth is not None or found.is_triples or len(found.rows) < 2 or not _has_numbers(found):
        return None
    rows = tuple(tuple(_plain(term) for term in row) for row in found.rows)
    data = data_of_table(Table(found.columns, rows), _ASKED)
    chart = chart_of_data(data) if data is not None else None
    return None if chart is None or chart.kind is Kind.TABLE else chart


def _has_numbers(found: Found) -> bool:
    columns = list(zip(*found.rows, strict=True))
    return any(any(term is not None and is_number(term) for term in column) for column in columns)


def _plain(term: Term | None) -> Plain | None:
    """A value as charts have it."""
    if term is None or isinstance(term, NamedNode):
        return None if term is None else short(term)
    if not isinstance(term, Literal):
        return short(term)
    if term.datatype.value == _BOOLEAN:
        return term.value in ("true", "1")
    if not is_number(term):
        return term.value
    try:
        number = float(term.value)
    except ValueError:
        return None
    return int(number) if number.is_integer() and "." not in term.value else number
