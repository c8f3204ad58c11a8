"""Currencies by sign, code and word: the one table, for exports, texts and questions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from unicodedata import category


def _by_word(text: str) -> Mapping[str, str | None]:
    """Words of the groups of a text, each to the first of its group: a currency's code, "?" for one that is open."""
    groups = (group.split() for group in text.split("|"))
    return MappingProxyType({word: None if code == "?" else code for code, *words in groups for word in words})


SIGNS: Final = _by_word("""
EUR € | GBP £ | JPY ¥ | INR ₹ rs rs. | TRY ₺ | RUB ₽ | KRW ₩ | ILS ₪ | VND ₫ | PHP ₱ | THB ฿ | NGN ₦ | UAH ₴ | GHS ₵
| ? $ kr kr. | USD us$ | AUD a$ au$ | CAD c$ ca$ | NZD nz$ | HKD hk$ | SGD s$ | BRL r$ | MXN mx$ | TWD nt$ | CHF fr.
sfr | PLN zł | CZK kč | HUF ft | RON lei
""")
"""Signs before or behind a sum, in small letters; None where several countries have it."""
_CODE_LIST: Final = """
AED ARS AUD BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL GHS HKD HRK HUF IDR ILS INR ISK JPY KES KRW KZT LKR
MAD MXN MYR NGN NOK NPR NZD PEN PHP PKR PLN QAR RMB RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR
"""
CODES: Final = frozenset(_CODE_LIST.split())
"""Codes of ISO 4217 (and RMB) that are no usual words in capitals, as ALL and TOP are."""
WORDS: Final = _by_word("""
EUR euro euros eur | GBP quid pound pounds squid sterling fiver tenner | USD bucks buck | ? dollar dollars kr kroner
krone crowns pesos dirhams dirham dinars shillings | INR rupee rupees | SEK kronor krona | CHF francs franc franken
rappen | JPY yen | CNY yuan rmb | KRW won | PLN zł zloty złoty złotych | TRY lira tl | BRL reais | ZAR rand |
NGN naira | ILS shekels nis | THB baht | MYR ringgit | HUF forint ft | CZK kč | RON lei | BGN leva | KZT tenge |
GEL lari | RUB roubles rubles | UAH hryvnia | GHS cedis
""")
"""Words of people behind a sum, in small letters; None where several countries have a currency of that name."""
OPEN: Final = MappingProxyType({"$": "USD", "dollar": "USD", "dollars": "USD"})
"""What an open sign or word is taken for where nothing else tells."""
_LETTERED: Final = ("zł", "kč", "fr.")
"""Signs of letters that are no words of any text."""
_LONGEST_FIRST: Final = (
    *sorted((sign for sign in SIGNS if any(category(mark) == "Sc" for mark in sign)), key=lambda sign: -len(sign)),
    *_LETTERED,
)


def currency_of(text: str) -> str | None:
    """The code that a sign, code or word names by itself; None where it names none."""
    plain = text.strip().casefold()
    if plain.upper() in CODES:
        return plain.upper()
    return SIGNS.get(plain) or WORDS.get(plain) or OPEN.get(plain)


def signed(text: str) -> str | None:
    """The code of the currency whose sign stands in a text; None where none does."""
    small = text.casefold()
    sign = next((sign for sign in _LONGEST_FIRST if sign in small), None)
    return None if sign is None else SIGNS[sign] or OPEN[sign]
