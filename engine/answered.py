"""A tree that was run, as the answer that people and programs get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..execution.run import Result
from .answer import Answer, Evidence, Told
from .ready import Ready
from .values import Shaped


@dataclass(frozen=True)
class Shown:
    """The evidence of an answer: its events, those with all others that tell of the same happenings, whether there are
    more, what only texts tell besides, and what the store says of itself."""

    events: tuple[Evidence, ...]
    behind: tuple[Evidence, ...]
    more: bool
    told: Told | None
    notes: tuple[str, ...] = ()


def answered(
    question: str, ready: Ready, found: Result, shaped: Shaped, shown: Shown, timings: Mapping[str, float]
) -> Answer:
    """The answer to a question whose tree gave `found`."""
    planned, said = ready.planned, ready.said
    listed = shaped.answer_type == "events"
    return Answer(
        question=question,
        values=tuple(event.label for event in shown.events) if listed else shaped.values,
        answer_type=shaped.answer_type,
        plan=planned.tree,
        sparql=found.sparql,
        planner=planned.planner,
        score=planned.score,
        unit=shaped.unit,
        events=ready.beside.marked(shown.behind),
        more_events=shown.more,
        warnings=tuple(dict.fromkeys((*planned.warnings, *said.warnings, *found.warnings))),
        notes=tuple(dict.fromkeys((*planned.notes, *said.notes, *shown.notes))),
        keys=said.keys,
        steps=planned.steps,
        explained=ready.explained,
        timings_ms=dict(timings),
        analysis=planned.form.analysis,
        table=shaped.table,
        told=shown.told,
    )
