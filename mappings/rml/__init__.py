"""The RML engine: maps in Turtle, from JSON, CSV, XML files and from records of exports to N-Quads, in a stream."""

from __future__ import annotations

from .compiled import CompiledMap, load_map
from .functions import FUNCTIONS
from .plain_records import plain_records

__all__ = ["FUNCTIONS", "CompiledMap", "load_map", "plain_records"]
