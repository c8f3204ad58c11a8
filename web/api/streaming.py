"""Tells the steps of a piece of work as Server-Sent Events: begun, step after step, then the answer or an error."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError
from ..holding import Stopped
from ..http.problems import STOPPED, UNEXPECTED, Hidden, Problem, problem_of
from .working import Works, unless_gone

_MOST_UNREAD: Final = 100
"""Steps that wait for a slow reader; further ones are left out."""
_PULSE_SECONDS: Final = 15.0
"""How often a comment says that the work goes on."""
Tell = Callable[[dict[str, Any]], None]
"""Hears a step as JSON has it, on any thread."""
Steps = asyncio.Queue[dict[str, Any]]


@dataclass(frozen=True)
class Streamed:
    """Work whose steps are told; `does` hears by what."""

    works: Works
    does: Callable[[KnowledgeGraph, Tell], dict[str, Any]]
    hidden: Hidden
    logger: logging.Logger

    @property
    def response(self) -> Response:
        """The response that tells them."""
        return _Events(self)

    async def told(self, send: Send) -> None:
        """Sends all events, the last of which is an answer or an error."""
        steps: Steps = asyncio.Queue(_MOST_UNREAD)
        loop = asyncio.get_running_loop()

        def tell(step: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(_put, steps, step)

        def progress(step: str, done: int, total: int) -> None:
            tell(step_of(step, done, total))

        with self.works.begun(lambda known: self.does(known, tell), progress) as (name, task):
            await _send(send, "begun", {"id": name})
            while not task.done() or not steps.empty():
                step = await _next(steps, task)
                if step is not None:
                    await _send(send, "step", self.hidden.value(step))
                elif not task.done():
                    await send({"type": "http.response.body", "body": b": working\n\n", "more_body": True})
            await _send(send, *self._end(task))

    def _end(self, task: asyncio.Task[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
        """The last event."""
        bad = None if task.cancelled() else task.exception()
        if task.cancelled() or isinstance(bad, Stopped):
            return "error", STOPPED.as_json()
        if bad is None:
            return "answer", self.hidden.value(task.result())
        return "error", self._problem(bad).as_json()

    def _problem(self, bad: BaseException) -> Problem:
        if isinstance(bad, ReqapError):
            return problem_of(bad, self.hidden)
        self.logger.error("a piece of work failed unexpectedly", exc_info=bad)
        return UNEXPECTED


class _Events(Response):
    """The response of Server-Sent Events; where the client goes away, the work is stopped."""

    media_type = "text/event-stream"

    def __init__(self, streamed: Streamed) -> None:
        self._streamed = streamed
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Sends the response."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await unless_gone(receive, self._streamed.told(send))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def step_of(step: str, done: int = 0, total: int = 0) -> dict[str, Any]:
    """A step as JSON has it: how much of it is done, of how much (0: unknown)."""
    return {"step": step, "done": done, "total": total}


def _put(steps: Steps, step: dict[str, Any]) -> None:
    if not steps.full():
        steps.put_nowait(step)


async def _next(steps: Steps, task: asyncio.Task[Any]) -> dict[str, Any] | None:
    """The next step; None where the work is done, or goes on without one."""
    getting = asyncio.ensure_future(steps.get())
    try:
        await asyncio.wait({getting, task}, timeout=_PULSE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        return getting.result() if getting.done() else None
    finally:
        getting.cancel()


async def _send(send: Send, event: str, data: dict[str, Any]) -> None:
    """Sends one event. JSON is in ASCII, as some readers break lines at signs beyond it."""
    body = f"event: {event}\ndata: {json.dumps(data)}\n\n".encode()
    await send({"type": "http.response.body", "body": body, "more_body": True})
