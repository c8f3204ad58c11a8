"""What the parts of a tree stand for before anything runs: one value, an event with attributes, or a list.

`checking` says it of operators, `checking_expressions` of conditions and functions. What cannot be known has the kind
ANY and fits everywhere, so that a check refuses only what could never be computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from ...errors import TreeTypeError
from ..names import joined_names
from .types import ANY, DAYS, FLOAT, LIST, NUMBERS, ORDERED, Kind, Type


@dataclass(frozen=True)
class EventMeaning:
    """An event or a row: its attributes, and whether it may have others that nobody can know yet (`open`)."""

    attributes: Mapping[str, Meaning] = field(default_factory=dict[str, "Meaning"])
    open: bool = False

    def __str__(self) -> str:
        return "an event"

    def having(self, name: str, meaning: Meaning) -> EventMeaning:
        """The event with one more attribute."""
        return EventMeaning({**self.attributes, name: meaning}, self.open)

    def attribute(self, name: str) -> Meaning:
        """What the attribute is. Raises TreeTypeError, with the nearest name, where nothing gives it."""
        if name in self.attributes:
            return self.attributes[name]
        if self.open:
            return ANY
        near = get_close_matches(name, self.attributes, 1)
        known = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(self.attributes) or 'none'}"
        raise TreeTypeError(f"nothing gives an attribute {name!r}; {known}")


@dataclass(frozen=True)
class ListMeaning:
    """A list; `parts` are its items one by one where they are written out, as in a tuple. Groups have keys."""

    item: Meaning = ANY
    parts: tuple[Meaning, ...] | None = None
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "a list of events" if isinstance(self.item, EventMeaning) else "a list"

    def at(self, position: object) -> Meaning:
        """What stands at a position, counted from 0, or from -1 backwards."""
        if self.parts is not None and isinstance(position, int) and -len(self.parts) <= position < len(self.parts):
            return self.parts[position]
        return self.item


Meaning = Type | EventMeaning | ListMeaning


def said(meaning: Meaning) -> str:
    """The meaning in an error: "a date", "an event"."""
    return str(meaning) if not isinstance(meaning, Type) else f"{'an' if str(meaning)[0] in 'aeiou' else 'a'} {meaning}"


def kind_of(meaning: Meaning) -> Kind:
    """The kind of a meaning."""
    if isinstance(meaning, Type):
        return meaning.kind
    return Kind.EVENT if isinstance(meaning, EventMeaning) else Kind.LIST


def type_of(meaning: Meaning) -> Type:
    """The meaning as a type."""
    return meaning if isinstance(meaning, Type) else Type(kind_of(meaning))


def unknown(meaning: Meaning) -> bool:
    """Whether nothing is known of it, or that it is missing."""
    return kind_of(meaning) in (Kind.ANY, Kind.NONE)


def items_of(meaning: Meaning) -> Meaning | None:
    """What stands in a list, each character of a text; None where there is nothing to go through."""
    if isinstance(meaning, ListMeaning):
        return meaning.item
    if kind_of(meaning) is Kind.STR:
        return meaning
    return ANY if unknown(meaning) or meaning == LIST else None


def common(meanings: Iterable[Meaning]) -> Meaning:
    """What all of them are, ANY where they differ."""
    found = [meaning for meaning in meanings if kind_of(meaning) is not Kind.NONE]
    if not found:
        return ANY
    first = found[0]
    if all(meaning == first for meaning in found):
        return first
    kinds = {kind_of(meaning) for meaning in found}
    if kinds <= NUMBERS:
        return FLOAT
    return Type(kinds.pop()) if len(kinds) == 1 and not kinds & {Kind.EVENT, Kind.LIST} else ANY


def summed(meaning: Meaning) -> Meaning:
    """What a sum of such values is: truth values count. Raises TreeTypeError for what has none."""
    kind = kind_of(meaning)
    if unknown(meaning) or kind in NUMBERS or kind is Kind.DURATION:
        return meaning
    if kind is Kind.BOOL:
        return Type(Kind.INT)
    raise TreeTypeError(f"{said(meaning)} cannot be summed up" + unnest_first(meaning))


def averaged(meaning: Meaning) -> Meaning:
    """What a mean of such values is. Raises TreeTypeError for what has none."""
    total = summed(meaning)
    return FLOAT if kind_of(total) in NUMBERS else total


def unnest_first(meaning: Meaning) -> str:
    """A hint for lists."""
    return "; UNNEST it first" if kind_of(meaning) is Kind.LIST else ""


def ordered(meaning: Meaning) -> Meaning:
    """The meaning itself. Raises TreeTypeError where values of it have no order."""
    if not unknown(meaning) and kind_of(meaning) not in ORDERED:
        raise TreeTypeError(f"{said(meaning)} has no order" + unnest_first(meaning))
    return meaning


def comparable(left: Meaning, right: Meaning) -> bool:
    """Whether values of the two can be equal: numbers, days and moments, a text that is an ISO date with a date."""
    if unknown(left) or unknown(right):
        return True
    a, b = kind_of(left), kind_of(right)
    if a is b or (a in NUMBERS and b in NUMBERS) or (a in DAYS and b in DAYS):
        return True
    return Kind.STR in (a, b) and bool({a, b} & (DAYS | {Kind.TIME}))


def merged(left: EventMeaning, right: EventMeaning) -> EventMeaning:
    """Both sides of a JOIN in one row: the left keeps its names, the right's are numbered where they are taken."""
    if left.open:
        return left
    return EventMeaning(joined_names(left.attributes, right.attributes), right.open)
