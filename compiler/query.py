"""The texts of a compiled tree: its query, and the queries for the evidence and for the units of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..errors import TreeTypeError
from ..operators.checking.types import EVENT, LIST, Type
from .expressions.items import listed
from .expressions.terms import iri, prefixes_of
from .prune import pruned
from .scope import (
    Column,
    Compiled,
    Context,
    Groups,
    Lines,
    Rows,
    Single,
    Trace,
    Values,
    known,
    order_clause,
    select,
    shared_names,
    subselect,
)
from .templates import rendered


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
        lines = _unwrapped(compiled.lines, compiled.column.variable)
        query = _query(context, lines, [("result", compiled.column)], Shape.VALUE, 0, compiled.trace)
        return replace(query, zero=compiled.zero)
    if isinstance(compiled, Values):
        return _values_query(context, compiled)
    return _rows_query(context, _ungrouped(context, compiled))


def _values_query(context: Context, values: Values) -> CompiledQuery:
    rows, column = values.rows, values.column
    if values.together is not None:
        held = replace(column, variable=values.together.variable)
        query = _query(context, values.together.lines, [("result", held)], Shape.VALUES, 0, rows.evidence())
        return replace(query, columns=tuple(replace(at, together=True) for at in query.columns))
    lines = select([column.variable], known(context, rows, column), order_clause(rows.order), distinct=values.distinct)
    return _query(context, lines, [("result", column)], Shape.VALUES, 0, rows.evidence())


def _ungrouped(context: Context, compiled: Compiled) -> Rows:
    if isinstance(compiled, Rows):
        return compiled
    if not isinstance(compiled, Groups):
        raise TreeTypeError("the tree answers nothing")
    columns = {key: compiled.rows.columns[key] for key in compiled.keys}
    variables = [column.variable for column in columns.values()]
    lines = subselect(variables, compiled.rows.lines, distinct=True)
    order = tuple((variable, False) for variable in variables)
    trace = compiled.rows.evidence(shared_names(context, variables))
    return Rows(lines, columns, order=order, trace=trace, focus=compiled.keys[0])


def _rows_query(context: Context, rows: Rows) -> CompiledQuery:
    lines, held = list(rows.lines), list[tuple[str, Column]]()
    for name, column in rows.columns.items():
        if column.items is not None:
            more, variable = listed(context, column.items, name)
            lines += more
            column = Column(LIST, variable)
        held.append((name, column))
    focus = next((at for at, (name, _) in enumerate(held) if name == rows.focus), None)
    if not held:
        held = [("event" if at == 0 else f"event_{at + 1}", Column(EVENT, name)) for at, name in enumerate(rows.events)]
    projection = dict.fromkeys([*rows.events, *(column.variable for _, column in held)])
    query = _query(
        context, select(projection, lines, order_clause(rows.order)), held, Shape.ROWS, focus, rows.evidence()
    )
    return query if rows.trace.events else replace(query, events=tuple(name[1:] for name in rows.events))


def _unwrapped(lines: Lines, variable: str) -> Lines:
    """One subquery that gives the value by itself needs no query around it."""
    opening = lines[0] if lines else ""
    whole = opening in ("{", "OPTIONAL {") and lines.index("}") == len(lines) - 1
    if whole and len(lines) > 1 and lines[1].startswith("  SELECT") and lines[1].endswith(f"AS {variable}) WHERE {{"):
        return tuple(line[2:] for line in lines[1:-1])
    return select([variable], lines)


def _query(
    context: Context, lines: Lines, held: Sequence[tuple[str, Column]], shape: Shape, focus: int | None, trace: Trace
) -> CompiledQuery:
    columns = tuple(OutputColumn(name, column.variable[1:], column.type) for name, column in held)
    evidence = None
    if trace.events:
        evidence = _text(context, rendered("evidence", events=trace.events, lines=trace.lines))
    answered = [columns[focus]] if focus is not None else columns
    prop = next((column.type.unit_property for column in answered if column.type.unit_property), None)
    units = None
    if prop and trace.events:
        units = _text(context, rendered("units", events=trace.events, lines=trace.lines, property=iri(prop)))
    return CompiledQuery(_text(context, lines), columns, shape, focus, evidence, units)


def _text(context: Context, lines: Lines) -> str:
    lines = pruned(context.reads, lines)
    return "\n".join(rendered("query", prefixes=prefixes_of(lines), lines=lines)) + "\n"
