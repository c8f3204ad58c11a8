"""Values as N-Quads text: literals with their natural datatype, IRIs, blank node labels, whole lines.

Natural mapping: strings, integers, booleans as RML's JSONPath mapping has them; a number with a fraction is xsd:double
there, and xsd:decimal in a record stream (`decimals`), where sums of money must stay exact. Dates, times and decimals
come from functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

from ...ontology.namespaces import XSD

_SPECIAL: Final = re.compile(r'["\\\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]')
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LABEL: Final = re.compile(r"[^A-Za-z0-9]")


def _escape_one(match: re.Match[str]) -> str:
    character = match.group()
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"  # a lone surrogate is no character; UTF-8 cannot carry it
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


def escape(text: str) -> str:
    """`text` as it stands between the quotes of an N-Quads literal."""
    return _SPECIAL.sub(_escape_one, text) if _SPECIAL.search(text) else text


def plain(text: str) -> str:
    """An xsd:string literal."""
    return f'"{escape(text)}"'


def typed(text: str, datatype: str) -> str:
    """A literal of a datatype, given as IRI."""
    return f'"{escape(text)}"^^<{datatype}>'


def decimal_text(value: Decimal | float) -> str:
    """The lexical form of xsd:decimal: no exponent, no trailing zeros after the point."""
    number = value if isinstance(value, Decimal) else Decimal(repr(value))
    text = format(number, "f")
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def double_text(value: float | Decimal) -> str:
    """The canonical lexical form of xsd:double: 8.025E1."""
    number = float(value)
    if not isfinite(number):
        return "NaN" if number != number else "INF" if number > 0 else "-INF"
    mantissa, _, exponent = f"{Decimal(repr(number)):E}".partition("E")
    whole, _, fraction = mantissa.partition(".")
    return f"{whole}.{fraction.rstrip('0') or '0'}E{int(exponent)}" if number else "0.0E0"


def datetime_text(value: datetime) -> str:
    """xsd:dateTime; a UTC offset of zero is written Z, fractions without trailing zeros. An offset with seconds, as
    local mean times have, is none of XML Schema: its whole minutes are written, of the same clock."""
    offset = value.utcoffset()
    if offset is not None and offset % _MINUTE:
        value = value.replace(tzinfo=timezone(int(offset / _MINUTE) * _MINUTE))
    text = value.isoformat()
    if value.microsecond:
        head, _, tail = text.partition(".")
        text = f"{head}.{tail[:6].rstrip('0')}{tail[6:]}"
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def time_text(value: time) -> str:
    """xsd:time, fractions without trailing zeros."""
    text = value.isoformat()
    return text.rstrip("0") if value.microsecond and value.tzinfo is None else text


def _float_text(value: float) -> str:
    return decimal_text(value) if isfinite(value) and abs(value) < 1e21 else repr(value)


_TEXTS: Final[Mapping[type, Callable[[Any], str]]] = MappingProxyType(
    {
        str: str,
        bool: lambda value: "true" if value else "false",
        int: str,
        float: _float_text,
        Decimal: decimal_text,
        datetime: datetime_text,
        date: date.isoformat,
        time: time_text,
    }
)


def text_of(value: Any) -> str:
    """The lexical form of a value in a text: in templates, in joins, under a stated datatype."""
    return _TEXTS[type(value)](value)


def _natural(float_literal: Callable[[float], str]) -> Mapping[type, Callable[[Any], str]]:
    def with_type(text: Callable[[Any], str], datatype: str) -> Callable[[Any], str]:
        end = f'"^^<{XSD}{datatype}>'
        return lambda value: f'"{text(value)}{end}'

    return MappingProxyType(
        {
            str: plain,
            bool: with_type(_TEXTS[bool], "boolean"),
            int: with_type(str, "integer"),
            float: float_literal,
            Decimal: with_type(decimal_text, "decimal"),
            datetime: with_type(datetime_text, "dateTime"),
            date: with_type(date.isoformat, "date"),
            time: with_type(time_text, "time"),
        }
    )


def _double(value: float) -> str:
    return f'"{double_text(value)}"^^<{XSD}double>'


def _decimal_or_double(value: float) -> str:
    if isfinite(value) and abs(value) < 1e21:
        return f'"{decimal_text(value)}"^^<{XSD}decimal>'
    return _double(value)


NATURAL: Final = _natural(_double)
"""Type of a value to the function that writes it as a literal, as RML's JSONPath mapping has it."""
NATURAL_DECIMALS: Final = _natural(_decimal_or_double)
"""The same with numbers as xsd:decimal, for record streams."""


def blank(text: str) -> str:
    """A blank node whose label stands for `text`: equal texts, equal nodes; labels are valid in every RDF syntax."""
    return "_:b" + _LABEL.sub(lambda match: f"_{ord(match.group()):x}_", text)


_LEXICAL: Final = MappingProxyType(
    {
        XSD + "integer": re.compile(r"[+-]?[0-9]+"),
        XSD + "int": re.compile(r"[+-]?[0-9]+"),
        XSD + "long": re.compile(r"[+-]?[0-9]+"),
        XSD + "nonNegativeInteger": re.compile(r"\+?[0-9]+|-0+"),
        XSD + "decimal": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"),
        XSD + "double": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN"),
        XSD + "float": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN"),
        XSD + "boolean": re.compile(r"true|false|0|1"),
        XSD + "date": re.compile(r"-?[0-9]{4,}-[01][0-9]-[0-3][0-9](?:Z|[+-][0-9]{2}:[0-9]{2})?"),
        XSD + "time": re.compile(r"[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"),
        XSD + "dateTime": re.compile(
            r"-?[0-9]{4,}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
        ),
        XSD + "hexBinary": re.compile(r"(?:[0-9A-Fa-f]{2})*"),
        XSD + "gYearMonth": re.compile(r"-?[0-9]{4,}-[01][0-9](?:Z|[+-][0-9]{2}:[0-9]{2})?"),
        XSD + "gYear": re.compile(r"-?[0-9]{4,}(?:Z|[+-][0-9]{2}:[0-9]{2})?"),
        XSD + "duration": re.compile(
            r"-?P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
        ),
    }
)


_TIMES: Final = MappingProxyType({XSD + "date": date, XSD + "time": time, XSD + "dateTime": datetime})
_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "int", "long", "nonNegativeInteger", "decimal"))
_DIGITS: Final = 4_000
"""Digits of a number; Python reads no longer ones."""
_FRACTION: Final = re.compile(r"\.[0-9]+")
_OFFSET: Final = re.compile(r"[+-]([0-9]{2}):([0-9]{2})$")
_MINUTE: Final = timedelta(minutes=1)
_FARTHEST: Final = 14 * 60
"""Minutes of the farthest offset of XML Schema."""


def is_lexical(text: str, datatype: str) -> bool:
    """Whether `text` is a value of a datatype: in its lexical space, a number of at most 4,000 digits, a day that the
    calendar of the years 1 to 9999 has. True for datatypes that are not known here."""
    pattern = _LEXICAL.get(datatype)
    if pattern is None:
        return True
    if pattern.fullmatch(text) is None:
        return False
    kind = _TIMES.get(datatype)
    if kind is not None:
        return _is_time(text, kind)
    return datatype not in _NUMBERS or len(text) <= _DIGITS


def _is_time(text: str, kind: type[date] | type[time]) -> bool:
    whole = _FRACTION.sub("", text)
    try:
        kind.fromisoformat(whole[:10] if kind is date else whole)
    except ValueError:
        return False
    offset = _OFFSET.search(whole)
    return offset is None or (int(offset[1]) * 60 + int(offset[2]) <= _FARTHEST and int(offset[2]) < 60)
