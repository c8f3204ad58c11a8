"""Options of every command that say how it prints, and what is known of the command that runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from ..printing.console import paging, say

_DEBUG: ContextVar[bool] = ContextVar("debug", default=False)
_RUNNING: ContextVar[typer.Context | None] = ContextVar("running", default=None)


def begin() -> None:
    """Forgets the options of the command line before."""
    _DEBUG.set(False)
    _RUNNING.set(None)
    paging.set(True)


def debugging() -> bool:
    """Whether an unexpected error is told with its trace."""
    return _DEBUG.get()


def running() -> Mapping[str, Any]:
    """The parameters of the command that runs, as far as they were read."""
    context = _RUNNING.get()
    return {} if context is None else context.params


def wants_json(arguments: list[str]) -> bool:
    """Whether what a command line prints is read by a program, even where it does not parse."""
    known = running()
    if "as_json" in known or "json_out" in known:
        return bool(known.get("as_json"))
    return "--json" in (arguments[: arguments.index("--")] if "--" in arguments else arguments)


def _no_pager(ctx: typer.Context, value: bool) -> bool:
    _RUNNING.set(ctx)
    if value:
        paging.set(False)
    return value


def _debug(value: bool) -> bool:
    if value:
        _DEBUG.set(True)
    return value


def _version(value: bool) -> bool:
    if value:
        say(f"reqap-kg {version('reqap-kg')}")
        raise typer.Exit
    return value


NoPager = Annotated[
    bool,
    typer.Option("--no-pager", callback=_no_pager, help="Print long answers at once; else PAGER shows them."),
]
Debug = Annotated[
    bool, typer.Option("--debug", callback=_debug, help="Tell an unexpected error in full, with Python's trace.")
]
Version = Annotated[
    bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", min=1, metavar="N", help="Name at most N values, and N events. Default: 10, and 5."),
]
All = Annotated[bool, typer.Option("--all", help="Name all values and all events.")]

TableFile = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="Write the rows behind the answer: .csv, .json, .parquet or .xlsx."),
]
ChartFile = Annotated[
    str | None,
    typer.Option("--chart", metavar="FILE", help="Draw the answer: .svg, .png or .vl.json; - draws it here."),
]
