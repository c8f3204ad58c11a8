"""The parts of a draft, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What all filled cells of a column are."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"
    MOMENT = "dateTime"
    BOOLEAN = "boolean"
    TEXT = "string"


@dataclass(frozen=True)
class Guess:
    """Something that was guessed: what, why, and where it is not sure, the other choice."""

    about: str
    why: str
    other: str = ""

    def __str__(self) -> str:
        return f"{self.about}: {self.why}" + (f" (not sure: {self.other})" if self.other else "")


@dataclass(frozen=True)
class Column:
    """One column: its name in the table, its number there, and what all its rows say of it."""

    name: str
    number: int
    kind: Kind
    filled: int
    distinct: int
    pattern: str = ""
    """How dates are written, as strptime has it; `epoch-s`, `epoch-ms`. Empty for ISO."""
    dressed: str = ""
    """How numbers are written that are not plain: `,` or `.` is what parts thousands, or `plain` with a sign around."""
    least: float = 0
    most: float = 0
    length: float = 0
    """Characters of a cell, on average."""
    values: tuple[str, ...] = ()
    """Some of its values, the commonest first."""
    reference: str = ""
    """What names it in a map."""

    @property
    def numeric(self) -> bool:
        """Whether its cells are numbers."""
        return self.kind in (Kind.INTEGER, Kind.DECIMAL)

    @property
    def timed(self) -> bool:
        """Whether its cells are dates or moments."""
        return self.kind in (Kind.DATE, Kind.MOMENT)

    @property
    def field(self) -> str:
        """Its name in the working database."""
        return f"c{self.number}"


@dataclass(frozen=True)
class Reading:
    """How the map reads a table: its path below the domain's folder, and of JSON what iterates over its rows."""

    path: str
    iterator: str = ""
    nulls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """One table: its name as given, its rows, its columns, and what it is called in the working database."""

    name: str
    relation: str
    rows: int
    columns: tuple[Column, ...]
    reading: Reading
    key: tuple[int, ...] = ()
    """The numbers of the columns that tell rows apart."""
    label: int | None = None
    """The column that its members are called by."""
    first_name: int | None = None
    """The first name that stands before the label."""

    @property
    def key_columns(self) -> tuple[Column, ...]:
        """The columns of the key."""
        return tuple(self.columns[number] for number in self.key)


@dataclass(frozen=True)
class Link:
    """A foreign key: every value of `column` in `table` is one of `target_column` in `target`."""

    table: str
    column: int
    target: str
    target_column: int
    words: str
    """What the link is called: the words of the column without those of a key."""
    missing: int = 0
    """Rows that name what is not there."""


@dataclass(frozen=True)
class Dependency:
    """Each value of a column goes with one value of another column of the same table."""

    table: str
    column: int
    on: int
    members: int


Path = tuple[Link, ...]


@dataclass(frozen=True)
class Property:
    """A measure, dimension or other attribute of fact tables."""

    local: str
    label: str
    column: tuple[str, int] | None
    """Table and column number; None for what counts or computes."""
    paths: tuple[tuple[str, Path], ...]
    """The fact tables that have it, and by which links each reaches it."""
    kind: Kind
    role: str
    """`measure`, `dimension`, or `attribute` for what is only told."""
    others: tuple[str, ...] = ()
    aggregate: str = ""
    of_kind: str = ""
    unit: str = ""
    preference: float = 0.1
    rolls_up_to: str = ""
    attribute_of: str = ""
    formula: str = ""
    named: bool = False
    """Whether its values are the labels of another table's members."""
    guesses: tuple[Guess, ...] = ()
    also: tuple[tuple[str, int], ...] = ()
    """Columns of other fact tables that are called the same, and so are the same dimension."""

    def column_of(self, fact: str) -> tuple[str, int] | None:
        """The column that has it for a fact table."""
        return next((place for place in self.also if place[0] == fact), self.column)

    @property
    def columns(self) -> tuple[tuple[str, int], ...]:
        """All columns that have it."""
        return (self.column, *self.also) if self.column else ()


@dataclass(frozen=True)
class Fact:
    """A fact table: its class, and where its time is."""

    table: str
    local: str
    label: str
    time: tuple[Path, Column] | None = None
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question with the answer that a direct computation gives: rows of members and figures, or single values."""

    text: str
    sort: str
    about: tuple[str, ...]
    expected: tuple[tuple[object, ...], ...]
    ordered: bool = False
    tree: str = ""
    answer: str = ""


@dataclass(frozen=True)
class Draft:
    """All that is known of a domain before it is written."""

    name: str
    label: str
    tables: tuple[Table, ...]
    links: tuple[Link, ...]
    facts: tuple[Fact, ...]
    properties: tuple[Property, ...]
    guesses: tuple[Guess, ...] = ()
    questions: tuple[Question, ...] = field(default=())

    @property
    def told(self) -> tuple[Guess, ...]:
        """All that was guessed, each once: of tables, of facts, of properties."""
        parts = (self.guesses, *(one.guesses for one in self.facts), *(one.guesses for one in self.properties))
        return tuple(dict.fromkeys(guess for part in parts for guess in part))

    def table(self, name: str) -> Table:
        """The table of that name."""
        return next(table for table in self.tables if table.name == name)

    def column(self, at: tuple[str, int]) -> Column:
        """The column at a place."""
        return self.table(at[0]).columns[at[1]]
