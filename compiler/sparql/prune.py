"""Pass: what nothing reads is left out: attributes read for an order or an EXTRACT that did not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .algebra import Aggregate, Extend, Join, LeftJoin, Pattern, Read, Select, Step, Union, Var
from .steps import bound_for_sure, bound_idly, surely_bound


def pruned(query: Select) -> Select:
    """The query without operators that bind a variable, and change nothing else, where nothing reads the variable; and
    without tests of what is always there.

    A part that stands twice joins on its events, so what is read of them may go from both. What an Extend names may be
    what parts are joined on.
    """
    while (shorter := _pruned(query)) != query:
        query = shorter
    return query


@dataclass(frozen=True)
class _Scope:
    """How many operators, and what is around them, have each variable of one SELECT; how often each operator stands."""

    uses: Counter[Var]
    copies: Counter[Step]

    def unread(self, step: Step, variable: Var) -> bool:
        """Whether only an operator, and reads and queries that are just like it, have a variable."""
        return self.uses[variable] == (self.copies[step] if isinstance(step, Read | Select) else 1)


def _pruned(query: Select) -> Select:
    leaves = tuple(_leaves(query.pattern))
    uses = Counter(name for leaf in leaves for name in leaf.variables)
    uses.update(query.read)
    scope = _Scope(uses, Counter(leaf for leaf in leaves if isinstance(leaf, Read | Select)))
    return replace(query, pattern=_shorter(query.pattern, scope, once=_counts_once(query)))


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
    for at in reversed(range(len(pattern))):
        step = pattern[at]
        variable = bound_idly(step)
        if bound_for_sure(step) & surely_bound(pattern[:at]) or (variable and scope.unread(step, variable)):
            scope.uses.subtract(step.variables)
            scope.copies[step] -= 1
        elif once and isinstance(step, LeftJoin) and _adds_nothing(step, pattern[:at], scope):
            for leaf in _leaves((step,)):
                scope.uses.subtract(leaf.variables)
        else:
            made.append(_inside(step, scope))
    return tuple(reversed(made))


def _adds_nothing(step: LeftJoin, before: Pattern, scope: _Scope) -> bool:
    """Whether all that others read of an optional part is there without it."""
    own = Counter(name for leaf in _leaves((step,)) for name in leaf.variables)
    return {name for name, count in own.items() if scope.uses[name] > count} <= surely_bound(before)


def _inside(step: Step, scope: _Scope) -> Step:
    if isinstance(step, Join | LeftJoin):
        return replace(step, pattern=_shorter(step.pattern, scope))
    if isinstance(step, Union):
        return replace(step, patterns=tuple(_shorter(pattern, scope) for pattern in step.patterns))
    return _pruned(_narrower(step, scope)) if isinstance(step, Select) else step


def _narrower(query: Select, scope: _Scope) -> Select:
    """A SELECT without columns that nothing outside reads."""
    if query.distinct:
        return query
    kept = tuple(
        column
        for name, column in zip(query.named, query.columns, strict=True)
        if name in query.groups or not scope.unread(query, name)
    )
    return replace(query, columns=kept or query.columns[:1])
