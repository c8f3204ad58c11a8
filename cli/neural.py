"""`reqap-kg retrieve` and `extract`: the two neural operators alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import typer

from ..engine.admin.extraction import ExtractedValue, ExtractionRequest
from ..engine.admin.neural import Hit
from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError, UsageError
from ..texts.words import counted
from .batch import check_lines, lines_of, write_lines
from .common import moment, time_of
from .opening import opened
from .printing.console import most_of_a_cell, print_json, print_table, say
from .printing.layout import cut

_AT_ONCE: Final = 5000
"""Lines of a batch of EXTRACT that are read together, so that a model sees many texts of a key at once."""


def retrieve_command(
    query: str | None, store: Path | None, as_json: bool, batch: Path | None, out: Path | None, config: Path | None
) -> None:
    """Prints the events that a phrase means, best first; exit code 3 when there is none."""
    if (query is None) == (batch is None) or (batch is not None and out is None):
        raise UsageError("expected a query, or --batch IN.jsonl --out OUT.jsonl")
    with opened(store, config) as known:
        if batch is not None and out is not None:
            check_lines(batch)
            write_lines(out, _retrieved(known, batch), batch)
            return
        found = known.retrieve(str(query), now=time_of(None))
    if as_json:
        print_json({"query": query, "notes": list(found.notes), "events": [hit.as_json() for hit in found.hits]})
    else:
        for note in found.notes:
            say(f"note: {note}")
        rows = _by_happening(found.hits)
        if rows:
            print_table([("score", "when", "what", "kind"), *rows])
        happenings = len({hit.occurrence for hit in found.hits})
        several = f", {counted(happenings, 'happening')}" if happenings < len(found.hits) else ""
        say(counted(len(found.hits), "event") + several)
    if not found.hits:
        raise typer.Exit(3)


def _by_happening(hits: tuple[Hit, ...]) -> list[tuple[str, ...]]:
    """A row for each hit, best first; after the first of a happening the others that tell of it, marked."""
    told: dict[str, list[Hit]] = {}
    for hit in hits:
        told.setdefault(hit.occurrence, []).append(hit)
    rows = []
    for occurrence, own in told.items():
        for hit in sorted(own, key=lambda hit: hit.event.iri != occurrence):
            sign = "" if hit.event.iri == occurrence or len(own) == 1 else "= "
            event = hit.event
            rows.append(
                (f"{hit.score:.2f}", moment(event.start), f"{sign}{cut(event.label, most_of_a_cell())}", event.type)
            )
    return rows


def _retrieved(known: KnowledgeGraph, batch: Path) -> Iterator[dict[str, Any]]:
    for number, row in lines_of(batch):
        base = {"id": row.get("id", number)}
        try:
            if not isinstance(row.get("query"), str):
                raise UsageError(f"{batch}:{number}: no query; expected {{id, query}}")
            hits = known.retrieve(row["query"], now=time_of(None)).hits
        except ReqapError as bad:
            yield {**base, "events": [], "error": str(bad)}
        else:
            events = [{"source_id": h.event.source_id, "score": h.score, "occurrence": h.occurrence} for h in hits]
            yield {**base, "events": events}


def extract_command(
    keys: list[str],
    query: str | None,
    store: Path | None,
    as_json: bool,
    batch: Path | None,
    out: Path | None,
    config: Path | None,
) -> None:
    """Prints the values of keys for the events that a phrase means; exit code 3 when there is no event."""
    alone = query is not None and bool(keys)
    if alone == (batch is not None) or (batch is not None and out is None):
        raise UsageError("expected KEY... --query QUERY, or --batch IN.jsonl --out OUT.jsonl")
    with opened(store, config) as known:
        if batch is not None and out is not None:
            check_lines(batch)
            write_lines(out, _extracted(known, batch), batch)
            return
        found = known.extract(tuple(keys), str(query), now=time_of(None))
    if as_json:
        print_json({"query": query, "notes": list(found.notes), "rows": [dict(row) for row in found.rows]})
    else:
        for note in found.notes:
            say(f"note: {note}")
        if found.rows:
            print_table([("event", *keys), *(tuple(_text(row[k]) for k in ("event", *keys)) for row in found.rows)])
        say(counted(len(found.rows), "event"))
    if not found.rows:
        raise typer.Exit(3)


def _extracted(known: KnowledgeGraph, batch: Path) -> Iterator[dict[str, Any]]:
    """Answers in the order of the lines, some thousands at a time; what stands before a broken line is answered."""
    lines = lines_of(batch)
    broken: ReqapError | None = None
    while broken is None:
        rows: list[tuple[int, dict[str, Any]]] = []
        try:
            for line in islice(lines, _AT_ONCE):
                rows.append(line)
        except ReqapError as bad:
            broken = bad
        if not rows and broken is None:
            return
        yield from _answered(known, rows, batch)
    raise broken


def _answered(
    known: KnowledgeGraph, rows: Sequence[tuple[int, dict[str, Any]]], batch: Path
) -> Iterator[dict[str, Any]]:
    asked = [
        None
        if row.get("event") is None or not isinstance(row.get("key"), str)
        else ExtractionRequest(str(row["event"]), row["key"], str(row.get("type", "str")))
        for _, row in rows
    ]
    read = iter(known.extract_many([request for request in asked if request is not None], now=time_of(None)))
    for (number, row), request in zip(rows, asked, strict=True):
        wrong = ExtractedValue(error=f"{batch}:{number}: expected {{id, event, key, type}}")
        found = wrong if request is None else next(read)
        error = {} if found.error is None else {"error": found.error}
        yield {"id": row.get("id", number), "value": found.value, "evidence": found.evidence, **error}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return ", ".join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)
