"""Looks a store over: everything in it is read, and what is damaged is mended where it can be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from ..config import Settings
from ..errors import StoreError
from ..store.folder import private_files
from ..store.generations import open_graph
from ..store.mending import Finding, Outcome, look_over
from ..store.rdf import Term
from .journal import Journal
from .knowledge import KnowledgeGraph

__all__ = ["Finding", "Outcome", "examine"]

_SAID = """
SELECT ?sender ?text ?time {
  ?e a ev:DialogueTurn ; ev:sender ?sender ; ev:text ?text ; ev:start ?time ; ev:positionInLog ?place
} ORDER BY ?place
"""


def examine(directory: Path, settings: Settings, *, repair: bool = False) -> Iterator[Finding]:
    """What is found of each part of the store at `directory`; with `repair`, what is damaged is mended, the index made
    anew. Raises StoreError where there is no store or it is in use, UsageError for a folder of other things."""
    worst: set[Outcome] = set()
    with private_files():
        for finding in look_over(directory, repair=repair, lock_seconds=settings.lock_seconds):
            worst.add(finding.outcome)
            yield finding
        if Outcome.DAMAGED in worst:
            return
        yield _journal(directory, repair, settings.lock_seconds)
        if repair:
            with KnowledgeGraph.open(directory, settings):  # makes the index that is missing, and seals
                pass


def _journal(directory: Path, repair: bool, lock_seconds: float) -> Finding:
    journal = Journal(directory)
    try:
        journal.check()
    except StoreError as bad:
        if not repair:
            return Finding("journal", Outcome.DAMAGED, str(bad))
        with open_graph(directory, lock_seconds=lock_seconds) as graph:
            said = [(_text(sender), _text(text), _moment(time)) for sender, text, time in graph.select(_SAID)]
        journal.rewrite(said)
        return Finding("journal", Outcome.MENDED, f"{len(said)} messages written anew, as they were imported")
    return Finding("journal", Outcome.FINE)


def _text(term: Term | None) -> str:
    return "" if term is None else str(getattr(term, "value", term))


def _moment(term: Term | None) -> datetime:
    return datetime.fromisoformat(_text(term))
