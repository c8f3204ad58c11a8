"""What was said when, and about what: the responses of a conversation that a question is about.

Questions, and the turns before them, go to `KnowledgeGraph.ask` like all others; what is scored are the messages that
the answer rests on.
"""

from __future__ import annotations

from typing import Final

from ..engine.answers.answer import Answer
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood
from .suites.base import Life, Question
from .systems import Response, System, Tracing

MESSAGE: Final = "ChatMessage"


def open_conversation(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are
    """Answers with the numbers of responses, in their order."""

    def answer(question: Question) -> Response:
        turns = [{"speaker": speaker, "text": text} for speaker, text in question.context]
        try:
            found = known.ask(question.text, now=question.now, most_events=None, context=turns)
        except NotUnderstood as bad:
            return Response((), reason=f"not understood: {bad}", more={"words": list(bad.words)})
        return _response(found, found.resolved or question.text)

    return answer


def _response(found: Answer, meant: str) -> Response:
    numbers = tuple(_number(event.source_id) for event in found.events if event.type == MESSAGE)
    reason = "" if numbers else "; ".join(found.warnings) or "no message matches"
    more = {"plan": found.plan, "planner": found.planner, "score": found.score, "read": meant}
    return Response(numbers, reason, found.timings_ms, {**more, "steps": list(found.steps), "notes": list(found.notes)})


def _number(source_id: str) -> int | str:
    return int(source_id) if source_id.isdecimal() else source_id
