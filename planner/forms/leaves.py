"""The words of a form: which of them the leaf of a tree says, and which become conditions, spans and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from ...errors import NotUnderstood
from ...operators.expressions import Call, Expression, Literal, Method
from ...operators.reading.read_amounts import read_duration, read_quantity, seconds_in
from ...texts.quantities.number_words import number_of
from .building import compared, own

Condition = tuple[str, str, str]
"""An attribute, a comparison, words."""
_BEFORE: Final[Mapping[str, str]] = {
    "participant": "with",
    "sender": "from",
    "recipient": "to",
    "gift_for": "for",
    "doctor": "with",
    "artist": "by",
    "location": "at",
    "city": "in",
    "country": "in",
    "accommodation": "at",
    "shop": "from",
    "device": "on",
    "transport": "by",
    "text": "about",
    "reason": "because of",
    "organisation": "at",
}
"""What leads the words of a condition in a phrase; those of other attributes stand in front of the phrase."""
CLOCK: Final = frozenset({"time", "date", "start_time", "end_time", "hour"})
"""Attributes that say when."""
_SIDES: Final[Mapping[str, str]] = {">": "after", ">=": "from", "<": "before", "<=": "until"}
_AMOUNTS: Final[Mapping[str, str]] = {">": "over", ">=": "at least", "<": "under", "<=": "at most", "=": "of"}
_ORDINALS: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_LONG: Final[Mapping[str, Decimal]] = {
    "fortnight": Decimal(14 * 86_400),
    "month": Decimal(30 * 86_400),
    "year": Decimal(365 * 86_400),
}
_TIMES: Final[Mapping[str, Decimal]] = {
    "once": Decimal(1), "twice": Decimal(2), "thrice": Decimal(3), "double": Decimal(2), "half": Decimal("0.5"),
    "a couple": Decimal(2), "none": Decimal(0), "no": Decimal(0),
}  # fmt: skip
_SIGNS: Final[Mapping[str, str]] = {"=": "==", "!=": "!="}
_DIGITS: Final = re.compile(r"(\d+)(?:st|nd|rd|th)?")


@dataclass(frozen=True)
class Tested:
    """A condition on one attribute of `attr`."""

    body: Expression
    is_number: bool


@dataclass(frozen=True)
class Leaves:
    """How words of a form are put. `is_measure` tells whether an attribute holds amounts. `apart`: named things become
    conditions of their own instead of words of the leaf."""

    is_measure: Callable[[str], bool]
    apart: bool = False

    def worded(self, phrase: str, conditions: Sequence[Condition]) -> tuple[str, list[Condition]]:
        """The words of a leaf, and the conditions that they do not say."""
        before: list[str] = []
        behind: list[str] = []
        rest: list[Condition] = []
        for condition in conditions:
            key, test, words = condition
            if key in CLOCK and test in _SIDES:
                behind.append(f", {_SIDES[test]} {words}")
            elif key in CLOCK and test == "=":
                behind.append(f", {words}" if key == "time" else f", at {words}")
            elif key == "time":
                rest.append(condition)
            elif self.is_measure(key) or test not in ("=", "!="):
                if not _has_unit(words) or test not in _AMOUNTS:
                    rest.append(condition)
                else:
                    behind.append(f", {_AMOUNTS[test]} {in_figures(words)}")
            elif test == "!=" or (self.apart and key not in ("participant", "sender", "recipient", "text")):
                rest.append(condition)
            elif words.casefold() in phrase.casefold():
                continue
            elif key in _BEFORE:
                behind.insert(0, f" {_BEFORE[key]} {words}")
            else:
                before.append(words)
        return " ".join([*before, phrase]) + "".join(behind), rest

    def condition(self, key: str, test: str, words: str, value: Expression | None = None) -> Tested:
        """A condition on an attribute, or on a value. Raises NotUnderstood for an amount that is none."""
        value = value or own(key)
        if self.is_measure(key) or key == "value" or test not in ("=", "!="):
            return Tested(compared(value, _SIGNS.get(test, test), self.amount(words)), is_number=True)
        word = "in" if test == "=" else "not in"
        return Tested(compared(Literal(words.lower()), word, Method(value, "lower")), is_number=False)

    def amount(self, words: str) -> Expression:
        """An amount; a length of time as one of these."""
        words = words.rstrip("+ ")
        number = small_number(words)
        number = _TIMES.get(words.casefold()) if number is None else number
        if number is not None:
            return _literal(number)
        if _seconds(words) is not None:
            return self.span(words)
        found = read_quantity(in_figures(words))
        if found is None:
            raise NotUnderstood(f"“{words}” is no amount", words=(words,))
        return _literal(found.value)

    def span(self, words: str) -> Call:
        """A length of time. Raises NotUnderstood."""
        seconds = _seconds(words)
        if seconds is None:
            raise NotUnderstood(f"“{words}” is no length of time", words=(words,))
        return Call("timedelta", (), (("seconds", Literal(int(seconds))),))


def _literal(number: int | float | Decimal) -> Literal:
    return Literal(float(number) if number != int(number) or isinstance(number, float) else int(number))


def _seconds(words: str) -> Decimal | None:
    """A length of time in seconds, in figures or in words."""
    found = read_duration(in_figures(words))
    if found is not None:
        return found
    said = [word for word in words.casefold().split() if word != "the"]
    number = number_of(" ".join(said[:-1])) if len(said) > 1 else Decimal(1)
    size = seconds_in(said[-1]) or _LONG.get(said[-1].removesuffix("s")) if said else None
    return None if number is None or size is None else number * size


def in_figures(words: str) -> str:
    """An amount with its number in figures: "three hundred dollars" as "300 dollars"."""
    said = words.split()
    for end in range(len(said), 0, -1):
        number = number_of(" ".join(said[:end]))
        if number is not None and not (end == 1 and said[0].casefold() in ("a", "an")):
            return " ".join([str(number), *said[end:]])
    return words


def _has_unit(words: str) -> bool:
    found = read_quantity(in_figures(words))
    return bool(found and found.unit) or (number_of(words) is None and _seconds(words) is not None)


def place_of(words: str) -> int | None:
    """A place in a row as it is said, from the end below zero: "second last" is -2, "last but two" -3."""
    said = words.casefold().replace("-", " ").split()
    if said[:1] == ["penultimate"]:
        return -2
    if "last" not in said:
        return small_number(words.removesuffix(" time"))  # type: ignore[return-value]
    at = said.index("last")
    if "but" in said[at:]:
        behind = small_number(" ".join(said[said.index("but") + 1 :]))
        return None if behind is None else -int(behind) - 1
    before = small_number(" ".join(said[:at])) if at else 1
    return None if before is None else -int(before)


def small_number(words: str) -> int | Decimal | None:
    """A number or an ordinal as it is said; None where it is none."""
    plain = words.strip().casefold()
    if plain in _ORDINALS:
        return _ORDINALS.index(plain) + 1
    digits = _DIGITS.fullmatch(plain)
    if digits:
        return int(digits[1])
    found = number_of(plain)
    return int(found) if found is not None and found == int(found) else found
