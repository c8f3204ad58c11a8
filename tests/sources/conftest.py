"""Input files out of bytes, and readers run on them."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

import pytest
from builders import NOW, ics

from reqap_kg.mappings.rml import load_map
from reqap_kg.ontology.namespaces import DATA, EV, FOAF, KEY, RDF_TYPE, RDFS
from reqap_kg.sources.base import BadRecord, Format, ReadContext, Record
from reqap_kg.sources.calendars.icalendar import FORMAT
from reqap_kg.store.rdf import parse_turtle


@dataclass(frozen=True)
class BytesFile:
    """An input file over bytes; nothing of it is on disk."""

    data: bytes
    path: str = "export/file"

    @property
    def size(self) -> int:
        return len(self.data)

    def open(self) -> BinaryIO:
        return io.BytesIO(self.data)

    def head(self, size: int = 65536) -> bytes:
        return self.data[:size]


@dataclass(frozen=True)
class Outcome:
    """What a reader gave: the records and what it kept out."""

    records: list[Record]
    bad: list[BadRecord]

    @property
    def only(self) -> Record:
        assert len(self.records) == 1, self
        return self.records[0]

    @property
    def reasons(self) -> list[str]:
        return [record.reason for record in self.bad]


FileMaker = Callable[..., BytesFile]
Read = Callable[..., Outcome]


@pytest.fixture
def make_file() -> FileMaker:
    """`make_file(content, path=…)`: text (as UTF-8) or bytes as an input file."""

    def make(content: str | bytes, path: str = "export/file") -> BytesFile:
        return BytesFile(content.encode() if isinstance(content, str) else content, path)

    return make


@pytest.fixture
def read(make_file: FileMaker) -> Read:
    """`read(FORMAT, content or Path, **context)` runs a reader to its end."""

    def run(form: Format, content: str | bytes | Path, *, path: str = "export/file", **context: object) -> Outcome:
        if isinstance(content, Path):
            content, path = content.read_bytes(), str(content)
        settings = {"home_zone": ZoneInfo("Europe/Dublin"), "now": "2025-11-01T12:00:00"} | context
        given = list(form.read(make_file(content, path=path), ReadContext(**settings)))  # type: ignore[arg-type]
        records = [item for item in given if not isinstance(item, BadRecord)]
        return Outcome(records, [item for item in given if isinstance(item, BadRecord)])

    return run


@dataclass(frozen=True)
class Mapped:
    """Triples by subject and property, short names (`ev:start`): `{"spotify/abc": {"ev:start": ["2024-…"]}}`."""

    events: dict[str, dict[str, list[str]]]
    bad: list[BadRecord]

    @property
    def only(self) -> dict[str, list[str]]:
        assert len(self.events) == 1, list(self.events)
        return next(iter(self.events.values()))

    def by(self, key: str) -> dict[str, dict[str, list[str]]]:
        """Events by their first value of a property."""
        return {event[key][0]: event for event in self.events.values() if key in event}


Map = Callable[..., Mapped]


@pytest.fixture
def mapped(make_file: FileMaker) -> Map:
    """`mapped(FORMAT, content or Path, zone=…)` reads a file and runs the shipped map on its records."""

    def run(
        form: Format, content: str | bytes | Path, *, path: str = "export/file", zone: str = "Europe/Dublin"
    ) -> Mapped:
        if isinstance(content, Path):
            content, path = content.read_bytes(), str(content)
        home = ZoneInfo(zone)
        file = make_file(content, path=path)
        turtle = resources.files("reqap_kg.mappings").joinpath(form.map_file).read_text(encoding="utf-8")
        compiled = load_map(turtle, path=form.map_file, base_iri=DATA, home_zone=home)
        records = form.read(file, ReadContext(home_zone=home, now="2025-11-01T12:00:00"))
        events: dict[str, dict[str, list[str]]] = {}
        bad: list[BadRecord] = []
        lines: list[str] = []
        for chunk in compiled.map_records(records, graph=None, source=form.source_name(file)):
            if isinstance(chunk, BadRecord):
                bad.append(chunk)
            else:
                lines.append(chunk)
        for quad in parse_turtle("".join(lines)):
            subject, value = getattr(quad.subject, "value", ""), getattr(quad.object, "value", "")
            event = events.setdefault(subject.removeprefix(DATA), {})
            event.setdefault(_short(quad.predicate.value), []).append(_short(value))
        return Mapped(events, bad)

    return run


def _short(iri: str) -> str:
    if iri == RDF_TYPE:
        return "a"
    for prefix, base in (("ev:", EV), ("key:", KEY), ("rdfs:", RDFS), ("foaf:", FOAF)):
        if iri.startswith(base):
            return prefix + iri.removeprefix(base)
    return iri


@pytest.fixture
def starts(read: Any) -> Any:
    """Wall-clock starts of a calendar of these parts, in the order given, as of NOW."""

    def run(*parts: str, **context: Any) -> list[str]:
        return [record["_start"] for record in read(FORMAT, ics(*parts), **({"now": NOW} | context)).records]

    return run
