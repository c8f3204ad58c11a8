"""Trees of the operators of logical forms that give events: of two lists, or a part of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ...errors import NotUnderstood
from ...operators.expressions import Answer, Attribute, Binary, Call, Expression, Literal, Name, Node, Slice
from ...operators.forms.grammar import Form, Words
from ...operators.nodes import Max, Min
from .building import EVENT, EVENTS, all_of, applied, compared, first_of, kept, open_leaf, ordered, own, values_of
from .leaves import place_of
from .lowering import Lowering, form_in, how_many, text_of

# ---------------------------------------------------------------- events of two lists
_I1: Final = Name("i1")
_I2: Final = Name("i2")


def _at(event: Name, key: str) -> Attribute:
    return Attribute(event, key)


def _later(moment: Expression, span: Expression) -> Binary:
    return Binary("+", moment, span)


_A_DAY: Final = Call("timedelta", (), (("days", Literal(1)),))
_DURING: Final = all_of(
    compared(_at(_I2, "start_datetime"), "<=", _at(_I1, "start_datetime")),
    compared(_at(_I1, "start_datetime"), "<", _at(_I2, "end_datetime")),
)
_BY_DAY: Final = all_of(
    compared(_at(_I2, "start_date"), "<=", _at(_I1, "start_date")),
    compared(_at(_I1, "start_date"), "<=", _at(_I2, "end_date")),
)
_JOINED: Final[Mapping[str, Expression]] = {
    "during": _DURING,
    "next_day": all_of(
        compared(_at(_I2, "end_date"), "<", _at(_I1, "start_date")),
        compared(_at(_I1, "start_date"), "<=", _later(_at(_I2, "end_date"), _A_DAY)),
    ),
    "previous_day": all_of(
        compared(_at(_I1, "start_date"), "<", _at(_I2, "start_date")),
        compared(_at(_I2, "start_date"), "<=", _later(_at(_I1, "start_date"), _A_DAY)),
    ),
}


def _joined(lowering: Lowering, form: Form) -> Node:
    name = form.operator.removeprefix("not_")
    condition = _BY_DAY if name == "during" and lowering.by_day else _JOINED[name]
    left, right = (lowering.events(form_in(a)) for a in form.arguments)
    return lowering.kept(left, right, condition, negated=form.operator != name)


def _same_day(lowering: Lowering, form: Form) -> Node:
    left, right = (lowering.events(form_in(a)) for a in form.arguments)
    word = "in" if form.operator == "same_day" else "not in"
    return kept(left, compared(own("start_date"), word, values_of(right, "start_date")))


def _same(lowering: Lowering, form: Form) -> Node:
    key = str(form.arguments[0])
    left, right = (lowering.rows(lowering.events(form_in(a)), key) for a in form.arguments[1:])
    word = "in" if form.operator == "same" else "not in"
    return kept(left, compared(own(key), word, values_of(right, key)))


def _around(lowering: Lowering, form: Form) -> Node:
    """Events within so long after, or before, others."""
    left, right = (lowering.events(form_in(a)) for a in form.arguments[:2])
    span = lowering.leaves.span(text_of(form.arguments[2]))
    kind = "date" if lowering.by_day else "datetime"
    if form.operator == "after":
        begun, ended = _at(_I1, f"start_{kind}"), _at(_I2, f"end_{kind}")
        first = compared(ended, "<" if lowering.by_day else "<=", begun)
        return lowering.kept(left, right, all_of(first, compared(begun, "<=", _later(ended, span))))
    begun, next_one = _at(_I1, f"start_{kind}"), _at(_I2, f"start_{kind}")
    soon = compared(next_one, "<=", _later(begun, span))
    return lowering.kept(left, right, all_of(compared(begun, "<", next_one), soon))


def _beyond(lowering: Lowering, form: Form) -> Node:
    way, edge = form.operator.split("_")
    right_form = form_in(form.arguments[1])
    if lowering.by_time and right_form.operator == "events":
        said = Words(f"{way} {text_of(right_form.arguments[0])}")
        return lowering.events(Form("where", (form_in(form.arguments[0]), "time", "=", said)))
    left, right = (lowering.events(form_in(a)) for a in form.arguments)
    moment = Answer((Min if edge == "first" else Max)(right, "start_datetime"))
    return kept(left, compared(own("start_datetime"), ">" if way == "after" else "<", moment))


def _edge(lowering: Lowering, form: Form) -> Node:
    """The first, the last, the nth of events in order of time."""
    events, found = lowering.events(form_in(form.arguments[0])), ordered(EVENTS, EVENT, "start_datetime")
    words = text_of(form.arguments[1])
    if form.operator == "nth":
        place = place_of(words)
        if not place:
            raise NotUnderstood(f"“{words}” is no place in a row", words=(words,))
        part = Slice(found, place - 1, place) if place > 0 else Slice(Slice(found, place), None, 1)
    else:
        number = how_many(form.arguments[1])
        part = first_of(found, number if form.operator == "first" else -number)
    return applied(events, EVENTS, part)


def _extreme(lowering: Lowering, form: Form) -> Node:
    key, number = str(form.arguments[1]), how_many(form.arguments[2])
    rows = lowering.rows(lowering.events(form_in(form.arguments[0])), key)
    having = kept(rows, compared(own(key), "is not", Literal(None)))
    found = ordered(EVENTS, EVENT, key, reverse=form.operator == "highest")
    return applied(having, EVENTS, first_of(found, number))


def _either(lowering: Lowering, form: Form) -> Node:
    """All of both: one search for what either's words name. Raises NotUnderstood where one of them is no words."""
    return open_leaf(" or ".join(lowering.words(form_in(one)) for one in form.arguments))


LISTS_OF_EVENTS: Final[Mapping[str, Callable[[Lowering, Form], Node]]] = {
    **dict.fromkeys(("during", "not_during", "next_day", "previous_day"), _joined),
    **dict.fromkeys(("same_day", "not_same_day"), _same_day),
    **dict.fromkeys(("same", "not_same"), _same),
    **dict.fromkeys(("after", "before"), _around),
    **dict.fromkeys(("after_first", "after_last", "before_first", "before_last"), _beyond),
    **dict.fromkeys(("first", "last", "nth"), _edge),
    **dict.fromkeys(("highest", "lowest"), _extreme),
    "either": _either,
}
