"""Answers made up for tests of charts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from reqap_kg.engine.answers.answer import Answer, Evidence, Plain, Table

DRAW = random.Random(7)


def answer(question: str, values: Iterable[Plain] = (), answer_type: str = "number", **more: Any) -> Answer:
    """An answer of some values."""
    return Answer(question, tuple(values), answer_type, plan="", sparql="", planner="", score=1.0, **more)


def tabled(
    columns: Sequence[str],
    rows: Iterable[Sequence[Plain | None]],
    analysis: str = "",
    answer_type: str = "number",
    **more: Any,
) -> Answer:
    """An answer with a table."""
    held = tuple(map(tuple, rows))
    values = tuple(row[-1] for row in held if row[-1] is not None)
    question = more.pop("question", " by ".join(reversed(columns)))
    table = Table(tuple(columns), held)
    return answer(question, values, answer_type, table=table, analysis=analysis, **more)


def resting_on(starts: Iterable[str | None], question: str = "How often did I run?", **more: Any) -> Answer:
    """A number that rests on events of these dates."""
    events = tuple(
        Evidence(f"urn:{at}", "Workout", "health", str(at), day, None, "run") for at, day in enumerate(starts)
    )
    return answer(question, [len(events)], analysis="number", events=events, **more)


def days(first: date, last: date, count: int) -> list[str]:
    """So many days between two, both among them."""
    span = (last - first).days
    between = [first + timedelta(days=DRAW.randrange(span + 1)) for _ in range(count - 2)]
    return [day.isoformat() for day in sorted([first, *between, last])]


def months(year: int = 2024, count: int = 12) -> list[str]:
    """The months of a year, and of those that follow."""
    return [f"{year + at // 12}-{at % 12 + 1:02d}" for at in range(count)]


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
GENRES = ("rock", "folk", "jazz", "pop")
CITIES = (("Paris", 4), ("Lisbon", 9), ("Amsterdam", 3), ("Vienna", 2), ("Copenhagen", 6))
ONE_OF_EACH: dict[str, Answer] = {
    "bar": resting_on(days(date(2024, 1, 3), date(2024, 12, 29), 57)),
    "horizontal-bar": tabled(("artist", "count"), [(f"Artist {at}", 90 - at) for at in range(14)], "ranking", "text"),
    "grouped-bar": tabled(
        ("resort", "revenue", "margin"), [(name, 900 + at, 400 - at) for at, name in enumerate("ABCD")]
    ),
    "stacked-bar": tabled(("city", "mode", "share"), [(c, m, 50.0) for c in "ABC" for m in ("bus", "bike")], "share"),
    "line": tabled(
        ("month", "distance"), [(month, 20 + at % 5) for at, month in enumerate(months())], "trend", unit="km"
    ),
    "area": tabled(("genre", "month", "count"), [(g, m, 5 + len(g)) for g in GENRES for m in months()], "share"),
    "pie": tabled(("genre", "share"), zip(GENRES, (40.0, 30.0, 20.0, 10.0), strict=True), "share"),
    "histogram": answer("How long were my runs?", [5 + at % 7 + at / 10 for at in range(40)], unit="km"),
    "scatter": tabled(("distance", "duration"), [(at / 3 + 1, at * 110.0 + 300) for at in range(30)], "list"),
    "heatmap": tabled(
        ("weekday", "hour", "count"),
        [(day, hour, (day * hour) % 17) for day in range(7) for hour in range(24)],
        "comparison",
    ),
    "calendar": tabled(
        ("day", "distance"), [(day, 5.5) for day in dict.fromkeys(days(date(2023, 3, 1), date(2024, 2, 20), 90))]
    ),
    "map": tabled(("city", "nights"), CITIES, "places"),
    "table": tabled(
        ("resort", "year", "country", "revenue"), [("A", 2009, "FR", 3), ("B", 2010, "DE", 5)], "comparison"
    ),
}
"""An answer for each kind of chart but none."""
