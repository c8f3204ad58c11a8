"""Options of every command, and before the command's name: `--domain DIR`, which domain the store is about, and how it
prints."""

from __future__ import annotations

from contextvars import ContextVar
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .output_options import Debug, NoPager

_CHOSEN: ContextVar[Path | None] = ContextVar("domain", default=None)


class DomainGroup(TyperGroup):
    """A group of commands each of which takes --domain, --no-pager, --debug; `chosen_domain` says what was chosen."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_options())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, with the options."""
        found = super().get_command(ctx, cmd_name)
        if found is not None and not any(param.name == "domain" for param in found.params):
            found.params.extend(_options())
        return found


def _options() -> list[Any]:
    """The options as typer makes them of a command that has them; no command is handed their values."""
    made = typer.Typer(add_completion=False)

    @made.command()
    def _(domain: _Domain = None, no_pager: NoPager = False, debug: Debug = False) -> None: ...

    found = [param for param in typer.main.get_command(made).params if param.name in ("domain", "no_pager", "debug")]
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


def chosen_domain() -> Path | None:
    """The folder that the command line, or the environment, names."""
    return _CHOSEN.get()
