"""The command line: parse, call the engine, print (DESIGN section 5).

Only here are the clock and the environment read.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of `reqap-kg`. Exit codes: 0 answered, 1 failed, 2 bad usage, 3 nothing found."""
    from .app import run

    sys.exit(run(sys.argv[1:]))
