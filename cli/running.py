"""One command line, run: what every command has around it."""

from __future__ import annotations

import typer

from ..errors import ReqapError
from ..store.folder import private_files
from ..store.queries.memory import wall_memory
from .app import app
from .options.output_options import begin, wants_json
from .printing.console import guarded
from .printing.failing import STOPPED, Misused, misused, refused, stopped


def run(arguments: list[str], program: typer.Typer = app, name: str = "reqap-kg") -> int:
    """Runs one command line and returns its exit code; what goes wrong is said in a sentence, or as JSON."""
    begin()
    wall_memory()
    with guarded(), private_files():
        try:
            # Not `app(…)`, which would tell unforeseen errors in its own way.
            code = typer.main.get_command(program)(arguments, prog_name=name, standalone_mode=False)
        except SystemExit as leave:
            code = leave.code
        except (typer.Abort, KeyboardInterrupt):
            code = STOPPED
        except Misused as bad:
            code = misused(bad, wants_json(arguments))
        except ReqapError as bad:
            code = refused(bad, wants_json(arguments))
        return stopped() if code == STOPPED else code if isinstance(code, int) else int(code is not None)
