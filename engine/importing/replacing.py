"""Whether an import may take the place of what a source holds: a newer export may, a stranger's single entry may not.

Sources are known by what files say of themselves, and anybody may write that. An import that would lose more than half
of a source, or is of another format, is not done unless the person says so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...config import Settings, zone
from ...errors import ConfigError
from ...ontology.namespaces import EV, KEY, OWL, RDF_TYPE, source_graph
from ...sources.base import InputFile, Record
from ...store.generations import exists, open_graph
from ...store.graph import Graph, StoreGraph
from .catalog import SourceEntry, read_catalog
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

    def __init__(self, directory: Path, settings: Settings) -> None:
        self._directory = directory
        self._settings = settings
        self.entries: Mapping[str, SourceEntry] = {}
        self.owner: tuple[str, ...] = ()
        """Names and mail addresses of the person whose life it is, of a profile that was imported before."""
        if exists(directory):
            with open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access) as graph:
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
        chosen = self._settings
        with open_graph(self._directory, lock_seconds=chosen.lock_seconds, access=chosen.access) as graph:
            return events_held(graph, name, mark)


def events_held(graph: StoreGraph, name: str, mark: str) -> set[int]:
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


_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]+")
_CALENDAR_ZONE = re.compile(rb"^X-WR-TIMEZONE(?:;[^:\r\n]*)?:([A-Za-z0-9_+/-]{1,64})\s*$", re.MULTILINE)

_ADDRESS_KEYS: Final = ("email", "emails", "mail", "email_address", "email_addresses", "addresses")
_OWNER: Final = f"""SELECT DISTINCT ?p ?v WHERE {{ ?person a ev:Person ; ?p ?v
  FILTER(?p IN (foaf:name, rdfs:label, ev:nickname) || STRSTARTS(STR(?p), "{KEY}"))
  FILTER EXISTS {{ ?person ev:ownerOf ?part }} }} ORDER BY ?p ?v"""


@dataclass(frozen=True)
class Owner:
    """The person: names, then mail addresses; `home_zone` an IANA name, None when nothing tells."""

    names: tuple[str, ...] = ()
    home_zone: str | None = None


def owner_of_profile(profile: Record) -> Owner:
    """What a profile record tells of its owner."""
    keys = ("name", "full_name", "first_name", "nickname")
    names = [str(profile[key]) for key in keys if isinstance(profile.get(key), str)]
    addresses = list(dict.fromkeys(_addresses(profile)))
    stated = profile.get("time_zone") or profile.get("timezone")
    return Owner(
        tuple(dict.fromkeys(names + addresses)), stated if isinstance(stated, str) and _known(stated) else None
    )


def owner_in(graph: Graph) -> tuple[str, ...]:
    """Names and mail addresses of the owner whom a profile in the store tells of."""
    rows = [(prop.value, value.value) for prop, value in graph.select(_OWNER) if prop is not None and value is not None]
    names, keys = [value for prop, value in rows if not prop.startswith(KEY)], defaultdict[str, list[str]](list)
    for prop, value in rows:
        keys[prop.removeprefix(KEY)].append(value)
    return tuple(dict.fromkeys([*names, *_addresses(keys)]))


def _addresses(profile: Mapping[str, Any]) -> Iterator[str]:
    for key in _ADDRESS_KEYS:
        value = profile.get(key)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield from _ADDRESS.findall(text)


def zone_of_calendar(file: InputFile) -> str | None:
    """A calendar's X-WR-TIMEZONE."""
    found = _CALENDAR_ZONE.search(file.head())
    return found[1].decode("ascii") if found and _known(found[1].decode("ascii")) else None


def _known(name: str) -> bool:
    try:
        zone(name)
    except ConfigError:
        return False
    return True
