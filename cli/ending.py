"""How a command ends, in a process of its own or in the service: its exit code, with all that it printed on its way."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import typer

from ..errors import ReqapError
from ..store.folder import private_files
from ..store.queries.deadline import wall_memory
from .options import begin, wants_json
from .printing.console import guarded
from .printing.failing import STOPPED, Misused, misused, refused, stopped, unexpected

T = TypeVar("T")


def ran(program: Any, arguments: list[str], name: str) -> int:
    """The exit code of a command line of a program."""
    begin()
    wall_memory()
    # Not `app(…)`, which would tell unforeseen errors in its own way.
    return outcome(lambda: program(arguments, prog_name=name, standalone_mode=False), arguments)


def outcome(work: Callable[[], Any], arguments: list[str]) -> int:
    """The exit code of a piece of a command; its files are private, what it prints is safe, what goes wrong is said."""
    with guarded(), private_files():
        try:
            code = work()
        except SystemExit as leave:
            code = leave.code
        except (typer.Abort, KeyboardInterrupt):
            code = STOPPED
        except Misused as bad:
            code = misused(bad, wants_json(arguments))
        except ReqapError as bad:
            code = refused(bad, wants_json(arguments))
        return stopped() if code == STOPPED else code if isinstance(code, int) else int(code is not None)


def ended(work: Callable[[], T], arguments: list[str]) -> T | int:
    """What a command gives, else the exit code of how it ended."""
    try:
        return work()
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        return 0
    except Exception as bad:  # noqa: BLE001 - reported as what it is: an unexpected error
        _unexpected(bad, arguments)
        return 1


def flushed(code: int) -> int:
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


def _unexpected(bad: Exception, arguments: list[str]) -> None:
    with guarded():
        unexpected(type(bad), bad, bad.__traceback__, as_json=wants_json(arguments))
