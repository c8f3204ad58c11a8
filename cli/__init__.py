"""The command line: parse, call the engine, print.

Only here are the clock and the environment read.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Entry point of `reqap-kg`. Exit codes: 0 answered, 1 failed, 2 bad usage, 3 nothing found, 4 not understood,
    130 stopped."""
    _open_closed()
    arguments = sys.argv[1:]
    code = _elsewhere(arguments)
    if code is None:
        from .ending import ended, flushed

        code = flushed(ended(lambda: _here(arguments), arguments))
    sys.exit(code)


def _elsewhere(arguments: list[str]) -> int | None:
    """The exit code of a command that a resident service ran."""
    from .resident.client import answered

    try:
        return answered(arguments)
    except KeyboardInterrupt:
        return 130


def _here(arguments: list[str]) -> int:
    from .app import run

    return run(arguments)


def _open_closed() -> None:
    """Opens standard streams that were closed before the start: nobody reads or writes them, which is no error."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 - open until the process ends
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
