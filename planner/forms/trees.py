"""A logical form as an operator tree whose leaves are open: words that name events, which rules read in their turn.

`LOWERINGS` has the tree of each operator that gives a value; `of_events.py` those that give events.
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
from .lowering import FOLDS, MEASURE, Lowered, Lowering, form_in, how_many, monday, text_of

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
def _show(lowering: Lowering, form: object) -> Lowered:
    return Lowered(lowering.events(form_in(form)), "events")


def _count(lowering: Lowering, form: object) -> Lowered:
    return Lowered(_number(lowering.events(form_in(form))), "number")


def _exists(lowering: Lowering, form: object) -> Lowered:
    any_ = compared(Call("len", (EVENTS,)), ">", Literal(0))
    return Lowered(applied(lowering.events(form_in(form)), EVENTS, any_), "boolean")


def _get(lowering: Lowering, key: object, form: object) -> Lowered:
    """A key's values: of the first, the last, the greatest event, else of all, each once."""
    key, form = str(key), form_in(form)
    kind = lowering.type_of(key)
    one = form.operator in ("first", "last", "highest", "lowest") and how_many(form.arguments[-1]) == 1
    if not one:
        if key in ("date", "day"):
            return Lowered(lowering.events(form), "date", "start_date", distinct=True)
        return Lowered(lowering.rows(lowering.events(form), key), kind, key, distinct=True)
    by = str(form.arguments[1]) if form.operator in ("highest", "lowest") else "start_datetime"
    is_last = form.operator in ("last", "highest")
    inner = lowering.events(form_in(form.arguments[0]))
    if key in ("date", "day") and by == "start_datetime":
        return Lowered((Max if is_last else Min)(inner, "start_date"), "date")
    rows = lowering.rows(inner, key, *((by,) if by not in ("start_datetime", key) else ()))
    return Lowered((ArgMax if is_last else ArgMin)(rows, by, key), kind)


def _distinct(lowering: Lowering, key: object, form: object) -> Lowered:
    rows = lowering.rows(lowering.events(form_in(form)), str(key))
    return Lowered(_number(GroupBy(rows, (str(key),))), "number")


def _fold(operator: str) -> Callable[..., Lowered]:
    def make(lowering: Lowering, key: object, form: object) -> Lowered:
        name = str(key)
        if name.endswith("heart_rate"):
            name = _EXTREMES.get(operator, name)
        rows = lowering.rows(lowering.events(form_in(form)), name)
        if operator == "median":
            return Lowered(applied(rows, ROWS, median(known(name, ROWS))), lowering.type_of(name))
        return Lowered(FOLDS[operator](rows, name), lowering.type_of(name))

    return make


def _most(operator: type[ArgMax | ArgMin]) -> Callable[..., Lowered]:
    def make(lowering: Lowering, key: object, value: object, words: object) -> Lowered:
        rows, kind, number = lowering.grouped(str(key), form_in(value)), lowering.type_of(str(key)), how_many(words)
        if number == 1:
            return Lowered(operator(rows, MEASURE, str(key)), kind)
        best = first_of(ordered(ROWS, ROW, MEASURE, reverse=operator is ArgMax), number)
        return Lowered(applied(rows, ROWS, each_of("list", Attribute(ROW, str(key)), ROW, best)), kind)

    return make


def _each(lowering: Lowering, key: object, value: object) -> Lowered:
    rows = replace(lowering, one_year=False).grouped(str(key), form_in(value))  # tables tell the year of a month
    return Lowered(rows, lowering.grouped_type(form_in(value)), None)


def _having(lowering: Lowering, key: object, value: object, test: object, words: object) -> Lowered:
    rows = _tested(lowering, key, value, test, words)
    return Lowered(
        applied(rows, ROWS, each_of("list", Attribute(ROW, str(key)), ROW, ROWS)), lowering.type_of(str(key))
    )


def _count_having(lowering: Lowering, key: object, value: object, test: object, words: object) -> Lowered:
    return Lowered(_number(_tested(lowering, key, value, test, words)), "number")


def _tested(lowering: Lowering, key: object, value: object, test: object, words: object) -> Node:
    rows = lowering.grouped(str(key), form_in(value))
    return kept(rows, lowering.leaves.condition(MEASURE, str(test), text_of(words)).body)


def _over_groups(operator: type[Avg | Max | Min] | None) -> Callable[..., Lowered]:
    def make(lowering: Lowering, key: object, value: object) -> Lowered:
        rows, kind = lowering.grouped(str(key), form_in(value)), lowering.grouped_type(form_in(value))
        if operator is None:
            return Lowered(applied(rows, ROWS, median(each_of("list", Attribute(ROW, MEASURE), ROW, ROWS))), kind)
        return Lowered(operator(rows, MEASURE), kind)

    return make


def _without(lowering: Lowering, key: object, form: object) -> Lowered:
    ways: dict[object, tuple[Expression, int, int]] = {
        "weekday": (Method(_BEGAN, "weekday"), 0, 7),
        "month": (Field(_BEGAN, "month"), 1, 13),
    }
    if key not in ways:
        raise NotUnderstood(f"no tree for {key} without events", words=(str(key),))
    part, first, end = ways[key]
    every = Call("range", (Literal(first), Literal(end)))
    missing = each_of("list", _PART, _PART, every, compared(_PART, "not in", set_of(part, EVENT, EVENTS)))
    return Lowered(applied(lowering.events(form_in(form)), EVENTS, missing), str(key))


def _compared(body: Callable[[Expression], Expression], kind: str) -> Callable[..., Lowered]:
    """What `body` makes of the other value; `value` is the one."""

    def make(lowering: Lowering, one: object, other: object) -> Lowered:
        left, right = lowering.lowered(form_in(one)), lowering.lowered(form_in(other))
        return Lowered(applied(left.tree, VALUE, body(right.value)), kind or left.type, unit=left.unit)

    return make


def _percent(part: Expression, whole: Expression) -> Expression:
    return Binary("/", Binary("*", Literal(100), part), whole)


def _over(lowering: Lowering, value: object, test: object, words: object) -> Lowered:
    limit = lowering.leaves.condition(MEASURE, str(test), text_of(words), VALUE).body
    return Lowered(applied(lowering.lowered(form_in(value)).tree, VALUE, limit), "boolean")


def _pick(sign: str) -> Callable[..., Lowered]:
    def make(lowering: Lowering, name: object, one: object, other_name: object, other: object) -> Lowered:
        left, right = lowering.lowered(form_in(one)), lowering.lowered(form_in(other))
        first, second = (Literal(text_of(said).replace('"', "'")) for said in (name, other_name))
        neither = Conditional(compared(right.value, sign, VALUE), second, Literal(None))  # where both are equal
        chosen = Conditional(compared(VALUE, sign, right.value), first, neither)
        return Lowered(applied(left.tree, VALUE, chosen), "text")

    return make


def _moment(lowering: Lowering, value: Form) -> Expression:
    """A day."""
    if value.operator == "now":
        return Call("date.today")
    if value.operator == "date":
        return written_day(lowering.day_of(text_of(value.arguments[0])))
    return _day_of_events(lowering, value).value


def _day_of_events(lowering: Lowering, value: Form) -> Lowered:
    if value.operator == "get" and value.arguments[0] in ("date", "day", "start_time"):
        form = form_in(value.arguments[1])
        if form.operator not in ("first", "last", "highest", "lowest"):
            form = Form("first", (form, Words("1")))
        return _get(lowering, "date", form)
    raise NotUnderstood(f"no day of {value.operator}", words=(value.operator,))


def _days_between(lowering: Lowering, one: object, other: object) -> Lowered:
    left, right = form_in(one), form_in(other)
    if left.operator in ("now", "date"):
        left, right = right, left
    if left.operator in ("now", "date"):
        raise NotUnderstood("no events to count days from", words=())
    tree = _day_of_events(lowering, left).tree
    return Lowered(applied(tree, _DAY, Call("abs", (_days(_moment(lowering, right), _DAY),))), "number")


def _age(lowering: Lowering, words: object, value: object) -> Lowered:
    born = written_day(lowering.born(text_of(words)))
    tree = _day_of_events(lowering, form_in(value)).tree
    return Lowered(applied(tree, _DAY, Binary("//", _days(_DAY, born), Literal(365.2425))), "number", unit="years")


def _days_with(events: Node, of: Expression) -> Apply:
    """The days of events, in order, each once."""
    return applied(events, EVENTS, Call("sorted", (set_of(of, EVENT, EVENTS),)))


def _gap(lowering: Lowering, form: object) -> Lowered:
    days = _days_with(lowering.events(form_in(form)), _BEGAN)
    pairs = Loop(("a", "b"), Call("zip", (_DAYS, Slice(_DAYS, 1))))
    longest = Call("max", (Loops("generator", _days(Name("b"), Name("a")), (pairs,)),))
    return Lowered(applied(days, _DAYS, longest), "number")


_STEPS: Final[Mapping[str, tuple[Expression, int]]] = {
    "day": (_BEGAN, 1),
    "date": (_BEGAN, 1),
    "week": (monday(_BEGAN), 7),
}
"""What streaks are counted in: the day that stands for it, and how many days later the next begins."""
_LONGEST: Final = 4000


def _streak(lowering: Lowering, key: object, form: object) -> Lowered:
    if key not in _STEPS:
        raise NotUnderstood(f"no streaks of {key}", words=(str(key),))
    began, step = _STEPS[str(key)]
    days, start, number = _days_with(lowering.events(form_in(form)), began), Name("start"), Name("n")
    later = Binary("+", start, Call("timedelta", (), (("days", Binary("*", Literal(step), number)),)))
    lengths = Call("range", (Literal(1), Literal(_LONGEST)))
    ends = Call("next", (each_of("generator", number, number, lengths, compared(later, "not in", _DAYS)),))
    return Lowered(applied(days, _DAYS, Call("max", (each_of("generator", ends, start, _DAYS),))), "number")


def _unit(lowering: Lowering, words: object, value: object) -> Lowered:
    made = lowering.lowered(form_in(value))
    return replace(made, unit=lowering.unit_of(text_of(words)))


LOWERINGS: Final[Mapping[str, Callable[..., Lowered]]] = {
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
