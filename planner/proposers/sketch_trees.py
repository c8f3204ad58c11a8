"""The piece of tree, as text, for each operator that the small model sketches (planner/proposers/sketching.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

CALENDAR: Final[Mapping[str, tuple[str, str]]] = {
    "day": ('attr["start_date"]', "date"),
    "week": ('attr["start_date"] - timedelta(days=attr["start_date"].weekday())', "date"),
    "month": ('date(attr["start_date"].year, attr["start_date"].month, 1)', "month"),
    "year": ('attr["start_date"].year', "number"),
    "weekday": ('attr["start_date"].weekday()', "weekday"),
    "hour": ('attr["start_time"].hour', "number"),
}
"""Keys that are parts of an event's time: their value, and the type of the answer."""
LISTS: Final = frozenset({"artist", "participant", "recipient"})
DAYS: Final = "days"
"""The measure of how many days (or nights) an event lasts."""


@dataclass(frozen=True)
class Part:
    """What a tree is made of: the open leaf as text, the attribute that answers, the one that is measured, and a number
    that the question names."""

    events: str
    key: str = ""
    measure: str = ""
    number: int | None = None


@dataclass(frozen=True)
class Made:
    """A tree as text, the type of its answer, and the column that answers, where rows have several."""

    tree: str
    type: str
    column: str | None = None
    distinct: bool = False


def made(operator: str, part: Part) -> Made | None:
    """The tree of an operator; None where there is no such operator, or it lacks what it needs."""
    maker = _MAKERS.get(operator)
    return maker(part) if maker is not None else None


def _quoted(*names: str) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _with(part: Part, *, key: bool = True, measure: bool = False) -> str:
    """The events with the attributes that are wanted; parts of their time by MAP, items of lists by UNNEST."""
    names = [(part.key, "list" if part.key in LISTS else "str")] if key and part.key and not _timed(part) else []
    names += [(part.measure, "float")] if measure and part.measure not in ("", DAYS) else []
    tree = part.events
    if names:
        kinds = ", ".join(kind for _, kind in names)
        tree = f"EXTRACT(l={tree}, attr_names=[{_quoted(*(name for name, _ in names))}], attr_types=[{kinds}])"
    if measure and part.measure == DAYS:
        tree = f'MAP(l={tree}, fct=lambda attr: (attr["end_date"] - attr["start_date"]).days, res_name="{DAYS}")'
    if key and _timed(part):
        tree = f'MAP(l={tree}, fct=lambda attr: {CALENDAR[part.key][0]}, res_name="{part.key}")'
    if key and part.key in LISTS:
        tree = f'UNNEST(l={tree}, nested_attr_name="{part.key}", unnested_attr_name="{part.key}")'
    return tree


def _timed(part: Part) -> bool:
    return part.key in CALENDAR


def _counted(part: Part, *, by: str = "len", name: str = "count") -> str:
    """Rows of the key with how many events it has, or with what their measure comes to."""
    rows = _with(part, measure=by != "len")
    return f'MAP(l=GROUP_BY(l={rows}, attr_names=["{part.key}"]), fct={by}, res_name="{name}")'


def _summed(part: Part) -> str:
    return _counted(part, by=f'lambda group: sum(row["{part.measure}"] for row in group)', name="total")


def _type(part: Part) -> str:
    """The type of an answer by the key, else by the measure."""
    if part.key:
        return CALENDAR[part.key][1] if _timed(part) else "text"
    return "duration" if part.measure == "duration" else "number"


def _count(part: Part) -> Made:
    return Made(f"APPLY(l={part.events}, fct=len)", "number")


def _count_distinct(part: Part) -> Made | None:
    if not part.key:
        return None
    return Made(f'APPLY(l=GROUP_BY(l={_with(part)}, attr_names=["{part.key}"]), fct=len)', "number")


def _count_days(part: Part) -> Made:
    return Made(f'APPLY(l=GROUP_BY(l={part.events}, attr_names=["start_date"]), fct=len)', "number")


_EXTREMES: Final = {
    ("MAX", "average_heart_rate"): "maximum_heart_rate",
    ("MIN", "average_heart_rate"): "minimum_heart_rate",
}
"""The attribute that holds the extreme of another one within an event."""


def _fold(operator: str) -> Callable[[Part], Made | None]:
    def make(part: Part) -> Made | None:
        if not part.measure:
            return None
        part = replace(part, measure=_EXTREMES.get((operator, part.measure), part.measure))
        kind = "duration" if part.measure == "duration" else "number"
        return Made(f'{operator}(l={_with(part, key=False, measure=True)}, attr_name="{part.measure}")', kind)

    return make


def _arg(operator: str) -> Callable[[Part], Made | None]:
    """The key of the event whose measure is greatest or least."""

    def make(part: Part) -> Made | None:
        if not part.key or not part.measure:
            return None
        rows = _with(part, measure=True)
        return Made(f'{operator}(l={rows}, arg_attr_name="{part.measure}", val_attr_name="{part.key}")', _type(part))

    return make


def _grouped(operator: str) -> Callable[[Part], Made | None]:
    """The key that most, or fewest, events have."""

    def make(part: Part) -> Made | None:
        if not part.key:
            return None
        rows = _counted(part)
        return Made(f'{operator}(l={rows}, arg_attr_name="count", val_attr_name="{part.key}")', _type(part))

    return make


def _most_sum(part: Part) -> Made | None:
    if not part.key or not part.measure:
        return None
    return Made(f'ARGMAX(l={_summed(part)}, arg_attr_name="total", val_attr_name="{part.key}")', _type(part))


def _top(part: Part) -> Made | None:
    if not part.key or part.number is None:
        return None
    best = f'sorted(rows, key=lambda row: row["count"], reverse=True)[:{part.number}]'
    return Made(f'APPLY(l={_counted(part)}, fct=lambda rows: [row["{part.key}"] for row in {best}])', _type(part))


def _edge_day(operator: str) -> Callable[[Part], Made]:
    def make(part: Part) -> Made:
        return Made(f'{operator}(l={part.events}, attr_name="start_date")', "date")

    return make


def _edge(operator: str) -> Callable[[Part], Made | None]:
    """An attribute of the first or last event."""

    def make(part: Part) -> Made | None:
        if not part.key and not part.measure:
            return None
        if part.key in ("day", "month", "year", "week"):
            return _edge_day("MAX" if operator == "ARGMAX" else "MIN")(part)
        wanted = Part(part.events, part.key, "" if part.key else part.measure)
        rows = _with(wanted, measure=True)
        value = part.key or part.measure
        return Made(f'{operator}(l={rows}, arg_attr_name="start_datetime", val_attr_name="{value}")', _type(wanted))

    return make


def _list(part: Part) -> Made | None:
    if not part.key:
        return None
    return Made(_with(part), _type(part), part.key, distinct=True)


def _list_events(part: Part) -> Made:
    return Made(part.events, "events")


def _exists(part: Part) -> Made:
    return Made(f"APPLY(l={part.events}, fct=lambda events: len(events) > 0)", "boolean")


def _ago(part: Part) -> Made:
    day = f'MAX(l={part.events}, attr_name="start_date")'
    return Made(f"APPLY(l={day}, fct=lambda day: (date.today() - day).days)", "number")


def _per(part: Part) -> Made | None:
    if part.key not in CALENDAR:
        return None
    return Made(f'AVG(l={_counted(part)}, attr_name="count")', "number")


def _max_per(part: Part) -> Made | None:
    if part.key not in CALENDAR:
        return None
    return Made(f'MAX(l={_counted(part)}, attr_name="count")', "number")


def _sum_per(part: Part) -> Made | None:
    if part.key not in CALENDAR or not part.measure:
        return None
    return Made(f'AVG(l={_summed(part)}, attr_name="total")', _type(Part("", "", part.measure)))


def _days(part: Part) -> str:
    return f'APPLY(l={part.events}, fct=lambda l: sorted(set(e["start_date"] for e in l)))'


def _gap(part: Part) -> Made:
    longest = "max((b - a).days for a, b in zip(days, days[1:]))"
    return Made(f"APPLY(l={_days(part)}, fct=lambda days: {longest})", "number")


_MAKERS: Final[Mapping[str, Callable[[Part], Made | None]]] = {
    "count": _count,
    "count_distinct": _count_distinct,
    "count_days": _count_days,
    "sum": _fold("SUM"),
    "avg": _fold("AVG"),
    "max": _fold("MAX"),
    "min": _fold("MIN"),
    "best": _arg("ARGMAX"),
    "worst": _arg("ARGMIN"),
    "most": _grouped("ARGMAX"),
    "least": _grouped("ARGMIN"),
    "most_sum": _most_sum,
    "top": _top,
    "when_last": _edge_day("MAX"),
    "when_first": _edge_day("MIN"),
    "last": _edge("ARGMAX"),
    "first": _edge("ARGMIN"),
    "list": _list,
    "list_events": _list_events,
    "exists": _exists,
    "ago": _ago,
    "per": _per,
    "sum_per": _sum_per,
    "max_per": _max_per,
    "gap": _gap,
}
OPERATORS: Final = tuple(_MAKERS)
"""The operators that can be sketched, by name."""
