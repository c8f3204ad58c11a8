"""Checks of rules and maps that are being written: what is wrong and where, what cases give, what a map makes of a few
records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from ....config import Settings, zone
from ....engine.authoring.authoring import Workshop
from ....engine.importing.mapping_subprocess import MappingRun, RecordTask, task_of
from ....errors import ConfigError, LocatedError, ReqapError, RuleError
from ....mappings.rml import CompiledMap, load_map
from ....ontology.namespaces import DATA
from ....planner.authoring.cases import Result
from ....planner.authoring.findings import Finding
from ....sources.base import BadRecord
from ....store.queries.serializing import Serialization, write_triples
from ....store.rdf import Triple, parse_nquads
from ...sparql.running import Pieces
from .uploads import own_path

MOST_MADE: Final = 200
"""Triples of a trial that are shown."""
_TRIAL_SECONDS: Final = 10.0
_RULES, _MAP = "rules.ttl", "map.ttl"


@dataclass(frozen=True)
class Mark:
    """One thing that is wrong, or looks so, and where it stands."""

    severity: Literal["error", "warning"]
    message: str
    line: int | None = None
    column: int | None = None

    def as_json(self) -> dict[str, object]:
        """It as the editor takes it."""
        place = {"line": self.line or 1, "column": self.column or 1}
        return {"severity": self.severity, "message": self.message, **place}


@dataclass(frozen=True)
class Made:
    """What a map makes of a few records: triples as Turtle, records that were kept out, and warnings."""

    turtle: str = ""
    triples: int = 0
    more: bool = False
    kept_out: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What was found of a text; `told` says in a sentence what it holds where nothing is wrong."""

    marks: tuple[Mark, ...]
    told: str = ""
    made: Made | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether there is an error."""
        return any(mark.severity == "error" for mark in self.marks)


@dataclass(frozen=True)
class RulesDesk:
    """Where rules are checked, together with those that ship and those of the settings."""

    settings: Settings

    @cached_property
    def _base(self) -> Workshop:
        return Workshop.of((), self.settings)

    def _workshop(self, text: str, instead: str) -> Workshop:
        base = self._base
        beside = (one for one in base.own if one[0] != instead)
        return Workshop(((_RULES, text),), (*base.others, *beside), base.domain)

    def check(self, text: str, instead: str = "") -> Checked:
        """What is wrong with rules, in place of the file at the path `instead`."""
        workshop = self._workshop(text, instead)
        marks = tuple(_mark(finding) for finding in workshop.check())
        if any(mark.severity == "error" for mark in marks):
            return Checked(marks)
        patterns, rules = workshop.counts()
        try:
            cases = len(workshop.cases())
        except RuleError as bad:
            return Checked((*marks, _mark(Finding.of(bad))))
        return Checked(marks, f"{_many(patterns, 'pattern')}, {_many(rules, 'rule')}, {_many(cases, 'case')}")

    def results(self, text: str, instead: str = "") -> list[Result]:
        """What the cases of a text give, without data. Raises RuleError."""
        workshop = self._workshop(text, instead)
        return workshop.test(workshop.cases(), None)


def check_map(text: str, home_zone: str) -> Checked:
    """What is wrong with a map."""
    try:
        compiled = _compiled(text, home_zone)
    except LocatedError as bad:
        return Checked((_of(bad),))
    reads = ", ".join(compiled.source_paths) if compiled.reads_files else "records of any JSON, CSV or XML file"
    return Checked((), f"{_many(len(compiled.triples_maps), 'triples map')}; it reads {reads}")


def try_map(text: str, home_zone: str, sample: str, name: str, now: str, settings: Settings) -> Checked:
    """A map that is right, run over a sample: in a process of its own, within limits."""
    checked = check_map(text, home_zone)
    if checked.is_wrong:
        return checked
    try:
        with TemporaryDirectory(prefix="reqap-kg-") as folder:
            made = _made(_compiled(text, home_zone), Path(folder), sample, name, now, settings)
    except LocatedError as bad:
        return Checked((_of(bad),))
    except ReqapError as bad:
        return Checked((Mark("error", str(bad)),))
    return replace(checked, made=made)


def _made(compiled: CompiledMap, folder: Path, sample: str, name: str, now: str, settings: Settings) -> Made:
    said = name or (compiled.source_paths[0] if compiled.source_paths else "sample.csv")
    path = folder / (own_path(said.rsplit("/", 1)[-1]) or "sample.csv")
    path.write_text(sample, encoding="utf-8", errors="replace")
    reads = RecordTask((str(path),), now, settings.horizon_days, settings.session_gap_minutes)
    limits = settings.limits.model_copy(update={"map_seconds": min(_TRIAL_SECONDS, settings.limits.map_seconds)})
    instead = dict.fromkeys(compiled.source_paths, path)
    records = reads if compiled.reads_records else None
    run = MappingRun(task_of(compiled, folder, instead, limits, source="trial", records=records))
    triples: list[Triple] = []
    kept_out: list[str] = []
    with closing(run.chunks()) as chunks:  # type: ignore[type-var]
        for made in islice(_made_of(chunks), MOST_MADE + 1):
            if isinstance(made, BadRecord):
                kept_out.append(f"{made.where}: {made.reason}")
            else:
                triples.append(made)
    more = len(triples) + len(kept_out) > MOST_MADE
    shown, pieces = triples[:MOST_MADE], Pieces()
    write_triples(shown, Serialization.TURTLE, pieces)
    text = b"".join(pieces.held).decode()
    body = "\n".join(line for line in text.splitlines() if not line.startswith("@prefix"))
    return Made(body, len(shown), more, tuple(kept_out), tuple(run.warnings))


def _made_of(chunks: Iterator[str | BadRecord]) -> Iterator[Triple | BadRecord]:
    """Triples one by one, without the graph that they are put into."""
    for chunk in chunks:
        if isinstance(chunk, BadRecord):
            yield chunk
        else:
            yield from (quad.triple for quad in parse_nquads(chunk))


def _compiled(text: str, home_zone: str) -> CompiledMap:
    try:
        home = zone(home_zone)
    except ConfigError:
        home = zone("UTC")
    return load_map(text, path=_MAP, base_iri=DATA, home_zone=home)


def _mark(finding: Finding) -> Mark:
    hint = f"; did you mean {finding.nearest}?" if finding.nearest else ""
    place = finding.place if finding.place is not None and finding.place.path in (None, _RULES) else None
    where = f"{finding.place}: " if finding.place is not None and place is None else ""
    severity: Literal["error", "warning"] = "error" if finding.severity == "error" else "warning"
    return Mark(severity, f"{where}{finding.message}{hint}", place and place.line, place and place.column)


def _of(bad: LocatedError) -> Mark:
    return _mark(Finding.of(bad, replace(bad.place, path=None) if bad.place is not None else None))


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
