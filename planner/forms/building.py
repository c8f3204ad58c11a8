"""Pieces of the trees that forms become: attributes of an event, comparisons, what is computed of a list."""

from __future__ import annotations

from typing import Final

from ...operators.expressions import (
    Answer,
    Attribute,
    Boolean,
    Call,
    Comparison,
    Comprehension,
    Expression,
    Lambda,
    Literal,
    Name,
    Node,
    Slice,
)
from ...operators.nodes import Apply, AttributeType, Extract, Filter, Map, Qud

ATTR: Final = Name("attr")
EVENT: Final = Name("event")
EVENTS: Final = Name("events")
GROUP: Final = Name("group")
ROW: Final = Name("row")
ROWS: Final = Name("rows")
VALUE: Final = Name("value")


def own(key: str) -> Attribute:
    """An attribute of the event that a condition is about."""
    return Attribute(ATTR, key)


def open_leaf(words: str) -> Qud:
    """Events that words name, to be read in their turn."""
    return Qud(words.replace('"', "'"))


def compared(left: Expression, test: str, right: Expression) -> Comparison:
    """A comparison of two values."""
    return Comparison(left, (test,), (right,))


def all_of(*conditions: Expression) -> Expression:
    """Conditions that all hold."""
    return conditions[0] if len(conditions) == 1 else Boolean("and", conditions)


def kept(rows: Node, condition: Expression) -> Filter:
    """The rows that a condition on `attr` holds for."""
    return Filter(rows, Lambda(ATTR.identifier, condition))


def extracted(rows: Node, key: str, kind: AttributeType) -> Extract:
    """Rows with one more attribute."""
    return Extract(rows, (key,), (kind,))


def mapped(rows: Node, value: Expression, name: str) -> Map:
    """Rows with a value that is computed of `attr`."""
    return Map(rows, Lambda(ATTR.identifier, value), name)


def applied(rows: Node, parameter: Name, value: Expression) -> Apply:
    """What is computed of all rows, or of a value, by its name."""
    return Apply(rows, Lambda(parameter.identifier, value))


def each_of(kind: str, element: Expression, item: Name, of: Expression, *conditions: Expression) -> Comprehension:
    """An element for each item of a list; `kind` is generator, list or set."""
    return Comprehension(kind, element, item.identifier, of, conditions)


def known(key: str, rows: Name) -> Comprehension:
    """The values of a key that rows have."""
    value = Attribute(ROW, key)
    return each_of("list", value, ROW, rows, compared(value, "is not", Literal(None)))


def values_of(events: Node, key: str) -> Answer:
    """The set of a key's values that events have."""
    return Answer(applied(events, EVENTS, set_of(Attribute(EVENT, key), EVENT, EVENTS)))


def set_of(element: Expression, item: Name, of: Expression) -> Call:
    """An element for each item of a list, each once."""
    return Call("set", (each_of("generator", element, item, of),))


def ordered(rows: Name, item: Name, key: str, *, reverse: bool = False) -> Call:
    """Rows in order of a key."""
    order: tuple[tuple[str, Expression], ...] = (("key", Lambda(item.identifier, Attribute(item, key))),)
    return Call("sorted", (rows,), (*order, ("reverse", Literal(True))) if reverse else order)


def first_of(rows: Expression, number: int) -> Slice:
    """The first rows of a list; below zero, the last."""
    return Slice(rows, None, number) if number > 0 else Slice(rows, number, None)


def median(values: Expression) -> Call:
    """The one in the middle of a list."""
    return Call("median", (values,))
