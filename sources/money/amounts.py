"""Amounts as statements write them: signs before, behind or as brackets, thousands marks, a decimal point or comma."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final

__all__ = ["DecimalSigns", "amount", "currency_of"]

_MOST_DIGITS: Final = 18
_SPACES: Final = str.maketrans("", "", " \t\u00a0\u202f\u2009'’_")
_MINUS: Final = str.maketrans({"−": "-", "–": "-", "‐": "-"})
_NUMBER: Final = re.compile(r"[0-9][0-9.,]*|[.,][0-9]+")
_AROUND: Final = re.compile(r"(?:[A-Za-z]{1,3}|[€$£¥₹₽₩₺₪₴฿]|[A-Za-z]{1,2}[$£])?")
_CODE: Final = re.compile(r"\b[A-Z]{3}\b")
_SYMBOLS: Final = {
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₺": "TRY",
    "₪": "ILS",
    "₴": "UAH",
    "฿": "THB",
    "$": "USD",
}
_NO_CURRENCIES: Final = frozenset({"THE", "AMT", "NET", "SUM", "OUT", "DEB", "CRE", "BIJ"})


class DecimalSigns:
    """Which sign the amounts of a file have before their fractions: what most of them show is that of all."""

    def __init__(self) -> None:
        self._votes: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Takes one more amount into account."""
        found = _NUMBER.search(text.translate(_SPACES))
        number = found.group() if found else ""
        last = max(number.rfind("."), number.rfind(","))
        if last < 0:
            return
        sign, other = number[last], "," if number[last] == "." else "."
        if other in number:
            self._votes[sign] += 1
        elif number.count(sign) > 1:
            self._votes[other] += 1
        elif len(number) - last != 4:
            self._votes[sign] += 1

    def sign(self, default: str) -> str:
        """The point or the comma; `default` where no amount tells."""
        points, commas = self._votes["."], self._votes[","]
        return default if points == commas else "." if points > commas else ","


def amount(text: str, sign: str) -> Decimal | None:
    """The number in a text whose fractions stand behind `sign`; None where it is none.

    `1.234,56-`, `(12.00)`, `-€12`, `12,00 EUR` and `12 DR` are amounts.
    """
    plain = text.translate(_SPACES).translate(_MINUS).strip()
    negative = plain.startswith("(") and plain.endswith(")")
    plain = plain.strip("()")
    found = _NUMBER.search(plain)
    if found is None:
        return None
    before, behind = plain[: found.start()], plain[found.end() :]
    negative = negative or "-" in before or behind.startswith("-") or behind.upper() == "DR"
    if not all(_AROUND.fullmatch(part.replace("-", "", 1).replace("+", "", 1)) for part in (before, behind)):
        return None
    whole, _, fraction = found.group().replace("." if sign == "," else ",", "").partition(sign)
    if sign in fraction or len(whole) + len(fraction) > _MOST_DIGITS:
        return None
    try:
        value = Decimal(f"{whole or 0}.{fraction}" if fraction else whole or "0")
    except InvalidOperation:
        return None
    return -value if negative else value


def currency_of(*texts: str) -> str | None:
    """The ISO 4217 code that the first of the texts names which names one, by its code or by a symbol."""
    for text in texts:
        code = next((found for found in _codes(text) if found not in _NO_CURRENCIES), None)
        symbol = next((code for sign, code in _SYMBOLS.items() if sign in text), None)
        if code or symbol:
            return code or symbol
    return None


def _codes(text: str) -> Iterable[str]:
    return _CODE.findall(text[:100])
