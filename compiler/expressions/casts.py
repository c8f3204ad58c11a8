"""Values of the graph read as types: what EXTRACT makes of them, and where nothing needs to be made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from ...errors import TreeTypeError
from ...ontology.namespaces import EV, XSD
from ...operators.nodes import AttributeType
from ...operators.resolution import IRREGULAR
from ..sparql.algebra import BOOLEAN, DECIMAL, INTEGER, Expr, Iri, Literal, call, text

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


NOTHING = call(Iri(INTEGER), text(""))
"""An expression without a value."""
MOMENTS = frozenset({EV + "start", EV + "end"})
"""Properties known to hold wall-clock xsd:dateTime, which need no checks."""
PLAIN_TEXT = frozenset({XSD + "string"})
PLAIN_NUMBER = frozenset({XSD + "integer"})
_NUMBERS = frozenset({XSD + "integer", XSD + "decimal"})
_SAME: dict[AttributeType, frozenset[str]] = {
    AttributeType.STR: PLAIN_TEXT,
    AttributeType.INT: frozenset({XSD + "integer"}),
    AttributeType.FLOAT: frozenset({XSD + "decimal"}),
    AttributeType.DURATION: frozenset({XSD + "decimal"}),
    AttributeType.BOOL: frozenset({XSD + "boolean"}),
    AttributeType.DATE: frozenset({XSD + "date"}),
    AttributeType.TIME: frozenset({XSD + "time"}),
    AttributeType.DATETIME: frozenset({XSD + "dateTime"}),
}
"""The only datatype that a property may have for its values to be of the type as they stand."""
_OF_MOMENTS = (AttributeType.DATE, AttributeType.TIME)


@dataclass(frozen=True)
class Conversion:
    """How values become a type: as they are, or by a cast.

    `certain`: every value can be read so. `moment`: they are xsd:dateTime, of which a day or time is made.
    """

    kind: AttributeType
    same: bool = False
    certain: bool = False
    moment: bool = False

    def of(self, value: Expr) -> Expr:
        """A value so read."""
        return value if self.same else cast(value, self.kind, moment=self.moment)


def reading_of(kind: AttributeType, datatypes: frozenset[str], *, moment: bool) -> Conversion:
    """How values of some datatypes are read as a type; no datatypes: they are not known.

    `moment`: they are known to be wall-clock moments.
    """
    moment = moment or datatypes == {XSD + "dateTime"}
    if datatypes == _SAME.get(kind) or (moment and kind is AttributeType.DATETIME):
        return Conversion(kind, True, True)
    if moment and kind in _OF_MOMENTS:
        return Conversion(kind, False, True, True)
    numbers = kind in (AttributeType.INT, AttributeType.FLOAT, AttributeType.DURATION)
    certain = bool(datatypes) and (datatypes <= _NUMBERS if numbers else kind is AttributeType.STR)
    return Conversion(kind, False, certain and IRREGULAR not in datatypes)


def cast(value: Expr, kind: AttributeType, *, moment: bool = False) -> Expr:
    """A value of the graph read as a type; an error where it is none. `moment`: it is known to be an xsd:dateTime."""
    said = call("STR", value)
    if kind is AttributeType.STR:
        return said
    if kind is AttributeType.INT:
        return call(Iri(INTEGER), call(Iri(DECIMAL), value))
    if kind in (AttributeType.FLOAT, AttributeType.DURATION):
        return call(Iri(DECIMAL), value)
    if kind is AttributeType.BOOL:
        return call(Iri(BOOLEAN), value)
    day = call("SUBSTR", said, 1, 10)
    if kind is AttributeType.DATE:
        made = typed(day, "date")
        return made if moment else _checked(said, "^[0-9]{4}-[0-9]{2}-[0-9]{2}", made)
    if kind is AttributeType.DATETIME:
        clock = call("SUBSTR", call("CONCAT", call("SUBSTR", said, 12), text("00:00:00")), 1, 8)
        made = typed(call("CONCAT", day, text("T"), clock), "dateTime")
        return _checked(said, "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}|$)", made)
    if moment:
        return typed(call("SUBSTR", said, 12, 8), "time")
    after_day = call("CONCAT", call("REPLACE", said, text("^.*T"), text("")), text(":00"))
    return _checked(said, "^(.*T)?[0-9]{2}:[0-9]{2}", typed(call("SUBSTR", after_day, 1, 8), "time"))


def typed(said: Expr, datatype: str) -> Expr:
    """A text as a literal of a datatype of XML Schema."""
    return call("STRDT", said, Iri(XSD + datatype))


def _checked(said: Expr, pattern: str, made: Expr) -> Expr:
    return call("IF", call("REGEX", said, text(pattern)), made, NOTHING)
