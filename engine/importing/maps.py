"""The map that turns a format's records into triples: shipped with the package, or the user's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo

from ...config import own_text
from ...errors import UsageError
from ...mappings.rml import CompiledMap, load_map
from ...ontology.namespaces import DATA
from ...sources.base import Format


def map_for_format(kind: Format, home_zone: ZoneInfo) -> CompiledMap:
    """The shipped map of a format. Raises MappingError when the installed file is damaged."""
    entry = files("reqap_kg.mappings").joinpath(kind.map_file)
    return load_map(entry.read_text(encoding="utf-8"), path=kind.map_file, base_iri=DATA, home_zone=home_zone)


def map_for_user(path: Path, home_zone: ZoneInfo, base: str | None = None) -> CompiledMap:
    """A user's map. Raises UsageError where there is no such file, MappingError where it is wrong."""
    try:
        text = own_text(path)
    except FileNotFoundError as bad:
        raise UsageError(f"there is no map {path}") from bad
    except OSError as bad:
        raise UsageError(f"the map {path} cannot be read: {bad.strerror}") from bad
    except UnicodeDecodeError as bad:
        raise UsageError(f"{path} is not text in UTF-8") from bad
    return load_map(text, path=str(path), base_iri=base or DATA, home_zone=home_zone)
