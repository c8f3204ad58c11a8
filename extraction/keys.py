"""The keys that EXTRACT reads from texts, as ontology/keys.ttl (or a user's own ontology) describes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from ..ontology.namespaces import EV
from ..operators.nodes import AttributeType
from ..store.graph import Graph
from ..store.words import key_words, normalise

_SAID: Final = """SELECT DISTINCT ?key ?property ?value WHERE { ?key a ev:TextKey ; ?property ?value
  FILTER(isLiteral(?value) || ?property = ev:heldBy) } ORDER BY ?key ?property ?value"""
_NAMED: Final = """SELECT DISTINCT ?key ?value ?as
  WHERE { ?key a ev:TextKey ; ev:named [ ev:value ?value ; ev:as ?as ] } ORDER BY ?key ?value ?as"""
_UNITS: Final = {
    "min": ("min", "mins", "minutes"),
    "h": ("h", "hrs", "hours"),
    "s": ("s", "sec", "seconds"),
    "km": ("km", "kms", "kilometres", "kilometers"),
    "m": ("m", "metres", "meters"),
    "mi": ("mi", "miles"),
}
UNITS: Final = MappingProxyType({word: unit for unit, words in _UNITS.items() for word in words})
"""Last words of keys that say the unit of their numbers."""


class ValueKind(StrEnum):
    """What the values of a text key are."""

    PEOPLE = "people"
    PERSON = "person"
    PLACE = "place"
    CONCEPT = "concept"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    MONEY = "money"
    CURRENCY = "currency"
    DISTANCE = "distance"
    DURATION = "duration"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True)
class TextKey:
    """A key and how its values are read. `name` is its first label; `lexicon_keys` are those of the implications that
    give a concept or tell a phrase of this kind; `first_in` names the part of a record that says it before the text;
    `otherwise` is meant where nothing is said; `named` gives the names that values of the lexicon have here;
    `unit` is that of numbers; `held_by` are properties by which other records hold such values; `by_date` are values of
    the lexicon that the day tells; `read_as` names the reader of its values, where their kind alone does not say it.
    `described` is False for a key that no ontology describes."""

    name: str
    kind: ValueKind
    labels: tuple[str, ...] = ()
    multiple: bool = False
    question: str = ""
    lexicon_keys: tuple[str, ...] = ()
    first_in: str | None = None
    otherwise: str | None = None
    identifiers: bool = False
    unit: str | None = None
    named: Mapping[str, str] = field(default_factory=dict)
    held_by: tuple[str, ...] = ()
    by_date: tuple[str, ...] = ()
    read_as: str | None = None
    described: bool = True


@dataclass(frozen=True)
class TextKeys:
    """Look-up of text keys by what a tree calls them."""

    keys: tuple[TextKey, ...]
    _by_label: Mapping[str, TextKey] = field(repr=False, default_factory=dict)

    def called(self, key: str) -> TextKey | None:
        """The key that is called so, its unit taken off ("duration_min" is a duration in minutes); None if none is."""
        spoken = key_words(key)
        found = self._by_label.get(normalise(spoken))
        if found is not None:
            return found
        bare, unit = split_unit(key)
        stripped = self._by_label.get(normalise(bare)) if unit else None
        return replace(stripped, unit=unit) if stripped is not None else None


def split_unit(key: str) -> tuple[str, str | None]:
    """A key in words without the unit that it ends in, and that unit; None where it ends in none."""
    *rest, last = key_words(key).split() or [""]
    return (" ".join(rest), UNITS[last]) if rest and last in UNITS else (key_words(key), None)


def load_text_keys(graph: Graph) -> TextKeys:
    """The text keys that the graph's vocabulary describes; ones of unknown kinds are read as phrases."""
    said: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for key, prop, value in graph.select(_SAID):
        if key is not None and prop is not None and value is not None:
            said[key.value][prop.value.removeprefix(EV).rsplit("#", 1)[-1]].append(value.value)
    named: dict[str, dict[str, str]] = defaultdict(dict)
    for key, value, name in graph.select(_NAMED):
        if key is not None and value is not None and name is not None:
            named[key.value][value.value] = name.value
    keys = tuple(_text_key(entries, named[iri]) for iri, entries in said.items() if entries["label"])
    return TextKeys(keys, MappingProxyType(_labelled(keys)))


def undescribed(key: str, kind: AttributeType) -> TextKey:
    """How a key is read that no ontology describes: by its type, else as a phrase by its own words."""
    of_type = {
        AttributeType.DATE: ValueKind.DATE,
        AttributeType.DATETIME: ValueKind.DATETIME,
        AttributeType.TIME: ValueKind.TIME,
        AttributeType.DURATION: ValueKind.DURATION,
        AttributeType.FLOAT: ValueKind.MONEY,
    }
    spoken = key_words(key)
    return TextKey(
        name=spoken,
        kind=of_type.get(kind, ValueKind.PHRASE),
        labels=(spoken,),
        multiple=kind is AttributeType.LIST,
        question=spoken,
        described=False,
    )


def _text_key(entries: Mapping[str, list[str]], named: Mapping[str, str]) -> TextKey:
    def one(name: str) -> str | None:
        return next(iter(entries.get(name, ())), None)

    kind = one("valueKind")
    return TextKey(
        name=entries["label"][0],
        kind=ValueKind(kind) if kind in tuple(ValueKind) else ValueKind.PHRASE,
        labels=(entries["label"][0], *entries.get("altLabel", ())),
        multiple=one("multiple") == "true",
        question=one("question") or entries["label"][0],
        lexicon_keys=tuple(entries.get("lexiconKey", ())),
        first_in=one("firstIn"),
        otherwise=one("otherwise"),
        identifiers=one("identifiers") == "true",
        unit=one("inUnit"),
        named=MappingProxyType(dict(named)),
        by_date=tuple(entries.get("byDate", ())),
        held_by=tuple(entries.get("heldBy", ())),
        read_as=one("readAs"),
    )


def _labelled(keys: Iterable[TextKey]) -> dict[str, TextKey]:
    """Keys by label; a key's name goes before another's further label."""
    found: dict[str, TextKey] = {}
    for key in keys:
        found[normalise(key.name)] = key
    for key in keys:
        for label in key.labels[1:]:
            found.setdefault(normalise(label), key)
    return found
