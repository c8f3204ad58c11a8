"""One command line, run: what every command has around it."""

from __future__ import annotations

import typer

from .app import app
from .ending import ran


def run(arguments: list[str], program: typer.Typer = app, name: str = "reqap-kg") -> int:
    """Runs one command line and returns its exit code; what goes wrong is said in a sentence, or as JSON."""
    return ran(typer.main.get_command(program), arguments, name)
