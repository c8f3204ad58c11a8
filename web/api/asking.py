"""Questions and trees, as the command line answers them with --json."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from ...engine.knowledge import KnowledgeGraph
from ...errors import NotUnderstood, ReqapError
from .models import Ask, Find, Plan, Run
from .streaming import Tell, step_of


def answered(known: KnowledgeGraph, given: Find, now: datetime, tell: Tell | None) -> dict[str, Any]:
    """The answer of a question; of one that is declined, none with the reason."""
    turns = given.turns if isinstance(given, Ask) else None
    if tell is not None and not turns:
        _tell_plan(known, given.question, now, tell)
    try:
        answer = known.ask(
            given.question, now=now, most_events=given.events or None, explain=given.explain, context=turns
        )
    except NotUnderstood as bad:
        answer = known.refused(given.question, bad, now=now)
    return answer.as_json()


def planned(known: KnowledgeGraph, given: Plan, now: datetime, tell: Tell | None) -> dict[str, Any]:
    """The tree that a question becomes, or the `top` that it may become."""
    if tell is not None:
        tell(step_of("planning"))
    made = known.plans(given.question, now=now, top=given.top or 1)
    return made[0].as_json() if given.top is None else {"plans": [plan.as_json() for plan in made]}


def ran(known: KnowledgeGraph, given: Run, now: datetime, tell: Tell | None) -> dict[str, Any]:
    """The answer of a tree."""
    if tell is not None:
        tell(step_of("running"))
    return known.run(given.tree, now=now, most_events=given.events or None, explain=given.explain).as_json()


def _tell_plan(known: KnowledgeGraph, question: str, now: datetime, tell: Tell) -> None:
    """Tells which tree will be run; why there is none, the answer tells."""
    tell(step_of("planning"))
    with suppress(ReqapError):
        tell({**step_of("planned", 1, 1), "tree": known.plan(question, now=now).tree})
