"""What is not sure of an answer, in one sentence of plain English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..answers.sentence import listed
from .ranking import Evidence

MOST: Final = 2
"""Reasons that a sentence gives."""
MAY_TELL_OF_ELSE: Final = "this rests on texts, some of which may tell of something else"
_BEGIN: Final = "I am not sure: "
_AND: Final = " and "
UNCLEAR: Final = 0.5
"""The probability that all events are meant below which that is told."""


def in_doubt(in_words: str, left_out: Sequence[str], evidence: Evidence) -> str:
    """Why an answer may not be the right one; where nothing special is known, how the question was read."""
    reasons = list(_reasons(left_out, evidence))[:MOST]
    if not reasons:
        return f"I am not sure that this is what you meant: {in_words}."
    return f"{_BEGIN}{_AND.join(reasons)}."


def may_mean(in_words: str) -> str:
    """That a question may be meant otherwise, too."""
    return f"I am not sure: with the questions before, this may also mean {in_words}."


def without_reason(sentence: str, reason: str) -> str:
    """What `in_doubt` gave without one of its reasons, which comes last; "" where it was the only one."""
    rest = sentence.removesuffix(".").removesuffix(reason).removesuffix(_AND)
    return "" if rest == _BEGIN else f"{rest}."


def _reasons(left_out: Sequence[str], evidence: Evidence) -> Iterator[str]:
    grounds = evidence.grounds
    if left_out:
        yield f"I did not use {_listed(left_out)}"
    if grounds.words:
        yield f"nothing that I found tells of {_listed(dict.fromkeys(grounds.words))}"
    if grounds.empty:
        yield f"I found nothing for {_listed(grounds.empty)}"
    if grounds.several:
        yield "more than one fits, where you asked for one"
    if grounds.told and grounds.clear < UNCLEAR:
        yield MAY_TELL_OF_ELSE


def _listed(words: Iterable[str]) -> str:
    return listed([f"“{word}”" for word in words])
