"""The options that several commands have, each described once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from .places import store_place
from .printing.console import paging, say

_DEBUG: ContextVar[bool] = ContextVar("debug", default=False)
_WORKERS: ContextVar[Mapping[str, Any]] = ContextVar("workers", default=MappingProxyType({}))
_RUNNING: ContextVar[typer.Context | None] = ContextVar("running", default=None)


def begin() -> None:
    """Forgets the options of the command line before."""
    _DEBUG.set(False)
    _RUNNING.set(None)
    _WORKERS.set(MappingProxyType({}))
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


Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        envvar="REQAP_KG_STORE",
        metavar="PLACE",
        parser=store_place,
        help="Folder of the store, or the address of a SPARQL server that holds it: sparql+https://host/path"
        " (docs/scale.md). Default: your user data folder.",
    ),
]
DemoStore = Annotated[
    Path | None,
    typer.Option("--store", help="Folder of the demo life's store, apart from yours. Default: your user cache folder."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Config = Annotated[
    Path | None,
    typer.Option("--config", envvar="REQAP_KG_CONFIG", help="Settings in TOML (home_zone, encoder, limits, …)."),
]
Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Show the tree with the rows and the time of each operator, what was reused, the SPARQL and the evidence.",
    ),
]
Events = Annotated[
    int, typer.Option("--events", min=0, help="How many of the events behind the answer to look up; 0 for all.")
]
Now = Annotated[
    str | None,
    typer.Option("--now", help="The time of asking, e.g. 2025-03-01T12:00:00. Default: the clock."),
]


_CHOSEN: ContextVar[Path | None] = ContextVar("domain", default=None)


class DomainGroup(TyperGroup):
    """A group of commands each of which takes --domain, --no-pager, --debug; `chosen_domain` says what was chosen."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_options(*_COMMON))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, with the options."""
        found = super().get_command(ctx, cmd_name)
        if found is not None and not any(param.name == "domain" for param in found.params):
            found.params.extend(_options(*_COMMON, *(_SHARED if cmd_name in _SHARING else ())))
        return found


_COMMON: Final = ("domain", "no_pager", "debug")
_SHARED: Final = ("workers", "ray")
_SHARING: Final = frozenset({"ingest", "index", "map", "retrieve", "ask", "run"})
"""Commands whose work may be shared among processes."""


def _options(*names: str) -> list[Any]:
    """The options as typer makes them of a command that has them; no command is handed their values."""
    made = typer.Typer(add_completion=False)

    @made.command()
    def _(
        domain: _Domain = None,
        no_pager: NoPager = False,
        debug: Debug = False,
        workers: _Workers = None,
        ray: _Ray = None,
    ) -> None: ...

    found = [param for param in typer.main.get_command(made).params if param.name in names]
    for option in found:
        option.expose_value = False
    return found


def _remember(ctx: typer.Context, value: Path | None) -> Path | None:
    """Keeps what was chosen for this run of the command line; the outermost group is read first and begins anew."""
    if value is not None or ctx.parent is None:
        choose(value)
    return value


def choose(domain: Path | None) -> None:
    """Makes a domain that of this run. Raises BadParameter where there is none."""
    _CHOSEN.set(domain if domain is None else _folder(domain))


def _folder(given: Path) -> Path:
    """The folder as given, or that of the shipped domain of this name."""
    if given.is_dir():
        return given
    shipped = Path(str(files("reqap_kg.examples")))
    names = sorted(path.parent.name for path in shipped.glob("*/domain.ttl"))
    if str(given) in names:
        return shipped / given
    raise typer.BadParameter(f"there is no folder {given}; the domains that ship are {', '.join(names)}")


_Domain = Annotated[
    Path | None,
    typer.Option(
        "--domain",
        envvar="REQAP_KG_DOMAIN",
        metavar="DIR",
        callback=_remember,
        help="Folder of a domain: other data than personal events (docs/planner.md); or resorts, census or music.",
    ),
]


def _keep(name: str) -> Callable[[Any], Any]:
    def kept(value: Any) -> Any:
        if value is not None:
            _WORKERS.set({**_WORKERS.get(), name: value})
        return value

    return kept


_Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        envvar="REQAP_KG_WORKERS",
        min=1,
        metavar="N",
        callback=_keep("workers"),
        help="Share imports, the reading of texts and large searches among N processes: as many as there are cores."
        " The results are the same. Default: the setting workers, else 1.",
    ),
]
_Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        envvar="REQAP_KG_RAY",
        metavar="ADDRESS",
        callback=_keep("ray"),
        help="Share them on a Ray cluster: HOST:PORT, auto for the one this machine is part of, or local for one of"
        " --workers processes (docs/scale.md). Needs: pip install 'reqap-kg[ray]'.",
    ),
]


def chosen_workers() -> Mapping[str, Any]:
    """The settings that --workers and --ray change."""
    return _WORKERS.get()


def chosen_domain() -> Path | None:
    """The folder that the command line, or the environment, names."""
    return _CHOSEN.get()
