"""Hands a command to the service of its store, if one runs: the way of a command line that costs no start.

Nothing but the standard library is imported here. Which store is meant is read from the few options that say so; where
that is in doubt, the command runs in a process of its own, which needs no service.
"""

from __future__ import annotations

import os
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ..places import place_of
from .protocol import SOCKET, Closed, address_of, receive, send

COMMANDS: Final = frozenset({"ask", "plan", "run", "sparql", "retrieve", "extract", "related", "chat"})
"""What a service answers."""


_STORE: Final = "REQAP_KG_STORE"
"""The environment variable that says which store is meant, where no option does."""


def answered(arguments: list[str]) -> int | None:
    """The exit code of a command that a service ran; None where none does, or not this one."""
    named = _named(arguments)
    if named is None or not hasattr(socket, "send_fds"):
        return None
    directory = _store(named)
    if directory is None:
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            with address_of(directory) as address:
                connection.connect(address)
            send(connection, _asked(arguments, named), [0, 1, 2])
            return _followed(connection)
        except (OSError, Closed):
            return None


def _named(arguments: list[str]) -> dict[str, str] | None:
    """The options that say which store, domain and settings are meant; None for a command that no service answers."""
    found: dict[str, str] = {}
    command = None
    rest = iter(arguments)
    for said in rest:
        name, given, value = said.partition("=")
        if said == "--":
            break
        if name in ("--store", "--config", "--domain"):
            found[name] = value if given else next(rest, "")
        elif said in ("--help", "-h"):
            return None
        elif command is None and not said.startswith("-"):
            command = said
    return found if command in COMMANDS else None


def _store(named: dict[str, str]) -> str | None:
    """The folder of the store that is meant, if a service listens there."""
    directory = named.get("--store") or os.environ.get(_STORE)
    if directory:
        return _listening(str(place_of(directory)))
    from platformdirs import user_data_path

    data = user_data_path("reqap-kg")
    if not (named.get("--domain") or os.environ.get("REQAP_KG_DOMAIN")):
        return _listening(str(data / "store"))
    there = [found for folder in data.glob("domains/*") if (found := _listening(str(folder)))]
    return there[0] if len(there) == 1 else None  # which of several is told by the domain's own file


def _listening(directory: str) -> str | None:
    try:
        found = os.lstat(os.path.join(directory, SOCKET))
    except (OSError, ValueError):
        return None
    mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return os.path.abspath(directory) if stat.S_ISSOCK(found.st_mode) and mine else None


def _asked(arguments: list[str], named: dict[str, str]) -> dict[str, Any]:
    return {
        "arguments": arguments,
        "config": named.get("--config"),
        "domain": named.get("--domain") or os.environ.get("REQAP_KG_DOMAIN"),
        "folder": os.getcwd(),
        "environment": {**dict(_sizes()), **os.environ},
        "streams": [[stream.encoding, stream.errors] for stream in (sys.stdin, sys.stdout, sys.stderr)],
        "code": code(),
    }


def code() -> list[Any]:
    """Names the code that runs: that of a newer version is another."""
    file = Path(__file__)
    return [str(file), file.stat().st_mtime_ns, sys.version]


def _sizes() -> Iterator[tuple[str, str]]:
    """The size of the terminal, which only a process at it can ask for; that which all take where there is none."""
    for stream in (0, 1, 2):
        with suppress(OSError):
            size = os.get_terminal_size(stream)
            yield "COLUMNS", str(size.columns)
            yield "LINES", str(size.lines)
            return
    yield "COLUMNS", "80"


def _followed(connection: socket.socket) -> int | None:
    """What the service asks of this process until the command ends: to show a text in a pager, to read a line."""
    begun, lines = False, None
    while True:
        try:
            message = receive(connection)
            if "declined" in message:
                return None
            begun = True
            if "exit" in message:
                return int(message["exit"])
            if "page" in message:
                _page(message["page"], message["height"])
            if "read" in message:
                lines = lines or _lines(message["read"])
                send(connection, {"line": next(lines, None)})
        except KeyboardInterrupt:
            send(connection, {"stop": True})
        except (Closed, ConnectionError):
            if not begun:
                raise
            os.write(2, b"reqap-kg: the resident service ended while it ran this; ask again\n")
            return 1


def _page(text: str, height: int) -> None:
    from ..printing.console import data, page

    if not page(text, height):
        data(text)


def _lines(about: dict[str, Any]) -> Iterator[str]:
    """Lines as they are typed, or as standard input has them."""
    if not about["prompt"]:
        yield from (text.rstrip("\n") for text in sys.stdin)
        return
    from ..chat_input import prompted
    from ..printing.console import guarded

    history = about["history"]
    with guarded():
        yield from prompted(Path(history) if history else None, about["commands"], lambda: about["names"])
