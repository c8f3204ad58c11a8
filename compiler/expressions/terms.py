"""Values of Python as terms of SPARQL."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from ...errors import TreeTypeError
from ...ontology.namespaces import XSD
from ..sparql.algebra import BOOLEAN, DECIMAL, INTEGER, Literal, text

PLACES: Final = 18


def term(value: Any) -> Literal:
    """A Python value as a term; a length of time as its seconds. Raises TreeTypeError for a value that has none."""
    if isinstance(value, bool):
        return Literal("true" if value else "false", BOOLEAN)
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int | Decimal):
        return number(value)
    if isinstance(value, timedelta):
        return number(seconds(value))
    if isinstance(value, datetime):
        return Literal(value.replace(tzinfo=None).isoformat(), XSD + "dateTime")
    if isinstance(value, date):
        return Literal(value.isoformat(), XSD + "date")
    if isinstance(value, time):
        return Literal(value.replace(tzinfo=None).isoformat(), XSD + "time")
    raise TreeTypeError(f"{value!r} cannot stand in a query")


def seconds(value: timedelta) -> int | Decimal:
    """A length of time in seconds, an integer where it is whole."""
    exact = Decimal(value // timedelta(microseconds=1)) / 1_000_000
    return int(exact) if exact == exact.to_integral_value() else exact


def number(value: int | Decimal) -> Literal:
    """A number as an integer or decimal literal, of as many places as Oxigraph's decimals have."""
    if isinstance(value, int):
        return Literal(str(value), INTEGER)
    places = value.as_tuple().exponent
    shown = format(round(value, PLACES) if isinstance(places, int) and places < -PLACES else value, "f")
    return Literal(shown if "." in shown else f"{shown}.0", DECIMAL)
