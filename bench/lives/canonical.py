"""All canonical events of a life but its music, which fills it up to the size that is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from . import habits, happenings
from .catalogue import stream
from .diary import Row, World
from .persona import Persona

PREFIXES: Final = {
    "workout": "wko", "meeting": "mtg", "online_purchase": "pur", "movie_stream": "mov", "music_stream": "mus",
    "tvseries_stream": "tvs", "doctor_appointment": "doc", "milestone": "mil", "celebration": "cel", "trip": "trp",
    "trip_event": "tev",
}  # fmt: skip
"""The types of canonical events (paper, Appendix B.1) and how their ids begin."""
_USUAL: Final = 4_500


def world_of(persona: Persona, seed: int, events: int) -> World:
    """The world in which a life of about that many observables is made.

    Ten times the events are two and a half times the happenings; the rest is music, as in the paper's Table 2.
    """
    return World(persona, stream(seed, persona.id, "life"), (events / _USUAL) ** 0.4)


def happened(world: World) -> list[Row]:
    """Everything but music. Milestones come first, so that nothing is in their way."""
    makers = (
        happenings.milestones, happenings.trips, happenings.celebrations, happenings.appointments,
        happenings.meetings, habits.workouts, habits.films, habits.episodes, habits.purchases,
    )  # fmt: skip
    return [row for make in makers for row in make(world)]


def numbered(persona: str, rows: Iterable[Row]) -> list[Row]:
    """The events in order of time with their ids."""
    counts: Counter[str] = Counter()
    ordered = sorted(rows, key=lambda row: (row["start"], row["type"], str(row.get("song_name"))))
    for row in ordered:
        counts[row["type"]] += 1
        row["id"] = f"{persona}-{PREFIXES[row['type']]}-{counts[row['type']]:05}"
    for row in ordered:
        if "trip" in row:
            row["trip_id"] = row["trip"]["id"]
    return ordered


def written(row: Row) -> Row:
    """The event as a line of canonical.jsonl has it."""
    first = {"id": row["id"], "type": row["type"], "start": row["start"].isoformat(), "end": row["end"].isoformat()}
    rest = {key: value for key, value in row.items() if key not in (*first, "trip", "day")}
    return first | rest


def is_text_type(row: Row) -> bool:
    """Whether events of this type are only told in texts."""
    return row["type"] in ("meeting", "celebration", "doctor_appointment", "milestone", "trip", "trip_event")
