"""The commands that take care of a store: what is to be forgotten, backups, its events for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Config, DomainGroup, Json, Store

care = typer.Typer(cls=DomainGroup)
PassphraseFile = Annotated[
    Path | None,
    typer.Option("--passphrase-file", metavar="FILE", help="Where the passphrase stands, instead of asking for it."),
]


@care.command()
def forget(
    source: Annotated[
        str | None,
        typer.Argument(help="Name of the source, as `reqap-kg status` shows it; with --derived, words of a query."),
    ] = None,
    first: Annotated[
        str | None, typer.Option("--from", metavar="DAY", help="Events of all sources from that day on, 2024-05-01.")
    ] = None,
    last: Annotated[str | None, typer.Option("--until", metavar="DAY", help="Events up to that day.")] = None,
    person: Annotated[
        str | None, typer.Option("--person", metavar="NAME", help="All that names somebody, by all their names.")
    ] = None,
    derived: Annotated[
        bool, typer.Option("--derived", help="Take out what RETRIEVE, EXTRACT and joins derived; sources stay.")
    ] = False,
    dialogues: Annotated[
        bool, typer.Option("--dialogues", help="Delete what `chat` kept: questions, answers, the prompt's history.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many events of a period, or of somebody, would go.")
    ] = False,
    store: Store = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Take a source, a period or a person out of the store again, with everything that rests on it; what was read of
    other texts stays.

    \b
      reqap-kg forget spotify                  the source, its events, what rested on them
      reqap-kg forget --from 2019-01-01 --until 2019-12-31
      reqap-kg forget --person "Giulia Ferri" --dry-run
      reqap-kg forget --derived                all that was derived; the next question derives it again
      reqap-kg forget --derived "italian food" only derivations whose query or key has these words
      reqap-kg forget --dialogues              what was asked in chats, and answered

    No file of the store has a word of it afterwards. An event that names somebody goes as a whole. What rests on
    something that goes (a join on a search) goes with it. `reqap-kg status` lists derivations.
    """
    from .forgetting import Wanted, forget_command

    forget_command(Wanted(source, first, last, person, derived, dialogues), dry_run, store, config, as_json)


@care.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not be there yet.")],
    encrypt: Annotated[
        bool, typer.Option("--encrypt", help="Encrypt it with a passphrase, in the format age.")
    ] = False,
    passphrase_file: PassphraseFile = None,
    store: Store = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Write all that was imported, and what was asked in chats, to one file that can be checked.

    The file is a zip of N-Quads, one for each source, with their sums. What is derived is left out: it is made again.
    `reqap-kg restore` makes a store of it.

    \b
      reqap-kg backup life.reqap
      reqap-kg backup life.reqap.age --encrypt
    """
    from .backups import backup_command

    backup_command(target, encrypt, passphrase_file, store, config, as_json)


@care.command()
def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What `reqap-kg backup` wrote.")],
    passphrase_file: PassphraseFile = None,
    index: Annotated[
        bool, typer.Option("--index/--no-index", help="Read texts ahead, so that the first question need not wait.")
    ] = True,
    store: Store = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Make a store of a backup, in an empty or new folder: all of it, or nothing where the file is damaged.

    \b
      reqap-kg restore life.reqap --store ~/restored
    """
    from .backups import restore_command

    restore_command(source, passphrase_file, index, store, config, as_json)


@care.command()
def export(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="life.nq, life.nq.gz, or life.parquet.")],
    derived: Annotated[bool, typer.Option("--derived", help="N-Quads with what was derived, too.")] = False,
    store: Store = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Write all events for other programs: as N-Quads, or as a table in Parquet.

    The table has a row for each event and a column for each property. pandas, DuckDB and Polars read it.

    \b
      reqap-kg export life.parquet
      reqap-kg export life.nq.gz --derived
    """
    from .backups import export_command

    export_command(target, derived, store, config, as_json)
