"""Questions and trees: what the engine answers, as much of it as one call gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from ...engine.answers import answer as engine
from ...engine.answers.dialog.dialog import Dialog
from ...engine.answers.sentence import SHOWN
from ...engine.asking.planned import Planned
from ...engine.knowledge import KnowledgeGraph
from ...errors import NotUnderstood
from . import models
from .bounds import Bounds, told_events
from .models import Given

_EVENTS: Final = "events"


def ask(known: KnowledgeGraph, given: models.Ask, now: datetime, bounds: Bounds) -> Given:
    """The answer of a question; of one that is declined, none with the reason."""
    try:
        answer = known.ask(given.question, now=now, most_events=bounds.most, context=given.turns)
    except NotUnderstood as bad:
        answer = known.refused(given.question, bad, now=now)
    return _answered(known, answer, bounds)


def run_tree(known: KnowledgeGraph, given: models.RunTree, now: datetime, bounds: Bounds) -> Given:
    """The answer of a tree."""
    return _answered(known, known.run(given.tree, now=now, most_events=bounds.most), bounds)


def plan(known: KnowledgeGraph, given: models.Plan, now: datetime, bounds: Bounds) -> Given:
    """The trees that a question may become; of one that is declined, none with the reason."""
    try:
        made = known.plans(given.question, now=now, top=given.top)
    except NotUnderstood as bad:
        declined = known.refused(given.question, bad, now=now)
        content = models.Trees(trees=[], text=bounds.said(declined.text), **_missing(declined, bounds))
        return Given(content)
    return Given(models.Trees(trees=[_tree(one, bounds) for one in made]), rows=len(made))


def _answered(known: KnowledgeGraph, answer: engine.Answer, bounds: Bounds) -> Given:
    behind = tuple({event.iri: event for part in answer.each for event in part.events}.values())
    events = told_events(known.graph, behind, bounds)
    first, *others = [_part(part, bounds) for part in answer.each]
    content = models.Answer(
        **first,
        **_missing(answer, bounds),
        **_narrower(answer.dialog, bounds),
        text=bounds.said(" ".join(_said(part, bounds) for part in answer.each)),
        resolved=bounds.said(answer.resolved) if answer.resolved else None,
        score=answer.score,
        probability=answer.probability,
        doubt=bounds.sentences(answer.doubt),
        warnings=bounds.sentences(answer.warnings),
        notes=bounds.sentences((*answer.notes, *answer.keys)),
        basis=answer.basis,
        events=events,
        more_events=len(behind) > len(events) or any(part.more_events for part in answer.each),
        also=[models.Part(**other) for other in others] or None,
    )
    return Given(content, tuple(event.iri for event in events), len(content.values))


def _part(part: engine.Answer, bounds: Bounds) -> dict[str, Any]:
    """The fields of a part."""
    values = _values(part, bounds)
    most = bounds.most if part.answer_type == _EVENTS else bounds.values
    return {
        "values": values[:most],
        "more_values": len(values) > most,
        "answer_type": part.answer_type,
        "unit": part.unit,
        "groups": _groups(part.table, bounds) if part.table is not None else None,
        "read_as": bounds.said(part.in_words) if part.in_words else None,
        "tree": bounds.source(part.plan),
        "sparql": bounds.source(part.sparql),
    }


def _values(part: engine.Answer, bounds: Bounds) -> list[models.Plain]:
    """The values; of events, whose values are their labels, the IRIs where labels are not given away."""
    if part.answer_type == _EVENTS and "label" not in bounds.fields:
        return [bounds.iri(event.iri) for event in part.events]
    return [bounds.value(value) for value in part.values]


def _groups(table: engine.Table, bounds: Bounds) -> models.Groups:
    some = table.rows[: bounds.most]
    rows = [[None if cell is None else bounds.value(cell) for cell in row] for row in some]
    return models.Groups(columns=list(table.columns), rows=rows, more=len(table.rows) > len(some))


def _said(part: engine.Answer, bounds: Bounds) -> str:
    """A sentence that names no more than is given away."""
    if part.answer_type == _EVENTS and not (bounds.most and "label" in bounds.fields):
        return f"{len(part.events)} {'event' if len(part.events) == 1 else 'events'}."
    values = tuple(bounds.value(value) for value in part.values)
    return replace(part, values=values, also=None).said(min(SHOWN, bounds.values))


def _missing(answer: engine.Answer, bounds: Bounds) -> dict[str, str | None]:
    if answer.missing is None:
        return {}
    offered = answer.missing.offered
    return {"reason": answer.missing.reason.value, "offered": bounds.said(offered) if offered else None}


def _narrower(dialog: Dialog | None, bounds: Bounds) -> dict[str, Any]:
    """What may be asked about an answer that is too large, and the trees of its choices."""
    if dialog is None or not dialog.questions:
        return {}
    choices: Sequence[dict[str, Any]] = dialog.as_json()["choices"]
    told = [
        models.Choice(label=bounds.text(one["label"]), count=one["count"], tree=bounds.source(one["tree"]))
        for one in choices[: bounds.most]
    ]
    return {"too_many": bounds.said(dialog.text), "narrower": told or None}


def _tree(planned: Planned, bounds: Bounds) -> models.Tree:
    first, *others = planned.each
    return models.Tree(
        tree=bounds.source(first.tree),
        read_as=bounds.said(replace(first, also=None).in_words),
        answer_type=first.answer_type,
        unit=first.form.unit,
        planner=first.planner,
        score=first.score,
        probability=first.probability,
        doubt=bounds.sentences(first.doubt),
        notes=bounds.sentences(first.notes),
        also=[_tree(replace(other, also=None), bounds) for other in others] or None,
    )
