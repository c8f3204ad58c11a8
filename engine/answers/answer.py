"""The answer as people and programs get it: plain values, their type and unit, a sentence."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Protocol

from ...execution.explain import Explained
from .dialog.dialog import Dialog
from .outcomes import Missing
from .sentence import LOCALE, SHOWN, Behind, of_groups, recorded, said_values, sentence
from .statement import Statement

Plain = str | int | float | bool
RECORDS, TOLD = "records", "told"
"""What an event of an answer is: recorded as such, or told of in a text or an entry of a calendar."""


@dataclass(frozen=True)
class Evidence:
    """One event that the answer rests on."""

    iri: str
    type: str
    source: str
    source_id: str
    start: str | None
    end: str | None
    label: str
    basis: str = RECORDS
    """`records`, or `told` for a text or an entry that tells of what was asked for."""


@dataclass(frozen=True)
class Told:
    """What of an answer rests on texts alone: the values that records by themselves give, and the events that are only
    told of, one for each happening."""

    recorded: tuple[Plain, ...]
    events: tuple[Evidence, ...]

    def as_json(self) -> dict[str, Any]:
        """Its object in `ask --json`."""
        return {"by_records": list(self.recorded), "events": [vars(event) for event in self.events]}


@dataclass(frozen=True)
class Table:
    """Rows of an answer with several columns: dimensions, then measures."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Plain | None, ...], ...]

    def as_json(self) -> dict[str, Any]:
        """Its object in `ask --json`."""
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Answer:
    """What `ask` gives: `values` best first; `answer_type` is one of number, date, datetime, time, duration, month,
    weekday, text, boolean, table (groups as "label: measure"), events or none.

    `timings_ms` has plan, retrieve, extract, sparql and total. `score` is the plan's, between 0 and 1.
    """

    question: str
    values: tuple[Plain, ...]
    answer_type: str
    plan: str
    sparql: str
    planner: str
    score: float
    probability: float = 1.0
    """How likely it is the right one, between 0 and 1; 1 for a tree that was given."""
    doubt: tuple[str, ...] = ()
    """Sentences that say what is not sure of it; none where it is sure."""
    basis: str = RECORDS
    """Whether it rests on records alone, or on what texts tell (`told`), too."""
    unit: str | None = None
    events: tuple[Evidence, ...] = ()
    more_events: bool = False
    """Whether the answer rests on more events than these."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """How phrases of the question were read, for the reader to check."""
    keys: tuple[str, ...] = ()
    """How the plan's keys were read."""
    steps: tuple[tuple[str, str], ...] = ()
    explained: Explained | None = None
    """How the tree was computed, if that was asked for."""
    timings_ms: dict[str, float] = field(default_factory=dict)
    analysis: str = ""
    """What the answer tells, for whoever draws it (docs/planner.md, "Analysis types")."""
    table: Table | None = None
    missing: Missing | None = None
    """Why there is no answer, or why it is 0, where nothing matched."""
    resolved: str = ""
    """The self-contained question that was answered, where the one that was asked leans on earlier ones."""
    told: Told | None = None
    """What of the answer only texts tell, where records were asked for."""
    page: str = ""
    """What is said, where that is more than the values: lines of text."""
    statement: Statement | None = None
    """What it states of which events, where that can be said in a sentence."""
    tied: bool = False
    """Whether several values are as great, or as small, as one another."""
    in_words: str = ""
    """How the question was read, in plain English."""
    locale: str = LOCALE
    """How numbers, money and dates are written."""
    dialog: Dialog | None = None
    """What is asked about an answer that is too large."""
    also: Answer | None = None
    """The answer of what else the question asks."""

    def with_also(self, other: Answer) -> Answer:
        """The answer of a question that asks another thing, too; what is told of how it was read is told once."""
        warnings, notes = dict.fromkeys((*self.warnings, *other.warnings)), dict.fromkeys((*self.notes, *other.notes))
        doubt = tuple(dict.fromkeys((*self.doubt, *other.doubt)))
        probability = min(self.probability, other.probability)
        return replace(
            self, also=other, warnings=tuple(warnings), notes=tuple(notes), doubt=doubt, probability=probability
        )

    @property
    def each(self) -> tuple[Answer, ...]:
        """The answers of all that the question asks, in its order."""
        return (self, *(self.also.each if self.also is not None else ()))

    @property
    def text(self) -> str:
        """A sentence for each thing that is asked."""
        return " ".join(part.said() for part in self.each)

    def said(self, most: int | None = SHOWN) -> str:
        """A sentence that names at most so many values; None for all."""
        if self.page:
            return self.page
        if self.missing is not None and not self.values:
            return self.missing.text
        said = self._sentence(most)
        if self.missing is not None:
            return f"{said.removesuffix('.')}: {_within(self.missing.text)}"
        if self.told is None or self.told.recorded == self.values or self.answer_type in ("events", "table"):
            return said
        return f"{said} {recorded(self.told.recorded, self.answer_type, self.unit, self.locale)}"

    def _sentence(self, most: int | None) -> str:
        if self.answer_type == "table" and self.table is not None:
            return of_groups(self.table.rows, self.table.columns[0], self.unit, self.locale)
        told = sum(event.basis == TOLD for event in self.events)
        sources = () if self.more_events else tuple(dict.fromkeys(event.source for event in self.events))
        return sentence(
            self.values,
            self.answer_type,
            self.unit,
            Behind(len(self.events), self.more_events, told, self._days, sources),
            statement=self.statement,
            tied=self.tied,
            shown=most,
            locale=self.locale,
        )

    @property
    def listed(self) -> tuple[str, ...]:
        """The values as the sentence says them; labels of events each once."""
        return said_values(self.values, self.answer_type, self.unit, self._days, self.locale)

    @property
    def _days(self) -> tuple[str | None, ...]:
        """The starts of the events, where these are the answer."""
        whole = self.answer_type == "events" and len(self.values) == len(self.events)
        return tuple(event.start for event in self.events) if whole else ()

    def as_json(self) -> dict[str, Any]:
        """The object of `ask --json`."""
        explained = {} if self.explained is None else {"explained": self.explained.as_json()}
        return {
            "question": self.question,
            **({"resolved": self.resolved} if self.resolved else {}),
            "answer": list(self.values),
            "answer_type": self.answer_type,
            "reason": None if self.missing is None else self.missing.reason.value,
            "offered": None if self.missing is None else self.missing.offered,
            "unit": self.unit,
            "text": self.text,
            "read_as": self.in_words or None,
            "plan": self.plan,
            "sparql": self.sparql,
            "planner": self.planner,
            "score": self.score,
            "probability": self.probability,
            "doubt": list(self.doubt),
            "basis": self.basis,
            "events": [vars(event) for event in self.events],
            "more_events": self.more_events,
            "warnings": list(self.warnings),
            "notes": [*self.notes, *self.keys],
            "timings_ms": self.timings_ms,
            "analysis": self.analysis or None,
            **({"table": self.table.as_json()} if self.table is not None else {}),
            **({"told": self.told.as_json()} if self.told is not None else {}),
            **({"dialog": self.dialog.as_json()} if self.dialog is not None else {}),
            **({"also": self.also.as_json()} if self.also is not None else {}),
            **explained,
        }


def _within(sentence_: str) -> str:
    """A sentence behind a colon: 'Your data has' → 'your data has'; 'I looked' stays."""
    return sentence_ if sentence_.startswith("I ") else sentence_[:1].lower() + sentence_[1:]


def plain(value: Any, answer_type: str) -> Plain:
    """One value as JSON has it: 2024-03-01, 2024-03, March, Saturday, 21:30:00, numbers bare and without noise."""
    if answer_type == "weekday" and isinstance(value, int):
        return calendar.day_name[value % 7]
    if answer_type == "month" and isinstance(value, int):
        return calendar.month_name[value]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, datetime | date | time):
        return _moment(value, answer_type)
    if isinstance(value, timedelta):
        return _number(Decimal(str(value.total_seconds())))
    if isinstance(value, int | float | Decimal):
        return _number(value)
    if isinstance(value, Sequence):
        return _sequence(value, answer_type)
    return str(value)


def _moment(value: datetime | date | time, answer_type: str) -> str:
    if answer_type == "date" and isinstance(value, datetime):
        value = value.date()
    if answer_type == "time" and isinstance(value, datetime):
        value = value.time()
    if answer_type == "month" and isinstance(value, date):
        return f"{value.year:04d}-{value.month:02d}"
    if isinstance(value, time):
        return value.isoformat("seconds" if value.second else "minutes")
    return value.isoformat(timespec="seconds") if isinstance(value, datetime) else value.isoformat()


def _number(value: float | Decimal) -> int | float:
    rounded = round(float(value), 6)
    return int(rounded) if rounded.is_integer() else rounded


def _sequence(value: Sequence[Any], answer_type: str) -> str:
    """A group's key of several parts: (2024, 3) of a month question is 2024-03, whichever part comes first."""
    if answer_type == "month" and len(value) == 2 and all(isinstance(part, int) for part in value):
        year, month = max(value), min(value)
        return f"{year:04d}-{month:02d}"
    return ", ".join(str(plain(part, "")) for part in value)


class Answers(Protocol):
    """What answers questions: a `KnowledgeGraph`."""

    def ask(
        self,
        question: str,
        *,
        now: datetime,
        tree: str | None = ...,
        most_events: int | None = ...,
        explain: bool = ...,
    ) -> Answer:
        """Answers a self-contained question."""
        ...
