"""A question's plan as its tense has it; what rules only read in the past is read so, and asked of what is to come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from ...errors import Declined, NotUnderstood
from ...planner.search.tense import Tense, in_the_past, tense_of
from .planned import Planned


def tensed(plan: Callable[[str], Planned], question: str, now: datetime) -> Planned:
    """The plan of a question, by whomever, with what its tense says of time. Raises as `plan`."""
    told = tense_of(question)
    try:
        found = plan(question)
    except Declined:
        raise
    except NotUnderstood as bad:
        past = in_the_past(question) if told.tense is Tense.FUTURE else None
        if past is None:
            raise
        found = _again(plan, past, bad)
    return found.at_now(told, now)


def _again(plan: Callable[[str], Planned], past: str, failure: NotUnderstood) -> Planned:
    """What is planned for the question in the past; where that is not read either, the first failure is told."""
    try:
        found = plan(past)
    except NotUnderstood:
        raise failure from None
    return replace(found, notes=(*found.notes, f"read as “{past}”, of what is to come"))
