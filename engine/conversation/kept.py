"""The dialogues with reqap-kg that a store keeps, apart from the events of the life that it is about.

What is said is in the journal (engine/conversation/journal.py), and in no graph, index or statistic of the store.
When somebody asks about it, the journal is read into a store of its own in the folder `dialogues`, where it is asked
about like any chat; that can be deleted at any time, the journal is what counts. Stores of older versions hold the
dialogues among their events: `set_apart` takes them out when such a store is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from ...config import Settings
from ...ontology.namespaces import DIALOGUE_SOURCE, catalog_graph, source_graph
from ...store.generations import EventGraph, begin_import, exists, is_writable, open_graph
from ...store.graph import Graph
from ...store.upkeep.disk_space import disk_errors
from ..authoring.domain import ontology_of
from ..derivations import drop_derived, forget_derived
from ..importing.catalog import read_catalog
from .journal import Journal, Kept, Message

__all__ = ["forget_dialogues", "kept_in", "opened_graph", "read_dialogues", "set_apart"]

_OLD_FORMAT = "dialogue"
"""Format of the sources that older versions imported dialogues as."""
_AMONG_EVENTS = "the store is of an older version and may only be read: what was asked in chats is among its events"
_TURNS = """SELECT ?sender ?text ?at { ?turn a ev:DialogueTurn ; ev:start ?at ; ev:sender ?sender ; ev:text ?text .
  OPTIONAL { ?turn ev:positionInLog ?place } } ORDER BY ?place ?at"""


def kept_in(directory: Path, settings: Settings) -> Kept:
    """How many dialogues and questions are kept beside the store at `directory`."""
    return Journal(directory).kept(settings.session_gap_minutes)


def read_dialogues(directory: Path, settings: Settings, *, now: datetime) -> Path:
    """The folder of the store that the dialogues are in, with all that is answered so far. Raises as `ingest` does,
    StoreError where the journal is damaged, StoreBusy where another process holds it."""
    from ..importing.ingest import ingest  # by those who ask about dialogues alone
    from ..importing.loading import IngestOptions

    journal = Journal(directory)
    journal.check()
    options = IngestOptions(settings, now, dialogues=True, replace=True, debug=True)
    ingest([journal.path], journal.read_into, options)
    return journal.read_into


def forget_dialogues(directory: Path, settings: Settings) -> Kept:
    """Deletes all that is kept of dialogues, also what the prompt keeps, and what was derived for questions, which may
    have their words: no file of the store has them afterwards. Returns how much that was.

    Raises StoreError where there is no store, or no room, StoreBusy where another process holds it.
    """
    with opened_graph(directory, settings):  # says where there is none; an older store has the dialogues elsewhere
        journal = Journal(directory)
        kept = journal.kept(settings.session_gap_minutes)
    with disk_errors(directory):
        journal.remove()
        journal.remove_history()
    forget_derived(directory, lock_seconds=settings.lock_seconds, access=settings.access)
    return kept


@contextmanager
def opened_graph(directory: Path, settings: Settings, *, write: bool = False) -> Iterator[EventGraph]:
    """The graph of the store at `directory`, in which no dialogue is an event, unless it is of an older version and may
    only be read. Raises as `open_graph` does."""
    with open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access, write=write) as graph:
        older = bool(_of_older_version(graph))
        if older and not is_writable(directory):
            graph.notes = (*graph.notes, _AMONG_EVENTS)
            older = False
        if not older:
            yield graph
            return
    set_apart(directory, settings)
    with open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access, write=write) as graph:
        yield graph


def set_apart(directory: Path, settings: Settings) -> bool:
    """Takes the dialogues out of the events of a store that an older version made; whether there were any. No file of
    the generation has anything of them afterwards.

    Their journal stays; what is lost of it is written again from the events. Raises StoreBusy where another process
    holds the store, StoreError where there is no room.
    """
    if not exists(directory):
        return False
    with begin_import(directory, lock_seconds=settings.lock_seconds, access=settings.access) as new:
        with open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access) as graph:
            names = _of_older_version(graph)
            if not names:
                return False
            Journal(directory).rewrite(_said(graph, directory))
        gone = frozenset(made(name) for name in names for made in (source_graph, catalog_graph))
        ontology = ontology_of(settings.domain)
        finish = partial(drop_derived, generation=new.name, lexicons=settings.lexicons, ontology=ontology)
        new.build(gone, (), finish=finish, forget=True)
        new.commit()
    return True


def _of_older_version(graph: Graph) -> tuple[str, ...]:
    """Names of the sources that are dialogues."""
    return tuple(entry.name for entry in read_catalog(graph) if entry.format == _OLD_FORMAT)


def _said(graph: Graph, directory: Path) -> list[Message]:
    """All that was said: as the journal has it, or, where that has lost some, as it was imported, and what the journal
    has after that."""
    kept = list(Journal(directory).messages())
    rows = [[term.value if term is not None else "" for term in row] for row in graph.select(_TURNS)]
    imported = [
        Message(sender or DIALOGUE_SOURCE, text, datetime.fromisoformat(at).replace(tzinfo=None))
        for sender, text, at in rows
    ]
    if len(kept) >= len(imported):
        return kept
    return [*imported, *(message for message in kept if message.at > imported[-1].at)]
