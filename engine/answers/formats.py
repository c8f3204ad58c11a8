"""Values as a locale writes them: numbers, money, lengths of time, dates, periods."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, datetime, time
from functools import cache
from typing import Any, Final

from ...operators.conditions import operands
from ...operators.expressions import Expression, Node
from ...operators.nodes import Filter, Retrieve, rebuilt, walk
from ...operators.wording import told_in_words
from .statement import Period, is_until_now, period_of

_CURRENCY: Final = re.compile(r"[A-Z]{3}")


def value_in_words(value: Any, answer_type: str, unit: str | None, locale: str) -> str:
    """One plain value of an answer, of its type and unit."""
    if answer_type == "boolean":
        return "Yes" if value else "No"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return amount(value, unit, locale, grouped=unit is not None)
    if isinstance(value, str) and answer_type in ("date", "datetime", "time", "month"):
        return _moment(value, answer_type, locale)
    return str(value)


def amount(value: float, unit: str | None, locale: str, *, grouped: bool = True) -> str:
    """A number with its unit; lengths of time in seconds as hours, minutes and seconds."""
    from babel.numbers import format_currency, format_decimal

    if unit == "s":
        hours, rest = divmod(round(value), 3600)
        minutes, seconds = divmod(rest, 60)
        parts = [(hours, "h"), (minutes, "min"), (seconds, "s")]
        return " ".join(f"{integer(n, locale)} {name}" for n, name in parts if n) or "0 s"
    if unit is not None and _CURRENCY.fullmatch(unit):
        return str(format_currency(value, unit, locale=locale))
    few = isinstance(value, float) and abs(value) < 1000 and unit is None
    pattern = ("#,##0" if grouped else "0") + (".#####" if few else ".##")
    said = str(format_decimal(float(f"{value:.6g}") if few else value, format=pattern, locale=locale))
    return said if unit is None else f"{said} {unit}"


def integer(value: int, locale: str) -> str:
    """A whole number with its thousands parted."""
    from babel.numbers import format_decimal

    return str(format_decimal(value, format="#,##0", locale=locale))


def day_in_words(value: date, locale: str, *, weekday: bool = False) -> str:
    """A day: "3 March 2024"."""
    from babel.dates import format_date

    return str(format_date(value, "full" if weekday else "long", locale=_of_dates(locale)))


def month_in_words(value: date, locale: str) -> str:
    """A month: "March 2024"."""
    from babel.dates import format_skeleton

    return str(format_skeleton("yMMMM", value, locale=_of_dates(locale)))


def period_in_words(period: Period, locale: str) -> str:
    """When that is, as it follows a noun: "in 2024", "in March 2024", "on 3 March 2024"; empty for all time."""
    first, last = period.first, period.last
    if first > last or (first, last) == (date.min, date.max):
        return ""
    if first == date.min:
        return f"until {day_in_words(last, locale)}"
    if last == date.max:
        return f"since {day_in_words(first, locale)}"
    if first == last:
        return f"on {day_in_words(first, locale)}"
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return f"in {first.year}" if first.year == last.year else f"from {first.year} to {last.year}"
    if (first.year, first.month) == (last.year, last.month) and _is_month(first, last):
        return f"in {month_in_words(first, locale)}"
    return f"from {day_in_words(first, locale)} to {day_in_words(last, locale)}"


def days_in_words(days: Sequence[str], locale: str) -> str:
    """The first and the last of some ISO days, as it follows a noun."""
    known = sorted(date.fromisoformat(one) for one in days if one)
    return period_in_words(Period(known[0], known[-1]), locale) if known else ""


def _is_month(first: date, last: date) -> bool:
    return first.day == 1 and last.day == monthrange(last.year, last.month)[1]


def _moment(value: str, answer_type: str, locale: str) -> str:
    from babel.dates import format_time

    if answer_type == "month":
        return month_in_words(date.fromisoformat(f"{value}-01"), locale) if value[:1].isdigit() else value
    if answer_type == "time":
        return str(format_time(time.fromisoformat(value), "short", locale=_of_dates(locale)))
    if "T" in value:
        moment = datetime.fromisoformat(value)
        at = format_time(moment.time(), "short", locale=_of_dates(locale))
        return f"{day_in_words(moment.date(), locale, weekday=True)} at {at}"
    return day_in_words(date.fromisoformat(value), locale, weekday=True)


@cache
def _of_dates(locale: str) -> str:
    """The locale that dates are written in: sentences are English, and so are their months."""
    return locale if locale.split("_")[0] == "en" else "en_GB"


def shortly(tree: Node, column: str | None, locale: str) -> tuple[str, str]:
    """What a tree answers, and its period ("in 2024"; "" for none, and where several are told of)."""
    if sum(isinstance(node, Retrieve) for node in walk(tree)) != 1:
        return told_in_words(tree, column), ""
    found: list[Period] = []

    def without_period(node: Node) -> Node:
        if not isinstance(node, Filter):
            return node
        own = [_period(part) for part in operands(node.condition.body)]
        told = [period for period in own if period is not None]
        if len(told) < len(own):
            return node
        found.extend(told)
        return node.input

    plain = rebuilt(tree, without_period)
    period = Period()
    for one in found:
        period = period.within(one)
    return told_in_words(plain, column), period_in_words(period, locale)


def _period(body: Expression) -> Period | None:
    """The days that a condition allows; all of them for what has not begun after now."""
    return Period() if is_until_now(body) else period_of(body)
