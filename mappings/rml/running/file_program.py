"""A map run over the files its logical sources name: join indexes first, then every source once, in a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ....config import Limits
from ....errors import Place
from ....sources.base import BadRecord
from ....texts.import_budget import passed_limit
from ..files.csv_file import csv_iterations
from ..files.file_input import FileInput, Iteration, Iterations, Unpacking, file_of
from ..files.json_file import json_iterations
from ..files.xml_file import looks_outward, xml_iterations
from ..model import FileSource, LogicalSource, TriplesMap
from ..run_state import Run
from .map import CompiledTriplesMap
from .program import Deal, Program
from .rest import expressions_of
from .values import references_of


@dataclass(frozen=True)
class Places:
    """Where files are looked for; `instead` gives the file to read for a path of the map."""

    mapping_directory: Path
    working_directory: Path
    instead: Mapping[str, Path]
    limits: Limits
    unpacking: Unpacking

    def input_of(self, source: FileSource) -> FileInput:
        """The file of a source. Raises DataError when there is none."""
        path = self.instead.get(source.path) or file_of(source, self.mapping_directory, self.working_directory)
        return FileInput(path, source.path, source.encoding, source.compression, self.limits, self.unpacking)


class FileProgram:
    """One run over files. `produced` counts lines by triples map."""

    def __init__(
        self,
        run: Run,
        maps: list[TriplesMap],
        base_iri: str,
        places: Places,
        starting: Callable[[Place | None], None],
        deal: Deal | None = None,
    ) -> None:
        self._run = run
        self._deal = deal
        self._starting = starting
        self._places = places
        self._program = Program(run, maps, base_iri)
        self._sources: dict[LogicalSource, list[CompiledTriplesMap]] = {}
        for item in self._program.compiled:
            self._sources.setdefault(item.model.source, []).append(item)
        self.produced = {item.name: 0 for item in maps}

    def run(self) -> Iterator[str | BadRecord]:
        """N-Quads of all sources, in pieces, with what was kept out. Elements of XML do not leave their document."""
        self._index_parents()
        for at, (source, maps) in enumerate(self._sources.items()):
            iterations = self._iterations(source, [item.model for item in maps])
            if self._deal is None or source.formulation == "XPath" or not self._program.is_divisible:
                yield from self.block(at, 1, iterations)
            else:
                yield from self._deal(at, iterations, self.produced)
        yield from self._run.counted(self._label)

    @property
    def _label(self) -> str:
        names = [source.source.path for source in self._sources if isinstance(source.source, FileSource)]
        return ", ".join(dict.fromkeys(names))

    def _index_parents(self) -> None:
        parents: dict[LogicalSource, list[tuple[TriplesMap, int]]] = {}
        for at, (parent, _) in enumerate(self._program.joins):
            parents.setdefault(parent.source, []).append((parent, at))
        lacks = {id(item.model): item.lacks for maps in self._sources.values() for item in maps}
        for source, entries in parents.items():
            for iteration in self._iterations(source, [parent for parent, _ in entries]):
                if isinstance(iteration, BadRecord):
                    continue  # reported when the source is mapped
                self._run.serial += 1
                self._run.where = iteration.where
                for parent, at in entries:
                    if lacks[id(parent)](iteration.value) is None:
                        self._program.joins[at][1].add(iteration.value)
                self._run.notes.clear()
        for _, join in self._program.joins:
            join.complete = True
        self._run.notes.clear()

    def _iterations(self, source: LogicalSource, maps: list[TriplesMap]) -> Iterations:
        assert isinstance(source.source, FileSource)
        self._starting(maps[0].source_place)
        file = self._places.input_of(source.source)
        if source.formulation == "CSV":
            return csv_iterations(file)
        if source.formulation == "XPath":
            parts = [part for item in maps for part in expressions_of(item)]
            outward = any(looks_outward(reference.text) for part in parts for reference in references_of(part))
            whole = outward or bool(self._program.joins)
            return xml_iterations(file, source.iterator, source.namespaces, whole=whole)
        return json_iterations(file, source.iterator, maps[0].iterator_place)

    def block(self, at: int, _: int, iterations: Iterable[Iteration | BadRecord]) -> Iterator[str | BadRecord]:
        """N-Quads of iterations of the source that comes at place `at`."""
        source, maps = list(self._sources.items())[at]
        run = self._run
        name = source.source.path if isinstance(source.source, FileSource) else ""
        for iteration in iterations:
            if isinstance(iteration, BadRecord):
                run.records += 0 if iteration.key else iteration.count
                yield iteration
                continue
            run.records += 1
            if isinstance(iteration.value, Mapping) and (reason := passed_limit(iteration.value, self._places.limits)):
                yield BadRecord(name, iteration.where, reason)
                continue
            run.serial += 1
            run.where = f"{name}: {iteration.where}"
            lacking = next((note for item in maps if (note := item.lacks(iteration.value))), None)
            if lacking is not None:
                yield run.keep_out(name, iteration.where, lacking)
                continue
            out: list[str] = []
            for item in maps:
                before = len(out)
                item.emit(iteration.value, out)
                self.produced[item.model.name] += len(out) - before
            if out:
                yield "".join(out)
            elif run.notes:
                yield run.keep_out(name, iteration.where, run.notes[0])
            else:
                run.unmapped += 1
            if run.notes:
                yield from run.take_notes(name, iteration.where)
