"""Pass: what nothing reads is left out: attributes read for an order or an EXTRACT that did not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from .algebra import Aggregate, Extend, Join, LeftJoin, Pattern, Read, Select, Step, Union, Var
from .steps import bound_before, bound_for_sure, bound_idly, within


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
