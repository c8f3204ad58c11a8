"""Trees of the operators of logical forms that give events: of two lists, or a part of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ...errors import NotUnderstood
from ...operators.forms.grammar import Form, Words
from .leaves import place_of
from .maker import TreeMaker, form_in, how_many, quoted, text_of, values_of

# ---------------------------------------------------------------- events of two lists
_JOINED: Final = {
    "during": "i2.start_datetime <= i1.start_datetime and i1.start_datetime < i2.end_datetime",
    "next_day": "i2.end_date < i1.start_date and i1.start_date <= i2.end_date + timedelta(days=1)",
    "previous_day": "i1.start_date < i2.start_date and i2.start_date <= i1.start_date + timedelta(days=1)",
}
_BY_DAY: Final = "i2.start_date <= i1.start_date and i1.start_date <= i2.end_date"


def _joined(maker: TreeMaker, form: Form) -> str:
    name = form.operator.removeprefix("not_")
    condition = _BY_DAY if name == "during" and maker.by_day else _JOINED[name]
    left, right = (maker.events(form_in(a)) for a in form.arguments)
    return maker.kept(left, right, condition, negated=form.operator != name)


def _same_day(maker: TreeMaker, form: Form) -> str:
    left, right = (maker.events(form_in(a)) for a in form.arguments)
    days = values_of(right, "start_date")
    word = "in" if form.operator == "same_day" else "not in"
    return f'FILTER(l={left}, filter=lambda attr: attr["start_date"] {word} {days})'


def _same(maker: TreeMaker, form: Form) -> str:
    key = str(form.arguments[0])
    left, right = (maker.rows(maker.events(form_in(a)), key) for a in form.arguments[1:])
    word = "in" if form.operator == "same" else "not in"
    return f'FILTER(l={left}, filter=lambda attr: attr["{key}"] {word} {values_of(right, key)})'


def _around(maker: TreeMaker, form: Form) -> str:
    """Events within so long after, or before, others."""
    left, right = (maker.events(form_in(a)) for a in form.arguments[:2])
    span = maker.leaves.span(text_of(form.arguments[2]))
    if form.operator == "after":
        condition = f"i2.end_datetime <= i1.start_datetime and i1.start_datetime <= i2.end_datetime + {span}"
    else:
        condition = f"i1.start_datetime < i2.start_datetime and i2.start_datetime <= i1.start_datetime + {span}"
    if maker.by_day:
        condition = condition.replace("datetime", "date").replace("end_date <= i1", "end_date < i1")
    return maker.kept(left, right, condition)


def _beyond(maker: TreeMaker, form: Form) -> str:
    way, edge = form.operator.split("_")
    right_form = form_in(form.arguments[1])
    if maker.by_time and right_form.operator == "events":
        said = Words(f"{way} {text_of(right_form.arguments[0])}")
        return maker.events(Form("where", (form_in(form.arguments[0]), "time", "=", said)))
    left, right = (maker.events(form_in(a)) for a in form.arguments)
    fold, sign = ("MIN" if edge == "first" else "MAX"), (">" if way == "after" else "<")
    moment = f'{fold}(l={right}, attr_name="start_datetime").result'
    return f'FILTER(l={left}, filter=lambda attr: attr["start_datetime"] {sign} {moment})'


def _edge(maker: TreeMaker, form: Form) -> str:
    """The first, the last, the nth of events in order of time."""
    ordered = 'sorted(events, key=lambda event: event["start_datetime"])'
    events = maker.events(form_in(form.arguments[0]))
    if form.operator == "nth":
        place = place_of(text_of(form.arguments[1]))
        if not place:
            raise NotUnderstood(
                f"“{text_of(form.arguments[1])}” is no place in a row", words=(text_of(form.arguments[1]),)
            )
        part = f"[{place - 1}:{place}]" if place > 0 else f"[{place}:][:1]"
    else:
        number = how_many(form.arguments[1])
        part = f"[:{number}]" if form.operator == "first" else f"[-{number}:]"
    return f"APPLY(l={events}, fct=lambda events: {ordered}{part})"


def _extreme(maker: TreeMaker, form: Form) -> str:
    key, number = str(form.arguments[1]), how_many(form.arguments[2])
    rows = maker.rows(maker.events(form_in(form.arguments[0])), key)
    known = f'FILTER(l={rows}, filter=lambda attr: attr["{key}"] is not None)'
    order = ", reverse=True" if form.operator == "highest" else ""
    return f'APPLY(l={known}, fct=lambda events: sorted(events, key=lambda event: event["{key}"]{order})[:{number}])'


def _either(maker: TreeMaker, form: Form) -> str:
    """All of both: one search for what either's words name. Raises NotUnderstood where one of them is no words."""
    return f"QUD({quoted(' or '.join(maker.words(form_in(one)) for one in form.arguments))})"


LISTS_OF_EVENTS: Final[Mapping[str, Callable[[TreeMaker, Form], str]]] = {
    **dict.fromkeys(("during", "not_during", "next_day", "previous_day"), _joined),
    **dict.fromkeys(("same_day", "not_same_day"), _same_day),
    **dict.fromkeys(("same", "not_same"), _same),
    **dict.fromkeys(("after", "before"), _around),
    **dict.fromkeys(("after_first", "after_last", "before_first", "before_last"), _beyond),
    **dict.fromkeys(("first", "last", "nth"), _edge),
    **dict.fromkeys(("highest", "lowest"), _extreme),
    "either": _either,
}
