"""`reqap-kg rules`."""

from __future__ import annotations

from pathlib import Path

import typer

from ..engine.rules import rulebook_with
from .common import plural


def check_command(files: list[Path]) -> None:
    """Reads the files with the shipped rules; errors of the error tree say what is wrong, and where."""
    shipped, added = rulebook_with(()), rulebook_with(files)
    patterns = len(added.filters) + len(added.frames) - len(shipped.filters) - len(shipped.frames)
    typer.echo(f"fine: {plural(patterns, 'pattern')} and {plural(len(added.rules) - len(shipped.rules), 'rule')} added")
