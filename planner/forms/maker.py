"""What draws operator trees of logical forms: leaves, conditions, groups; each operator has its own function.

People, times, places and the like go into the words of a leaf ("runs with my sister, last summer"), so that there is
one reader of them. A condition on any other attribute becomes a FILTER over what EXTRACT reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ...errors import NotUnderstood
from ...operators.forms.grammar import Form, Words, words_in
from .leaves import Condition, Leaves, small_number

CALENDAR: Final[Mapping[str, tuple[str, str]]] = {
    "date": ('attr["start_date"]', "date"),
    "day": ('attr["start_date"]', "date"),
    "week": ('attr["start_date"] - timedelta(days=attr["start_date"].weekday())', "date"),
    "month": ('date(attr["start_date"].year, attr["start_date"].month, 1)', "month"),
    "year": ('attr["start_date"].year', "number"),
    "weekday": ('attr["start_date"].weekday()', "weekday"),
    "hour": ('attr["start_time"].hour', "number"),
    "start_time": ('attr["start_time"]', "time"),
    "end_time": ('attr["end_time"]', "time"),
}
"""Keys that are parts of an event's time: their value, and the type of the answer."""
CALENDAR_KEYS: Final = frozenset({*CALENDAR, "time"})
"""Attributes that the events of every domain have."""
LISTS: Final = frozenset({"artist", "participant", "recipient"})
MONTH_OF_YEAR: Final = 'attr["start_date"].month'
_ONE_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b|\byear\b", re.IGNORECASE)
NIGHTS: Final = frozenset({"nights", "days"})
MEASURE: Final = "value"
"""What the measure of a group is called."""
FOLDS: Final = {"sum": "SUM", "avg": "AVG", "max": "MAX", "min": "MIN"}


@dataclass(frozen=True)
class Drawn:
    """A tree as text, the type of its answer, the column that answers where rows have several, the unit asked for."""

    tree: str
    type: str
    column: str | None = None
    distinct: bool = False
    unit: str | None = None

    @property
    def value(self) -> str:
        """The tree's value inside another tree's function."""
        return f"{self.tree}.result"


@dataclass(frozen=True)
class TreeMaker:
    """Draws the tree of a form. `values` and `lists` draw each operator.

    `day_of` gives the day that words name, `born` somebody's day of birth; each raises NotUnderstood. `by_day`: events
    during others are told by days, as those of trips must be.
    """

    values: Mapping[str, Callable[..., Drawn]]
    lists: Mapping[str, Callable[[TreeMaker, Form], str]]
    leaves: Leaves
    day_of: Callable[[str], date]
    born: Callable[[str], date]
    unit_of: Callable[[str], str | None]
    by_day: bool = False
    by_time: bool = False
    """Whether "before the wedding" is a time that words name, rather than of events that are looked for."""
    records: Callable[[str, Sequence[Condition]], str] | None = None
    """Draws the leaves of a domain of one's own; without it, their words are left open."""
    one_year: bool = False
    """Whether all events are of one year, so that months are told by their names."""

    def drawn(self, form: Form) -> Drawn:
        """The tree of a whole form. Raises NotUnderstood for a form that has no tree."""
        if not self.one_year and any(_ONE_YEAR.search(said) for said in words_in(form)):
            return replace(self, one_year=True).drawn(form)
        maker = self.values.get(form.operator)
        if maker is None:
            raise NotUnderstood(f"no tree for {form.operator}", words=(form.operator,))
        return maker(self, *form.arguments)

    # ------------------------------------------------------------ events
    def events(self, form: Form) -> str:
        """The tree of a list of events."""
        form, chain = _conditions(form)
        if form.operator == "events":
            return self._leaf(text_of(form.arguments[0]), chain)
        made = self.lists[form.operator](self, form)
        for key, test, words in chain:
            made = self._narrowed(made, key, test, words)
        return made

    def words(self, form: Form) -> str:
        """The words of events that conditions do not part. Raises NotUnderstood for others."""
        form, chain = _conditions(form)
        said, rest = self.leaves.worded(text_of(form.arguments[0]), chain) if form.operator == "events" else ("", chain)
        if rest or not said:
            raise NotUnderstood(f"{form.operator} has no words of its own", words=())
        return said

    def _leaf(self, phrase: str, conditions: Sequence[Condition]) -> str:
        if self.records is not None:
            return self.records(phrase, conditions)
        said, rest = self.leaves.worded(phrase, conditions)
        made = f"QUD({quoted(said)})"
        for key, test, words in rest:
            if test == "!=" and not self.leaves.is_measure(key):
                made = self._without(made, said, (key, words))
            else:
                made = self._narrowed(made, key, test, words)
        return made

    def _without(self, events: str, said: str, condition: tuple[str, str]) -> str:
        """Events without those of the same words that a condition holds for."""
        key, words = condition
        worded, rest = self.leaves.worded(said, [(key, "=", words)])
        if rest:
            return self._narrowed(events, key, "!=", words)
        among = values_of(f"QUD({quoted(worded)})", "start_datetime")
        return f'FILTER(l={events}, filter=lambda attr: attr["start_datetime"] not in {among})'

    def _narrowed(self, events: str, key: str, test: str, words: str) -> str:
        """Events with one more condition, on what EXTRACT reads."""
        condition = self.leaves.condition(key, test, words)
        if key in CALENDAR:
            raise NotUnderstood(f"no condition on {key}", words=(words,))
        kind = "float" if condition.is_number else "str"
        rows = f'EXTRACT(l={events}, attr_names=["{key}"], attr_types=[{kind}])'
        return f"FILTER(l={rows}, filter=lambda attr: {condition.text})"

    def kept(self, left: str, right: str, condition: str, *, negated: bool = False) -> str:
        """The left events that, with some right one, satisfy a condition of JOIN; or that do with none."""
        pairs = f'JOIN(l1={left}, l2={right}, condition="{condition}")'
        word, among = "not in" if negated else "in", values_of(pairs, "start_datetime")
        return f'FILTER(l={left}, filter=lambda attr: attr["start_datetime"] {word} {among})'

    # ------------------------------------------------------------ values
    def rows(self, events: str, *keys: str) -> str:
        """Events with attributes: parts of their time by MAP, items of lists by UNNEST, all others by EXTRACT."""
        read = [key for key in keys if key not in CALENDAR and key not in NIGHTS]
        if read:
            kinds = ", ".join(
                "list" if key in LISTS else "float" if self.leaves.is_measure(key) else "str" for key in read
            )
            names = ", ".join(f'"{key}"' for key in read)
            events = f"EXTRACT(l={events}, attr_names=[{names}], attr_types=[{kinds}])"
        for key in keys:
            if key in NIGHTS:
                span = '(attr["end_date"] - attr["start_date"]).days'
                events = f'MAP(l={events}, fct=lambda attr: {span}, res_name="{key}")'
            elif key in CALENDAR:
                part = MONTH_OF_YEAR if key == "month" and self.one_year else CALENDAR[key][0]
                events = f'MAP(l={events}, fct=lambda attr: {part}, res_name="{key}")'
            elif key in LISTS:
                events = f'UNNEST(l={events}, nested_attr_name="{key}", unnested_attr_name="{key}")'
        return events

    def type_of(self, key: str) -> str:
        """The type of an answer that is a key's value."""
        if key in CALENDAR:
            return CALENDAR[key][1]
        if key in NIGHTS:
            return "number"
        return "duration" if key == "duration" else "number" if self.leaves.is_measure(key) else "text"

    def grouped(self, key: str, value: Form) -> str:
        """Rows of a key with the value that its events have, called `value`."""
        if value.operator == "unit":
            return self.grouped(key, form_in(value.arguments[1]))
        if value.operator not in OF_GROUPS:
            raise NotUnderstood(f"no groups of {value.operator}", words=(value.operator,))
        events, other, function = OF_GROUPS[value.operator](value)
        rows = self.rows(self.events(events), key, *((other,) if other and other != key else ()))
        return f'MAP(l=GROUP_BY(l={rows}, attr_names=["{key}"]), fct={function}, res_name="{MEASURE}")'

    def grouped_type(self, value: Form) -> str:
        """The type of what groups are measured by."""
        if value.operator == "unit":
            return self.grouped_type(form_in(value.arguments[1]))
        return self.type_of(str(value.arguments[0])) if value.operator in (*FOLDS, "median") else "number"


def _conditions(form: Form) -> tuple[Form, list[Condition]]:
    """What conditions narrow, and these, the innermost first."""
    chain: list[Condition] = []
    while form.operator == "where":
        inner, key, test, words = form.arguments
        chain.append((str(key), str(test), text_of(words)))
        form = form_in(inner)
    return form, chain[::-1]


def values_of(events: str, key: str) -> str:
    """The set of a key's values that events have, as an expression."""
    return f'APPLY(l={events}, fct=lambda events: set(event["{key}"] for event in events)).result'


def quoted(text: str) -> str:
    return json.dumps(text.replace('"', "'"), ensure_ascii=False)


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
_Grouped = tuple[Form, str, str]


def _folded(function: str) -> Callable[[Form], _Grouped]:
    def of(value: Form) -> _Grouped:
        key = str(value.arguments[0])
        return (
            form_in(value.arguments[1]),
            key,
            f'lambda group: {function}([row["{key}"] for row in group if row["{key}"] is not None])',
        )

    return of


OF_GROUPS: Final[Mapping[str, Callable[[Form], _Grouped]]] = {
    "count": lambda value: (form_in(value.arguments[0]), "", "len"),
    "distinct": lambda value: (
        form_in(value.arguments[1]),
        str(value.arguments[0]),
        f'lambda group: len(set(row["{value.arguments[0]}"] for row in group))',
    ),
    "sum": _folded("sum"),
    "avg": _folded("mean"),
    "median": _folded("median"),
    "max": _folded("max"),
    "min": _folded("min"),
}
