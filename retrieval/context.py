"""All that RETRIEVE reads and writes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..extraction.context import ExtractContext
from .people import People
from .scoring import Weights


@dataclass(frozen=True, kw_only=True)
class RetrieveContext(ExtractContext):
    """What EXTRACT needs, the people of the profile, and how a search decides."""

    people: People
    weights: Weights = field(default_factory=Weights)
    classify: bool = True
    """Whether RETRIEVE's classifiers decide."""
