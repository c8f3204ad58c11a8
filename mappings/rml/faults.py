"""All that is wrong in a map, not only the first: for authors, who mend a map in one go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from ...errors import MappingError
from .documents.document import Document, Node, rml
from .documents.load import check_parents, load_triples_maps, pair_of, triples_map_nodes, triples_map_of
from .model import TriplesMap
from .running.program import check_program

_PAIRS = rml("predicateObjectMap")


def map_faults(turtle: str, *, path: str | None, base_iri: str, home_zone: ZoneInfo) -> tuple[MappingError, ...]:
    """The errors of a map, in the order in which they are found: of each triples map, and of each predicate-object map
    in it, the first. None where `load_map` takes it."""
    try:
        document = Document(turtle, path=path, base_iri=base_iri or None)
        nodes = triples_map_nodes(document)
    except MappingError as bad:
        return (bad,)
    unknown = {_key(bad): bad for bad in document.unknown_names()}
    names = {str(node.term) for node in nodes}
    read = {_key(bad): bad for node in nodes for bad in _faults_of(document, node, names)}
    lines = {line for line, _ in unknown}  # what a misspelt name leads to says nothing new
    found = (*unknown.values(), *(bad for key, bad in read.items() if key[0] not in lines))
    return found or tuple(
        _compiling(load_triples_maps(turtle, path=path, base_iri=base_iri or None), base_iri, home_zone)
    )


def _key(bad: MappingError) -> tuple[int, str]:
    return (bad.place.line if bad.place else 0, str(bad))


def _faults_of(document: Document, node: Node, names: set[str]) -> Iterator[MappingError]:
    pairs = node.values.pop(_PAIRS, [])
    try:
        triples_map_of(document, node)
    except MappingError as bad:
        yield bad
    for value in pairs:
        try:
            check_parents([pair_of(document, value)], names)
        except MappingError as bad:
            yield bad


def _compiling(maps: tuple[TriplesMap, ...], base_iri: str, home_zone: ZoneInfo) -> Iterator[MappingError]:
    """What is wrong in expressions: each triples map is compiled by itself, and each of its pairs, if not all are
    right."""
    if next(_compiled(maps, base_iri, home_zone), None) is None:
        return
    bare = {item.name: replace(item, pairs=()) for item in maps}
    for item in maps:
        others = [one for name, one in bare.items() if name != item.name]
        head = list(_compiled((bare[item.name],), base_iri, home_zone))
        yield from head
        for pair in () if head else item.pairs:
            yield from _compiled((replace(item, pairs=(pair,)), *others), base_iri, home_zone)


def _compiled(maps: tuple[TriplesMap, ...], base_iri: str, home_zone: ZoneInfo) -> Iterator[MappingError]:
    try:
        check_program(maps, base_iri, home_zone)
    except MappingError as bad:
        yield bad
