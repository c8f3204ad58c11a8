"""JOIN: all pairs of rows that satisfy a condition, without trying all pairs where something else finds them.

What the condition says of one side alone filters that side. Equal days and texts become a shared variable, which a
store joins by hashing. Intervals that must overlap share a bin: each interval is put into the smallest of day, month,
year, decade and everything that holds it whole (the hierarchical binning of genome browsers: Kent et al., Genome
Research 2002), and two intervals can only overlap if the bin of one holds that of the other. The condition itself is
tested afterwards in any case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import TreeTypeError
from ..operators.expressions import Attribute, Boolean, Collection, Comparison, Expression, Literal
from ..operators.names import free_names, holds_answer
from ..operators.types import DAYS, Kind
from .compile_expressions import Expressions, Row
from .compile_scope import Column, Context, Lines, Rows, enclosed, surely
from .compile_terms import bare
from .compile_values import FLIPPED, Value, as_day, as_term

_SIZES = (10, 7, 4, 3, 0)
"""Characters of an ISO date that name its day, month, year, decade, and nothing."""


def joined(context: Context, left: Rows, right: Rows, condition: Expression) -> Rows:
    """The pairs of rows, with the attributes of both."""
    rest: list[Expression] = []
    spread = len(conjuncts(condition))
    for part in conjuncts(condition):
        names = frozenset() if holds_answer(part) else free_names(part)
        if names == {"i1"}:
            left = kept(context, left, part, {"i1": Row(left.columns)})
        elif names == {"i2"}:
            right = kept(context, right, part, {"i2": Row(right.columns)})
        elif (sides := _equated(context, part, left, right)) is not None:
            left, right = sides
            spread = 0
        else:
            rest.append(part)
    if spread:
        raise TreeTypeError("pairs that no equal day or text finds are found by sorting")
    scope = {"i1": Row(left.columns), "i2": Row(right.columns)}
    tests = [line for part in rest for line in filters(context, part, scope)]
    lines = (*enclosed(left.lines), *enclosed(right.lines), *tests)
    columns = {**left.columns, **_renamed(left, right)}
    order, trace = (*left.order, *right.order), left.trace.beside(right.trace)
    return Rows(lines, columns, (*left.events, *right.events), {**left.raw, **right.raw}, order, trace)


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of `a and b and c`, and of `a < b < c`, each of which must hold."""
    if isinstance(condition, Boolean) and condition.operator == "and":
        return tuple(part for operand in condition.operands for part in conjuncts(operand))
    if isinstance(condition, Comparison) and len(condition.operators) > 1:
        sides = (condition.left, *condition.rights)
        pairs = zip(sides, condition.operators, sides[1:], strict=False)
        return tuple(Comparison(left, (operator,), (right,)) for left, operator, right in pairs)
    return (condition,)


def kept(context: Context, rows: Rows, condition: Expression, names: Mapping[str, Row | Value]) -> Rows:
    """The rows that a condition holds for. Those with a given text are looked up by it, where that is possible."""
    for part in conjuncts(condition):
        chosen = _chosen(context, part, names)
        lines = context.reads.restricted(rows.lines, *chosen) if chosen is not None else None
        rows = rows.adding(filters(context, part, names)) if lines is None else replace(rows, lines=lines)
    return rows


def _chosen(context: Context, part: Expression, names: Mapping[str, Row | Value]) -> tuple[str, tuple[str, ...]] | None:
    """The variable and the texts of a condition that an attribute is one of some fixed texts; None for another."""
    if not isinstance(part, Comparison) or part.operators[0] not in ("==", "in"):
        return None
    attribute, other = part.left, part.rights[0]
    if part.operators[0] == "==" and isinstance(other, Attribute):
        attribute, other = other, attribute
    items = other.items if isinstance(other, Collection) and part.operators[0] == "in" else (other,)
    texts = tuple(item.value for item in items if isinstance(item, Literal) and isinstance(item.value, str))
    if (
        not isinstance(attribute, Attribute)
        or len(texts) < len(items)
        or (part.operators[0] == "in" and items == (other,))
    ):
        return None
    value = Expressions(context, names, []).value(attribute)
    return (value.text, tuple(dict.fromkeys(texts))) if value.kind is Kind.STR and texts else None


def filters(context: Context, condition: Expression, names: Mapping[str, Row | Value]) -> Lines:
    """Lines that keep what a condition holds for."""
    scope = Expressions(context, names, [])
    tests = [f"FILTER({bare(scope.condition(part))})" for part in conjuncts(condition)]
    return (*scope.lets, *tests)


def _renamed(left: Rows, right: Rows) -> dict[str, Column]:
    """The right side's attributes; one whose name the left side has gets a number."""
    held = dict[str, Column]()
    for name, column in right.columns.items():
        free, count = name, 1
        while free in left.columns or free in held or (count > 1 and free in right.columns):
            count += 1
            free = f"{name}_{count}"
        held[free] = column
    return held


def _sides(part: Expression) -> tuple[Expression, str, Expression] | None:
    """A comparison of something of i1 with something of i2, in this order; None for anything else."""
    if (
        not isinstance(part, Comparison)
        or part.operators[0] not in FLIPPED
        or part.operators[0] == "!="
        or holds_answer(part)
    ):
        return None
    one, operator, other = part.left, part.operators[0], part.rights[0]
    if (free_names(one), free_names(other)) == ({"i2"}, {"i1"}):
        one, operator, other = other, FLIPPED[operator], one
    return (one, operator, other) if (free_names(one), free_names(other)) == ({"i1"}, {"i2"}) else None


def _equated(context: Context, part: Expression, left: Rows, right: Rows) -> tuple[Rows, Rows] | None:
    """Both sides with a variable in common, where the part says that a day or text of one equals one of the other."""
    sides = _sides(part)
    if sides is None or sides[1] != "==":
        return None
    first = Expressions(context, {"i1": Row(left.columns)}, [])
    second = Expressions(context, {"i2": Row(right.columns)}, [])
    a, b = first.term(sides[0]), second.term(sides[2])
    if a.kind is not b.kind or a.kind not in (Kind.DATE, Kind.STR):
        return None
    shared = context.names.fresh("same")
    made = list[Rows]()
    for rows, scope, value in ((left, first, a), (right, second, b)):
        at = value.text if value.text.startswith("?") else scope.let(value.text, "side")
        made.append(context.having(rows.adding(scope.lets), at).adding(surely([(at, shared)])))
    return made[0], made[1]


@dataclass(frozen=True)
class _Bounds:
    """The two days of a side between which its interval lies, in any order, and the lines that they need."""

    lines: Lines
    days: tuple[str, str]


def _binned(context: Context, parts: list[Expression], left: Rows, right: Rows) -> tuple[Rows, Rows] | None:
    """Both sides with their bins, where one part bounds i1 from below by i2 and another from above."""
    found = [sides for part in parts if (sides := _sides(part)) is not None and _days(context, sides, left, right)]
    lower = next((sides for sides in found if sides[1] in (">", ">=", "==")), None)
    upper = next((sides for sides in found if sides[1] in ("<", "<=", "==")), None)
    if lower is None or upper is None:
        return None
    ours = _bounds(context, {"i1": Row(left.columns)}, (lower[0], upper[0]))
    theirs = _bounds(context, {"i2": Row(right.columns)}, (lower[2], upper[2]))
    shared = context.names.fresh("span")
    return (
        left.adding(_bin(context, ours, shared, own="inside", others="around")),
        right.adding(_bin(context, theirs, shared, own="around", others="inside")),
    )


def _days(context: Context, sides: tuple[Expression, str, Expression], left: Rows, right: Rows) -> bool:
    """Whether a comparison is of days or moments. Nothing of the trial is kept."""
    first = Expressions(context, {"i1": Row(left.columns)}, [])
    second = Expressions(context, {"i2": Row(right.columns)}, [])
    return first.value(sides[0]).kind in DAYS and second.value(sides[2]).kind in DAYS


def _bounds(context: Context, names: dict[str, Row], ends: tuple[Expression, Expression]) -> _Bounds:
    scope = Expressions(context, names, [])
    values = [as_term(as_day(scope.value(end), scope.let), scope.let) for end in ends]
    days = [scope.let(f"STR({value.text})", "day_text") for value in values]
    return _Bounds(tuple(scope.lets), (days[0], days[1]))


def _bin(context: Context, bounds: _Bounds, shared: str, *, own: str, others: str) -> Lines:
    """Lines that give a row one solution for its bin, under `own`, and one for each bin around it, under `others`.

    Pairs meet once: where the bin of one is the other's or lies around it. Only i1 counts its own bin among those
    around it, so that equal bins meet once too.
    """
    one, other = bounds.days
    bin_of, tag, size = (context.names.fresh(name) for name in ("bin", "side", "size"))
    text = f"SUBSTR({one}, 1, {_SIZES[-1]})"
    for length in reversed(_SIZES[:-1]):
        start = f"SUBSTR({one}, 1, {length})"
        text = f"IF({start} = SUBSTR({other}, 1, {length}), {start}, {text})"
    around = " ".join(f'("{others}" {length})' for length in _SIZES)
    test = "<=" if own == "inside" else "<"
    return (
        *bounds.lines,
        f"BIND({text} AS {bin_of})",
        f"FILTER(BOUND({bin_of}))",
        f'VALUES ({tag} {size}) {{ ("{own}" 99) {around} }}',
        f'FILTER({tag} = "{own}" || {size} {test} STRLEN({bin_of}))',
        f"BIND(COALESCE(CONCAT({tag}, SUBSTR({bin_of}, 1, {size})), false) AS {shared})",
    )
