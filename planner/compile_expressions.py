"""Conditions and functions of rows as SPARQL expressions. `operators.evaluate` says what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import singledispatchmethod
from typing import Any

from ..errors import TreeTypeError
from ..operators.evaluate import Environment, NoValue, evaluate
from ..operators.expressions import (
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
    Index,
    Literal,
    Method,
    Name,
    Negative,
    Not,
    Slice,
)
from ..operators.names import free_names, holds_answer
from ..operators.printing import format_expression
from ..operators.types import (
    BOOL,
    DATE,
    DATETIME,
    FLOAT,
    INT,
    STR,
    TIME,
    Kind,
    Type,
    binary_type,
    field_type,
    method_type,
)
from .compile_calendar import DAY, date_of_parts, iso_week, weekday
from .compile_items import counted, first_items
from .compile_scope import Column, Context, Lines, Rows, Single, Values, enclosed, rows_of, subselect
from .compile_terms import bare, term
from .compile_values import Value, as_day, as_moment, as_number, as_term, compared, fixed_value, truth


@dataclass(frozen=True)
class Row:
    """What a name stands for when it is an event: its attributes."""

    columns: Mapping[str, Column]


Binding = Row | Value | Any
"""A row, a value, or a list of rows (compile_lists.Listing)."""


@dataclass
class Expressions:
    """Compiles expressions over names; `lets` are the lines that the texts it gave need in the pattern."""

    context: Context
    names: Mapping[str, Binding]
    lets: list[str] = field(default_factory=list)
    lists: Callable[[Expressions, Expression], Value | None] | None = None
    """How expressions over whole lists are compiled, where there are any."""

    def __post_init__(self) -> None:
        self._named: dict[str, str] = {}

    # ------------------------------------------------------------ entry points
    def let(self, text: str, wish: str) -> str:
        """A variable for an expression that is used more than once."""
        if text not in self._named:
            self._named[text] = self.context.names.fresh(wish)
            self.lets.append(f"BIND({bare(text)} AS {self._named[text]})")
        return self._named[text]

    def condition(self, expression: Expression) -> str:
        """Text of a condition."""
        return self.truth(self.value(expression))

    def truth(self, value: Value) -> str:
        """Text of a value's truth; a list is true if it has an item."""
        if value.kind is Kind.LIST:
            return self._any_item(value)
        return truth(value)

    def value(self, expression: Expression) -> Value:
        """The expression's text and type. Raises TreeTypeError saying which part makes no sense."""
        fixed = self._fixed(expression)
        if fixed is not None:
            return fixed
        if self.lists is not None and (found := self.lists(self, expression)) is not None:
            return found
        try:
            return self._value(expression)
        except TreeTypeError as bad:
            if " in " in str(bad) and "`" in str(bad):
                raise
            raise TreeTypeError(f"{bad}, in `{format_expression(expression)}`") from bad

    def term(self, expression: Expression) -> Value:
        """The expression as a term."""
        return as_term(self.value(expression), self.let)

    def _fixed(self, expression: Expression) -> Value | None:
        if free_names(expression) or holds_answer(expression):
            return None
        try:
            result = evaluate(expression, Environment({}, self.context.now))
        except NoValue as bad:
            raise TreeTypeError(f"`{format_expression(expression)}` has no value") from bad
        if result is None:
            raise TreeTypeError("None can only be compared with: x is None")
        return fixed_value(result)

    def row(self, expression: Expression) -> Row:
        """The event that an expression stands for."""
        bound = self.names.get(expression.identifier) if isinstance(expression, Name) else None
        if isinstance(bound, Row):
            return bound
        raise TreeTypeError(f"`{format_expression(expression)}` is not an event")

    # ------------------------------------------------------------ one expression each
    @singledispatchmethod
    def _value(self, expression: Expression) -> Value:
        raise TreeTypeError(f"`{format_expression(expression)}` cannot stand here")

    @_value.register
    def _(self, expression: Name) -> Value:
        bound = self.names.get(expression.identifier)
        if isinstance(bound, Value):
            return bound
        raise TreeTypeError(f"{expression.identifier} is an event or a list; name an attribute of it")

    @_value.register
    def _(self, expression: Attribute) -> Value:
        columns = self.row(expression.base).columns
        column = columns.get(expression.name)
        if column is None:
            near = get_close_matches(expression.name, columns, 1)
            known = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(sorted(columns)) or 'none'}"
            raise TreeTypeError(f"no attribute {expression.name!r} here; {known}")
        return Value(column.variable, column.type, column.type.kind is Kind.DURATION, items=column.items)

    @_value.register
    def _(self, expression: Field) -> Value:
        base = expression.base
        if isinstance(base, Method) and base.name == "isocalendar":
            return self._iso_part(base.base, {"year": 0, "week": 1}.get(expression.name))
        value = self.value(base)
        kind = field_type(value.type, expression.name)
        if value.kind is Kind.DURATION:
            days = f"FLOOR({value.text} / {DAY})"
            rest = f"FLOOR({value.text} - {DAY} * {days})"
            return Value(_whole(days if expression.name == "days" else rest), kind)
        text = as_term(value, self.let).text
        if value.kind is Kind.TIME:
            start = {"hour": 1, "minute": 4, "second": 7}[expression.name]
            return Value(f"xsd:integer(SUBSTR(STR({text}), {start}, 2))", kind)
        names = {"hour": "HOURS", "minute": "MINUTES", "second": "SECONDS"}
        made = f"{names.get(expression.name, expression.name.upper())}({text})"
        return Value(_whole(f"FLOOR({made})") if expression.name == "second" else made, kind)

    def _iso_part(self, base: Expression, position: int | None) -> Value:
        value = self.value(base)
        if value.kind not in (Kind.DATE, Kind.DATETIME) or position not in (0, 1, 2):
            raise TreeTypeError("isocalendar() is of a date, and has .year, .week and three items")
        day = as_number(as_day(value, self.let), self.let)
        if position == 2:
            return Value(_whole(f"({weekday(day)} + 1)"), Type(Kind.INT, "isoweekday"))
        part = iso_week(self.let, day)[position]
        return Value(_whole(part), Type(Kind.INT, "year" if position == 0 else None))

    @_value.register
    def _(self, expression: Method) -> Value:
        value, name = self.value(expression.base), expression.name
        kind = method_type(value.type, name)
        texts = {"lower": "LCASE", "upper": "UCASE", "startswith": "STRSTARTS", "endswith": "STRENDS"}
        if name in texts:
            arguments = [self._of_kind(argument, Kind.STR).text for argument in expression.arguments]
            return Value(f"{texts[name]}({', '.join([value.text, *arguments])})", kind)
        if name == "strip":
            return Value(f'REPLACE({value.text}, "^\\\\s+|\\\\s+$", "")', kind)
        if name in ("weekday", "isoweekday"):
            text = weekday(as_number(as_day(value, self.let), self.let))
            return Value(_whole(text if name == "weekday" else f"({text} + 1)"), kind)
        if name == "date":
            return as_day(value, self.let)
        if name == "time":
            return Value(f"STRDT(SUBSTR(STR({as_term(value, self.let).text}), 12, 8), xsd:time)", TIME)
        return Value(value.text, kind)  # total_seconds

    def _of_kind(self, expression: Expression, kind: Kind) -> Value:
        value = self.value(expression)
        if value.kind is not kind:
            raise TreeTypeError(f"`{format_expression(expression)}` is a {value.type}, not a {kind}")
        return value

    @_value.register
    def _(self, expression: Index) -> Value:
        base = expression.base
        if isinstance(base, Method) and base.name == "isocalendar":
            return self._iso_part(base.base, expression.position)
        raise TreeTypeError("positions are for lists of events in APPLY; for a text use a slice")

    @_value.register
    def _(self, expression: Slice) -> Value:
        value = self._of_kind(expression.base, Kind.STR)
        start, stop = expression.start or 0, expression.stop
        if start < 0 or (stop is not None and stop < 0):
            raise TreeTypeError("a slice of a text counts from its start")
        length = "" if stop is None else f", {max(0, stop - start)}"
        return Value(f"SUBSTR({value.text}, {start + 1}{length})", STR)

    @_value.register
    def _(self, expression: Binary) -> Value:
        left, right, operator = self.value(expression.left), self.value(expression.right), expression.operator
        kind = binary_type(operator, left.type, right.type)
        if kind.kind is Kind.STR:
            return Value(f"CONCAT({left.text}, {right.text})", STR)
        if kind.kind in (Kind.DATE, Kind.DATETIME):
            return self._moved(operator, left, right, kind)
        if left.kind in (Kind.DATE, Kind.DATETIME):
            return self._between(left, right)
        a, b = left.text, right.text
        if operator == "//":
            return Value(_whole(f"FLOOR({a} / {b})"), kind)
        if operator == "%":
            return Value(f"({a} - {b} * {_whole(f'FLOOR({a} / {b})')})", kind)
        return Value(f"({a} {operator} {b})", kind, numeric=kind.kind is Kind.DURATION)

    def _moved(self, operator: str, left: Value, right: Value, kind: Type) -> Value:
        """A day or moment with a length of time added or taken away; a day moves by whole days."""
        base, length = (right, left) if left.kind is Kind.DURATION else (left, right)
        moved = length.text if kind.kind is Kind.DATETIME else f"FLOOR({length.text} / {DAY})"
        return Value(f"({as_number(base, self.let)} {operator} {moved})", kind, numeric=True)

    def _between(self, left: Value, right: Value) -> Value:
        """The length of time from one day or moment to another."""
        if left.kind is right.kind is Kind.DATE:
            text = f"({DAY} * ({as_number(left, self.let)} - {as_number(right, self.let)}))"
        else:
            a, b = (as_number(as_moment(side, self.let), self.let) for side in (left, right))
            text = f"({a} - {b})"
        return Value(text, Type(Kind.DURATION), numeric=True)

    @_value.register
    def _(self, expression: Negative) -> Value:
        value = self.value(expression.operand)
        if value.kind not in (Kind.INT, Kind.FLOAT, Kind.DURATION):
            raise TreeTypeError(f"a {value.type} has no negative")
        return replace(value, text=f"(0 - {value.text})")

    @_value.register
    def _(self, expression: Not) -> Value:
        return Value(f"(!{_closed(self.condition(expression.operand))})", BOOL)

    @_value.register
    def _(self, expression: Boolean) -> Value:
        sign = " && " if expression.operator == "and" else " || "
        return Value(f"({sign.join(self.condition(operand) for operand in expression.operands)})", BOOL)

    @_value.register
    def _(self, expression: Comparison) -> Value:
        sides = [expression.left, *expression.rights]
        pairs = zip(sides, expression.operators, sides[1:], strict=False)
        texts = [self._compare(left, operator, right) for left, operator, right in pairs]
        return Value(texts[0] if len(texts) == 1 else f"({' && '.join(texts)})", BOOL)

    def _compare(self, left: Expression, operator: str, right: Expression) -> str:
        if right == Literal(None):
            if operator not in ("==", "!=", "is", "is not"):
                raise TreeTypeError("None has no order")
            present = self._present(left)
            return present if operator in ("!=", "is not") else f"(!{_closed(present)})"
        if operator in ("in", "not in"):
            found = self._contained(left, right)
            return found if operator == "in" else f"(!{_closed(found)})"
        return compared(operator, self.value(left), self.value(right), self.let)

    def _present(self, expression: Expression) -> str:
        value = self.value(expression)
        if value.kind is Kind.LIST:
            return self._any_item(value)
        text = as_term(value, self.let).text
        return f"BOUND({text if text.startswith('?') else self.let(text, 'known')})"

    def _any_item(self, value: Value) -> str:
        if value.items is None:
            return term(bool(value.fixed))
        return first_items(self.context, value.items, lambda _: "")

    def _contained(self, item: Expression, collection: Expression) -> str:
        if isinstance(collection, Collection):
            return self._one_of(item, [self.value(other) for other in collection.items])
        if isinstance(collection, Answer):
            return self._answered(item, collection)
        if isinstance(collection, Comprehension):
            return self._quantified("any", collection, lambda inner, v: compared("==", self.value(item), v, inner.let))
        whole = self.value(collection)
        if whole.known and isinstance(whole.fixed, tuple):
            return self._one_of(item, [fixed_value(other) for other in whole.fixed if other is not None])
        value = self.value(item)
        if whole.items is not None:
            return first_items(self.context, whole.items, lambda at: compared("==", Value(at, STR), value, self.let))
        if whole.kind is not Kind.STR or value.kind is not Kind.STR:
            raise TreeTypeError(f"a {whole.type} cannot hold a {value.type}")
        return f"CONTAINS({whole.text}, {value.text})"

    def _one_of(self, item: Expression, others: list[Value]) -> str:
        value = self.value(item)
        tests = [compared("==", value, other, self.let) for other in others]
        return f"({' || '.join(tests)})" if tests else f"({value.text} != {value.text})"

    def _answered(self, item: Expression, collection: Answer) -> str:
        """Whether a value is among those that another tree answers."""
        answer = self.context.answer(collection.tree)
        if isinstance(answer, Single):
            return f"COALESCE({bare(compared('==', self.value(item), self.value(collection), self.let))}, false)"
        rows = answer.rows if isinstance(answer, Values) else rows_of(answer, "in")
        name = "" if isinstance(answer, Values) else rows.focus
        if name is None or not rows.columns[name].variable:
            raise TreeTypeError("it is not clear which attribute of the tree is meant")
        value, column = self.term(item), rows.columns[name]
        if value.kind is not column.type.kind or value.kind not in (Kind.DATE, Kind.STR, Kind.INT):
            raise TreeTypeError(f"a {value.type} among values that are each a {column.type}")
        # Joined by hashing; false is among no values of these kinds, and keeps rows that lack the item.
        key, found = self.context.names.fresh("item"), self.context.names.fresh("found")
        self.lets.append(f"BIND(COALESCE({bare(value.text)}, false) AS {key})")
        projection = [f"({column.variable} AS {key})", f"(true AS {found})"]
        self.lets += enclosed(subselect(projection, _known(rows, column), distinct=True), "OPTIONAL {")
        return f"BOUND({found})"

    @_value.register
    def _(self, expression: Conditional) -> Value:
        test = self.condition(expression.test)
        then, otherwise = self.term(expression.then), self.term(expression.otherwise)
        if {then.kind, otherwise.kind} == {Kind.INT, Kind.FLOAT}:
            kind = FLOAT
        elif then.kind is otherwise.kind and then.kind is not Kind.LIST:
            kind = then.type if then.type == otherwise.type else then.type.plain()
        else:
            raise TreeTypeError(f"either a {then.type} or a {otherwise.type}")
        texts = ", ".join(_like(kind, side) for side in (then, otherwise))
        return Value(f"IF({bare(test)}, {texts})", kind, numeric=kind.kind is Kind.DURATION)

    @_value.register
    def _(self, expression: Answer) -> Value:
        answer = self.context.answer(expression.tree)
        if isinstance(answer, Values):  # of several, the least
            least = self.context.names.fresh("answer")
            lines = subselect([f"(MIN({answer.column.variable}) AS {least})"], _known(answer.rows, answer.column))
            answer = Single(lines, Column(answer.column.type, least), answer.rows.trace)
        if not isinstance(answer, Single):
            raise TreeTypeError("a tree in an expression must answer one value")
        self.lets += enclosed(answer.lines, "OPTIONAL {")
        return Value(answer.column.variable, answer.column.type, answer.column.type.kind is Kind.DURATION)

    @_value.register
    def _(self, expression: Call) -> Value:
        name, arguments = expression.function, expression.arguments
        if name in ("any", "all"):
            return Value(self._quantified(name, arguments[0], lambda inner, value: inner.truth(value)), BOOL)
        if name == "len":
            return self._length(arguments[0])
        if name in ("min", "max"):
            return self._extreme(name, arguments)
        if name == "datetime.combine":
            day, clock = self._of_kind(arguments[0], Kind.DATE), self._of_kind(arguments[1], Kind.TIME)
            text = f'STRDT(CONCAT(STR({as_term(day, self.let).text}), "T", STR({clock.text})), xsd:dateTime)'
            return Value(text, DATETIME)
        if name == "date":
            parts = [self._of_kind(argument, Kind.INT).text for argument in arguments]
            return Value(date_of_parts(self.let, *parts), DATE)
        if name in ("abs", "round", "str", "int", "float", "bool"):
            return self._converted(name, arguments)
        raise TreeTypeError(f"{name}() cannot stand here")

    def _length(self, argument: Expression) -> Value:
        if isinstance(argument, Call) and argument.function in ("set", "list"):
            argument = argument.arguments[0]
        value = self.value(argument)
        if value.items is not None:
            return Value(counted(self.context, value.items, self.lets), INT)
        if value.kind is Kind.STR:
            return Value(f"STRLEN({value.text})", INT)
        raise TreeTypeError(f"a {value.type} has no length")

    def _extreme(self, name: str, arguments: tuple[Expression, ...]) -> Value:
        if len(arguments) < 2:
            raise TreeTypeError(f"{name}() of one list stands in APPLY, or in MAP over groups")
        best = self.term(arguments[0])
        for argument in arguments[1:]:
            other = self.term(argument)
            test = bare(compared("<" if name == "min" else ">", other, best, self.let))
            kind = best.type if best.kind is other.kind else FLOAT
            texts = ", ".join(_like(kind, side) for side in (other, best))
            best = Value(f"IF({test}, {texts})", kind, numeric=kind.kind is Kind.DURATION)
        return best

    def _converted(self, name: str, arguments: tuple[Expression, ...]) -> Value:
        value = self.term(arguments[0])
        if name == "bool":
            return Value(self.truth(value), BOOL)
        if name == "str":
            if value.kind in (Kind.LIST, Kind.DURATION):
                raise TreeTypeError(f"a {value.type} is not written as a text here")
            return Value(f"STR({value.text})", STR)
        if value.kind not in (Kind.INT, Kind.FLOAT) and not (value.kind is Kind.STR and name in ("int", "float")):
            raise TreeTypeError(f"{name}() is of a number, not of a {value.type}")
        if name == "abs":
            return replace(value, text=f"ABS({value.text})", fixed=value.fixed)
        if name in ("int", "float"):
            kind = INT if name == "int" else FLOAT
            return Value(f"xsd:{'integer' if name == 'int' else 'decimal'}({value.text})", kind)
        return self._rounded(value, arguments[1:])

    def _rounded(self, value: Value, digits: tuple[Expression, ...]) -> Value:
        places = self.value(digits[0]).fixed if digits else 0
        if not isinstance(places, int) or not 0 <= places <= 12:
            raise TreeTypeError("round() takes a fixed number of digits, 0 to 12")
        if places == 0:
            return replace(value, text=_whole(f"FLOOR({value.text} + 0.5)"), type=replace(value.type, kind=Kind.INT))
        return replace(value, text=f"(FLOOR({value.text} * {10**places} + 0.5) / {10**places})")

    # ------------------------------------------------------------ any, all
    def _quantified(self, name: str, argument: Expression, test: Callable[[Expressions, Value], str]) -> str:
        """Text of any() or all(), of a comprehension over a list attribute or of fixed items."""
        if not isinstance(argument, Comprehension):
            return self._of_each(name, [(value, self) for value in self._elements(argument)], test)
        over = argument.iterable
        if isinstance(over, Collection) or free_names(over) == frozenset():
            bound = [replace(self, names={**self.names, argument.variable: value}) for value in self._elements(over)]
            tests = [self._conditioned(argument, inner, name, test) for inner in bound]
            return self._joined(name, tests)
        items = self.value(over).items
        if items is None:
            raise TreeTypeError(f"`{format_expression(over)}` is not a list")
        wanted = name == "any"
        found = first_items(self.context, items, lambda at: self._item_test(argument, at, test, wanted=wanted))
        return found if wanted else f"(!{_closed(found)})"

    def _elements(self, expression: Expression) -> list[Value]:
        if isinstance(expression, Collection):
            return [self.value(item) for item in expression.items]
        fixed = self.value(expression).fixed
        if isinstance(fixed, tuple):
            return [fixed_value(item) for item in fixed if item is not None]
        raise TreeTypeError(f"`{format_expression(expression)}` is not a list")

    def _of_each(self, name: str, values: list[Any], test: Callable[[Expressions, Value], str]) -> str:
        return self._joined(name, [test(inner, value) for value, inner in values])

    def _joined(self, name: str, tests: list[str]) -> str:
        """Items without a value do not count."""
        empty = "false" if name == "any" else "true"
        known = [f"COALESCE({bare(test)}, {empty})" for test in tests]
        return f"({(' || ' if name == 'any' else ' && ').join(known)})" if known else empty

    def _conditioned(self, loop: Comprehension, inner: Expressions, name: str, test: Any) -> str:
        inner = replace(inner, lets=self.lets)
        result = test(inner, inner.value(loop.element))
        kept = [inner.condition(condition) for condition in loop.conditions]
        if not kept:
            return result
        held = f"COALESCE({' && '.join(kept)}, false)"
        return f"({held} && {result})" if name == "any" else f"(!{held} || {result})"

    def _item_test(self, loop: Comprehension, at: str, test: Any, *, wanted: bool) -> str:
        """The test of one item inside EXISTS; what it names is bound inside too."""
        inner = Expressions(self.context, {**self.names, loop.variable: Value(at, STR)}, [])
        result = test(inner, inner.value(loop.element))
        conditions = [inner.condition(condition) for condition in loop.conditions]
        whole = " && ".join([*conditions, result if wanted else f"(!{_closed(result)})"])
        lets = " ".join(inner.lets)
        return f"{lets}\0{whole}" if lets else whole


def _known(rows: Rows, column: Column) -> Lines:
    """The rows that have a value."""
    return (*rows.lines, f"FILTER(BOUND({column.variable}))")


def _like(kind: Type, value: Value) -> str:
    """A number as a term like the others of a type, so that equal values are one value."""
    mixed = kind.kind is Kind.FLOAT and value.kind is Kind.INT
    return f"xsd:decimal({bare(value.text)})" if mixed else value.text


def _whole(text: str) -> str:
    return f"xsd:integer({bare(text)})"


def _closed(text: str) -> str:
    return text if text.startswith(("(", "EXISTS", "BOUND", "CONTAINS", "STR")) else f"({text})"
