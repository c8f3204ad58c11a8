"""What is done to a query before it is printed, in order."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TypeGuard

from .algebra import Aggregate, Extend, LeftJoin, Pattern, Select, Step, Var
from .prune import pruned
from .steps import bound_idly, lowered, within


def shared(pattern: Pattern) -> Pattern:
    """The pattern with the folds of each group of operators put together."""
    made, alike = list[Step](), dict[object, list[int]]()
    for step in (within(step, shared) for step in pattern):
        fold = step.pattern[0] if isinstance(step, LeftJoin) and step.pattern else step
        places = alike.setdefault((fold.groups, fold.pattern[:1]), []) if _folds(fold) else []
        at = next((at for at in places if _merged(made[at], step) is not None), len(made))
        if at < len(made):
            made[at] = _merged(made[at], step) or step
        else:
            places.append(at)
            made.append(step)
    return _without_groups(tuple(made))


def _merged(one: Step, other: Step) -> LeftJoin | None:
    """Two optional folds of the same groups as one; None where they are not over the same solutions."""
    if not (isinstance(one, LeftJoin) and isinstance(other, LeftJoin)):
        return None
    (first, *names), (second, *others) = one.pattern, other.pattern
    if not (_folds(first) and _folds(second) and names == others and _alike(first.pattern, second.pattern)):
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


def arranged(query: Select) -> Select:
    """The query as it is printed: folds over the same solutions first, as what is left out later could tell them apart;
    then what nothing reads goes; then each Read becomes what it is in SPARQL."""
    query = pruned(replace(query, pattern=shared(query.pattern)))
    return replace(query, pattern=lowered(query.pattern))
