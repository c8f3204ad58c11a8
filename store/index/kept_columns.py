"""The columns and the InfoRank of a store: read graph by graph, and kept in the folder of the generation, so that an
import costs what it brings."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import StoreError
from ...ontology.namespaces import DERIVED, GRAPH
from ..event_kinds import EventKinds
from ..graph import StoreGraph
from ..upkeep.disk_space import disk_error_message
from .columns import Columns, Numbers, Places, columns_of, joined, packed, unpacked
from .graph_facts import Described
from .index_update import Progress, contents

FORMAT: Final = "1"
_SOURCES: Final = GRAPH + "source/"
_EVERY: Final = 5_000
_STEP: Final = "values in common"
Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Ranked:
    """The columns of a store, and the InfoRank of each instance."""

    columns: Columns
    ranks: Numbers

    def of(self, iris: tuple[str, ...]) -> Numbers:
        """The InfoRank of instances; 0 for one that is not known."""
        numbers = self.columns.numbers_of(iris)
        return np.where(numbers >= 0, self.ranks[numbers], 0.0) if len(self.ranks) else np.zeros(len(iris))


def open_columns(
    folder: Path | None, graph: StoreGraph, kinds: EventKinds, *, generation: str, progress: Progress | None = None
) -> Ranked:
    """Those of a generation, from `folder` if they are there; else made of what is kept of each graph, and of the
    graphs of which nothing is. Raises StoreError where the disk has no room."""
    whole = f"{FORMAT} {generation} {kinds.fingerprint}"
    held = _held(folder, "columns", whole)
    if held is not None and "ranks" in held:
        return Ranked(unpacked(held), held["ranks"].astype(np.float64))
    parts: list[Columns] = []
    for iri, content in contents(graph).items():
        if iri.startswith(_SOURCES):
            told = f"{FORMAT} {iri} {content.digest or generation} {kinds.fingerprint}"
            parts.append(_of_graph(folder, graph, iri, kinds, told, progress))
    columns = joined(parts)
    found = Ranked(columns, normalised(columns))
    _keep(folder, "columns", whole, {**dict(packed(columns)), "ranks": found.ranks})
    return found


def derived_columns(graph: StoreGraph, kinds: EventKinds) -> Columns:
    """The columns of what is derived: what models read of texts."""
    derived = (iri for iri in graph.graphs() if iri.startswith(DERIVED))
    return columns_of((subject for iri in derived for subject in graph.described(iri)), kinds)


def _of_graph(
    folder: Path | None, graph: StoreGraph, iri: str, kinds: EventKinds, told: str, progress: Progress | None
) -> Columns:
    name = f"columns-{hashlib.sha256(iri.encode()).hexdigest()[:32]}"
    held = _held(folder, name, told)
    if held is not None:
        return unpacked(held)
    columns = columns_of(_told(graph.described(iri), progress), kinds)
    _keep(folder, name, told, dict(packed(columns)))
    return columns


def _told(described: Iterable[tuple[str, Described]], progress: Progress | None) -> Iterator[tuple[str, Described]]:
    """The same, with how many were read told on the way."""
    for read, subject in enumerate(described, start=1):
        yield subject
        if progress and read % _EVERY == 0:
            progress(_STEP, read, 0)


def _held(folder: Path | None, name: str, told: str) -> Arrays | None:
    """What a file holds that says of itself what is `told`; None where it is none, damaged, or of another state."""
    if folder is None:
        return None
    path = folder / f"{name}.npz"
    try:
        with np.load(path, allow_pickle=False) as file:
            if file["of"].tobytes().decode() != told:
                return None
            held = {key: file[key] for key in file.files}
        path.touch()  # a later generation takes over what this one used
        return held
    except (OSError, ValueError, KeyError, EOFError, UnicodeDecodeError, zipfile.BadZipFile):
        return None


def _keep(folder: Path | None, name: str, told: str, arrays: Arrays) -> None:
    if folder is None:
        return
    path = folder / f"{name}.npz"
    scratch = path.with_suffix(f".{os.getpid()}.new")
    try:
        with scratch.open("wb") as out:
            np.savez(out, allow_pickle=False, of=np.frombuffer(told.encode(), dtype=np.uint8), **arrays)
        scratch.replace(path)
    except OSError as bad:
        raise StoreError(disk_error_message(bad, folder) or f"{path} cannot be written: {bad}") from bad
    finally:
        scratch.unlink(missing_ok=True)


DAMPING: Final = 0.85
CLOSE: Final = 1e-4
"""The rounds end when the weights change by less in all."""
MOST_ROUNDS: Final = 100


def published(columns: Columns) -> Numbers:
    """IR(r) = W(r) · I(r) by instance: the weighted PageRank times the number of literals."""
    literals = columns.literals.astype(np.float64)
    return page_rank(columns, literals) * literals


def normalised(columns: Columns) -> Numbers:
    """By instance, between 0 and 1: the share of its own kind whose published measure is smaller."""
    return _share_below(published(columns), columns.kinds)


def page_rank(columns: Columns, literals: Numbers) -> Numbers:
    """W(r) = (1 − d)/n + d · Σ W(s) · IR(p)/S(s) over all links r p s and s p r: the weighted PageRank over the links
    between instances, without direction, until it hardly changes. IR(p) is the greatest I(r) + I(s) over the links of
    p. What has no links spreads its weight over all (as PageRank does), so that the weights add up to 1."""
    from scipy.sparse import coo_array

    instances = np.flatnonzero(columns.kinds >= 0)
    n = len(instances)
    weights = np.zeros(len(columns.iris))
    if not n:
        return weights
    links = columns.links
    told = literals[links.subjects] + literals[links.objects]
    of_property = np.zeros(int(links.properties.max()) + 1 if len(links.properties) else 0)
    np.maximum.at(of_property, links.properties, told)
    strength = of_property[links.properties]
    size = len(columns.iris)
    spread = np.zeros(size)
    np.add.at(spread, links.subjects, strength)
    np.add.at(spread, links.objects, strength)
    both = (np.concatenate((links.objects, links.subjects)), np.concatenate((links.subjects, links.objects)))
    shares = np.concatenate((strength, strength)) / np.maximum(spread[both[1]], np.finfo(np.float64).tiny)
    matrix = coo_array((shares, both), shape=(size, size)).tocsr()
    alone = spread[instances] == 0
    weights[instances] = 1 / n
    for _ in range(MOST_ROUNDS):
        moved: Numbers = DAMPING * np.asarray(matrix @ weights)
        moved[instances] += (1 - DAMPING) / n + DAMPING * weights[instances][alone].sum() / n
        change = float(np.abs(moved - weights).sum())
        weights = moved
        if change < CLOSE:
            break
    return weights


def _share_below(values: Numbers, kinds: Places) -> Numbers:
    """For each instance the share of its own kind that has a smaller value, ties by halves."""
    found = np.zeros(len(values))
    for kind in np.unique(kinds):
        if kind < 0:
            continue
        own: NDArray[np.intp] = np.flatnonzero(kinds == kind)
        ordered = np.sort(values[own])
        below = np.searchsorted(ordered, values[own], side="left")
        through = np.searchsorted(ordered, values[own], side="right")
        found[own] = (below + through) / 2 / len(own)
    return found
