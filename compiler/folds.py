"""Folds of lists as subqueries: those over the same rows are one subquery with several aggregates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .scope import Context, Lines, Rows, subselect


@dataclass(frozen=True)
class Fold:
    """A list folded into a variable, by a subquery with `aggregates` over its rows; none for an item that is picked."""

    rows: Rows
    aggregates: tuple[str, ...]
    variable: str
    zero: bool
    """Whether it is 0 over nothing."""
    loses_groups: bool
    """Whether a group may be missing in it although the group's value is 0."""
    narrowed: bool = False
    """Whether rows without a value were left out, so that groups without any are missing."""
    lines: Lines = ()


def folded(fold: Fold, keys: tuple[str, ...]) -> Lines:
    """The subquery of a fold, grouped by the keys if there are any."""
    tail: list[str] = [f"GROUP BY {' '.join(keys)}"] if keys else []
    if _averages(fold) and not keys:  # AVG over nothing is 0 in SPARQL, and no answer here
        tail.append("HAVING (COUNT(*) > 0)")
    return subselect([*keys, *fold.aggregates], fold.rows.lines, tail)


def merged(context: Context, folds: Sequence[Fold], keys: tuple[str, ...]) -> tuple[Fold, ...]:
    """The folds, those over the same rows as one."""
    made: list[Fold] = []
    for fold in folds:
        at = next((n for n, other in enumerate(made) if _together(context, fold, other, keys)), None)
        if at is None:
            made.append(fold)
            continue
        first = made[at]
        rows = max(first.rows, fold.rows, key=lambda rows: len(rows.lines))
        loses = any(one.loses_groups or one.narrowed for one in (first, fold))
        both = replace(first, rows=rows, aggregates=(*first.aggregates, *fold.aggregates), loses_groups=loses)
        made[at] = replace(both, lines=folded(both, keys))
    return tuple(made)


def _together(context: Context, one: Fold, other: Fold, keys: tuple[str, ...]) -> bool:
    """Whether two folds are over the same rows, but for what only binds more variables."""
    if not one.aggregates or not other.aggregates or (not keys and (_averages(one) or _averages(other))):
        return False
    short, long = sorted((one.rows.lines, other.rows.lines), key=len)
    return long[: len(short)] == short and _only_binds(context, long[len(short) :])


def _only_binds(context: Context, lines: Iterable[str]) -> bool:
    return all(context.reads.idle(line) is not None for line in lines)


def _averages(fold: Fold) -> bool:
    return any(aggregate.startswith("(AVG") for aggregate in fold.aggregates)
