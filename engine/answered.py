"""What a tree gave, as an answer with its evidence."""

from __future__ import annotations

from ..execution.occurrences import with_others
from ..execution.run import Result
from ..store.graph import Graph
from ..store.vocabulary import Vocabulary
from .answer import Answer
from .evidence import evidence
from .ready import Ready
from .values import NOTHING, shape


def answered(
    question: str,
    ready: Ready,
    found: Result,
    timings_ms: dict[str, float],
    graph: Graph,
    vocabulary: Vocabulary,
    most_events: int | None,
) -> Answer:
    """The answer to a question, with so many of the events behind it (None: all)."""
    shaped = shape(found, ready.planned.form, vocabulary)
    if ready.said.unknown and found.answer == (0,):  # what nobody could read is not zero
        shaped = NOTHING
    listed = found.events[: None if shaped.answer_type == "events" else most_events]
    events = evidence(graph, listed)
    behind = with_others(listed, (match for _, match in ready.resolution.retrieves), graph)
    planned, said = ready.planned, ready.said
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
        timings_ms=timings_ms,
        analysis=planned.form.analysis,
        table=shaped.table,
    )
