"""A compiled tree as text: its query, and the queries for the evidence and for the units of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..errors import TreeTypeError
from ..operators.checking.types import EVENT, LIST, Type
from .expressions.items import listed
from .scope import Column, Compiled, Context, Groups, Rows, Single, Trace, Values, known, shared_names
from .sparql.algebra import Extend, Iri, LeftJoin, OrderBy, Pattern, Select, Union, Var, triple
from .sparql.passes import arranged
from .sparql.printing import printed

_UNIT = Var("unit")


class Shape(StrEnum):
    """What a tree answers."""

    VALUE = "value"
    VALUES = "values"
    ROWS = "rows"


@dataclass(frozen=True)
class OutputColumn:
    """One column of the answer: the attribute's name, the query's variable (without '?'), and the type."""

    name: str
    variable: str
    type: Type
    together: bool = False
    """Whether one text holds all values, each with a unit separator (U+001F) before it, in no order."""


@dataclass(frozen=True)
class CompiledQuery:
    """A tree as SPARQL.

    `sparql` answers it; the variables `events` of its rows are the events behind each. Where that is empty, `evidence`
    selects the events behind the answer, in each of its variables (None if there are none to name). `units` selects the
    units of the answer where each event has its own (None where they are fixed). `focus` is the position of the column
    that is the answer, None where the rows as a whole are. `zero`: a 0 may mean that nothing matched.
    """

    sparql: str
    columns: tuple[OutputColumn, ...]
    shape: Shape
    focus: int | None
    evidence: str | None
    units: str | None
    events: tuple[str, ...] = ()
    zero: bool = False


def finished(context: Context, compiled: Compiled) -> CompiledQuery:
    """The queries of a whole tree. Raises TreeTypeError for a tree that answers nothing."""
    if isinstance(compiled, Single):
        found = _unwrapped(compiled.pattern, compiled.column.variable)
        query = _query(found, [("result", compiled.column)], Shape.VALUE, 0, compiled.trace)
        return replace(query, zero=compiled.zero)
    if isinstance(compiled, Values):
        return _values_query(context, compiled)
    return _rows_query(context, _ungrouped(context, compiled))


def _values_query(context: Context, values: Values) -> CompiledQuery:
    rows, column = values.rows, values.column
    if values.together is not None:
        held = replace(column, variable=values.together.variable)
        query = _query(values.together.query, [("result", held)], Shape.VALUES, 0, rows.evidence())
        return replace(query, columns=tuple(replace(at, together=True) for at in query.columns))
    found = Select((column.variable,), known(context, rows, column), distinct=values.distinct, order=rows.order)
    return _query(found, [("result", column)], Shape.VALUES, 0, rows.evidence())


def _ungrouped(context: Context, compiled: Compiled) -> Rows:
    if isinstance(compiled, Rows):
        return compiled
    if not isinstance(compiled, Groups):
        raise TreeTypeError("the tree answers nothing")
    columns = {key: compiled.rows.columns[key] for key in compiled.keys}
    variables = tuple(column.variable for column in columns.values())
    found = Select(variables, compiled.rows.pattern, distinct=True)
    trace = compiled.rows.evidence(shared_names(context, variables))
    return Rows((found,), columns, order=tuple(map(OrderBy, variables)), trace=trace, focus=compiled.keys[0])


def _rows_query(context: Context, rows: Rows) -> CompiledQuery:
    pattern, held = rows.pattern, list[tuple[str, Column]]()
    for name, column in rows.columns.items():
        if column.items is not None:
            more, variable = listed(context, column.items, name)
            pattern += more
            column = Column(LIST, variable)
        held.append((name, column))
    focus = next((at for at, (name, _) in enumerate(held) if name == rows.focus), None)
    if not held:
        held = [("event" if at == 0 else f"event_{at + 1}", Column(EVENT, name)) for at, name in enumerate(rows.events)]
    columns = tuple(dict.fromkeys([*rows.events, *(column.variable for _, column in held)]))
    query = _query(Select(columns, pattern, order=rows.order), held, Shape.ROWS, focus, rows.evidence())
    return query if rows.trace.events else replace(query, events=tuple(event.name for event in rows.events))


def _unwrapped(pattern: Pattern, variable: Var) -> Select:
    """One subquery that gives the value by itself needs no query around it."""
    inner = pattern[0].pattern if len(pattern) == 1 and isinstance(pattern[0], LeftJoin) else pattern
    if len(inner) == 1 and isinstance(found := inner[0], Select):
        last = found.columns[-1]
        if isinstance(last, Extend) and last.variable == variable:
            return found
    return Select((variable,), pattern)


def _query(
    found: Select, held: Sequence[tuple[str, Column]], shape: Shape, focus: int | None, trace: Trace
) -> CompiledQuery:
    columns = tuple(OutputColumn(name, column.variable.name, column.type) for name, column in held)
    answered = [columns[focus]] if focus is not None else columns
    prop = next((column.type.unit_property for column in answered if column.type.unit_property), None)
    evidence = units = None
    if trace.events:
        evidence = _text(Select(trace.events, trace.pattern, distinct=True))
    if trace.events and prop:
        either = Union(tuple((triple(event, Iri(prop), _UNIT),) for event in trace.events))
        units = _text(Select((_UNIT,), (*trace.pattern, either), distinct=True, order=(OrderBy(_UNIT),)))
    return CompiledQuery(_text(found), columns, shape, focus, evidence, units)


def _text(query: Select) -> str:
    return printed(arranged(query))
