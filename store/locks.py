"""Locks between processes: many readers or one writer of a generation, one import at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import portalocker

from ..errors import StoreBusy


@contextmanager
def locked(path: Path, *, exclusive: bool, seconds: float, what: str) -> Iterator[None]:
    """Holds a lock file. Raises StoreBusy, saying `what` is held, when it is not free within `seconds`."""
    mode = portalocker.LockFlags.EXCLUSIVE if exclusive else portalocker.LockFlags.SHARED
    flags = mode | portalocker.LockFlags.NON_BLOCKING
    lock = portalocker.Lock(path, mode="a", timeout=seconds, check_interval=0.05, flags=flags, fail_when_locked=False)
    try:
        lock.acquire()
    except portalocker.LockException as bad:
        raise StoreBusy(f"{what} is in use by another process; waited {seconds:g} s") from bad
    try:
        yield
    finally:
        lock.release()
