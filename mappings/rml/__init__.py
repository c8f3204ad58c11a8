"""The RML engine: maps in Turtle, from JSON, CSV, XML files and from records of exports to N-Quads, in a stream."""

from __future__ import annotations

from .compiled import CompiledMap, load_map
from .functions import FUNCTIONS
from .own_kinds import OwnKinds, own_kinds
from .plain_records import plain_records

__all__ = ["FUNCTIONS", "CompiledMap", "OwnKinds", "load_map", "own_kinds", "plain_records"]
