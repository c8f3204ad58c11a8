"""What the name of a column or table says: words, units, people and places, what is averaged and what is no figure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from ...ontology.namespaces import QUDT, RDFS, SKOS
from ...store.ontology_graph import shipped_documents
from ...store.rdf import Literal, parse_turtle
from ...store.words import fold, key_words
from ...texts.words import is_word
from ...texts.words import plural as plural_of
from ...texts.words import singular as singular_of

_SHORT: Final = MappingProxyType(
    {
        "qty": "quantity", "amt": "amount", "dt": "date", "nr": "number", "nb": "number", "num": "number", "cnt": "count",
        "cust": "customer", "prod": "product", "addr": "address", "avg": "average", "pct": "percent", "perc": "percent",
        "desc": "description", "cat": "category", "dept": "department", "dep": "department", "emp": "employee",
        "yr": "year", "mgr": "manager", "inv": "invoice", "acct": "account", "acc": "account", "lat": "latitude",
        "lon": "longitude", "lng": "longitude", "temp": "temperature", "tmp": "temperature", "dur": "duration",
        "dist": "distance", "wt": "weight", "ht": "height", "org": "organisation", "loc": "location", "tel": "telephone",
        "ts": "timestamp", "dob": "birth date", "fname": "first name", "lname": "last name", "firstname": "first name",
        "lastname": "last name", "surname": "last name", "txn": "transaction", "trx": "transaction", "vol": "volume",
        "min": "minimum", "max": "maximum", "std": "standard", "rev": "revenue", "grp": "group", "pos": "position",
    }
)  # fmt: skip
_KEY: Final = frozenset(
    [
        "id",
        "ids",
        "key",
        "code",
        "uuid",
        "guid",
        "nr",
        "no",
        "number",
        "num",
        "identifier",
        "ref",
        "fk",
        "pk",
        "sk",
        "oid",
    ]
)
IDENTIFIERS: Final = frozenset(
    [
        "id",
        "ids",
        "key",
        "uuid",
        "guid",
        "identifier",
        "ref",
        "fk",
        "pk",
        "sk",
        "oid",
        "hash",
        "isbn",
        "ean",
        "sku",
        "barcode",
        "iban",
    ]
)
_CODES: Final = frozenset(
    [
        "code",
        "zip",
        "zipcode",
        "postcode",
        "postal",
        "plz",
        "phone",
        "telephone",
        "mobile",
        "fax",
        "number",
        "no",
        "nr",
        "code",
        "ip",
        "version",
        "ssn",
    ]
)
_CLASSES: Final = frozenset(
    [
        "class",
        "grade",
        "level",
        "code",
        "type",
        "status",
        "zone",
        "district",
        "floor",
        "group",
        "cluster",
        "category",
        "rank",
        "stage",
        "tier",
        "room",
        "gate",
        "lane",
        "season",
        "quarter",
        "month",
        "week",
        "weekday",
        "hour",
        "batch",
        "version",
        "target",
        "label",
        "line",
        "track",
        "platform",
        "block",
        "section",
        "sector",
        "ward",
        "team",
        "edition",
        "round",
        "chapter",
        "volume",
        "generation",
        "priority",
        "severity",
        "bin",
        "fold",
        "kind",
        "season",
        "decade",
        "bed",
        "seat",
        "shelf",
        "aisle",
    ]
)
_AVERAGED: Final = frozenset(
    [
        "price",
        "rate",
        "percent",
        "percentage",
        "share",
        "ratio",
        "age",
        "temperature",
        "rating",
        "score",
        "speed",
        "average",
        "mean",
        "median",
        "index",
        "humidity",
        "pressure",
        "height",
        "width",
        "length",
        "depth",
        "thickness",
        "density",
        "size",
        "bpm",
        "ph",
        "acidity",
        "alcohol",
        "concentration",
        "level",
        "grade",
        "latitude",
        "longitude",
        "angle",
        "slope",
        "radius",
        "diameter",
        "pace",
        "power",
        "voltage",
        "frequency",
        "hue",
        "intensity",
        "quality",
        "probability",
        "fraction",
        "proportion",
        "margin_rate",
        "discount",
        "tax_rate",
        "minimum",
        "maximum",
        "open",
        "close",
        "high",
        "low",
        "rank",
        "stock",
        "balance",
        "population",
        "salary",
        "wage",
        "fee_rate",
        "per",
        "pulse",
        "gpa",
        "velocity",
        "brightness",
        "magnitude",
        "elevation",
        "altitude",
    ]
)
_SUMMED: Final = frozenset(
    [
        "amount",
        "revenue",
        "total",
        "sales",
        "sale",
        "cost",
        "quantity",
        "sum",
        "turnover",
        "income",
        "profit",
        "expense",
        "expenses",
        "spend",
        "payment",
        "volume",
        "units",
        "count",
        "number",
        "distance",
        "duration",
        "guests",
        "visitors",
        "passengers",
        "riders",
        "calories",
        "energy",
        "weight",
        "value",
        "minutes",
        "hours",
        "days",
        "tip",
        "tips",
        "fare",
        "fee",
        "fees",
        "tax",
        "paid",
        "worth",
        "yield",
        "rainfall",
        "rain",
        "precipitation",
        "orders",
        "clicks",
        "views",
        "visits",
        "goals",
        "points",
    ]
)
_FREE: Final = frozenset(
    [
        "note",
        "notes",
        "comment",
        "comments",
        "description",
        "remark",
        "remarks",
        "text",
        "body",
        "summary",
        "message",
        "url",
        "link",
    ]
)
_PEOPLE: Final = frozenset(
    [
        "customer",
        "client",
        "employee",
        "person",
        "people",
        "name",
        "seller",
        "buyer",
        "author",
        "artist",
        "actor",
        "director",
        "manager",
        "teacher",
        "student",
        "doctor",
        "patient",
        "driver",
        "player",
        "user",
        "member",
        "owner",
        "agent",
        "clerk",
        "salesperson",
        "contact",
        "passenger",
        "guest",
        "host",
        "trainer",
        "coach",
        "rider",
        "worker",
        "volunteer",
        "donor",
        "reviewer",
        "winner",
        "waiter",
        "nurse",
        "staff",
        "judge",
    ]
)
_PLACES: Final = frozenset(
    [
        "city",
        "country",
        "region",
        "state",
        "province",
        "county",
        "district",
        "town",
        "village",
        "street",
        "address",
        "location",
        "place",
        "site",
        "store",
        "shop",
        "station",
        "airport",
        "port",
        "resort",
        "hotel",
        "continent",
        "area",
        "zone",
        "neighbourhood",
        "neighborhood",
        "warehouse",
        "office",
        "branch",
        "room",
        "venue",
        "stadium",
        "school",
        "hospital",
        "park",
        "garden",
        "field",
        "island",
        "street",
        "suburb",
        "borough",
        "territory",
        "canton",
        "apiary",
        "depot",
        "stop",
        "market",
        "restaurant",
        "library",
        "museum",
        "campus",
        "building",
    ]
)
_TIMES: Final = ("date", "day", "time", "timestamp", "datetime", "when", "start", "started", "begin", "began", "on", "at",
                 "created", "ordered", "sold", "visited", "played", "recorded", "observed", "placed")  # fmt: skip
_OTHER_TIMES: Final = frozenset(
    [
        "end",
        "ended",
        "finish",
        "finished",
        "due",
        "updated",
        "modified",
        "changed",
        "birth",
        "born",
        "died",
        "death",
        "delivery",
        "delivered",
        "shipped",
        "shipping",
        "expiry",
        "expires",
        "expiration",
        "until",
        "valid",
        "closed",
        "cancelled",
        "returned",
        "hired",
        "hire",
        "joined",
        "opened",
        "founded",
        "built",
        "last",
        "since",
        "arrival",
        "registered",
        "deadline",
    ]
)
_MONEY: Final = MappingProxyType(
    {"eur": "euros", "€": "euros", "euro": "euros", "euros": "euros", "usd": "dollars", "$": "dollars", "dollars": "dollars",
     "gbp": "pounds", "£": "pounds", "chf": "francs", "jpy": "yen", "inr": "rupees", "cad": "dollars", "aud": "dollars"}
)  # fmt: skip
_LEVELS: Final = frozenset(
    [
        "city",
        "town",
        "region",
        "state",
        "province",
        "county",
        "district",
        "country",
        "continent",
        "area",
        "zone",
        "territory",
        "category",
        "group",
        "class",
        "line",
        "department",
        "division",
        "family",
        "type",
        "brand",
        "maker",
        "manufacturer",
        "supplier",
        "series",
        "genre",
        "team",
        "league",
        "sector",
        "industry",
        "store",
        "store_type",
        "region",
        "apiary",
        "parent",
        "section",
        "branch",
        "company",
        "publisher",
        "label",
        "school",
        "faculty",
        "subject",
        "kind",
    ]
)
_LONG: Final = 6
_ENDS: Final = frozenset(["id", "code", "name", "date", "type", "time", "key", "numeric"])
_SPANS: Final = frozenset(
    [
        "duration",
        "time",
        "length",
        "wait",
        "delay",
        "ride",
        "trip",
        "run",
        "runtime",
        "playtime",
        "travel",
        "work",
        "elapsed",
        "spent",
    ]
)
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
        iri, money = unit_of(unit, bracketed=True), _MONEY.get(fold(unit), "")
        kept = said if iri or money else f"{said} {_words(unit)}"
        return Called(_spelled(kept), iri, unit_words(iri) if iri else "", money)
    before, _, last = said.rpartition(" ")
    money = _MONEY.get(last, "")
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
    ends = (word[:-n] for n in (2, 3, 4, 7) if word[-n:] in _ENDS)
    return next(((start, word[len(start) :]) for start in ends if len(start) > 2), (word,))


def _spelled(said: str) -> str:
    return " ".join(_SHORT.get(word, word) for word in said.split())[:_LONGEST].strip()


def unit_fits(before: str, last: str) -> bool:
    """Whether the last word of a name is the unit of those before it: `temp min` is no duration."""
    if not unit_of(last):
        return False
    spans = any(word in _SPANS or _SHORT.get(word, "") in _SPANS for word in before.split())
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
    return bool(words) and words.split()[-1] in _KEY


def without_key(words: str) -> str:
    """A name without the words of a key at its end: "hive id" is "hive"."""
    parts = words.split()
    while len(parts) > 1 and parts[-1] in _KEY:
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
    if last in _PLACES:
        return "place"
    if name.words.startswith(("is ", "has ")):
        return ""
    return "person" if last in _PEOPLE and name.words not in ("name", "product name") else ""


def time_rank(name: Called) -> int:
    """How much a name speaks for the time at which a fact happened."""
    parts = name.words.split()
    if any(word in _OTHER_TIMES for word in parts):
        return -2
    return 3 if parts and parts[-1] in _TIMES[:8] else 2 if any(word in _TIMES for word in parts) else 0


def is_identifier(name: Called) -> bool:
    """Whether figures under a name are identifiers, which nobody adds up."""
    parts = name.words.split()
    return bool(parts) and (parts[-1] in IDENTIFIERS or any(word in _CODES for word in parts[-1:]))


def is_class(name: Called) -> bool:
    """Whether figures under a name are classes to group by."""
    return name.last in _CLASSES


def is_averaged(name: Called) -> bool:
    """Whether figures under a name are averaged: prices, rates, ages, temperatures."""
    last = name.last
    if last in _SUMMED and "average" not in name.words and "unit" not in name.words and " per " not in name.words:
        return False
    return name.has(_AVERAGED) or name.unit.rsplit("/", 1)[-1] in (
        "DEG_C", "DEG_F", "K", "KiloM-PER-HR", "MI-PER-HR", "M-PER-SEC", "BEAT-PER-MIN", "KN", "FT-PER-SEC", "DEG"
    )  # fmt: skip


def is_summed(name: Called) -> bool:
    """Whether figures under a name are surely added up."""
    return name.has(_SUMMED) and not is_averaged(name)


def is_free(name: Called) -> bool:
    """Whether texts under a name are read, not grouped by."""
    return name.last in _FREE


def is_level(name: Called) -> bool:
    """Whether members under a name are above others."""
    return name.last in _LEVELS


def local_name(words: str, fallback: str, *, upper: bool = False) -> str:
    """A name for an IRI: camel case, letters and digits only."""
    parts = re.findall(r"[a-z0-9]+", fold(words))
    if not parts or not parts[0][0].isalpha():
        parts = [fallback, *parts]
    first = parts[0].capitalize() if upper else parts[0]
    return (first + "".join(part.capitalize() for part in parts[1:]))[:_LONGEST]
