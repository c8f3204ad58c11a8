"""What the name of a column or table says: words, units, people and places, what is averaged and what is no figure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from ...ontology.namespaces import QUDT, RDFS, SKOS
from ...store.ontology_graph import shipped_documents
from ...store.rdf import Literal, parse_turtle
from ...store.words import fold, key_words
from ...texts.words import is_word
from ...texts.words import plural as plural_of
from ...texts.words import singular as singular_of
from .words import (
    AVERAGED,
    CLASSES,
    CODES,
    ENDS,
    FREE,
    IDENTIFIERS,
    KEY,
    LEVELS,
    MONEY,
    NUMBERED,
    OTHER_TIMES,
    PEOPLE,
    PLACES,
    SHORT,
    SPANS,
    SUMMED,
    SYNONYMS,
    TIMES,
)

_LONG: Final = 6
_IN_BRACKETS: Final = re.compile(r"\s*[(\[]\s*([^()\[\]]{1,20})\s*[)\]]\s*$")
_LONGEST: Final = 60


@dataclass(frozen=True)
class Called:
    """What a column is called: its words, and the unit that its name tells, as a sign and as an IRI."""

    words: str
    unit: str = ""
    unit_words: str = ""
    money: str = ""

    @property
    def last(self) -> str:
        """Its last word, singular."""
        return singular_of(self.words.split()[-1]) if self.words else ""

    def has(self, known: frozenset[str]) -> bool:
        """Whether a word of it, or its singular, is among the known."""
        return any(word in known or singular_of(word) in known for word in self.words.split())


@cache
def called(name: str) -> Called:
    """The words of a column's name, abbreviations written out, its unit taken off: `distance_km` is "distance"."""
    bracket = _IN_BRACKETS.search(name)
    unit = bracket[1].strip() if bracket else ""
    said = _words(name[: bracket.start()] if bracket else name)
    if unit:
        iri, money = unit_of(unit, bracketed=True), MONEY.get(fold(unit), "")
        kept = said if iri or money else f"{said} {_words(unit)}"
        return Called(_spelled(kept), iri, unit_words(iri) if iri else "", money)
    before, _, last = said.rpartition(" ")
    money = MONEY.get(last, "")
    if before and (money or unit_fits(before, last)):
        iri = "" if money else unit_of(last)
        before = before.removesuffix(" in")
        return Called(_spelled(before), iri, unit_words(iri) if iri else "", money)
    return Called(_spelled(said))


def _words(name: str) -> str:
    said = key_words(name.replace("%", " percent ").replace("#", " number "))
    return " ".join(part for word in said.split() for part in _parted(word))


@cache
def _parted(word: str) -> tuple[str, ...]:
    """The parts of a word that two were run together into: `currencycode`, `geonameid`; any other as it is."""
    if len(word) < _LONG or not word.isascii() or not word.isalpha() or is_word(word):
        return (word,)
    ends = (word[:-n] for n in (2, 3, 4, 7) if word[-n:] in ENDS)
    return next(((start, word[len(start) :]) for start in ends if len(start) > 2), (word,))


def _spelled(said: str) -> str:
    return " ".join(SHORT.get(word, word) for word in said.split())[:_LONGEST].strip()


def unit_fits(before: str, last: str) -> bool:
    """Whether the last word of a name is the unit of those before it: `temp min` is no duration."""
    if not unit_of(last):
        return False
    spans = any(word in SPANS or SHORT.get(word, "") in SPANS for word in before.split())
    if last in ("min", "mins", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "hr", "sec"):
        return spans
    return last not in ("stone", "stones", "in", "c", "f", "l", "d", "no", "st", "cal") or (
        last in ("c", "f") and "temp" in before
    )


@cache
def _units() -> dict[str, str]:
    """Units by what they are called."""
    found: dict[str, str] = {}
    document = next(data for path, data in shipped_documents(("warehouse",)) if path.endswith("units.ttl"))
    names = {QUDT + "symbol", RDFS + "label", SKOS + "altLabel", SKOS + "hiddenLabel"}
    for quad in parse_turtle(document.decode(), path="units.ttl"):
        if quad.predicate.value in names and isinstance(quad.object, Literal):
            text, iri = quad.object.value, getattr(quad.subject, "value", "")
            for form in (text, plural_of(text)) if len(text) > 2 else (text,):
                found.setdefault(form, iri)
                found.setdefault(fold(form), iri)
    return found


def unit_of(sign: str, *, bracketed: bool = False) -> str:
    """The IRI of a unit by a sign or word; "" for none."""
    known = _units()
    found = known.get(sign) or known.get(fold(sign), "")
    return known.get({"c": "°C", "f": "°F"}.get(sign, ""), found) if not bracketed else found


@cache
def unit_words(iri: str) -> str:
    """What a unit is called by the people: "kilometres"."""
    names = [text for text, known in _units().items() if known == iri and text.isalpha() and len(text) > 3]
    return max(names, key=len, default="")


def is_key(words: str) -> bool:
    """Whether a name is that of a key: its last word is."""
    return bool(words) and words.split()[-1] in KEY


def without_key(words: str) -> str:
    """A name without the words of a key at its end: "hive id" is "hive"."""
    parts = words.split()
    while len(parts) > 1 and parts[-1] in KEY:
        parts.pop()
    return " ".join(parts)


def singular(words: str) -> str:
    """A name with its last word in the singular."""
    before, space, last = words.rpartition(" ")
    return f"{before}{space}{singular_of(last)}" if last.isascii() else words


def plural(words: str) -> str:
    """A name with its last word in the plural."""
    before, space, last = words.rpartition(" ")
    return f"{before}{space}{plural_of(last)}"


def of_kind(name: Called) -> str:
    """`place`, `person`, `time`, or nothing."""
    last = name.last
    if last in ("year", "month", "quarter", "season", "term", "decade", "semester", "weekday", "week"):
        return "time"
    if last in PLACES:
        return "place"
    if name.words.startswith(("is ", "has ")):
        return ""
    return "person" if last in PEOPLE and name.words not in ("name", "product name") else ""


def time_rank(name: Called) -> int:
    """How much a name speaks for the time at which a fact happened."""
    parts = name.words.split()
    if any(word in OTHER_TIMES for word in parts):
        return -2
    return 3 if parts and parts[-1] in TIMES[:8] else 2 if any(word in TIMES for word in parts) else 0


def is_identifier(name: Called) -> bool:
    """Whether figures under a name are identifiers, which nobody adds up."""
    parts = name.words.split()
    if not parts or (parts[-1] in ("number", "no", "nr") and len(parts) > 1 and parts[-2] not in NUMBERED):
        return False
    return parts[-1] in IDENTIFIERS or parts[-1] in CODES


def is_class(name: Called) -> bool:
    """Whether figures under a name are classes to group by."""
    return name.last in CLASSES


def is_averaged(name: Called) -> bool:
    """Whether figures under a name are averaged: prices, rates, ages, temperatures."""
    last = name.last
    if last in SUMMED and "average" not in name.words and "unit" not in name.words and " per " not in name.words:
        return False
    return name.has(AVERAGED) or name.unit.rsplit("/", 1)[-1] in (
        "DEG_C", "DEG_F", "K", "KiloM-PER-HR", "MI-PER-HR", "M-PER-SEC", "BEAT-PER-MIN", "KN", "FT-PER-SEC", "DEG"
    )  # fmt: skip


def is_summed(name: Called) -> bool:
    """Whether figures under a name are surely added up."""
    return name.has(SUMMED) and not is_averaged(name)


def is_free(name: Called) -> bool:
    """Whether texts under a name are read, not grouped by."""
    return name.last in FREE


def is_level(name: Called) -> bool:
    """Whether members under a name are above others."""
    return name.last in LEVELS


def synonyms(label: str, name: str) -> tuple[str, ...]:
    """Other words for a label: what is usual, and the words of the column's name where these were abbreviations."""
    said = _words(name)
    plain = said if said != label and said.split()[-1:] != label.split()[-1:] and said.isascii() else ""
    short = plain if label == _spelled(plain) else ""
    return tuple(one for one in (SYNONYMS.get(label, ""), short) if one)


def local_name(words: str, fallback: str, *, upper: bool = False) -> str:
    """A name for an IRI: camel case, letters and digits only."""
    parts = re.findall(r"[a-z0-9]+", fold(words))
    if not parts or not parts[0][0].isalpha():
        parts = [fallback, *parts]
    first = parts[0].capitalize() if upper else parts[0]
    return (first + "".join(part.capitalize() for part in parts[1:]))[:_LONGEST]
