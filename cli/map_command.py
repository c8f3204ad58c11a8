"""`reqap-kg map`: a map with file sources to N-Quads on standard output, everything else on standard error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from ..config import own_text, zone
from ..engine.importing.mapping_subprocess import MappingRun, task_of
from ..errors import ConfigError, DataError, MappingError, SourceError
from ..mappings.rml import load_map
from ..ontology.namespaces import DATA
from ..parallel import workers_of
from ..sources.base import BadRecord
from .common import machine_zone, settings
from .printing.console import data, say
from .printing.safe_text import rdf_escaped

OK, FAILED, USAGE = 0, 1, 2


def map_command(map_file: Path, base: str | None) -> int:
    """Print the N-Quads of a map and what went wrong; the exit code.

    0 when every record was mapped, 1 when the map is wrong, a source cannot be read or something was kept out of it
    (the rest is printed all the same), 2 when the map cannot be read. Triples maps that yield nothing are warnings.
    """
    try:
        text = own_text(map_file)
    except (OSError, UnicodeDecodeError) as bad:
        say(f"error: {map_file}: {bad}", err=True)
        return USAGE
    kept_out = 0
    try:
        compiled = load_map(text, path=str(map_file), base_iri=base or DATA, home_zone=_home_zone())
        chosen, folder = settings(None), map_file.resolve().parent
        task = task_of(compiled, folder, {}, chosen.limits, source=map_file.stem, workers=workers_of(chosen))
        run = MappingRun(replace(task, graph=None, working_folder=str(Path.cwd()), strict=True))
        for chunk in run.chunks():
            if isinstance(chunk, BadRecord):
                kept_out += chunk.count
                say(f"kept out: {chunk.path}, {chunk.where}: {chunk.reason}", err=True)
            else:
                data(rdf_escaped(chunk))
    except (MappingError, DataError, SourceError) as bad:
        say(f"error: {bad}", err=True)
        return FAILED
    for warning in run.warnings:
        say(f"warning: {warning}", err=True)
    return FAILED if kept_out else OK


def _home_zone() -> ZoneInfo:
    """The machine's zone, as maps have no settings; UTC where that has no name."""
    try:
        return zone(machine_zone())
    except ConfigError:
        return ZoneInfo("UTC")
