"""Looks a store over: everything in it is read, and what is damaged is mended where it can be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...config import Settings
from ...errors import StoreBusy, StoreError
from ...store.folder import is_own_folder, private_files, remove_store
from ...store.remote.generations import told_of
from ...store.upkeep.repair import Finding, Outcome, verify
from ..conversation.journal import Journal
from ..knowledge import KnowledgeGraph

__all__ = ["Finding", "Outcome", "examine"]


def examine(directory: Path, settings: Settings, *, repair: bool = False) -> Iterator[Finding]:
    """What is found of each part of the store at `directory`; with `repair`, what is damaged is mended, the index made
    anew. Raises StoreError where there is no store or it is in use, UsageError for a folder of other things."""
    remote = told_of(directory, settings.access)
    if remote:
        yield from (Finding(part, Outcome.FINE, said) for part, said in remote.items())
        yield _journal(directory, repair)
        return
    worst: set[Outcome] = set()
    with private_files():
        for finding in verify(directory, repair=repair, lock_seconds=settings.lock_seconds):
            worst.add(finding.outcome)
            yield finding
        if Outcome.DAMAGED in worst:
            return
        yield _journal(directory, repair)
        yield _dialogues(Journal(directory).read_into, repair, settings.lock_seconds)
        if repair:
            with KnowledgeGraph.open(directory, settings):  # makes the index that is missing, and seals
                pass


def _journal(directory: Path, repair: bool) -> Finding:
    journal = Journal(directory)
    try:
        journal.check()
    except StoreError as bad:
        if not repair:
            return Finding("journal", Outcome.DAMAGED, str(bad))
        whole = list(journal.messages())
        journal.rewrite(whole)
        return Finding("journal", Outcome.MENDED, f"{len(whole)} messages are whole and stay, the rest is gone")
    return Finding("journal", Outcome.FINE)


def _dialogues(folder: Path, repair: bool, lock_seconds: float) -> Finding:
    """The store that the journal was read into: where it is damaged, it is made again when somebody asks for it."""
    if not is_own_folder(folder):
        return Finding("dialogues", Outcome.FINE)
    try:
        found = verify(folder, repair=False, lock_seconds=lock_seconds)
        wrong = next((one.said for one in found if one.outcome is Outcome.DAMAGED), None)
    except StoreBusy:
        raise
    except StoreError as bad:
        wrong = str(bad)
    if wrong is None:
        return Finding("dialogues", Outcome.FINE)
    if not repair:
        return Finding("dialogues", Outcome.DAMAGED, wrong)
    remove_store(folder)
    return Finding("dialogues", Outcome.MENDED, "taken away; made again from the journal when it is asked about")
