"""Locks between processes: many readers or one writer of a generation, one import at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import portalocker

from ..errors import StoreBusy
from .folder import own_opener


@contextmanager
def locked(path: Path, *, exclusive: bool, seconds: float, what: str) -> Iterator[None]:
    """Holds a lock file, if there is or can be one. Raises StoreBusy, saying `what` is held, when it is not free within
    `seconds`, StoreError where it is a link or no regular file."""
    if not os.path.lexists(path) and not os.access(path.parent, os.W_OK):  # nobody writes what cannot be written
        yield
        return
    opened = "a" if os.access(path if path.exists() else path.parent, os.W_OK) else "r"
    mode = portalocker.LockFlags.EXCLUSIVE if exclusive else portalocker.LockFlags.SHARED
    flags = mode | portalocker.LockFlags.NON_BLOCKING
    lock = portalocker.Lock(
        path, mode=opened, timeout=seconds, check_interval=0.05, flags=flags, fail_when_locked=False, opener=own_opener
    )
    try:
        lock.acquire()
    except portalocker.LockException as bad:
        raise StoreBusy(f"{what} is in use by another process; waited {seconds:g} s") from bad
    try:
        yield
    finally:
        lock.release()
