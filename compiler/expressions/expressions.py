"""Conditions and functions of rows as SPARQL expressions. `operators.evaluation.evaluate` says what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import singledispatchmethod
from typing import Any

from ...errors import TreeTypeError
from ...operators.checking.types import BOOL, DATE, DATETIME, FLOAT, STR, Kind
from ...operators.evaluation.evaluate import Environment, NoValue, evaluate
from ...operators.expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
    Call,
    Comparison,
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
from ...operators.names import free_names, holds_answer
from ...operators.syntax.printing import format_expression
from ..scope import Column, Context, Single, Values, known
from ..sparql.algebra import (
    FALSE,
    Aggregate,
    Expr,
    Extend,
    Operation,
    Select,
    Step,
    Var,
    both,
    call,
    coalesced,
    optional,
    text,
)
from ..sparql.algebra import Not as Negation
from .arithmetic import binary, converted, extreme, iso_part, length, method
from .arithmetic import field as field_of
from .calendar import date_of_parts
from .casts import term, typed
from .items import first_items
from .membership import contained, quantified
from .typed_values import Value, as_term, compared, fixed_value, like, truth


@dataclass(frozen=True)
class Row:
    """What a name stands for when it is an event: its attributes."""

    columns: Mapping[str, Column]


Binding = Row | Value | Any
"""A row, a value, or a list of rows (compile_lists.Listing)."""


@dataclass
class Expressions:
    """Compiles expressions over names; `lets` are the operators that what it gave needs in the pattern."""

    context: Context
    names: Mapping[str, Binding]
    lets: list[Step] = field(default_factory=list)
    lists: Callable[[Expressions, Expression], Value | None] | None = None
    """How expressions over whole lists are compiled, where there are any."""

    def __post_init__(self) -> None:
        self._named: dict[Expr, Var] = {}

    # ------------------------------------------------------------ entry points
    def let(self, value: Expr, wish: str) -> Var:
        """A variable for an expression that is used more than once."""
        if value not in self._named:
            self._named[value] = self.context.names.fresh(wish)
            self.lets.append(Extend(self._named[value], value))
        return self._named[value]

    def condition(self, expression: Expression) -> Expr:
        """A condition."""
        if isinstance(expression, Boolean) and self._fixed(expression) is None:
            return self._decided(expression)[0]
        return self.truth(self.value(expression))

    def _decided(self, expression: Expression) -> tuple[Expr, bool | None]:
        """A condition, and whether its sides are truth values: all of them, none, or (None) some."""
        if not isinstance(expression, Boolean):
            value = self.value(expression)
            return self.truth(value), value.kind is Kind.BOOL
        sides = [self._decided(operand) for operand in expression.operands]
        tests, last = [test for test, _ in sides], sides[-1][1]
        if expression.operator == "or" and last is not True:  # a default: sides that are missing do not count
            if last is None:
                raise TreeTypeError(f"`{format_expression(expression)}` gives one of its sides")
            tests[:-1] = [coalesced(test, FALSE) for test in tests[:-1]]
        kinds = {kind for _, kind in sides}
        joined = Operation("&&" if expression.operator == "and" else "||", tuple(tests))
        return joined, kinds.pop() if len(kinds) == 1 else None

    def truth(self, value: Value) -> Expr:
        """A value's truth; a list is true if it has an item."""
        if value.kind is Kind.LIST:
            return self._any_item(value)
        return truth(value)

    def value(self, expression: Expression) -> Value:
        """The expression's SPARQL and type. Raises TreeTypeError saying which part makes no sense."""
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
            told = TreeTypeError(f"{bad}, in `{format_expression(expression)}`")
            told.node = bad.node
            raise told from bad

    def term(self, expression: Expression) -> Value:
        """The expression as a term."""
        return as_term(self.value(expression), self.let)

    def of_kind(self, expression: Expression, kind: Kind) -> Value:
        """The expression's value. Raises TreeTypeError where it is of another kind."""
        value = self.value(expression)
        if value.kind is not kind:
            raise TreeTypeError(f"`{format_expression(expression)}` is a {value.type}, not a {kind}")
        return value

    def inside(self, names: Mapping[str, Binding], lets: list[Step]) -> Expressions:
        """The same with more names, whose operators go to `lets`."""
        return replace(self, names={**self.names, **names}, lets=lets)

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
        duration = column.type.kind is Kind.DURATION
        return Value(column.variable, column.type, duration, items=column.items, moment=column.moment)

    @_value.register
    def _(self, expression: Field) -> Value:
        return field_of(self, expression)

    @_value.register
    def _(self, expression: Method) -> Value:
        return method(self, expression)

    @_value.register
    def _(self, expression: Binary) -> Value:
        return binary(self, expression)

    @_value.register
    def _(self, expression: Index) -> Value:
        base = expression.base
        if isinstance(base, Method) and base.name == "isocalendar":
            return iso_part(self, base.base, expression.position)
        raise TreeTypeError("positions are for lists of events in APPLY; for a text use a slice")

    @_value.register
    def _(self, expression: Slice) -> Value:
        value = self.of_kind(expression.base, Kind.STR)
        start, stop = expression.start or 0, expression.stop
        if start < 0 or (stop is not None and stop < 0):
            raise TreeTypeError("a slice of a text counts from its start")
        length = () if stop is None else (max(0, stop - start),)
        return Value(call("SUBSTR", value.expr, start + 1, *length), STR)

    @_value.register
    def _(self, expression: Negative) -> Value:
        value = self.value(expression.operand)
        if value.kind not in (Kind.INT, Kind.FLOAT, Kind.DURATION):
            raise TreeTypeError(f"a {value.type} has no negative")
        return replace(value, expr=0 - value.expr)

    @_value.register
    def _(self, expression: Not) -> Value:
        return Value(Negation(self.condition(expression.operand)), BOOL)

    @_value.register
    def _(self, expression: Boolean) -> Value:
        test, truths = self._decided(expression)
        if truths is not True:
            raise TreeTypeError(f"`{format_expression(expression)}` gives one of its sides")
        return Value(test, BOOL)

    @_value.register
    def _(self, expression: Comparison) -> Value:
        sides = [expression.left, *expression.rights]
        pairs = zip(sides, expression.operators, sides[1:], strict=False)
        return Value(both(*(self._compare(left, operator, right) for left, operator, right in pairs)), BOOL)

    def _compare(self, left: Expression, operator: str, right: Expression) -> Expr:
        if right == Literal(None):
            if operator not in ("==", "!=", "is", "is not"):
                raise TreeTypeError("None has no order")
            present = self._present(left)
            return present if operator in ("!=", "is not") else Negation(present)
        if operator in ("in", "not in"):
            found = contained(self, left, right)
            return found if operator == "in" else Negation(found)
        return compared(operator, self.value(left), self.value(right), self.let)

    def _present(self, expression: Expression) -> Expr:
        value = self.value(expression)
        if value.kind is Kind.LIST:
            return self._any_item(value)
        made = as_term(value, self.let).expr
        return call("BOUND", made if isinstance(made, Var) else self.let(made, "known"))

    def _any_item(self, value: Value) -> Expr:
        if value.items is None:
            return term(bool(value.fixed))
        return first_items(self.context, value.items, lambda _: ())

    @_value.register
    def _(self, expression: Conditional) -> Value:
        test = self.condition(expression.test)
        if expression.test == expression.then:  # `x if x else 0` is `x or 0`
            test = coalesced(test, FALSE)
        then, otherwise = self.term(expression.then), self.term(expression.otherwise)
        if {then.kind, otherwise.kind} == {Kind.INT, Kind.FLOAT}:
            kind = FLOAT
        elif then.kind is otherwise.kind and then.kind is not Kind.LIST:
            kind = then.type if then.type == otherwise.type else then.type.plain()
        else:
            raise TreeTypeError(f"either a {then.type} or a {otherwise.type}")
        made = call("IF", test, like(kind, then), like(kind, otherwise))
        return Value(made, kind, numeric=kind.kind is Kind.DURATION)

    @_value.register
    def _(self, expression: Answer) -> Value:
        answer = self.context.answer(expression.tree)
        if isinstance(answer, Values):  # of several, the least
            least = self.context.names.fresh("answer")
            fold = Extend(least, Aggregate("MIN", answer.column.variable))
            found = Select((fold,), known(self.context, answer.rows, answer.column))
            answer = Single((found,), Column(answer.column.type, least), answer.rows.trace)
        if not isinstance(answer, Single):
            raise TreeTypeError("a tree in an expression must answer one value")
        self.lets += optional(answer.pattern)
        return Value(answer.column.variable, answer.column.type, answer.column.type.kind is Kind.DURATION)

    @_value.register
    def _(self, expression: Call) -> Value:
        name, arguments = expression.function, expression.arguments
        if name in ("any", "all"):
            return Value(quantified(self, name, arguments[0], lambda inner, value: inner.truth(value)), BOOL)
        if expression.keywords:
            raise TreeTypeError(
                f"{name}() with {', '.join(name for name, _ in expression.keywords)}= cannot stand here"
            )
        if name == "len":
            return length(self, arguments[0])
        if name in ("min", "max"):
            return extreme(self, name, arguments)
        if name == "datetime.combine":
            day, clock = self.of_kind(arguments[0], Kind.DATE), self.of_kind(arguments[1], Kind.TIME)
            said = call("CONCAT", call("STR", as_term(day, self.let).expr), text("T"), call("STR", clock.expr))
            return Value(typed(said, "dateTime"), DATETIME)
        if name == "date":
            parts = [self.of_kind(argument, Kind.INT).expr for argument in arguments]
            return Value(date_of_parts(self.let, *parts), DATE)
        if name in ("abs", "round", "str", "int", "float", "bool"):
            return converted(self, name, arguments)
        raise TreeTypeError(f"{name}() cannot stand here")
