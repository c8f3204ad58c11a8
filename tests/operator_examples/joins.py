"""Examples of the conditions of JOIN that docs/operators.md lists: songs and runs, which pairs there are."""

from __future__ import annotations

from .life import Example, extract, joined, rows


def _pairs(relation: str, condition: str, *expected: str) -> tuple[Example, ...]:
    """Songs by name and runs by day that satisfy a condition, and how many they are."""
    tree = joined(extract("songs", "kind"), extract("runs", "laps day"), condition)
    found = [[pair[:3], int(pair[4])] for pair in expected]
    whole = f"APPLY(l={tree}, fct=len)"
    counted = Example(f"JOIN {relation}, counted", whole, (len(expected),), zero=not expected)
    return rows(f"JOIN {relation}", _with_day(tree), "kind day_of_run", *found), counted


def _with_day(tree: str) -> str:
    """The pairs with the day of the month on which the run began."""
    return f'MAP(l={tree}, fct=lambda e: e["start_date_2"].day, res_name="day_of_run")'


_AFTER = "i2.end_datetime <= i1.start_datetime"
_LAPS = joined(extract("twins", "laps"), extract("runs", "laps kind"), "nearest(i1.laps, i2.laps)")
EXAMPLES = (
    *_pairs("same day", "i1.start_date == i2.start_date", "Ada 1", "Bim 1", "Cos 2", "Dot 2", "Elm 3"),
    *_pairs(
        "before",
        "i1.end_datetime < i2.start_datetime",
        *("Ada 2", "Ada 3", "Bim 2", "Bim 3", "Cos 2", "Cos 3"),
    ),
    *_pairs("after", "i1.start_date > i2.start_date", "Cos 1", "Dot 1", "Elm 1", "Elm 2"),
    *_pairs(
        "within",
        "i2.start_datetime <= i1.start_datetime and i1.end_datetime <= i2.end_datetime",
        "Ada 1",
    ),
    *_pairs(
        "overlap",
        "i1.start_datetime <= i2.end_datetime and i2.start_datetime <= i1.end_datetime",
        *("Ada 1", "Bim 1", "Elm 3"),
    ),
    *_pairs(
        "a while after",
        f"{_AFTER} and i1.start_datetime <= i2.end_datetime + timedelta(hours=2)",
        "Elm 3",
    ),
    *_pairs("the day after", "i1.start_date == i2.start_date + timedelta(days=1)", "Cos 1", "Dot 1", "Elm 2"),
    *_pairs(
        "nearest",
        "nearest(i1.start_datetime, i2.start_datetime)",
        *("Ada 1", "Bim 1", "Cos 2", "Dot 2", "Elm 3"),
    ),
    *_pairs(
        "nearest before",
        f"nearest(i1.start_datetime, i2.end_datetime) and {_AFTER}",
        *("Cos 1", "Dot 1", "Elm 3"),
    ),
    rows("JOIN nearest, ties", _LAPS, "kind", ["hill"], ["road"], ["hill"], ["road"], behind="t1 t2 r2 r3"),
    rows(
        "JOIN anything else",
        joined(extract("runs", "km kind"), extract("runs", "km kind"), "i1.km > i2.km and i1.kind != i2.kind"),
        "kind kind_2",
        ["hill", "road"],
        behind="r1 r2",
    ),
    *_pairs("nothing", "i1.kind == 'Fog' and i1.start_date == i2.start_date"),
)
