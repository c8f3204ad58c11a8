"""Cases of a store: the neighbourhoods of instances in words, as training and measures read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...config import Settings
from ...engine.knowledge import KnowledgeGraph
from ...retrieval.neighbourhood.related import Surroundings
from ...retrieval.neighbourhood.walking import Rule
from ...training.related.task import Case, Document


@dataclass(frozen=True)
class Walked:
    """A store's instances as documents; these are named `name`:IRI."""

    known: KnowledgeGraph
    surroundings: Surroundings
    name: str

    @classmethod
    @contextmanager
    def open(cls, store: Path, name: str, domain: Path | None = None) -> Iterator[Walked]:
        """The instances of a store."""
        with KnowledgeGraph.open(store, Settings(domain=domain)) as known:
            yield cls(known, known.surroundings, name)

    def documents(self, iris: Iterable[str]) -> tuple[Document, ...]:
        """Instances as documents."""
        said = self.surroundings.said
        return tuple(Document(self._id(iri), said[iri].text, self.name) for iri in iris if iri in said)

    def case(self, kind: str, iri: str, relevant: Iterable[str], among: frozenset[str], rule: Rule, part: str) -> Case:
        """The case of an instance; `relevant`, and what is retrieved `among`, are IRIs."""
        around = self.surroundings.around(iri, rule)
        linked = {one.path: tuple(self._id(other) for other in one.iris if other in among) for one in around}
        right = tuple(sorted(map(self._id, relevant)))
        text = self.surroundings.said[iri].text
        held = {one.path: one.texts for one in around}
        return Case(f"{kind}:{self._id(iri)}", text, self.name, held, right, part, (self._id(iri),), linked)

    def _id(self, iri: str) -> str:
        return f"{self.name}:{iri}"
