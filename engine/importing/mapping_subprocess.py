"""A stranger's map, run in a process of its own: its expressions run in libraries that nothing else can stop."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from ... import errors
from ...config import Limits
from ...errors import HostileInput, LocatedError, MappingError, Place, ReqapError
from ...mappings.rml import CompiledMap
from ...ontology.namespaces import source_graph
from ...parallel import ALONE, Workers
from ...sources.base import BadRecord

CHUNK, BAD, AT, END, ERROR, FAULT = "chunk", "bad", "at", "end", "error", "fault"
"""The kinds of messages: triples, something kept out, where in the map it is, the end with what was counted, an error
of the error tree, any other error."""
OUT_OF_TIME: Final = 97
"""How the process ends where the system cannot stop it: with this exit code."""


@dataclass(frozen=True)
class RecordTask:
    """How records are read for a map over ev:Records: the files, and what a ReadContext says."""

    paths: tuple[str, ...]
    now: str
    horizon_days: int
    session_gap_minutes: float


@dataclass(frozen=True)
class MappingTask:
    """One run of a map. `instead` has pairs: a path as the map writes it, the file to read. `own_kinds` is the name of
    the source for whose kinds of events ev:Event stands (`own_kinds.py`); without, it stands for itself."""

    turtle: str
    path: str | None
    base_iri: str
    home_zone: str
    source: str
    graph: str | None
    folder: str
    working_folder: str
    instead: tuple[tuple[str, str], ...]
    strict: bool
    limits: Limits
    records: RecordTask | None = None
    own_kinds: str | None = None
    workers: Workers = ALONE

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "limits": self.limits.model_dump()}

    @staticmethod
    def of_json(said: dict[str, Any]) -> MappingTask:
        records = said.pop("records")
        instead = tuple((path, file) for path, file in said.pop("instead"))
        limits = Limits.model_validate(said.pop("limits"))
        workers = Workers(**said.pop("workers"))
        if records is not None:
            records = RecordTask(**{**records, "paths": tuple(records["paths"])})
        return MappingTask(**said, limits=limits, instead=instead, records=records, workers=workers)


def bad_as_json(bad: BadRecord) -> list[Any]:
    return [bad.path, bad.where, bad.reason, bad.count, bad.key]


def place_as_json(place: Place | None) -> list[Any] | None:
    return [place.line, place.column, place.path] if place else None


def place_of_json(said: list[Any] | None) -> Place | None:
    return Place(*said) if said else None


def error_as_json(bad: ReqapError) -> dict[str, Any]:
    """An error of the error tree by its class's name and what it says."""
    name = next(kind.__name__ for kind in type(bad).__mro__ if getattr(errors, kind.__name__, None) is kind)
    if isinstance(bad, LocatedError):
        place = place_as_json(bad.place)
        return {"name": name, "text": bad.message, "place": place, "expected": bad.expected, "nearest": bad.nearest}
    return {"name": name, "text": str(bad)}


def error_of_json(said: dict[str, Any]) -> ReqapError:
    kind = getattr(errors, said["name"])
    if issubclass(kind, LocatedError):
        place = place_of_json(said["place"])
        return kind(said["text"], place=place, expected=said["expected"], nearest=said["nearest"])
    return kind(said["text"])


_PROCESS = f"{__package__}.mapping_process"
CPU_SIGNAL: Final = getattr(signal, "SIGXCPU", OUT_OF_TIME)
"""What ends a process whose time is up; its negative is the exit code that its parent sees."""


def task_of(
    compiled: CompiledMap,
    folder: Path,
    instead: Mapping[str, Path],
    limits: Limits,
    *,
    source: str,
    records: RecordTask | None = None,
    own_kinds: str | None = None,
    workers: Workers = ALONE,
) -> MappingTask:
    """A run into the graph of a source, over the files of a map that stands in `folder`; bad values are bad records."""
    return MappingTask(
        turtle=compiled.turtle,
        path=compiled.path,
        base_iri=compiled.base_iri,
        home_zone=compiled.home_zone.key,
        source=source,
        graph=source_graph(source),
        folder=str(folder),
        working_folder=str(folder),
        instead=tuple((path, str(file)) for path, file in instead.items()),
        strict=False,
        limits=limits,
        records=records,
        own_kinds=own_kinds,
        workers=workers,
    )


@dataclass
class MappingRun:
    """One run of a map; what was counted is there when `chunks` has come to its end."""

    task: MappingTask
    records: int = 0
    unmapped: int = 0
    warnings: list[str] = field(default_factory=list[str])
    _place: Place | None = None

    def chunks(self) -> Iterator[str | BadRecord]:
        """N-Quads and what was kept out, as CompiledMap's methods yield them.

        Raises what these raise; MappingError, with the place of the logical source, where the map takes more processor
        time than `limits` allow; HostileInput where it takes more memory, or its process ends otherwise.
        """
        with subprocess.Popen(
            [sys.executable, "-P", "-m", _PROCESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        ) as process:
            try:
                done = yield from self._exchange(process)
            finally:
                process.kill()
                code = process.wait()
        if not done:
            raise self._ended(code)

    def _exchange(self, process: subprocess.Popen[str]) -> Generator[str | BadRecord, None, bool]:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it ended before it began, which is told below
            json.dump(self.task.as_json(), process.stdin)
            process.stdin.close()
        for line in process.stdout:
            if not line.endswith("\n"):
                return False  # it was ended while it wrote
            kind, content = json.loads(line)
            if kind == CHUNK:
                yield content
            elif kind == BAD:
                yield BadRecord(*content)
            elif kind == AT:
                self._place = place_of_json(content)
            elif kind == END:
                self.records, self.unmapped = content["records"], content["unmapped"]
                self.warnings = content["warnings"]
                return True
            elif kind == ERROR:
                raise error_of_json(content)
            else:
                raise RuntimeError(f"the process that ran the map failed: {content}")
        process.wait()
        return False

    def _ended(self, code: int) -> Exception:
        """Why a process ended that did not say so."""
        if code in (OUT_OF_TIME, -CPU_SIGNAL):
            limits = self.task.limits
            told = (
                f"this map takes more processor time than allowed: {limits.map_seconds:g} s and"
                f" {limits.map_seconds_per_mib:g} s per MiB of data (limits.map_seconds, limits.map_seconds_per_mib)"
            )
            place = self._place or Place(1, 1, self.task.path)
            return MappingError(told, place=place, expected="expressions that look less far, or higher limits")
        name = self.task.path or "the map"
        return HostileInput(
            f"{name}: the process that ran the map ended with {code}, most likely because memory ran out"
        )
