"""The process in which a map runs: a MappingTask on standard input, messages on standard output.

It has its own limits of processor time and memory, and no way to the network. `mapping_subprocess` starts it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...config import Limits, zone
from ...errors import MappingError, Place, ReqapError, WorkerLost
from ...mappings.rml import CompiledMap, load_map, own_kinds
from ...parallel import connect
from ...sources.base import BadRecord, ReadContext, Record
from ...store.queries.sealed import seal_thread
from .mapping_subprocess import (
    AT,
    BAD,
    CHUNK,
    CPU_SIGNAL,
    END,
    ERROR,
    FAULT,
    OUT_OF_TIME,
    MappingTask,
    RecordTask,
    bad_as_json,
    error_as_json,
    place_as_json,
)

_MIB = 2**20
_LOOK_EVERY = 0.1
_FREE_BYTES = 16 * _MIB
"""Triples that any map may make."""


def main() -> None:
    """Runs one task and says what came of it; the last message is END, ERROR or FAULT."""
    task = MappingTask.of_json(json.load(sys.stdin))
    try:
        connect(task.workers)
        seal_thread()  # and with it what this process starts
        for chunk in _run(task):
            if isinstance(chunk, BadRecord):
                _say(BAD, bad_as_json(chunk))
            else:
                _say(CHUNK, chunk)
    except WorkerLost as lost:
        if lost.code == -CPU_SIGNAL:
            sys.stdout.flush()
            os._exit(OUT_OF_TIME)
        _say(ERROR, error_as_json(lost))
    except ReqapError as bad:
        _say(ERROR, error_as_json(bad))
    except BrokenPipeError:
        os._exit(1)  # whoever started this is gone
    except MemoryError:
        most = task.limits.map_bytes
        told = f"{task.path or 'the map'}: running it takes more than {most} bytes of memory (limits.map_bytes)"
        _say(ERROR, {"name": "HostileInput", "text": told})
    except Exception:  # told by the process that waits for this one  # noqa: BLE001
        _say(FAULT, traceback.format_exc())
    sys.stdout.flush()


def _say(kind: str, content: Any) -> None:
    sys.stdout.write(json.dumps([kind, content]) + "\n")


def _run(task: MappingTask) -> Iterator[str | BadRecord]:
    home = zone(task.home_zone)
    compiled = load_map(task.turtle, path=task.path, base_iri=task.base_iri, home_zone=home)
    if task.own_kinds is not None:
        kinds = own_kinds(compiled.triples_maps, task.own_kinds)
        compiled.triples_maps = tuple(kinds.narrowed(item) for item in compiled.triples_maps)
    instead = {path: Path(file) for path, file in task.instead}
    working = Path(task.working_folder)
    size = compiled.bytes_to_read(Path(task.folder), working_dir=working, instead=instead)
    if task.records is not None:
        size += sum(_size(Path(path)) for path in task.records.paths)
    _limit(task.limits, size, bounds_memory=task.workers.ray is None)
    made = 0
    for chunk in _mapped(compiled, task, instead):
        if not isinstance(chunk, BadRecord):
            made += len(chunk)
            _check_growth(compiled, task.limits, len(chunk), made, size)
        yield chunk
    _say(END, _counted(compiled))


def _mapped(compiled: CompiledMap, task: MappingTask, instead: Mapping[str, Path]) -> Iterator[str | BadRecord]:
    if task.records is not None and compiled.reads_records:
        records = _records(task.records, task)
        yield from compiled.map_records(
            records, graph=task.graph, source=task.source, limits=task.limits, workers=task.workers
        )
    if compiled.reads_files:
        yield from compiled.map_sources(
            Path(task.folder),
            graph=task.graph,
            working_dir=Path(task.working_folder),
            instead=instead,
            strict=task.strict,
            limits=task.limits,
            starting=_at,
            workers=task.workers,
        )


def _check_growth(compiled: CompiledMap, limits: Limits, own: int, made: int, size: int) -> None:
    """Raises MappingError where one record, or all of them, make too much of too little."""
    place = compiled.triples_maps[0].place
    if own > limits.record_bytes:
        told = f"one record makes more than {limits.record_bytes} bytes of triples"
        raise MappingError(told, place=place, expected="fewer combinations of values")
    if made > _FREE_BYTES + limits.map_growth * size:
        told = f"the map makes more than {limits.map_growth} bytes of triples of each byte of data (limits.map_growth)"
        raise MappingError(told, place=place, expected="joins and templates with fewer combinations")


def _at(place: Place | None) -> None:
    """What is told before a source is read, so that it stands even if this process is ended."""
    _say(AT, place_as_json(place))
    sys.stdout.flush()


def _counted(compiled: CompiledMap) -> dict[str, Any]:
    return {
        "records": compiled.records_read,
        "unmapped": compiled.records_unmapped,
        "warnings": compiled.warnings,
    }


def _size(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def _records(reading: RecordTask, task: MappingTask) -> Iterator[Record | BadRecord]:
    from .mapped_records import mapped_records

    context = ReadContext(
        zone(task.home_zone),
        reading.now,
        horizon_days=reading.horizon_days,
        session_gap_minutes=reading.session_gap_minutes,
        limits=task.limits,
    )
    yield from mapped_records([Path(path) for path in reading.paths], context)


def _limit(limits: Limits, size: int, *, bounds_memory: bool) -> None:
    """Bounds processor time, by the bytes that there are to read, and memory; not that of Ray, which takes far more
    addresses than memory. On systems without such limits, a thread looks at the processor time."""
    seconds = time.process_time() + seconds_for(limits, size)
    try:
        import resource
    except ImportError:
        threading.Thread(target=_watch, args=(seconds,), daemon=True).start()
        return
    for kind, most in (
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_AS, limits.map_bytes if bounds_memory else resource.RLIM_INFINITY),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def seconds_for(limits: Limits, size: int) -> float:
    """Processor time that a map may take over so many bytes."""
    return limits.map_seconds + limits.map_seconds_per_mib * size / _MIB


def _watch(seconds: float) -> None:
    while time.process_time() < seconds:
        time.sleep(_LOOK_EVERY)
    os._exit(OUT_OF_TIME)


if __name__ == "__main__":
    main()
