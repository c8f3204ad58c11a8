"""`reqap-kg ingest`, `forget`, `status` and `doctor`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

from ..engine.admin.doctor import Finding, Outcome, examine
from ..engine.admin.manage import Status, skipped, status
from ..engine.conversation.kept import opened_graph
from ..engine.derivations import Derivation
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.importing.report import IngestReport, Progress, SourceReport
from ..errors import ConfigError, UsageError
from ..extraction.documents import told_of_long
from ..store.queries.results import short_text
from ..store.queries.sealed import can_seal, why_unsealed
from ..store.remote.generations import told_of
from ..texts.words import counted
from .common import machine_zone, moment, settings, store_directory, time_of
from .options import debugging
from .printing.console import paged, print_json, print_table, say
from .printing.layout import cut
from .printing.progress import progress_bar

_WIDE = 80
"""Columns of a query that a table shows."""
_REASONS = 8
"""Reasons for which records were kept out that a report shows of a source."""


def ingest_command(
    paths: list[Path],
    store: Path | None,
    mapping: Path | None,
    source: str | None,
    dry_run: bool,
    replace: bool,
    now: str | None,
    config: Path | None,
    as_json: bool,
    index: bool,
) -> None:
    """Imports, reports, reads texts ahead; exit code 1 when nothing was imported, for whatever reason, or where a
    reader of ours failed at a file, however much else was imported."""
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no {path}")
    options = IngestOptions(
        settings(config), time_of(now), machine_zone(), source, mapping, dry_run, replace=replace, debug=debugging()
    )
    with progress_bar(visible=not as_json) as progress:
        report = ingest(paths, store_directory(store), options, progress)
        ahead = read_ahead(options, store, progress, index) if report.changed and not dry_run else None
    if as_json:
        print_json(report.as_json() | {"index": ahead.as_json() if ahead else None})
    else:
        _print_report(report)
        if ahead is not None and index:
            say(ahead.told)
    if report.faults or not any(source.triples and not source.withheld for source in report.sources):
        raise typer.Exit(1)


def index_command(store: Path | None, config: Path | None, as_json: bool) -> None:
    """Reads the texts of a store ahead; exit code 1 where no model is there."""
    chosen = settings(config)
    options = IngestOptions(chosen, time_of(None), machine_zone())
    with progress_bar(visible=not as_json, text="reading your texts") as progress:
        ahead = read_ahead(options, store, progress, index=True)
    print_json(ahead.as_json()) if as_json else say(ahead.told)
    if ahead.missing:
        raise typer.Exit(1)


@dataclass(frozen=True)
class ReadAhead:
    """What was made ready for questions, in how many seconds; or which model is missing."""

    texts: int = 0
    telling: int = 0
    seconds: float = 0.0
    missing: str | None = None
    cut: int = 0

    @property
    def told(self) -> str:
        if self.missing:
            return f"texts are not read ahead: {self.missing}"
        ready = f"{counted(self.texts, 'text')} ready for questions ({self.seconds:.0f} s)"
        return "; ".join(filter(None, (ready, told_of_long(self.cut))))

    def as_json(self) -> dict[str, Any]:
        return vars(self)


def read_ahead(options: IngestOptions, store: Path | None, progress: Progress, index: bool) -> ReadAhead:
    """Builds the index, so that the first question need not; and reads all texts, if `index`."""
    from ..engine.knowledge import KnowledgeGraph

    progress.step("indexing")
    begin = perf_counter()

    with KnowledgeGraph.open(store_directory(store), options.settings, progress.counted) as known:
        try:
            ahead = known.read_ahead(now=options.now) if index else None
        except ConfigError as missing:
            return ReadAhead(missing=str(missing))
    return (
        ReadAhead(ahead.texts, ahead.telling, round(perf_counter() - begin, 1), cut=ahead.cut) if ahead else ReadAhead()
    )


def _print_report(report: IngestReport) -> None:
    for source in report.sources:
        say(_source_line(source))
        if source.withheld:
            say(f"{source.name} stays as it is: {source.withheld}", err=True)
        reasons = source.reasons().most_common()
        for reason, count in reasons[:_REASONS]:
            say(f"    skipped {count:,}: {reason}")
        if more := sum(count for _, count in reasons[_REASONS:]):
            others = counted(len(reasons) - _REASONS, "other reason")
            say(f"    skipped {more:,} for {others}: reqap-kg status --skipped")
        for warning in source.told:
            say(f"    warning: {warning}")
    for refused in report.refused:
        say(f"refused {refused.path}: {refused.reason}", err=True)
    if report.ignored:
        say(f"{counted(len(report.ignored), 'file')} without events of their own left out")
    if not report.sources:
        say("nothing was imported", err=True)
    elif report.dry_run:
        say("dry run: the store is unchanged")
    else:
        say(f"times are wall-clock times; home time zone {report.home_zone}")


def _source_line(source: SourceReport) -> str:
    said = {
        "new": "",
        "replaced": ", replaces the earlier import",
        "unchanged": ", unchanged",
        "empty": ", nothing kept",
        "withheld": ", not imported",
    }
    read = counted(source.records, "record")
    counts = f"{read} read, {counted(source.events, 'event')}, {counted(source.triples, 'triple')}"
    return f"{source.name} ({source.format}): {counts}{said[source.state]}"


def status_command(
    store: Path | None, validate: bool, list_skipped: bool, derived: bool, config: Path | None, as_json: bool
) -> None:
    """Shows the store, and what is `derived` in it; with `validate`, exit code 1 when an event breaks a shape."""
    chosen = settings(config)
    directory = store_directory(store)
    found = status(directory, chosen)
    remote = told_of(directory, chosen.access)
    answer: dict[str, Any] = {**found.as_json(), "network_closed": can_seal()}
    if remote:
        answer["remote"] = remote
    if list_skipped:
        with opened_graph(directory, chosen) as graph:
            answer["skipped"] = [{"path": p, "where": w, "reason": r, "count": n} for p, w, r, n in skipped(graph)]
    if validate:
        from ..engine.admin.validate import validate_store

        with progress_bar(visible=not as_json, text="checking events") as progress:
            answer["violations"] = [vars(v) for v in validate_store(directory, chosen, progress)]
    if as_json:
        print_json(answer)
    else:
        with paged():
            _print_status(found, directory)
            for part, said in remote.items():
                say(f"{part}: {said}")
            _print_derived(found.derivations, each=derived)
            _print_details(answer)
            if not can_seal():
                say(f"note: queries are kept from the network by their grammar alone: {why_unsealed()}")
    if answer.get("violations"):
        raise typer.Exit(1)


def _print_status(found: Status, directory: Path) -> None:
    events = counted(sum(source.events for source in found.sources), "event")
    say(f"{events} of {counted(len(found.sources), 'source')}, {found.bytes / 2**20:,.1f} MiB, in {directory}")
    if found.span:
        say(_span(found.span, found.recorded))
    if found.sources:
        header = ("source", "format", "events", "skipped", "imported")
        rows = [(s.name, s.format, f"{s.events:,}", f"{s.skipped:,}", s.imported) for s in found.sources]
        print_table([header, *rows])
    if found.classes:
        say()
        print_table([("kind of event", "count"), *((label, f"{count:,}") for label, count in found.classes)])
    if found.dialogues.dialogues:
        said = f"{counted(found.dialogues.dialogues, 'dialogue')}, {counted(found.dialogues.questions, 'question')}"
        say()
        say(f"kept apart from these: {said} asked of reqap-kg (`reqap-kg forget --dialogues` deletes them)")


def _span(span: tuple[str, str], recorded: str | None) -> str:
    """When the events are; what a calendar has beyond what was recorded is told apart: a life does not end with it."""
    first, last = span
    if recorded is None or recorded >= last:
        return f"from {first} to {last}"
    return f"recorded from {first} to {recorded}; calendar entries until {last}"


def _print_derived(found: Sequence[Derivation], *, each: bool) -> None:
    """What was found out from the events and is kept: how much, or `each` of it."""
    if not found:
        return
    say()
    if not each:
        findings = counted(len(found), "finding")
        say(f"{findings} kept, so that asking again costs little: reqap-kg status --derived lists them")
        return
    texts = _readable(found)
    rows = [_derived(derivation, texts[derivation.info.graph]) for derivation in found]
    print_table([("operator", "query or key", "model", "results", "triples", "derived"), *rows])


def _readable(derivations: Sequence[Derivation]) -> dict[str, str]:
    """The queries and keys of derivations, by graph; what they rest on is called by its own query."""
    standing = {derivation.info.graph: derivation.info for derivation in derivations}

    @cache
    def text(graph: str) -> str:
        said = standing[graph].query
        for read in standing[graph].reads:
            if read in standing:
                below = f"'{text(read)}'"
                said = re.sub(f"<?{re.escape(read)}(?:#\\w+)?>?", lambda _, below=below: below, said)
        return short_text(said)

    return {graph: text(graph) for graph in standing}


def _derived(found: Derivation, text: str) -> tuple[str, ...]:
    """A derivation's row of the table."""
    info = found.info
    model = info.model.rsplit("/", 1)[-1]
    return info.operator, cut(text, _WIDE), model, f"{info.results:,}", f"{found.triples:,}", moment(info.ended)


def _print_details(answer: dict[str, list[dict[str, str]]]) -> None:
    for row in answer.get("skipped", ()):
        count = f" ({row['count']} records)" if row["count"] != 1 else ""  # type: ignore[comparison-overlap]
        say(f"skipped {row['path']} {row['where']}{count}: {row['reason']}")
    if "violations" in answer:
        for violation in answer["violations"]:
            say(f"violation: {violation['event']} {violation['path']}: {violation['message']}")
        if not answer["violations"]:
            say("every event fits the shapes")


def doctor_command(store: Path | None, repair: bool, config: Path | None, as_json: bool) -> None:
    """Says what was found of each part; exit code 1 where something is damaged or lost."""
    directory = store_directory(store)
    found: list[Finding] = []
    for finding in examine(directory, settings(config), repair=repair):
        found.append(finding)
        if not as_json and (finding.outcome is not Outcome.FINE or finding.said):
            say(f"{finding.part}: {finding.outcome.value}{f' ({finding.said})' if finding.said else ''}")
    bad = [finding for finding in found if finding.outcome in (Outcome.DAMAGED, Outcome.LOST)]
    if as_json:
        rows = [{"part": one.part, "outcome": one.outcome.value, "said": one.said} for one in found]
        print_json({"store": str(directory), "whole": not bad, "findings": rows})
    elif all(one.outcome is Outcome.FINE for one in found):
        say(f"Store is healthy ({counted(len(found), 'check')})")
    elif any(one.outcome is Outcome.DAMAGED for one in bad):
        say("reqap-kg doctor --repair mends what can be mended")
    if bad:
        raise typer.Exit(1)
