"""Numbers with their units, lengths of time and truth values from the texts that exports write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from .currencies import signed
from .names import folded

_LONGEST: Final = 60
_LONGEST_UNIT: Final = 24
_SPACES: Final = re.compile(r"[\s\u00a0\u202f\u2009]+")
_GROUPED: Final = r"\d{1,3}(?:[ '’.,]\d{3})+(?:[.,]\d+)?"
_AMOUNT: Final = re.compile(
    r"(?:[≈~±]|(?:ca|approx|about|circa)\.?\s)?\s*+(?P<open>\()?\s*+(?P<sign>[-+−–])?\s*+"
    r"(?P<before>[^\W\d_]{0,3}[$€£¥₹₺₽₩]|[A-Z]{3}(?=[\s\d.,+-])|[x×](?=\s*\d))?\s*+(?P<late>[-−–])?"
    rf"(?P<digits>{_GROUPED}|\d[\d.,]*|\.\d+)(?P<power>[eE][-+]?\d{{1,3}}(?![\w]))?(?P<many>[kKM](?!\w))?"
    r"\s*+-?(?P<after>[^\d\s()+-][^\d()]*+)?\s*(?P<close>\))?"
)
_MANY: Final = {"k": 1_000, "K": 1_000, "M": 1_000_000}
_GROUPS: Final = {
    ".": re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+"),
    ",": re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3}"),
}
"""Digits in groups of three, and as in India."""
_TIMES: Final = {
    Decimal("0.000001"): "µs μs us microsecond microseconds",
    Decimal("0.001"): "ms msec msecs millis millisec millisecond milliseconds millisekunden",
    Decimal(1): "s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos secondi",
    Decimal(60): "m min mins minute minutes minuten minuto minutos minuti",
    Decimal(3600): "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore",
    Decimal(86400): "d day days tag tage tagen jour jours dia dias giorno giorni",
    Decimal(604800): "w wk wks week weeks woche wochen semaine semaines semana semanas",
}
SECONDS: Final = {name: size for size, names in _TIMES.items() for name in folded(names).split()}
"""Seconds in one unit of time, by the (folded) words and signs for it."""
_TRUTHS: Final = {
    True: "true t yes y on 1 ja oui si sim wahr vrai verdadero checked enabled ✓ ✔ ☑",
    False: "false f no n off 0 nein non nao falsch faux falso unchecked disabled ✗ ✘ ☐",
}
_TRUTH_OF: Final = {word: truth for truth, words in _TRUTHS.items() for word in words.split()}
_ISO: Final = re.compile(
    r"p(?:(?P<w>[\d.,]+)w)?(?:(?P<d>[\d.,]+)d)?(?:t(?:(?P<h>[\d.,]+)h)?(?:(?P<m>[\d.,]+)m)?(?:(?P<s>[\d.,]+)s)?)?"
)
_CLOCKED: Final = re.compile(
    r"(?:(?P<days>\d+)\s?(?:d|days?|tage?|jours?)?[,.\s]\s?)?(?P<one>\d+):(?P<two>\d\d)"
    r"(?::(?P<three>\d\d))?(?P<part>[.,]\d+)?\s?(?P<word>[a-z]+)?"
)
_WORD: Final = re.compile(
    r"(?P<amount>\d+(?:[.,]\d+)?)\s*-?\s*(?P<word>[^\W\d_]+|[′’'\"]{1,2})?\.?"
    r"(?:\s*[,&+]\s*|\s+(?:and|und|et)\s+|\s+)?"
)
_ARTICLE: Final = re.compile(r"\b(?:an?|one|eine?|une?)\s+(?=[a-z])")
_HALF: Final = re.compile(r"^(?:half\s+an?|eine\s+halbe|une\s+demi[e-]?)\s*+-?\s*+(?=[a-z])")
_SIGNS: Final = {"'": "min", "’": "min", "′": "min", '"': "s", "''": "s", "’’": "s", "′′": "s"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and the unit that is written with it: a word or sign as it stands, a currency by its code, or None."""

    value: Decimal
    unit: str | None = None


@lru_cache(maxsize=1 << 13)
def read_quantity(text: str, decimal_comma: bool | None = None) -> Quantity | None:
    """A number, with or without unit: 5.99 EUR, $1,234.50, 1.234,50 €, 12 km, ≈ 12, 12%, 2 x, 1.2K.

    Where the convention is not stated, one comma before three digits groups and one point is decimal; marks that can be
    read in one way only are read so. None for no number, and for more than one.
    """
    if not 1 <= len(text) <= _LONGEST:
        return None
    found = _AMOUNT.fullmatch(_SPACES.sub(" ", text).strip())
    if found is None or bool(found["open"]) != bool(found["close"]) or (found["sign"] and found["late"]):
        return None
    value = _decimal(found["digits"], decimal_comma)
    word = (found["after"] or "").strip().rstrip(".,;")
    if value is None or len(word.split()) > 2 or len(word) > _LONGEST_UNIT:
        return None
    value *= Decimal(_MANY.get(found["many"] or "", 1))
    if found["power"]:
        value = value.scaleb(int(found["power"][1:]))
    negative = bool(found["open"]) or found["sign"] in ("-", "−", "–") or bool(found["late"])
    return Quantity(-value if negative else value, _unit(found["before"] or "", word))


def comma_evidence(text: str) -> bool | None:
    """Whether a number shows that its writer's comma is the decimal mark (True) or groups (False); None: neither."""
    found = _AMOUNT.fullmatch(_SPACES.sub(" ", text).strip()) if len(text) <= _LONGEST else None
    if found is None:
        return None
    digits = re.sub(r"[ '’]", "", found["digits"])
    if "." in digits and "," in digits:
        return digits.rfind(",") > digits.rfind(".")
    for mark, comma in ((",", True), (".", False)):
        if mark in digits:
            could_group = _GROUPS[mark].fullmatch(digits) is not None
            if digits.count(mark) > 1:
                return not comma if could_group else None
            return None if could_group else comma
    return None


@lru_cache(maxsize=1 << 13)
def read_duration(text: str, unit: str | None = None, *, hours_first: bool = False) -> Decimal | None:
    """A length of time in seconds: PT1H30M, 1:30:00, 45:10, 126 min, 1 h 30 min, 1h30, 2 hours, a plain number.

    `unit` is that of plain numbers (seconds where none is stated); `hours_first`: 1:30 is an hour and a half, not 90
    seconds. None where it is no length of time, and for months and years, which have no fixed length.
    """
    if not 1 <= len(text) <= _LONGEST:
        return None
    plain = folded(text).removeprefix("about ").removeprefix("ca. ").lstrip("~≈ ")
    sign = -1 if plain.startswith("-") else 1
    plain = re.sub(r"^[+-]\s?", "", plain)
    found = _iso(plain)
    if found is None:
        found = _clocked(plain, hours_first)
    if found is None:
        found = _worded(plain, unit)
    return None if found is None else sign * found


def parts_of_clock(text: str) -> tuple[int, int] | None:
    """How many parts a length of time written with colons has (2 or 3), and its first; None for another form."""
    found = _CLOCKED.fullmatch(folded(text).lstrip("+-").strip()) if len(text) <= _LONGEST else None
    return (3 if found["three"] else 2, int(found["one"])) if found else None


def seconds_in(unit: str) -> Decimal | None:
    """Seconds in a unit of time, by its word or sign; None for a unit of another kind."""
    return SECONDS.get(folded(unit).rstrip("."))


def read_truth(text: str) -> bool | None:
    """True or false, yes or no, on or off, 1 or 0."""
    plain = folded(text)
    return _TRUTH_OF.get(plain)


def _unit(before: str, after: str) -> str | None:
    """The unit of what stands around a number: a currency's code, else the word behind it."""
    word = "" if after in ("x", "×", ",-", "-") else after
    sign = signed(before + word)
    code = next((part for part in (word, before) if re.fullmatch("[A-Z]{3}", part)), None)
    return code or sign or word or None


def _decimal(digits: str, comma: bool | None) -> Decimal | None:
    """Digits with marks as a number; None for marks that no convention puts there."""
    text = digits.rstrip(".,")
    spaced = re.split(r"[ '’]", text)
    if len(spaced) > 1 and any(len(re.split(r"[.,]", part)[0]) != 3 for part in spaced[1:]):
        return None
    text = "".join(spaced)
    point, mark = text.rfind("."), text.rfind(",")
    if point >= 0 and mark >= 0:
        group, decimal = (",", ".") if point > mark else (".", ",")
        whole, _, part = text.rpartition(decimal)
        if decimal in whole or not _GROUPS[group].fullmatch(whole):
            return None
        text = f"{whole.replace(group, '')}.{part}"
    elif point >= 0 or mark >= 0:
        text = _one_mark(text, "." if point >= 0 else ",", comma)
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _one_mark(text: str, mark: str, comma: bool | None) -> str:
    """Digits with marks of one kind in plain form; what is no number stays none."""
    can_group = _GROUPS[mark].fullmatch(text) is not None
    if text.count(mark) > 1:
        return text.replace(mark, "") if can_group else text
    groups = (comma is not True) if mark == "," else (comma is True)
    return text.replace(mark, "") if can_group and groups else text.replace(mark, ".")


def _iso(text: str) -> Decimal | None:
    """ISO 8601, 4.4.3.2, without months and years."""
    found = _ISO.fullmatch(text)
    parts = {name: value for name, value in found.groupdict().items() if value} if found else {}
    if not parts:
        return None
    try:
        return sum((Decimal(value.replace(",", ".")) * SECONDS[name] for name, value in parts.items()), Decimal(0))
    except InvalidOperation:
        return None


def _clocked(text: str, hours_first: bool) -> Decimal | None:
    found = _CLOCKED.fullmatch(text)
    if found is None or (found["word"] and found["word"] not in SECONDS):
        return None
    numbers = [int(found[name]) for name in ("one", "two", "three") if found[name]]
    if any(number > 59 for number in numbers[1:]) or (found["days"] and numbers[0] > 23):
        return None
    sizes = (3600, 60, 1) if len(numbers) == 3 or found["days"] or _named_hours(found["word"], hours_first) else (60, 1)
    seconds = sum(number * size for number, size in zip(numbers, sizes, strict=False))
    part = Decimal(found["part"].replace(",", ".")) if found["part"] else Decimal(0)
    return seconds + int(found["days"] or 0) * 86400 + part


def _named_hours(word: str | None, hours_first: bool) -> bool:
    """Whether the word behind a clock says what its first part counts: 1:30 h, 45:10 min."""
    return SECONDS[word] == 3600 if word else hours_first


def _worded(text: str, unit: str | None) -> Decimal | None:
    """Amounts with words, the largest unit first; a last amount without one is of the next smaller unit (1h30)."""
    text = _ARTICLE.sub("1 ", _HALF.sub("0.5 ", text))
    total, place, last = Decimal(0), 0, None
    while place < len(text):
        found = _WORD.match(text, place)
        if found is None:
            return None
        word = _SIGNS.get(found["word"] or "", found["word"])
        size = SECONDS.get(word) if word else _next_size(last, unit)
        if size is None or (last is not None and size >= last):
            return None
        total += Decimal(found["amount"].replace(",", ".")) * size
        place, last = found.end(), size
    return None if last is None else total


def _next_size(last: Decimal | None, unit: str | None) -> Decimal | None:
    if last is None:
        return Decimal(1) if unit is None else seconds_in(unit)
    return {Decimal(3600): Decimal(60), Decimal(60): Decimal(1), Decimal(86400): Decimal(3600)}.get(last)
