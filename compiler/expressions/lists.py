"""Functions of whole lists (APPLY) and of groups (MAP after GROUP_BY): counting, folding, sorting, slicing.

A list is compiled as the rows that it holds. Each fold over it (len, sum, min …) becomes a subquery of its own; in a
group context the subquery is grouped by the keys, so that it joins with the others on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ...errors import TreeTypeError
from ...operators.checking.types import BOOL, FLOAT, INT, ORDERED, Kind, Type
from ...operators.expressions import (
    Attribute,
    Builtin,
    Call,
    Comprehension,
    Expression,
    Function,
    Index,
    Lambda,
    Literal,
    Name,
    Slice,
)
from ...operators.syntax.printing import format_expression
from ..scope import Column, Context, Rows, Single, Values, known, named, shared_names, surely
from ..sparql.algebra import (
    Aggregate,
    Expr,
    Extend,
    Filter,
    LeftJoin,
    Not,
    OrderBy,
    Pattern,
    Select,
    Step,
    Var,
    call,
    coalesced,
)
from .casts import term
from .expressions import Expressions, Row
from .typed_values import Value, compare


@dataclass(frozen=True)
class Fold:
    """A list folded into a variable, by a subquery over its rows."""

    rows: Rows
    variable: Var
    query: Select
    zero: bool = False
    """Whether it is 0 over nothing."""
    loses_groups: bool = True
    """Whether a group may be missing in it although the group's value is 0."""


def folded(
    rows: Rows, made: Aggregate, variable: Var, keys: tuple[Var, ...], *, zero: bool, loses_groups: bool
) -> Fold:
    """A fold by an aggregate, grouped by the keys if there are any."""
    averages = made.function == "AVG" and not keys  # AVG over nothing is 0 in SPARQL, and no answer here
    having = compare(">", Aggregate("COUNT"), 0) if averages else None
    query = Select((*keys, Extend(variable, made)), rows.pattern, groups=keys, having=having)
    return Fold(rows, variable, query, zero, loses_groups)


_SUMMED = frozenset({Kind.INT, Kind.FLOAT, Kind.DURATION})


@dataclass(frozen=True)
class Listing:
    """A list inside a function: its rows, and whether its items are rows or the values of the attribute ''."""

    rows: Rows
    of_values: bool = False
    conditional: bool = False
    """Whether it may leave out some of the group's rows."""

    def item(self) -> Row | Value:
        """What a name stands for that runs over the list."""
        if not self.of_values:
            return Row(self.rows.columns)
        column = self.rows.columns[""]
        return Value(column.variable, column.type, column.type.kind is Kind.DURATION, moment=column.moment)


@dataclass
class Folding:
    """Compiles a function of a list; `keys` are the variables that groups share, none for a whole list."""

    context: Context
    keys: tuple[Var, ...] = ()
    folds: list[Fold] = field(default_factory=list)

    def scope(self, names: dict[str, Listing | Row | Value]) -> Expressions:
        """A compiler of expressions in which the names may stand for lists."""
        return Expressions(self.context, names, [], self.fold_value)

    # ------------------------------------------------------------ lists
    def listing(self, scope: Expressions, expression: Expression) -> Listing | None:
        """The list that an expression stands for, or None where it is no list of rows or values."""
        if isinstance(expression, Name):
            bound = scope.names.get(expression.identifier)
            return bound if isinstance(bound, Listing) else None
        if isinstance(expression, Slice):
            base = self.listing(scope, expression.base)
            return None if base is None else self._sliced(base, expression)
        if isinstance(expression, Comprehension):
            base = self.listing(scope, expression.iterable)
            return None if base is None else self._comprehended(scope, base, expression)
        if isinstance(expression, Call) and expression.function in ("sorted", "set", "list"):
            base = self.listing(scope, expression.arguments[0])
            if base is None or expression.function == "list":
                return base
            return self._sorted(base, expression) if expression.function == "sorted" else self._distinct(base)
        return None

    def _comprehended(self, scope: Expressions, base: Listing, loop: Comprehension) -> Listing:
        inner = replace(scope, names={**scope.names, loop.variable: base.item()}, lets=[])
        before = len(self.folds)
        tests = [inner.condition(condition) for condition in loop.conditions]
        self._none_inside(before)
        rows = base.rows.adding(*inner.lets, *map(Filter, tests))
        conditional = base.conditional or bool(tests)
        if loop.element == Name(loop.variable):
            made = Listing(rows, base.of_values, conditional)
        else:
            inner = replace(inner, lets=[])
            value = inner.term(loop.element)
            self._none_inside(before)
            if value.kind is Kind.LIST:
                raise TreeTypeError("a list of lists; UNNEST it first")
            naming, variable = named(self.context, value.expr, "value")
            rows = rows.adding(*inner.lets, *naming)
            columns = {"": Column(value.type, variable)}
            made = Listing(replace(rows, columns=columns, focus=""), True, conditional)
        return self._distinct(made) if loop.kind == "set" else made

    def _none_inside(self, before: int) -> None:
        """A fold is a subquery beside the rows of its list; rows that are being filtered cannot see it."""
        if len(self.folds) > before:
            raise TreeTypeError("a fold of a list for each item of a list cannot be compiled")

    def _distinct(self, base: Listing) -> Listing:
        if not base.of_values:
            return base
        return Listing(once(self.context, base.rows, self.keys), True, True)

    def _sorted(self, base: Listing, call: Call) -> Listing:
        keywords = dict(call.keywords)
        key, reverse = keywords.get("key"), keywords.get("reverse", Literal(False))
        if not isinstance(reverse, Literal) or not isinstance(reverse.value, bool | int):
            raise TreeTypeError("reverse= is True or False")
        return self._by(base, key, descending=bool(reverse.value))

    def _by(self, base: Listing, key: Expression | None, *, descending: bool) -> Listing:
        """The list ordered by a key; items without one are left out."""
        rows = base.rows
        if isinstance(key, Lambda):
            inner = Expressions(self.context, {key.parameter: base.item()}, [])
            value = inner.term(key.body)
            rows = rows.adding(*inner.lets)
        elif key is None and base.of_values:
            item = base.item()
            assert isinstance(item, Value)
            value = item
        else:
            raise TreeTypeError("sorted() needs key=lambda e: … here")
        if value.kind not in ORDERED:
            raise TreeTypeError(f"a {value.type} has no order")
        naming, variable = named(self.context, value.expr, "key")
        rows = self.context.having(rows.adding(*naming), variable)
        order = (OrderBy(variable, descending), *(key for key in rows.order if key.variable != variable))
        return replace(base, rows=replace(rows, order=order), conditional=True)

    def _sliced(self, base: Listing, part: Slice) -> Listing:
        start, stop = part.start or 0, part.stop
        if start < 0 and stop is None:
            return replace(base, rows=self._limited(base.rows, 0, -start, last=True), conditional=True)
        if start < 0 or (stop is not None and stop < 0):
            raise TreeTypeError("a slice counts from the start, or is [-n:]")
        length = None if stop is None else max(0, stop - start)
        return replace(base, rows=self._limited(base.rows, start, length), conditional=True)

    def _limited(self, rows: Rows, start: int, length: int | None, *, last: bool = False) -> Rows:
        """Part of ordered rows, counted from the start, or from the end backwards."""
        if self.keys:
            raise TreeTypeError("parts of each group cannot be taken; only of the whole list, in APPLY")
        order = tuple(OrderBy(key.variable, key.descending != last) for key in rows.order)
        if not order:
            raise TreeTypeError("the list has no order; sort it by a key first")
        cut = Select(rows.variables(), rows.pattern, order=order, limit=length, offset=start)
        return replace(rows, pattern=(cut,))

    def one(self, scope: Expressions, expression: Expression) -> Listing | None:
        """The list of the one item that an expression picks: `l[0]`, `max(l, key=…)`; None where it picks none."""
        if isinstance(expression, Index):
            base = self.listing(scope, expression.base)
            if base is None:
                return None
            at = expression.position
            return replace(base, rows=self._limited(base.rows, at if at >= 0 else -at - 1, 1, last=at < 0))
        if isinstance(expression, Call) and expression.function in ("min", "max") and expression.keywords:
            if "default" in dict(expression.keywords) or len(expression.arguments) != 1:
                return None
            base = self.listing(scope, expression.arguments[0])
            if base is None:
                return None
            key = dict(expression.keywords).get("key")
            ordered = self._by(base, key, descending=expression.function == "max")
            return replace(ordered, rows=self._limited(ordered.rows, 0, 1))
        return None

    # ------------------------------------------------------------ values of lists
    def fold_value(self, scope: Expressions, expression: Expression) -> Value | None:
        """The value of an expression that folds a list, or None where it is another expression."""
        if isinstance(expression, Attribute) and (picked := self.one(scope, expression.base)) is not None:
            return self._picked(picked, expression)
        if isinstance(expression, Index | Call) and (picked := self.one(scope, expression)) is not None:
            return self._picked(picked, None)
        if not isinstance(expression, Call) or len(expression.arguments) != 1:
            return None
        name, argument = expression.function, expression.arguments[0]
        if name in ("any", "all") and isinstance(argument, Comprehension):
            return self._quantified(scope, name, argument)
        if name not in ("len", "sum", "mean", "min", "max"):
            return None
        base = self.listing(scope, argument)
        return None if base is None else self.fold(name, base, format_expression(expression))

    def _picked(self, picked: Listing, attribute: Attribute | None) -> Value:
        inner = Expressions(self.context, {"item": picked.item()}, [])
        value = inner.value(Name("item") if attribute is None else Attribute(Name("item"), attribute.name))
        if value.items is not None:
            raise TreeTypeError("a list; UNNEST it first")
        # Under a name of its own: another item picked from the same list has the same variables.
        variable = self.context.names.fresh("picked")
        found = Select((Extend(variable, value.expr),), picked.rows.pattern)
        self.folds.append(Fold(picked.rows, variable, found))
        return replace(value, expr=variable, moment=None)

    def _quantified(self, scope: Expressions, name: str, loop: Comprehension) -> Value | None:
        base = self.listing(scope, loop.iterable)
        if base is None:
            return None
        inner = replace(scope, names={**scope.names, loop.variable: base.item()}, lets=[])
        before = len(self.folds)
        kept = [inner.condition(condition) for condition in loop.conditions]
        test = inner.condition(loop.element)
        self._none_inside(before)
        tests = (*kept, test if name == "any" else Not(test))
        rows = base.rows.adding(*inner.lets, *map(Filter, tests))
        count = self.fold("len", Listing(rows, base.of_values, True), name)
        return Value(compare(">" if name == "any" else "=", count.expr, 0), BOOL)

    def fold(self, name: str, base: Listing, what: str) -> Value:
        """The fold of a list by len, sum, mean, min or max; `what` names it in errors."""
        wish = {"len": "count", "sum": "sum", "mean": "average", "min": "least", "max": "greatest"}[name]
        if name == "len":
            return self._fold(wish, Aggregate("COUNT"), base, INT, zero=True)
        item = base.item()
        if not isinstance(item, Value):
            raise TreeTypeError(f"{name}() of events; name an attribute, in `{what}`")
        if item.kind not in (_SUMMED if name in ("sum", "mean") else ORDERED):
            raise TreeTypeError(f"{name}() of a {item.type}")
        at = item.expr
        assert isinstance(at, Var)
        if name == "sum":
            summed = coalesced(at, _zero(item.type)) if self.keys else at
            kind = replace(item.type, part=None)
            return self._fold(wish, Aggregate("SUM", summed), base, kind, at=None if self.keys else at, zero=True)
        function = {"mean": "AVG", "min": "MIN", "max": "MAX"}[name]
        kind = item.type
        if name == "mean" and kind.kind is Kind.INT:
            kind = Type(FLOAT.kind, None, kind.unit, kind.unit_property)
        return self._fold(wish, Aggregate(function, at), base, kind, at=at)

    def _fold(
        self, wish: str, made: Aggregate, base: Listing, kind: Type, *, at: Var | None = None, zero: bool = False
    ) -> Value:
        rows = base.rows if at is None else self.context.having(base.rows, at)
        variable = self.context.names.fresh(wish)
        self.folds.append(folded(rows, made, variable, self.keys, zero=zero, loses_groups=zero and base.conditional))
        whole = coalesced(variable, _zero(kind)) if zero and self.keys and base.conditional else variable
        return Value(whole, kind, kind.kind is Kind.DURATION)

    # ------------------------------------------------------------ joining the folds
    def pattern(self, keys_of: Rows) -> Pattern:
        """The folds' subqueries together: joined on the keys, every group kept unless one fold says which there are."""
        if not self.keys:
            return tuple(LeftJoin((fold.query,)) for fold in self.folds)
        if len(self.folds) == 1 and not self.folds[0].loses_groups:
            return (self.folds[0].query,)
        same = surely(shared_names(self.context, self.keys))
        groups = Select(self.keys, keys_of.pattern, distinct=True)
        return (groups, *same, *(LeftJoin((fold.query, *same)) for fold in self.folds))


def _zero(kind: Type) -> Expr:
    """Zero as a term like the others of its type, so that equal values are one value."""
    return term(0 if kind.kind is Kind.INT else Decimal("0.0"))


def once(context: Context, rows: Rows, keys: tuple[Var, ...] = ()) -> Rows:
    """The values of rows, each once; in groups once for each."""
    column = rows.columns[""].alone()
    found = Select((*keys, column.variable), known(context, rows, column), distinct=True)
    trace = rows.evidence(shared_names(context, [column.variable]))
    return Rows((found,), {"": column}, order=(OrderBy(column.variable),), trace=trace, focus="")


def listing_of(context: Context, values: Values) -> Listing:
    """A list of values inside a function of it."""
    return Listing(once(context, values.rows) if values.distinct else values.rows, of_values=True)


def applied(context: Context, base: Listing, function: Function) -> Rows | Values | Single:
    """APPLY of a function to a list: fewer rows, a list of values, or one value."""
    if isinstance(function, Builtin):
        function = Lambda("l", Call(function.name, (Name("l"),)))
    folding = Folding(context)
    scope = folding.scope({function.parameter: base})
    listing = folding.listing(scope, function.body) or folding.one(scope, function.body)
    if listing is not None:
        return Values(listing.rows) if listing.of_values else listing.rows
    value = scope.term(function.body)
    return single(context, folding, scope.lets, value, base.rows)


def single(context: Context, folding: Folding, lets: Iterable[Step], value: Value, rows: Rows) -> Single:
    """One value computed from folds."""
    naming, variable = named(context, value.expr, "result")
    behind = folding.folds[0] if len(folding.folds) == 1 else None
    trace = (behind.rows if behind else rows).evidence()
    zero = behind is not None and behind.zero and behind.variable == variable
    return Single((*folding.pattern(rows), *lets, *naming), Column(value.type, variable), trace, zero)


def grouped(context: Context, rows: Rows, keys: tuple[str, ...], function: Function, name: str) -> Rows:
    """MAP of a function over groups: one row per group, with the keys and the function's value."""
    if isinstance(function, Builtin):
        function = Lambda("group", Call(function.name, (Name("group"),)))
    columns = {key: rows.columns[key].alone() for key in keys}
    folding = Folding(context, tuple(column.variable for column in columns.values()))
    scope = folding.scope({function.parameter: Listing(rows)})
    value = scope.term(function.body)
    if not folding.folds:
        raise TreeTypeError(f"`{format_expression(function)}` says nothing about the group")
    first, steps = folding.folds[0], [*folding.pattern(rows), *scope.lets]
    variable = first.variable
    if value.expr != variable:
        variable = context.names.fresh(name)
        steps.append(Extend(variable, value.expr))
    if len(folding.folds) > 1 or first.loses_groups or variable != first.variable:
        steps.append(Filter(call("BOUND", variable)))
    order = tuple(OrderBy(column.variable) for column in columns.values())
    held = {**columns, name: Column(value.type, variable)}
    trace = rows.evidence(shared_names(context, folding.keys))
    return Rows(tuple(steps), held, order=order, trace=trace, focus=name)
