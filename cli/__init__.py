"""The command line: parse, call the engine, print.

Only here are the clock and the environment read.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from types import TracebackType


def main() -> None:
    """Entry point of `reqap-kg`. Exit codes: 0 answered, 1 failed, 2 bad usage, 3 nothing found, 4 not understood,
    130 stopped."""
    _open_closed()
    try:
        from .running import run

        sys.excepthook = _unexpected
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 0
    sys.exit(_flushed(code))


def _open_closed() -> None:
    """Opens standard streams that were closed before the start: nobody reads or writes them, which is no error."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 - open until the process ends
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _flushed(code: int) -> int:
    """Writes what is still to be written; the exit code. Python would complain when it flushes once more at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as bad:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if stream is sys.stdout and code in (0, 3) and not isinstance(bad, BrokenPipeError):
                said = f"what was to be printed cannot be written ({bad.strerror}); what was done is done"
                with suppress(OSError):
                    os.write(2, f"reqap-kg: {said}\n".encode())
                code = 1
    return code


def _unexpected(kind: type[BaseException], bad: BaseException, trace: TracebackType | None) -> None:
    """Tells an error that nobody foresaw; Python leaves with exit code 1 after it."""
    from .options.output_options import wants_json
    from .printing.console import guarded
    from .printing.failing import unexpected

    with guarded():
        unexpected(kind, bad, trace, as_json=wants_json(sys.argv[1:]))
