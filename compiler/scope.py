"""What parts of a tree compile to: lines of a graph pattern, and what their variables mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..errors import TreeTypeError
from ..ontology.namespaces import EV
from ..operators.checking.types import LIST, Type
from ..operators.nodes import AttributeType, Node
from ..operators.resolution import NOTHING_KNOWN, AttributeMatch, DerivedMatch, PropertyFacts, Resolution, RetrieveMatch
from .reads import Reads

Lines = tuple[str, ...]
"""Lines of one group graph pattern, without its braces."""


@dataclass(frozen=True)
class Items:
    """A list attribute: the first of these (event variable, property IRI) that has any value holds its items.

    `plain` are the properties whose triples each are one item, a plain text; `whole` those that are read as tables.
    """

    sources: tuple[tuple[str, str], ...]
    plain: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Column:
    """One attribute of rows: a variable, or the items of a list."""

    type: Type
    variable: str = ""
    items: Items | None = None
    moment: str | None = None
    """The variable of the xsd:dateTime whose day or time this is, where it is in scope."""

    def alone(self) -> Column:
        """The column where only its variable is in scope."""
        return replace(self, moment=None) if self.moment else self


@dataclass(frozen=True)
class Want:
    """An attribute that something above wants from each RETRIEVE below it."""

    name: str
    type: AttributeType


START = Want("", AttributeType.DATETIME)
"""The event's start, by which events are ordered; no attribute of a tree has an empty name."""


@dataclass(frozen=True)
class Trace:
    """A pattern that, joined with the rows', brings the events behind them into scope.

    `shared` are variables that both have, each with a name under which they are joined; see `surely`.
    """

    lines: Lines = ()
    events: tuple[str, ...] = ()
    shared: tuple[tuple[str, str], ...] = ()

    def beside(self, other: Trace) -> Trace:
        """Both patterns, to be joined with the same rows."""
        if not self.lines or not other.lines:
            return self if self.lines else other
        lines = (*enclosed(self.lines), *enclosed(other.lines))
        return Trace(lines, (*self.events, *other.events), (*self.shared, *other.shared))


@dataclass(frozen=True)
class Rows:
    """A list of rows: one solution of `lines` per row.

    `columns` are the attributes by name, `raw` what RETRIEVEs hold ready for EXTRACTs above by (event variable, want);
    `order` are variables with whether they descend; `focus` is the attribute that the rows answer, if it is clear.
    """

    lines: Lines
    columns: Mapping[str, Column] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    raw: Mapping[tuple[str, Want], Column] = field(default_factory=dict)
    order: tuple[tuple[str, bool], ...] = ()
    trace: Trace = Trace()
    focus: str | None = None

    def adding(self, lines: Iterable[str]) -> Rows:
        """The rows with more lines."""
        return replace(self, lines=(*self.lines, *lines))

    def with_column(self, name: str, column: Column) -> Rows:
        """The rows with one more attribute, which they now answer."""
        return replace(self, columns={**self.columns, name: column}, focus=name)

    def variables(self) -> tuple[str, ...]:
        """Every variable that something above may still use."""
        columns = (*self.columns.values(), *self.raw.values())
        held = [name for c in columns for name in (c.variable, c.moment) if name]
        return tuple(dict.fromkeys([*self.events, *held, *(name for name, _ in self.order)]))

    def evidence(self, shared: tuple[tuple[str, str], ...] = ()) -> Trace:
        """The pattern and variables of the events behind the rows; `shared` as in Trace."""
        trace = self.trace
        if not trace.lines:
            return Trace(self.lines, self.events, shared)
        behind = enclosed((*trace.lines, *surely(trace.shared)))
        lines = (*self.lines, *surely(trace.shared), *behind)
        return Trace(lines, (*self.events, *trace.events), shared)


@dataclass(frozen=True)
class Groups:
    """Rows in groups; `keys` name the attributes that members share."""

    rows: Rows
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Values:
    """A list of values: the attribute named '' of `rows`."""

    rows: Rows
    distinct: bool = False
    """Whether each value counts once."""
    together: Together | None = None
    """The same values by a query that goes through the rows only once."""

    @property
    def column(self) -> Column:
        """The values' variable and type."""
        return self.rows.columns[""]


@dataclass(frozen=True)
class Together:
    """A query of one solution that holds all values of a list in one text, with `SEPARATOR` between them."""

    lines: Lines
    variable: str


@dataclass(frozen=True)
class Single:
    """One value: the only solution of `lines` binds `column`, or leaves it unbound where there is none."""

    lines: Lines
    column: Column
    trace: Trace
    zero: bool = False
    """Whether 0 may mean that nothing matched."""


Compiled = Rows | Groups | Values | Single


class Names:
    """Gives every variable its own readable name."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """A variable not given before, with its question mark."""
        base = re.sub(r"[^A-Za-z0-9_]+", "_", wish).strip("_") or "value"
        base = f"v{base}" if base[0].isdigit() else base
        count = self._used.get(base, 0) + 1
        self._used[base] = count
        name = base if count == 1 else f"{base}_{count}"
        return self.fresh(name) if count > 1 and name in self._used else self._mark(name)

    def _mark(self, name: str) -> str:
        self._used.setdefault(name, 1)
        return f"?{name}"


@dataclass
class Context:
    """What the compilation of one tree shares: how it was resolved, the moment of asking, names given so far."""

    resolution: Resolution
    now: datetime
    compile: Callable[[Context, Node, tuple[Want, ...], tuple[str, ...]], Compiled]
    names: Names = field(default_factory=Names)
    used: frozenset[str] | None = None
    """Attributes that the answer depends on; None where all of them are answered."""
    standard: tuple[Want, ...] = ()
    """Standard attributes that the tree uses; see operators.standard."""
    reads: Reads = field(default_factory=Reads)

    def __post_init__(self) -> None:
        self._retrieves = dict(self.resolution.retrieves)
        self._attributes = dict(self.resolution.attributes)
        self._facts = dict(self.resolution.facts)

    def facts(self, name: str) -> PropertyFacts:
        """What is known of a property."""
        return self._facts.get(name, NOTHING_KNOWN)

    def having(self, rows: Rows, variable: str) -> Rows:
        """The rows in which a variable has a value."""
        lines, enough = self.reads.requiring(rows.lines, variable)
        made = replace(rows, lines=lines)
        return made if enough else made.adding([f"FILTER(BOUND({variable}))"])

    def match(self, query: str) -> RetrieveMatch:
        """What a RETRIEVE's query stands for. Raises TreeTypeError where it was not resolved."""
        if query not in self._retrieves:
            raise TreeTypeError(f"RETRIEVE of {query!r} was not resolved")
        return self._retrieves[query]

    def attribute(self, queries: tuple[str, ...], name: str) -> AttributeMatch | None:
        """What a key of EXTRACT stands for, by the nearest RETRIEVE that knows it."""
        return next((self._attributes[query, name] for query in queries if (query, name) in self._attributes), None)

    def moment(self, queries: tuple[str, ...], name: str) -> str:
        """The property that holds the `start` or `end` of the events of the last query."""
        match = self._retrieves.get(queries[-1]) if queries else None
        moved = match.moment(name) if isinstance(match, DerivedMatch) else None
        return moved or EV + name

    def answer(self, tree: Node) -> Compiled:
        """A tree of its own, inside an expression."""
        return self.compile(replace(self, used=None), tree, (), ())


def block(lines: Iterable[str], head: str = "{", tail: str = "}") -> Lines:
    """Lines in braces, indented."""
    return (head, *(f"  {line}" for line in lines), tail)


def enclosed(lines: Lines, head: str = "{") -> Lines:
    """Lines as one group of their own, without braces around what is already one."""
    if lines and lines[0] == "{" and lines.index("}") == len(lines) - 1:
        return (head, *lines[1:])
    return block(lines, head) if lines else ()


def surely(shared: Iterable[tuple[str, str]]) -> Lines:
    """Lines that give variables a second name under which they are surely bound.

    A store joins by hashing only on variables that cannot be unbound, and tries all pairs otherwise. False stands for
    a missing value; where it may meet one, the rows without a value are filtered out first.
    """
    return tuple(f"BIND(COALESCE({variable}, false) AS {name})" for variable, name in shared)


def shared_names(context: Context, variables: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Names under which variables are joined; see `surely`."""
    return tuple((variable, context.names.fresh(f"{variable[1:]}_same")) for variable in variables)


def subselect(
    projection: Iterable[str], lines: Iterable[str], tail: Iterable[str] = (), *, distinct: bool = False
) -> Lines:
    """A subquery as lines of a pattern; `tail` is GROUP BY, ORDER BY, LIMIT and so on."""
    return block(select(projection, lines, tail, distinct=distinct))


def select(
    projection: Iterable[str], lines: Iterable[str], tail: Iterable[str] = (), *, distinct: bool = False
) -> Lines:
    """A SELECT as lines."""
    head = f"SELECT {'DISTINCT ' if distinct else ''}{' '.join(dict.fromkeys(projection))} WHERE {{"
    return (*block(lines, head), *tail)


def rows_of(compiled: Compiled, operator: str) -> Rows:
    """The rows, where an operator needs rows. Raises TreeTypeError for anything else."""
    if isinstance(compiled, Rows):
        return compiled
    what = {Groups: "groups", Single: "one value", Values: "a list of values"}[type(compiled)]
    hint = "; MAP them first" if isinstance(compiled, Groups) else ""
    raise TreeTypeError(f"{operator} works on events, not on {what}{hint}")


def column_of(rows: Rows, name: str, operator: str) -> Column:
    """An attribute of rows. Raises TreeTypeError naming those there are."""
    if name in rows.columns:
        return rows.columns[name]
    known = ", ".join(sorted(rows.columns)) or "none"
    raise TreeTypeError(f"{operator}: no attribute {name!r} here; there are: {known}")


def plain_column(rows: Rows, name: str, operator: str) -> Column:
    """An attribute that is no list. Raises TreeTypeError for a list, which UNNEST takes apart."""
    column = column_of(rows, name, operator)
    if column.type == LIST:
        raise TreeTypeError(f"{operator}: {name!r} is a list; UNNEST it first")
    return column


def known(context: Context, rows: Rows, column: Column) -> Lines:
    """The rows that have a value of an attribute."""
    return context.having(rows, column.variable).lines


def order_clause(order: Iterable[tuple[str, bool]]) -> Lines:
    """ORDER BY of variables, or nothing."""
    keys = " ".join(f"DESC({name})" if descending else name for name, descending in order)
    return (f"ORDER BY {keys}",) if keys else ()
