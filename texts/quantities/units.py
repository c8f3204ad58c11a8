"""Units as exports write them: the QUDT table of the ontology (ontology/units.ttl), by every name that it gives."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from ...ontology.namespaces import QUDT, RDFS, SKOS
from ...store.rdf import parse_turtle

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
