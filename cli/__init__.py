"""The command line: parse, call the engine, print (DESIGN section 5).

Only here are the clock and the environment read.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType


def main() -> None:
    """Entry point of `reqap-kg`. Exit codes: 0 answered, 1 failed, 2 bad usage, 3 nothing found, 130 stopped."""
    try:
        from .app import run

        sys.excepthook = _unexpected
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough. Python would complain when it flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _unexpected(kind: type[BaseException], bad: BaseException, trace: TracebackType | None) -> None:
    """Tells an error that nobody foresaw; Python leaves with exit code 1 after it."""
    from .options.output_options import wants_json
    from .printing.console import guarded
    from .printing.failing import unexpected

    with guarded():
        unexpected(kind, bad, trace, as_json=wants_json(sys.argv[1:]))
