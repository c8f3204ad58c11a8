"""How far an import is as a whole, and how long it still takes: its phases, each with what it is thought to take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...readying import After
from .telling import INDEXING, LOADING, READING, TEXTS, Measured

_TRIPLES_A_SECOND: Final = 30_000
_EVENTS_A_SECOND: Final = 2_000
"""That are made searchable."""
_TEXTS_A_SECOND: Final = 12
_MOST_TEXTS: Final = 6_000
"""Of more texts, others are read when a question needs them."""
_LEAST_SHARE: Final = 0.1
"""Of a phase, from which on its own pace tells how long it takes."""
_WORDS: Final = {
    READING: "Reading files", LOADING: "Loading", INDEXING: "Making it searchable", "opening": "Opening it",
    "texts": "Reading texts",
}  # fmt: skip
_ORDER: Final = (READING, LOADING, INDEXING, "opening", "texts")
_MINUTE, _HOUR = 60, 3_600


@dataclass(frozen=True)
class Whole:
    """How far it is: what is done now in words, per cent of the whole, and the time left in words."""

    doing: str
    percent: int
    left: str


def whole_of(step: Mapping[str, Any], look: Mapping[str, Any], after: After | None) -> Whole:
    """How far an import is. `step` is what its process told last, `look` how the dry run ended, `after` what the
    service does then."""
    thought = _thought(look)
    if after is not None and after.phase in ("opening", "texts"):
        phase, share, spent = str(after.phase), after.share, after.spent
    else:
        phase, share, spent = step.get("phase", READING), step.get("share"), float(step.get("spent", 0.0))
    at = _ORDER.index(phase)
    takes, share = _pace(thought[phase], share, spent)
    done = sum(thought[one] for one in _ORDER[:at]) + takes * share
    left = takes * (1 - share) + sum(thought[one] for one in _ORDER[at + 1 :])
    percent = min(99, int(100 * done / (done + left))) if done + left else 0
    waits = after is not None and after.waits
    return Whole(_WORDS[phase], percent, "it goes on when nothing is asked" if waits else in_words(left))


def in_words(seconds: float) -> str:
    """How long something still takes, as one says it."""
    if seconds < 4:
        return "a moment left"
    if seconds < _MINUTE - 5:
        return f"about {max(5, round(seconds / 5) * 5)} s left"
    if seconds < _HOUR - _MINUTE:
        return f"about {max(1, round(seconds / _MINUTE))} min left"
    hours = max(1, round(seconds / _HOUR))
    return f"about {hours} {'hour' if hours == 1 else 'hours'} left"


def _pace(thought: float, share: float | None, spent: float) -> tuple[float, float]:
    """Seconds that a phase takes, and how much of it is done: by its own pace once that is known."""
    if share is None:
        return max(thought, spent * 1.1), spent / max(thought, spent * 1.1)
    if share < _LEAST_SHARE:
        return max(thought, spent), share
    return spent / share, share


def _thought(look: Mapping[str, Any]) -> dict[str, float]:
    """Seconds that each phase is thought to take, told by the dry run."""
    measured, report = Measured.of_json(look.get("measured")), look.get("report") or {}
    fresh = [source for source in report.get("sources", ()) if source["state"] in ("new", "replaced")]
    counts = look.get("compared") or {}
    new = {source["name"]: counts.get(source["name"], {}).get("new", source["events"]) for source in fresh}
    texts = sum(new[source["name"]] for source in fresh if source["format"] in TEXTS)
    return {
        READING: max(0.5, sum(measured.seconds)),
        LOADING: 1.0 + sum(source["triples"] for source in fresh) / _TRIPLES_A_SECOND,
        INDEXING: 0.5 + sum(new.values()) / _EVENTS_A_SECOND,
        "opening": 1.0,
        "texts": 2.0 + min(texts + int(look.get("unread", 0)), _MOST_TEXTS) / _TEXTS_A_SECOND,
    }
