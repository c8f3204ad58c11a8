"""Names of months and weekdays in several languages, from the Unicode locale data that `babel` carries.

The only place that knows them: dates in exports, in texts and in questions are read with these. Nothing is loaded
before a word is looked up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final


@lru_cache(maxsize=1 << 14)
def folded(text: str) -> str:
    """Lower case without accents, spaces of every kind as one plain space, dashes and minus signs as `-`."""
    spaced = " ".join(text.replace("−", "-").replace("–", "-").split())
    apart = unicodedata.normalize("NFKD", spaced.casefold())
    plain = "".join(c for c in apart if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return " ".join(plain.split())


ENGLISH: Final = ("en", "en_GB")
FAMILIAR: Final = (*ENGLISH, "de", "fr", "es", "it", "pt", "pt_PT", "nl", "sv", "da", "nb")
"""Languages whose abbreviations are known, too. Of two that use one word for two things the earlier is right."""
OTHERS: Final = ("fi", "pl", "cs", "hu", "ro", "tr", "ca", "hr", "ru", "uk", "el")
"""Languages of which the whole names are known: their abbreviations ("to", "so", "dub") are too many common words."""
_SPELLINGS: Final = {"days": {"tues": 1, "weds": 2, "thur": 3, "thurs": 3, "sonnabend": 5}, "months": {"mrz": 3}}
"""As people write them, where the locale data lacks it."""
_WORDS: Final = frozenset(("out", "set", "ago", "mag", "gen", "lug", "giu", "mer", "mas", "do"))
"""Abbreviations that mostly are something else where they stand in a sentence."""
_PARTICLES: Final = ("de ", "d'", "d’")


def month_of(text: str) -> int | None:
    """The month that a text names, January being 1; None for anything else."""
    return _looked_up("months", _bare(text))


def weekday_of(text: str) -> int | None:
    """The weekday that a text names, Monday being 0; None for anything else."""
    return _looked_up("days", _bare(text))


def month_said(word: str) -> int | None:
    """The month that a word of a sentence is: abbreviations that mostly are something else left out."""
    return None if word.casefold().rstrip(".") in _WORDS else month_of(word)


@lru_cache(maxsize=1 << 12)
def english_month(text: str) -> int | None:
    """The month that an English name or abbreviation means."""
    return _names("months", ENGLISH).get(_bare(text))


@lru_cache(maxsize=1 << 12)
def english_weekday(text: str) -> int | None:
    """The weekday that an English name or abbreviation means, Monday being 0."""
    return _names("days", ENGLISH).get(_bare(text))


@lru_cache(maxsize=1)
def months_abroad() -> Mapping[str, int]:
    """Whole names of months in the familiar languages, folded, where English has another name."""
    known: dict[str, int] = {}
    for code in FAMILIAR[len(ENGLISH) :]:
        for name, number in _written("months", code, ("wide",)):
            known.setdefault(_bare(name), number)
    return MappingProxyType({name: number for name, number in known.items() if name not in english_names()})


@lru_cache(maxsize=2)
def spoken_weekdays() -> Mapping[str, int]:
    """Weekdays as they may stand in a sentence, folded: the whole names of all languages, English abbreviations."""
    known: dict[str, int] = {}
    for code, widths in (
        *((code, ("wide", "abbreviated")) for code in ENGLISH),
        *((c, ("wide",)) for c in (*FAMILIAR, *OTHERS)),
    ):
        for name, number in _written("days", code, widths):
            known.setdefault(_bare(name), number)
    return MappingProxyType({**known, **_SPELLINGS["days"]})


@lru_cache(maxsize=2)
def english_names() -> frozenset[str]:
    """All English names and abbreviations of months and weekdays, in small letters."""
    named = (
        name
        for kind in ("months", "days")
        for code in ENGLISH
        for name, _ in _written(kind, code, ("wide", "abbreviated"))
    )
    return frozenset(map(_bare, named)) | {"tues", "weds", "thur", "thurs"}


@lru_cache(maxsize=2)
def english_abbreviations() -> frozenset[str]:
    """The English abbreviations of months and weekdays ("may" is none), in small letters."""
    return english_names() - {name.lower() for name in (*whole_months(), *whole_weekdays())}


@lru_cache(maxsize=2)
def whole_month() -> re.Pattern[str]:
    """An English month's whole name as a word."""
    return re.compile(rf"\b({'|'.join(whole_months())})\b", re.IGNORECASE)


@lru_cache(maxsize=2)
def whole_weekday() -> re.Pattern[str]:
    """An English weekday's whole name as a word."""
    return re.compile(rf"\b({'|'.join(whole_weekdays())})\b", re.IGNORECASE)


def whole_months() -> tuple[str, ...]:
    """The English names of the months, from January on."""
    return _whole("months")


def whole_weekdays() -> tuple[str, ...]:
    """The English names of the weekdays, from Monday on."""
    return _whole("days")


@lru_cache(maxsize=2)
def _whole(kind: str) -> tuple[str, ...]:
    named = {number: name for name, number in _written(kind, "en", ("wide",))}
    return tuple(named[number] for number in sorted(named))


def _looked_up(kind: str, name: str) -> int | None:
    """The number of a name: in English, then in the familiar languages, then in all, so that few need be loaded."""
    for languages in ((ENGLISH, ()), (FAMILIAR, ()), (FAMILIAR, OTHERS)):
        found = _names(kind, *languages).get(name)
        if found is not None:
            return found
    return None


def _bare(text: str) -> str:
    return folded(text).rstrip(".")


@lru_cache(maxsize=8)
def _names(kind: str, familiar: tuple[str, ...], others: tuple[str, ...] = ()) -> Mapping[str, int]:
    """Folded name → number."""
    known: dict[str, int] = {}
    shortest = ("wide", "abbreviated", "short")  # "on" and "to" are short for days in Danish
    for codes, widths in ((familiar[:2], shortest), (familiar[2:], shortest[:2]), (others, shortest[:1])):
        for code in codes:
            for name, number in _written(kind, code, widths):
                for spelled in {name, name.replace("ä", "ae")}:
                    known.setdefault(_bare(spelled), number)
    return MappingProxyType({**known, **_SPELLINGS[kind]})


def _written(kind: str, code: str, widths: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The names of a language as they are written, alone and inside dates."""
    from babel import Locale  # a tenth of a second, where a name is looked up for the first time

    data = getattr(Locale.parse(code), kind)
    for use in ("format", "stand-alone"):
        for width in widths:
            for number, name in (data[use].get(width) or {}).items():
                for particle in _PARTICLES:
                    name = name.removeprefix(particle)
                yield name.rstrip("."), number
