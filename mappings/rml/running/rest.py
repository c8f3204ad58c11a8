"""ev:keepOtherKeys: what no triples map with the same subject reads is kept under key:, so that no key is ever lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote

from ....errors import HostileInput
from ....ontology.namespaces import KEY
from ..files.jsonpath import compile_path
from ..model import Expression, RefObjectMap, TermMap, TriplesMap
from ..nquads import NATURAL_DECIMALS
from .values import references_of


def expressions_of(triples_map: TriplesMap) -> Iterator[Expression]:
    """Every expression of a triples map."""
    maps: list[TermMap] = [triples_map.subject, *triples_map.graphs]
    for pair in triples_map.pairs:
        maps += [*pair.predicates, *pair.graphs, *(item for item in pair.objects if isinstance(item, TermMap))]
        for item in pair.objects:
            if isinstance(item, RefObjectMap):
                yield from (join.child for join in item.joins)
    for term_map in maps:
        yield from (part for part in (term_map.expression, term_map.language) if part is not None)
        if term_map.datatype and term_map.datatype.expression:
            yield term_map.datatype.expression


def read_names(triples_maps: Iterable[TriplesMap]) -> frozenset[str]:
    """The keys that the triples maps read wholly, as flattened names: `$.geo[*].lat` reads geo.lat.

    Paths that read only a part of what they name (an index, a filter) do not count: the rest would be lost.
    """
    found: set[str] = set()
    for triples_map in triples_maps:
        for expression in expressions_of(triples_map):
            for reference in references_of(expression):
                path = compile_path(reference.text, reference.place)
                if path.whole and path.names:
                    found.add(".".join(path.names))
                if not reference.text.startswith("$"):
                    found.add(reference.text)
    return frozenset(found)


def too_many_keys(most: int) -> HostileInput:
    """The error of a source with more than `most` keys that no map names."""
    return HostileInput(f"more than {most} different keys that no map names")


class KeyWriter:
    """Writes what is left of a record as key: triples. Predicates are made once per key, of which there are `most`."""

    def __init__(self, end: str, most: int, *, empty_is_null: bool) -> None:
        self._end = end
        self._most = most
        self._empty_is_null = empty_is_null
        self._predicates: dict[str, str] = {}

    def write(self, record: Any, subjects: list[str], read: frozenset[str], out: list[str]) -> None:
        """Append a line per subject and value of every key that is not in `read`; keys with _ in front are internal."""
        if not isinstance(record, dict):
            return
        for key, value in record.items():
            if value is not None and key not in read and key[:1] != "_":
                self._value(key, value, subjects, read, out)

    def take_keys(self) -> tuple[str, ...]:
        """The keys written since the last call."""
        found = tuple(self._predicates)
        self._predicates.clear()
        return found

    def _value(self, name: str, value: Any, subjects: list[str], read: frozenset[str], out: list[str]) -> None:
        if type(value) is dict:
            for key, inner in value.items():
                below = f"{name}.{key}"
                if below not in read:
                    self._value(below, inner, subjects, read, out)
        elif type(value) is list:
            for inner in value:
                self._value(name, inner, subjects, read, out)
        elif value is not None and not (self._empty_is_null and value == ""):
            write: Callable[[Any], str] | None = NATURAL_DECIMALS.get(type(value))
            text = write(value) if write else NATURAL_DECIMALS[str](str(value))
            middle = self._predicates.get(name) or self._predicate(name)
            out += [f"{subject}{middle}{text}{self._end}" for subject in subjects]

    def _predicate(self, name: str) -> str:
        """Raises HostileInput for one key too many: keys that are data would make a property of each."""
        if len(self._predicates) >= self._most:
            raise too_many_keys(self._most)
        middle = f" <{KEY}{quote(name, safe='', errors='replace')}> "
        self._predicates[name] = middle
        return middle
