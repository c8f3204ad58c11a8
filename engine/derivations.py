"""What is derived in a store: which of it an import leaves, what there is, and taking it out again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..config.parts import NO_ACCESS, Access
from ..execution.derivations.dependencies import dependencies
from ..execution.derivations.derive import DerivationInfo, drop_derivations, drop_stale, list_derivations
from ..ontology.namespaces import DERIVED
from ..store.folder import NOTES, remove_caches
from ..store.generations import begin_import, open_graph
from ..store.graph import Graph, StoreGraph, WritableGraph
from ..store.ontology_graph import Documents
from ..store.rdf import Literal
from ..store.vocabulary import load_vocabulary

TELLS: Final = "TELLS"
"""The operator of what was read ahead in texts (retrieval/mentioned.py)."""


@dataclass(frozen=True)
class Derivation:
    """One derivation, as `status` shows it: what was run, how many events, properties, values or rows it gave, and how
    many triples it takes."""

    info: DerivationInfo
    triples: int

    def as_json(self) -> dict[str, Any]:
        """Its object in `status --json`; `depends_on` is empty where it depends on the whole store."""
        info = self.info
        return {
            "operator": info.operator,
            "query": info.query,
            "model": info.model,
            "model_hash": info.model_hash,
            "results": info.results,
            "made": info.ended,
            "triples": self.triples,
            "graph": info.graph,
            "depends_on": list(info.reads),
            "sources": [source.rsplit("/", 1)[-1] for source in info.used],
        }


def is_read_ahead(graph: Graph) -> bool:
    """Whether it was read ahead what the texts of a store tell of."""
    return graph.ask(f"ASK {{ ?a a ev:Derivation ; ev:operator {Literal(TELLS)} }}")


def derivations(graph: StoreGraph) -> tuple[Derivation, ...]:
    """All that is derived in a graph, the latest first."""
    return tuple(Derivation(info, graph.count(info.graph)) for info in list_derivations(graph))


def drop_derived(
    graph: WritableGraph, generation: str, lexicons: tuple[Path, ...] = (), ontology: Documents | None = None
) -> tuple[DerivationInfo, ...]:
    """Removes what depended on sources that are no longer as they were, from a new generation; returns it.

    `lexicons` are the user's own files, `ontology` is the domain's. Raises UsageError for one that cannot be read.
    """
    if not any(iri.startswith(DERIVED) for iri in graph.graphs()):
        return ()
    return drop_stale(graph, dependencies(graph, load_vocabulary(graph), generation, lexicons, ontology))


def forget_derived(
    directory: Path, containing: str = "", *, lock_seconds: float, access: Access = NO_ACCESS
) -> tuple[Derivation, ...]:
    """Takes out what is derived, of queries and keys with `containing` in them, and what rests on it; returns it. No
    file of the store holds anything of it afterwards.

    Nothing is lost by it: the same question derives it again. Raises StoreError where there is no store, or no room.
    """
    gone: list[Derivation] = []

    def drop(graph: WritableGraph) -> None:
        triples = {found.info.graph: found.triples for found in derivations(graph)}
        gone.extend(Derivation(info, triples[info.graph]) for info in drop_derivations(graph, containing))

    with open_graph(directory, lock_seconds=lock_seconds, access=access):  # says where there is none, and makes none
        pass
    with begin_import(directory, lock_seconds=lock_seconds, access=access) as new:
        new.build(frozenset(), (), finish=drop, forget=True)
        if gone:
            remove_caches(directory / "cache", NOTES)
            new.commit()
    return tuple(gone)
