"""Locks between processes: many readers or one writer of a generation, one import at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep, time
from typing import Final

import portalocker

from ..errors import StoreBusy, StoreError
from .folder import own_opener

_LOOK_SECONDS: Final = 0.05
_FRESH_SECONDS: Final = 1.0
"""Whoever waits says so anew all the time: what is older was left by a process that was killed."""


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
    lock = portalocker.Lock(path, mode=opened, timeout=0, flags=flags, fail_when_locked=False, opener=own_opener)
    if not _acquired(lock):
        _wait_for(lock, path, seconds, what)
    try:
        yield
    finally:
        lock.release()


def _wait_for(lock: portalocker.Lock, path: Path, seconds: float, what: str) -> None:
    """Acquires a lock that another process holds, and says meanwhile that it is wanted."""
    end = monotonic() + seconds
    try:
        while monotonic() < end:
            _want(path)
            sleep(_LOOK_SECONDS)
            if _acquired(lock):
                return
    finally:
        if seconds:
            with suppress(OSError):
                wanted_file(path).unlink(missing_ok=True)
    raise StoreBusy(f"{what} is in use by another process; waited {seconds:g} s")


def is_held(path: Path) -> bool:
    """Whether a process holds a lock file alone; False where there is none, or it cannot be looked at."""
    if not path.exists():
        return False
    try:
        with locked(path, exclusive=False, seconds=0, what="a lock"):
            return False
    except StoreBusy:
        return True
    except (OSError, StoreError):
        return False


def wanted_file(lock: Path) -> Path:
    """The file by which those that wait for a lock say so to whoever holds it for long."""
    return lock.with_suffix(".wanted")


def is_wanted(lock: Path) -> bool:
    """Whether another process waits for a lock."""
    try:
        return time() - wanted_file(lock).lstat().st_mtime < _FRESH_SECONDS
    except OSError:
        return False


def _want(lock: Path) -> None:
    """Says that somebody waits; where that cannot be written, nobody steps aside, and the wait is as long as it is."""
    try:
        with open(wanted_file(lock), "ab", opener=own_opener):
            os.utime(wanted_file(lock), follow_symlinks=False)
    except (OSError, StoreError):
        return


def _acquired(lock: portalocker.Lock) -> bool:
    try:
        lock.acquire()
    except portalocker.LockException:
        return False
    return True
