"""When an answer to a lifelog's question is right (the rules of that data's own score.py).

Numbers to two decimals where they are averages, relaxed within a tenth; lists as sets; dates, months and years in any
usual spelling; text without case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from .comparing_personas import MONTHS as _MONTHS

MONTHS: Final = {**_MONTHS, "sept": 9}
WORDS: Final = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"once": 1, "twice": 2}
NONE: Final = frozenset(
    (
        "",
        "none",
        "null",
        "nan",
        "n/a",
        "na",
        "unknown",
        "never",
        "no answer",
        "not found",
        "nothing",
        "no one",
        "nobody",
    )
)


def judged(row: Mapping[str, Any], answer: object) -> tuple[bool, bool]:
    """Whether an answer is right for a question's row, exactly and within a tenth."""
    return match(answer, row["answer"], row.get("answer_type", "string"), row.get("unit"))


def match(given: object, gold: Any, kind: str, unit: str | None = None) -> tuple[bool, bool]:
    """The same of a gold value of a type."""
    if empty(gold):
        return empty(given), empty(given)
    if empty(given):
        return False, False
    if kind == "number":
        return _numbers(given, gold, unit)
    if kind == "list":
        wanted = items(gold if isinstance(gold, list) else [gold])
        found = items(given, wanted) == wanted
        return found, found
    read = _READ.get(kind, _bare)
    exact = read(given) == read(gold)
    return exact, exact


def _numbers(given: object, gold: Any, unit: str | None) -> tuple[bool, bool]:
    wanted, said = float(gold), number(given, unit)
    if said is None:
        return False, False
    whole = isinstance(gold, int) and wanted == int(wanted)
    tolerance = 1e-9 if whole else max(0.005, 1e-6 * abs(wanted)) + 1e-9
    exact = abs(wanted - said) <= tolerance
    return exact, exact or (wanted != 0 and abs(said - wanted) <= 0.1 * abs(wanted) + 1e-9)


def text(value: object) -> str:
    """Text without case and outer punctuation."""
    bare = unicodedata.normalize("NFKC", str(value)).replace("\u2019", "'").replace("\u2018", "'").casefold()
    return re.sub(r"\s+", " ", bare).strip().strip(" \"'`.,;:!?").strip()


def empty(value: object) -> bool:
    """Whether a value says nothing."""
    if value is None:
        return True
    if isinstance(value, list | dict):
        return not value
    return isinstance(value, str) and text(value) in NONE


def scalar(value: Any) -> Any:
    """A list or object of one element stands for it."""
    while isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return scalar(next(iter(value.values()))) if isinstance(value, dict) and len(value) == 1 else value


def number(value: object, unit: str | None = None) -> float | None:
    """A number, a number word, or the minutes (days, if that is the unit) of an xsd:duration."""
    value = scalar(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    said = text(value).replace("\u00a0", " ")
    minutes = _minutes(said)
    if minutes is not None:
        return minutes / 1440 if unit == "days" else minutes
    if said in WORDS:
        return float(WORDS[said])
    digits = re.findall(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said))
    if digits:
        return float(digits[0]) if len(digits) == 1 else None
    words = [WORDS[word] for word in re.findall(r"[a-z]+", said) if word in WORDS]
    return float(words[0]) if len(words) == 1 else None


def _minutes(said: str) -> float | None:
    part = r"(\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"p(?:{part}d)?(?:t(?:{part}h)?(?:{part}m)?(?:{part}s)?)?", said)
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes, seconds = (float(group or 0) for group in found.groups())
    return days * 1440 + hours * 60 + minutes + seconds / 60


def date(value: Any) -> str | None:
    """A day as 2024-03-01; other text as it is, folded."""
    value = scalar(value)
    if value is None:
        return None
    said = text(value)
    iso = re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ].*|z)?$", said)
    if iso:
        return "{:04d}-{:02d}-{:02d}".format(*map(int, iso.groups()))
    said = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", said)
    for pattern, order in (
        (r"([a-z]+)\.? (\d{1,2}),? (\d{4})$", (3, 1, 2)),
        (r"(\d{1,2}) (?:of )?([a-z]+)\.?,? (\d{4})$", (3, 2, 1)),
    ):
        named = re.match(pattern, said)
        if named and named[order[1]] in MONTHS:
            return f"{int(named[order[0]]):04d}-{MONTHS[named[order[1]]]:02d}-{int(named[order[2]]):02d}"
    return said


def month(value: Any) -> str:
    """A month as 2024-03; other text as it is, folded."""
    if isinstance(value, dict):
        value = [value.get("year"), value.get("month")] if "year" in value else list(value.values())
    value = scalar(value)
    if isinstance(value, list | tuple) and len(value) == 2:
        value = " ".join(map(str, value))
    said = text(value)
    first = re.match(r"(\d{4})[-/. ,]+(\d{1,2})(?:[-/.]\d{1,2})?(?:[t ].*)?$", said)
    if first:
        return f"{first[1]}-{int(first[2]):02d}"
    last = re.match(r"(\d{1,2})[-/. ,]+(\d{4})$", said)
    if last:
        return f"{last[2]}-{int(last[1]):02d}"
    named = [MONTHS[word] for word in re.findall(r"[a-z]+", said) if word in MONTHS]
    years = re.findall(r"\b(\d{4})\b", said)
    return f"{years[0]}-{named[0]:02d}" if len(named) == 1 and len(years) == 1 else said


def year(value: Any) -> str:
    """The year in a text, if there is one."""
    value = scalar(value)
    said = text(int(value) if isinstance(value, float) and value == int(value) else value)
    found = re.findall(r"\b(\d{4})\b", said)
    return found[0] if len(found) == 1 else said


def boolean(value: Any) -> bool | str:
    """Yes or no."""
    value = scalar(value)
    if isinstance(value, bool):
        return value
    said = text(value)
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(said, said)


def items(value: object, gold: frozenset[str] | None = None) -> frozenset[str]:
    """The elements of a list, which may be written as text."""
    if isinstance(value, list | tuple):
        return frozenset(text(scalar(item)) for item in value if not empty(scalar(item)))
    said = str(value)
    for separator in ("\n", ";", "|"):
        if separator in said:
            return frozenset(text(item) for item in said.split(separator) if text(item))
    if gold is not None and frozenset([text(said)]) == gold:
        return gold
    if gold is not None and any("," in item or " and " in item for item in gold):
        return frozenset([text(said)])
    return frozenset(item for item in map(text, re.split(r",\s*(?:and\s+)?|(?<!\s)\s+and\s+", said)) if item)


def _bare(value: Any) -> str | None:
    found = scalar(value)
    return None if isinstance(found, list | dict) else text(found)


_READ: Final[Mapping[str, Callable[[Any], object]]] = {"date": date, "month": month, "year": year, "boolean": boolean}
