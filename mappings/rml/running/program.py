"""Scopes and joins that the triples maps of one run share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

from ....errors import DataError, MappingError, Place
from ....sources.base import BadRecord
from ....store.words import nearest_name
from ..files.file_input import check_relative
from ..files.jsonpath import compile_path, compile_record_iterator, parse
from ..files.xml_file import compile_xpath, xpath_references
from ..model import FileSource, LogicalSource, RecordStream, RefObjectMap, TriplesMap
from ..run_state import Run
from .map import CompiledTriplesMap, Join, MapCompiler
from .values import ReferenceCompiler, Scope, Values, key_name

Deal = Callable[[Any, Iterable[Any], dict[str, int]], Iterator[str | BadRecord]]
"""Has others map what is read, block by block: which source it is, its records, the lines by triples map to add to."""


class Program:
    """Everything compiled for one run: the triples maps in document order and the joins between them.

    Raises MappingError for expressions that are wrong and for joins that cannot be run.
    """

    def __init__(self, run: Run, maps: Iterable[TriplesMap], base_iri: str) -> None:
        self.run = run
        self._base_iri = base_iri
        self._scopes: dict[tuple[object, ...], Scope] = {}
        self._by_name = {item.name: item for item in maps}
        self.joins: list[tuple[TriplesMap, Join]] = []
        """Parent triples map and index, for every referencing object map with conditions."""
        self._compiler = MapCompiler(self.scope, self._join)
        self.compiled: list[CompiledTriplesMap] = [self._compiler.compile(item) for item in self._by_name.values()]

    @property
    def is_divisible(self) -> bool:
        """Whether each record can be mapped by itself: no joins, no nodes that are numbered as they come."""
        return not self.joins and not self.run.numbers_nodes

    def scope(self, triples_map: TriplesMap) -> Scope:
        """The scope of a triples map, shared with those whose references read alike."""
        base = triples_map.base_iri if triples_map.base_iri is not None else self._base_iri
        source = triples_map.source
        stream = isinstance(source.source, RecordStream)
        kind = "records" if stream else source
        key = (kind, source.formulation, source.namespaces, base, triples_map.empty_is_null)
        if key not in self._scopes:
            self._scopes[key] = Scope(
                self.run, reference_compiler(source), base, triples_map.empty_is_null, decimals=stream
            )
        return self._scopes[key]

    def _join(self, item: RefObjectMap, child: TriplesMap) -> Join:
        parent = self._by_name.get(item.parent)
        if parent is None:
            raise MappingError(
                f"{item.parent} reads another kind of source",
                place=item.place,
                expected="files joined with files, or records with records",
            )
        same = parent.source == child.source
        if not item.joins and not same:
            raise MappingError(
                "a join without condition between different sources", place=item.place, expected="an rml:joinCondition"
            )
        children = [self.scope(child).values(join.child) for join in item.joins]
        parents = [self.scope(parent).values(join.parent) for join in item.joins]
        join = Join(self.run, children, parents, self._compiler.subjects(parent))
        if item.joins:
            self.joins.append((parent, join))
        return join


def reference_compiler(source: LogicalSource) -> ReferenceCompiler:
    """How the references of a logical source are read."""
    if isinstance(source.source, RecordStream):
        return json_references(lists=True)
    nulls = frozenset(source.source.nulls)
    if source.formulation == "CSV":
        return csv_references(nulls)
    if source.formulation == "XPath":
        return xpath_references(source.namespaces, nulls)
    return json_references(lists=False, nulls=nulls)


def check_program(triples_maps: tuple[TriplesMap, ...], base_iri: str, home_zone: ZoneInfo) -> None:
    """Compile a map without running it, so that every error in it is told before any data is read."""
    for item in triples_maps:
        _check_source(item)
    streams = [item for item in triples_maps if isinstance(item.source.source, RecordStream)]
    files = [item for item in triples_maps if isinstance(item.source.source, FileSource)]
    for maps in (streams, files):
        Program(Run(home_zone, None, strict=True), maps, base_iri)


def _check_source(item: TriplesMap) -> None:
    source = item.source
    if isinstance(source.source, RecordStream):
        if source.formulation != "JSONPath":
            raise MappingError(
                "records are read with JSONPath",
                place=item.source_place,
                expected="rml:referenceFormulation rml:JSONPath",
            )
        compile_record_iterator(source.iterator or "$", item.iterator_place)
        return
    if item.keep_other_keys:
        raise MappingError("ev:keepOtherKeys on a file source", place=item.place, expected="rml:source ev:Records")
    check_relative(source.source, item.source_place)
    if source.formulation == "JSONPath" and source.iterator is not None:
        parse(source.iterator, item.iterator_place)
    if source.formulation == "XPath" and source.iterator is not None:
        compile_xpath(source.iterator, source.namespaces, item.iterator_place)


_SCALARS = frozenset((str, int, float, bool))
_NONE: list[Any] = []


def json_references(*, lists: bool, nulls: frozenset[Any] = frozenset()) -> ReferenceCompiler:
    """References as JSONPath.

    With `lists`, a list stands for its items, as in record streams; without, it is a data error as RML has it. `nulls`
    are texts that stand for null.
    """

    def compile_reference(run: Run, text: str, place: Place | None, empty_is_null: bool) -> Values:
        path = compile_path(text, place)
        missing = nulls | {""} if empty_is_null else nulls
        tidy = _tidy(run, text, missing, lists=lists)
        if path.key is not None:
            return _of_key(path.key, missing, tidy)
        get = path.get
        return lambda iteration: tidy(get(iteration))

    return compile_reference


def _of_key(key: str, missing: frozenset[Any], tidy: Callable[[list[Any]], list[Any]]) -> Values:
    """A top-level key: the common case."""

    def values(iteration: Any) -> list[Any]:
        if type(iteration) is not dict:
            return _NONE
        value = iteration.get(key)
        if value is None:
            return _NONE
        if type(value) in _SCALARS:
            return [value] if value not in missing else _NONE
        return tidy([value])

    return values


def _tidy(run: Run, text: str, missing: frozenset[Any], *, lists: bool) -> Callable[[list[Any]], list[Any]]:
    key = key_name(text)

    def tidy(found: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for value in found:
            if type(value) in _SCALARS:
                if value not in missing:
                    kept.append(value)
            elif isinstance(value, list):
                if lists:
                    kept += tidy(value)
                else:
                    run.problem(key, value, "a list where one value is asked for; [*] names its items")
            elif isinstance(value, dict):
                run.problem(key, value, "an object where a value is asked for; name one of its keys")
            elif value is not None:
                kept.append(value)
        return kept

    return tidy


def csv_references(nulls: frozenset[str] = frozenset()) -> ReferenceCompiler:
    """References as column names; a name that is no column is a data error."""

    def compile_reference(run: Run, text: str, place: Place | None, empty_is_null: bool) -> Values:
        missing = nulls | {""} if empty_is_null else nulls
        _ = run

        def values(iteration: Any) -> list[Any]:
            try:
                value = iteration[text]
            except KeyError as bad:
                near = nearest_name(text, list(iteration))
                told = f"; did you mean {near!r}?" if near else ""
                where = f"{place}: " if place else ""
                raise DataError(f"{where}no column {text!r}{told}") from bad
            return [value] if value is not None and value not in missing else _NONE

        return values

    return compile_reference
