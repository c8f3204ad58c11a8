"""A run of a map whose records are dealt to workers in blocks; it makes what one that maps them all by itself makes."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from ....config import Limits
from ....errors import ReqapError
from ....parallel import Workers, ordered_map
from ....sources.base import BadRecord
from ....store.queries.sealed import seal_thread
from ....texts.import_budget import Budget
from ..files.file_input import Unpacking
from ..model import RecordStream, TriplesMap
from ..run_state import Noted, PartRun, Run
from .file_program import FileProgram, Places
from .program import Deal
from .record_program import RecordProgram
from .rest import too_many_keys

BLOCK: Final = 256
"""Records that a worker is given at once."""


@dataclass(frozen=True)
class Plan:
    """What a worker has to know of a run."""

    maps: list[TriplesMap]
    base_iri: str
    home_zone: ZoneInfo
    graph: str | None
    strict: bool
    limits: Limits


@dataclass(frozen=True)
class _Part:
    """What came of a block; `failed` is what ended it."""

    made: list[str | BadRecord | Noted]
    produced: dict[str, int]
    records: int
    unmapped: int
    keys: tuple[tuple[str, ...], ...]
    failed: ReqapError | None


def dealt(plan: Plan, run: Run, workers: Workers) -> Deal | None:
    """Has workers map the records of a run, which counts what they tell; None where there are no workers."""
    return None if workers.are_none else partial(_dealt, pickle.dumps(plan), plan.limits.source_keys, run, workers)


def _dealt(
    plan: bytes, most_keys: int, run: Run, workers: Workers, label: Any, items: Iterable[Any], produced: dict[str, int]
) -> Iterator[str | BadRecord]:
    keys: list[set[str]] = [set(), set()]
    task = partial(_mapped if workers.ray is None else _sealed, plan, label)
    for part in ordered_map(task, _blocks(items), workers):
        run.records += part.records
        run.unmapped += part.unmapped
        for name, count in part.produced.items():
            produced[name] += count
        for item in part.made:
            if isinstance(item, Noted):
                run.notes[:] = item.notes
                yield from run.take_notes(item.path, item.where)
            else:
                yield item
        for known, new in zip(keys, part.keys, strict=False):
            known.update(new)
            if len(known) > most_keys:
                raise too_many_keys(most_keys)
        if part.failed is not None:
            raise part.failed


def _blocks(items: Iterable[Any]) -> Iterator[tuple[int, list[Any]]]:
    """Blocks with the number of their first item; one that cannot be read to its end comes before what is raised."""
    block: list[Any] = []
    first = 1
    try:
        for item in items:
            block.append(item)
            if len(block) == BLOCK:
                yield first, block
                block, first = [], first + BLOCK
    except Exception:
        if block:
            yield first, block
        raise
    if block:
        yield first, block


def _mapped(plan: bytes, label: Any, numbered: tuple[int, list[Any]]) -> _Part:
    """A worker's side."""
    run, program = _program(plan)
    run.records = run.unmapped = 0
    run.notes.clear()
    program.produced = dict.fromkeys(program.produced, 0)
    made: list[str | BadRecord | Noted] = []
    failed = None
    try:
        made.extend(program.block(label, *numbered))
    except ReqapError as bad:
        failed = bad
    keys = program.take_keys() if isinstance(program, RecordProgram) else ()
    return _Part(made, program.produced, run.records, run.unmapped, keys, failed)


def _sealed(plan: bytes, label: Any, numbered: tuple[int, list[Any]]) -> _Part:
    """The same on a machine of a cluster, whose own threads need the network that a map does not get."""
    with ThreadPoolExecutor(1, initializer=seal_thread) as thread:
        return thread.submit(_mapped, plan, label, numbered).result()


@lru_cache(maxsize=2)
def _program(plan: bytes) -> tuple[PartRun, RecordProgram | FileProgram]:
    told: Plan = pickle.loads(plan)  # noqa: S301 - from the process that started this one
    run = PartRun(told.home_zone, told.graph, told.strict)
    if isinstance(told.maps[0].source.source, RecordStream):
        return run, RecordProgram(run, told.maps, told.base_iri, told.limits)
    nowhere = Places(Path(), Path(), {}, told.limits, Unpacking(Budget(told.limits)))
    return run, FileProgram(run, told.maps, told.base_iri, nowhere, lambda _: None)
