"""A logical form as an operator tree whose leaves are open: words that name events, which rules read in their turn.

`DRAWN` has the tree of each operator that gives a value; `of_events.py` those that give events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ...errors import NotUnderstood
from ...operators.forms.grammar import Form, Words
from .maker import FOLDS, Drawn, TreeMaker, form_in, how_many, quoted, text_of

_EXTREMES: Final = {"max": "maximum_heart_rate", "min": "minimum_heart_rate"}
"""The attribute that holds the extreme of the heart rate within an event."""


# ---------------------------------------------------------------- values
def _show(maker: TreeMaker, form: object) -> Drawn:
    return Drawn(maker.events(form_in(form)), "events")


def _count(maker: TreeMaker, form: object) -> Drawn:
    return Drawn(f"APPLY(l={maker.events(form_in(form))}, fct=len)", "number")


def _exists(maker: TreeMaker, form: object) -> Drawn:
    return Drawn(f"APPLY(l={maker.events(form_in(form))}, fct=lambda events: len(events) > 0)", "boolean")


def _get(maker: TreeMaker, key: object, form: object) -> Drawn:
    """A key's values: of the first, the last, the greatest event, else of all, each once."""
    key, form = str(key), form_in(form)
    kind = maker.type_of(key)
    one = form.operator in ("first", "last", "highest", "lowest") and how_many(form.arguments[-1]) == 1
    if not one:
        if key in ("date", "day"):
            return Drawn(maker.events(form), "date", "start_date", distinct=True)
        return Drawn(maker.rows(maker.events(form), key), kind, key, distinct=True)
    by = str(form.arguments[1]) if form.operator in ("highest", "lowest") else "start_datetime"
    fold = "MAX" if form.operator in ("last", "highest") else "MIN"
    inner = maker.events(form_in(form.arguments[0]))
    if key in ("date", "day") and by == "start_datetime":
        return Drawn(f'{fold}(l={inner}, attr_name="start_date")', "date")
    rows = maker.rows(inner, key, *((by,) if by not in ("start_datetime", key) else ()))
    return Drawn(f'ARG{fold}(l={rows}, arg_attr_name="{by}", val_attr_name="{key}")', kind)


def _distinct(maker: TreeMaker, key: object, form: object) -> Drawn:
    rows = maker.rows(maker.events(form_in(form)), str(key))
    return Drawn(f'APPLY(l=GROUP_BY(l={rows}, attr_names=["{key}"]), fct=len)', "number")


def _fold(operator: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, key: object, form: object) -> Drawn:
        name = str(key)
        if name.endswith("heart_rate"):
            name = _EXTREMES.get(operator, name)
        rows = maker.rows(maker.events(form_in(form)), name)
        if operator == "median":
            known = f'[row["{name}"] for row in rows if row["{name}"] is not None]'
            return Drawn(f"APPLY(l={rows}, fct=lambda rows: median({known}))", maker.type_of(name))
        return Drawn(f'{FOLDS[operator]}(l={rows}, attr_name="{name}")', maker.type_of(name))

    return make


def _most(operator: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, key: object, value: object, words: object) -> Drawn:
        rows, kind, number = maker.grouped(str(key), form_in(value)), maker.type_of(str(key)), how_many(words)
        if number == 1:
            return Drawn(f'{operator}(l={rows}, arg_attr_name="value", val_attr_name="{key}")', kind)
        reverse = ", reverse=True" if operator == "ARGMAX" else ""
        best = f'sorted(rows, key=lambda row: row["value"]{reverse})[:{number}]'
        return Drawn(f'APPLY(l={rows}, fct=lambda rows: [row["{key}"] for row in {best}])', kind)

    return make


def _each(maker: TreeMaker, key: object, value: object) -> Drawn:
    rows = replace(maker, one_year=False).grouped(str(key), form_in(value))  # tables tell the year of a month
    return Drawn(rows, maker.grouped_type(form_in(value)), None)


def _having(maker: TreeMaker, key: object, value: object, test: object, words: object) -> Drawn:
    rows = _tested(maker, key, value, test, words)
    return Drawn(f'APPLY(l={rows}, fct=lambda rows: [row["{key}"] for row in rows])', maker.type_of(str(key)))


def _count_having(maker: TreeMaker, key: object, value: object, test: object, words: object) -> Drawn:
    return Drawn(f"APPLY(l={_tested(maker, key, value, test, words)}, fct=len)", "number")


def _tested(maker: TreeMaker, key: object, value: object, test: object, words: object) -> str:
    rows = maker.grouped(str(key), form_in(value))
    limit = maker.leaves.condition("value", str(test), text_of(words)).text
    return f"FILTER(l={rows}, filter=lambda attr: {limit})"


def _over_groups(operator: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, key: object, value: object) -> Drawn:
        rows, kind = maker.grouped(str(key), form_in(value)), maker.grouped_type(form_in(value))
        if operator == "MEDIAN":
            return Drawn(f'APPLY(l={rows}, fct=lambda rows: median([row["value"] for row in rows]))', kind)
        return Drawn(f'{operator}(l={rows}, attr_name="value")', kind)

    return make


def _without(maker: TreeMaker, key: object, form: object) -> Drawn:
    ways = {"weekday": ("weekday()", "range(0, 7)"), "month": ("month", "range(1, 13)")}
    if key not in ways:
        raise NotUnderstood(f"no tree for {key} without events", words=(str(key),))
    part, every = ways[str(key)]
    said = f'set(event["start_date"].{part} for event in events)'
    return Drawn(
        f"APPLY(l={maker.events(form_in(form))}, fct=lambda events: [part for part in {every} if part not in {said}])",
        str(key),
    )


def _compared(sign: str, kind: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, one: object, other: object) -> Drawn:
        left, right = maker.drawn(form_in(one)), maker.drawn(form_in(other))
        body = sign.format(right=right.value)
        return Drawn(f"APPLY(l={left.tree}, fct=lambda value: {body})", kind or left.type, unit=left.unit)

    return make


def _over(maker: TreeMaker, value: object, test: object, words: object) -> Drawn:
    limit = maker.leaves.condition("value", str(test), text_of(words)).text.replace('attr["value"]', "value")
    return Drawn(f"APPLY(l={maker.drawn(form_in(value)).tree}, fct=lambda value: {limit})", "boolean")


def _pick(sign: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, name: object, one: object, other_name: object, other: object) -> Drawn:
        left, right = maker.drawn(form_in(one)), maker.drawn(form_in(other))
        chosen = f"{quoted(text_of(name))} if value {sign} {right.value} else {quoted(text_of(other_name))}"
        return Drawn(f"APPLY(l={left.tree}, fct=lambda value: {chosen})", "text")

    return make


def _moment(maker: TreeMaker, value: Form) -> str:
    """A day as an expression."""
    if value.operator == "now":
        return "date.today()"
    if value.operator == "date":
        day = maker.day_of(text_of(value.arguments[0]))
        return f"date({day.year}, {day.month}, {day.day})"
    return _day_of_events(maker, value).value


def _day_of_events(maker: TreeMaker, value: Form) -> Drawn:
    if value.operator == "get" and value.arguments[0] in ("date", "day", "start_time"):
        form = form_in(value.arguments[1])
        if form.operator not in ("first", "last", "highest", "lowest"):
            form = Form("first", (form, Words("1")))
        return _get(maker, "date", form)
    raise NotUnderstood(f"no day of {value.operator}", words=(value.operator,))


def _days_between(maker: TreeMaker, one: object, other: object) -> Drawn:
    left, right = form_in(one), form_in(other)
    if left.operator in ("now", "date"):
        left, right = right, left
    if left.operator in ("now", "date"):
        raise NotUnderstood("no events to count days from", words=())
    tree = _day_of_events(maker, left).tree
    return Drawn(f"APPLY(l={tree}, fct=lambda day: abs(({_moment(maker, right)} - day).days))", "number")


def _age(maker: TreeMaker, words: object, value: object) -> Drawn:
    born = maker.born(text_of(words))
    day = f"date({born.year}, {born.month}, {born.day})"
    tree = _day_of_events(maker, form_in(value)).tree
    return Drawn(f"APPLY(l={tree}, fct=lambda day: (day - {day}).days // 365.2425)", "number", unit="years")


_SORTED_DAYS: Final = 'APPLY(l={events}, fct=lambda events: sorted(set(event["start_date"] for event in events)))'


def _gap(maker: TreeMaker, form: object) -> Drawn:
    days = _SORTED_DAYS.format(events=maker.events(form_in(form)))
    return Drawn(f"APPLY(l={days}, fct=lambda days: max((b - a).days for a, b in zip(days, days[1:])))", "number")


_STEPS: Final[Mapping[str, tuple[str, int]]] = {
    "day": ('event["start_date"]', 1),
    "date": ('event["start_date"]', 1),
    "week": ('event["start_date"] - timedelta(days=event["start_date"].weekday())', 7),
}
"""What streaks are counted in: the day that stands for it, and how many days later the next begins."""


def _streak(maker: TreeMaker, key: object, form: object) -> Drawn:
    if key not in _STEPS:
        raise NotUnderstood(f"no streaks of {key}", words=(str(key),))
    day, step = _STEPS[str(key)]
    days = f"APPLY(l={maker.events(form_in(form))}, fct=lambda events: sorted(set({day} for event in events)))"
    next_one = f"start + timedelta(days={step} * n)"
    longest = f"max(next(n for n in range(1, 4000) if {next_one} not in days) for start in days)"
    return Drawn(f"APPLY(l={days}, fct=lambda days: {longest})", "number")


def _unit(maker: TreeMaker, words: object, value: object) -> Drawn:
    made = maker.drawn(form_in(value))
    return replace(made, unit=maker.unit_of(text_of(words)))


DRAWN: Final[Mapping[str, Callable[..., Drawn]]] = {
    "show": _show,
    "count": _count,
    "exists": _exists,
    "get": _get,
    "distinct": _distinct,
    **{name: _fold(name) for name in ("sum", "avg", "median", "max", "min")},
    "most": _most("ARGMAX"),
    "least": _most("ARGMIN"),
    "each": _each,
    "having": _having,
    "count_having": _count_having,
    "avg_each": _over_groups("AVG"),
    "median_each": _over_groups("MEDIAN"),
    "max_each": _over_groups("MAX"),
    "min_each": _over_groups("MIN"),
    "without": _without,
    "more": _compared("value > {right}", "boolean"),
    "plus": _compared("value + {right}", ""),
    "minus": _compared("value - {right}", ""),
    "ratio": _compared("value / {right}", "number"),
    "percent": _compared("100 * value / {right}", "number"),
    "growth": _compared("100 * ({right} - value) / value", "number"),
    "over": _over,
    "pick": _pick(">="),
    "pick_less": _pick("<="),
    "days_between": _days_between,
    "age": _age,
    "gap": _gap,
    "streak": _streak,
    "unit": _unit,
}
