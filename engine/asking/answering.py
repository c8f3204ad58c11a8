"""From a tree that was run to the answer as people and programs get it: values, evidence, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from ...execution.run import Result
from ...operators.nodes import ArgMax, ArgMin
from ...store.generations import EventGraph
from ...store.index.statistics import Statistics
from ...store.vocabulary import Vocabulary
from ..answers.answer import Answer, Told
from ..answers.evidence import evidence, evidence_behind
from ..answers.outcomes import LookedFor, Missing, Reason, unknown_amount, why_nothing
from ..answers.statement import statement_of
from ..answers.values import NOTHING, Shaped, shape
from .ready import Ready


@dataclass(frozen=True)
class Knows:
    """What an answer is made with: the data, its words and its counts."""

    graph: EventGraph
    vocabulary: Vocabulary
    statistics: Statistics
    locale: str


def answer_of(question: str, ready: Ready, recorded: Result, knows: Knows, most_events: int | None) -> Answer:
    """The answer of what a tree gave over records, and texts where they tell of more; with so many of its events (None:
    all). Its timings are left to the caller."""
    planned, said, graph = ready.planned, ready.said, knows.graph
    found, only_told = ready.beside.with_told(recorded, graph)
    shaped, missing = _shaped(ready, found, knows)
    listed = found.events[: None if shaped.answer_type == "events" else most_events]
    events = evidence(graph, listed)
    return Answer(
        question=question,
        values=tuple(event.label for event in events) if shaped.answer_type == "events" else shaped.values,
        answer_type=shaped.answer_type,
        plan=planned.tree,
        sparql=found.sparql,
        planner=planned.planner,
        score=planned.score,
        probability=planned.probability,
        doubt=planned.doubt,
        basis=planned.basis,
        unit=shaped.unit,
        events=ready.beside.marked(evidence_behind(graph, events, listed, ready.resolution)),
        more_events=len(found.events) > len(events) or (not events and most_events == 0 and found.matched),
        warnings=tuple(dict.fromkeys((*planned.warnings, *said.warnings, *found.warnings))),
        notes=tuple(dict.fromkeys((*planned.notes, *said.notes, *graph.notes))),
        keys=said.keys,
        steps=planned.steps,
        explained=ready.explained,
        analysis=planned.form.analysis,
        table=shaped.table,
        missing=missing,
        statement=statement_of(planned.node, ready.resolution, knows.vocabulary),
        tied=isinstance(planned.node, ArgMax | ArgMin) and len(shaped.values) > 1,
        in_words=planned.in_words,
        locale=knows.locale,
        told=Told(shape(recorded, planned.form, knows.vocabulary).values, only_told) if only_told else None,
    )


def _shaped(ready: Ready, found: Result, knows: Knows) -> tuple[Shaped, Missing | None]:
    """The values, and why there are none or only a 0 of nothing."""
    shaped = shape(found, ready.planned.form, knows.vocabulary)
    zero = not found.matched and found.answer == (0,)
    if zero and (ready.said.unknown or unknown_amount(ready.planned.node, ready.resolution, knows.graph)):
        shaped = NOTHING  # what nobody could read, or no record says, is not zero
    if shaped.answer_type != "none" and not zero:
        return shaped, None
    looked = LookedFor(ready.planned.node, ready.resolution, ready.planned.limits)
    missing = why_nothing(looked, knows.graph, knows.vocabulary, knows.statistics, unread=ready.said.unread)
    return (NOTHING if missing.reason == Reason.NO_SUCH_DATA else shaped), missing
