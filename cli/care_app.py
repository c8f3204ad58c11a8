"""The commands that take care of a store: one file of it, a store of that file, its events for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Config, DomainGroup, Json, Store

care = typer.Typer(cls=DomainGroup)
PassphraseFile = Annotated[
    Path | None,
    typer.Option("--passphrase-file", metavar="FILE", help="Where the passphrase stands, instead of asking for it."),
]


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
    from .care import backup_command

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
    from .care import restore_command

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
    from .care import export_command

    export_command(target, derived, store, config, as_json)
