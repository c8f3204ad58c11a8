"""Conversations: what was said when, and about what; and questions that lean on those before them.

Questions about what was said go, with the turns before them, to `KnowledgeGraph.ask` like all others; what is scored
are the messages that the answer rests on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ..engine.answers.answer import Answer
from ..engine.conversation.conversation import asked, replayed
from ..engine.conversation.turns import Turn, followed, raised
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood
from .suites.base import Life, Question
from .systems import Response, System, Tracing, declined, noted

MESSAGE: Final = "ChatMessage"


def open_conversation(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are
    """Answers with the numbers of responses, in their order."""

    def answer(question: Question) -> Response:
        turns = [{"speaker": speaker, "text": text} for speaker, text in question.context]
        try:
            found = known.ask(question.text, now=question.now, most_events=None, context=turns)
        except NotUnderstood as bad:
            return declined(bad)
        return _response(found, found.resolved or question.text)

    return answer


def _response(found: Answer, meant: str) -> Response:
    numbers = tuple(_number(event.source_id) for event in found.events if event.type == MESSAGE)
    reason = "" if numbers else "; ".join(found.warnings) or "no message matches"
    return Response(numbers, reason, found.timings_ms, {**_traced(found, meant), "steps": list(found.steps)})


def open_dialogue(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are
    """Answers turn by turn, as `reqap-kg chat` does, with {values, recorded, days} of each thing that is asked;
    `recorded` are the values of records alone, where texts tell of more. A question's context are the questions before
    it, each with what was said beside its answer."""
    held = dict[tuple[str, ...], tuple[Turn, ...]]()

    def answer(question: Question) -> Response:
        texts = tuple(text for text, _ in question.context)
        turns = held.get(texts, ())
        if turns:
            turns = (*turns[:-1], replace(turns[-1], said=question.context[-1][1]))
        elif texts:  # a run that goes on, or earlier turns that are no questions of the suite
            told = [{"question": text, "answer": said} for text, said in question.context]
            turns = replayed(known, told, now=question.now)
        turn = asked(known, question.text, turns, now=question.now)
        held[(*texts, question.text)] = followed(turns, turn)
        try:
            return _values(raised(turn), turn.resolved)
        except NotUnderstood as bad:
            return declined(bad, read=turn.resolved)

    return answer


def parts_of(found: Answer) -> tuple[dict[str, Any], ...]:
    """{values, recorded, days} of each thing that an answer answers; none where it has none."""
    if found.answer_type == "none" or not found.values:
        return ()
    return tuple(
        {
            "values": list(part.values),
            "recorded": list(part.told.recorded) if part.told is not None else [],
            "days": sorted({(event.start or "")[:10] for event in part.events}),
        }
        for part in found.each
    )


def _values(found: Answer, meant: str) -> Response:
    told = parts_of(found)
    reason = "" if told else "; ".join(found.warnings) or "nothing in the data matches"
    return Response(told, reason, found.timings_ms, _traced(found, meant))


def _traced(found: Answer, meant: str) -> dict[str, Any]:
    return {**noted(found), "read": meant, "notes": list(found.notes)}


def _number(source_id: str) -> int | str:
    return int(source_id) if source_id.isdecimal() else source_id
