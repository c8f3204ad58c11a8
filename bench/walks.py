"""How many files of the package the walks of CONTRIBUTING.md enter: the fewer, the less a reader has to know.

    python -m reqap_kg.bench.walks

Each walk is done once over the demo life. A file counts as entered where one of its functions runs; importing a file
does not count. "Ways back up" are calls from a file to one of a higher floor.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from types import FrameType
from typing import Any, Final

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph

_NOW: Final = datetime(2025, 3, 1, 12)
_ROOT: Final = Path(__file__).resolve().parents[1]
_FLOORS: Final = ("ontology", "operators", "store", "texts", "compiler", "mappings", "sources", "models", "planner",
                  "execution", "extraction", "retrieval", "engine", "web", "evaluation", "cli")  # fmt: skip


@dataclass
class Walk:
    """The files that were entered, and the pairs of files where a lower floor called a higher one."""

    entered: set[str] = field(default_factory=set)
    upwards: set[tuple[str, str]] = field(default_factory=set)

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """What `sys.setprofile` calls."""
        if event != "call" or frame.f_code.co_name == "<module>":
            return
        here = _file(frame.f_code.co_filename)
        if here is None:
            return
        self.entered.add(here)
        above = frame.f_back and _file(frame.f_back.f_code.co_filename)
        if above and _floor(above) < _floor(here):
            self.upwards.add((above, here))


@cache
def _file(name: str) -> str | None:
    path = Path(name).resolve()
    if not path.is_relative_to(_ROOT) or "bench" in path.parts or "site-packages" in path.parts:
        return None
    return path.relative_to(_ROOT).as_posix()


def _floor(path: str) -> int:
    folder = path.split("/", 1)[0]
    return _FLOORS.index(folder) if folder in _FLOORS else -1


@contextmanager
def walking() -> Iterator[Walk]:
    """Notes what is entered within."""
    walk = Walk()
    sys.setprofile(walk.note)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def main() -> None:
    """Prints a line for each walk."""
    with tempfile.TemporaryDirectory() as work, as_file(files("reqap_kg.examples").joinpath("demo")) as demo:
        store = Path(work) / "store"
        exports = demo / "exports"
        with walking() as walk:
            ingest([exports], store, IngestOptions(Settings(), _NOW))
        _print("the demo's exports, imported", walk)
        with KnowledgeGraph.open(store, Settings()) as known:
            known.ask("How many songs did I listen to in 2023?", now=_NOW)
            for name, work_of in _walks(known):
                with walking() as walk:
                    work_of()
                _print(name, walk)


def _walks(known: KnowledgeGraph) -> Iterator[tuple[str, Callable[[], object]]]:
    first = "Which artist did I listen to most in 2024?"
    yield first, lambda: known.ask(first, now=_NOW)
    yield "“And in 2023?” after it", lambda: known.ask("And in 2023?", now=_NOW, context=[first])
    yield "RETRIEVE “I went to the dentist”", lambda: known.retrieve("I went to the dentist", now=_NOW)


def _print(name: str, walk: Walk) -> None:
    print(f"{name}: {len(walk.entered)} files, {len(walk.upwards)} ways back up", flush=True)


if __name__ == "__main__":
    main()
