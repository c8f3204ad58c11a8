"""The functions of fn: that maps may call (RML-FNML function executions); docs/mapping-functions.md lists them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .numbers import NUMBER_FUNCTIONS
from .texts import TEXT_FUNCTIONS
from .times import TIME_FUNCTIONS
from .types import Function

FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType(
    {function.name: function for function in (*TIME_FUNCTIONS, *NUMBER_FUNCTIONS, *TEXT_FUNCTIONS)}
)
"""Every function by its local name under fn:."""
