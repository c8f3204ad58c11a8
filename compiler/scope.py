"""What parts of a tree compile to: a graph pattern, and what its variables mean."""

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
from .sparql.algebra import FALSE, Expr, Extend, Filter, OrderBy, Pattern, Select, Step, Var, call, coalesced, group

NONE = Var("")
"""The variable of what has none: a list."""


@dataclass(frozen=True)
class Items:
    """A list attribute: the first of these (event variable, property IRI) that has any value holds its items.

    `plain` are the properties whose triples each are one item, a plain text; `whole` those that are read as tables.
    """

    sources: tuple[tuple[Var, str], ...]
    plain: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Column:
    """One attribute of rows: a variable, or the items of a list."""

    type: Type
    variable: Var = NONE
    items: Items | None = None
    moment: Var | None = None
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


Shared = tuple[tuple[Var, Var], ...]
"""Variables, each with a second name; see `surely`."""


@dataclass(frozen=True)
class Trace:
    """A pattern that, joined with the rows', brings the events behind them into scope.

    `shared` are variables that both have, each with a name under which they are joined; see `surely`.
    """

    pattern: Pattern = ()
    events: tuple[Var, ...] = ()
    shared: Shared = ()

    def beside(self, other: Trace) -> Trace:
        """Both patterns, to be joined with the same rows."""
        if not self.pattern or not other.pattern:
            return self if self.pattern else other
        return Trace(
            (*group(self.pattern), *group(other.pattern)), (*self.events, *other.events), (*self.shared, *other.shared)
        )


@dataclass(frozen=True)
class Rows:
    """A list of rows: one solution of `pattern` per row.

    `columns` are the attributes by name, `raw` what RETRIEVEs hold ready for EXTRACTs above by (event variable, want);
    `focus` is the attribute that the rows answer, if it is clear.
    """

    pattern: Pattern
    columns: Mapping[str, Column] = field(default_factory=dict)
    events: tuple[Var, ...] = ()
    raw: Mapping[tuple[Var, Want], Column] = field(default_factory=dict)
    order: tuple[OrderBy, ...] = ()
    trace: Trace = Trace()
    focus: str | None = None

    def adding(self, *steps: Step) -> Rows:
        """The rows with more operators."""
        return replace(self, pattern=(*self.pattern, *steps))

    def with_column(self, name: str, column: Column) -> Rows:
        """The rows with one more attribute, which they now answer."""
        return replace(self, columns={**self.columns, name: column}, focus=name)

    def variables(self) -> tuple[Var, ...]:
        """Every variable that something above may still use."""
        columns = (*self.columns.values(), *self.raw.values())
        held = [name for c in columns for name in (c.variable, c.moment) if name and name != NONE]
        return tuple(dict.fromkeys([*self.events, *held, *(key.variable for key in self.order)]))

    def evidence(self, shared: Shared = ()) -> Trace:
        """The pattern and variables of the events behind the rows; `shared` as in Trace."""
        trace = self.trace
        if not trace.pattern:
            return Trace(self.pattern, self.events, shared)
        behind = group((*trace.pattern, *surely(trace.shared)))
        return Trace((*self.pattern, *surely(trace.shared), *behind), (*self.events, *trace.events), shared)


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

    query: Select
    variable: Var


@dataclass(frozen=True)
class Single:
    """One value: the only solution of `pattern` binds `column`, or leaves it unbound where there is none."""

    pattern: Pattern
    column: Column
    trace: Trace
    zero: bool = False
    """Whether 0 may mean that nothing matched."""


Compiled = Rows | Groups | Values | Single


class Names:
    """Gives every variable its own readable name."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def fresh(self, wish: str) -> Var:
        """A variable not given before."""
        base = re.sub(r"[^A-Za-z0-9_]+", "_", wish).strip("_") or "value"
        base = f"v{base}" if base[0].isdigit() else base
        count = self._used.get(base, 0) + 1
        self._used[base] = count
        name = base if count == 1 else f"{base}_{count}"
        return self.fresh(name) if count > 1 and name in self._used else self._mark(name)

    def _mark(self, name: str) -> Var:
        self._used.setdefault(name, 1)
        return Var(name)


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

    def having(self, rows: Rows, variable: Var) -> Rows:
        """The rows in which a variable has a value."""
        pattern, enough = self.reads.requiring(rows.pattern, variable)
        made = replace(rows, pattern=pattern)
        return made if enough else made.adding(Filter(call("BOUND", variable)))

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


def surely(shared: Shared) -> Pattern:
    """Gives variables a second name under which they are surely bound.

    A store joins by hashing only on variables that cannot be unbound, and tries all pairs otherwise. False stands for
    a missing value; where it may meet one, the rows without a value are filtered out first.
    """
    return tuple(Extend(name, coalesced(variable, FALSE)) for variable, name in shared)


def named(context: Context, value: Expr, wish: str) -> tuple[Pattern, Var]:
    """What gives an expression a name, and the name; a variable has its own."""
    if isinstance(value, Var):
        return (), value
    variable = context.names.fresh(wish)
    return (Extend(variable, value),), variable


def shared_names(context: Context, variables: Iterable[Var]) -> Shared:
    """Names under which variables are joined; see `surely`."""
    return tuple((variable, context.names.fresh(f"{variable.name}_same")) for variable in variables)


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


def known(context: Context, rows: Rows, column: Column) -> Pattern:
    """The rows that have a value of an attribute."""
    return context.having(rows, column.variable).pattern
