"""Lowers logical forms to operator trees: leaves, conditions, groups; each operator has its own function.

People, times, places and the like go into the words of a leaf ("runs with my sister, last summer"), so that there is
one reader of them. A condition on any other attribute becomes a FILTER over what EXTRACT reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ...errors import NotUnderstood
from ...operators.expressions import (
    Answer,
    Attribute,
    Binary,
    Builtin,
    Call,
    Expression,
    Field,
    Function,
    Lambda,
    Literal,
    Method,
    Node,
)
from ...operators.forms.grammar import Form, Words, words_in
from ...operators.nodes import AttributeType, Avg, Extract, Filter, GroupBy, Join, Map, Max, Min, Sum, Unnest
from .building import GROUP, ROW, compared, extracted, kept, known, mapped, open_leaf, own, set_of, values_of
from .chats import PHRASE, Chats
from .leaves import Condition, Leaves, small_number

_DAY: Final = own("start_date")


def monday(day: Expression) -> Binary:
    """The first day of a day's week."""
    return Binary("-", day, Call("timedelta", (), (("days", Method(day, "weekday")),)))


CALENDAR: Final[Mapping[str, tuple[Expression, str]]] = {
    "date": (_DAY, "date"),
    "day": (_DAY, "date"),
    "week": (monday(_DAY), "date"),
    "month": (Call("date", (Field(_DAY, "year"), Field(_DAY, "month"), Literal(1))), "month"),
    "year": (Field(_DAY, "year"), "number"),
    "weekday": (Method(_DAY, "weekday"), "weekday"),
    "hour": (Field(own("start_time"), "hour"), "number"),
    "start_time": (own("start_time"), "time"),
    "end_time": (own("end_time"), "time"),
}
"""Keys that are parts of an event's time: their value, and the type of the answer."""
CALENDAR_KEYS: Final = frozenset({*CALENDAR, "time"})
"""Attributes that the events of every domain have."""
LISTS: Final = frozenset({"artist", "participant", "recipient"})
MONTH_OF_YEAR: Final = Field(_DAY, "month")
_ONE_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b|\byear\b", re.IGNORECASE)
NIGHTS: Final = frozenset({"nights", "days"})
MEASURE: Final = "value"
"""What the measure of a group is called."""
FOLDS: Final[Mapping[str, type[Sum | Avg | Max | Min]]] = {"sum": Sum, "avg": Avg, "max": Max, "min": Min}


@dataclass(frozen=True)
class Lowered:
    """A tree, the type of its answer, the column that answers where rows have several, the unit asked for."""

    tree: Node
    type: str
    column: str | None = None
    distinct: bool = False
    unit: str | None = None

    @property
    def value(self) -> Answer:
        """The tree's value inside another tree's function."""
        return Answer(self.tree)


@dataclass(frozen=True)
class Lowering:
    """Lowers forms to trees. `values` and `lists` lower each operator.

    `day_of` gives the day that words name, `born` somebody's day of birth; each raises NotUnderstood. `by_day`: events
    during others are told by days, as those of trips must be.
    """

    values: Mapping[str, Callable[..., Lowered]]
    lists: Mapping[str, Callable[[Lowering, Form], Node]]
    leaves: Leaves
    day_of: Callable[[str], date]
    born: Callable[[str], date]
    unit_of: Callable[[str], str | None]
    by_day: bool = False
    by_time: bool = False
    """Whether "before the wedding" is a time that words name, rather than of events that are looked for."""
    records: Callable[[str, Sequence[Condition]], Node] | None = None
    """Lowers the leaves of a user's domain; without it, their words are left open."""
    chats: Chats | None = None
    """Lowers messages of chats, where there are any."""
    one_year: bool = False
    """Whether all events are of one year, so that months are told by their names."""

    def lowered(self, form: Form) -> Lowered:
        """The tree of a whole form. Raises NotUnderstood for a form that has no tree."""
        if not self.one_year and any(_ONE_YEAR.search(said) for said in words_in(form)):
            return replace(self, one_year=True).lowered(form)
        lowering = self.values.get(form.operator)
        if lowering is None:
            raise NotUnderstood(f"no tree for {form.operator}", words=(form.operator,))
        return lowering(self, *form.arguments)

    # ------------------------------------------------------------ events
    def events(self, form: Form) -> Node:
        """The tree of a list of events."""
        form, chain = conditions_of(form)
        if form.operator == "events":
            return self._leaf(text_of(form.arguments[0]), chain)
        made = self.lists[form.operator](self, form)
        for key, test, words in chain:
            made = self._narrowed(made, key, test, words)
        return made

    def words(self, form: Form) -> str:
        """The words of events that conditions do not part. Raises NotUnderstood for others."""
        form, chain = conditions_of(form)
        said, rest = self.leaves.worded(text_of(form.arguments[0]), chain) if form.operator == "events" else ("", chain)
        if rest or not said:
            raise NotUnderstood(f"{form.operator} has no words of its own", words=())
        return said

    def _leaf(self, phrase: str, conditions: Sequence[Condition]) -> Node:
        if self.records is not None:
            return self.records(phrase, conditions)
        if self.chats is not None and phrase == PHRASE:
            with suppress(NotUnderstood):
                return self.chats.lowered(conditions)
        said, rest = self.leaves.worded(phrase, conditions)
        made: Node = open_leaf(said)
        for key, test, words in rest:
            if test == "!=" and not self.leaves.is_measure(key):
                made = self._without(made, said, (key, words))
            else:
                made = self._narrowed(made, key, test, words)
        return made

    def _without(self, events: Node, said: str, condition: tuple[str, str]) -> Node:
        """Events without those of the same words that a condition holds for."""
        key, words = condition
        worded, rest = self.leaves.worded(said, [(key, "=", words)])
        if rest:
            return self._narrowed(events, key, "!=", words)
        among = values_of(open_leaf(worded), "start_datetime")
        return kept(events, compared(own("start_datetime"), "not in", among))

    def _narrowed(self, events: Node, key: str, test: str, words: str) -> Node:
        """Events with one more condition, on what EXTRACT reads."""
        condition = self.leaves.condition(key, test, words)
        if key in CALENDAR:
            raise NotUnderstood(f"no condition on {key}", words=(words,))
        kind = AttributeType.FLOAT if condition.is_number else AttributeType.STR
        return kept(extracted(events, key, kind), condition.body)

    def kept(self, left: Node, right: Node, condition: Expression, *, negated: bool = False) -> Filter:
        """The left events that, with some right one, satisfy a condition of JOIN; or that do with none."""
        among = values_of(Join(left, right, condition), "start_datetime")
        return kept(left, compared(own("start_datetime"), "not in" if negated else "in", among))

    # ------------------------------------------------------------ values
    def rows(self, events: Node, *keys: str) -> Node:
        """Events with attributes: parts of their time by MAP, items of lists by UNNEST, all others by EXTRACT."""
        read = tuple(key for key in keys if key not in CALENDAR and key not in NIGHTS)
        if read:
            events = Extract(events, read, tuple(map(self._kind, read)))
        for key in keys:
            if key in NIGHTS:
                span = Field(Binary("-", own("end_date"), own("start_date")), "days")
                events = mapped(events, span, key)
            elif key in CALENDAR:
                events = mapped(events, MONTH_OF_YEAR if key == "month" and self.one_year else CALENDAR[key][0], key)
            elif key in LISTS:
                events = Unnest(events, key, key)
        return events

    def _kind(self, key: str) -> AttributeType:
        if key in LISTS:
            return AttributeType.LIST
        return AttributeType.FLOAT if self.leaves.is_measure(key) else AttributeType.STR

    def type_of(self, key: str) -> str:
        """The type of an answer that is a key's value."""
        if key in CALENDAR:
            return CALENDAR[key][1]
        if key in NIGHTS:
            return "number"
        return "duration" if key == "duration" else "number" if self.leaves.is_measure(key) else "text"

    def grouped(self, key: str, value: Form) -> Map:
        """Rows of a key with the value that its events have, called `value`."""
        if value.operator == "unit":
            return self.grouped(key, form_in(value.arguments[1]))
        if value.operator not in OF_GROUPS:
            raise NotUnderstood(f"no groups of {value.operator}", words=(value.operator,))
        events, other, function = OF_GROUPS[value.operator](value)
        rows = self.rows(self.events(events), key, *((other,) if other and other != key else ()))
        return Map(GroupBy(rows, (key,)), function, MEASURE)

    def grouped_type(self, value: Form) -> str:
        """The type of what groups are measured by."""
        if value.operator == "unit":
            return self.grouped_type(form_in(value.arguments[1]))
        return self.type_of(str(value.arguments[0])) if value.operator in (*FOLDS, "median") else "number"


def conditions_of(form: Form) -> tuple[Form, list[Condition]]:
    """What conditions narrow, and these, the innermost first."""
    chain: list[Condition] = []
    while form.operator == "where":
        inner, key, test, words = form.arguments
        chain.append((str(key), str(test), text_of(words)))
        form = form_in(inner)
    return form, chain[::-1]


def form_in(argument: object) -> Form:
    assert isinstance(argument, Form)
    return argument


def text_of(argument: object) -> str:
    assert isinstance(argument, Words)
    return argument.text


def how_many(argument: object) -> int:
    """A small number as it is said. Raises NotUnderstood."""
    found = small_number(text_of(argument))
    if found is None or not 1 <= found <= 1000:
        raise NotUnderstood(f"“{text_of(argument)}” is no number", words=(text_of(argument),))
    return int(found)


# ---------------------------------------------------------------- values of groups
_Grouped = tuple[Form, str, Function]


def _folded(function: str) -> Callable[[Form], _Grouped]:
    def of(value: Form) -> _Grouped:
        key = str(value.arguments[0])
        return form_in(value.arguments[1]), key, Lambda(GROUP.identifier, Call(function, (known(key, GROUP),)))

    return of


def _different(value: Form) -> _Grouped:
    key = str(value.arguments[0])
    return (
        form_in(value.arguments[1]),
        key,
        Lambda(GROUP.identifier, Call("len", (set_of(Attribute(ROW, key), ROW, GROUP),))),
    )


OF_GROUPS: Final[Mapping[str, Callable[[Form], _Grouped]]] = {
    "count": lambda value: (form_in(value.arguments[0]), "", Builtin("len")),
    "distinct": _different,
    "sum": _folded("sum"),
    "avg": _folded("mean"),
    "median": _folded("median"),
    "max": _folded("max"),
    "min": _folded("min"),
}
