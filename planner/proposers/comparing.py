"""Comparisons as the question says them: "exactly 3" is no "at least 3", however a form was read.

The parser learned what people mean, and rarely met some of it. Where a pattern knows the words before a number, what
they say stands above what the parser guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from ...operators.forms.grammar import TESTS, Form, Words
from ..patterns.tokens import tokenise
from ..search.plan import Planner

COMPARED: Final = "compared"
"""The pattern of words that compare, such as "more than" (mappings/planner/patterns/comparisons.ttl)."""
_SIDES: Final = {">": 1, ">=": 1, "<": -1, "<=": -1, "=": 0}


@dataclass(frozen=True)
class Compared:
    """A comparison that a question says, and what stands behind it."""

    test: str
    behind: str

    @property
    def number(self) -> str:
        """The word behind it, if that is a number; else nothing."""
        word = self.behind.partition(" ")[0]
        return word.strip("?!.,;:") if any(sign.isdigit() for sign in word) else ""


def comparisons(question: str, planner: Planner) -> tuple[Compared, ...]:
    """What a question says before its numbers, from left to right."""
    text = tokenise(question)
    found: dict[int, Compared] = {}
    for match in sorted(planner.matches(COMPARED, text), key=lambda one: one.first):  # "not more than", not "more than"
        start, length = text.span(match.first, match.last)
        test = match.variables["value"].value
        said = Compared("=" if test == "==" else test, question[start + length :].lstrip().casefold())
        found.setdefault(match.last, said)
    return tuple(found.values())


def as_compared(form: Form, said: Sequence[Compared]) -> Form:
    """The form with each test as the question says it, where it says another side of the same number."""
    arguments = [as_compared(one, said) if isinstance(one, Form) else one for one in form.arguments]
    for at, (test, words) in enumerate(pairwise(arguments)):
        if isinstance(test, str) and test in TESTS and isinstance(words, Words):
            meant = next((one.test for one in said if _begins(one.behind, words.text.casefold())), test)
            if _SIDES.get(meant) != _SIDES.get(test, _SIDES.get(meant)):
                arguments[at] = meant
    return replace(form, arguments=tuple(arguments))


def _begins(text: str, words: str) -> bool:
    """Whether a text begins with a number in words or digits: "30 euros" does not begin with "3"."""
    return any(sign.isdigit() for sign in words) and text.startswith(words) and not text[len(words) :][:1].isalnum()
