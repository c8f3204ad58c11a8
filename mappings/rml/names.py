"""The known name nearest to one that is unknown, for error messages."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

_NEAR = 60
"""Below this similarity (0 to 100) a name is no help."""


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, upper and lower case being alike, or None when none is near."""
    found = process.extractOne(name, list(known), scorer=fuzz.ratio, processor=str.lower, score_cutoff=_NEAR)
    return found[0] if found else None
