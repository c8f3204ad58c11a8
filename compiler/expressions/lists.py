"""Functions of whole lists (APPLY) and of groups (MAP after GROUP_BY): counting, folding, sorting, slicing.

A list is compiled as the rows that it holds. Each fold over it (len, sum, min …) becomes a subquery of its own; in a
group context the subquery is grouped by the keys, so that it joins with the others on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

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
from ..folds import Fold, folded, merged
from ..scope import (
    Column,
    Context,
    Lines,
    Rows,
    Single,
    Values,
    enclosed,
    known,
    order_clause,
    shared_names,
    subselect,
    surely,
)
from .expressions import Expressions, Row
from .terms import bare
from .values import Value

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
    keys: tuple[str, ...] = ()
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
        rows = base.rows.adding([*inner.lets, *(f"FILTER({bare(test)})" for test in tests)])
        conditional = base.conditional or bool(tests)
        if loop.element == Name(loop.variable):
            made = Listing(rows, base.of_values, conditional)
        else:
            inner = replace(inner, lets=[])
            value = inner.term(loop.element)
            self._none_inside(before)
            if value.kind is Kind.LIST:
                raise TreeTypeError("a list of lists; UNNEST it first")
            rows = rows.adding(inner.lets)
            variable = value.text
            if not variable.startswith("?"):
                variable = self.context.names.fresh("value")
                rows = rows.adding([f"BIND({bare(value.text)} AS {variable})"])
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
        rows, column = base.rows, base.rows.columns[""]
        column = column.alone()
        lines = subselect([*self.keys, column.variable], known(self.context, rows, column), distinct=True)
        order = ((column.variable, False),)
        trace = rows.evidence(shared_names(self.context, [column.variable]))
        made = Rows(lines, {"": column}, order=order, trace=trace, focus="")
        return Listing(made, True, True)

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
            rows = rows.adding(inner.lets)
        elif key is None and base.of_values:
            item = base.item()
            assert isinstance(item, Value)
            value = item
        else:
            raise TreeTypeError("sorted() needs key=lambda e: … here")
        if value.kind not in ORDERED:
            raise TreeTypeError(f"a {value.type} has no order")
        variable = value.text
        if not variable.startswith("?"):
            variable = self.context.names.fresh("key")
            rows = rows.adding([f"BIND({bare(value.text)} AS {variable})"])
        rows = self.context.having(rows, variable)
        order = ((variable, descending), *(item for item in rows.order if item[0] != variable))
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
        order = [(name, descending != last) for name, descending in rows.order]
        if not order:
            raise TreeTypeError("the list has no order; sort it by a key first")
        tail = [*order_clause(order)]
        tail += [] if length is None else [f"LIMIT {length}"]
        tail += [f"OFFSET {start}"] if start else []
        return replace(rows, lines=subselect(rows.variables(), rows.lines, tail))

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
        if not value.text.startswith("?"):
            raise TreeTypeError("a list; UNNEST it first")
        # Under a name of its own: another item picked from the same list has the same variables.
        variable = self.context.names.fresh("picked")
        lines = subselect([f"({value.text} AS {variable})"], picked.rows.lines)
        self.folds.append(Fold(picked.rows, (), variable, False, True, lines=lines))
        return replace(value, text=variable, moment=None)

    def _quantified(self, scope: Expressions, name: str, loop: Comprehension) -> Value | None:
        base = self.listing(scope, loop.iterable)
        if base is None:
            return None
        inner = replace(scope, names={**scope.names, loop.variable: base.item()}, lets=[])
        before = len(self.folds)
        kept = [inner.condition(condition) for condition in loop.conditions]
        test = inner.condition(loop.element)
        self._none_inside(before)
        tests = [*kept, test if name == "any" else f"(!({bare(test)}))"]
        rows = base.rows.adding([*inner.lets, *(f"FILTER({bare(text)})" for text in tests)])
        count = self.fold("len", Listing(rows, base.of_values, True), name)
        return Value(f"({count.text} {'>' if name == 'any' else '='} 0)", BOOL)

    def fold(self, name: str, base: Listing, what: str) -> Value:
        """The fold of a list by len, sum, mean, min or max; `what` names it in errors."""
        wish = {"len": "count", "sum": "sum", "mean": "average", "min": "least", "max": "greatest"}[name]
        if name == "len":
            return self._fold(wish, "COUNT(*)", base, INT, zero=True)
        item = base.item()
        if not isinstance(item, Value):
            raise TreeTypeError(f"{name}() of events; name an attribute, in `{what}`")
        if item.kind not in (_SUMMED if name in ("sum", "mean") else ORDERED):
            raise TreeTypeError(f"{name}() of a {item.type}")
        at = item.text
        if name == "sum":
            made = f"SUM(COALESCE({at}, {_zero(item.type)}))" if self.keys else f"SUM({at})"
            return self._fold(wish, made, base, replace(item.type, part=None), at=None if self.keys else at, zero=True)
        function = {"mean": "AVG", "min": "MIN", "max": "MAX"}[name]
        kind = item.type
        if name == "mean" and kind.kind is Kind.INT:
            kind = Type(FLOAT.kind, None, kind.unit, kind.unit_property)
        return self._fold(wish, f"{function}({at})", base, kind, at=at)

    def _fold(
        self, wish: str, made: str, base: Listing, kind: Type, *, at: str | None = None, zero: bool = False
    ) -> Value:
        rows = base.rows if at is None else self.context.having(base.rows, at)
        variable = self.context.names.fresh(wish)
        narrowed = rows.lines != base.rows.lines
        fold = Fold(rows, (f"({made} AS {variable})",), variable, zero, zero and base.conditional, narrowed)
        self.folds.append(replace(fold, lines=folded(fold, self.keys)))
        text = f"COALESCE({variable}, {_zero(kind)})" if zero and self.keys and base.conditional else variable
        return Value(text, kind, kind.kind is Kind.DURATION)

    # ------------------------------------------------------------ joining the folds
    def lines(self, keys_of: Rows) -> Lines:
        """The folds' subqueries together: joined on the keys, every group kept unless one fold says which there are."""
        folds = merged(self.context, self.folds, self.keys)
        if not self.keys:
            return tuple(line for fold in folds for line in enclosed(fold.lines, "OPTIONAL {"))
        if len(folds) == 1 and not folds[0].loses_groups:
            return folds[0].lines
        shared = shared_names(self.context, self.keys)
        lines = [*subselect(self.keys, keys_of.lines, distinct=True), *surely(shared)]
        for fold in folds:
            lines += enclosed((*fold.lines, *surely(shared)), "OPTIONAL {")
        return tuple(lines)


def _zero(kind: Type) -> str:
    """Zero as a term like the others of its type, so that equal values are one value."""
    return "0" if kind.kind is Kind.INT else "0.0"


def listing_of(context: Context, values: Values) -> Listing:
    """A list of values inside a function of it."""
    rows, column = values.rows, values.column.alone()
    if not values.distinct:
        return Listing(rows, of_values=True)
    lines = subselect([column.variable], known(context, rows, column), distinct=True)
    order = ((column.variable, False),)
    trace = rows.evidence(shared_names(context, [column.variable]))
    return Listing(Rows(lines, {"": column}, order=order, trace=trace, focus=""), of_values=True)


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


def single(context: Context, folding: Folding, lets: Iterable[str], value: Value, rows: Rows) -> Single:
    """One value computed from folds."""
    lines, variable = list(folding.lines(rows)), value.text
    lines += lets
    if not variable.startswith("?"):
        variable = context.names.fresh("result")
        lines.append(f"BIND({bare(value.text)} AS {variable})")
    behind = folding.folds[0] if len(folding.folds) == 1 else None
    trace = (behind.rows if behind else rows).evidence()
    zero = behind is not None and behind.zero and behind.variable == variable
    return Single(tuple(lines), Column(value.type, variable), trace, zero)


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
    lines = [*folding.lines(rows), *scope.lets]
    variable = value.text
    if not variable.startswith("?") or variable != folding.folds[0].variable:
        variable = context.names.fresh(name)
        lines.append(f"BIND({bare(value.text)} AS {variable})")
    if not (len(folding.folds) == 1 and not folding.folds[0].loses_groups and variable == folding.folds[0].variable):
        lines.append(f"FILTER(BOUND({variable}))")
    order = tuple((column.variable, False) for column in columns.values())
    held = {**columns, name: Column(value.type, variable)}
    trace = rows.evidence(shared_names(context, folding.keys))
    return Rows(tuple(lines), held, order=order, trace=trace, focus=name)
