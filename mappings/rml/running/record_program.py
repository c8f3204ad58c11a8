"""A map run over a stream of records: every triples map on every record, then what no map reads, then the joins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ....config import Limits
from ....sources.base import BadRecord, Record
from ..files.jsonpath import RecordIterator, compile_record_iterator
from ..model import TermMap, TriplesMap
from ..run_state import Run
from .map import CompiledTriplesMap, Join
from .program import Deal, Program
from .rest import KeyWriter, read_names


@dataclass(frozen=True)
class _Step:
    """One triples map with its iterator, and the joins that its iterations feed."""

    compiled: CompiledTriplesMap
    iterator: RecordIterator
    feeds: tuple[Join, ...]


class RecordProgram:
    """One run over records. `produced` counts lines by triples map."""

    def __init__(
        self, run: Run, maps: list[TriplesMap], base_iri: str, limits: Limits, deal: Deal | None = None
    ) -> None:
        self._run = run
        self._deal = deal
        self._program = Program(run, maps, base_iri)
        steps = [self._step(item) for item in self._program.compiled]
        # Iterations that are the record itself share a serial, so these come first and share what they compute.
        self._roots = [step for step in steps if step.iterator.is_root]
        self._inner = [step for step in steps if not step.iterator.is_root]
        self._writers: dict[bool, KeyWriter] = {
            empty: KeyWriter(f" {run.graph} .\n" if run.graph else " .\n", limits.source_keys, empty_is_null=empty)
            for empty in (False, True)
        }
        self._read: dict[tuple[str, ...], frozenset[str]] = {}
        self.produced = {item.name: 0 for item in maps}

    def _step(self, compiled: CompiledTriplesMap) -> _Step:
        model = compiled.model
        iterator = compile_record_iterator(model.source.iterator or "$", model.iterator_place)
        return _Step(compiled, iterator, tuple(join for parent, join in self._program.joins if parent is model))

    def run(self, records: Iterable[Record | BadRecord], source: str) -> Iterator[str | BadRecord]:
        """N-Quads of each record, bad records passed through."""
        if self._deal is None or not self._program.is_divisible:
            yield from self.block(source, 1, records)
        else:
            yield from self._deal(source, records, self.produced)
        yield from self._end(source)

    def block(self, source: str, first: int, records: Iterable[Record | BadRecord]) -> Iterator[str | BadRecord]:
        """The same of some records, of which the first has a number."""
        for number, record in enumerate(records, first):
            if isinstance(record, BadRecord):
                self._run.records += 0 if record.key else record.count
                yield record
                continue
            self._run.records += 1
            own: Record = {**record, "_source": source}
            path = str(own.get("_path") or source)
            yield from self._mapped(own, path, str(own.get("_where") or own.get("_id") or f"record {number}"))

    def take_keys(self) -> tuple[tuple[str, ...], ...]:
        """The keys that no map names since the last call, by writer."""
        return tuple(writer.take_keys() for writer in self._writers.values())

    def _mapped(self, record: Record, path: str, where: str) -> Iterator[str | BadRecord]:
        """The triples of one record and what of it was kept out; or the record itself as kept out, whole."""
        run = self._run
        run.serial += 1
        applied = [step for step in self._roots if step.iterator.iterate(record)]
        lacking = next((note for step in applied if (note := step.compiled.lacks(record))), None)
        if lacking is not None:
            yield run.keep_out(path, where, lacking)
            return
        out: list[str] = []
        waiting = self._waiting()
        told = list(self._record(applied, record, out, path, where))
        if out:
            yield "".join(out)
        elif run.notes:
            yield run.keep_out(path, where, run.notes[0])
        elif not told and self._waiting() == waiting:
            run.unmapped += 1
        yield from told
        if run.notes:
            yield from run.take_notes(path, where)

    def _waiting(self) -> int:
        return sum(len(join.waiting) for _, join in self._program.joins)

    def _end(self, source: str) -> Iterator[str | BadRecord]:
        for _, join in self._program.joins:
            yield from filter(None, join.flush())
        yield from self._run.counted(source)

    def _record(
        self, applied: list[_Step], record: Record, out: list[str], path: str, where: str
    ) -> Iterator[BadRecord]:
        """Appends the lines of a record; gives the events inside it that are kept out."""
        run = self._run
        for step in applied:
            self._emit(step, record, out)
        if any(step.compiled.model.keep_other_keys for step in applied):
            self._rest(applied, record, out)
        for step in self._inner:
            for number, item in enumerate(step.iterator.iterate(record), 1):
                run.serial += 1
                lacking = step.compiled.lacks(item)
                if lacking is not None:
                    yield run.keep_out(path, f"{where}, item {number}", lacking)
                    continue
                self._emit(step, item, out)
                if step.compiled.model.keep_other_keys:
                    self._rest([step], item, out)

    def _emit(self, step: _Step, iteration: Any, out: list[str]) -> None:
        before = len(out)
        step.compiled.emit(iteration, out)
        for join in step.feeds:
            join.add(iteration)
        self.produced[step.compiled.model.name] += len(out) - before

    def _rest(self, applied: list[_Step], record: Any, out: list[str]) -> None:
        """The keys that none of the maps with the same subject reads, and those whose value made a note."""
        done: list[object] = []
        failed = {note.key for note in self._run.notes}
        for step in applied:
            model = step.compiled.model
            if model.keep_other_keys and _subject(model) not in done:
                done.append(_subject(model))
                read = self._read_by(applied, model) - failed
                self._writers[model.empty_is_null].write(record, step.compiled.subjects(record), read, out)

    def _read_by(self, applied: list[_Step], like: TriplesMap) -> frozenset[str]:
        maps = [step.compiled.model for step in applied if _subject(step.compiled.model) == _subject(like)]
        names = tuple(item.name for item in maps)
        if names not in self._read:
            below = [step for step in self._inner if step.compiled.model.keep_other_keys and step.iterator.names]
            self._read[names] = read_names(maps) | {".".join(step.iterator.names) for step in below}
        return self._read[names]


def _subject(model: TriplesMap) -> tuple[TermMap, str | None]:
    return model.subject, model.base_iri
