"""Copies of a generation's imported graphs, from which its database can be made anew where it is damaged.

    DIR/gen-000007/copies/https%3A%2F%2F….nq.gz    one named graph, as compressed N-Quads

They are links to those of the generation before for all graphs that an import left alone, and go with their graph.
What is derived has none: the same question derives it again.
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, cast
from urllib.parse import quote, unquote

import pyoxigraph as ox

from ...ontology.namespaces import DERIVED
from ..folder import is_own_file
from ..graph import OxigraphGraph
from ..rdf import NamedNode, link

FOLDER: Final = "copies"
_ENDING: Final = ".nq.gz"
_LONGEST: Final = 200
_LEVEL: Final = 1


def copy_path(generation: Path, graph: str) -> Path:
    """Where the copy of a graph stands."""
    name = quote(graph, safe="")
    short = name if len(name) <= _LONGEST else hashlib.sha256(graph.encode()).hexdigest()
    return generation / FOLDER / f"{short}{_ENDING}"


def graph_of(path: Path) -> str:
    """The graph that a copy is of, or what stands for its name where that is too long."""
    return unquote(path.name.removesuffix(_ENDING))


@dataclass(frozen=True)
class Earlier:
    """The generation before: which graphs are `kept` of it, and which of its copies are not as they were sealed."""

    folder: Path
    kept: frozenset[str]
    stale: tuple[str, ...]

    def copy_of(self, graph: str) -> Path | None:
        """The sound copy of a graph that is kept."""
        path = copy_path(self.folder, graph)
        sound = is_own_file(path) and f"{FOLDER}/{path.name}" not in self.stale
        return path if sound and graph in self.kept else None


def write_copies(store: ox.Store, generation: Path, earlier: Earlier | None, files: Mapping[str, Path]) -> None:
    """Copies all imported graphs of a store: from the one before, from the N-Quads of one graph that are in `files`, or
    from the store."""
    (generation / FOLDER).mkdir(exist_ok=True)
    for graph in OxigraphGraph(store).graphs():
        if graph.startswith(DERIVED):
            continue
        target = copy_path(generation, graph)
        old = earlier.copy_of(graph) if earlier else None
        if old is not None:
            link(old, target)
        else:
            with target.open("wb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as out:
                _write(store, graph, files.get(graph), out)


def _write(store: ox.Store, graph: str, file: Path | None, out: gzip.GzipFile) -> None:
    if file is None:
        quads = store.quads_for_pattern(None, None, None, NamedNode(graph))
        ox.serialize(quads, output=cast(IO[bytes], out), format=ox.RdfFormat.N_QUADS)
        return
    with file.open("rb") as held:
        shutil.copyfileobj(held, out)
