"""Derived parts of a tree as graph patterns: rows, values or one value that execution wrote into the graph."""

from __future__ import annotations

from dataclasses import replace

from ..operators.checking.types import LIST, Kind, Type
from ..operators.derived import Derived, DerivedColumn, DerivedShape
from ..operators.expressions import Builtin, Call, Lambda
from ..operators.nodes import Apply, AttributeType, Node, Sum
from .retrieve import reads
from .scope import START, Column, Compiled, Context, Groups, Items, Rows, Single, Trace, Values, Want, shared_names
from .sparql.algebra import Iri, LeftJoin, OrderBy, Pattern, Step, Var, triple

EVENT, COLUMN, POSITION, WITH = "#event-", "#column-", "#position", "#with"
"""What the predicates of a derivation's rows end in."""


def derived(context: Context, node: Derived, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    """The pattern of a derived part; `wants` are read from the events of its rows."""
    if node.shape is DerivedShape.VALUE:
        return _value(context, node)
    rows = _rows(context, node, wants, above)
    if node.shape is DerivedShape.ROWS:
        return rows
    column = rows.columns[node.columns[0].name]
    return Values(replace(rows, columns={"": column}, focus=""))


def _value(context: Context, node: Derived) -> Single:
    column = node.columns[0]
    variable = context.names.fresh(column.name)
    found = LeftJoin((triple(Iri(node.iri + "#row-1"), Iri(column.predicate), variable),))
    return Single((found,), Column(_type(column), variable), _behind(context, node)[0], _counts(node.source))


def _counts(node: Node) -> bool:
    """Whether a node's 0 may mean that nothing matched."""
    if isinstance(node, Apply):
        body = node.function.body if isinstance(node.function, Lambda) else node.function
        name = body.name if isinstance(body, Builtin) else body.function if isinstance(body, Call) else ""
        return name in ("len", "sum")
    return isinstance(node, Sum)


def _rows(context: Context, node: Derived, wants: tuple[Want, ...], above: tuple[str, ...]) -> Rows:
    trace, shared = _behind(context, node)
    events = tuple(context.names.fresh("event") for _ in node.events)
    row = context.names.fresh("row")
    order: tuple[OrderBy, ...] = ()
    if node.pairs:
        first, held = triple(events[0], Iri(node.iri + WITH), events[1]), []
    else:
        place = context.names.fresh("position")
        first, order = triple(row, Iri(node.iri + POSITION), place), (OrderBy(place),)
        held = [triple(row, Iri(f"{node.iri}{EVENT}{n}"), at) for n, at in enumerate(events)]
    steps, raw = list[Step]([first, *held]), dict[tuple[Var, Want], Column]()
    for number, event in enumerate(events):
        asked = (*above, *node.events[number])
        named = [Want(c.origin[1], AttributeType(c.kind)) for c in node.columns if c.origin and c.origin[0] == number]
        around = (first,) if node.pairs else (held[number],)
        more, found = reads(context, event, around, tuple(dict.fromkeys([*wants, *named])), asked)
        steps += more
        raw.update(found)
    columns = dict[str, Column]()
    for column in node.columns:
        columns[column.name], more = _column(context, column, row, events, raw, shared)
        steps += more
    if node.pairs:
        starts = [(raw[event, START].variable, event) for event in events if (event, START) in raw]
        order = tuple(OrderBy(name) for pair in starts for name in pair)
    return Rows(tuple(steps), columns, events, raw, order, trace, node.focus)


def _column(
    context: Context,
    column: DerivedColumn,
    row: Var,
    events: tuple[Var, ...],
    raw: dict[tuple[Var, Want], Column],
    shared: dict[str, Var],
) -> tuple[Column, Pattern]:
    if column.origin is not None:
        number, key = column.origin
        return raw[events[number], Want(key, AttributeType(column.kind))], ()
    kind = _type(column)
    if kind == LIST:
        return Column(LIST, items=Items(((row, column.predicate),))), ()
    variable = shared.get(column.name) or context.names.fresh(column.name)
    found = triple(row, Iri(column.predicate), variable)
    # A key of groups is never missing, and joined with the events behind the group.
    return Column(kind, variable), (found if column.name in shared else LeftJoin((found,)),)


def _type(column: DerivedColumn) -> Type:
    return Type(Kind(column.kind), column.part, column.unit, column.unit_property)


def _behind(context: Context, node: Derived) -> tuple[Trace, dict[str, Var]]:
    """The pattern of the events behind rows that hold none, and the variables of the keys that it shares with them."""
    if node.behind is None:
        return Trace(), {}
    found = context.answer(node.behind)
    if isinstance(found, Single):
        return found.trace, {}
    if not isinstance(found, Groups):
        rows = found if isinstance(found, Rows) else found.rows
        return rows.evidence(), {}
    rows = found.rows
    keys = {name: rows.columns[name].variable for name in found.keys}
    return rows.evidence(shared_names(context, keys.values())), keys
