"""The benchmarks' suites: how a folder of data becomes lives with questions, and how answers are compared with gold."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from ...errors import UsageError
from .base import Suite

SUITES: Final[Mapping[str, str]] = {
    "personas": ".personas:Personas",
    "perqa": ".perqa:PerQA",
    "timelineqa": ".timelineqa:TimelineQA",
    "temporal-memory": ".temporal_memory:TemporalMemory",
}
"""Module and class of each suite."""


def suite_called(name: str | Suite) -> Suite:
    """The suite of a name; a suite is itself. Raises UsageError for a name that is none."""
    if not isinstance(name, str):
        return name
    if name not in SUITES:
        raise UsageError(f"there is no suite {name!r}; there are {', '.join(SUITES)}")
    module, _, cls = SUITES[name].partition(":")
    return getattr(import_module(module, __package__), cls)()
