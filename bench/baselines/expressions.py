"""Conditions and functions of a tree as SQL of DuckDB; what it has no words for is refused with TreeTypeError.

Lists and groups are lists of structs, so that comprehensions, sorting and folds stay in the query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import singledispatchmethod
from typing import Final

from ...errors import TreeTypeError
from ...operators.checking.types import ANY, BOOL, DATE, DATETIME, FLOAT, INT, LIST, NONE, STR, TIME, Kind, Type
from ...operators.expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
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
)
from ...operators.nodes import Node
from ...store.vocabulary import Vocabulary
from .arithmetic import added, moment_of, span_of
from .missing import absent, told
from .said import Said, alike, column_of
from .tables import TEXT, quoted, text

_COMPARED: Final = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FOLDED: Final = {"sum": "list_sum", "min": "list_min", "max": "list_max", "mean": "list_avg", "median": "list_median"}
_PLAIN: Final = {"lower": "lower", "upper": "upper", "strip": "trim"}


@dataclass(frozen=True)
class Translator:
    """Says expressions in SQL. `names` are what parameters stand for, `tree` says a tree that stands inside."""

    now: datetime
    vocabulary: Vocabulary
    names: Mapping[str, Said]
    tree: Callable[[Node], Said]

    def binding(self, **names: Said) -> Translator:
        """The same with more names."""
        return replace(self, names={**self.names, **names})

    def function(self, function: Function, given: Said) -> Said:
        """A function of a row, a group, a list or a value."""
        if isinstance(function, Lambda):
            return self.binding(**{function.parameter: given}).said(function.body)
        return self._folded(function.name, given)

    @singledispatchmethod
    def said(self, expression: Expression) -> Said:
        """An expression in SQL. Raises TreeTypeError for what cannot be said."""
        raise TreeTypeError(f"SQL has no {type(expression).__name__} here")

    @said.register
    def _(self, expression: Literal) -> Said:
        value = expression.value
        if value is None:
            return Said("NULL", NONE)
        if isinstance(value, str):
            return Said(text(value), STR)
        if isinstance(value, bool):
            return Said(str(value).lower(), BOOL)
        return Said(str(value), INT if isinstance(value, int) else FLOAT)

    @said.register
    def _(self, expression: Name) -> Said:
        if expression.identifier not in self.names:
            raise TreeTypeError(f"SQL knows no {expression.identifier}")
        return self.names[expression.identifier]

    @said.register
    def _(self, expression: Attribute) -> Said:
        return self._attribute(self.said(expression.base), expression.name)

    def _attribute(self, base: Said, name: str) -> Said:
        if not base.row or base.many:
            raise TreeTypeError(f"SQL has no rows with {name!r} here")
        column = column_of(name, base.row, self.vocabulary)
        if column is None:
            return Said(f"{base.sql}.{quoted(TEXT)}", STR, missing=True)
        kind = base.row[column].type
        return Said(f"{base.sql}.{quoted(column)}", kind, STR if kind.kind is Kind.LIST else ANY)

    @said.register
    def _(self, expression: Answer) -> Said:
        return self.tree(expression.tree)

    @said.register
    def _(self, expression: Field) -> Said:
        if expression.name == "week":  # of isocalendar()
            return self.said(expression.base)
        return moment_of(self._known(expression.base), expression.name)

    @said.register
    def _(self, expression: Method) -> Said:
        base = self.said(expression.base)
        name, arguments = expression.name, [self.said(argument) for argument in expression.arguments]
        if base.missing:
            return base
        if name in _PLAIN:
            return Said(f"{_PLAIN[name]}({base.sql})", STR)
        if name == "strftime":
            return Said(f"strftime({base.sql}, {arguments[0].sql})", STR)
        if name in ("startswith", "endswith"):
            return Said(f"{_AFFIX[name]}({base.sql}, {arguments[0].sql})", BOOL)
        return moment_of(base, name)

    @said.register
    def _(self, expression: Index) -> Said:
        base = self.said(expression.base)
        if isinstance(expression.base, Method) and expression.base.name == "isocalendar":
            return base  # only the week of it is asked for
        at = expression.position + 1 if expression.position >= 0 else expression.position
        return base.item(f"({base.sql})[{at}]")

    @said.register
    def _(self, expression: Slice) -> Said:
        base = self.said(expression.base)
        if (expression.start or 0) < 0 or (expression.stop or 0) < 0:
            raise TreeTypeError("SQL has no part of a list that is counted from its end")
        stop = "" if expression.stop is None else str(expression.stop)
        return base.like(f"({base.sql})[{(expression.start or 0) + 1}:{stop}]")

    @said.register
    def _(self, expression: Binary) -> Said:
        left, right = self._known(expression.left), self._known(expression.right)
        return added(expression.operator, left, right)

    @said.register
    def _(self, expression: Negative) -> Said:
        inner = self._known(expression.operand)
        return Said(f"-({inner.sql})", inner.type)

    @said.register
    def _(self, expression: Not) -> Said:
        return Said(f"NOT ({self.said(expression.operand).sql})", BOOL)

    @said.register
    def _(self, expression: Boolean) -> Said:
        parts = (f"({self.said(part).sql})" for part in expression.operands)
        return Said(f" {expression.operator.upper()} ".join(parts), BOOL)

    @said.register
    def _(self, expression: Conditional) -> Said:
        then, otherwise = self.said(expression.then), self.said(expression.otherwise)
        if then.missing:
            return then
        return replace(then, sql=f"CASE WHEN {self.said(expression.test).sql} THEN {then.sql} ELSE {otherwise.sql} END")

    @said.register
    def _(self, expression: Collection) -> Said:
        items = [self._known(item) for item in expression.items]
        return Said(f"[{', '.join(item.sql for item in items)}]", LIST, items[0].type if items else ANY)

    @said.register
    def _(self, expression: Comparison) -> Said:
        sides = [expression.left, *expression.rights]
        parts = [
            self._compared(left, operator, right)
            for left, operator, right in zip(sides, expression.operators, sides[1:], strict=False)
        ]
        return Said(" AND ".join(f"({part})" for part in parts), BOOL)

    def _compared(self, left: Expression, operator: str, right: Expression) -> str:
        if operator in ("in", "not in"):
            return ("NOT " if operator == "not in" else "") + f"({self._within(left, right)})"
        one, other = self.said(left), self.said(right)
        if operator in ("is", "is not"):
            return absent(one, operator)
        if one.missing or other.missing:
            return told(one, other, operator)
        both = alike(one, other)
        return f"{both[0]} {_COMPARED[operator]} {both[1]}"

    def _within(self, wanted: Expression, whole: Expression) -> str:
        if isinstance(whole, Collection):
            return " OR ".join(self._compared(wanted, "==", item) for item in whole.items) or "false"
        value, held = self.said(wanted), self.said(whole)
        if value.missing or held.missing:
            return told(value, held, "==")
        if isinstance(whole, Answer):
            return f"{value.sql} IN (SELECT unnest({held.sql}))" if held.listed else f"{value.sql} = {held.sql}"
        if held.listed:
            return f"list_contains({held.sql}, {value.sql})"
        return f"contains(lower({held.sql}), lower({value.sql}))"

    def _known(self, expression: Expression) -> Said:
        found = self.said(expression)
        if found.missing:
            raise TreeTypeError("no table has a column for what the question asks of")
        return found

    @said.register
    def _(self, expression: Comprehension) -> Said:
        whole = self.said(expression.iterable)
        item = self._item(expression.variable)
        inner = self.binding(**{expression.variable: whole.item(item)})
        kept = whole.sql
        if expression.conditions:
            tests = " AND ".join(f"({inner.said(test).sql})" for test in expression.conditions)
            kept = f"list_filter({kept}, lambda {item}: {tests})"
        element = inner._known(expression.element)
        found = f"list_transform({kept}, lambda {item}: {element.sql})"
        made = whole.like(kept) if element.row else Said(found, LIST, element.type)
        return made.like(f"list_distinct({made.sql})") if expression.kind == "set" else made

    @said.register
    def _(self, expression: Loops) -> Said:
        """One loop over two lists side by side: `for a, b in zip(x, y)`."""
        loop = expression.loops[0]
        if len(expression.loops) != 1 or not isinstance(loop.target, tuple):
            raise TreeTypeError("SQL has no such loops")
        call = loop.iterable
        if not (isinstance(call, Call) and call.function == "zip" and len(call.arguments) == len(loop.target)):
            raise TreeTypeError("SQL has no such loops")
        lists = [self.said(argument) for argument in call.arguments]
        item = self._item("pair")
        names = {str(name): lists[at].item(f"{item}[{at + 1}]") for at, name in enumerate(loop.target)}
        inner = self.binding(**names)
        zipped = f"list_zip({', '.join(part.sql for part in lists)}, true)"
        tests = "".join(f" AND ({inner.said(test).sql})" for test in loop.conditions)
        known = " AND ".join(f"{item}[{at + 1}] IS NOT NULL" for at in range(len(lists)))
        kept = f"list_filter({zipped}, lambda {item}: {known}{tests})"
        element = inner._known(expression.element)
        return Said(f"list_transform({kept}, lambda {item}: {element.sql})", LIST, element.type)

    def _item(self, name: str) -> str:
        """A name in SQL for the items of a list, which no outer one has."""
        return f"{name}_{len(self.names)}"

    @said.register
    def _(self, expression: Call) -> Said:
        name, keywords = expression.function, dict(expression.keywords)
        if name in ("date.today", "datetime.now"):
            day = name == "date.today"
            shown = self.now.date().isoformat() if day else self.now.isoformat(" ", "seconds")
            return Said(f"{'DATE' if day else 'TIMESTAMP'} {text(shown)}", DATE if day else DATETIME)
        if name in ("timedelta", "relativedelta"):
            given = {key: self._known(value) for key, value in keywords.items()}
            given |= dict(zip(("days", "seconds"), map(self._known, expression.arguments), strict=False))
            return span_of(name, given)
        if name in ("sorted", "min", "max") and len(expression.arguments) == 1:
            return self._ordered(name, self.said(expression.arguments[0]), keywords)
        arguments = [self._known(argument) for argument in expression.arguments]
        if len(arguments) == 1 and (name in _FOLDED or name in ("len", "any", "all", "set", "list", "sorted")):
            return self._folded(name, arguments[0])
        return _called(name, arguments)

    def _ordered(self, name: str, whole: Said, keywords: Mapping[str, Expression]) -> Said:
        """sorted(), min(), max(), perhaps by a key; items without a key are left out."""
        key, back = keywords.get("key"), keywords.get("reverse")
        down = name == "max" or (isinstance(back, Literal) and back.value is True)
        if not isinstance(key, Lambda):
            if name != "sorted":
                return self._folded(name, whole)
            return whole.like(f"list_sort({whole.sql}, '{'DESC' if down else 'ASC'}')")
        item = self._item(key.parameter)
        by = self.binding(**{key.parameter: whole.item(item)})._known(key.body).sql
        kept = f"list_filter({whole.sql}, lambda {item}: {by} IS NOT NULL)"
        keyed = f"list_transform({kept}, lambda {item}: {{'k': {by}, 'v': {item}}})"
        sorted_ = f"list_sort({keyed}, '{'DESC' if down else 'ASC'}')"
        found = f"list_transform({sorted_}, lambda {item}: {item}.v)"
        return whole.like(found) if name == "sorted" else whole.item(f"({found})[1]")

    def _folded(self, name: str, whole: Said) -> Said:
        if name == "len":
            return Said(f"len({whole.sql})", INT)
        if not whole.listed:
            return _called(name, [whole])
        if name in ("any", "all"):
            test, none = ("x", "> 0") if name == "any" else ("NOT x", "= 0")
            return Said(f"len(list_filter({whole.sql}, lambda x: {test})) {none}", BOOL)
        if name in ("set", "list", "sorted"):
            outer = {"set": "list_distinct", "list": "", "sorted": "list_sort"}[name]
            return whole.like(f"{outer}({whole.sql})")
        if name not in _FOLDED:
            raise TreeTypeError(f"SQL has no {name}() of a list")
        found = f"{_FOLDED[name]}({whole.sql})"
        of = whole.items if name in ("sum", "min", "max") else replace(whole.items, kind=Kind.FLOAT)
        return Said(f"coalesce({found}, 0)" if name == "sum" else found, of)


_AFFIX: Final = {"startswith": "starts_with", "endswith": "ends_with"}
_MADE: Final[Mapping[str, tuple[str, Type]]] = {
    "date": ("make_date", DATE),
    "time": ("make_time", TIME),
    "datetime": ("make_timestamp", DATETIME),
}
_CASTS: Final[Mapping[str, tuple[str, Type]]] = {
    "str": ("VARCHAR", STR),
    "int": ("BIGINT", INT),
    "float": ("DOUBLE", FLOAT),
    "date.fromisoformat": ("DATE", DATE),
    "time.fromisoformat": ("TIME", TIME),
    "datetime.fromisoformat": ("TIMESTAMP", DATETIME),
}


def _called(name: str, arguments: list[Said]) -> Said:
    """A function of plain values."""
    given = [argument.sql for argument in arguments]
    if name in _MADE:
        function, kind = _MADE[name]
        wanted = {"date": 3, "time": 3, "datetime": 6}[name]
        filled = [*given, *["0"] * (wanted - len(given))]
        if name != "date":
            filled[-1] = f"CAST({filled[-1]} AS DOUBLE)"
        return Said(f"{function}({', '.join(filled)})", kind)
    if name in _CASTS and len(given) == 1:
        return Said(f"TRY_CAST({given[0]} AS {_CASTS[name][0]})", _CASTS[name][1])
    if name in ("abs", "round") and arguments and arguments[0].type.kind is not Kind.LIST:
        return Said(f"{name}({', '.join(given)})", arguments[0].type)
    if name in ("min", "max") and len(given) > 1:
        return Said(f"{'least' if name == 'min' else 'greatest'}({', '.join(given)})", arguments[0].type)
    raise TreeTypeError(f"SQL has no {name}() here")
