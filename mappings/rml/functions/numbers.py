"""Numbers, currencies and units for maps: what an export writes → decimals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from importlib.resources import files
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ....ontology.namespaces import QUDT, RDFS, SKOS
from ....operators.reading.currencies import CODES, signed
from ....store.rdf import parse_turtle
from ....store.words import nearest_name
from ..nquads import text_of
from .times import SECONDS, bounded, second_unit
from .types import Function, Unconvertible, examples, told

_NOTHING: Final = frozenset(
    {
        "",
        "-",
        "--",
        "---",
        "–",
        "—",
        "n/a",
        "na",
        "nan",
        "none",
        "null",
        "nil",
        "not available",
        "not applicable",
        "unknown",
        "missing",
        "?",
    }
)
_LONGEST: Final = 1_000
"""Characters of a text that may be a number."""
_SIMPLE: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_AROUND: Final = r"[^\d.,+\-−()]*+"
_FULL: Final = re.compile(
    rf"({_AROUND})(\()?({_AROUND})([+\-−]?)({_AROUND})((?:\d[\d.,'’\s\u00a0\u202f]*)?\d|[.,]\d+)(\))?([^\d]*)"
)
_GROUPS: Final = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")

_CODE: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z])")


def number(value: Any) -> Decimal | None:
    """A decimal from text with thousands marks, decimal comma, currency or unit; nothing from 'Not Available'."""
    if isinstance(value, Decimal):
        return bounded(value)
    if isinstance(value, bool | int):
        return bounded(Decimal(int(value)))
    if isinstance(value, float):
        return bounded(Decimal(str(value))) if isfinite(value) else None
    text = text_of(value).strip().strip("'\"").strip()
    if len(text) > _LONGEST:
        raise Unconvertible("too long for a number")
    if text.lower() in _NOTHING:
        return None
    if _SIMPLE.fullmatch(text):
        return bounded(Decimal(text))
    match = _FULL.fullmatch(text)
    if match is None:
        raise Unconvertible("no number, or more than one")
    _, opened, _, sign, _, digits, closed, _ = match.groups()
    if bool(opened) != bool(closed):
        raise Unconvertible("no number")
    plain = _plain(digits)
    return -plain if opened or sign in ("-", "−") else plain


def _plain(digits: str) -> Decimal:
    """Digits with marks between: of two kinds the last is the decimal one; one comma before three digits groups."""
    text = re.sub(r"['’\s\u00a0\u202f]", "", digits)
    point, comma = text.rfind("."), text.rfind(",")
    if point >= 0 and comma >= 0:
        text = text.replace(",", "") if point > comma else text.replace(".", "").replace(",", ".")
    elif comma >= 0:
        text = text.replace(",", "") if _GROUPS.fullmatch(text) else text.replace(",", ".")
    elif text.count(".") > 1 and _GROUPS.fullmatch(text):
        text = text.replace(".", "")
    try:
        return Decimal(text)
    except InvalidOperation as bad:
        raise Unconvertible("marks between the digits that make no number") from bad


def currency(value: Any) -> str | None:
    """The ISO 4217 code that a price names, by code or symbol; nothing when it names none."""
    text = text_of(value)
    for found in _CODE.findall(text):
        if found.upper() in CODES:
            return found.upper()
    return signed(text)


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, Decimal]]:
    known: dict[str, tuple[str, Decimal]] = dict(units())
    return {**{name: ("time", size) for name, size in SECONDS.items() if name not in known}, **known}


_LONGEST_UNIT: Final = 40
_CASED: Final = MappingProxyType(
    {"Cal": ("energy", Decimal(4184)), "cal": ("energy", Decimal("4.184")), "calorie": ("energy", Decimal("4.184"))}
)


def _unit(name: Any) -> tuple[str, Decimal]:
    text = text_of(name).strip()
    if len(text) > _LONGEST_UNIT:
        raise Unconvertible(f"unknown unit {told(text)}")
    low = text.lower()
    found = _CASED.get(text) or _units().get(low) or (_units().get(low[:-1]) if low.endswith("s") else None)
    if found is None:
        near = nearest_name(text, [*_units(), *_CASED])
        raise Unconvertible(f"unknown unit {told(name)}" + (f", did you mean {near}?" if near else ""))
    return found


def convert(value: Any, unit: Any, to: Any) -> Decimal | None:
    """A quantity of one unit in another of the same kind: lengths, energy, speed, time, weights."""
    amount = number(value)
    if amount is None:
        return None
    target_kind, target = _unit(to)
    seconds = second_unit(text_of(unit)) if target_kind == "time" else None
    kind, size = ("time", seconds) if seconds else _unit(unit)
    if kind != target_kind:
        raise Unconvertible(f"{told(unit)} is of {kind}, {told(to)} of {target_kind}")
    return _rounded(amount * size / target)


def _rounded(value: Decimal) -> Decimal:
    """Ten decimals: enough for any export, and 1/3.6 leaves no tail of threes behind."""
    return value.quantize(Decimal("1E-10")).normalize() if value and abs(value) < Decimal("1E15") else value


def _operand(value: Any) -> Decimal:
    found = number(value)
    if found is None:
        raise Unconvertible("no number")
    return found


def multiply(value: Any, by: Any) -> Decimal:
    """The product of two numbers."""
    return _rounded(_operand(value) * _operand(by))


def _divisor(value: Any) -> Decimal:
    found = _operand(value)
    if not found:
        raise Unconvertible("division by zero")
    return found


def divide(value: Any, by: Any) -> Decimal:
    """The quotient of two numbers, to ten decimals."""
    return _rounded(_operand(value) / _divisor(by))


NUMBER_FUNCTIONS: Final = (
    Function(
        "number",
        number,
        "A decimal from text: thousands marks, decimal comma, quotes, currencies and units around it are understood. "
        "Nothing (and no note) for texts that stand for nothing, such as 'Not Available', 'n/a' or '--'.",
        "xsd:decimal",
        examples=examples(
            ({"value": "1,219.49"}, Decimal("1219.49")),
            ({"value": "'-14.39'"}, Decimal("-14.39")),
            ({"value": "1.219,49"}, Decimal("1219.49")),
            ({"value": "19.50 EUR"}, Decimal("19.50")),
            ({"value": "€ 12"}, Decimal(12)),
            ({"value": "Not Available"}, None),
        ),
    ),
    Function(
        "currency",
        currency,
        "The ISO 4217 code that a price names by code or symbol; nothing when it names none.",
        "xsd:string",
        examples=examples(
            ({"value": "19.50 EUR"}, "EUR"),
            ({"value": "€12"}, "EUR"),
            ({"value": "$5"}, "USD"),
            ({"value": "12"}, None),
        ),
    ),
    Function(
        "convert",
        convert,
        "A quantity in another unit of its kind: lengths (mm cm m km in ft yd mi nmi), energy (J kJ cal kcal Cal Wh "
        "kWh), speed (m/s km/h mph kn ft/s), time (ms s min h d w), weights (mg g kg oz lb st).",
        "xsd:decimal",
        required=("value", "unit", "to"),
        checks=(("unit", _unit), ("to", _unit)),
        examples=examples(
            ({"value": 5, "unit": "mi", "to": "km"}, Decimal("8.04672")),
            ({"value": "1046", "unit": "kJ", "to": "kcal"}, Decimal(250)),
            ({"value": 10, "unit": "m/s", "to": "km/h"}, Decimal(36)),
            ({"value": 2, "unit": "h", "to": "min"}, Decimal(120)),
        ),
    ),
    Function(
        "multiply",
        multiply,
        "The product of two numbers.",
        "xsd:decimal",
        required=("value", "by"),
        checks=(("by", _operand),),
        examples=examples(({"value": "2.5", "by": 4}, Decimal(10))),
    ),
    Function(
        "divide",
        divide,
        "The quotient of two numbers, to ten decimals.",
        "xsd:decimal",
        required=("value", "by"),
        checks=(("by", _divisor),),
        examples=examples(({"value": "90", "by": 60}, Decimal("1.5"))),
    ),
)
"""Every function on numbers."""


_NAMES: Final = (QUDT + "symbol", RDFS + "label", SKOS + "altLabel", SKOS + "hiddenLabel")
_KINDS: Final = MappingProxyType({"Mass": "weight", "Velocity": "speed"})


class Size(NamedTuple):
    """What a unit measures ("length", "energy", "speed", "weight", "time", …), and how many base units it is."""

    kind: str
    factor: Decimal


@lru_cache(maxsize=1)
def units() -> Mapping[str, Size]:
    """Units by their names in small letters; those with a zero point of their own (degrees) are left out."""
    said: dict[str, dict[str, list[str]]] = {}
    table = files("reqap_kg.ontology").joinpath("units.ttl").read_text(encoding="utf-8")
    for quad in parse_turtle(table, path="ontology/units.ttl"):
        values = said.setdefault(str(quad.subject), {})
        values.setdefault(quad.predicate.value, []).append(getattr(quad.object, "value", ""))
    found: dict[str, Size] = {}
    for values in said.values():
        kind = next(iter(values.get(QUDT + "hasQuantityKind", ())), "").rsplit("/", 1)[-1]
        factor = next(iter(values.get(QUDT + "conversionMultiplier", ())), "")
        if kind and factor and kind != "Temperature":
            size = Size(_KINDS.get(kind, kind.lower()), Decimal(factor))
            found.update({name.lower(): size for names in _NAMES for name in values.get(names, ())})
    return MappingProxyType(found)
