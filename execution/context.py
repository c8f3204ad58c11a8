"""The open store with what derivations depend on: all that a step needs to write what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from ..store.index.index import Progress, ValueIndex
from ..store.vocabulary import Vocabulary
from .derivations.dependencies import Dependencies, fingerprint
from .derivations.derive import DerivationGraph, Step, drop_other_versions

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Table(Generic[K, V]):
    """The name of a table that is kept while a store is open, with the types of its keys and values. Where there is one
    value only, its key is None."""

    name: str


class Tables:
    """What was found since a store was opened, by table."""

    def __init__(self) -> None:
        self._held: dict[str, dict[Any, Any]] = {}

    def __getitem__(self, table: Table[K, V]) -> dict[K, V]:
        return self._held.setdefault(table.name, {})


_VERSIONS: Final = Table[tuple[str, str], str]("versions of models")
"""The hash of a model that made steps, by operator and model."""


@dataclass(frozen=True, kw_only=True)
class StoreContext:
    """The open store. `now` is the wall-clock ISO date-time that provenance states.

    `index_folder` holds what belongs to the generation (vector files), None for in memory only.
    """

    graph: DerivationGraph
    generation: str
    vocabulary: Vocabulary
    index: ValueIndex
    now: str
    index_folder: Path | None = None
    progress: Progress | None = None
    known: Tables = field(default_factory=Tables)
    """What was found since the store was opened."""
    depends: Dependencies | None = None
    """What derivations can depend on, so that each names just that; without it all depend on `generation`."""

    def once(self, table: Table[K, V], key: K, make: Callable[[], V]) -> V:
        """What `make` gives for a key, made once for as long as the store is open."""
        held = self.known[table]
        if key not in held:
            held[key] = make()
        return held[key]

    def state(self, reads: Sequence[str]) -> str:
        """Names the content of what is read, as `step` has it."""
        return self.generation if self.depends is None else self.depends.digest(reads)

    def step(
        self,
        operator: str,
        query: str,
        model: str,
        model_hash: str,
        *,
        reads: Sequence[str] = (),
        reading: object = None,
    ) -> Step:
        """A step that depends on what it reads: IRIs of classes, properties, other derivations' graphs, ANY_TEXT,
        LEXICONS (execution/derivations/dependencies.py); the whole store if none is given. `reading` is how its text
        was read, where that depends on more. The first step of a model removes what another version of the model
        derived."""
        if self.depends is None:
            return Step(operator, query, model, model_hash, self.generation)
        versions = self.known[_VERSIONS]
        if versions.get((operator, model)) != model_hash:
            drop_other_versions(self.graph, operator, model, model_hash)
            versions[operator, model] = model_hash
        used, digest = self.depends.sources(reads), self.depends.digest(reads)
        read = "" if reading is None else fingerprint(reading)
        return Step(operator, query, model, model_hash, digest, tuple(sorted(set(reads))), used, read)
