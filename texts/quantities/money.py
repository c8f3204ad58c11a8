"""Sums of money in a text, in the styles of many countries, and what each is: the total, a payment, a saving."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Final

from ...operators.reading.currencies import CODES, SIGNS, WORDS
from ...operators.reading.read_amounts import read_quantity
from ..overlaps import non_overlapping
from .number_words import NUMBER, number_of


class Role(StrEnum):
    """What a sum is in its text: the total that was paid; a sum that somebody paid; something else (a rent, a saving,
    an offer); or nothing that the words tell."""

    TOTAL = "total"
    PAID = "paid"
    OTHER = "other"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Money:
    """A sum at [start, end). `currency` is the ISO 4217 code, None where the words leave it open."""

    start: int
    end: int
    value: Decimal
    currency: str | None
    role: Role = Role.PLAIN
    score: float = 1.0


_NOTES: Final = {"fiver": 5, "tenner": 10}
_CENTS: Final = {"p": "GBP", "pence": "GBP", "cents": None, "cent": None, "ct": "EUR", "paise": "INR"}
_DIGITS: Final = (
    r"\d{1,2}(?:,\d\d){1,6},\d{3}(?:\.\d{1,2})?(?!\d)|\d{1,3}(?:[ '’.,]\d{3}){1,6}(?:[.,]\d{1,2})?(?!\d)|"
    r"\d+(?:[.,]\d{1,2})?(?!\d)"
)
_SIGN: Final = "|".join(sorted((re.escape(sign) for sign in SIGNS), key=len, reverse=True))
_WORD: Final = "|".join(sorted((re.escape(word) for word in (*WORDS, *_CENTS)), key=len, reverse=True))
_BEFORE: Final = re.compile(
    rf"(?<![\w.,])(?P<sign>{_SIGN}|(?-i:{'|'.join(sorted(CODES))}))\s?(?P<digits>{_DIGITS}|\.\d\d)(?P<k>k\b|m\b)?(?:\s(?P<code>(?-i:[A-Z]{{3}}))\b)?",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    rf"(?<![\w.,:/€£$])(?P<digits>{_DIGITS})(?P<k>k(?=\s))?\s?-?(?:(?P<sign>[€£₹¥₺₽₩₪₫₱฿₴$])|(?P<word>{_WORD}|(?-i:{'|'.join(sorted(CODES))}))\b)",
    re.IGNORECASE,
)
_SPELT: Final = re.compile(
    rf"\b(?P<digits>{NUMBER}|a(?=\s(?:pound|quid|euro|dollar|fiver|tenner)\b(?!\sof)))(?:[\s-](?P<half>and\sa\shalf))?[\s-](?P<word>(?!p\b|ft\b|kr\b|tl\b)(?:{_WORD}))\b(?!\s(?:shop|saver|land))",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"\b(?:(?:grand\s|order\s)?total(?:\s(?:paid|due|amount|price|cost))?|amount\s(?:charged|paid|due)|you\spaid|paid|spent|came\sto|bill(?:\swas)?|"
    rf"cost(?:s|\sme|\sus)?)\s?[:=]?\s?(?:about\s|around\s|approx\.?\s|only\s|just\s)?(?P<digits>{_DIGITS})(?!\s?(?:%|[a-zA-Z]|:\d|/))",
    re.IGNORECASE,
)
_TOTAL_BEFORE: Final = re.compile(
    r"\b(?<!sub)(?<!sub-)(?<!sub )(?:(?:grand\s|order\s|amount\s)?total"
    r"(?:\s(?:paid|charged|due|amount|price|cost|cost\sof|to\spay|of|incl[\w. ]*))?|amount\s(?:charged|paid|"
    r"due|billed)|"
    r"you\s(?:have\s)?paid|we(?:['’]ve)?\s(?:have\s)?charged|charged|payment(?:\sof|\sreceived)?|sum|gesamt(?:betrag|summe)?|summe|betrag|importe|razem|"
    r"totale|celkem|do\szapłaty|paid|amount)\W{0,4}(?:\b(?:is|was|of|in|the|today|comes\sto|to|came\sto)\b\W{0,3}){0,2}$|=\s?$",
    re.IGNORECASE,
)
_PAID_BEFORE: Final = re.compile(
    r"\b(?:paid|pay|paying|was|tab|spent|spend|cost|costs|costing|came\sto|come\sto|bill|set\s(?:me|us)\sback|price|transferred|sent|gave|bought|got|picked\sup|ordered|parted\swith|"
    r"for|damage|handed\sover|relieved\sof|fee|invoice|booked)\b[^.!?\n|€£$\d]{0,30}$",
    re.IGNORECASE,
)
_OTHER_BEFORE: Final = re.compile(
    r"\b(?:sav(?:e|ed|ing|ings)|discount|voucher|credit|refund(?:ed)?|balance|rent|salary|worth|prize|won|raised?|owe[sd]?|"
    r"len[dt]|borrowed?|earn(?:ed)?|sold(?:\sfor)?|selling|asking|offer(?:ed)?|win|quoted?|estimate[ds]?|sell|"
    r"spend\sof|budget|limit)\b[^.!?\n|€£$\d]{0,18}$|"
    r"\b(?:from|up\sto|over|under|above|starting\sat|min(?:imum|\.)?|max(?:imum|\.)?|instead\sof|rrp|reduced\sfrom|"
    r"down\sfrom|used\sto\s(?:be|cost)|keeping)\s?:?\s?$",
    re.IGNORECASE,
)
_CENTED: Final = re.compile(
    r"(?<![\d.,:/-])(?P<digits>\d{1,5}[.,]\d\d)(?![\d:/%]|[.,-]\d|\s?(?:km|kg|g|l|ml|m|mi|h|min|pm|am|uhr|°|x)\b)",
    re.IGNORECASE,
)
_OTHER_AFTER: Final = re.compile(
    r"\W{0,3}now\b|\s?(?:off\b|discount|voucher|gift\scard|credit|cheaper|refund|saved|saving|less|more\sthan|(?:per|a|/|each)\s?(?:month|mo\b|week|year|annum)|p/?c/?m\b|pcm\b|pw\b|monthly|p\.?a\.?\b|prize|note\b|budget|million|billion|\+|or\sless|back\b|rent)",
    re.IGNORECASE,
)
_SCORES: Final = {Role.TOTAL: 1.0, Role.PAID: 0.85, Role.PLAIN: 0.65, Role.OTHER: 0.15}


def money(text: str) -> tuple[Money, ...]:
    """All sums of money, by place. Of overlapping readings the longest stays."""
    read = (*_signed(text), *_named(text), *_bare(text))
    found = sorted(read or _cented(text), key=lambda each: (each.start - each.end, each.start))
    return tuple(_with_role(text, each) for each in non_overlapping(found))


def total_paid(text: str) -> Money | None:
    """The sum that was paid in all; None where no sum of the text can be that."""
    found = [each for each in money(text) if each.role is not Role.OTHER]
    totals = [each for each in found if each.role is Role.TOTAL]
    if totals:
        return max(totals, key=lambda each: each.value)
    return max(found, key=lambda each: (each.score, -each.start), default=None)


def _signed(text: str) -> Iterator[Money]:
    """£18.95, EUR 598,00, $1,450 NZD."""
    for found in _BEFORE.finditer(text):
        value = _value(found["digits"], found["k"])
        sign = found["sign"]
        if value is None or (
            sign.casefold() in ("lei", "ft", "kr", "fr.", "rs") and sign[0].islower() and sign != "kr" and sign != "rs"
        ):
            continue
        code = found["code"] if found["code"] in CODES else None
        currency = code or (sign.upper() if sign.upper() in CODES else SIGNS.get(sign.casefold())) or _dollar(sign)
        end = found.end() if code or not found["code"] else found.end("k") if found["k"] else found.end("digits")
        yield Money(found.start(), end, value, currency)


def _named(text: str) -> Iterator[Money]:
    """64 quid, 39€, sixty-four euros, 50p."""
    for shape in (_AFTER, _SPELT):
        for found in shape.finditer(text):
            word = (found["word"] or "").casefold()
            value = number_of(found["digits"]) if shape is _SPELT else _value(found["digits"], found["k"])
            if value is None or (word == "p" and "." in found["digits"]):
                continue
            value *= _NOTES.get(word, 1)
            if shape is _SPELT and found["half"]:
                value += Decimal("0.5")
            if word in _CENTS:
                yield Money(*found.span(), value / 100, _CENTS[word])
            else:
                sign = found["sign"] if shape is _AFTER else None
                code = (
                    SIGNS.get(sign) or _dollar(sign)
                    if sign
                    else WORDS.get(word, word.upper() if word.upper() in CODES else None)
                )
                yield Money(*found.span(), value, code)


def _bare(text: str) -> Iterator[Money]:
    """A number behind "total:" or "paid"."""
    for found in _BARE.finditer(text):
        value = _value(found["digits"], None)
        if value is not None:
            yield Money(*found.span("digits"), value, None, score=0.6)


def _cented(text: str) -> Iterator[Money]:
    """43,17: a number with cents, where a text names no currency at all and it can be no clock time."""
    for found in _CENTED.finditer(text):
        whole, cents = re.split("[.,]", found["digits"])
        if int(whole) < 24 and int(cents) < 60 and "." in found["digits"]:
            continue
        value = _value(found["digits"], None)
        if value is not None:
            yield Money(*found.span(), value, None, score=0.5)


def _dollar(sign: str) -> str | None:
    return "USD" if sign == "$" else None


def _value(digits: str, many: str | None) -> Decimal | None:
    grouped = re.fullmatch(r"\d{1,3}\.\d{3}", digits) is not None  # no currency has thousandths
    read = read_quantity(digits, grouped or None)
    if read is None:
        return None
    return read.value * {"k": 1000, "m": 1_000_000}.get((many or "").casefold(), 1)


def _with_role(text: str, found: Money) -> Money:
    role = _role(text, found)
    return replace(found, role=role, score=round(found.score * _SCORES[role], 3))


def _role(text: str, found: Money) -> Role:
    """What a sum is, by the words right before and behind it."""
    first, behind = max(0, found.start - 60), found.end
    if _OTHER_AFTER.match(text, behind):
        return Role.OTHER
    if _TOTAL_BEFORE.search(text, first, found.start):
        return Role.TOTAL
    if _OTHER_BEFORE.search(text, first, found.start):
        return Role.OTHER
    return Role.PAID if _PAID_BEFORE.search(text, first, found.start) else Role.PLAIN
