"""A logical form as an operator tree whose leaves are open: words that name events, which rules read in their turn.

`DRAWN` has the tree of each operator that gives a value; `of_events.py` those that give events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ...errors import NotUnderstood
from ...operators.conditions import written_day
from ...operators.expressions import (
    Attribute,
    Binary,
    Builtin,
    Call,
    Conditional,
    Expression,
    Field,
    Literal,
    Loop,
    Loops,
    Method,
    Name,
    Node,
    Slice,
)
from ...operators.forms.grammar import Form, Words
from ...operators.nodes import Apply, ArgMax, ArgMin, Avg, GroupBy, Max, Min
from .building import (
    EVENT,
    EVENTS,
    ROW,
    ROWS,
    VALUE,
    applied,
    compared,
    each_of,
    first_of,
    kept,
    known,
    median,
    ordered,
    set_of,
)
from .maker import FOLDS, MEASURE, Drawn, TreeMaker, form_in, how_many, monday, text_of

_EXTREMES: Final = {"max": "maximum_heart_rate", "min": "minimum_heart_rate"}
"""The attribute that holds the extreme of the heart rate within an event."""


_BEGAN: Final = Attribute(EVENT, "start_date")
_DAY: Final = Name("day")
_DAYS: Final = Name("days")
_PART: Final = Name("part")


def _number(rows: Node) -> Apply:
    return Apply(rows, Builtin("len"))


def _days(later: Expression, earlier: Expression) -> Field:
    """The days from one day to another."""
    return Field(Binary("-", later, earlier), "days")


# ---------------------------------------------------------------- values
def _show(maker: TreeMaker, form: object) -> Drawn:
    return Drawn(maker.events(form_in(form)), "events")


def _count(maker: TreeMaker, form: object) -> Drawn:
    return Drawn(_number(maker.events(form_in(form))), "number")


def _exists(maker: TreeMaker, form: object) -> Drawn:
    any_ = compared(Call("len", (EVENTS,)), ">", Literal(0))
    return Drawn(applied(maker.events(form_in(form)), EVENTS, any_), "boolean")


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
    is_last = form.operator in ("last", "highest")
    inner = maker.events(form_in(form.arguments[0]))
    if key in ("date", "day") and by == "start_datetime":
        return Drawn((Max if is_last else Min)(inner, "start_date"), "date")
    rows = maker.rows(inner, key, *((by,) if by not in ("start_datetime", key) else ()))
    return Drawn((ArgMax if is_last else ArgMin)(rows, by, key), kind)


def _distinct(maker: TreeMaker, key: object, form: object) -> Drawn:
    rows = maker.rows(maker.events(form_in(form)), str(key))
    return Drawn(_number(GroupBy(rows, (str(key),))), "number")


def _fold(operator: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, key: object, form: object) -> Drawn:
        name = str(key)
        if name.endswith("heart_rate"):
            name = _EXTREMES.get(operator, name)
        rows = maker.rows(maker.events(form_in(form)), name)
        if operator == "median":
            return Drawn(applied(rows, ROWS, median(known(name, ROWS))), maker.type_of(name))
        return Drawn(FOLDS[operator](rows, name), maker.type_of(name))

    return make


def _most(operator: type[ArgMax | ArgMin]) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, key: object, value: object, words: object) -> Drawn:
        rows, kind, number = maker.grouped(str(key), form_in(value)), maker.type_of(str(key)), how_many(words)
        if number == 1:
            return Drawn(operator(rows, MEASURE, str(key)), kind)
        best = first_of(ordered(ROWS, ROW, MEASURE, reverse=operator is ArgMax), number)
        return Drawn(applied(rows, ROWS, each_of("list", Attribute(ROW, str(key)), ROW, best)), kind)

    return make


def _each(maker: TreeMaker, key: object, value: object) -> Drawn:
    rows = replace(maker, one_year=False).grouped(str(key), form_in(value))  # tables tell the year of a month
    return Drawn(rows, maker.grouped_type(form_in(value)), None)


def _having(maker: TreeMaker, key: object, value: object, test: object, words: object) -> Drawn:
    rows = _tested(maker, key, value, test, words)
    return Drawn(applied(rows, ROWS, each_of("list", Attribute(ROW, str(key)), ROW, ROWS)), maker.type_of(str(key)))


def _count_having(maker: TreeMaker, key: object, value: object, test: object, words: object) -> Drawn:
    return Drawn(_number(_tested(maker, key, value, test, words)), "number")


def _tested(maker: TreeMaker, key: object, value: object, test: object, words: object) -> Node:
    rows = maker.grouped(str(key), form_in(value))
    return kept(rows, maker.leaves.condition(MEASURE, str(test), text_of(words)).body)


def _over_groups(operator: type[Avg | Max | Min] | None) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, key: object, value: object) -> Drawn:
        rows, kind = maker.grouped(str(key), form_in(value)), maker.grouped_type(form_in(value))
        if operator is None:
            return Drawn(applied(rows, ROWS, median(each_of("list", Attribute(ROW, MEASURE), ROW, ROWS))), kind)
        return Drawn(operator(rows, MEASURE), kind)

    return make


def _without(maker: TreeMaker, key: object, form: object) -> Drawn:
    ways: dict[object, tuple[Expression, int, int]] = {
        "weekday": (Method(_BEGAN, "weekday"), 0, 7),
        "month": (Field(_BEGAN, "month"), 1, 13),
    }
    if key not in ways:
        raise NotUnderstood(f"no tree for {key} without events", words=(str(key),))
    part, first, end = ways[key]
    every = Call("range", (Literal(first), Literal(end)))
    missing = each_of("list", _PART, _PART, every, compared(_PART, "not in", set_of(part, EVENT, EVENTS)))
    return Drawn(applied(maker.events(form_in(form)), EVENTS, missing), str(key))


def _compared(body: Callable[[Expression], Expression], kind: str) -> Callable[..., Drawn]:
    """What `body` makes of the other value; `value` is the one."""

    def make(maker: TreeMaker, one: object, other: object) -> Drawn:
        left, right = maker.drawn(form_in(one)), maker.drawn(form_in(other))
        return Drawn(applied(left.tree, VALUE, body(right.value)), kind or left.type, unit=left.unit)

    return make


def _percent(part: Expression, whole: Expression) -> Expression:
    return Binary("/", Binary("*", Literal(100), part), whole)


def _over(maker: TreeMaker, value: object, test: object, words: object) -> Drawn:
    limit = maker.leaves.condition(MEASURE, str(test), text_of(words), VALUE).body
    return Drawn(applied(maker.drawn(form_in(value)).tree, VALUE, limit), "boolean")


def _pick(sign: str) -> Callable[..., Drawn]:
    def make(maker: TreeMaker, name: object, one: object, other_name: object, other: object) -> Drawn:
        left, right = maker.drawn(form_in(one)), maker.drawn(form_in(other))
        first, second = (Literal(text_of(said).replace('"', "'")) for said in (name, other_name))
        neither = Conditional(compared(right.value, sign, VALUE), second, Literal(None))  # where both are equal
        chosen = Conditional(compared(VALUE, sign, right.value), first, neither)
        return Drawn(applied(left.tree, VALUE, chosen), "text")

    return make


def _moment(maker: TreeMaker, value: Form) -> Expression:
    """A day."""
    if value.operator == "now":
        return Call("date.today")
    if value.operator == "date":
        return written_day(maker.day_of(text_of(value.arguments[0])))
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
    return Drawn(applied(tree, _DAY, Call("abs", (_days(_moment(maker, right), _DAY),))), "number")


def _age(maker: TreeMaker, words: object, value: object) -> Drawn:
    born = written_day(maker.born(text_of(words)))
    tree = _day_of_events(maker, form_in(value)).tree
    return Drawn(applied(tree, _DAY, Binary("//", _days(_DAY, born), Literal(365.2425))), "number", unit="years")


def _days_with(events: Node, of: Expression) -> Apply:
    """The days of events, in order, each once."""
    return applied(events, EVENTS, Call("sorted", (set_of(of, EVENT, EVENTS),)))


def _gap(maker: TreeMaker, form: object) -> Drawn:
    days = _days_with(maker.events(form_in(form)), _BEGAN)
    pairs = Loop(("a", "b"), Call("zip", (_DAYS, Slice(_DAYS, 1))))
    longest = Call("max", (Loops("generator", _days(Name("b"), Name("a")), (pairs,)),))
    return Drawn(applied(days, _DAYS, longest), "number")


_STEPS: Final[Mapping[str, tuple[Expression, int]]] = {
    "day": (_BEGAN, 1),
    "date": (_BEGAN, 1),
    "week": (monday(_BEGAN), 7),
}
"""What streaks are counted in: the day that stands for it, and how many days later the next begins."""
_LONGEST: Final = 4000


def _streak(maker: TreeMaker, key: object, form: object) -> Drawn:
    if key not in _STEPS:
        raise NotUnderstood(f"no streaks of {key}", words=(str(key),))
    began, step = _STEPS[str(key)]
    days, start, number = _days_with(maker.events(form_in(form)), began), Name("start"), Name("n")
    later = Binary("+", start, Call("timedelta", (), (("days", Binary("*", Literal(step), number)),)))
    lengths = Call("range", (Literal(1), Literal(_LONGEST)))
    ends = Call("next", (each_of("generator", number, number, lengths, compared(later, "not in", _DAYS)),))
    return Drawn(applied(days, _DAYS, Call("max", (each_of("generator", ends, start, _DAYS),))), "number")


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
    "most": _most(ArgMax),
    "least": _most(ArgMin),
    "each": _each,
    "having": _having,
    "count_having": _count_having,
    "avg_each": _over_groups(Avg),
    "median_each": _over_groups(None),
    "max_each": _over_groups(Max),
    "min_each": _over_groups(Min),
    "without": _without,
    "more": _compared(lambda right: compared(VALUE, ">", right), "boolean"),
    "plus": _compared(lambda right: Binary("+", VALUE, right), ""),
    "minus": _compared(lambda right: Binary("-", VALUE, right), ""),
    "ratio": _compared(lambda right: Binary("/", VALUE, right), "number"),
    "percent": _compared(lambda right: _percent(VALUE, right), "number"),
    "growth": _compared(lambda right: _percent(Binary("-", right, VALUE), VALUE), "number"),
    "over": _over,
    "pick": _pick(">"),
    "pick_less": _pick("<"),
    "days_between": _days_between,
    "age": _age,
    "gap": _gap,
    "streak": _streak,
    "unit": _unit,
}
