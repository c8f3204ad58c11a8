"""How f-strings and format() write a value by a format specification (Python's mini-language, bounded)."""

from __future__ import annotations

import re
from datetime import date, time
from decimal import Decimal
from typing import Any

from ...errors import TreeTypeError
from .dates import strftime
from .values import shown, text_of

MAX_WIDTH = 200
_MAX_PRECISION = 30
_SPEC = re.compile(r"(?:(.)?([<>=^]))?([-+ ]?)(0?)(\d*)([,_]?)(?:\.(\d+))?([bdeEfFgGosxX%]?)", re.DOTALL)


def formatted(value: Any, spec: str) -> str:
    """The value's text. Raises TreeTypeError for a specification that is none, is too wide, or is not of such values.

    A date or time takes the directives of strftime.
    """
    if isinstance(value, date | time) and "%" in spec:
        return strftime(value, spec)
    check_format(spec)
    if not spec:
        return text_of(value)
    kind = spec[-1]
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return _written(text_of(value), spec)
    if isinstance(value, Decimal) and kind in "bdoxX":
        if value != value.to_integral_value():
            raise TreeTypeError(f"{text_of(value)} is not a whole number")
        return _written(int(value), spec)
    plain = kind not in "bdeEfFgGosxX%" and "." not in spec
    if isinstance(value, Decimal) and plain:  # without needless zeros, as str() writes it
        return _plain_decimal(value, spec)
    # Powers of ten and percent signs are written as of a float: Decimal has its own ways.
    return _written(float(value) if isinstance(value, Decimal) and kind in "eEgG%" else value, spec)


def check_spec(spec: str) -> None:
    """Raises TreeTypeError for a specification that no value has, or that is too wide: when a text is read."""
    if "%" not in spec or _SPEC.fullmatch(spec):
        check_format(spec)


def check_format(spec: str) -> None:
    """Raises TreeTypeError for a specification that no value but a date has, or that is too wide."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise TreeTypeError(f"no format {spec!r}")
    if int(match[5] or 0) > MAX_WIDTH or int(match[7] or 0) > _MAX_PRECISION:
        raise TreeTypeError(f"a format of at most {MAX_WIDTH} characters and {_MAX_PRECISION} digits")


def _plain_decimal(value: Decimal, spec: str) -> str:
    digits = max(0, -int(value.normalize().as_tuple().exponent)) if value else 0
    return _written(value, f"{spec}.{min(digits, _MAX_PRECISION)}f")


def _written(value: Any, spec: str) -> str:
    try:
        return format(value, spec)
    except ValueError as bad:
        raise TreeTypeError(f"{shown(value)} has no format {spec!r}") from bad
