"""Moments, lengths of time and numbers in SQL. A length of time is in seconds; months and years are an INTERVAL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...errors import TreeTypeError
from ...operators.checking.types import DATE, DATETIME, DAYS, DURATION, FLOAT, INT, NUMBERS, STR, Kind, Type
from .said import Said

_INTERVAL: Final = Type(Kind.DURATION, "interval")
_PARTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("year", "month", "day", "hour", "minute", "second"), ""),
    "weekday": " - 1",
    "isoweekday": "",
}
_SECONDS: Final = {"days": 86_400, "seconds": 1, "minutes": 60, "hours": 3_600, "weeks": 604_800}
_UNITS: Final = {"years": 12, "months": 1}


def moment_of(base: Said, name: str) -> Said:
    """A part of a moment or of a length of time, by field or method. Raises TreeTypeError for what SQL has not."""
    if base.type.kind is Kind.DURATION and base.type.part is None:
        if name == "total_seconds":
            return Said(base.sql, Type(Kind.FLOAT, None, "s"))
        if name == "days":
            return Said(f"CAST(floor(({base.sql}) / 86400) AS BIGINT)", INT)
    if name in ("date", "time") and base.type.kind is Kind.DATETIME:
        return Said(f"CAST({base.sql} AS {name.upper()})", DATE if name == "date" else Type(Kind.TIME))
    if name == "isocalendar" and base.type.kind in DAYS:
        return Said(f"week({base.sql})", INT)
    if name not in _PARTS or base.type.kind not in (*DAYS, Kind.TIME):
        raise TreeTypeError(f"SQL has no .{name} of a {base.type}")
    function = "isodow" if name in ("weekday", "isoweekday") else name
    part = name if name in ("year", "month", "weekday", "isoweekday", "hour") else None
    return Said(f"({function}({base.sql}){_PARTS[name]})", Type(Kind.INT, part))


def span_of(function: str, given: Mapping[str, Said]) -> Said:
    """timedelta() and relativedelta(). Raises TreeTypeError for parts that SQL has not."""
    if function == "relativedelta" and any(name in _UNITS for name in given):
        months = [f"({value.sql}) * {_UNITS[name]}" for name, value in given.items() if name in _UNITS]
        parts = [f"to_months(CAST({' + '.join(months)} AS INTEGER))"]
        rest = {name: value for name, value in given.items() if name not in _UNITS}
        if rest:
            parts.append(f"to_seconds({_seconds(rest)})")
        return Said(f"({' + '.join(parts)})", _INTERVAL)
    return Said(_seconds(given), DURATION)


def _seconds(given: Mapping[str, Said]) -> str:
    unknown = [name for name in given if name not in _SECONDS]
    if unknown:
        raise TreeTypeError(f"SQL has no length of time by {unknown[0]} here")
    parts = [f"({value.sql}) * {_SECONDS[name]}" for name, value in given.items()]
    return f"({' + '.join(parts) or '0'})"


def added(operator: str, left: Said, right: Said) -> Said:
    """Arithmetic. Raises TreeTypeError for what makes no sense."""
    kinds = (left.type.kind, right.type.kind)
    if kinds[0] in DAYS and kinds[1] in DAYS and operator == "-":
        return _between(left, right)
    if kinds[0] in DAYS and kinds[1] is Kind.DURATION and operator in "+-":
        return _moved(operator, left, right)
    if kinds == (Kind.STR, Kind.STR) and operator == "+":
        return Said(f"({left.sql} || {right.sql})", STR)
    if not all(kind in (*NUMBERS, Kind.DURATION, Kind.ANY, Kind.BOOL) for kind in kinds):
        raise TreeTypeError(f"SQL has no {left.type} {operator} {right.type}")
    if operator == "/":
        return Said(f"(CAST({left.sql} AS DOUBLE) / NULLIF({right.sql}, 0))", _lasting(left, right, FLOAT))
    if operator in ("//", "%"):
        quotient = f"floor(CAST({left.sql} AS DOUBLE) / NULLIF({right.sql}, 0))"
        if operator == "//":
            return Said(f"CAST({quotient} AS BIGINT)", INT)
        return Said(f"({left.sql} - {right.sql} * {quotient})", left.type)
    if operator not in ("+", "-", "*"):
        raise TreeTypeError(f"SQL has no {operator} here")
    return Said(f"({left.sql} {operator} {right.sql})", _lasting(left, right, left.type))


def _lasting(left: Said, right: Said, otherwise: Type) -> Type:
    """A length of time stays one when it is divided or multiplied by a number; by another it is a number."""
    both = left.type.kind is right.type.kind is Kind.DURATION
    if left.type.kind is Kind.DURATION and not (both and otherwise is FLOAT):
        return DURATION
    kinds = {left.type.kind, right.type.kind}
    return Type(Kind.FLOAT, None, left.type.unit or right.type.unit) if Kind.FLOAT in kinds else otherwise


def _between(left: Said, right: Said) -> Said:
    if {left.type.kind, right.type.kind} == {Kind.DATE}:
        return Said(f"(({left.sql} - {right.sql}) * 86400)", DURATION)
    return Said(f"epoch(CAST({left.sql} AS TIMESTAMP) - CAST({right.sql} AS TIMESTAMP))", DURATION)


def _moved(operator: str, left: Said, right: Said) -> Said:
    span = right.sql if right.type.part == "interval" else f"to_seconds({right.sql})"
    moved = f"CAST({left.sql} AS TIMESTAMP) {operator} {span}"
    day = left.type.kind is Kind.DATE
    return Said(f"CAST({moved} AS DATE)" if day else f"({moved})", DATE if day else DATETIME)
