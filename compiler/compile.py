"""Operator tree → one SPARQL query that anybody can run again, and a second one for the evidence behind the answer.

The tree must be closed (no QUD) and resolved (`operators.resolution`). What the algebra means is said in
`operators.evaluation.evaluate` and `operators.nodes`; `tests/reference.py` computes the same over plain rows.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import singledispatch

from ..errors import TreeTypeError
from ..operators.checking.types import LIST, ORDERED, Kind
from ..operators.derived import Derived, Shared
from ..operators.expressions import Builtin, Call, Lambda, Name
from ..operators.nodes import (
    Aggregate,
    Apply,
    ArgMax,
    ArgMin,
    AttributeType,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Qud,
    Retrieve,
    Sum,
    Unnest,
    queries,
)
from ..operators.resolution import Resolution
from ..operators.standard import STANDARD, standard_attributes, used_names, with_own_reads
from .days import on_days
from .derived import derived
from .expressions.expressions import Expressions, Row
from .expressions.items import together, unnested
from .expressions.lists import Folding, Listing, applied, grouped, listing_of, single
from .expressions.typed_values import Value, compare
from .join import filters, joined, kept
from .query import CompiledQuery, finished
from .retrieve import retrieve
from .scope import (
    START,
    Column,
    Compiled,
    Context,
    Groups,
    Items,
    Rows,
    Single,
    Values,
    Want,
    column_of,
    plain_column,
    rows_of,
    shared_names,
    surely,
)
from .sparql import algebra
from .sparql.algebra import Extend, OrderBy, Pattern, Select, coalesced, group, optional

__all__ = ["CompiledQuery", "compile_node", "compile_tree"]

_LISTS = (Derived, Shared, Retrieve, Extract, Join, Filter, Map, Apply, Unnest)


def compile_tree(
    tree: Node, resolution: Resolution, now: datetime, *, standard: tuple[str, ...] | None = None
) -> CompiledQuery:
    """The tree's query over a graph of events; `now` is what date.today() means.

    `standard` are the standard attributes that RETRIEVEs give, where the tree is part of another one.

    Raises TreeTypeError for a tree that is not well typed, not closed, or not resolved, and for one with a part that
    SPARQL cannot say, which execution computes beside the query; the error's `node` is that part.
    """
    tree = with_own_reads(tree) if standard is None else tree
    names = standard_attributes(tree) if standard is None else standard
    given = tuple(Want(name, STANDARD[name]) for name in names)
    listed = isinstance(tree, _LISTS)
    context = Context(resolution, now, compile_node, used=None if listed else used_names(tree), standard=given)
    wants = (START,) if listed else ()
    return finished(context, compile_node(context, tree, wants, ()))


def compile_node(context: Context, node: Node, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    """A node; `wants` are attributes that EXTRACTs above it add, `above` the queries of RETRIEVEs over it."""
    try:
        return _node(node, context, wants, above)
    except TreeTypeError as bad:
        bad.node = bad.node or node
        raise


@singledispatch
def _node(node: Node, _context: Context, _wants: tuple[Want, ...], _above: tuple[str, ...]) -> Compiled:
    if isinstance(node, Qud):
        raise TreeTypeError(f"the question {node.question!r} is still open")
    raise TypeError(f"not an operator: {type(node).__name__}")


@_node.register
def _(node: Retrieve, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    return retrieve(context, node, wants, above)


@_node.register
def _(node: Derived, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    return derived(context, node, wants, above)


@_node.register
def _(node: Shared, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    return _node(node.tree, context, wants, above)


@_node.register
def _(node: Extract, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    named = zip(node.names, node.types, strict=True)
    own = tuple(Want(name, kind) for name, kind in named if context.used is None or name in context.used)
    rows = rows_of(context.compile(context, node.input, (*wants, *own), above), "EXTRACT")
    if not rows.events:
        raise TreeTypeError("EXTRACT works on events, which are gone after GROUP_BY")
    for want in own:
        rows = _extracted(context, rows, want, queries(node.input))
    return rows if len(node.names) == 1 else replace(rows, focus=None)


def _extracted(context: Context, rows: Rows, want: Want, asked: tuple[str, ...]) -> Rows:
    """The rows with one attribute: of the first event of a row that has it."""
    found = [rows.raw[event, want] for event in rows.events if (event, want) in rows.raw]
    if not found:
        raise TreeTypeError(f"EXTRACT of {want.name!r} was not resolved for {', '.join(map(repr, asked))}")
    if want.type is AttributeType.LIST:
        lists = [column.items for column in found if column.items]
        sources = tuple(source for items in lists for source in items.sources)
        plain = frozenset(name for items in lists for name in items.plain)
        whole = frozenset(name for items in lists for name in items.whole)
        return rows.with_column(want.name, Column(LIST, items=Items(sources, plain, whole)))
    if len(found) == 1:
        return rows.with_column(want.name, found[0])
    variable = context.names.fresh(want.name)
    first = Extend(variable, coalesced(*(column.variable for column in found)))
    return rows.adding(first).with_column(want.name, Column(found[0].type, variable))


@_node.register
def _(node: Filter, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    compiled = context.compile(context, node.input, wants, above)
    if isinstance(compiled, Groups):
        return _filtered_groups(context, compiled, node)
    if isinstance(compiled, Values):
        item = Listing(compiled.rows, of_values=True).item()
        tests = filters(context, node.condition.body, {node.condition.parameter: item})
        return replace(compiled, rows=compiled.rows.adding(*tests), together=None)
    rows = on_days(context, rows_of(compiled, "FILTER"), node.condition.body, Name(node.condition.parameter))
    return kept(context, rows, node.condition.body, {node.condition.parameter: Row(rows.columns)})


def _filtered_groups(context: Context, groups: Groups, node: Filter) -> Groups:
    """The groups that a condition over their members holds for."""
    variables = tuple(groups.rows.columns[key].variable for key in groups.keys)
    folding = Folding(context, variables)
    scope = folding.scope({node.condition.parameter: Listing(groups.rows)})
    test = algebra.Filter(scope.condition(node.condition.body))
    shared = surely(shared_names(context, variables))
    chosen = Select(variables, (*folding.pattern(groups.rows), *scope.lets, test))
    members = (*groups.rows.pattern, *shared, *group((chosen, *shared)))
    return replace(groups, rows=replace(groups.rows, pattern=members))


@_node.register
def _(node: Map, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    compiled = context.compile(context, node.input, wants, above)
    if isinstance(compiled, Groups):
        return grouped(context, compiled.rows, compiled.keys, node.function, node.name)
    rows = rows_of(compiled, "MAP")
    function = node.function
    if isinstance(function, Builtin):
        raise TreeTypeError(f"MAP of {function.name} needs groups; over events use lambda attr: …")
    scope = Expressions(context, {function.parameter: Row(rows.columns)}, [])
    value = scope.term(function.body)
    rows = rows.adding(*scope.lets)
    if value.items is not None:
        return rows.with_column(node.name, Column(LIST, items=value.items))
    if value.kind in (Kind.LIST, Kind.NONE):
        raise TreeTypeError("MAP gives one value for each event")
    variable = context.names.fresh(node.name)
    return rows.adding(Extend(variable, value.expr)).with_column(node.name, Column(value.type, variable))


@_node.register
def _(node: GroupBy, context: Context, _wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    rows = rows_of(context.compile(context, node.input, (), above), "GROUP_BY")
    for name in node.names:
        rows = context.having(rows, plain_column(rows, name, "GROUP_BY").variable)
    return Groups(rows, node.names)


@_node.register
def _(node: Unnest, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    rows = rows_of(context.compile(context, node.input, wants, above), "UNNEST")
    column = column_of(rows, node.name, "UNNEST")
    if column.items is None:
        raise TreeTypeError(f"UNNEST: {node.name!r} is a {column.type}, not a list")
    name = node.item_name or node.name
    steps, item = unnested(context, column.items, name)
    rows = rows.adding(*steps).with_column(name, item)
    return replace(rows, order=(*rows.order, OrderBy(item.variable)) if rows.order else ())


@_node.register
def _(node: Join, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    left = rows_of(context.compile(context, node.left, wants, above), "JOIN")
    right = rows_of(context.compile(context, node.right, wants, above), "JOIN")
    return joined(context, left, right, node.condition)


@_node.register
def _(node: Apply, context: Context, wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    compiled = context.compile(context, node.input, (*wants, START), above)
    if isinstance(compiled, Rows):
        return applied(context, Listing(compiled), node.function)
    if isinstance(compiled, Values):
        return applied(context, listing_of(context, compiled), node.function)
    if isinstance(compiled, Groups):
        return _applied_to_groups(context, compiled, node)
    return _applied_to_value(context, compiled, node)


def _applied_to_groups(context: Context, groups: Groups, node: Apply) -> Compiled:
    """How many groups there are; anything else about groups is MAP's to say."""
    variables = tuple(groups.rows.columns[key].variable for key in groups.keys)
    each = Select(variables, groups.rows.pattern, distinct=True)
    trace = groups.rows.evidence(shared_names(context, variables))
    found = applied(context, Listing(Rows((each,), {}, trace=trace)), node.function)
    if not isinstance(found, Single):
        raise TreeTypeError("APPLY over groups can only count them; MAP says something about each")
    return found


def _applied_to_value(context: Context, value: Single, node: Apply) -> Single:
    function = node.function
    if isinstance(function, Builtin):
        function = Lambda("x", Call(function.name, (Name("x"),)))
    column = value.column
    bound = Value(column.variable, column.type, column.type.kind is Kind.DURATION)
    scope = Expressions(context, {function.parameter: bound}, [])
    result = scope.term(function.body)
    variable = context.names.fresh("result")
    pattern = (*value.pattern, *scope.lets, Extend(variable, result.expr))
    return Single(pattern, Column(result.type, variable), value.trace, value.zero)


@_node.register(Min)
@_node.register(Max)
@_node.register(Sum)
@_node.register(Avg)
def _(node: Aggregate, context: Context, _wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    name = type(node).__name__.upper()
    rows = rows_of(context.compile(context, node.input, (), above), name)
    column = plain_column(rows, node.name, name)
    values = Listing(replace(rows, columns={"": column}), of_values=True)
    folding = Folding(context)
    fold = {"MIN": "min", "MAX": "max", "SUM": "sum", "AVG": "mean"}[name]
    result = folding.fold(fold, values, name)
    found = single(context, folding, (), result, rows)
    if name not in ("MIN", "MAX"):
        return found
    equal = algebra.Filter(compare("=", column.variable, found.column.variable))
    return replace(found, trace=rows.adding(folding.folds[0].query, equal).evidence())


@_node.register(ArgMin)
@_node.register(ArgMax)
def _(node: ArgMin | ArgMax, context: Context, _wants: tuple[Want, ...], above: tuple[str, ...]) -> Compiled:
    name = type(node).__name__.upper()
    rows = rows_of(context.compile(context, node.input, (), above), name)
    column = plain_column(rows, node.arg_name, name)
    if column.type.kind not in ORDERED:
        raise TreeTypeError(f"{name}: a {column.type} has no order")
    answer = column_of(rows, node.value_name, name)
    descending = isinstance(node, ArgMax)
    best = context.names.fresh("greatest" if descending else "least")
    fold = Extend(best, algebra.Aggregate("MAX" if descending else "MIN", column.variable))
    more: Pattern = ()
    perhaps: Pattern = ()
    if answer.items is not None:
        several = len(answer.items.sources) > 1
        more, answer = unnested(context, answer.items, node.value_name)
        # Of several sources each is optional by itself; the last operator asks for any.
        perhaps = more[:-1] if several else optional(more)
    having = context.having(rows, column.variable)
    whole = together(context, having.adding(*perhaps), column, answer, descending=descending)
    equal = algebra.Filter(compare("=", column.variable, best))
    rows = rows.adding(Select((fold,), having.pattern), equal, *more)
    rows = replace(rows, columns={"": answer}, order=(OrderBy(answer.variable),), focus="")
    apart = answer.type.kind is Kind.TUPLE  # its items are parted by the sign that would part the values
    return Values(rows, distinct=True, together=None if apart else whole)
