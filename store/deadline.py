"""A time limit for work that cannot be interrupted from Python."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ..errors import QueryTimeout, ReqapError

T = TypeVar("T")


def within(seconds: float, work: Callable[[], T]) -> T:
    """Result of `work`, run beside the caller. Raises QueryTimeout after `seconds`, and what `work` raises.

    Oxigraph lets go of Python's lock while it evaluates, but cannot be stopped: what has passed its limit runs on in a
    daemon thread until it ends or the process does. The command line ends the process.
    """
    outcome: list[tuple[bool, T | BaseException]] = []

    def run() -> None:
        try:
            outcome.append((True, work()))
        except ReqapError as bad:
            # Its frames hold Oxigraph's results, which must be freed on the thread that made them.
            outcome.append((False, bad.with_traceback(None)))
        except BaseException as bad:  # noqa: BLE001 - handed to the caller below
            outcome.append((False, bad))

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if not outcome:
        raise QueryTimeout(f"the query passed its limit of {seconds:g} s; narrow it, or raise --timeout")
    succeeded, value = outcome[0]
    if isinstance(value, BaseException) and not succeeded:
        raise value
    return value  # type: ignore[return-value]


class Worker:
    """Runs pieces of work, one after the other, on a thread that is kept: for many short queries, each with a limit.

    Starting a thread takes as long as a small query; handing over to one that waits takes a tenth of that.
    """

    def __init__(self) -> None:
        self._lane: _Lane | None = None

    def run(self, seconds: float, work: Callable[[], T]) -> T:
        """Result of `work`. Raises QueryTimeout after `seconds`, and what `work` raises. What has passed its limit runs
        on as in `within`; the next work gets a new thread."""
        if self._lane is None:
            self._lane = _Lane()
            weakref.finalize(self, self._lane.tasks.put, None)
        self._lane.tasks.put(work)
        try:
            succeeded, value = self._lane.results.get(timeout=seconds)
        except Empty:
            self._lane.tasks.put(None)
            self._lane = None
            raise QueryTimeout(f"the query passed its limit of {seconds:g} s") from None
        except BaseException:  # interrupted: nobody may take this result for that of the next work
            self._lane = None
            raise
        if isinstance(value, BaseException) and not succeeded:
            raise value
        return value  # type: ignore[no-any-return]


class _Lane:
    """A daemon thread with what it is to do and what came of it; it ends when it is handed None."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self.results: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        threading.Thread(target=_work, args=(self.tasks, self.results), daemon=True).start()


def _work(tasks: SimpleQueue[Callable[[], Any] | None], results: SimpleQueue[tuple[bool, Any]]) -> None:
    while (work := tasks.get()) is not None:
        try:
            results.put((True, work()))
        except ReqapError as bad:
            results.put((False, bad.with_traceback(None)))
        except BaseException as bad:  # noqa: BLE001 - handed to the caller
            results.put((False, bad))
        del work
