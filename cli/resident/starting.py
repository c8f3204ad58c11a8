"""Starts the service in a process of its own, and asks one that runs how it is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Final

from ...store.folder import SERVICE_LOG, own_opener
from ..options import chosen_domain
from .protocol import Closed, address_of, receive, send

RUNS_ALREADY: Final = "a service runs for this store already; reqap-kg serve --status shows it, --stop ends it"
_FROM: Final = "REQAP_KG_TOKEN"
"""The environment variable that says what lets one in."""
_LONGEST_LOG: Final = 2**20


def begin_resident(directory: Path, config: Path | None, idle: float) -> None:
    """Starts the service in the background, to end after so many idle minutes, unless one runs; nobody waits for it."""
    if obeyed(directory, "status") is None:
        started(directory, command_of(directory, config, 0, "127.0.0.1", idle), new_token())


def command_of(
    directory: Path, config: Path | None, port: int | None, host: str, idle: float | None, now: str | None = None
) -> list[str]:
    """The command line of a service in a process of its own; others may read it, so that no token is part of it."""
    domain = chosen_domain()
    given: Sequence[tuple[str, Any]] = (
        ("--store", directory.absolute()),
        ("--config", config and config.absolute()),
        ("--domain", domain and domain.absolute()),
        ("--port", port),
        ("--host", host),
        ("--idle", idle),
        ("--now", now),
    )
    options = [part for name, value in given if value is not None for part in (name, str(value))]
    return [sys.executable, "-m", "reqap_kg.cli", "serve", *options]


def new_token() -> str:
    """What lets one in, which nobody guesses."""
    return token_urlsafe(32)


def environment(token: str) -> dict[str, str]:
    """The environment of a service, with what lets one in."""
    return {**os.environ, _FROM: token}


def started(directory: Path, command: list[str], token: str) -> subprocess.Popen[bytes]:
    """A process of the service; what it says goes to its log, which is begun anew once it is long."""
    with open(directory / SERVICE_LOG, "ab", opener=own_opener) as log:
        if log.tell() > _LONGEST_LOG:
            log.truncate(0)
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=directory,
            env=environment(token),
        )


def obeyed(directory: Path, wish: str) -> dict[str, Any] | None:
    """What the service of a store answers; None where there is none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            with address_of(str(directory)) as address:
                connection.connect(address)
            with open(os.devnull, "r+b") as nothing:
                send(connection, {"service": wish}, [nothing.fileno()] * 3)
            return receive(connection)
        except (OSError, Closed):
            return None
