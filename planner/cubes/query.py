"""Cube queries: what is computed of which facts, by what it is shown, which groups are kept and in what order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from .cube import Attribute

Shape = Literal[
    "value",
    "events",
    "members",
    "exists",
    "when",
    "running",
    "rank",
    "mean",
    "groups",
    "share",
    "without",
    "without_groups",
    "absent",
    "absent_groups",
]
"""What is answered: values (a table where they are grouped), the facts themselves, members alone, whether there is any,
a day, sums up to each period, a place in an order, one number of all groups, how many groups, parts of the whole, the
members none of whose facts meet a condition, or that another table has and this one has not, and how many these are."""


@dataclass(frozen=True)
class Condition:
    """One condition on facts, as text in which `{}` stands for a fact; `reads` are the attributes that it needs,
    `words` those of the question."""

    text: str
    reads: tuple[Attribute, ...] = ()
    words: str = ""
    on: str = ""
    """The dimension or measure that it is about, or that of time."""
    timed: bool = False

    def negated(self) -> Condition:
        """The facts that have a value for which it does not hold."""
        swapped = {" == ": " != ", " != ": " == ", " not in [": " in [", " in [": " not in ["}
        for sign, other in swapped.items():
            if self.text.count(sign) == 1 and " and " not in self.text and " or " not in self.text:
                return replace(self, text=self.text.replace(sign, other))
        return replace(self, text=f"not ({self.text})")


@dataclass(frozen=True)
class Metric:
    """What is computed of some facts: `way` is count, sum, avg, median, min, max, distinct or percentile."""

    facts: str
    way: str
    attribute: Attribute | None = None
    weight: Attribute | None = None
    where: tuple[Condition, ...] = ()
    at: int = 50
    """Which percentile."""
    label: str = ""

    @property
    def adds(self) -> bool:
        """Whether the values of parts add up to that of the whole."""
        return self.way in ("count", "sum")


@dataclass(frozen=True)
class Pair:
    """Two values in one: ratio, minus, growth, percent, more, fewer."""

    way: str
    left: Metric
    right: Metric
    scale: int = 1
    label: str = ""

    @property
    def adds(self) -> bool:
        """The value of the whole is not the sum of those of its parts."""
        return False


Value = Metric | Pair


@dataclass(frozen=True)
class Key:
    """What groups are made by: an attribute, or a grain of time."""

    name: str
    attribute: Attribute | None = None
    grain: str = ""


@dataclass(frozen=True)
class Kept:
    """A condition on groups: a value compared with a number, or with the average of all groups where that is None."""

    value: Value
    test: str
    number: str | None


@dataclass(frozen=True)
class Order:
    """Which end is wanted: `way` most or least; `number` of them, 0 for all; the one at a `place`; `one` where only the
    best, and those that are as good, are asked for."""

    way: str
    number: int = 0
    place: int = 0
    one: bool = False
    within: str = ""
    """The key among whose groups each has a best one."""


@dataclass(frozen=True)
class CubeQuery:
    """One question to fact tables."""

    facts: str
    values: tuple[Value, ...] = ()
    where: tuple[Condition, ...] = ()
    by: tuple[Key, ...] = ()
    kept: tuple[Kept, ...] = ()
    order: Order | None = None
    shape: Shape = "value"
    end: str = ""
    """first or last, of facts in order of their time."""
    subject: str = ""
    """The member whose rank is asked."""
    over: str = "avg"
    """How the values of groups are taken together, for `mean`."""
    ranked_by: Attribute | None = None
    """What facts are ordered by."""
    distribution: bool = False
    """Whether the question speaks of a distribution."""
    sides: bool = False
    """Whether it puts members side by side."""
    factor: str = ""
    """What the value is multiplied or divided by ("/ 60"), where another unit is asked for."""
    notes: tuple[str, ...] = field(default=())
