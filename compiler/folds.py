"""Folds of lists as subqueries."""

from __future__ import annotations

from dataclasses import dataclass

from .expressions.values import compare
from .scope import Rows
from .sparql.algebra import Aggregate, Extend, Select, Var


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
