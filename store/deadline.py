"""A time limit for work that cannot be interrupted from Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

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
