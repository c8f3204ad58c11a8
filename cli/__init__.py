"""The command line: parse, call the engine, print (DESIGN section 5).

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
    from .printing.console import OutputLostError, flush

    try:
        from .running import run

        sys.excepthook = _unexpected
        code = run(sys.argv[1:])
        flush()
    except KeyboardInterrupt:
        code = 130
    except OutputLostError as lost:
        code = int(lost.is_wanted)
        # Python would complain when it flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if lost.is_wanted:
            with suppress(OSError):
                os.write(2, f"reqap-kg: {lost}\n".encode())
    sys.exit(code)


def _open_closed() -> None:
    """Opens standard streams that were closed by whoever began the process; Python has None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process


def _unexpected(kind: type[BaseException], bad: BaseException, trace: TracebackType | None) -> None:
    """Tells an error that nobody foresaw; Python leaves with exit code 1 after it."""
    from .options.output_options import wants_json
    from .printing.console import guarded
    from .printing.failing import unexpected

    with guarded():
        unexpected(kind, bad, trace, as_json=wants_json(sys.argv[1:]))
