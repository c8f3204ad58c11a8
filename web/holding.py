"""A store that is kept open: work on it is done one piece after another, on a thread of its own.

    with Held(directory, settings) as held:
        answer = held.run(lambda known: known.ask("How often did I run?", now=now))

What was read stays in memory, so that a question costs no more than itself. An import by another process is taken up
before the next piece of work; whoever else waits for the store gets it between two pieces.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from time import monotonic, sleep
from typing import Any, Final, Generic, Self, TypeVar

from ..config import Settings
from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError, StoreBusy
from ..store.generations import EventGraph, current
from ..store.locks import is_wanted
from ..store.queries.deadline import Worker

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
"""Hears a step, how much of it is done, and of how much (0: unknown)."""
MOST_WAITING: Final = 100
"""Pieces of work that may wait; whoever comes then is told that the service is busy."""
_LOOK_SECONDS: Final = 0.1
"""How often an idle service looks whether another process wants the store."""
_AGAIN_SECONDS: Final = 3.0
"""When work that was stopped and goes on is stopped again."""
_IMPORTING: Final = "<frozen importlib._bootstrap>"
_READERS_SECONDS: Final = 60.0
"""How long the store stays open for those that read in it, once it is to be closed."""
_AFTER_YOU_SECONDS: Final = 2.0


class Stopped(BaseException):
    """The work was given up by whoever asked for it. No error of ours: nothing may take it for one and go on."""


class Work(Generic[T]):
    """A piece of work that waits, runs, or is done."""

    def __init__(self, does: Callable[[KnowledgeGraph], T], tell: Progress | None = None) -> None:
        self.does = does
        self.tell = tell
        self.result: Future[T] = Future()
        self.result.set_running_or_notify_cancel()  # it is the engine's thread alone that ends it
        self.is_begun = False
        self.is_stopped = False


def _imports(thread: int) -> bool:
    """Whether a thread is importing a module."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False


class Held:
    """The store at `directory`, kept open by `settings` from the first piece of work on."""

    def __init__(self, directory: Path, settings: Settings) -> None:
        self.directory = directory.absolute()
        self.settings = settings
        self._waiting: SimpleQueue[Work[Any] | None] = SimpleQueue()
        self._running: Work[Any] | None = None
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._run_all, name="engine", daemon=True)
        self._open = ExitStack()
        self._known: KnowledgeGraph | None = None
        self._opening = ""
        self._readers = 0
        self._no_reader = threading.Condition()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._waiting.put(None)
        self._thread.join(timeout=_READERS_SECONDS)

    def submit(self, does: Callable[[KnowledgeGraph], T], *, tell: Progress | None = None) -> Work[T]:
        """Lines up a piece of work; its `result` is a future. Raises StoreBusy where too many wait already."""
        if self._waiting.qsize() >= MOST_WAITING:
            raise StoreBusy(f"{MOST_WAITING} questions wait already; ask again later")
        work = Work(does, tell)
        self._waiting.put(work)
        return work

    def run(self, does: Callable[[KnowledgeGraph], T], *, tell: Progress | None = None) -> T:
        """What a piece of work gives, from any thread but the engine's. Raises what it raises, Stopped where another
        thread stopped it."""
        return self.submit(does, tell=tell).result.result()

    async def do(self, does: Callable[[KnowledgeGraph], T], *, tell: Progress | None = None) -> T:
        """The same for coroutines; where the task is cancelled, the work is stopped. `tell` is called on the engine's
        thread."""
        work = self.submit(does, tell=tell)
        try:
            return await asyncio.wrap_future(work.result)
        except asyncio.CancelledError:
            self.stop(work)
            raise

    def stop(self, work: Work[Any], how: type[BaseException] = Stopped) -> None:
        """Gives a piece of work up: it ends by that exception, at once where it waits, else where it stands. What is in
        memory is read anew then. A module that is being imported is imported first: half of one would be in the way for
        good."""
        with self._guard:
            if not work.is_begun and not work.is_stopped:
                work.result.set_exception(how())
            work.is_stopped = True
            if self._running is not work:
                return
        threading.Thread(target=self._interrupt, args=(work, how), daemon=True).start()

    def _interrupt(self, work: Work[Any], how: type[BaseException]) -> None:
        while True:
            with self._guard:
                thread = self._thread.ident
                if self._running is not work or thread is None:
                    return
                is_told = not _imports(thread)
                if is_told:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(how))
            sleep(_AGAIN_SECONDS if is_told else _LOOK_SECONDS / 5)  # what clears up may have swallowed it

    def read(self, does: Callable[[EventGraph], T], *, seconds: float) -> T:
        """What `does` reads in the graph, beside the engine's work and other readers; on any thread. Raises
        QueryTimeout after `seconds`, QueryTooLarge, and as `run` does."""
        with self._reading() as graph:
            return Worker().run(seconds, lambda: does(graph))

    @property
    def is_busy(self) -> bool:
        """Whether work runs, or waits."""
        return self._running is not None or self.is_wanted

    @property
    def is_wanted(self) -> bool:
        """Whether work waits."""
        return not self._waiting.empty()

    @property
    def state(self) -> str:
        """Names what the store holds now: another after an import or a derivation. Empty before it is opened."""
        known = self._known
        return f"{self._opening}-{known.graph.changes}" if known is not None else ""

    @contextmanager
    def _reading(self) -> Iterator[EventGraph]:
        graph = self._entered() or self._entered_later()
        try:
            yield graph
        finally:
            with self._no_reader:
                self._readers -= 1
                self._no_reader.notify_all()

    def _entered(self) -> EventGraph | None:
        """The open graph with one reader more; None where it is to be opened, or opened anew, first."""
        with self._no_reader:
            known = self._known
            if known is None or self._is_outdated(known):
                return None
            self._readers += 1
            return known.graph

    def _entered_later(self) -> EventGraph:
        """The same once the store is open: what the engine does with it then is not waited for."""
        while True:
            opening = self.submit(lambda _: None)
            while not opening.result.done():
                with suppress(TimeoutError):
                    opening.result.result(timeout=_LOOK_SECONDS / 2)
                if (graph := self._entered()) is not None:
                    return graph
            opening.result.result()
            if (graph := self._entered()) is not None:
                return graph

    def _run_all(self) -> None:
        while True:
            with suppress(Stopped, KeyboardInterrupt):  # one that came too late for the work it was meant for
                try:
                    work = self._waiting.get(timeout=_LOOK_SECONDS)
                except Empty:
                    self._step_aside()
                    continue
                if work is None:
                    self._close()
                    return
                self._run_one(work)
                self._step_aside()

    def _run_one(self, work: Work[Any]) -> None:
        with self._guard:
            if work.is_stopped:
                return
            work.is_begun, self._running = True, work
        try:
            value = work.does(self._opened())
        except BaseException as bad:  # noqa: BLE001 - handed to whoever waits for it
            self._finish(work)
            work.result.set_exception(bad)
        else:
            self._finish(work)
            work.result.set_result(value)

    def _finish(self, work: Work[Any]) -> None:
        with self._guard:
            self._running = None
            work.tell = None
        if work.is_stopped:
            self._close()

    def _opened(self) -> KnowledgeGraph:
        """The store, opened anew where an import replaced what was open."""
        if self._known is not None and self._is_outdated(self._known):
            self._close()
        if self._known is None:
            known = self._open.enter_context(KnowledgeGraph.open(self.directory, self.settings, self._told))
            self._opening = f"{known.graph.generation}-{token_hex(4)}"
            with self._no_reader:
                self._known = known
        return self._known

    def _told(self, step: str, done: int, total: int) -> None:
        work = self._running
        if work is not None and work.tell is not None:
            work.tell(step, done, total)

    def _is_outdated(self, known: KnowledgeGraph) -> bool:
        return current(self.directory) != known.graph.generation

    def _step_aside(self) -> None:
        """Closes the store where another process waits for it, or an import has replaced it."""
        known = self._known
        if known is None:
            return
        lock = self.directory / f"{known.graph.generation}.lock"
        with suppress(ReqapError, OSError):
            if self._is_outdated(known):
                self._close()
            elif is_wanted(lock):
                self._close()
                end = monotonic() + _AFTER_YOU_SECONDS
                while is_wanted(lock) and monotonic() < end:
                    sleep(_LOOK_SECONDS / 5)

    def _close(self) -> None:
        """Closes the store once nobody reads in it any more."""
        with self._no_reader:
            self._known = None
            self._no_reader.wait_for(lambda: self._readers == 0, timeout=_READERS_SECONDS)
        opened, self._open = self._open, ExitStack()
        opened.close()
