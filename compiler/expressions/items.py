"""List attributes in patterns: testing, counting and taking apart their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...operators.checking.types import STR, Kind
from ..scope import Column, Context, Items, Rows, Together
from ..sparql.algebra import (
    DECIMAL,
    Aggregate,
    Exists,
    Expr,
    Extend,
    Filter,
    Iri,
    LeftJoin,
    Not,
    OrderBy,
    Pattern,
    Read,
    Select,
    Step,
    Var,
    both,
    call,
    coalesced,
    either,
    text,
    triple,
)


def first_items(context: Context, items: Items, test: Callable[[Expr], Pattern]) -> Expr:
    """Whether the list has an item, given by its text, that a pattern keeps."""
    found = _exists(context, items.sources[-1], test)
    for source in reversed(items.sources[:-1]):
        found = either(_exists(context, source, test), both(Not(_exists(context, source, lambda _: ())), found))
    return found


def _exists(context: Context, source: tuple[Var, str], test: Callable[[Expr], Pattern]) -> Expr:
    held = context.names.fresh("item")
    return Exists((triple(source[0], Iri(source[1]), held), *test(call("STR", held))))


def counted(context: Context, items: Items, lets: list[Step]) -> Expr:
    """How many items the list has; adds the operators that it needs."""
    counts = list[Var]()
    for event, name in items.sources:
        counts.append(context.names.fresh("items"))
        lets.append(_folded(context, event, name, "COUNT", counts[-1]))
    return coalesced(*counts, 0)


def _folded(
    context: Context, event: Var, name: str, function: str, variable: Var, separator: str | None = None
) -> LeftJoin:
    """The items of each event that has any in one value."""
    held = context.names.fresh("item")
    fold = Aggregate(function, call("STR", held), distinct=True, separator=separator)
    columns = (event, Extend(variable, fold))
    return LeftJoin((Select(columns, (triple(event, Iri(name), held),), groups=(event,)),))


def unnested(context: Context, items: Items, name: str) -> tuple[Pattern, Column]:
    """Operators that give one solution per item, and the column of the items."""
    if len(items.sources) == 1:
        event, at = items.sources[0]
        variable = context.names.fresh(name)
        if at in items.plain:
            held = context.names.fresh("item")
            return (Read(event, Iri(at), variable, held, whole=at in items.whole, text=True),), Column(STR, variable)
        return (_items_of(context, event, at, variable),), Column(STR, variable)
    steps, parts = list[Step](), list[Var]()
    for event, at in items.sources:
        part = context.names.fresh(f"{name}_of")
        earlier = (Filter(Not(call("BOUND", other))) for other in parts)
        steps.append(LeftJoin((_items_of(context, event, at, part), *earlier)))
        parts.append(part)
    variable = context.names.fresh(name)
    steps += [Extend(variable, coalesced(*parts)), Filter(call("BOUND", variable))]
    return tuple(steps), Column(STR, variable)


def _items_of(context: Context, event: Var, name: str, variable: Var) -> Select:
    held = context.names.fresh("item")
    pattern = (triple(event, Iri(name), held), Extend(variable, call("STR", held)))
    return Select((event, variable), pattern, distinct=True)


SEPARATOR: Final = "\x1f"
"""Between the items of a list in an answer: the unit separator, which no export writes."""
MISSING: Final = "\x1e"
"""Stands among the items for those that are missing: the record separator."""


def together(context: Context, rows: Rows, column: Column, answer: Column, *, descending: bool) -> Together:
    """The values of `answer` in the rows where `column` is least, or greatest: rows alike are put together and ordered.

    Equal numbers may be different terms, so they are grouped by what they are as decimals.
    """
    variable, key = context.names.fresh("answer"), column.variable
    grouping: Var | Extend = key
    if column.type.kind in (Kind.FLOAT, Kind.DURATION):
        key = context.names.fresh("number")
        grouping = Extend(key, call(Iri(DECIMAL), column.variable))
    said = coalesced(call("STR", answer.variable), text(MISSING))
    values = Extend(variable, Aggregate("GROUP_CONCAT", said, distinct=True, separator=SEPARATOR))
    order = (OrderBy(key, descending),)
    return Together(Select((values, key), rows.pattern, groups=(grouping,), order=order, limit=1), variable)


def listed(context: Context, items: Items, name: str) -> tuple[Pattern, Var]:
    """Operators that put the items of a list into one variable, and the variable."""
    steps, parts = list[Step](), list[Var]()
    for event, at in items.sources:
        parts.append(context.names.fresh(f"{name}_items"))
        steps.append(_folded(context, event, at, "GROUP_CONCAT", parts[-1], SEPARATOR))
    if len(parts) == 1:
        return tuple(steps), parts[0]
    variable = context.names.fresh(name)
    return (*steps, Extend(variable, coalesced(*parts))), variable
