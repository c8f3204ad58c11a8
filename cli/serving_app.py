"""The commands of the resident service."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import UsageError
from .options import Config, DomainGroup, Json, Now, Store

serving = typer.Typer(cls=DomainGroup)


@serving.command()
def serve(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Where it listens; 0 takes any that is free. Default: 7378.")
    ] = None,
    host: Annotated[str, typer.Option(help="Beyond this machine: an address of it; needs --token.")] = "127.0.0.1",
    token: Annotated[
        str | None,
        typer.Option(
            envvar="REQAP_KG_TOKEN", help="What lets one in: at least 16 characters. Default: a new one at each start."
        ),
    ] = None,
    idle: Annotated[float | None, typer.Option(min=0.01, help="End after so many minutes without a request.")] = None,
    background: Annotated[bool, typer.Option("--background", help="Go on in the background.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Show the service of this store, if one runs.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End the service of this store.")] = False,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser; without a store, one that invites.")
    ] = False,
    now: Now = None,
    store: Store = None,
    config: Config = None,
    as_json: Json = False,
    inherited: Annotated[str | None, typer.Option(hidden=True)] = None,
    *,
    ctx: typer.Context,
) -> None:
    """Keep a store open and warm: questions are answered at once, programs and SPARQL clients can ask.

    While it runs, ask, plan, run, sparql, retrieve, extract, related and chat use it by themselves. An import is taken
    up without a restart (docs/service.md). --status and --stop end with code 3 where none runs.

    \b
      reqap-kg serve --open
      reqap-kg serve --background
      reqap-kg serve --stop
    """
    from .serve import serve_command, status_command, stop_command

    if status + stop + background > 1:
        raise UsageError("--background, --status and --stop do not go together")
    if open_ and (status or stop):
        raise UsageError("--open begins a service; it does not go with --status or --stop")
    if status:
        status_command(store, as_json)
    elif stop:
        stop_command(store, as_json)
    else:
        sockets = _sockets(inherited) if inherited is not None else None
        program = ctx.find_root().command
        serve_command(program, store, config, port, host, token, idle, background, sockets, opens=open_, now=now)


def _sockets(said: str) -> tuple[int, int]:
    """Two sockets by their numbers, as a service hands them to the one that takes its place."""
    http, _, commands = said.partition(",")
    if not (http.isdecimal() and commands.isdecimal()):
        raise UsageError("--inherited is for the service itself")
    return int(http), int(commands)


@serving.command()
def mcp(store: Store = None, config: Config = None) -> None:
    """Let an assistant ask: the Model Context Protocol over standard input and output (docs/service.md).

    \b
      reqap-kg mcp
    """
    from .serve import mcp_command

    mcp_command(store, config)
