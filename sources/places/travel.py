"""How somebody travelled, in the words of questions, from the names that services give it."""

from __future__ import annotations

from typing import Any, Final

_MODES: Final = {
    "car": "driving",
    "drive": "driving",
    "passenger vehicle": "driving",
    "vehicle": "driving",
    "road vehicle": "driving",
    "four wheeler vehicle": "driving",
    "motorcycle": "motorcycling",
    "two wheeler vehicle": "motorcycling",
    "walk": "walking",
    "foot": "walking",
    "on foot": "walking",
    "run": "running",
    "bicycle": "cycling",
    "bike": "cycling",
    "on bicycle": "cycling",
    "flight": "flying",
    "plane": "flying",
    "transit": "public transport",
    "rail vehicle": "train",
}
_UNKNOWN: Final = frozenset({"", "unknown", "unknown activity type", "unknown activity", "still", "other"})
_LONGEST: Final = 40


def travel_mode(value: Any) -> str | None:
    """`driving` for IN_PASSENGER_VEHICLE; other names in lower case; None where nothing is said."""
    said = value.strip().replace("_", " ").lower() if isinstance(value, str) else ""
    plain = said.removeprefix("in ").removeprefix("travel mode ")
    return None if plain in _UNKNOWN or len(plain) > _LONGEST else _MODES.get(plain, plain)
