"""All that RETRIEVE reads and writes."""

from __future__ import annotations

from dataclasses import dataclass

from ..extraction.context import ExtractContext
from .people import People


@dataclass(frozen=True, kw_only=True)
class RetrieveContext(ExtractContext):
    """What EXTRACT needs, the people of the profile, and who decides in a search."""

    people: People
    classify: bool = True
    """Whether RETRIEVE's classifiers decide."""
