"""The dialogues with reqap-kg that a store keeps, apart from the events of the life that it is about.

What is said is in the journal (engine/journal.py), and in no graph, index or statistic of the store. When somebody asks
about it, the journal is read into a store of its own in the folder `dialogues`, where it is asked about like any chat;
that can be deleted at any time, the journal is what counts. Stores of older versions hold the dialogues among their
events: `set_apart` takes them out when such a store is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from ..config import Settings
from ..ontology.namespaces import DIALOGUE_SOURCE, catalog_graph, source_graph
from ..store.generations import EventGraph, begin_import, exists, open_graph
from ..store.graph import Graph
from .catalog import read_catalog
from .derivations import drop_derived
from .domain import ontology_of
from .ingest import IngestOptions, ingest
from .journal import Journal, Kept

__all__ = ["forget_dialogues", "kept_in", "opened_graph", "read_dialogues", "set_apart"]

_OLD_FORMAT = "dialogue"
"""Format of the sources that older versions imported dialogues as."""
_TURNS = """SELECT ?at ?sender ?text { ?turn a ev:DialogueTurn ; ev:start ?at ; ev:sender ?sender ; ev:text ?text .
  OPTIONAL { ?turn ev:positionInLog ?place } } ORDER BY ?place ?at"""


def kept_in(directory: Path, settings: Settings) -> Kept:
    """How many dialogues and questions are kept beside the store at `directory`."""
    return Journal(directory).kept(settings.session_gap_minutes)


def read_dialogues(directory: Path, settings: Settings, *, now: datetime) -> Path:
    """The folder of the store that the dialogues are in, with all that is answered so far. Raises as `ingest` does,
    StoreBusy where another process holds it."""
    journal = Journal(directory)
    ingest([journal.path], journal.read_into, IngestOptions(settings, now, dialogues=True))
    return journal.read_into


def forget_dialogues(directory: Path, settings: Settings) -> Kept:
    """Deletes all that is kept of dialogues, also what the prompt keeps; returns how much that was."""
    journal = Journal(directory)
    kept = journal.kept(settings.session_gap_minutes)
    journal.remove()
    journal.remove_history()
    return kept


@contextmanager
def opened_graph(directory: Path, settings: Settings, *, write: bool = False) -> Iterator[EventGraph]:
    """The graph of the store at `directory`, in which no dialogue is an event. Raises as `open_graph` does."""
    with open_graph(directory, lock_seconds=settings.lock_seconds, write=write) as graph:
        if not _of_older_version(graph):
            yield graph
            return
    set_apart(directory, settings)
    with open_graph(directory, lock_seconds=settings.lock_seconds, write=write) as graph:
        yield graph


def set_apart(directory: Path, settings: Settings) -> bool:
    """Takes the dialogues out of the events of a store that an older version made; whether there were any.

    Their journal stays; where it is lost, it is written again from the events. Raises StoreBusy where another process
    holds the store.
    """
    if not exists(directory):
        return False
    with begin_import(directory, lock_seconds=settings.lock_seconds) as new:
        with open_graph(directory, lock_seconds=settings.lock_seconds) as graph:
            names = _of_older_version(graph)
            if not names:
                return False
            if Journal(directory).is_empty:
                _written_again(graph, directory)
        gone = frozenset(made(name) for name in names for made in (source_graph, catalog_graph))
        ontology = ontology_of(settings.domain)
        new.build(gone, (), finish=lambda graph: drop_derived(graph, new.name, settings.lexicons, ontology))
        new.commit()
    return True


def _of_older_version(graph: Graph) -> tuple[str, ...]:
    """Names of the sources that are dialogues."""
    return tuple(entry.name for entry in read_catalog(graph) if entry.format == _OLD_FORMAT)


def _written_again(graph: Graph, directory: Path) -> None:
    journal = Journal(directory)
    for row in graph.select(_TURNS):
        at, sender, text = (term.value if term is not None else "" for term in row)
        journal.add(sender or DIALOGUE_SOURCE, text, datetime.fromisoformat(at).replace(tzinfo=None))
