"""Conditions on what no table has a column for: the record's texts must say it."""

from __future__ import annotations

import re
from typing import Final

from ...errors import TreeTypeError
from ...store.words import fold
from .said import Said
from .tables import text

_QUOTED: Final = re.compile(r"'((?:[^']|'')*)'")
_NAME: Final = re.compile(r"(?:[A-ZÀ-Þ][\w'’-]*)(?: [A-ZÀ-Þ][\w'’-]*)+")


def absent(value: Said, operator: str) -> str:
    """`x is None`, `x is not None`."""
    if value.missing:
        return "true" if operator == "is" else "false"
    return f"{value.sql} IS {'NULL' if operator == 'is' else 'NOT NULL'}"


def told(one: Said, other: Said, operator: str) -> str:
    """Whether a record's texts say a fixed value; of a person's name its first word is enough. Raises TreeTypeError
    where there is no fixed text to look for."""
    place, value = (one, other) if one.missing else (other, one)
    found = _QUOTED.fullmatch(value.sql)
    if value.missing or found is None or operator not in ("==", "!="):
        raise TreeTypeError("no table has a column for what the question asks of")
    wanted = found[1].replace("''", "'")
    words = [wanted, wanted.split()[0]] if _NAME.fullmatch(wanted) else [wanted]
    tests = " OR ".join(f"contains({place.sql}, {text(fold(word))})" for word in words)
    return f"{'NOT ' if operator == '!=' else ''}({tests})"
