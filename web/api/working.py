"""The work that requests wait for: it ends where nobody waits any more, or somebody says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from secrets import token_hex
from typing import Any, TypeVar

from starlette.types import Receive

from ...engine.importing.catalog import read_catalog, span_of
from ...engine.knowledge import KnowledgeGraph
from ..holding import Held, Progress

T = TypeVar("T")
_ID_BYTES = 16


class Works:
    """Pieces of work over a store, by names that nobody guesses."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._running: dict[str, asyncio.Task[Any]] = {}

    @contextmanager
    def begun(
        self, does: Callable[[KnowledgeGraph], T], tell: Progress | None = None
    ) -> Iterator[tuple[str, asyncio.Task[T]]]:
        """A piece of work with its name; it is stopped where it still runs in the end. Steps are told on the engine's
        thread."""
        name = token_hex(_ID_BYTES)
        task = asyncio.create_task(self._held.do(does, tell=tell))
        self._running[name] = task
        try:
            yield name, task
        finally:
            del self._running[name]
            task.cancel()

    async def done(self, does: Callable[[KnowledgeGraph], T]) -> T:
        """What a piece of work gives. Raises what it raises."""
        with self.begun(does) as (_, task):
            return await task

    def stop(self, name: str) -> bool:
        """Stops a piece of work; whether there is one of this name."""
        task = self._running.get(name)
        return task is not None and task.cancel()


async def unless_gone(receive: Receive, does: Coroutine[Any, Any, T]) -> T | None:
    """What a coroutine gives; None where the client is gone before, and it was cancelled. The body was read."""
    doing, going = asyncio.ensure_future(does), asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait({doing, going}, return_when=asyncio.FIRST_COMPLETED)
        return await doing if doing.done() else None
    finally:
        doing.cancel()
        going.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def held_by(known: KnowledgeGraph) -> dict[str, Any]:
    """Its sources, kinds of events, and the days between which they lie."""
    counts = known.index.statistics.classes
    kinds = {info.label: counts[info.iri].events for info in known.vocabulary.event_classes() if info.iri in counts}
    return {
        "version": version("reqap-kg"),
        "generation": known.graph.generation,
        "quads": known.graph.count(),
        "sources": [vars(entry) for entry in read_catalog(known.graph)],
        "kinds": dict(sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))),
        "span": list(span) if (span := span_of(known.graph)) is not None else None,
    }
