"""`reqap-kg related`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import typer

from ..engine.relating import RelatedEvent, RelatedEvents
from .common import moment, time_of
from .opening import opened
from .printing.console import most_of_a_cell, print_json, print_table, say
from .printing.layout import cut

_BY_WORDS: Final = "its words"
_MOST_AROUND: Final = 4


def related_command(
    event: str,
    kinds: Sequence[str],
    strict: bool,
    top: int,
    store: Path | None,
    now: str | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Prints what is related to an event, best first; exit code 3 when there is nothing."""
    with opened(store, config) as known:
        rule = "strict" if strict else known.settings.neighbourhood
        found = known.related(event, now=time_of(now), kinds=kinds, rule=rule, top=top)
    for warning in found.warnings:
        say(f"warning: {warning}", err=True)
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)
    if not found.related:
        raise typer.Exit(3)


def _print(found: RelatedEvents) -> None:
    event = found.event
    say(f"related to “{cut(event.label, most_of_a_cell())}”, {event.type}, {moment(event.start)}".rstrip(", "))
    if found.related:
        print_table([("score", "when", "what", "kind", "by"), *map(_row, found.related)])
    else:
        say("nothing")
    around = sorted(found.around, key=lambda one: -len(one.iris))[:_MOST_AROUND]
    if around:
        say(f"around it: {'; '.join(f'{one.path} ({len(one.iris)})' for one in around)}")


def _row(one: RelatedEvent) -> tuple[str, ...]:
    event = one.event
    label = cut(event.label or event.iri, most_of_a_cell())
    return f"{one.score:.2f}", moment(event.start), label, event.type, one.paths[0] if one.paths else _BY_WORDS


def _as_json(found: RelatedEvents) -> dict[str, Any]:
    return {
        "event": vars(found.event),
        "neighbourhood": found.rule,
        "around": [{"path": one.path, "events": list(one.iris)} for one in found.around],
        "related": [
            {**vars(one.event), "score": round(one.score, 4), "paths": list(one.paths)} for one in found.related
        ],
        "warnings": list(found.warnings),
        "timings_ms": {"total": round(found.seconds * 1000)},
    }
