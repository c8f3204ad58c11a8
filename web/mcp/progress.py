"""The steps of long work, told to a client that wants to hear of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from mcp.server.session import ServerSession

from ..holding import Progress

_PAUSE_SECONDS: Final = 0.1
"""What lies between two steps that are told, at least; those between are left out."""
Steps = asyncio.Queue[tuple[str, int, int]]


@asynccontextmanager
async def telling(session: ServerSession) -> AsyncIterator[Progress]:
    """What hears the steps, on any thread; the client is told of them until the end."""
    steps: Steps = asyncio.Queue(1)
    loop = asyncio.get_running_loop()

    def tell(step: str, done: int, total: int) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(_put, steps, (step, done, total))

    sending = asyncio.create_task(_send(session, steps))
    try:
        yield tell
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


def _put(steps: Steps, step: tuple[str, int, int]) -> None:
    """Keeps the latest step."""
    if steps.full():
        steps.get_nowait()
    steps.put_nowait(step)


async def _send(session: ServerSession, steps: Steps) -> None:
    """Tells one step after the other. What is told always grows, as the protocol wants it, though each step of the
    engine begins at 0."""
    told = 0
    while True:
        step, done, total = await steps.get()
        told += 1
        await session.report_progress(told, message=f"{step}: {done} of {total}" if total else step)
        await asyncio.sleep(_PAUSE_SECONDS)
