"""Words by which questions about what was said, and what answers them, are told: English."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ...operators.reading.names import whole_months, whole_weekdays

OWN: Final = re.compile(r"\b(?:i|my|we|our|me|us)\b", re.IGNORECASE)
"""Somebody speaks of themselves."""
_NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen half twice once"
)
_MOMENTS: Final = (
    "today tomorrow tonight yesterday week weekend month year morning evening night noon next ago o'clock "
    "spring summer autumn winter christmas easter"
)
NUMBER: Final = re.compile(rf"\d|\b(?:{_NUMBERS.replace(' ', '|')})\b", re.IGNORECASE)
"""Words that tell of a number."""
ASKS_NUMBER: Final = re.compile(
    r"\bhow (?:much|many|far|long|old|big|tall|heavy|often|fast|warm|hot|cold|large|deep|high|late|wide)\b|\b(?:price|"
    r"cost|salary|rent|amount|number|percent|score|temperature|budget|limit|total|distance|weight|size|age|fee)\b",
    re.IGNORECASE,
)
ASKS_MOMENT: Final = re.compile(
    r"\bwhen\b|\bwhat (?:time|day|date|month|year)\b|\bwhich (?:day|date|month|year)\b|\bhow (?:long|soon)\b",
    re.IGNORECASE,
)
SAYS: Final = (
    r"(?:\s+\w+)?\s+(?:say|said|says|mention|mentioned|suggest|suggested|ask|asked|express|expressed|"
    r"talk|talked|tell|told|share|shared|explain|explained|recommend|recommended|describe|described)\b"
)
_ASKING_WORDS: Final = """
what which who whom whose when where why how did does do has have had is was were are am be been the a an and or of
in on at to for from with by about as into that this these those it its i we you he she they me us him her them my
our your his their say said says saying mention mentioned mentions talk talked talking tell told discuss discussed
conversation conversations chat session discussion according regarding kind kinds type types sort sorts thing
things stuff some any there then than so just also can could would will name
"""
ASKING: Final = frozenset(_ASKING_WORDS.split())
"""Words that only ask."""


@lru_cache(maxsize=1)
def moment() -> re.Pattern[str]:
    """Words that tell of a time."""
    names = "|".join((*_MOMENTS.split(), *whole_weekdays(), *whole_months()))
    return re.compile(rf"\d|\b(?:{names})\b", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """The sentences of a message or a turn, in their order; an empty one of an empty text."""
    return re.split(r"(?<=[.!?])\s+", text.strip())
