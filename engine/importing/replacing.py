"""Whether an import may take the place of what a source holds: a newer export may, a stranger's single entry may not.

Sources are known by what files say of themselves, and anybody may write that. An import that would lose more than half
of a source, or is of another format, is not done unless the person says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ...ontology.namespaces import EV, OWL, RDF_TYPE, source_graph
from ...store.generations import exists, open_graph
from ...store.graph import OxigraphGraph
from .catalog import SourceEntry, read_catalog
from .owner import owner_in
from .report import SourceReport

EVENT_PROPERTY = f"{EV}source"
"""What every event of a format that is read here has once."""
TYPE_PROPERTY = RDF_TYPE
"""What every event of one's own map has."""
_DECLARED = f"<{OWL}"
"""How the types of what is no event begin: an own map's terms are declared beside its events."""
_WAYS_OUT = "import it beside with --source NAME, or replace all the same with --replace"


class Held:
    """What the store at `directory` holds of each source; nothing where there is none yet. Read it while the import
    lock is held, and it stays true until that is let go."""

    def __init__(self, directory: Path, *, lock_seconds: float) -> None:
        self._directory = directory
        self._lock_seconds = lock_seconds
        self.entries: Mapping[str, SourceEntry] = {}
        self.owner: tuple[str, ...] = ()
        """Names and mail addresses of the person whose life it is, of a profile that was imported before."""
        if exists(directory):
            with open_graph(directory, lock_seconds=lock_seconds) as graph:
                self.entries = {entry.name: entry for entry in read_catalog(graph)}
                self.owner = owner_in(graph)

    @property
    def home_zone(self) -> str | None:
        """The home zone that earlier imports had: the first one's, which a later import does not change by itself."""
        return next((entry.home_zone for entry in self.entries.values()), None)

    def settle(self, reports: Iterable[SourceReport], work: Path, *, replace: bool, mark: str = EVENT_PROPERTY) -> None:
        """Says for each source, whose triples stand in the folder `work`, whether it is new, replaces what was there,
        is the same, or is not imported for what would be lost. `replace` takes the loss; `mark` is the property by
        which events are known."""
        for report in reports:
            old = self.entries.get(report.name)
            if report.triples == 0:
                report.state = "empty"
            elif old is not None and old.digest == report.digest:
                report.state = "unchanged"
            elif old is not None:
                report.withheld = None if replace else self._loss(old, report, work, mark)
                report.state = "withheld" if report.withheld else "replaced"

    def _loss(self, old: SourceEntry, report: SourceReport, work: Path, mark: str) -> str | None:
        """What would be lost by an import, in a sentence; None where it may be done."""
        known = self._events(old.name, mark)
        lost = len(known - _events_in(work / f"{report.name}.nq", mark))
        has = f"the source has {_counted(len(known))} now, of which {lost:,} {'is' if lost == 1 else 'are'} not in this"
        if old.format != report.format:
            return f"{has} import, and is of another format ({old.format}, not {report.format}): {_WAYS_OUT}"
        return f"{has} import: {_WAYS_OUT}" if lost * 2 > len(known) else None

    def _events(self, name: str, mark: str) -> set[int]:
        with open_graph(self._directory, lock_seconds=self._lock_seconds) as graph:
            return events_held(graph, name, mark)


def events_held(graph: OxigraphGraph, name: str, mark: str) -> set[int]:
    """Events of a source in the store, as hashes of their names; `mark` is the property by which they are known."""
    pairs = graph.pairs(source_graph(name), mark)
    return {hash(subject) for subject, value in pairs if not value.startswith(_DECLARED)}


def _events_in(path: Path, mark: str) -> set[int]:
    """Events of a file of N-Quads, in any order, as hashes of their names."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        split = (line.split(" ", 2) for line in lines)
        return {hash(parts[0]) for parts in split if parts[1:2] == [f"<{mark}>"] and not parts[2].startswith(_DECLARED)}


def _counted(events: int) -> str:
    return f"{events:,} event{'' if events == 1 else 's'}"
