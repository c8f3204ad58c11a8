"""`reqap-kg serve` and `mcp`: the resident service, begun, shown and ended; and what an assistant speaks to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from socket import socket
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

import typer

from ..errors import ReqapError, StoreError, UsageError
from ..store.folder import SERVICE_LOG, no_store, own_opener
from ..store.generations import exists
from .common import machine_zone, settings, store_directory, time_of
from .printing.console import print_json, say
from .resident.protocol import SOCKET
from .resident.starting import RUNS_ALREADY, command_of, environment, new_token, obeyed, started

if TYPE_CHECKING:
    from ..web.service import Service

_SAYS: Final = "reqap-kg: "
"""How errors begin."""
_NONE: Final = "no service runs for this store"
_START_SECONDS: Final = 60.0
_END_SECONDS: Final = 60.0
_LEAST_TOKEN: Final = 16
_LOOK_SECONDS: Final = 0.05


def serve_command(
    program: Any,
    store: Path | None,
    config: Path | None,
    port: int | None,
    host: str,
    token: str | None,
    idle: float | None,
    background: bool,
    inherited: tuple[int, int] | None = None,
    *,
    opens: bool = False,
    now: str | None = None,
    reads: bool = False,
) -> None:
    """Serves a store until Ctrl-C, `serve --stop`, or so many idle minutes; `program` runs the commands of others.
    `inherited` are sockets that listen already, by HTTP and for commands: those of the service whose place this one
    takes. `opens` opens the page in a browser, also that of a service that runs already; `now` is the time of asking
    in place of the clock's. `reads` reads texts ahead while nobody asks."""
    directory = store_directory(store)
    time_of(now)  # says what is wrong with it before anything begins
    if opens and _is_open(directory, config):
        return
    if inherited is None:
        _check(directory, host, token)
    if background:
        url = _begin_in_background(directory, command_of(directory, config, port, host, idle, now), token)
        if opens:
            _browse(url)
    else:
        _serve(program, directory, config, port, host, token, idle, inherited, opens=opens, now=now, reads=reads)


def _serve(
    program: Any,
    directory: Path,
    config: Path | None,
    port: int | None,
    host: str,
    token: str | None,
    idle: float | None,
    inherited: tuple[int, int] | None,
    *,
    opens: bool,
    now: str | None,
    reads: bool,
) -> None:
    from ..web.holding import Held
    from ..web.service import Service, application_of, bound
    from .resident.serving import Commands

    chosen = settings(config)
    http, commands = inherited or (None, None)
    listening = bound(host, chosen.service.port if port is None else port) if http is None else socket(fileno=http)
    with Held(directory, chosen) as held:
        seconds = None if idle is None else idle * 60
        number = listening.getsockname()[1]
        service = Service(held, host, number, token or new_token(), datetime.now(), version("reqap-kg"), seconds)
        listens = Commands(held, program, service.notice, service.quit, service.status, commands)
        with service.announced(), listens:
            held.submit(lambda known: known.index.classes())
            say(f"reqap-kg serves {directory} at {service.address if token else service.url}")
            say("it ends by Ctrl-C, or reqap-kg serve --stop")
            if opens:
                Thread(target=_browse, args=(service.url,), name="browser", daemon=True).start()
            with _reading(service, now) if reads else nullcontext():
                service.run(listening, application_of(service, lambda: time_of(now), machine_zone()))
            listens.is_left = service.is_stuck
    if service.is_stuck:  # what was given up ends with this process, whose place a new one takes
        sockets = (listening.fileno(), listens.fileno())
        for one in sockets:
            os.set_inheritable(one, True)
        told = environment(service.token)
        begins = command_of(directory, config, service.port, host, idle, now)
        command = [*begins, "--inherited", "{},{}".format(*sockets)]
        os.execve(sys.executable, command, told)  # noqa: S606 - without a shell is what is wanted
    listens.remove()
    listening.close()


@contextmanager
def _reading(service: Service, now: str | None) -> Iterator[None]:
    """Texts are read ahead meanwhile, between questions."""
    from ..web.readying import After, Readying

    after = After()
    readying = Readying(service.held, lambda: time_of(now), service.notice)

    def run() -> None:
        with suppress(ReqapError):  # whoever asks is told what is wrong with the store
            readying.run(after, reads=True)

    Thread(target=run, name="reading", daemon=True).start()
    try:
        yield
    finally:
        after.stopped.set()


def status_command(store: Path | None, as_json: bool) -> None:
    """Shows the service of a store; exit code 3 where none runs."""
    found = obeyed(store_directory(store), "status")
    if as_json:
        print_json({"running": found is not None, **(found or {})})
    elif found is None:
        say(_NONE)
    else:
        say(f"running at {found['url']}")
        say(f"since {found['since']}, process {found['pid']}, {found['memory_mb']} MB, version {found['version']}")
    if found is None:
        raise typer.Exit(3)


def stop_command(store: Path | None, as_json: bool) -> None:
    """Ends the service of a store; exit code 3 where none runs."""
    directory = store_directory(store)
    ran = obeyed(directory, "quit") is not None
    end = monotonic() + _END_SECONDS
    while ran and (directory / SOCKET).exists() and monotonic() < end:
        sleep(_LOOK_SECONDS)
    if as_json:
        print_json({"ended": ran})
    else:
        say("ended" if ran else _NONE)
    if not ran:
        raise typer.Exit(3)


def mcp_command(store: Path | None, config: Path | None) -> None:
    """Speaks the Model Context Protocol over standard input and output, until they end."""
    from ..web.holding import Held
    from ..web.mcp.server import main_stdio

    directory, chosen = store_directory(store), settings(config)
    _require(directory)
    with Held(directory, chosen) as held:
        main_stdio(held, lambda: time_of(None))


def _check(directory: Path, host: str, token: str | None) -> None:
    from ..web.http.access import LOOPBACK

    _require(directory)
    if token is not None and (len(token) < _LEAST_TOKEN or not (token.isascii() and token.isprintable())):
        raise UsageError(f"a token has at least {_LEAST_TOKEN} characters of ASCII, which nobody can guess")
    if host not in LOOPBACK and token is None:
        raise UsageError(
            f"--host {host} lets other machines ask about your life: whoever has the token may. Say which with --token;"
            " what goes over the network is not encrypted, so put a proxy with TLS before it"
        )
    if obeyed(directory, "status") is not None:
        raise UsageError(RUNS_ALREADY)


def _is_open(directory: Path, config: Path | None) -> bool:
    """Opens the page of a service that runs already; whether one does. Where there is no store yet, an empty one is
    made, into which the page invites."""
    running = obeyed(directory, "status")
    if running is not None:
        say(f"a service runs for this store already, at {running['address']}")
        _browse(str(running["url"]))
        return True
    if not exists(directory):
        from ..engine.admin.manage import begin_empty

        begin_empty(directory, settings(config))
    return False


def _browse(url: str) -> None:
    """Opens a browser, if there is one that can be."""
    import webbrowser

    if not webbrowser.open(url):
        say(f"no browser can be opened here; the page is at {url}")


def _require(directory: Path) -> None:
    if not exists(directory):
        raise no_store(directory)


def _begin_in_background(directory: Path, command: list[str], token: str | None) -> str:
    """Starts a process of its own, and waits until it answers; where a browser opens it. Raises StoreError where it
    does not."""
    try:
        process = started(directory, command, token or new_token())
    except PermissionError as bad:
        raise StoreError(f"{directory} cannot be written to, and a service keeps its log there") from bad
    end = monotonic() + _START_SECONDS
    while monotonic() < end and process.poll() is None:
        found = obeyed(directory, "status")
        if found is not None:
            say(f"reqap-kg serves {directory} at {found['url']}")
            return str(found["url"])
        sleep(_LOOK_SECONDS)
    raise StoreError(f"the service did not start: {_last_line(directory)}")


def _last_line(directory: Path) -> str:
    """What its log says last of why it failed."""
    with open(directory / SERVICE_LOG, encoding="utf-8", errors="replace", opener=own_opener) as log:
        said = [line.strip() for line in log if line.startswith(_SAYS)]
    return said[-1].removeprefix(_SAYS) if said else f"{directory / SERVICE_LOG} says why"
