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


def sentence(
    values: Sequence[Any], answer_type: str, unit: str | None, evidence: int, *, more: bool = False, told: int = 0
) -> str:
    """A sentence for plain values of an answer type, from so many events, or `more`, of which so many are not recorded
    but told."""
    said = [_say(value, answer_type, unit) for value in values[:SHOWN]]
    over = len(values) - len(said)
    text = _template().render(values=said, more=over, type=answer_type, evidence=evidence, over=more, told=told)
    return " ".join(text.split())


def recorded(values: Sequence[Any], answer_type: str, unit: str | None) -> str:
    """A sentence for what the answer would be by records alone."""
    said = [_say(value, answer_type, unit) for value in values[:SHOWN]]
    return f"By records alone: {', '.join(said) or 'nothing'}{', …' if len(values) > SHOWN else ''}."


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
