"""Operator trees: the thirteen operators of ReQAP (Table 1, appendix A.2) and the open leaf QUD, as frozen dataclasses.

Constructors refuse ill-formed trees with TreeTypeError. What each operator means:

- Qud: a question not yet decomposed; nothing that holds one can be run.
- Retrieve: the events that a query names, all of the graph's or those of `source`.
- Extract: the events with attributes added, one per name, read as the type beside it.
- Join: all pairs of events that satisfy the condition, with the attributes of both. Where both have a name, the left
  one keeps it and the right one's is called `name_2` (then `name_3` …).
- GroupBy: the events partitioned by the values of attributes; events that lack one of them are in no group.
- Filter: the rows that the condition holds for; a condition over a missing value does not hold.
- Map: each row (or group) with the function's value added under a name.
- Apply: one value, or a shorter list, computed over the whole list (or over one value).
- Unnest: one row per item of a list attribute.
- ArgMin, ArgMax: the values of `value_name` where `arg_name` is least or greatest, all ties.
- Min, Max, Sum, Avg: one value over an attribute; missing values do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from ..errors import TreeTypeError
from .expressions import Answer, Builtin, Expression, Function, Lambda, Node, check_text
from .names import field_names, holds_answer


class AttributeType(StrEnum):
    """How EXTRACT reads an attribute. A duration is a length of time in seconds."""

    STR = "str"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    LIST = "list"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    DURATION = "duration"


@dataclass(frozen=True, slots=True)
class Qud(Node):
    """An open leaf: a question still to be decomposed."""

    question: str

    def __post_init__(self) -> None:
        _text("QUD", "a question", self.question)


@dataclass(frozen=True, slots=True)
class Retrieve(Node):
    """The events that the query names, of the graph or of `source`."""

    query: str
    source: Node | None = None

    def __post_init__(self) -> None:
        _text("RETRIEVE", "a query", self.query)
        if self.source is not None:
            _input("RETRIEVE", self.source)


@dataclass(frozen=True, slots=True)
class Extract(Node):
    """The input's events with attributes added; `types[i]` is how `names[i]` is read."""

    input: Node
    names: tuple[str, ...]
    types: tuple[AttributeType, ...]

    def __post_init__(self) -> None:
        _input("EXTRACT", self.input)
        _names("EXTRACT", self.names)
        if len(self.names) != len(self.types):
            raise TreeTypeError(f"EXTRACT has {len(self.names)} names and {len(self.types)} types")
        for kind in self.types:
            if not isinstance(kind, AttributeType):
                raise TreeTypeError(f"EXTRACT has a type {kind!r}; there are {', '.join(AttributeType)}")


@dataclass(frozen=True, slots=True)
class Join(Node):
    """Pairs of rows; the condition speaks of `i1` and `i2`."""

    left: Node
    right: Node
    condition: Expression

    def __post_init__(self) -> None:
        _input("JOIN", self.left)
        _input("JOIN", self.right)
        if not isinstance(self.condition, Expression) or isinstance(self.condition, Lambda | Builtin):
            raise TreeTypeError("JOIN needs a condition over i1 and i2")


@dataclass(frozen=True, slots=True)
class GroupBy(Node):
    """The rows partitioned by the values of attributes."""

    input: Node
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        _input("GROUP_BY", self.input)
        _names("GROUP_BY", self.names)


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """The rows that the condition holds for."""

    input: Node
    condition: Lambda

    def __post_init__(self) -> None:
        _input("FILTER", self.input)
        if not isinstance(self.condition, Lambda):
            raise TreeTypeError("FILTER needs a condition: lambda attr: …")


@dataclass(frozen=True, slots=True)
class Map(Node):
    """Each row, or group, with the function's value under `name`."""

    input: Node
    function: Function
    name: str

    def __post_init__(self) -> None:
        _input("MAP", self.input)
        _function("MAP", self.function)
        _text("MAP", "a result name", self.name)


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """The function of the whole list, or of the one value below."""

    input: Node
    function: Function

    def __post_init__(self) -> None:
        _input("APPLY", self.input)
        _function("APPLY", self.function)


@dataclass(frozen=True, slots=True)
class Unnest(Node):
    """One row per item of the list `name`; the item stands under `item_name`, or under `name` itself."""

    input: Node
    name: str
    item_name: str | None = None

    def __post_init__(self) -> None:
        _input("UNNEST", self.input)
        _text("UNNEST", "the name of a list", self.name)
        if self.item_name is not None:
            _text("UNNEST", "the item's name", self.item_name)


@dataclass(frozen=True, slots=True)
class ArgMin(Node):
    """The values of `value_name` in the rows where `arg_name` is least."""

    input: Node
    arg_name: str
    value_name: str

    def __post_init__(self) -> None:
        _arg("ARGMIN", self)


@dataclass(frozen=True, slots=True)
class ArgMax(Node):
    """The values of `value_name` in the rows where `arg_name` is greatest."""

    input: Node
    arg_name: str
    value_name: str

    def __post_init__(self) -> None:
        _arg("ARGMAX", self)


@dataclass(frozen=True, slots=True)
class Min(Node):
    """The least value of an attribute."""

    input: Node
    name: str

    def __post_init__(self) -> None:
        _aggregate("MIN", self)


@dataclass(frozen=True, slots=True)
class Max(Node):
    """The greatest value of an attribute."""

    input: Node
    name: str

    def __post_init__(self) -> None:
        _aggregate("MAX", self)


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """The sum of an attribute; over nothing it is 0."""

    input: Node
    name: str

    def __post_init__(self) -> None:
        _aggregate("SUM", self)


@dataclass(frozen=True, slots=True)
class Avg(Node):
    """The mean of an attribute; over nothing there is none."""

    input: Node
    name: str

    def __post_init__(self) -> None:
        _aggregate("AVG", self)


Aggregate = Min | Max | Sum | Avg


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, left to right, those inside conditions and functions last."""
    values = [getattr(node, name) for name in field_names(type(node))]
    direct = [value for value in values if isinstance(value, Node)]
    held = [value for value in values if isinstance(value, Expression) and holds_answer(value)]
    return (*direct, *(tree for value in held for tree in answers(value)))


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first."""
    pending = [node]
    while pending:
        at = pending.pop()
        yield at
        pending.extend(reversed(children(at)))


def answers(expression: Expression) -> Iterator[Node]:
    """The trees that an expression holds, left to right."""
    pending: list[object] = [expression]
    while pending:
        at = pending.pop()
        if isinstance(at, Answer):
            yield at.tree
        elif isinstance(at, tuple):
            pending.extend(reversed(at))
        elif isinstance(at, Expression):
            pending.extend(getattr(at, field.name) for field in reversed(fields(at)))  # type: ignore[arg-type]


def open_questions(node: Node) -> tuple[str, ...]:
    """The questions of the open leaves, left to right."""
    return tuple(at.question for at in walk(node) if isinstance(at, Qud))


def queries(node: Node) -> tuple[str, ...]:
    """The queries of the RETRIEVEs that feed the node's own rows, left to right, without repetition."""
    if isinstance(node, Retrieve):
        return (node.query,)
    direct = (getattr(node, field.name) for field in fields(node))  # type: ignore[arg-type]
    found = (query for value in direct if isinstance(value, Node) for query in queries(value))
    return tuple(dict.fromkeys(found))


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with `change` applied to every node, bottom-up, also inside conditions and functions.

    `change` returns the node itself where it changes nothing; the planner puts subtrees in the place of QUDs so.
    """
    values = {field.name: getattr(node, field.name) for field in fields(node)}  # type: ignore[arg-type]
    return change(replace(node, **{name: _rebuilt(value, change) for name, value in values.items()}))  # type: ignore[type-var]


def _rebuilt(value: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(value, Node):
        return rebuilt(value, change)
    if isinstance(value, tuple):
        return tuple(_rebuilt(item, change) for item in value)
    if isinstance(value, Expression):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}  # type: ignore[arg-type]
        return replace(value, **{name: _rebuilt(part, change) for name, part in parts.items()})  # type: ignore[type-var]
    return value


def _text(operator: str, what: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise TreeTypeError(f"{operator} needs {what}")
    check_text(value)


def _input(operator: str, value: object) -> None:
    if not isinstance(value, Node):
        raise TreeTypeError(f"{operator} needs an operator as input")


def _names(operator: str, names: object) -> None:
    if not isinstance(names, tuple) or not names:
        raise TreeTypeError(f"{operator} needs attribute names")
    for name in names:
        _text(operator, "attribute names that are not empty", name)
    if len(set(names)) != len(names):
        raise TreeTypeError(f"{operator} names an attribute twice")


def _function(operator: str, value: object) -> None:
    if not isinstance(value, Lambda | Builtin):
        raise TreeTypeError(f"{operator} needs a function: len, or lambda attr: …")


def _arg(operator: str, node: ArgMin | ArgMax) -> None:
    _input(operator, node.input)
    _text(operator, "the attribute to compare", node.arg_name)
    _text(operator, "the attribute to answer", node.value_name)


def _aggregate(operator: str, node: Aggregate) -> None:
    _input(operator, node.input)
    _text(operator, "an attribute", node.name)
