"""`reqap-kg backup`, `restore` and `export`."""

from __future__ import annotations

from pathlib import Path

import typer

from ...engine.admin.exporting import export_store
from ...engine.importing.loading import IngestOptions
from ...errors import UsageError
from ...store.backup import Backup, restore_backup, write_backup
from ...texts.words import counted
from ..common import machine_zone, settings, store_directory, time_of
from ..data import read_ahead
from ..printing.console import print_json, say
from ..printing.progress import progress_bar

_SHORTEST = 8
"""Characters of a passphrase, at least."""


def backup_command(
    target: Path, encrypt: bool, passphrase_file: Path | None, store: Path | None, config: Path | None, as_json: bool
) -> None:
    """Writes a backup, and says what is in it."""
    chosen = settings(config)
    passphrase = _new_passphrase(passphrase_file) if encrypt or passphrase_file is not None else None
    with progress_bar(visible=not as_json, text="writing the backup") as progress:
        directory, access, seconds = store_directory(store), chosen.access, chosen.lock_seconds
        found = write_backup(directory, target, passphrase, access=access, lock_seconds=seconds, tell=progress.counted)
    told = "encrypted: without the passphrase nobody can read it" if passphrase else "not encrypted"
    _say_backup(found, f"{target}: {found.bytes / 2**20:,.1f} MiB, {told}", as_json, encrypted=passphrase is not None)


def restore_command(
    source: Path, passphrase_file: Path | None, index: bool, store: Path | None, config: Path | None, as_json: bool
) -> None:
    """Restores a backup, and reads its texts ahead."""
    chosen = settings(config)
    options = IngestOptions(chosen, time_of(None), machine_zone())
    directory = store_directory(store)
    with progress_bar(visible=not as_json, text="restoring the backup") as progress:
        access, seconds = chosen.access, chosen.lock_seconds
        found = restore_backup(
            source,
            directory,
            lambda: _passphrase(passphrase_file),
            access=access,
            lock_seconds=seconds,
            tell=progress.counted,
        )
        ahead = read_ahead(options, directory, progress, index)
    _say_backup(found, f"{directory} has what was in {source}", as_json)
    if index and not as_json:
        say(ahead.told)


def export_command(target: Path, derived: bool, store: Path | None, config: Path | None, as_json: bool) -> None:
    """Writes the events of a store for other programs."""
    with progress_bar(visible=not as_json, text="writing the events"):
        found = export_store(store_directory(store), target, settings(config), derived=derived)
    if as_json:
        print_json({"file": str(target), f"{found.what}s": found.rows})
    else:
        say(f"{counted(found.rows, found.what)} written to {target}")


def _say_backup(found: Backup, line: str, as_json: bool, **more: bool) -> None:
    if as_json:
        held = {"graphs": found.graphs, "quads": found.quads, "dialogues": found.graphs < len(found.parts)}
        print_json({**held, "bytes": found.bytes, **more})
        return
    dialogues = ", and what was asked in chats" if found.graphs < len(found.parts) else ""
    say(f"{counted(found.quads, 'triple')} in {counted(found.graphs, 'graph')}{dialogues}")
    say(line)


def _new_passphrase(file: Path | None) -> str:
    """A passphrase to encrypt with. Raises UsageError for one that is short."""
    given = _passphrase(file, new=True)
    if len(given) < _SHORTEST:
        raise UsageError(f"the passphrase has fewer than {_SHORTEST} characters")
    return given


def _passphrase(file: Path | None, *, new: bool = False) -> str:
    """The passphrase, from its file or as somebody types it."""
    if file is None:
        return str(typer.prompt("Passphrase", hide_input=True, confirmation_prompt=new, err=True))
    try:
        return file.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"the passphrase file {file} cannot be read") from bad
