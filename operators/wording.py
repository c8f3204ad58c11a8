"""Operator trees in plain English, so that whoever asked sees how a question was read: "the number of runs I did, from
2024-01-01 to 2024-12-31".

What has no usual wording stands as the tree's own text has it. Attributes that are only read or computed are named
where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import singledispatch
from typing import Final

from .base import Node
from .conditions import conjuncts, sides
from .expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
    Builtin,
    Call,
    Collection,
    Comparison,
    Comprehension,
    Expression,
    Field,
    Function,
    Lambda,
    Literal,
    Method,
    Name,
    Not,
    Slice,
)
from .nodes import (
    Apply,
    ArgMax,
    ArgMin,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Qud,
    Retrieve,
    Sum,
    Unnest,
)
from .syntax.printing import format_expression, format_tree

_COMPARED: Final[Mapping[str, str]] = {
    "==": "is", "!=": "is not", ">": "over", ">=": "from", "<": "under", "<=": "up to",
    "in": "among", "not in": "not among",
}  # fmt: skip
_BUILT_IN: Final = {"len": "number", "sum": "sum", "mean": "average", "max": "greatest", "min": "least"}
_DAY, _MINUTE = 3, 5
"""Parts of a moment down to its day, and to its minute."""
_THAN: Final = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "==": "", "!=": "not"}
_DAYS: Final = frozenset({"start_date", "start_datetime"})
_RELATIONS: Final = {"==": "on the day of", ">": "after", ">=": "since", "<": "before", "<=": "until"}
"""How the first event of a JOIN stands to the second, by the comparison of their starts."""
_DAY_AND_ORDER: Final = 2
_COMPUTED: Final = {"-": "minus", "+": "and", "*": "times", "/": "divided by"}
_WHEN: Final = frozenset({"start_date", "start_datetime", "start_time", "end_date", "end_datetime", "end_time"})


def told_in_words(tree: Node, column: str | None = None) -> str:
    """What a tree answers; `column` is the attribute that answers, where its rows have several."""
    if column is None or (isinstance(tree, ArgMax | ArgMin) and tree.value_name == column):
        return wording(tree)
    return f"the {_plain(column)} of {wording(tree)}"


@singledispatch
def wording(tree: Node) -> str:
    """What a tree gives, as a noun phrase."""
    return format_tree(tree)


@wording.register
def _retrieve(tree: Retrieve) -> str:
    return f"“{tree.query}”{f' among {wording(tree.source)}' if tree.source is not None else ''}"


@wording.register
def _open(tree: Qud) -> str:
    return f"“{tree.question}”"


@wording.register
def _read(tree: Extract | Unnest) -> str:
    return wording(tree.input)


@wording.register
def _filter(tree: Filter) -> str:
    return f"{wording(tree.input)}, {limited(tree.condition.body)}"


def limited(body: Expression) -> str:
    """A condition on events, as it follows what they are called."""
    return _of_others(body) or condition(body)


@wording.register
def _join(tree: Join) -> str:
    how = _relation(tree.condition)
    if how is not None:
        return f"{wording(tree.left)} {how} {wording(tree.right)}"
    return f"{wording(tree.left)} with {wording(tree.right)} where {format_expression(tree.condition)}"


def _relation(joined: Expression) -> str | None:
    """How two events are joined, in a word; None where no usual one says it."""
    told = format_expression(joined)
    if "i2.start" in told and "i1.start" in told and "i2.end" in told:
        return "during"
    return next((word for sign, word in _RELATIONS.items() if told in _ways(sign)), None) or _same_day(joined)


def _same_day(joined: Expression) -> str | None:
    """ "the same day after" for two events of a day, one of which began when the other had."""
    found = {(one[0], one[1], one[2]) for one in map(sides, conjuncts(joined)) if one is not None}
    if len(found) != len(conjuncts(joined)):
        return None
    told = {(format_expression(left), sign, format_expression(right)) for left, sign, right in found}
    order = told - {("i1.start_date", "==", "i2.start_date")}
    if len(order) != 1 or len(told) != _DAY_AND_ORDER:
        return None
    ((left, sign, right),) = order
    word = {">": "after", ">=": "after", "<": "before", "<=": "before"}.get(sign)
    return f"the same day {word}" if word and (left, right) == ("i1.start_datetime", "i2.start_datetime") else None


def _ways(sign: str) -> tuple[str, ...]:
    return tuple(f"i1.{one} {sign} i2.{one}" for one in ("start_date", "start_datetime"))


def _of_others(body: Expression) -> str | None:
    """ "during “the trip”" for events that are among those that a JOIN has kept, "on days with “football”" for those of
    the same days; None for other conditions."""
    if not isinstance(body, Comparison) or body.operators not in (("in",), ("not in",)):
        return None
    left, right = body.left, body.rights[0]
    tree = right.tree if isinstance(right, Answer) else None
    if not isinstance(left, Attribute) or left.name not in _DAYS or not isinstance(tree, Apply):
        return None
    no = "not " if body.operators == ("not in",) else ""
    if isinstance(tree.input, Join):
        how = _relation(tree.input.condition)
        return f"{no}{how} {wording(tree.input.right)}" if how is not None else None
    return f"{no}on days with {wording(tree.input)}" if left.name == "start_date" else None


@wording.register
def _group(tree: GroupBy) -> str:
    return f"{wording(tree.input)}, by {' and '.join(map(_plain, tree.names))}"


@wording.register
def _map(tree: Map) -> str:
    if isinstance(tree.input, GroupBy):
        return f"{_function(tree.function)} of {wording(tree.input)}"
    return wording(tree.input)


@wording.register
def _apply(tree: Apply) -> str:
    body = tree.function.body if isinstance(tree.function, Lambda) else None
    if _is_any(body):
        return f"whether there is any of {wording(tree.input)}"
    if isinstance(body, Slice) and isinstance(body.base, Call) and body.base.function == "sorted":
        last = body.start is not None and body.start < 0
        number = abs(body.start or body.stop or 1)
        return f"the {'last' if last else 'first'}{f' {number}' if number > 1 else ''} of {wording(tree.input)}"
    if isinstance(body, Comparison) and isinstance(body.left, Name) and len(body.operators) == 1:
        return f"whether {wording(tree.input)} is {_THAN.get(body.operators[0], '')} {_value(body.rights[0])}"
    if isinstance(body, Call) and body.function == "date":
        return f"{_value(body)}, as {wording(tree.input)} tells"
    if isinstance(body, Binary) and isinstance(body.left, Name) and body.operator in _COMPUTED:
        return f"{wording(tree.input)} {_COMPUTED[body.operator]} {_value(body.right)}"
    return f"the {_function(tree.function)} of {wording(tree.input)}"


@wording.register
def _extreme(tree: ArgMax | ArgMin) -> str:
    word = "most" if isinstance(tree, ArgMax) else "least"
    if isinstance(tree.input, Map) and isinstance(tree.input.input, GroupBy):
        return f"the {_plain(tree.value_name)} with the {word}: {wording(tree.input)}"
    of = {"most": "last", "least": "first"}[word] if tree.arg_name == "start_datetime" else None
    which = of or f"one with the {'greatest' if word == 'most' else 'least'} {_plain(tree.arg_name)}"
    return f"the {_plain(tree.value_name)} of the {which} of {wording(tree.input)}"


@wording.register
def _fold(tree: Sum | Avg | Max | Min) -> str:
    word = {Sum: "total", Avg: "average", Max: "greatest", Min: "least"}[type(tree)]
    if tree.name in _WHEN:
        word = {"greatest": "latest", "least": "earliest"}.get(word, word)
    return f"the {word} {_plain(tree.name)} of {wording(tree.input)}"


@singledispatch
def condition(body: Expression) -> str:
    """A condition on an event, as it follows a noun."""
    return format_expression(body)


@condition.register
def _all(body: Boolean) -> str:
    parts = [condition(part) for part in body.operands if not _is_missing(part)]
    return (", " if body.operator == "and" else " or ").join(parts)


@condition.register
def _negated(body: Not) -> str:
    inner = body.operand
    if isinstance(inner, Boolean) and inner.operator == "or":
        return f"neither {' nor '.join(condition(part) for part in inner.operands)}"
    return f"not {condition(inner)}"


@condition.register
def _compared(body: Comparison) -> str:
    if len(body.operators) != 1:
        return format_expression(body)
    left, test, right = body.left, body.operators[0], body.rights[0]
    if isinstance(left, Literal):  # "with Ann" is `"ann" in attr["participant"]`
        return f"{_value(right)} {'without' if test == 'not in' else 'with'} {_value(left)}"
    if test == "is not" and right == Literal(None):
        return f"with a known {_value(left)}"
    if isinstance(left, Attribute) and left.name in _WHEN and test in (">=", ">", "<", "<="):
        return f"{ {'>=': 'from', '>': 'after', '<': 'before', '<=': 'until'}[test] } {_value(right)}"
    if isinstance(right, Collection) and right.items and test in ("in", "not in"):
        return f"{_value(left)} {'is' if test == 'in' else 'is none of'} {_value(right)}"
    return f"{_value(left)} {_COMPARED.get(test, test)} {_value(right)}"


@singledispatch
def _value(expression: Expression) -> str:
    return format_expression(expression)


@_value.register
def _(expression: Attribute) -> str:
    return _plain(expression.name)


@_value.register
def _(expression: Collection) -> str:
    *first, last = map(_value, expression.items) if expression.items else ("nothing",)
    return f"{', '.join(first)} or {last}" if first else last


@_value.register
def _(expression: Literal) -> str:
    return f"“{expression.value}”" if isinstance(expression.value, str) else str(expression.value)


@_value.register
def _(expression: Method) -> str:
    return _value(expression.base) if expression.name == "lower" else f"{expression.name} of {_value(expression.base)}"


@_value.register
def _(expression: Field) -> str:
    return f"{expression.name} of {_value(expression.base)}"


@_value.register
def _(expression: Call) -> str:
    parts = [one.value for one in expression.arguments if isinstance(one, Literal) and isinstance(one.value, int)]
    if len(parts) == len(expression.arguments):
        if expression.function == "date" and len(parts) == _DAY:
            return date(*parts).isoformat()
        if expression.function == "datetime" and len(parts) >= _MINUTE:
            return datetime(*parts[:3], *parts[3:5]).isoformat(" ", "minutes")  # type: ignore[arg-type]
    return format_expression(expression)


@_value.register
def _(expression: Answer) -> str:
    return wording(expression.tree)


def _function(function: Function) -> str:
    """What a function gives of a list, as a noun."""
    if isinstance(function, Builtin):
        return _BUILT_IN.get(function.name, function.name)
    body = function.body
    if isinstance(body, Call) and len(body.arguments) == 1:
        inner, word = body.arguments[0], _BUILT_IN.get(body.function)
        if word and isinstance(inner, Comprehension) and isinstance(inner.element, Attribute):
            return f"{word} {_plain(inner.element.name)}"
        if body.function == "set" and isinstance(inner, Comprehension) and isinstance(inner.element, Attribute):
            return f"{_plain(inner.element.name)}s"
    return format_expression(function)


def _is_any(body: Expression | None) -> bool:
    return (
        isinstance(body, Comparison)
        and body.operators == (">",)
        and body.rights == (Literal(0),)
        and isinstance(body.left, Call)
        and body.left.function == "len"
        and isinstance(body.left.arguments[0], Name)
    )


def _is_missing(part: Expression) -> bool:
    """`x is None`, which stands beside a condition that values which are not known do not fail."""
    return isinstance(part, Comparison) and part.operators == ("is",) and part.rights == (Literal(None),)


def _plain(name: str) -> str:
    return name.replace("_", " ")
