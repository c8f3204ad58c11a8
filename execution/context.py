"""All that RETRIEVE and EXTRACT read and write: the open store, its models, and what was found so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..models.encoder import EncoderFactory
from ..models.reading.readers import Readers
from ..retrieval.people import People
from ..retrieval.scoring import Weights
from ..store.cache_file import NoteCache
from ..store.index.index import Progress, ValueIndex
from ..store.index.vectors import VectorCache
from ..store.vocabulary import Vocabulary
from ..texts.lexicon.lexicon import Lexicon, load_lexicon
from ..texts.people.mentions import Profile
from .derivations.dependencies import Dependencies, fingerprint
from .derivations.derive import DerivationGraph, Step, drop_other_versions

T = TypeVar("T")


@dataclass(frozen=True)
class RetrieveContext:
    """All that RETRIEVE reads and writes. `now` is the wall-clock ISO date-time that provenance states.

    `index_folder` holds what belongs to the generation (vector files), None for in memory only.
    """

    graph: DerivationGraph
    generation: str
    vocabulary: Vocabulary
    index: ValueIndex
    people: People
    encoder_factory: EncoderFactory
    cache: VectorCache
    now: str
    index_folder: Path | None = None
    weights: Weights = field(default_factory=Weights)
    progress: Progress | None = None
    known: dict[Any, Any] = field(default_factory=dict)
    """What was resolved since the store was opened, by query or by (query, match, key, type)."""
    classify: bool = True
    """Whether RETRIEVE's classifiers decide."""
    read_texts: bool = True
    """Whether EXTRACT reads values from texts, or only has the events' own keys."""
    readers: Readers | None = None
    """The classifiers, and the model of EXTRACT; None to search without."""
    lexicon_factory: Callable[[], Lexicon] = load_lexicon
    profile_factory: Callable[[], Profile] = Profile
    """Both are only needed where texts are read; a structured question never loads them."""
    notes: NoteCache = field(default_factory=lambda: NoteCache(None))
    """What was read from texts, by content, across generations."""
    depends: Dependencies | None = None
    """What derivations can depend on, so that each names just that; without it all depend on `generation`."""

    @property
    def lexicon(self) -> Lexicon:
        """What texts presuppose."""
        return self.lexicon_factory()

    @property
    def profile(self) -> Profile:
        """Whose life it is, and the people around."""
        return self.profile_factory()

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What `make` gives, made once for as long as the store is open."""
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

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
        version = f"version of {model} in {operator}"
        if self.known.get(version) != model_hash:
            drop_other_versions(self.graph, operator, model, model_hash)
            self.known[version] = model_hash
        used, digest = self.depends.sources(reads), self.depends.digest(reads)
        read = "" if reading is None else fingerprint(reading)
        return Step(operator, query, model, model_hash, digest, tuple(sorted(set(reads))), used, read)
