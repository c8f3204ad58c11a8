"""The sentence that says an answer: what was counted, of when, and on what it rests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ...store.words import key_words
from ...texts.words import plural
from .formats import days_in_words, integer, period_in_words, value_in_words
from .statement import COUNT, LIST, Statement

SHOWN = 10
"""Values that a sentence names; the rest is counted."""
LOCALE = "en_GB"
_UNTITLED = "(without a title)"
_MOST_SOURCES = 2
_CALENDAR = "Calendar"


@dataclass(frozen=True)
class Behind:
    """The events behind an answer: how many, or `more` than that; how many of them are only `told` of in texts; their
    starts, where they are the answer; and the sources of all of them, none where they are not known."""

    events: int = 0
    more: bool = False
    told: int = 0
    days: tuple[str | None, ...] = ()
    sources: tuple[str, ...] = ()


def sentence(
    values: Sequence[Any],
    answer_type: str,
    unit: str | None,
    behind: Behind,
    *,
    statement: Statement | None = None,
    tied: bool = False,
    shown: int | None = SHOWN,
    locale: str = LOCALE,
) -> str:
    """A sentence for plain values of an answer type; `tied`: several are as great or small as one another.

    It names the first `shown` (None: all), parted by semicolons where one of them holds a comma.
    """
    said = said_values(values, answer_type, unit, behind.days, locale)
    named = said[:shown]
    stated = statement if statement is not None and _states(statement, values, answer_type) else None
    counted = int(values[0]) if stated is not None and stated.operation == COUNT else None
    named = named if counted is None else (integer(counted, locale),)
    text = _template().render(
        values=named,
        more=len(said) - len(named),
        number=integer(len(said), locale),
        count=counted,
        type=answer_type,
        evidence=behind.events,
        events=integer(behind.events, locale),
        over=behind.more,
        told=behind.told,
        told_number=integer(behind.told, locale),
        comma="; " if any("," in text for text in named) and len(said) > 1 else ", ",
        tied=tied and len(said) > 1,
        statement=stated,
        when=period_in_words(stated.period, locale) if stated is not None else "",
        sources=" and ".join(map(source_in_words, behind.sources)) if len(behind.sources) <= _MOST_SOURCES else "",
    )
    return " ".join(text.split()).replace(" ,", ",")


def of_groups(rows: Sequence[Sequence[Any]], column: str, unit: str | None, locale: str = LOCALE) -> str:
    """A sentence for groups with one measure each: between which values they are, and where these are. `column` is the
    name of what they are grouped by."""
    measured = [row for row in rows if isinstance(row[-1], int | float)]
    if not measured:
        return "Nothing in your data matches."
    least, most = min(measured, key=lambda row: row[-1]), max(measured, key=lambda row: row[-1])
    low, high = (
        f"{value_in_words(row[-1], 'number', unit, locale)} ({', '.join(_group(part, locale) for part in row[:-1])})"
        for row in (least, most)
    )
    between = low if least[-1] == most[-1] else f"from {low} to {high}"
    noun = key_words(column) if len(measured) == 1 else plural(key_words(column))
    return f"{integer(len(measured), locale)} {noun}: {between}."


def _group(part: Any, locale: str) -> str:
    """What a group is called: months in words."""
    is_month = isinstance(part, str) and len(part) == len("2024-03") and part[:4].isdigit() and part[4] == "-"
    return value_in_words(part, "month", None, locale) if is_month else str(part)


def _states(statement: Statement, values: Sequence[Any], answer_type: str) -> bool:
    """Whether the values are what the statement says: one number of a count or a measure, or a list."""
    if statement.operation == LIST:
        return answer_type not in ("boolean", "number", "duration") or len(values) > 1
    whole = len(values) == 1 and not isinstance(values[0], bool)
    return whole and (statement.operation != COUNT or isinstance(values[0], int))


def recorded(values: Sequence[Any], answer_type: str, unit: str | None, locale: str = LOCALE) -> str:
    """A sentence for what the answer would be by records alone."""
    said = said_values(values, answer_type, unit, (), locale)
    return f"By records alone: {', '.join(said[:SHOWN]) or 'nothing'}{', …' if len(said) > SHOWN else ''}."


def said_values(
    values: Sequence[Any],
    answer_type: str,
    unit: str | None,
    days: Sequence[str | None] = (),
    locale: str = LOCALE,
) -> tuple[str, ...]:
    """The values as a sentence says them, in their order.

    A label of several events stands once, with how often, and between which of its `days`: these stand in the order of
    the values, a moment or day of each. One event alone is told with its day.
    """
    if answer_type != "events":
        return tuple(value_in_words(value, answer_type, unit, locale) for value in values)
    times: dict[str, list[str]] = {}
    for at, value in enumerate(values):
        said = str(value) or _UNTITLED
        times.setdefault(said, []).append(((days[at] if at < len(days) else None) or "")[:10])
    alone = len(values) == 1
    return tuple(_repeated(said, found, locale, alone) for said, found in times.items())


def listed(items: Sequence[str], last: str = "and") -> str:
    """Words one after another, with a word before the last: "Ann, Bo and Cy"."""
    first = [", ".join(items[:-1])] if len(items) > 1 else []
    return f" {last} ".join([*first, *items[-1:]])


def source_in_words(name: str) -> str:
    """The name of a source as people say it: "apple-health" → Apple Health, "calendar-rhys" → Calendar “Rhys”."""
    words = [word[:1].upper() + word[1:] for word in name.replace("_", "-").split("-") if word]
    return f"{_CALENDAR} “{' '.join(words[1:])}”" if words[:1] == [_CALENDAR] and words[1:] else " ".join(words)


def _repeated(said: str, days: list[str], locale: str, alone: bool) -> str:
    if len(days) == 1 and not alone:
        return said
    when = days_in_words(days, locale)
    if alone:
        return f"{said}, {when}" if when else said
    return f"{said} ({integer(len(days), locale)} times{f' {when}' if when else ''})"


@cache
def _template() -> Any:
    """The answer template; it ships with the package, so autoescaping HTML is not wanted."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - plain text, not HTML
    text = files("reqap_kg").joinpath("templates", "answer.j2").read_text(encoding="utf-8")
    return environment.from_string(text)
