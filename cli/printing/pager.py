"""The pager of the environment, for answers that are longer than the terminal; started without a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import suppress
from typing import Final

_DEFAULT: Final = "less"
_OPTIONS: Final = "FRX"
"""What `less` does unless LESS says otherwise: leaves where all fits, shows styles, lets the text stand."""


def page(text: str, height: int) -> bool:
    """Shows a text in the pager that PAGER names, else in `less`; False where it fits or there is no pager."""
    command = _command()
    if command is None or text.count("\n") < height:
        return False
    try:
        run = subprocess.Popen(command, stdin=subprocess.PIPE, env={"LESS": _OPTIONS, **os.environ})
    except OSError:
        return False  # PAGER names something that does not start: the text is printed
    with suppress(KeyboardInterrupt):  # Ctrl-C belongs to the pager, which goes on until it is left
        run.communicate(text.encode("utf-8", "backslashreplace"))
    run.wait()
    return True


def _command() -> list[str] | None:
    """The program and its options; None for none, `cat`, or what is not installed."""
    try:
        words = shlex.split(os.environ.get("PAGER", _DEFAULT))
    except ValueError:
        words = [_DEFAULT]
    found = shutil.which(words[0]) if words else None
    if found is None or words[0] == "cat":
        return None
    return [found, *words[1:]]
