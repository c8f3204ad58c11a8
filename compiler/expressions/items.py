"""List attributes in patterns: testing, counting and taking apart their items."""

from __future__ import annotations

from collections.abc import Callable

from ...operators.checking.types import STR, Kind
from ..reads import Read
from ..scope import Column, Context, Items, Lines, Rows, Together, block, enclosed, subselect
from ..templates import rendered
from .terms import bare, iri, string


def first_items(context: Context, items: Items, test: Callable[[str], str]) -> str:
    """Expression: whether an item of the list passes a test, given its text; any item if the test is ''.

    A test may begin with lines that it needs, ended by a null character.
    """
    options = [_exists(context, event, name, test) for event, name in items.sources]
    anything = [_exists(context, event, name, lambda _: "") for event, name in items.sources]
    text = options[-1]
    for option, present in zip(reversed(options[:-1]), reversed(anything[:-1]), strict=True):
        text = f"({option} || (!{present} && {text}))"
    return text


def _exists(context: Context, event: str, name: str, test: Callable[[str], str]) -> str:
    held = context.names.fresh("item")
    text = test(f"STR({held})")
    lets, _, condition = text.rpartition("\0")
    inside = f" {lets}" if lets else ""
    filtering = f" FILTER({bare(condition)})" if condition else ""
    return f"EXISTS {{ {event} {iri(name)} {held} .{inside}{filtering} }}"


def counted(context: Context, items: Items, lets: list[str]) -> str:
    """Expression: how many items the list has; adds the lines it needs."""
    counts = list[str]()
    for event, name in items.sources:
        held, count = context.names.fresh("item"), context.names.fresh("items")
        lines = [f"{event} {iri(name)} {held} ."]
        projection = [event, f"(COUNT(DISTINCT STR({held})) AS {count})"]
        lets += enclosed(subselect(projection, lines, (f"GROUP BY {event}",)), "OPTIONAL {")
        counts.append(count)
    return f"COALESCE({', '.join([*counts, '0'])})"


def unnested(context: Context, items: Items, name: str) -> tuple[Lines, Column]:
    """Lines that give one solution per item, and the column of the items."""
    if len(items.sources) == 1:
        event, at = items.sources[0]
        variable = context.names.fresh(name)
        if at in items.plain:
            read = Read(event, iri(at), variable, context.names.fresh("item"), text=True)
            context.reads.add(read, whole=at in items.whole)
            return (read.line(optional=False, whole=at in items.whole),), Column(STR, variable)
        return _items_of(context, event, at, variable), Column(STR, variable)
    lines, parts = list[str](), list[str]()
    for event, at in items.sources:
        part = context.names.fresh(f"{name}_of")
        earlier = [f"FILTER(!BOUND({other}))" for other in parts]
        lines += block([*_items_of(context, event, at, part), *earlier], "OPTIONAL {")
        parts.append(part)
    variable = context.names.fresh(name)
    lines += [f"BIND(COALESCE({', '.join(parts)}) AS {variable})", f"FILTER(BOUND({variable}))"]
    return tuple(lines), Column(STR, variable)


def _items_of(context: Context, event: str, name: str, variable: str) -> Lines:
    held = context.names.fresh("item")
    return subselect(
        [event, variable], [f"{event} {iri(name)} {held} .", f"BIND(STR({held}) AS {variable})"], distinct=True
    )


SEPARATOR = "\x1f"
"""Between the items of a list in an answer: the unit separator, which no export writes."""
MISSING = "\x1e"
"""Stands among the items for those that are missing: the record separator."""


def together(context: Context, rows: Rows, column: Column, answer: Column, *, descending: bool) -> Together:
    """The values of `answer` in the rows where `column` is least, or greatest: rows alike are put together and ordered.

    Equal numbers may be different terms, so they are grouped by what they are as decimals.
    """
    variable, key = context.names.fresh("answer"), column.variable
    grouping = key
    if column.type.kind in (Kind.FLOAT, Kind.DURATION):
        key = context.names.fresh("number")
        grouping = f"(xsd:decimal({column.variable}) AS {key})"
    lines = rendered(
        "best",
        key=key,
        grouping=grouping,
        value=answer.variable,
        all=variable,
        separator=string(SEPARATOR),
        missing=string(MISSING),
        lines=rows.lines,
        descending=descending,
    )
    return Together(lines, variable)


def listed(context: Context, items: Items, name: str) -> tuple[Lines, str]:
    """Lines that put the items of a list into one variable, and the variable."""
    lines, parts = list[str](), list[str]()
    for event, at in items.sources:
        held, part = context.names.fresh("item"), context.names.fresh(f"{name}_items")
        projection = [event, f"(GROUP_CONCAT(DISTINCT STR({held}); SEPARATOR={string(SEPARATOR)}) AS {part})"]
        inner = subselect(projection, [f"{event} {iri(at)} {held} ."], (f"GROUP BY {event}",))
        lines += enclosed(inner, "OPTIONAL {")
        parts.append(part)
    if len(parts) == 1:
        return tuple(lines), parts[0]
    variable = context.names.fresh(name)
    return (*lines, f"BIND(COALESCE({', '.join(parts)}) AS {variable})"), variable
