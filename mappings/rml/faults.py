"""All that is wrong in a map, not only the first: for authors, who mend a map in one go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ...config import Limits
from ...errors import MappingError
from .documents.document import Document, Node, rml
from .documents.load import check_parents, load_triples_maps, pair_of, triples_map_nodes, triples_map_of
from .files.csv_file import csv_columns
from .files.file_input import FileInput, Iteration
from .files.json_file import json_iterations
from .files.jsonpath import compile_path
from .model import FileSource, LogicalSource, Reference, RefObjectMap, TriplesMap
from .running.program import check_program
from .running.rest import expressions_of
from .running.values import references_of

_MOST_RECORDS = 1000
"""Records of a JSON file that are looked at for their keys."""
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


def references_in(maps: Iterable[TriplesMap]) -> Iterator[tuple[LogicalSource, Reference]]:
    """Every reference of triples maps, with the source whose records it is read from."""
    by_name = {item.name: item for item in maps}
    for item in by_name.values():
        yield from ((item.source, found) for part in expressions_of(item) for found in references_of(part))
        for one in (one for pair in item.pairs for one in pair.objects if isinstance(one, RefObjectMap)):
            if (parent := by_name.get(one.parent)) is not None:
                yield from ((parent.source, found) for join in one.joins for found in references_of(join.parent))


def names_in(source: LogicalSource, path: Path, limits: Limits) -> frozenset[str] | None:
    """The columns of a CSV file, the keys of JSON records as dotted names; None where that cannot be said.

    Raises DataError and HostileInput where the file cannot be read."""
    if not isinstance(source.source, FileSource):
        return None
    file = FileInput(path, source.source.path, source.source.encoding, source.source.compression, limits)
    if source.formulation == "CSV":
        return frozenset(csv_columns(file))
    if source.formulation != "JSONPath":
        return None
    records = islice(json_iterations(file, source.iterator, None), _MOST_RECORDS)
    return frozenset(name for one in records if isinstance(one, Iteration) for name in _names(one.value, ""))


def _names(value: Any, head: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{head}{key}"
            yield from _names(inner, f"{head}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner, head)


def name_read(source: LogicalSource, reference: Reference) -> str | None:
    """The column or dotted name that a reference reads; None where it reads by position or condition."""
    if source.formulation == "CSV":
        return reference.text
    path = compile_path(reference.text, reference.place)
    return ".".join(path.names) if path.names else None
