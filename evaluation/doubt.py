"""Whether an answer comes with a sign of doubt, by what a run noted of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_NO_DOUBT: Final = ("searched by words only", "searched without classifiers", "the pairs of events that were counted")
"""How warnings begin that tell of this machine's models, or of what is listed, and nothing of the answer."""


def in_doubt(trace: Mapping[str, Any]) -> bool:
    """Whether whoever reads the answer is warned that it may not be what was meant: that the reading is in doubt, is a
    guess, leaves words out; that a search found nothing, or nothing clear; that a value could not be read.

    Notes say how a question was read and are no doubt; a score is not shown, and is none either.
    """
    return any(not warning.startswith(_NO_DOUBT) for warning in trace.get("warnings", ()))
