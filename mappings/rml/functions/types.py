"""What a mapping function is: named parameters, a Python function over values, and examples that tests run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..nquads import text_of

_SHOWN: Final = 80
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
    checks: tuple[tuple[str, Callable[[Any], object]], ...] = ()
    """Parameters with what raises Unconvertible for a value that is wrong whatever the others are: constants of a map
    are tried before any record is read."""
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


def told(value: Any) -> str:
    """A foreign value as messages show it: cut short."""
    text = repr(value[: _SHOWN + 1] if isinstance(value, str) else value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def optional_text(value: Any) -> str | None:
    """A parameter that is a text, whatever type the data has for it; None for one that is missing."""
    return value if value is None or isinstance(value, str) else text_of(value)


def zone_named(name: str, home: ZoneInfo) -> ZoneInfo:
    """The zone of an IANA name, 'home' or 'UTC'. Raises Unconvertible for a name that is none."""
    if name == HOME:
        return home
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as bad:
        raise Unconvertible(f"{told(name)} is no time zone") from bad
