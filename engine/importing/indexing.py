"""The index of a generation, made before it is in force: whoever opens it then has it, and nobody waits."""

from __future__ import annotations

from ...execution.derivations.dependencies import state_of
from ...store.generations import Import
from ...store.graph import WritableGraph
from ...store.index.index import open_index
from ...store.ontology_graph import Documents, refresh_vocabulary
from ...store.vocabulary import load_vocabulary
from .report import Progress

_INDEX = "index"


def make_index(graph: WritableGraph, new: Import, ontology: Documents | None, progress: Progress) -> None:
    """Makes the index of values of the generation under construction, of which `graph` is the graph; what the one
    before had is brought up to date."""
    folder = new.directory / new.name / _INDEX
    folder.mkdir(exist_ok=True)
    refresh_vocabulary(graph, ontology)
    vocabulary = load_vocabulary(graph)
    generation = state_of(new.name, ontology)
    open_index(folder, graph, vocabulary, generation=generation, progress=progress.counted).close()
