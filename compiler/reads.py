"""How a pattern reads properties of the events it has: one by one, as a table, or only those of some values or days.

A read may be optional; it is made required, or looked up after all, when more becomes known of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeGuard

from ..ontology.namespaces import EV
from .expressions.casts import term
from .sparql.algebra import Filter, Iri, Operation, Pattern, Read, Select, Step, Values, Var, call, triple

_DAY = Iri(EV + "day")
_LOOKUP = 3
"""Reading a property whole costs less than so many times fewer look-ups (docs/benchmarks.md)."""
_FEW = 2000
"""Events of days up to which each one's value is compared; for more, those that have the value are read as a table."""


@dataclass
class Reads:
    """What is known of the reads of one query: what is computed from them, and what looking days up costs."""

    _derived: dict[Var, tuple[Var, bool]] = field(default_factory=dict)
    _dated: dict[Var, tuple[float, float]] = field(default_factory=dict)
    _of_days: dict[Step, float] = field(default_factory=dict)

    def dated(self, event: Var, days: float, by_day: float) -> None:
        """Says that an event surely touches the day of its start, that looking the events of so many days up costs as
        much as reading all those that the pattern has, and how many events a day has."""
        self._dated[event] = days, by_day

    def derive(self, variable: Var, read: Read, *, certain: bool) -> None:
        """Says that a variable is computed from a read; `certain`: it has a value wherever the property has."""
        self._derived[variable] = read.variable, certain

    def requiring(self, pattern: Pattern, variable: Var) -> tuple[Pattern, bool]:
        """The pattern with the variable's read required, and whether that is enough for it to have a value."""
        source, certain = self._derived.get(variable, (variable, True))
        if _read_of(pattern, source) is None:
            return pattern, False
        return tuple(replace(step, optional=False) if _binds(step, source) else step for step in pattern), certain

    def restricted(self, pattern: Pattern, variable: Var, wanted: Sequence[str] | Sequence[int]) -> Pattern | None:
        """The pattern for the events whose read is one of a few texts or whole numbers, all looked up; None where that
        is not possible. Of the events of some days, which are looked up already, the read is compared where these are
        few, else joined as a table."""
        read = _read_of(pattern, variable)
        among = max((self._of_days.get(step, 0.0) for step in pattern), default=0.0)
        if read is None or 0 < among < _FEW or not (read.text if isinstance(wanted[0], str) else read.number):
            return None
        values = Values(variable, tuple(map(term, wanted)))
        if among:
            found = triple(read.event, read.property, variable)
            table = Select((read.event, variable), (values, found))
            return tuple(table if _binds(step, variable) else step for step in pattern)
        return (values, *(_looked_up(step, read) for step in pattern))

    def of_days(
        self, pattern: Pattern, variable: Var, start: Iri, days: tuple[date, ...], fresh: Callable[[str], Var]
    ) -> Pattern | None:
        """The pattern for the events that begin on some days, looked up by these, where `variable` comes from the
        property `start`; None where it does not, or where that costs more than it saves."""
        read = _read_of(pattern, self._derived.get(variable, (variable, True))[0])
        if read is None or read.property != start or read.event not in self._dated:
            return None
        most, by_day = self._dated[read.event]
        if len(days) > most:
            return None
        touched = fresh("touched")
        touches = triple(read.event, _DAY, touched)
        self._of_days[touches] = len(days) * by_day
        same = Operation("=", (call("STR", touched), call("SUBSTR", call("STR", read.variable), 1, 10)))
        return (
            Values(touched, tuple(map(term, days))),
            touches,
            *(_looked_up(step, read) for step in pattern),
            Filter(same),
        )


def _binds(step: Step, variable: Var) -> TypeGuard[Read]:
    return isinstance(step, Read) and step.variable == variable


def _read_of(pattern: Pattern, variable: Var) -> Read | None:
    return next((step for step in pattern if _binds(step, variable)), None)


def _looked_up(step: Step, required: Read) -> Step:
    """A read of the same event one by one; that which is required is not optional."""
    if not isinstance(step, Read) or step.event != required.event:
        return step
    return replace(step, whole=False, optional=step.optional and step.variable != required.variable)


def days_worth(events: int | None, by_day: float | None) -> float:
    """How many days' events may be looked up before reading all of so many costs less, of `by_day` events a day."""
    return events / (_LOOKUP * by_day) if events and by_day else 0.0


def reads_whole(events: int | None, subjects: int | None) -> bool:
    """Whether a property is read whole for so many events, of all that have it."""
    return events is not None and subjects is not None and events * _LOOKUP > subjects > 0
