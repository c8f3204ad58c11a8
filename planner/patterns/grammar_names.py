"""Names of times and currencies as patterns may ask for them: `{#Month}`, `{#Currency}` (docs/planner.md).

The names themselves are those with which texts and exports are read (operators/reading).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...operators.reading.currencies import WORDS
from ...operators.reading.names import english_abbreviations, english_month, months_abroad, whole_months, whole_weekdays

_PEOPLE: Final = frozenset({"avril", "julio", "junio", "marco", "marts"})
"""Months that are first names or words, too: they need a day's number beside them, as short ones do (mars)."""
_LONG: Final = 5
"""Letters from which on the name of a month in another language stands alone."""

_NO_SUMS: Final = frozenset({"ft", "squid", "won", "tl", "lei"})
"""Words for currencies that mean something else behind a number of a question."""
_SPOKEN: Final = ("EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "JPY", "INR", "PLN", "CNY")
"""Codes that people write in small letters, too."""


@lru_cache(maxsize=1)
def grammar_names() -> dict[str, list[str]]:
    """Names by kind, in small letters: Month (whole or short), MonthAbroad (in other languages), Weekday, WeekdayShort,
    Weekdays (plural), MonthOwn and WeekdayOwn ("monday's"), Currency."""
    months, days = [name.lower() for name in whole_months()], [name.lower() for name in whole_weekdays()]
    alone = [name for name in months_abroad() if len(name) >= _LONG and name not in _PEOPLE]
    short = sorted(english_abbreviations())
    return {
        "Month": [*months, *(name for name in short if english_month(name)), *alone],
        "MonthAbroad": list(months_abroad()),
        "Weekday": days,
        "WeekdayShort": [name for name in short if not english_month(name)],
        "Weekdays": [f"{name}s" for name in days],
        "MonthOwn": [f"{name}'s" for name in months],
        "Currency": [*(word for word in WORDS if word not in _NO_SUMS), *(code.lower() for code in _SPOKEN), "€", "£"],
        "WeekdayOwn": [f"{name}'s" for name in days],
    }
