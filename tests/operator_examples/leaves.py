"""Examples of RETRIEVE, EXTRACT and QUD at the edges."""

# ruff: noqa: E501 (an example stands on a line)

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from .life import apply, extract, keep, refused, retrieve, rows, unnested, with_attributes

_SORTED = apply(extract("runs", "km kind"), "lambda l: sorted(l, key=lambda e: e['km'], reverse=True)")
_ON_ROADS = 'RETRIEVE(query="on roads", l={})'

RETRIEVE = (
    rows("RETRIEVE/empty", retrieve("none"), "", behind=""),
    rows("RETRIEVE/missing", extract("gaps", "kind"), "kind", [None], ["road"], ["hill"], behind="g1 g2 g3"),
    rows("RETRIEVE/duplicates", retrieve("twins"), "", [], [], behind="t1 t2"),
    rows("RETRIEVE/ties", extract("twins", "kind"), "kind", ["road"], ["road"], behind="t1 t2"),
    rows("RETRIEVE/lists", extract("doubles", "day"), "day", [date(2024, 3, 6)], [date(2024, 3, 7)], behind="d1 d2"),
    rows("RETRIEVE-list/empty", _ON_ROADS.format(retrieve("none")), "", behind=""),
    rows("RETRIEVE-list/missing", _ON_ROADS.format(retrieve("gaps")), "", [], behind="g1"),
    rows(
        "RETRIEVE-list/duplicates",
        _ON_ROADS.format(unnested(extract("runs", "friends kind"))),
        "friend kind",
        ["Ann", "road"],
        ["Bob", "road"],
        behind="r1",
    ),
    rows("RETRIEVE-list/duplicates", _ON_ROADS.format(retrieve("twins")), "", [], [], behind="t1 t2"),
    rows("RETRIEVE-list/ties", _ON_ROADS.format(_SORTED), "km", [10.0], [5.0], behind="r1 r3"),
    rows("RETRIEVE-list/lists", with_attributes(_ON_ROADS.format(retrieve("doubles")), "laps"), "laps", [9]),
)
TEXT = (
    rows("EXTRACT-text/empty", extract("none", "kind"), "kind"),
    rows("EXTRACT-text/missing", extract("gaps", "kind km"), "kind", [None], ["road"], ["hill"]),
    rows("EXTRACT-text/duplicates", extract("twins", "kind"), "kind", ["road"], ["road"]),
    rows("EXTRACT-text/ties", extract("gaps", "name"), "name", [None], ["jog"], ["hill"]),
    rows("EXTRACT-text/lists", extract("doubles", "kind first"), "kind first", ["road", "Ann"], ["hill", "Bob"]),
)
NUMBER = (
    rows("EXTRACT-number/empty", extract("none", "km laps"), "km laps"),
    rows("EXTRACT-number/missing", extract("gaps", "km laps"), "km laps", [None, None], [3.0, 4], [None, None]),
    rows("EXTRACT-number/duplicates", extract("twins", "km laps"), "km laps", [4.0, 3], [4.0, 3]),
    rows(
        "EXTRACT-number/ties",
        extract("doubles", "km_or_laps laps_or_km"),
        "km_or_laps laps_or_km",
        [2.0, 9],
        [3.0, 5],
    ),
    rows("EXTRACT-number/ties", extract("runs", "kind_or_km"), "kind_or_km", [5.0], [10.0], [10.0]),
    rows("EXTRACT-number/lists", extract("doubles", "km laps"), "km laps", [2.0, 9], [3.0, 5]),
)
TRUTH = (
    rows("EXTRACT-truth/empty", extract("none", "done"), "done"),
    rows("EXTRACT-truth/missing", extract("gaps", "done"), "done", [None], [False], [None]),
    rows("EXTRACT-truth/duplicates", extract("twins", "done"), "done", [True], [True]),
    rows("EXTRACT-truth/ties", extract("runs", "done"), "done", [True], [False], [True]),
    rows("EXTRACT-truth/lists", extract("doubles", "done"), "done", [False], [True]),
)
LIST = (
    rows("EXTRACT-list/empty", extract("none", "friends"), "friends"),
    rows("EXTRACT-list/missing", extract("gaps", "friends"), "friends", [()], [("Ann",)], [()]),
    rows(
        "EXTRACT-list/missing",
        keep(extract("gaps", "friends kind"), 'e["friends"] is None'),
        "kind",
        [None],
        ["hill"],
        behind="g2 g3",
    ),
    rows("EXTRACT-list/duplicates", extract("twins", "friends"), "friends", [("Ann",)], [("Ann",)]),
    rows("EXTRACT-list/ties", extract("doubles", "people"), "people", [("long",)], [("Bob",)]),
    rows("EXTRACT-list/lists", extract("doubles", "friends"), "friends", [("Ann", "Bob", "Cyd")], [("Bob",)]),
)
DAY = (
    rows("EXTRACT-day/empty", extract("none", "day moment"), "day moment"),
    rows(
        "EXTRACT-day/missing",
        extract("gaps", "day moment"),
        "day moment",
        [None, None],
        [date(2024, 2, 29), datetime(2024, 2, 29)],
        [None, None],
    ),
    rows("EXTRACT-day/duplicates", extract("twins", "day"), "day", [date(2024, 3, 5)], [date(2024, 3, 5)]),
    rows(
        "EXTRACT-day/duplicates",
        extract("runs", "day moment"),
        "day moment",
        [date(2024, 3, 1), datetime(2024, 3, 1)],
        [date(2024, 3, 2), datetime(2024, 3, 2)],
        [date(2024, 3, 2), datetime(2024, 3, 2, 23, 59)],
    ),
    rows(
        "EXTRACT-day/ties",
        extract("doubles", "end_or_start"),
        "end_or_start",
        [datetime(2024, 3, 6, 8)],
        [datetime(2024, 3, 7, 8)],
    ),
    rows(
        "EXTRACT-day/ties",
        extract("runs", "end_or_start"),
        "end_or_start",
        [datetime(2024, 3, 1, 9)],
        [datetime(2024, 3, 2, 9)],
        [datetime(2024, 3, 3, 19, 30)],
    ),
    rows("EXTRACT-day/lists", extract("doubles", "day"), "day", [date(2024, 3, 6)], [date(2024, 3, 7)]),
)
CLOCK = (
    rows("EXTRACT-time/empty", extract("none", "at"), "at"),
    rows("EXTRACT-time/missing", extract("gaps", "at"), "at", [None], [time(8)], [None]),
    rows("EXTRACT-time/duplicates", extract("twins", "at"), "at", [time(8)], [time(8)]),
    rows("EXTRACT-time/ties", extract("runs", "start_or_end"), "start_or_end", [time(8)], [time(8)], [time(18)]),
    rows("EXTRACT-time/lists", extract("meals", "at"), "at", [time(7)]),
)
LENGTH = (
    rows("EXTRACT-duration/empty", extract("none", "time"), "time"),
    rows("EXTRACT-duration/missing", extract("gaps", "time"), "time", [None], [timedelta(minutes=1)], [None]),
    rows("EXTRACT-duration/duplicates", extract("twins", "time"), "time", *[[timedelta(seconds=90.5)]] * 2),
    rows("EXTRACT-duration/ties", extract("doubles", "time_or_laps"), "time_or_laps", *[[timedelta(seconds=61)], [timedelta(seconds=60)]]),
    rows("EXTRACT-duration/lists", extract("doubles", "time"), "time", [timedelta(seconds=61)], [timedelta(seconds=60)]),
)  # fmt: skip
QUD = (
    refused("QUD/empty", 'APPLY(l=QUD(""), fct=len)', "QUD needs a question"),
    refused("QUD/missing", 'APPLY(l=QUD("my runs"), fct=len)', "the question 'my runs' is still open"),
    refused("QUD/duplicates", 'JOIN(l1=QUD("a"), l2=QUD("a"), condition="i1.km == i2.km")', "still open"),
    refused("QUD/ties", keep(extract("runs", "km"), 'e["km"] == QUD("my best").result'), "'my best' is still open"),
    refused("QUD/lists", 'RETRIEVE(query="runs", l=QUD("my list"))', "'my list' is still open"),
)
EXAMPLES = (*RETRIEVE, *TEXT, *NUMBER, *TRUTH, *LIST, *DAY, *CLOCK, *LENGTH, *QUD)
