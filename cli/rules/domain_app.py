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


@domain.command("new")
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write: new, or empty.")],
    given: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="TABLE",
            help="A CSV, TSV or JSON file, or a folder of them; with --copy also Parquet, SQLite, DuckDB,"
            " postgresql://…, or the address of a SPARQL endpoint. Several may follow, and --from may be given again.",
        ),
    ],
    more: Annotated[list[str] | None, typer.Argument(metavar="[TABLE]...", help="Further tables.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="What the domain is called. Default: the folder.")] = None,
    copy: Annotated[
        bool,
        typer.Option("--copy", help="Write what maps cannot read in place (databases, Parquet) as CSV under data/."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that has files, over those of the draft.")
    ] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Draft a domain from tables: domain.ttl, ontology, map, example questions that work, and copies of the data.

    Types, keys and foreign keys, hierarchies, the time, measures with their units and how these are taken together are
    guessed from names and from all rows. Each guess is told in one line, and stands as a comment in the Turtle; where
    it is not sure, the other choice is told. The questions are asked before they are written: only those are kept whose
    answer is that of a direct computation over the tables, up to twenty. The draft passes `domain check`; edit it from
    there (docs/authoring.md).

    \b
    What makes the draft better:
      one table for each kind of thing, and columns called as what they refer to (hive_id in harvests, for hives)
      units in names (distance_km, price_eur, "duration (min)"), one date column that says when it happened

    \b
    Examples:
      reqap-kg domain new bees --from harvests.csv hives.csv
      reqap-kg domain new shop --from shop.sqlite --copy
      reqap-kg ingest --domain bees && reqap-kg ask "kilos by hive" --domain bees
    """
    from .domain_new import new_command

    new_command(folder, [*given, *(more or [])], name, config, copy=copy, force=force, as_json=as_json)
