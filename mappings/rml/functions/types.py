"""What a mapping function is: named parameters, a Python function over values, and examples that tests run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOME: Final = "home"
"""As a zone: the person's home zone."""


class Unconvertible(ValueError):
    """A value that a function cannot convert; its text is the reason. Reported, and no triple is made."""


@dataclass(frozen=True)
class Example:
    """Inputs by parameter and what comes out; shown in the documentation and run by tests (home zone Europe/Dublin)."""

    inputs: tuple[tuple[str, Any], ...]
    output: Any


@dataclass(frozen=True)
class Function:
    """One function of fn:.

    `required` and `optional` are single-valued; `many`, if there is one, takes every value of every input with that
    name, in the order of the map. `run` is called with the required values, then the optional ones (None when they
    are missing), or with the list of `many` first. It gives a value, a list of values, or None for nothing. With
    `zoned`, `run` gets the home zone before all else.
    """

    name: str
    run: Callable[..., Any]
    summary: str
    result: str
    required: tuple[str, ...] = ("value",)
    optional: tuple[str, ...] = ()
    many: str | None = None
    zoned: bool = False
    examples: tuple[Example, ...] = ()

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return (*((self.many,) if self.many else ()), *self.required, *self.optional)

    @property
    def signature(self) -> str:
        parts = [f"fn:{self.many} (one or more)"] if self.many else []
        parts += [f"fn:{name}" for name in self.required] + [f"fn:{name} (optional)" for name in self.optional]
        return ", ".join(parts)

    def wrong_inputs(self, given: Sequence[str]) -> str | None:
        """What is wrong with the names of the inputs, or None."""
        needed = (*((self.many,) if self.many else ()), *self.required)
        missing = [name for name in needed if name not in given]
        if missing:
            return f"input fn:{missing[0]} is missing"
        twice = [name for name in (*self.required, *self.optional) if given.count(name) > 1]
        return f"input fn:{twice[0]} is given twice" if twice else None


def examples(*rows: tuple[dict[str, Any], Any]) -> tuple[Example, ...]:
    """Examples from (inputs, output) rows."""
    return tuple(Example(tuple(inputs.items()), output) for inputs, output in rows)


def zone_named(name: Any, home: ZoneInfo) -> ZoneInfo:
    """The zone of an IANA name, 'home' or 'UTC'. Raises Unconvertible for a name that is none, and for no text."""
    if name == HOME:
        return home
    if not isinstance(name, str):
        raise Unconvertible(f"{name!r:.60} is no time zone")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as bad:
        raise Unconvertible(f"{name!r} is no time zone") from bad
