"""The memory of this process: what it has held at most, and a wall at what the machine has.

A query that is given up runs on (`deadline.py`). Past the wall an allocation fails, and with it this process: not every
other one of the machine.
"""

from __future__ import annotations

import os
import sys


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
