"""From a tree that was run to the answer as people and programs get it: values, evidence, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from ..execution.occurrences import with_others
from ..execution.run import Result
from ..store.graph import Graph
from ..store.statistics import Statistics
from ..store.vocabulary import Vocabulary
from .answer import Answer
from .evidence import evidence
from .outcomes import LookedFor, Missing, Reason, unknown_amount, why_nothing
from .ready import Ready
from .values import NOTHING, Shaped, shape


@dataclass(frozen=True)
class Told:
    """What an answer is told with: the data, its words and its counts."""

    graph: Graph
    vocabulary: Vocabulary
    statistics: Statistics


def answer_of(question: str, ready: Ready, found: Result, told: Told, most_events: int | None) -> Answer:
    """The answer, with so many of its events (None: all). Its timings are left to the caller."""
    planned, said, graph = ready.planned, ready.said, told.graph
    shaped, missing = _shaped(ready, found, told)
    listed = found.events[: None if shaped.answer_type == "events" else most_events]
    events = evidence(graph, listed)
    behind = with_others(listed, (match for _, match in ready.resolution.retrieves), graph)
    return Answer(
        question=question,
        values=tuple(event.label for event in events) if shaped.answer_type == "events" else shaped.values,
        answer_type=shaped.answer_type,
        plan=planned.tree,
        sparql=found.sparql,
        planner=planned.planner,
        score=planned.score,
        unit=shaped.unit,
        events=events if len(behind) == len(listed) else evidence(graph, behind),
        more_events=len(found.events) > len(events) or (most_events == 0 and found.matched),
        warnings=tuple(dict.fromkeys((*planned.warnings, *said.warnings, *found.warnings))),
        notes=tuple(dict.fromkeys((*planned.notes, *said.notes))),
        keys=said.keys,
        steps=planned.steps,
        explained=ready.explained,
        analysis=planned.form.analysis,
        table=shaped.table,
        missing=missing,
    )


def _shaped(ready: Ready, found: Result, told: Told) -> tuple[Shaped, Missing | None]:
    """The values, and why there are none or only a 0 of nothing."""
    shaped = shape(found, ready.planned.form, told.vocabulary)
    zero = not found.matched and found.answer == (0,)
    if zero and (ready.said.unknown or unknown_amount(ready.planned.node, ready.resolution, told.graph)):
        shaped = NOTHING  # what nobody could read, or no record says, is not zero
    if shaped.answer_type != "none" and not zero:
        return shaped, None
    looked = LookedFor(ready.planned.node, ready.resolution, ready.planned.limits)
    missing = why_nothing(looked, told.graph, told.vocabulary, told.statistics, unread=ready.said.unread)
    return (NOTHING if missing.reason == Reason.NO_SUCH_DATA else shaped), missing
