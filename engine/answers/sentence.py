"""The sentence that says an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from functools import cache
from importlib.resources import files
from typing import Any

_CURRENCY = re.compile(r"[A-Z]{3}")
SHOWN = 10
"""Values that a sentence names; the rest is counted."""
_UNTITLED = "(without a title)"


def sentence(
    values: Sequence[Any],
    answer_type: str,
    unit: str | None,
    evidence: int,
    *,
    more: bool = False,
    told: int = 0,
    days: Sequence[str | None] = (),
    shown: int | None = SHOWN,
) -> str:
    """A sentence for plain values of an answer type, from so many events, or `more`, of which so many are not recorded
    but `told`; `days` as for `said_values`.

    It names the first `shown` (None: all), parted by semicolons where one of them holds a comma.
    """
    said = said_values(values, answer_type, unit, days)
    named = said[:shown]
    comma = "; " if any("," in text for text in named) and len(said) > 1 else ", "
    text = _template().render(
        values=named,
        more=len(said) - len(named),
        type=answer_type,
        evidence=evidence,
        over=more,
        told=told,
        comma=comma,
    )
    return " ".join(text.split())


def recorded(values: Sequence[Any], answer_type: str, unit: str | None) -> str:
    """A sentence for what the answer would be by records alone."""
    said = said_values(values, answer_type, unit)
    return f"By records alone: {', '.join(said[:SHOWN]) or 'nothing'}{', …' if len(said) > SHOWN else ''}."


def said_values(
    values: Sequence[Any], answer_type: str, unit: str | None, days: Sequence[str | None] = ()
) -> tuple[str, ...]:
    """The values as a sentence says them, in their order.

    A label of several events stands once, with how often, and between which of its `days`: these stand in the order of
    the values, a moment or day of each.
    """
    if answer_type != "events":
        return tuple(_say(value, answer_type, unit) for value in values)
    times: dict[str, list[str]] = {}
    for at, value in enumerate(values):
        said = _say(value, answer_type, unit) or _UNTITLED
        times.setdefault(said, []).append(((days[at] if at < len(days) else None) or "")[:10])
    return tuple(_repeated(said, found) for said, found in times.items())


def listed(items: Sequence[str]) -> str:
    """Words one after another: "Ann, Bo and Cy"."""
    return ", ".join(items[:-1]) + (" and " if len(items) > 1 else "") + items[-1]


def _repeated(said: str, days: list[str]) -> str:
    if len(days) == 1:
        return said
    known = sorted(filter(None, days))
    between = "" if not known else f" on {known[0]}" if known[0] == known[-1] else f" from {known[0]} to {known[-1]}"
    return f"{said} ({len(days):,} times{between})"


def _say(value: Any, answer_type: str, unit: str | None) -> str:
    if answer_type == "boolean":
        return "Yes" if value else "No"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _measure(value, unit, is_year=answer_type == "year")
    if isinstance(value, str) and answer_type in ("date", "datetime", "time", "month"):
        return _moment(value, answer_type)
    return str(value)


def _measure(value: float, unit: str | None, *, is_year: bool) -> str:
    if unit == "s":
        hours, rest = divmod(round(value), 3600)
        minutes, seconds = divmod(rest, 60)
        parts = [(hours, "h"), (minutes, "min"), (seconds, "s")]
        return " ".join(f"{n:,} {name}" for n, name in parts if n) or "0 s"
    if is_year or unit is None:
        return f"{value:g}" if isinstance(value, float) and abs(value) < 1000 else _decimals(value, "")
    if isinstance(value, float) and _CURRENCY.fullmatch(unit):
        return f"{value:,.2f} {unit}"
    return f"{_decimals(value, ',')} {unit}"


def _decimals(value: float, grouping: str) -> str:
    """At most two decimals, none where there is nothing to say."""
    return (
        format(value, f"{grouping}.2f").rstrip("0").rstrip(".") if isinstance(value, float) else format(value, grouping)
    )


def _moment(value: str, answer_type: str) -> str:
    if answer_type == "month":
        return date.fromisoformat(f"{value}-01").strftime("%B %Y") if value[:1].isdigit() else value
    if answer_type == "time":
        return time.fromisoformat(value).strftime("%H:%M")
    if "T" in value:
        moment = datetime.fromisoformat(value)
        return f"{moment:%A} {moment.day} {moment:%B %Y at %H:%M}"
    day = date.fromisoformat(value)
    return f"{day:%A} {day.day} {day:%B %Y}"


@cache
def _template() -> Any:
    """The answer template; it ships with the package, so autoescaping HTML is not wanted."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - plain text, not HTML
    return environment.from_string(files("reqap_kg.templates").joinpath("answer.j2").read_text(encoding="utf-8"))
