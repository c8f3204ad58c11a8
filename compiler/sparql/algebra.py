"""Queries of SPARQL 1.1 as values: the operators of its algebra, its expressions and its terms.

A pattern is a row of operators. Each works on the solutions of those before it, the first on one empty solution: so
`(BGP(…), LeftJoin(…), Filter(…))` is Filter(LeftJoin(BGP(…), …), …) of the specification. In a row, a pattern is as
flat as its text however long it is, and parts of it are put on, taken out and compared as parts of a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final

from ...errors import TreeTypeError
from ...ontology.namespaces import XSD

_NOT_IN_IRIS: Final = frozenset('<>"{}|^`\\') | {chr(code) for code in range(33)}
INTEGER, DECIMAL, BOOLEAN, STRING = (XSD + name for name in ("integer", "decimal", "boolean", "string"))


class Node:
    """A part of a query."""

    @cached_property
    def variables(self) -> frozenset[Var]:
        """Variables that stand in it and mean the same outside of it."""
        return frozenset[Var]().union(*(part.variables for part in self.parts()))

    def parts(self) -> Iterator[Node]:
        """The parts that it is made of, in order."""
        for field in fields(self):  # type: ignore[arg-type]
            held: Any = getattr(self, field.name)
            if isinstance(held, Node):
                yield held
            elif isinstance(held, tuple):
                yield from (part for part in held if isinstance(part, Node))  # pyright: ignore[reportUnknownVariableType]


# ---------------------------------------------------------------- expressions
class Expr(Node):
    """An expression. Arithmetic is written as in Python; a whole number stands for its literal."""

    def __add__(self, other: Expr | int) -> Operation:
        return Operation("+", (self, lifted(other)))

    def __radd__(self, other: int) -> Operation:
        return Operation("+", (lifted(other), self))

    def __sub__(self, other: Expr | int) -> Operation:
        return Operation("-", (self, lifted(other)))

    def __rsub__(self, other: int) -> Operation:
        return Operation("-", (lifted(other), self))

    def __mul__(self, other: Expr | int) -> Operation:
        return Operation("*", (self, lifted(other)))

    def __rmul__(self, other: int) -> Operation:
        return Operation("*", (lifted(other), self))

    def __truediv__(self, other: Expr | int) -> Operation:
        return Operation("/", (self, lifted(other)))


@dataclass(frozen=True)
class Var(Expr):
    """A variable, without its question mark."""

    name: str

    @cached_property
    def variables(self) -> frozenset[Var]:
        """Itself."""
        return frozenset({self})


@dataclass(frozen=True)
class Iri(Expr):
    """An IRI. Raises TreeTypeError for a text that is none."""

    value: str

    def __post_init__(self) -> None:
        if not self.value or not _NOT_IN_IRIS.isdisjoint(self.value):
            raise TreeTypeError(f"not an IRI: {self.value!r}")


@dataclass(frozen=True)
class Literal(Expr):
    """A literal without a language."""

    text: str
    datatype: str = STRING


Term = Var | Iri | Literal
TRUE, FALSE = Literal("true", BOOLEAN), Literal("false", BOOLEAN)


@dataclass(frozen=True)
class Operation(Expr):
    """An operator between two or more operands; of more, those of `-` and `/` are taken from the left."""

    operator: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True)
class Not(Expr):
    """Logical negation."""

    operand: Expr


@dataclass(frozen=True)
class In(Expr):
    """Whether an expression is one of several."""

    operand: Expr
    options: tuple[Expr, ...]


@dataclass(frozen=True)
class Call(Expr):
    """A call of a function: a keyword of SPARQL (`STR`, `IF`, `COALESCE`, `BOUND`), or the IRI of a cast."""

    function: str | Iri
    arguments: tuple[Expr, ...]


@dataclass(frozen=True)
class Exists(Expr):
    """Whether a pattern has a solution beside the one that is looked at."""

    pattern: Pattern


@dataclass(frozen=True)
class Aggregate(Expr):
    """An aggregate; COUNT without an argument counts solutions. `separator` is that of GROUP_CONCAT."""

    function: str
    argument: Expr | None = None
    distinct: bool = False
    separator: str | None = None


# ---------------------------------------------------------------- patterns
class Step(Node):
    """An operator of a pattern, which works on the solutions of those before it."""


Pattern = tuple[Step, ...]


@dataclass(frozen=True)
class Triple(Node):
    """A triple pattern."""

    subject: Term
    predicate: Term
    object: Term


@dataclass(frozen=True)
class BGP(Step):
    """Triple patterns to be matched together."""

    triples: tuple[Triple, ...]


@dataclass(frozen=True)
class Join(Step):
    """Joins with the solutions of a pattern of its own."""

    pattern: Pattern


@dataclass(frozen=True)
class LeftJoin(Step):
    """Adds the solutions of a pattern where it has any. Filters of the pattern see what stands before it, too."""

    pattern: Pattern


@dataclass(frozen=True)
class Union(Step):
    """Joins with the solutions of any of several patterns."""

    patterns: tuple[Pattern, ...]

    def parts(self) -> Iterator[Node]:
        """The operators of all patterns."""
        return (step for pattern in self.patterns for step in pattern)


@dataclass(frozen=True)
class Filter(Step):
    """Keeps what a condition holds for."""

    test: Expr


@dataclass(frozen=True)
class Extend(Step):
    """Gives an expression's value a name."""

    variable: Var
    value: Expr


@dataclass(frozen=True)
class Values(Step):
    """Joins with the given values of a variable."""

    variable: Var
    terms: tuple[Iri | Literal, ...]


@dataclass(frozen=True)
class Read(Step):
    """One property of an event, bound to `variable`. What that is in SPARQL is said last (`lower.lowered`).

    `sure`: every event has it once; `optional`: at most once, and events without it stay; neither: the events that have
    it, as often as they do. `whole`: it is read as a table, in which `held` stands for the value. `text`: all are plain
    texts, so that equal texts are equal terms; `number`: plain whole numbers. `timed`: only of events whose times are
    more than a day.
    """

    event: Var
    property: Iri
    variable: Var
    held: Var
    sure: bool = False
    optional: bool = False
    whole: bool = False
    text: bool = False
    number: bool = False
    timed: bool = False

    @cached_property
    def variables(self) -> frozenset[Var]:
        """The event and the value."""
        return frozenset({self.event, self.variable})


@dataclass(frozen=True)
class OrderBy(Node):
    """What solutions are ordered by."""

    variable: Var
    descending: bool = False


@dataclass(frozen=True)
class Select(Step):
    """Joins with a query's solutions: Group, Extend, Project, Distinct, OrderBy and Slice over a pattern, where given.

    `columns` can be seen outside; `groups` are the keys of Group, whose groups `having` tests.
    """

    columns: tuple[Var | Extend, ...]
    pattern: Pattern
    distinct: bool = False
    groups: tuple[Var | Extend, ...] = ()
    having: Expr | None = None
    order: tuple[OrderBy, ...] = ()
    limit: int | None = None
    offset: int = 0

    @cached_property
    def named(self) -> tuple[Var, ...]:
        """The variable of each column."""
        return tuple(column if isinstance(column, Var) else column.variable for column in self.columns)

    @cached_property
    def variables(self) -> frozenset[Var]:
        """Those of the columns; what is inside stays inside."""
        return frozenset(self.named)

    @cached_property
    def read(self) -> frozenset[Var]:
        """The pattern's variables that columns, groups and order read."""
        around = (*self.columns, *self.groups, *self.order, *([self.having] if self.having else []))
        return frozenset[Var]().union(*(part.variables for part in around))


# ---------------------------------------------------------------- short ways to write them
def lifted(value: Expr | int) -> Expr:
    """An expression; of a whole number, its literal."""
    return Literal(str(value), INTEGER) if isinstance(value, int) else value


def call(function: str | Iri, *arguments: Expr | int) -> Call:
    """A call of a function."""
    return Call(function, tuple(map(lifted, arguments)))


def text(value: str) -> Literal:
    """A plain text."""
    return Literal(value)


def triple(subject: Term, predicate: Term, value: Term) -> BGP:
    """A pattern of one triple."""
    return BGP((Triple(subject, predicate, value),))


def both(*tests: Expr) -> Expr:
    """All of the tests."""
    return tests[0] if len(tests) == 1 else Operation("&&", tests)


def either(*tests: Expr) -> Expr:
    """Any of the tests."""
    return tests[0] if len(tests) == 1 else Operation("||", tests)


def coalesced(*options: Expr | int) -> Call:
    """The first of the options that has a value."""
    return call("COALESCE", *options)


def group(pattern: Pattern) -> Pattern:
    """A pattern as one operator, unless it is one."""
    alone = len(pattern) < 2 and isinstance(next(iter(pattern), None), Join | Select | None)
    return pattern if alone else (Join(pattern),)


def optional(pattern: Pattern) -> Pattern:
    """A pattern whose solutions need not be there; nothing where there is nothing in it."""
    inner = pattern[0].pattern if len(pattern) == 1 and isinstance(pattern[0], Join) else pattern
    return (LeftJoin(inner),) if inner else ()
