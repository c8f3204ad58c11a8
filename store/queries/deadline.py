"""Threads on which queries run: with a time limit where one is given, with no way to the network, with room for depth.

Oxigraph cannot be stopped from Python, evaluates nested queries on the stack, and would reach out if anything made it.
So no query is evaluated on a thread of the caller's (`apart`), and the network is closed to those that evaluate
(`sealed.py`).
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic
from traceback import clear_frames
from typing import Any, Final, TypeVar

from ...errors import QueryTimeout, QueryTooLarge
from .sealed import seal_thread

T = TypeVar("T")
_STACK_BYTES: Final = 256 * 2**20
"""Room for what `sparql/lexer.py` lets pass, several times over. Only what is used of it takes memory."""
MOST_BYTES: Final = 2 * 2**30
"""Memory that a query may add to that of the process: texts that double in length have no other end."""
_GLANCE_SECONDS: Final = 0.05
"""How often the memory is looked at; what ends before is never looked at."""
_STARTING: Final = threading.Lock()
_GIVEN_UP: Final[weakref.WeakSet[threading.Thread]] = weakref.WeakSet()
"""Threads whose work was given up, as long as it runs on."""


class _Own(threading.local):
    """What belongs to the calling thread: whether it runs queries itself and until when, else the worker that does it
    for it."""

    evaluates: bool = False
    worker: Worker | None = None
    end: float | None = None


_OWN: Final = _Own()


def apart(work: Callable[[], T]) -> T:
    """Result of `work`, run where queries are evaluated: on this thread if it is one of these, else on the one that is
    kept for it. Raises what `work` raises."""
    if _OWN.evaluates:
        return work()
    if _OWN.worker is None:
        _OWN.worker = Worker()
    return _OWN.worker.run(None, work)


def within(seconds: float, work: Callable[[], T]) -> T:
    """Result of `work`, run beside the caller. Raises QueryTimeout after `seconds`, QueryTooLarge where it takes more
    memory than MOST_BYTES, and what `work` raises.

    What has passed a limit runs on in a daemon thread until it ends or the process does. The command line ends the
    process.
    """
    return Worker().run(seconds, work, "; narrow it, or raise --timeout")


def seconds_left(most: float) -> float:
    """How long what runs on this thread may still take: `most`, or less where it is given up before."""
    return most if _OWN.end is None else max(0.001, min(most, _OWN.end - monotonic()))


class Worker:
    """Runs pieces of work, one after the other, on a thread that is kept: for many short queries, each with a limit.

    Starting a thread takes as long as a small query; handing over to one that waits takes a tenth of that.
    """

    def __init__(self) -> None:
        self._lane: _Lane | None = None

    def run(self, seconds: float | None, work: Callable[[], T], advice: str = "") -> T:
        """Result of `work`. Raises QueryTimeout after `seconds` (None: no limit), QueryTooLarge where it takes more
        memory than MOST_BYTES, and what `work` raises. What has passed its limit runs on as in `within`; the next work
        gets a new thread."""
        if self._lane is None:
            self._lane = _Lane()
            weakref.finalize(self, self._lane.tasks.put, None)
        self._lane.tasks.put((work, None if seconds is None else monotonic() + seconds))
        try:
            succeeded, value = _awaited(self._lane.results, seconds, advice)
        except BaseException:  # given up or interrupted: nobody may take this result for that of the next work
            self._lane.tasks.put(None)
            _GIVEN_UP.add(self._lane.thread)
            self._lane = None
            raise
        if isinstance(value, BaseException) and not succeeded:
            raise value
        return value  # type: ignore[no-any-return]


def _awaited(results: SimpleQueue[tuple[bool, Any]], seconds: float | None, advice: str) -> tuple[bool, Any]:
    """What came of the work, once it is there."""
    end = float("inf") if seconds is None else monotonic() + seconds
    before = most_held()
    while True:
        left = end - monotonic()
        try:
            return results.get(timeout=max(0.0, min(left, _GLANCE_SECONDS)))
        except Empty:
            if most_held() - before > MOST_BYTES:
                raise QueryTooLarge(f"the query takes more than {MOST_BYTES // 2**30} GiB of memory") from None
            if left <= _GLANCE_SECONDS:
                raise QueryTimeout(f"the query passed its limit of {seconds:g} s{advice}") from None


def still_running() -> int:
    """How many pieces of work were given up and run on: a process that stays ends them by beginning anew."""
    return sum(thread.is_alive() for thread in tuple(_GIVEN_UP))


class _Lane:
    """A daemon thread with what it is to do and what came of it; it ends when it is handed None."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[tuple[Callable[[], Any], float | None] | None] = SimpleQueue()
        self.results: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        self.thread = threading.Thread(target=_work, args=(self.tasks, self.results), daemon=True)
        with _STARTING:
            before = threading.stack_size(_STACK_BYTES)
            try:
                self.thread.start()
            finally:
                threading.stack_size(before)


def _work(
    tasks: SimpleQueue[tuple[Callable[[], Any], float | None] | None], results: SimpleQueue[tuple[bool, Any]]
) -> None:
    _OWN.evaluates = True
    seal_thread()
    while (task := tasks.get()) is not None:
        work, _OWN.end = task
        try:
            results.put((True, work()))
        except BaseException as bad:  # noqa: BLE001 - handed to the caller
            _clear(bad)
            results.put((False, bad))
        del work, task


def _clear(bad: BaseException) -> None:
    """Lets go of what an error's frames hold: Oxigraph's results must be freed on the thread that made them."""
    seen: BaseException | None = bad
    while seen is not None:
        clear_frames(seen.__traceback__)
        seen = seen.__cause__ or seen.__context__


def _forget_worker() -> None:
    """The threads of a process are not those of its children."""
    _OWN.worker = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_worker)


def most_held() -> int:
    """The most memory that this process has held so far, in bytes; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def wall_memory() -> None:
    """Lets this process and its children hold no more data than the machine has memory, where the system can tell."""
    if sys.platform != "linux":
        return
    import resource

    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft == resource.RLIM_INFINITY or soft > whole:
        resource.setrlimit(resource.RLIMIT_DATA, (whole, hard))
