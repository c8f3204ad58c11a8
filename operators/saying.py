"""Expressions in plain English: a value as a noun phrase, a condition as it follows a noun. All of an expression is
said, and nothing of it as a program has it.

    condition(read("attr['start_date'].isoweekday() in [6, 7]").body)     # on Saturday or Sunday
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import singledispatch
from types import MappingProxyType
from typing import Final

from .conditions import FLIPPED, day_across, links
from .expressions import (
    Attribute,
    Binary,
    Boolean,
    Builtin,
    Call,
    Collection,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Field,
    Function,
    Index,
    Lambda,
    Literal,
    Loops,
    Method,
    Name,
    Negative,
    Not,
    Slice,
    target_names,
)
from .methods_in_words import CALLED, DONE, TESTED, amount, from_to, keyword, listed, plain, written

Named = Mapping[str, str]
"""What names stand for, in words; "" for a row whose attributes alone are said."""
NOTHING_NAMED: Final[Named] = MappingProxyType({"i1": "the first", "i2": "the second"})
WHEN: Final = frozenset({"start_date", "start_datetime", "start_time", "end_date", "end_datetime", "end_time"})
_COMPARED: Final[Mapping[str, str]] = {
    "==": "is", "!=": "is not", ">": "over", ">=": "from", "<": "under", "<=": "up to", "in": "among",
    "not in": "not among", "is": "is", "is not": "is not",
}  # fmt: skip
_TIMED: Final = {">=": "from", ">": "after", "<": "before", "<=": "until"}
_COMPUTED: Final = {
    "-": "{} minus {}", "+": "{} and {}", "*": "{} times {}", "/": "{} divided by {}",
    "//": "{} divided by {}, rounded down", "%": "what {} divided by {} leaves",
}  # fmt: skip
_NAMES: Final = {
    "isoweekday": (1, calendar.day_name), "weekday": (0, calendar.day_name), "month": (0, calendar.month_name)
}  # fmt: skip
"""The first number of what has names, and the names."""
_DAY, _MINUTE = 3, 5
"""Parts of a moment down to its day, and to its minute."""


def function_of(function: Function, of: str) -> str:
    """What a function gives of something that is called so."""
    if isinstance(function, Builtin):
        return DONE_BY_NAME.get(function.name, function.name + " of {}").format(of)
    return value(function.body, {**NOTHING_NAMED, function.parameter: of})


DONE_BY_NAME: Final[Mapping[str, str]] = {name: words for (name, number), words in CALLED.items() if number == 1}


# ---------------------------------------------------------------- values
@singledispatch
def value(expression: Expression, named: Named = NOTHING_NAMED) -> str:
    """A value as a noun phrase."""
    return f"whether {condition(expression, named)}"


@value.register
def _(expression: Literal, _: Named = NOTHING_NAMED) -> str:
    if isinstance(expression.value, str):
        return f"“{expression.value}”"
    if expression.value is None:
        return "unknown"
    if isinstance(expression.value, bool):
        return "yes" if expression.value else "no"
    return str(expression.value)


@value.register
def _(expression: Name, named: Named = NOTHING_NAMED) -> str:
    return named.get(expression.identifier) or "it"


@value.register
def _(expression: Attribute, named: Named = NOTHING_NAMED) -> str:
    base = expression.base
    if isinstance(base, Name):
        of = named.get(base.identifier, "")
        return f"{plain(expression.name)} of {of}" if of else plain(expression.name)
    return f"{plain(expression.name)} of {value(base, named)}"


@value.register
def _(expression: Field, named: Named = NOTHING_NAMED) -> str:
    return f"{expression.name} of {value(expression.base, named)}"


@value.register
def _(expression: Method, named: Named = NOTHING_NAMED) -> str:
    if expression.name in TESTED:
        return f"whether {condition(expression, named)}"
    given = [value(one, named) for one in expression.arguments]
    given += [keyword(name, value(one, named)) for name, one in expression.keywords]
    base = value(expression.base, named)
    if expression.name == "strftime" and isinstance(expression.arguments[0], Literal):
        return written(str(expression.arguments[0].value), base)
    words = DONE.get((expression.name, len(given))) or DONE.get((expression.name, -1))
    return words.format(base, *given, all=listed(given, "and")) if words else _plainly(expression.name, base, given)


@value.register
def _(expression: Call, named: Named = NOTHING_NAMED) -> str:
    moment = _moment(expression)
    if moment:
        return moment
    given = [value(one, named) for one in expression.arguments]
    keywords = [(name, value(one, named)) for name, one in expression.keywords]
    if expression.function in ("timedelta", "relativedelta"):
        held = [*zip(("days", "seconds"), given, strict=False), *keywords]
        return listed([amount(number, unit) for unit, number in held], "and") or "no time"
    if expression.function in TESTED:
        return f"whether {condition(expression, named)}"
    extra = [keyword(name, said) for name, said in keywords]
    words = CALLED.get((expression.function, len(given))) or CALLED.get((expression.function, -1))
    if words is None:
        return _plainly(expression.function.rpartition(".")[2], *_first(given, extra))
    return ", ".join([words.format(*given, all=listed(given, "and")), *extra])


@value.register
def _(expression: Index, named: Named = NOTHING_NAMED) -> str:
    place = expression.position
    which = {0: "first", -1: "last"}.get(place)
    if which is None:
        which = f"number {place + 1}" if place >= 0 else f"number {-place} from the end"
    return f"{which} of {value(expression.base, named)}"


@value.register
def _(expression: Slice, named: Named = NOTHING_NAMED) -> str:
    base, start, stop = value(expression.base, named), expression.start, expression.stop
    if start is None and stop is not None and stop > 0:
        return f"first {stop} of {base}"
    if stop is None and start is not None and start < 0:
        return f"last {-start} of {base}"
    return f"{base}{from_to(*(None if at is None else str(at) for at in (start, stop)))}"


@value.register
def _(expression: Binary, named: Named = NOTHING_NAMED) -> str:
    return _COMPUTED[expression.operator].format(value(expression.left, named), value(expression.right, named))


@value.register
def _(expression: Negative, named: Named = NOTHING_NAMED) -> str:
    return f"minus {value(expression.operand, named)}"


@value.register
def _(expression: Conditional, named: Named = NOTHING_NAMED) -> str:
    then, otherwise = value(expression.then, named), value(expression.otherwise, named)
    return f"{then} if {condition(expression.test, named)}, else {otherwise}"


@value.register
def _(expression: Collection, named: Named = NOTHING_NAMED) -> str:
    return listed([value(one, named) for one in expression.items], "or") or "nothing"


@value.register
def _(expression: Comprehension, named: Named = NOTHING_NAMED) -> str:
    inner = {**named, expression.variable: ""}
    tests = [condition(test, inner) for test in expression.conditions]
    said = value(expression.iterable, named)
    if expression.element != Name(expression.variable):
        said = f"{value(expression.element, inner)} of {said}"
    return f"{said} where {' and '.join(tests)}" if tests else said


@value.register
def _(expression: Loops, named: Named = NOTHING_NAMED) -> str:
    inner, said = dict(named), list[str]()
    for loop in expression.loops:
        said.append(value(loop.iterable, inner))
        inner.update(dict.fromkeys(target_names(loop.target), ""))
        said += [f"where {condition(test, inner)}" for test in loop.conditions]
    return f"{value(expression.element, inner)} of each of {', '.join(said)}"


@value.register
def _(expression: Lambda, named: Named = NOTHING_NAMED) -> str:
    return value(expression.body, {**named, expression.parameter: ""})


def _moment(call: Call) -> str:
    """A day, a moment or a time of day that is written out; "" for others."""
    parts = [one.value for one in call.arguments if isinstance(one, Literal) and type(one.value) is int]
    if len(parts) != len(call.arguments) or call.keywords:
        return ""
    try:
        if call.function == "date" and len(parts) == _DAY:
            return date(*parts).isoformat()
        if call.function == "datetime" and len(parts) >= _DAY:
            moment = datetime(*parts)  # type: ignore[arg-type]
            return moment.isoformat(" ", "seconds" if moment.second else "minutes")
    except ValueError:  # a day that there is not
        return " ".join([call.function, "-".join(map(str, parts))])
    if call.function == "time" and parts:
        return ":".join(f"{part:02d}" for part in (*parts, 0)[: max(2, len(parts))])
    return ""


def _plainly(name: str, of: str, given: Sequence[str]) -> str:
    more = f" with {listed(given, 'and')}" if given else ""
    return f"{plain(name)} of {of}{more}"


def _first(given: Sequence[str], extra: Sequence[str]) -> tuple[str, list[str]]:
    return (given[0], [*given[1:], *extra]) if given else ("it", list(extra))


# ---------------------------------------------------------------- conditions
@singledispatch
def condition(body: Expression, named: Named = NOTHING_NAMED) -> str:
    """A condition on an event, as it follows a noun."""
    return f"with {value(body, named)}"


@condition.register
def _(body: Boolean, named: Named = NOTHING_NAMED) -> str:
    day = day_across(body)
    if day is not None:
        return f"on {day.isoformat()} or across it"
    told = [condition(part, named) for part in body.operands if not _is_missing(part)]
    if not told:
        told = [condition(part, named) for part in body.operands]
    return (", " if body.operator == "and" else " or ").join(told)


@condition.register
def _(body: Not, named: Named = NOTHING_NAMED) -> str:
    inner = body.operand
    if isinstance(inner, Boolean) and inner.operator == "or":
        return f"neither {' nor '.join(condition(part, named) for part in inner.operands)}"
    return f"not {condition(inner, named)}"


@condition.register
def _(body: Comparison, named: Named = NOTHING_NAMED) -> str:
    return ", ".join(_compared(*_sides(link), named) for link in links(body))


@condition.register
def _(body: Conditional, named: Named = NOTHING_NAMED) -> str:
    test, then, otherwise = (condition(one, named) for one in (body.test, body.then, body.otherwise))
    return f"{then} if {test}, else {otherwise}"


@condition.register
def _(body: Literal, _: Named = NOTHING_NAMED) -> str:
    return "always" if body.value else "never"


@condition.register
def _(body: Method | Call, named: Named = NOTHING_NAMED) -> str:
    name = _name_of(body)
    said = [value(one, named) for one in (*((body.base,) if isinstance(body, Method) else ()), *body.arguments)]
    if name in ("any", "all") and body.arguments:
        return _of_each(name, body.arguments[0], named)
    words = TESTED.get(name)
    return words.format(*said, all=listed(said[1:], "and")) if words else f"with {value(body, named)}"


def _name_of(body: Method | Call) -> str:
    return body.name if isinstance(body, Method) else body.function


def _of_each(name: str, of: Expression, named: Named) -> str:
    """ "any of “a” or “b”: text with it"."""
    if not isinstance(of, Comprehension):
        return f"{name} of {value(of, named)}"
    inner = {**named, of.variable: "it" if free_as_value(of.element, of.variable) else ""}
    tests = [condition(one, inner) for one in (of.element, *of.conditions)]
    return f"for {name} of {value(of.iterable, named)}: {', '.join(tests)}"


def free_as_value(expression: Expression, name: str) -> bool:
    """Whether a variable stands for a value itself, not for a row of which attributes are read."""
    return f"Attribute(base=Name(identifier={name!r})" not in repr(expression)


def _sides(link: Expression) -> tuple[Expression, str, Expression]:
    """A comparison of two, what is compared before the number that it is compared with."""
    assert isinstance(link, Comparison)
    left, test, right = link.left, link.operators[0], link.rights[0]
    if isinstance(left, Literal | Call) and test in FLIPPED and not isinstance(right, Literal | Call):
        return right, FLIPPED[test], left
    return left, test, right


def _compared(left: Expression, test: str, right: Expression, named: Named) -> str:
    if (
        isinstance(left, Literal | Name) and not isinstance(right, Collection) and test in ("in", "not in")
    ):  # "with Ann" is `"ann" in attr["participant"]`
        return f"{value(right, named)} {'without' if test == 'not in' else 'with'} {value(left, named)}"
    if right == Literal(None) and test in ("is", "is not", "==", "!="):
        if isinstance(left, Call | Method) and _name_of(left) in TESTED:
            return f"{'' if test in ('is not', '!=') else 'not '}{condition(left, named)}"
        return f"with {'a known' if test in ('is not', '!=') else 'no known'} {value(left, named)}"
    said = _by_name(left, test, right)
    if said:
        return said
    is_when = isinstance(left, Attribute) and left.name in WHEN and not _is_of_pair(left)
    if is_when and test in _TIMED:
        ended = "ended " if isinstance(left, Attribute) and left.name.startswith("end_") else ""
        return f"{ended}{_TIMED[test]} {value(right, named)}"
    if is_when and isinstance(left, Attribute) and left.name == "start_date" and test == "==" and _is_written(right):
        return f"on {value(right, named)}"
    if isinstance(right, Collection) and right.items and test in ("in", "not in"):
        return f"{value(left, named)} {'is' if test == 'in' else 'is none of'} {value(right, named)}"
    return f"{value(left, named)} {_COMPARED[test]} {value(right, named)}"


def _is_written(day: Expression) -> bool:
    return isinstance(day, Call) and bool(_moment(day))


def _is_of_pair(left: Attribute) -> bool:
    return isinstance(left.base, Name) and left.base.identifier in NOTHING_NAMED


def _by_name(left: Expression, test: str, right: Expression) -> str:
    """ "on Monday", "in May", "in 2024" for a part of the day on which something began; "" for others."""
    if not isinstance(left, Method | Field) or not isinstance(left.base, Attribute) or _is_of_pair(left.base):
        return ""
    given = right.items if isinstance(right, Collection) else (right,)
    numbers = [one.value for one in given if isinstance(one, Literal) and type(one.value) is int]
    is_day = left.base.name in ("start_date", "start_datetime")
    if not is_day or not numbers or len(numbers) != len(given) or test not in ("==", "!=", "in", "not in"):
        return ""
    if left.name == "year":
        names = [str(number) for number in numbers]
    else:
        first, called = _NAMES.get(left.name, (0, ()))
        if not called or not all(0 <= n - first < len(called) and (called[n - first]) for n in numbers):
            return ""
        names = [called[number - first] for number in numbers]
    no = "not " if test in ("!=", "not in") else ""
    return f"{no}{'on' if 'day' in left.name else 'in'} {listed(names, 'or')}"


def _is_missing(part: Expression) -> bool:
    """`x is None`, which stands beside a condition that values which are not known do not fail."""
    return isinstance(part, Comparison) and part.operators == ("is",) and part.rights == (Literal(None),)
