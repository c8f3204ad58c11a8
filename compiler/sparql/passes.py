"""What is done to a query before it is printed, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import TypeGuard

from .algebra import Aggregate, Extend, Join, LeftJoin, Pattern, Read, Select, Step, Union, Var
from .steps import bound_before, bound_for_sure, bound_idly, lowered, within


def pruned(query: Select) -> Select:
    """The query without operators that bind a variable, and change nothing else, where nothing reads the variable; and
    without tests of what is always there.

    A part that stands twice joins on its events, so what is read of them may go from both. What an Extend names may be
    what parts are joined on.
    """
    while (shorter := _pruned(query)) is not query:
        query = shorter
    return query


@dataclass(frozen=True)
class _Scope:
    """The operators of one SELECT, and how many of them, and of what is around them, have each variable."""

    steps: tuple[Step, ...]
    uses: Counter[Var]

    def unread(self, step: Step, variable: Var) -> bool:
        """Whether only an operator, and reads that are just like it, have a variable."""
        uses = self.uses[variable]
        return uses == 1 or (isinstance(step, Read) and uses == self.copies[step])

    @cached_property
    def copies(self) -> Counter[Step]:
        """How often each read and each query stands there."""
        return Counter(step for step in self.steps if isinstance(step, Read | Select))


def _pruned(query: Select) -> Select:
    steps = tuple(_leaves(query.pattern))
    scope = _Scope(steps, Counter(name for step in steps for name in step.variables))
    scope.uses.update(query.read)
    return within(query, lambda pattern: _shorter(pattern, scope, once=_counts_once(query)))


def _leaves(pattern: Pattern) -> Iterator[Step]:
    """The operators of one scope; a SELECT inside is one of them."""
    for step in pattern:
        if isinstance(step, Join | LeftJoin):
            yield from _leaves(step.pattern)
        elif isinstance(step, Union):
            for one in step.patterns:
                yield from _leaves(one)
        else:
            yield step


def _counts_once(query: Select) -> bool:
    """Whether the same solution twice is as good as once: among the least, the greatest, or what is distinct."""
    named = [column.value for column in query.columns if isinstance(column, Extend)]
    least = all(isinstance(value, Aggregate) and value.function in ("MIN", "MAX") for value in named)
    grouped = bool(query.groups or named) and least and query.having is None
    return grouped or (query.distinct and not query.groups and not named)


def _shorter(pattern: Pattern, scope: _Scope, *, once: bool = False) -> Pattern:
    made = list[Step]()
    bound = bound_before(pattern) if once or any(map(bound_for_sure, pattern)) else []
    for at in reversed(range(len(pattern))):
        step = pattern[at]
        variable, asked = bound_idly(step), bound_for_sure(step)
        if (variable and scope.unread(step, variable)) or (asked and asked <= bound[at]):
            scope.uses.subtract(step.variables)
        elif once and isinstance(step, LeftJoin) and _adds_nothing(step, bound[at], scope):
            for leaf in _leaves((step,)):
                scope.uses.subtract(leaf.variables)
        else:
            made.append(_inside(step, scope))
    return tuple(reversed(made))


def _adds_nothing(step: LeftJoin, bound: frozenset[Var], scope: _Scope) -> bool:
    """Whether all that others read of an optional part is there without it."""
    own = Counter(name for leaf in _leaves((step,)) for name in leaf.variables)
    return {name for name, count in own.items() if scope.uses[name] > count} <= bound


def _inside(step: Step, scope: _Scope) -> Step:
    if isinstance(step, Select):
        return _pruned(_narrower(step, scope))
    if isinstance(step, Join | LeftJoin | Union):
        return within(step, lambda pattern: _shorter(pattern, scope))
    return step


def _narrower(query: Select, scope: _Scope) -> Select:
    """A SELECT without columns that nothing outside reads."""
    if query.distinct or len(query.columns) == 1:
        return query
    copies = scope.copies[query]
    named = zip(query.named, query.columns, strict=True)
    kept = tuple(column for name, column in named if name in query.groups or scope.uses[name] > copies)
    return query if len(kept) == len(query.columns) else replace(query, columns=kept or query.columns[:1])


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
