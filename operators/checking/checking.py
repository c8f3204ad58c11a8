"""Refuses ill-typed trees before anything runs: `check_tree` says what a tree gives, or what is wrong in it.

It refuses only what could never be computed: an attribute that nothing gives, a sum of texts, a date beside a number,
EXTRACT after GROUP_BY. What it cannot know (the rows of an open QUD) fits everywhere. `evaluate` and `nodes` say what
trees mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import singledispatch

from ...errors import TreeTypeError
from ..conditions import conjuncts
from ..expressions import Attribute, Builtin, Call, Expression, Name
from ..nodes import (
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
)
from ..standard import STANDARD
from ..syntax.printing import format_expression
from .checking_expressions import TypeScope, meaning_of, meaning_of_function
from .meanings import (
    EventMeaning,
    ListMeaning,
    Meaning,
    averaged,
    comparable,
    items_of,
    kind_of,
    merged,
    ordered,
    said,
    summed,
    type_of,
    unnest_first,
)
from .types import ANY, STR, Kind, Type, type_of_attribute

__all__ = ["Checked", "Shape", "check_tree"]


class Shape(StrEnum):
    """What a tree gives: rows, groups of rows, one value, a list of values, or, of an open question, any of these."""

    ROWS = "rows"
    GROUPS = "groups"
    ONE = "one value"
    VALUES = "values"
    OPEN = "open"


@dataclass(frozen=True)
class Checked:
    """What a tree gives.

    `item` is what one row is (of rows, and of the members of groups) or one value; `keys` are the attributes that
    groups have in common; `events` says whether events stand behind the rows, as EXTRACT needs them; `focus` whether
    the rows answer by one attribute, which their operator added last.
    """

    shape: Shape
    item: Meaning = ANY
    keys: tuple[str, ...] = ()
    events: bool = True
    focus: bool = False

    @property
    def attributes(self) -> Mapping[str, Type]:
        """The attributes of the rows with their types; lists are LIST, what cannot be known is ANY."""
        held = self.item.attributes if isinstance(self.item, EventMeaning) else {}
        return {name: type_of(meaning) for name, meaning in held.items()}

    @property
    def open(self) -> bool:
        """Whether there may be more attributes than `attributes`."""
        return self.item.open if isinstance(self.item, EventMeaning) else self.shape is Shape.OPEN

    @property
    def type(self) -> Type:
        """The type of the one value, or of each value."""
        return type_of(self.item)


_STANDARD = {name: type_of_attribute(kind) for name, kind in STANDARD.items()}


def check_tree(tree: Node) -> Checked:
    """What the tree gives. Raises TreeTypeError, naming the operator, the expression, and what there is."""
    return _check(tree)


@singledispatch
def _check(node: Node) -> Checked:
    raise TypeError(f"not an operator: {type(node).__name__}")


@_check.register
def _(_node: Qud) -> Checked:
    return Checked(Shape.OPEN)


@_check.register
def _(node: Retrieve) -> Checked:
    if not any(map(str.isalnum, node.query)):
        raise TreeTypeError(f"RETRIEVE looks for words, and {node.query!r} has none")
    if node.source is None:
        return Checked(Shape.ROWS, EventMeaning(_STANDARD))
    return _rows_below(node.source, "RETRIEVE")


@_check.register
def _(node: Extract) -> Checked:
    found = _rows_below(node.input, "EXTRACT")
    if not found.events:
        raise TreeTypeError("EXTRACT works on events, which are gone after GROUP_BY")
    for name, kind in zip(node.names, node.types, strict=True):
        held = ListMeaning(STR) if kind is AttributeType.LIST else type_of_attribute(kind)
        found = _having(found, name, held)
    return replace(found, focus=len(node.names) == 1)


@_check.register
def _(node: Join) -> Checked:
    left, right = _rows_below(node.left, "JOIN"), _rows_below(node.right, "JOIN")
    scope = TypeScope({"i1": left.item, "i2": right.item}, _answer)
    parts = conjuncts(node.condition)
    with _named("JOIN"):
        nearest = [part for part in parts if isinstance(part, Call) and part.function == "nearest"]
        for part in parts:
            if part in nearest:
                _check_nearest(part, scope)
            else:
                meaning_of(part, scope)
        if len(nearest) > 1:
            raise TreeTypeError("one nearest(…) in a condition")
    return Checked(Shape.ROWS, merged(_event(left), _event(right)), events=left.events or right.events)


@_check.register
def _(node: GroupBy) -> Checked:
    found = _rows_below(node.input, "GROUP_BY")
    for name in node.names:
        _attribute(found, name, "GROUP_BY")
    return Checked(Shape.GROUPS, found.item, node.names)


@_check.register
def _(node: Filter) -> Checked:
    found = _check(node.input)
    if found.shape is Shape.ONE:
        raise TreeTypeError("FILTER works on events, groups or values, and there is one value")
    with _named("FILTER"):
        meaning_of_function(node.condition, _each(found), _outside())
    return found if found.shape is not Shape.OPEN else replace(found, item=ANY)


@_check.register
def _(node: Map) -> Checked:
    found = _check(node.input)
    if found.shape in (Shape.ONE, Shape.VALUES):
        raise TreeTypeError(f"MAP works on events or groups, and there {_are(found)}")
    if found.shape is Shape.ROWS and isinstance(node.function, Builtin):
        raise TreeTypeError(f"MAP of {node.function.name} needs groups; over events use lambda attr: …")
    with _named("MAP"):
        value = meaning_of_function(node.function, _each(found), _outside())
    if found.shape is Shape.OPEN:
        return Checked(Shape.ROWS, EventMeaning({node.name: value}, open=True), focus=True)
    if found.shape is Shape.ROWS:
        return replace(_having(found, node.name, value), focus=True)
    held = {key: _event(found).attribute(key) for key in found.keys}
    return Checked(Shape.ROWS, EventMeaning({**held, node.name: value}), events=False, focus=True)


@_check.register
def _(node: Apply) -> Checked:
    found = _check(node.input)
    with _named("APPLY"):
        value = meaning_of_function(node.function, _whole(found), _outside())
    if isinstance(value, EventMeaning):
        return replace(found, shape=Shape.ROWS, item=value, focus=False)
    if isinstance(value, ListMeaning):
        shape = Shape.ROWS if isinstance(value.item, EventMeaning) else Shape.VALUES
        return Checked(shape, value.item, events=found.events)
    known = kind_of(value) is not Kind.ANY
    return Checked(Shape.ONE if known else Shape.OPEN, value)


@_check.register
def _(node: Unnest) -> Checked:
    found = _rows_below(node.input, "UNNEST")
    held = _attribute(found, node.name, "UNNEST")
    item = items_of(held)
    if item is None or kind_of(held) is Kind.STR:
        raise TreeTypeError(f"UNNEST: {node.name!r} is {said(held)}, not a list")
    return replace(_having(found, node.item_name or node.name, item), focus=True)


@_check.register(Min)
@_check.register(Max)
@_check.register(Sum)
@_check.register(Avg)
def _(node: Aggregate) -> Checked:
    name = type(node).__name__.upper()
    found = _rows_below(node.input, name)
    fold: Callable[[Meaning], Meaning] = {"SUM": summed, "AVG": averaged}.get(name, ordered)
    value = _attribute(found, node.name, name)
    try:
        return Checked(Shape.ONE, fold(value))
    except TreeTypeError as bad:
        raise TreeTypeError(f"{name} of {node.name!r}: {bad}") from bad


@_check.register(ArgMin)
@_check.register(ArgMax)
def _(node: ArgMin | ArgMax) -> Checked:
    name = type(node).__name__.upper()
    found = _rows_below(node.input, name)
    compared = _attribute(found, node.arg_name, name)
    value = _attribute(found, node.value_name, name)
    try:
        ordered(compared)
    except TreeTypeError as bad:
        raise TreeTypeError(f"{name} of {node.arg_name!r}: {bad}{unnest_first(compared)}") from bad
    item = items_of(value) if isinstance(value, ListMeaning) else value
    return Checked(Shape.VALUES, ANY if item is None else item)


# ---------------------------------------------------------------- what stands below
def _rows_below(node: Node, operator: str) -> Checked:
    """What the input gives, which must be rows. An open question is taken for rows with any attributes."""
    found = _check(node)
    if found.shape is Shape.OPEN:
        return Checked(Shape.ROWS, EventMeaning(open=True))
    if found.shape is not Shape.ROWS:
        raise TreeTypeError(f"{operator} works on events, and there {_are(found)}")
    return found if isinstance(found.item, EventMeaning) else replace(found, item=EventMeaning(open=True))


def _are(found: Checked) -> str:
    return f"is {found.shape}" if found.shape is Shape.ONE else f"are {found.shape}"


def _event(found: Checked) -> EventMeaning:
    return found.item if isinstance(found.item, EventMeaning) else EventMeaning(open=True)


def _having(found: Checked, name: str, meaning: Meaning) -> Checked:
    return replace(found, item=_event(found).having(name, meaning))


def _attribute(found: Checked, name: str, operator: str) -> Meaning:
    try:
        return _event(found).attribute(name)
    except TreeTypeError as bad:
        raise TreeTypeError(f"{operator}: {bad}") from bad


def _each(found: Checked) -> Meaning:
    """What a condition or a function of MAP is given."""
    return ListMeaning(found.item, keys=found.keys) if found.shape is Shape.GROUPS else found.item


def _whole(found: Checked) -> Meaning:
    """What a function of APPLY is given."""
    if found.shape in (Shape.ONE, Shape.OPEN):
        return found.item
    return ListMeaning(_each(found))


def _outside() -> TypeScope:
    return TypeScope({}, _answer)


def _answer(tree: Node) -> Meaning:
    """What a tree inside an expression answers: one value, or the least of several."""
    found = _check(tree)
    if found.shape is Shape.GROUPS or (found.shape is Shape.ROWS and not found.focus):
        raise TreeTypeError(f"a tree in an expression must answer one value, and there {_are(found)}")
    return found.item if found.shape in (Shape.ONE, Shape.VALUES) else ANY


@contextmanager
def _named(operator: str) -> Iterator[None]:
    """Gives the errors of expressions the operator's name."""
    try:
        yield
    except TreeTypeError as bad:
        raise TreeTypeError(f"{operator}: {bad}") from bad


# ---------------------------------------------------------------- JOIN
_FAR = frozenset({Kind.INT, Kind.FLOAT, Kind.DATE, Kind.DATETIME, Kind.TIME, Kind.DURATION})
"""What has a distance."""


def _check_nearest(part: Expression, scope: TypeScope) -> None:
    assert isinstance(part, Call)
    sides = part.arguments
    named = [side.base.identifier for side in sides if isinstance(side, Attribute) and isinstance(side.base, Name)]
    if named != ["i1", "i2"] or part.keywords:
        raise TreeTypeError(f"nearest(i1.a, i2.b) is about one attribute of each side, not `{format_expression(part)}`")
    left, right = (meaning_of(side, scope) for side in sides)
    for side in (left, right):
        if kind_of(side) not in _FAR | {Kind.ANY}:
            raise TreeTypeError(f"nearest() of {said(side)}, which has no distance")
    if not comparable(left, right):
        raise TreeTypeError(f"nearest() of {said(left)} and {said(right)}")
