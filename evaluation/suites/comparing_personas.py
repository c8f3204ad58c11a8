"""When an answer to a persona's question is right (the rules of that data's own score.py).

Numbers within half a percent or 0.005, relaxed within a tenth; dates, months, weekdays and times in any usual spelling;
text without case, accents and articles; lists as sets; an answer of type none when nothing, 0 or "none" is said.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

MONTHS: Final = {
    spelled: number
    for number, name in enumerate(map(str.lower, calendar.month_name))
    if name
    for spelled in (name, name[:3])
}
NOTHING: Final = frozenset(("", "none", "no", "nothing", "never", "nobody", "no answer", "0", "null", "not found"))
_SLACK: Final = 0.1
_NEAR: Final = 0.005


def right(row: Mapping[str, Any], answer: object, *, relaxed: bool = False) -> bool:
    """Whether an answer, a value or values best first, is right for a question's row."""
    given = [value for value in (answer if isinstance(answer, list) else [answer]) if value is not None]
    kind = row["answer_type"]
    gold = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
    if kind == "none" or not gold:
        return not given or plain(given[0]) in NOTHING or number(given[0]) == 0
    if not given:
        return False
    also = row.get("also_accept") or []
    single = [other for other in also if not isinstance(other, list)]
    if kind == "list" or len(gold) > 1:
        whole = [gold, *(other for other in also if isinstance(other, list))]
        return any(_all_named(option, given) for option in whole) or _all_known(gold, single, given)
    return any(same(value, given[0], kind, relaxed=relaxed) for value in (*gold, *single))


def _all_named(option: list[Any], given: list[Any]) -> bool:
    return len(option) == len(given) and all(any(same(g, p, "text") for p in given) for g in option)


def _all_known(gold: list[Any], single: list[Any], given: list[Any]) -> bool:
    """As many values as there are, each one of them or another name of one."""
    return len(gold) == len(given) and all(any(same(g, p, "text") for g in (*gold, *single)) for p in given)


def same(gold: object, given: object, kind: str, *, relaxed: bool = False) -> bool:
    """Whether one value stands for another, as values of a type of answer."""
    by_type = _BY_TYPE.get(kind)
    found = by_type(gold, given, relaxed) if by_type is not None else None
    return _same_text(gold, given, kind) if found is None else found


def _same_text(gold: object, given: object, kind: str) -> bool:
    wanted, said = plain(gold), plain(given)
    if wanted == said:
        return True
    a, b = number(gold), number(given)
    if a is not None and b is not None and kind != "text":
        return abs(a - b) <= max(_NEAR, _NEAR * abs(a))
    named = re.search(rf"\b{re.escape(wanted)}\b", said) is not None
    return len(wanted) > 3 and named and len(said) <= len(wanted) + 25


def _same_number(gold: object, given: object, relaxed: bool) -> bool | None:
    a, b = number(gold), number(given)
    if a is None or b is None:
        return None
    return abs(a - b) <= max(_NEAR, _NEAR * abs(a), _SLACK * abs(a) if relaxed else 0)


def _same_date(gold: object, given: object, _: bool) -> bool | None:
    a, b = date(gold), date(given)
    return a == b if a and b else None


def _same_month(gold: object, given: object, _: bool) -> bool | None:
    a, b = month(gold), month(given)
    if a is None or b is None:
        return None
    return a == b or (a[1] == b[1] and a[0] is None)


def _same_weekday(gold: object, given: object, _: bool) -> bool | None:
    return plain(given)[:3] == plain(gold)[:3]


def _same_time(gold: object, given: object, _: bool) -> bool | None:
    a, b = (re.search(r"(\d{1,2}):(\d\d)", str(value)) for value in (gold, given))
    return (int(a[1]), int(a[2])) == (int(b[1]), int(b[2])) if a and b else None


def _same_truth(gold: object, given: object, _: bool) -> bool | None:
    a, b = (plain(value) in ("true", "yes", "1") for value in (gold, given))
    return a == b and plain(given) != ""


_BY_TYPE: Final[Mapping[str, Callable[[object, object, bool], bool | None]]] = {
    "number": _same_number,
    "duration": _same_number,
    "date": _same_date,
    "month": _same_month,
    "weekday": _same_weekday,
    "time": _same_time,
    "boolean": _same_truth,
}


def plain(value: object) -> str:
    """Text without case, accents, article and most punctuation."""
    bare = unicodedata.normalize("NFKD", str(value)).encode("ascii", "ignore").decode() or str(value)
    bare = re.sub(r"[^\w\s:.+-]", " ", bare.casefold())
    return re.sub(r"\s+", " ", re.sub(r"^(the|a|an|my)\s+", "", bare)).strip(" .")


def number(value: object) -> float | None:
    """A number, also with words around it; None for truth values and where there are two."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    match = re.fullmatch(r"[^\d-]*(-?\d[\d,]*\.?\d*)\s*[^\d]*", str(value).strip())
    return float(match[1].replace(",", "")) if match else None


def date(value: object) -> tuple[int, int, int] | None:
    """Year, month and day."""
    iso = re.match(r"(\d{4})-(\d\d?)-(\d\d?)", str(value).strip())
    if iso:
        return int(iso[1]), int(iso[2]), int(iso[3])
    bare = plain(value).replace(".", " ")
    year = re.search(r"\b(\d{4})\b", bare)
    day = re.search(r"\b(\d{1,2})(st|nd|rd|th)?\b", bare)
    named = _month_named(bare)
    return (int(year[1]), named, int(day[1])) if year and day and named else None


def month(value: object) -> tuple[int | None, int] | None:
    """Year, if it is said, and month."""
    iso = re.fullmatch(r"(\d{4})-(\d\d?)(-\d\d?.*)?", str(value).strip())
    if iso:
        return int(iso[1]), int(iso[2])
    bare = plain(value)
    year = re.search(r"\b(\d{4})\b", bare)
    named = _month_named(bare)
    alone = number(value)
    if named is None and alone is not None and 1 <= alone <= 12:
        named = int(alone)
    return (int(year[1]) if year else None, named) if named else None


def _month_named(bare: str) -> int | None:
    return next((MONTHS[word] for word in re.findall("[a-z]+", bare) if word in MONTHS), None)
