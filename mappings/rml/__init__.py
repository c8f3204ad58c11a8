"""The RML engine: maps in Turtle, from JSON, CSV, XML files and from records of exports to N-Quads, in a stream."""

from __future__ import annotations

from .documents.own_kinds import OwnKinds, own_kinds
from .faults import map_faults, name_read, names_in, references_in
from .files.plain_records import plain_records
from .functions.functions import FUNCTIONS
from .running.compiled import CompiledMap, load_map

__all__ = [
    "FUNCTIONS",
    "CompiledMap",
    "OwnKinds",
    "load_map",
    "map_faults",
    "name_read",
    "names_in",
    "own_kinds",
    "plain_records",
    "references_in",
]
