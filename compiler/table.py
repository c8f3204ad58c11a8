"""Part of a tree as a query for its rows: what execution computes with in memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import singledispatch

from ..errors import TreeTypeError
from ..operators.checking.types import Type
from ..operators.derived import Derived, Shared
from ..operators.nodes import Apply, AttributeType, Extract, Filter, Join, Map, Node, Retrieve, Unnest
from ..operators.resolution import Resolution
from ..operators.standard import STANDARD
from .compile import compile_node
from .query import CompiledQuery, finished
from .scope import START, Context, Rows, Want


@dataclass(frozen=True)
class TableColumn:
    """An attribute of rows: its type, and where it can be read again: the position of the row's event, and the key."""

    name: str
    type: Type
    origin: tuple[int, str, AttributeType] | None = None


@dataclass(frozen=True)
class TableQuery:
    """A query whose rows are those of the part; `events` are the variables of each row's events.

    `queries[i]` are those that retrieved the i-th event, outermost first, as EXTRACTs above resolve their keys by.
    """

    query: CompiledQuery
    columns: tuple[TableColumn, ...]
    events: tuple[str, ...]
    queries: tuple[tuple[str, ...], ...]


def compile_table(
    tree: Node,
    resolution: Resolution,
    now: datetime,
    *,
    standard: tuple[str, ...],
    used: frozenset[str] | None = None,
) -> TableQuery:
    """The rows of part of a tree. `standard` are the standard attributes of the whole tree, `used` those that matter.

    Raises TreeTypeError for what gives no rows, and as compile_tree does.
    """
    wanted = tuple(Want(name, STANDARD[name]) for name in standard)
    context = Context(resolution, now, compile_node, used=used, standard=wanted)
    rows = context.compile(context, tree, (START,), ())
    if not isinstance(rows, Rows):
        raise TreeTypeError("this operator works on events")
    events = () if rows.trace.events else rows.events
    columns = tuple(TableColumn(name, column.type, _origin(rows, name)) for name, column in rows.columns.items())
    queries = event_queries(tree, ())
    return TableQuery(finished(context, rows), columns, tuple(event.name for event in events), queries[: len(events)])


def _origin(rows: Rows, name: str) -> tuple[int, str, AttributeType] | None:
    column = rows.columns[name]
    found = ((rows.events.index(event), want) for (event, want), held in rows.raw.items() if held == column)
    return next(((at, want.name, want.type) for at, want in found if want != START), None)


@singledispatch
def event_queries(_node: Node, _above: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The queries that retrieved each event of a node's rows; none for rows without events."""
    return ()


@event_queries.register
def _(node: Retrieve, above: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    asked = (*above, node.query)
    return (asked,) if node.source is None else event_queries(node.source, asked)


@event_queries.register(Extract)
@event_queries.register(Filter)
@event_queries.register(Map)
@event_queries.register(Unnest)
@event_queries.register(Apply)
def _(node: Extract | Filter | Map | Unnest | Apply, above: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return event_queries(node.input, above)


@event_queries.register
def _(node: Join, above: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*event_queries(node.left, above), *event_queries(node.right, above))


@event_queries.register
def _(node: Shared, above: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return event_queries(node.tree, above)


@event_queries.register
def _(node: Derived, above: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((*above, *asked) for asked in node.events)
