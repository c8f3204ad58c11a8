"""How a pattern reads one property of the events it has: as a triple beside them, or as a table joined by hashing.

A store looks a triple up for every event, which costs several times what reading the whole property costs for one of
its subjects. So where most of those that have the property are wanted, a subquery reads it whole. Either way a read may
be optional; it is made required, or looked up after all, when more becomes known of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from ..ontology.namespaces import EV
from .expressions.terms import iri, string

_DAY = iri(EV + "day")
_LOOKUP = 3
"""Reading a property whole costs less than so many times fewer look-ups (docs/benchmarks.md)."""
_FEW = 2000
"""Events of days up to which each one's value is compared; for more, those that have the value are read as a table."""


@dataclass(frozen=True)
class Read:
    """One property (as a term) of an event, bound to `variable`: at most one solution for each event.

    `held` is another variable that stands for it inside a subquery. `sure`: every event has it.
    `text`: its values are plain texts, so that equal texts are equal terms; `number`: plain whole numbers.
    """

    event: str
    property: str
    variable: str
    held: str
    sure: bool = False
    text: bool = False
    test: str = ""
    """What must hold besides, inside the read, of the event alone."""
    number: bool = False

    def line(self, *, optional: bool, whole: bool) -> str:
        """The line of a pattern that reads it; `whole` as a table."""
        if whole:
            triple = f"{self.event} {self.property} {self.held} .{self.test} BIND({self.held} AS {self.variable})"
            pattern = f"{{ SELECT {self.event} {self.variable} WHERE {{ {triple} }} }}"
            return f"OPTIONAL {pattern}" if optional else pattern
        triple = f"{self.event} {self.property} {self.variable} .{self.test}"
        return f"OPTIONAL {{ {triple} }}" if optional else triple


@dataclass(frozen=True)
class _Written:
    read: Read
    optional: bool
    whole: bool


@dataclass(frozen=True)
class _Source:
    """What an attribute's variable comes from; `certain`: it has a value wherever the property has."""

    read: Read
    certain: bool


class Reads:
    """The reads of one query: which lines are reads, and which variables come from them."""

    def __init__(self) -> None:
        self._lines: dict[str, _Written] = {}
        self._sources: dict[str, _Source] = {}
        self._grouped: dict[str, str] = {}
        self._dated: dict[str, tuple[float, float]] = {}
        self._of_days: dict[str, float] = {}

    def dated(self, event: str, days: float, by_day: float) -> None:
        """Says that an event surely touches the day of its start, that looking the events of so many days up costs as
        much as reading all those that the pattern has, and how many events a day has."""
        self._dated[event] = days, by_day

    def add(self, read: Read, *, whole: bool) -> str:
        """The line of a read, as optional as its property is."""
        for optional in (True, False):
            for table in (True, False):
                line = read.line(optional=optional, whole=table)
                self._lines[line] = _Written(read, optional, table)
        self._sources[read.variable] = _Source(read, True)
        return read.line(optional=not read.sure, whole=whole)

    def add_grouped(self, line: str, variable: str) -> None:
        """Says that a line reads a variable for each event of a subquery that makes one solution of each event."""
        self._grouped[line] = variable

    def derive(self, variable: str, read: Read, *, certain: bool) -> None:
        """Says that a variable is computed from a read."""
        self._sources[variable] = _Source(read, certain)

    def requiring(self, lines: Iterable[str], variable: str) -> tuple[tuple[str, ...], bool]:
        """The lines with the variable's read required, and whether that is enough for it to have a value."""
        lines, source = tuple(lines), self._sources.get(variable)
        if source is None:
            return lines, False
        found, made = False, list[str]()
        for line in lines:
            written = self._lines.get(line)
            if written is not None and written.read == source.read:
                found, line = True, source.read.line(optional=False, whole=written.whole)
            made.append(line)
        return tuple(made), found and source.certain

    def restricted(
        self, lines: Iterable[str], variable: str, wanted: Sequence[str] | Sequence[int]
    ) -> tuple[str, ...] | None:
        """The lines for the events whose read is one of a few texts or whole numbers, all looked up; None where that is
        not possible. Of the events of some days, which are looked up already, the read is compared where these are few,
        else joined as a table."""
        lines, source = tuple(lines), self._sources.get(variable)
        among = max((self._of_days.get(line, 0.0) for line in lines), default=0.0)
        if source is None or source.read.variable != variable or 0 < among < _FEW:
            return None
        if not (source.read.text if isinstance(wanted[0], str) else source.read.number):
            return None
        if not any(self._is_read(line, source.read) for line in lines):
            return None
        terms = (string(item) if isinstance(item, str) else str(item) for item in wanted)
        values = f"VALUES {variable} {{ {' '.join(terms)} }}"
        if among:
            read = source.read
            table = (
                f"{{ SELECT {read.event} {variable} WHERE {{ {values} {read.event} {read.property} {variable} . }} }}"
            )
            return tuple(table if self._is_read(line, read) else line for line in lines)
        return (values, *(self._looked_up(line, source.read) for line in lines))

    def of_days(
        self, lines: Iterable[str], variable: str, start: str, days: tuple[date, ...], fresh: Callable[[str], str]
    ) -> tuple[str, ...] | None:
        """The lines for the events that begin on some days, looked up by these, where `variable` comes from the
        property `start`; None where it does not, or where that costs more than it saves."""
        lines, source = tuple(lines), self._sources.get(variable)
        if source is None or source.read.property != start or source.read.event not in self._dated:
            return None
        read, (most, by_day) = source.read, self._dated[source.read.event]
        if len(days) > most or not any(self._is_read(line, read) for line in lines):
            return None
        touched = fresh("touched")
        named = " ".join(f'"{day}"^^xsd:date' for day in days)
        touches = f"{read.event} {_DAY} {touched} ."
        self._of_days[touches] = len(days) * by_day
        same = f"FILTER(STR({touched}) = SUBSTR(STR({read.variable}), 1, 10))"
        return (
            f"VALUES {touched} {{ {named} }}",
            touches,
            *(self._looked_up(line, read) for line in lines),
            same,
        )

    def _is_read(self, line: str, read: Read) -> bool:
        written = self._lines.get(line)
        return written is not None and written.read == read

    def _looked_up(self, line: str, required: Read) -> str:
        written = self._lines.get(line)
        if written is None or written.read.event != required.event:
            return line
        return written.read.line(optional=written.optional and written.read != required, whole=False)

    def idle(self, line: str) -> str | None:
        """The variable that a line binds without changing how many solutions there are; None for other lines."""
        if line in self._grouped:
            return self._grouped[line]
        written = self._lines.get(line)
        if written is not None and (written.optional or written.read.sure):
            return written.read.variable
        if line.startswith("BIND(") and line.endswith(")") and line.count("BIND(") == 1:
            return line[line.rindex(" AS ") + 4 : -1]
        return None


def days_worth(events: int | None, by_day: float | None) -> float:
    """How many days' events may be looked up before reading all of so many costs less, of `by_day` events a day."""
    return events / (_LOOKUP * by_day) if events and by_day else 0.0


def reads_whole(events: int | None, subjects: int | None) -> bool:
    """Whether a property is read whole for so many events, of all that have it."""
    return events is not None and subjects is not None and events * _LOOKUP > subjects > 0
