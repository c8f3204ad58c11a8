"""The commands of `reqap-kg domain`; what they do is in `domain`, imported when one of them runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Config, DomainGroup, Json

domain = typer.Typer(
    cls=DomainGroup,
    no_args_is_help=True,
    help="Domains of your own: data, ontology, maps, patterns and rules in a folder (docs/authoring.md).",
)


@domain.command("check")
def check(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="Folder of the domain, or the name of one that ships. Default: --domain."),
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option("--data", metavar="PATH", help="Files, or folders of files, that stand in for those of data/."),
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Check all of a domain's folder, as a compiler does: file, line, column, what is wrong, what was likely meant.

    It reads domain.ttl, the ontology, maps, patterns, rules, profile and cases, and the data that the maps name. It
    tells every mistake in one run: misspelt terms; classes, measures, dimensions and datatypes that there are none of;
    hierarchies, formulas and rules that go round; labels that two things share; columns, files and values that the data
    do not have; trees that name what is not there. Nothing is imported.

    \b
    An error keeps something from working as it is written; a warning most likely does:
      bees/ontology.ttl:14:65: error: there is no wh:agregate; did you mean wh:aggregate?
      bees/profile.ttl:6:70: error: the data have no bees:apiary "Heth"; did you mean "Heath"?

    \b
    Exit code 0 where there is no error, 2 where there is one. Examples:
      reqap-kg domain check bees
      reqap-kg domain check bees --data ~/exports/2025 --json
    """
    from .domain import check_command

    check_command(folder, data or [], config, as_json)
