"""The process that works on a job: `python -m reqap_kg.web.page.data.process FOLDER STAGE`.

What it is to do stands in the job's folder, and it tells there how far it is. An import is seen whole or not at all,
whenever this ends.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from ....config import Settings, with_access
from ....engine.admin.doctor import examine
from ....engine.admin.manage import forget
from ....engine.derivations import forget_derived, is_read_ahead
from ....engine.importing.catalog import read_catalog
from ....engine.importing.ingest import ingest
from ....engine.importing.loading import IngestOptions
from ....engine.importing.replacing import EVENT_PROPERTY, TYPE_PROPERTY, events_held
from ....engine.importing.report import IngestReport
from ....errors import LocatedError, ReqapError
from ....store.folder import JOURNAL, private_files
from ....store.generations import EventGraph, exists, held_before, open_graph
from ....store.locks import locked
from .jobs import FILES, LOCK, TEXTS, Measured, ProgressFile, Stage, read_json

_LOG: Final = logging.getLogger("reqap_kg.service")
_LOCK_SECONDS: Final = 60.0
"""How long this waits for the store: whoever has it gives it away between two questions."""
UNEXPECTED: Final = "an unexpected error, which is a fault of reqap-kg; its log says more"


@dataclass(frozen=True)
class Task:
    """What is to be done with the store at `directory`: `name` is a source's, or words of derivations; `mapping` is the
    path of a map among the files."""

    kind: str
    directory: str
    settings: dict[str, Any]
    now: str
    zone: str
    name: str = ""
    mapping: str | None = None
    replace: bool = False
    measured: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """It as JSON."""
        return asdict(self)

    @property
    def place(self) -> Path:
        """The store's folder."""
        return Path(self.directory)

    def chosen(self) -> Settings:
        """The settings."""
        found = with_access(Settings.model_validate(self.settings), os.environ)
        return found.model_copy(update={"lock_seconds": max(found.lock_seconds, _LOCK_SECONDS)})


def main() -> None:
    """Does what the job's folder says."""
    folder, stage = Path(sys.argv[1]), sys.argv[2]
    assert stage in ("look", "run")
    with private_files(), locked(folder / LOCK, exclusive=True, seconds=_LOCK_SECONDS, what="a job"):
        task = Task(**(read_json(folder / f"{stage}.task.json") or {}))
        telling = ProgressFile(folder, stage, Measured.of_json(task.measured))
        telling.ended(_done(task, folder, stage, telling))


def _done(task: Task, folder: Path, stage: Stage, telling: ProgressFile) -> dict[str, Any]:
    try:
        return _DOES[task.kind](task, folder, stage, telling)
    except KeyboardInterrupt:
        return {"stopped": True}
    except LocatedError as bad:
        place = {"line": bad.place.line, "column": bad.place.column} if bad.place else None
        return {"error": {"message": bad.message, "place": place, "expected": bad.expected, "nearest": bad.nearest}}
    except ReqapError as bad:
        return {"error": {"message": str(bad)}}
    except Exception:  # noqa: BLE001 - the last of a process: it is logged
        _LOG.exception("a job of the page failed")
        return {"error": {"message": UNEXPECTED}}


def _import(task: Task, folder: Path, stage: Stage, telling: ProgressFile) -> dict[str, Any]:
    """Imports what was sent, or says what that would do; paths are named as they were sent."""
    os.chdir(folder / FILES)
    mapping = Path(task.mapping) if task.mapping else None
    options = IngestOptions(
        task.chosen(), datetime.fromisoformat(task.now), task.zone, task.name or None, mapping,
        dry_run=stage == "look", replace=task.replace, index=True,
    )  # fmt: skip
    report = ingest(_paths(mapping), task.place, options, telling)
    more = _compared(report, task, mapping) if options.dry_run else {}
    return {"report": report.as_json(), "changed": report.changed, "reads": True, **more}


def _paths(mapping: Path | None) -> list[Path]:
    """All that was sent, but for the map: what is refused in a folder leaves the rest."""
    if mapping is None:
        return [Path()]
    return [path for path in sorted(Path().iterdir()) if path != mapping]


def _compared(report: IngestReport, task: Task, mapping: Path | None) -> dict[str, Any]:
    """Of each source, how many events are new, known, and no longer there; and how many texts the store has that were
    not read yet."""
    held: dict[str, set[int]] = {}
    unread = 0
    if exists(task.place):
        mark = TYPE_PROPERTY if mapping is not None else EVENT_PROPERTY
        with open_graph(task.place, lock_seconds=_LOCK_SECONDS, access=task.chosen().access) as graph:
            held = {source.name: events_held(graph, source.name, mark) for source in report.sources}
            unread = _unread(graph, {source.name for source in report.sources})
    found: dict[str, dict[str, int]] = {}
    for source in report.sources:
        known = held.get(source.name, set[int]())
        here = source.subjects
        found[source.name] = {"new": len(here - known), "known": len(here & known), "gone": len(known - here)}
    return {"compared": found, "unread": unread}


def _unread(graph: EventGraph, others: set[str]) -> int:
    """Texts of all but some sources, where nothing was read ahead yet."""
    if is_read_ahead(graph):
        return 0
    return sum(one.events for one in read_catalog(graph) if one.format in TEXTS and one.name not in others)


def _forget(task: Task, _: Path, __: Stage, ___: ProgressFile) -> dict[str, Any]:
    with open_graph(task.place, lock_seconds=_LOCK_SECONDS, access=task.chosen().access) as graph:
        reads = is_read_ahead(graph)
    gone = forget(task.name, task.place, task.chosen())
    said = (task.place / JOURNAL).is_file()
    told = {"events": gone.events, "triples": gone.triples, "in_chats": said}
    return {"forgot": told, "changed": True, "reads": reads, "still_held": len(held_before(task.place))}


def _forget_derived(task: Task, _: Path, __: Stage, ___: ProgressFile) -> dict[str, Any]:
    gone = forget_derived(task.place, task.name, lock_seconds=_LOCK_SECONDS, access=task.chosen().access)
    told = {"derivations": len(gone), "triples": sum(found.triples for found in gone)}
    return {"forgot": told, "changed": bool(gone), "still_held": len(held_before(task.place))}


def _verify(task: Task, _: Path, __: Stage, ___: ProgressFile) -> dict[str, Any]:
    found = examine(task.place, task.chosen())
    return {"findings": [{"part": one.part, "outcome": one.outcome.value, "said": one.said} for one in found]}


_DOES: Final[Mapping[str, Callable[[Task, Path, Stage, ProgressFile], dict[str, Any]]]] = MappingProxyType(
    {"import": _import, "forget": _forget, "forget-derived": _forget_derived, "doctor": _verify}
)


if __name__ == "__main__":
    main()
