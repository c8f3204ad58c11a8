"""Operator trees in plain English, so that whoever asked sees how a question was read: "the number of runs I did, from
2024-01-01 to 2024-12-31".

No text of a program stands in it. Attributes that are only read or computed are named where they are used. What
expressions are in words is in `saying.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Final

from .conditions import conjuncts, sides
from .expressions import (
    Answer,
    Attribute,
    Binary,
    Call,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Function,
    Index,
    Lambda,
    Literal,
    Name,
    Node,
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
from .saying import NOTHING_NAMED, WHEN, Named, condition, function_of, plain, value
from .syntax.printing import format_expression

_FOLDED: Final[Mapping[str, str]] = {"sum": "sum", "mean": "average", "max": "greatest", "min": "least"}
_THAN: Final = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "==": "", "!=": "not"}
_DAYS: Final = frozenset({"start_date", "start_datetime"})
_RELATIONS: Final = {"==": "on the day of", ">": "after", ">=": "since", "<": "before", "<=": "until"}
"""How the first event of a JOIN stands to the second, by the comparison of their starts."""
_DAY_AND_ORDER: Final = 2


def told_in_words(tree: Node, column: str | None = None) -> str:
    """What a tree answers; `column` is the attribute that answers, where its rows have several."""
    if column is None or (isinstance(tree, ArgMax | ArgMin) and tree.value_name == column):
        return wording(tree)
    told = wording(tree)
    return f"the {told}" if told.startswith(f"{plain(column)} of ") else f"the {plain(column)} of {told}"


@singledispatch
def wording(tree: Node) -> str:
    """What a tree gives, as a noun phrase."""
    return f"what {type(tree).__name__} gives"


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
    ranked = _ranked(tree)
    if ranked is not None:
        return f"{wording(tree.input)}, {ranked}"
    return f"{wording(tree.input)}, {limited(tree.condition.body)}"


def _ranked(tree: Filter) -> str | None:
    """Which rows of a table are kept that are compared with the best of the same table; None for another condition."""
    body = tree.condition.body
    if not isinstance(body, Comparison) or not isinstance(body.left, Attribute) or len(body.operators) != 1:
        return None
    against = body.rights[0].tree if isinstance(body.rights[0], Answer) else None
    name = plain(body.left.name)
    if isinstance(against, Max | Min) and against.input == tree.input and body.operators == ("==",):
        return f"the {'greatest' if isinstance(against, Max) else 'least'} {name}"
    if not isinstance(against, Apply) or against.input != tree.input or not isinstance(against.function, Lambda):
        return None
    most, cut = body.operators[0] == ">=", against.function.body
    if isinstance(cut, Index) and isinstance(cut.base, Slice):
        return f"the {'first' if most else 'last'} {cut.base.stop} by {name}"
    return f"number {cut.position + 1} by {name}" if isinstance(cut, Index) else None


def limited(body: Expression) -> str:
    """A condition on events, as it follows what they are called."""
    return _of_others(body) or condition(body)


@wording.register
def _join(tree: Join) -> str:
    how = _relation(tree.condition)
    if how is not None:
        return f"{wording(tree.left)} {how} {wording(tree.right)}"
    return f"{wording(tree.left)} with {wording(tree.right)} where {condition(tree.condition)}"


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
    return f"{wording(tree.input)}, by {' and '.join(map(plain, tree.names))}"


@wording.register
def _map(tree: Map) -> str:
    if isinstance(tree.input, GroupBy):
        return _function(tree.function, tree.input)
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
    if isinstance(body, Call) and body.function == "sorted" and isinstance(body.arguments[0], Name):
        return f"{wording(tree.input)}, the {'greatest' if dict(body.keywords).get('reverse') else 'least'} first"
    if isinstance(body, Comparison) and isinstance(body.left, Name) and len(body.operators) == 1:
        return f"whether {wording(tree.input)} is {_THAN.get(body.operators[0], '')} {value(body.rights[0])}"
    if isinstance(body, Call) and body.function == "date":
        return f"{value(body)}, as {wording(tree.input)} tells"
    if isinstance(body, Conditional) or (isinstance(body, Binary) and isinstance(body.left, Name)):
        return _function(tree.function, tree.input)
    return f"the {_function(tree.function, tree.input)}"


@wording.register
def _extreme(tree: ArgMax | ArgMin) -> str:
    word = "most" if isinstance(tree, ArgMax) else "least"
    if isinstance(tree.input, Map) and isinstance(tree.input.input, GroupBy):
        return f"the {plain(tree.value_name)} with the {word}: {wording(tree.input)}"
    of = {"most": "last", "least": "first"}[word] if tree.arg_name == "start_datetime" else None
    which = of or f"one with the {'greatest' if word == 'most' else 'least'} {plain(tree.arg_name)}"
    return f"the {plain(tree.value_name)} of the {which} of {wording(tree.input)}"


@wording.register
def _fold(tree: Sum | Avg | Max | Min) -> str:
    word = {Sum: "total", Avg: "average", Max: "greatest", Min: "least"}[type(tree)]
    if tree.name in WHEN:
        word = {"greatest": "latest", "least": "earliest"}.get(word, word)
    return f"the {word} {plain(tree.name)} of {wording(tree.input)}"


@value.register
def _answer(expression: Answer, _: Named = NOTHING_NAMED) -> str:
    return wording(expression.tree)


def _function(function: Function, of: Node) -> str:
    """What a function gives of the rows of a tree, as a noun."""
    body = function.body if isinstance(function, Lambda) else None
    if isinstance(body, Call) and len(body.arguments) == 1:
        inner, word = body.arguments[0], _FOLDED.get(body.function)
        if isinstance(inner, Comprehension) and isinstance(inner.element, Attribute) and not inner.conditions:
            if word is not None:
                return f"{word} {plain(inner.element.name)} of {wording(of)}"
            if body.function == "set":
                return f"{plain(inner.element.name)}s of {wording(of)}"
    return function_of(function, wording(of))


def _is_any(body: Expression | None) -> bool:
    return (
        isinstance(body, Comparison)
        and body.operators == (">",)
        and body.rights == (Literal(0),)
        and isinstance(body.left, Call)
        and body.left.function == "len"
        and isinstance(body.left.arguments[0], Name)
    )
