"""Examples of ARGMIN, ARGMAX, MIN, MAX, SUM and AVG at the edges."""

from __future__ import annotations

from datetime import date, timedelta

from .life import Example, aggregate, answers, arg, extract, keep, refused, unnested


def _arg(operator: str, query: str, name: str, value: str) -> str:
    return arg(operator, extract(query, f"{name} {value}"), name, value)


def _of(operator: str, query: str, name: str) -> str:
    return aggregate(operator, extract(query, name), name)


_LONG = keep(extract("runs", "km kind day"), 'e["km"] == 10')

ARG = (
    answers("ARGMIN/empty", _arg("ARGMIN", "none", "km", "day"), behind=""),
    answers("ARGMIN/missing", _arg("ARGMIN", "gaps", "km", "kind"), "road", behind="g1"),
    answers("ARGMIN/missing", _arg("ARGMIN", "gaps", "kind", "km")),
    answers("ARGMIN/duplicates", _arg("ARGMIN", "twins", "km", "kind"), "road", behind="t1 t2"),
    answers("ARGMIN/duplicates", _arg("ARGMIN", "doubles", "km", "kind"), "road", behind="d1"),
    answers("ARGMIN/ties", _arg("ARGMIN", "runs", "kind", "km"), 10.0, behind="r2"),
    answers("ARGMIN/ties", _arg("ARGMIN", "twins", "day", "km"), 4.0, behind="t1 t2"),
    answers("ARGMIN/ties", arg("ARGMIN", _LONG, "km", "day"), date(2024, 3, 2), behind="r2 r3"),
    answers("ARGMIN/ties", arg("ARGMIN", _LONG, "km", "kind"), "hill", "road", behind="r2 r3"),
    answers("ARGMIN/lists", _arg("ARGMIN", "runs", "km", "friends"), "Ann", "Bob", behind="r1"),
    refused("ARGMIN/lists", _arg("ARGMIN", "runs", "friends", "km"), "friends"),
    answers("ARGMAX/empty", _arg("ARGMAX", "none", "km", "day"), behind=""),
    answers("ARGMAX/missing", _arg("ARGMAX", "gaps", "kind", "done"), False, behind="g1"),
    answers("ARGMAX/missing", _arg("ARGMAX", "runs", "at", "first")),
    answers("ARGMAX/duplicates", _arg("ARGMAX", "twins", "km", "kind"), "road", behind="t1 t2"),
    answers("ARGMAX/duplicates", _arg("ARGMAX", "doubles", "km", "kind"), "hill", behind="d2"),
    answers("ARGMAX/ties", _arg("ARGMAX", "runs", "km", "kind"), "hill", "road", behind="r2 r3"),
    answers("ARGMAX/ties", _arg("ARGMAX", "runs", "km", "laps"), 2, behind="r2 r3"),
    answers("ARGMAX/lists", _arg("ARGMAX", "doubles", "laps", "friends"), "Ann", "Bob", "Cyd", behind="d1"),
    refused("ARGMAX/lists", _arg("ARGMAX", "runs", "friends", "km"), "friends"),
)


def _extreme(operator: str, least: float, greatest: float, behind: str) -> tuple[Example, ...]:
    chosen = {"MIN": least, "MAX": greatest}[operator]
    return (
        answers(f"{operator}/empty", _of(operator, "none", "km"), behind=""),
        answers(f"{operator}/missing", _of(operator, "gaps", "km"), 3.0, behind="g1"),
        answers(f"{operator}/duplicates", _of(operator, "twins", "km"), 4.0, behind="t1 t2"),
        answers(f"{operator}/ties", _of(operator, "runs", "km"), chosen, behind=behind),
        answers(f"{operator}/ties", aggregate(operator, _LONG, "km"), 10.0, behind="r2 r3"),
        refused(f"{operator}/lists", _of(operator, "runs", "friends"), "friends"),
        answers(
            f"{operator}/lists",
            aggregate(operator, unnested(extract("runs", "friends")), "friend"),
            {"MIN": "Ann", "MAX": "Bob"}[operator],
        ),
    )


EXTREMES = (
    *_extreme("MIN", 5.0, 10.0, "r1"),
    answers("MIN/duplicates", _of("MIN", "doubles", "km"), 2.0, behind="d1"),
    *_extreme("MAX", 5.0, 10.0, "r2 r3"),
    answers("MAX/duplicates", _of("MAX", "doubles", "km"), 3.0, behind="d2"),
)
SUMMED = (
    answers("SUM/empty", _of("SUM", "none", "km"), 0, behind="", zero=True),
    answers("SUM/missing", _of("SUM", "gaps", "km"), 3.0, behind="g1"),
    answers(
        "SUM/missing", aggregate("SUM", keep(extract("gaps", "km"), 'e["km"] is None'), "km"), 0, behind="", zero=True
    ),
    answers("SUM/duplicates", _of("SUM", "twins", "km"), 8.0, behind="t1 t2"),
    answers("SUM/duplicates", _of("SUM", "doubles", "km"), 5.0, behind="d1 d2"),
    answers("SUM/ties", _of("SUM", "runs", "km"), 25.0, behind="r1 r2 r3"),
    answers("SUM/ties", _of("SUM", "runs", "time"), timedelta(hours=3)),
    refused("SUM/lists", _of("SUM", "runs", "friends"), "friends"),
    answers("SUM/lists", aggregate("SUM", unnested(extract("runs", "friends km")), "km"), 20.0, behind="r1 r2"),
    answers("AVG/empty", _of("AVG", "none", "km"), behind=""),
    answers("AVG/missing", _of("AVG", "gaps", "km"), 3.0, behind="g1"),
    answers("AVG/missing", aggregate("AVG", keep(extract("gaps", "km"), 'e["km"] is None'), "km"), behind=""),
    answers("AVG/duplicates", _of("AVG", "twins", "km"), 4.0, behind="t1 t2"),
    answers("AVG/duplicates", _of("AVG", "doubles", "km"), 2.5, behind="d1 d2"),
    answers("AVG/ties", _of("AVG", "runs", "km"), 25 / 3, behind="r1 r2 r3"),
    answers("AVG/ties", _of("AVG", "runs", "time"), timedelta(hours=1)),
    refused("AVG/lists", _of("AVG", "runs", "friends"), "friends"),
    answers("AVG/lists", aggregate("AVG", unnested(extract("runs", "friends km")), "km"), 20 / 3),
)
EXAMPLES = (*ARG, *EXTREMES, *SUMMED)
