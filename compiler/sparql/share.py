"""Pass: folds over the same solutions are one subquery with several aggregates, and the groups that it counts are not
looked for twice."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TypeGuard

from .algebra import Aggregate, Extend, LeftJoin, Pattern, Select, Step, Var
from .steps import bound_idly, within


def shared(pattern: Pattern) -> Pattern:
    """The pattern with the folds of each group of operators put together."""
    made = list[Step]()
    for step in (within(step, shared) for step in pattern):
        merged = (_merged(other, step) for other in made)
        at, both = next(((at, one) for at, one in enumerate(merged) if one is not None), (0, None))
        if both is None:
            made.append(step)
        else:
            made[at] = both
    return _without_groups(tuple(made))


def _merged(one: Step, other: Step) -> LeftJoin | None:
    """Two optional folds as one; None where they are not over the same groups of the same solutions."""
    if not (isinstance(one, LeftJoin) and isinstance(other, LeftJoin) and one.pattern and other.pattern):
        return None
    (first, *names), (second, *others) = one.pattern, other.pattern
    if not (_folds(first) and _folds(second) and first.groups == second.groups and names == others):
        return None
    if not _alike(first.pattern, second.pattern):
        return None
    longer = max(first.pattern, second.pattern, key=len)
    columns = tuple(dict.fromkeys((*first.columns, *second.columns)))
    return LeftJoin((replace(first, columns=columns, pattern=longer), *names))


def _folds(step: Step) -> TypeGuard[Select]:
    """Whether an operator is a subquery of keys and aggregates alone."""
    if not isinstance(step, Select) or step != Select(step.columns, step.pattern, groups=step.groups):
        return False
    return all(column in step.groups or _is_fold(column) for column in step.columns)


def _is_fold(column: Var | Extend) -> bool:
    return isinstance(column, Extend) and isinstance(column.value, Aggregate)


def _alike(one: Pattern, other: Pattern) -> bool:
    """Whether two patterns have the same solutions, but for variables that one of them binds besides."""
    short, long = sorted((one, other), key=len)
    return long[: len(short)] == short and all(bound_idly(step) is not None for step in long[len(short) :])


def _without_groups(pattern: Pattern) -> Pattern:
    """A pattern that finds groups and adds what one fold says of each of them: the fold knows which there are."""
    groups = pattern[0] if pattern else None
    if not isinstance(groups, Select) or groups != Select(groups.columns, groups.pattern, distinct=True):
        return pattern
    names = tuple(takewhile(lambda step: isinstance(step, Extend), pattern[1:]))
    fold, *rest = pattern[len(names) + 1 :] or (groups,)
    if not isinstance(fold, LeftJoin) or not fold.pattern or fold.pattern[1:] != names:
        return pattern
    first = fold.pattern[0]
    if not _folds(first) or first.groups != groups.columns or not _alike(first.pattern, groups.pattern):
        return pattern
    used = {name for step in rest for name in step.variables}
    return pattern if any(bound_idly(step) in used for step in names) else (first, *rest)
