"""Numbers in English words: sixty-four, a hundred and twenty, half a dozen, a couple of."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

_TO_NINETEEN: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES: Final = {word: value for value, word in enumerate(_TO_NINETEEN.split())}
_TENS: Final = {word: 10 * value for value, word in enumerate(_TENS_WORDS.split(), start=2)}
_LARGE: Final = {"hundred": 100, "thousand": 1000, "grand": 1000, "million": 1_000_000, "dozen": 12}
_WORD: Final = "|".join(sorted((*_ONES, *_TENS, "fourty"), key=len, reverse=True))
NUMBER: Final = (
    rf"(?:(?:a|{_WORD})(?=[\s-](?:hundred|thousand|grand|million|dozen)\b)|(?:{_WORD})(?![a-z]))"
    rf"(?:(?:[\s-]|\sand\s)(?:{_WORD}|hundred|thousand|grand|million|dozen)(?![a-z])){{0,12}}"
)
"""A pattern for a number in words, without groups; to be used with `re.IGNORECASE`."""


@lru_cache(maxsize=1 << 12)
def number_of(text: str) -> Decimal | None:
    """The number that words or digits say; None where they say none."""
    plain = text.strip().casefold()
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return Decimal(plain)
    words = re.split(r"[\s-]+(?:and\s+)?", plain)
    total, group = 0, 0
    for word in words:
        if word in ("a", "an"):
            group += 1
        elif word in _ONES:
            group += _ONES[word]
        elif word in _TENS or word == "fourty":
            group += _TENS.get(word, 40)
        elif word in _LARGE:
            size = _LARGE[word]
            group = max(group, 1) * size
            if size >= 1000:
                total, group = total + group, 0
        else:
            return None
    return Decimal(total + group)
