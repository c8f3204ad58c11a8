"""What is handed to the process that runs a map, and what it hands back: JSON objects, one a line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from ... import errors
from ...config import Limits
from ...errors import LocatedError, Place, ReqapError
from ...sources.base import BadRecord

CHUNK, BAD, AT, END, ERROR, FAULT = "chunk", "bad", "at", "end", "error", "fault"
"""The kinds of messages: triples, something kept out, where in the map it is, the end with what was counted, an error
of the error tree, any other error."""
OUT_OF_TIME: Final = 97
"""How the process ends where the system cannot stop it: with this exit code."""


@dataclass(frozen=True)
class RecordTask:
    """How records are read for a map over ev:Records: the files, and what a ReadContext says."""

    paths: tuple[str, ...]
    now: str
    horizon_days: int
    session_gap_minutes: float


@dataclass(frozen=True)
class MappingTask:
    """One run of a map. `instead` has pairs: a path as the map writes it, the file to read. `own_kinds` is the name of
    the source for whose kinds of events ev:Event stands (`own_kinds.py`); without, it stands for itself."""

    turtle: str
    path: str | None
    base_iri: str
    home_zone: str
    source: str
    graph: str | None
    folder: str
    working_folder: str
    instead: tuple[tuple[str, str], ...]
    strict: bool
    limits: Limits
    records: RecordTask | None = None
    own_kinds: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "limits": self.limits.model_dump()}

    @staticmethod
    def of_json(said: dict[str, Any]) -> MappingTask:
        records = said.pop("records")
        instead = tuple((path, file) for path, file in said.pop("instead"))
        limits = Limits.model_validate(said.pop("limits"))
        if records is not None:
            records = RecordTask(**{**records, "paths": tuple(records["paths"])})
        return MappingTask(**said, limits=limits, instead=instead, records=records)


def bad_as_json(bad: BadRecord) -> list[Any]:
    return [bad.path, bad.where, bad.reason, bad.count, bad.key]


def place_as_json(place: Place | None) -> list[Any] | None:
    return [place.line, place.column, place.path] if place else None


def place_of_json(said: list[Any] | None) -> Place | None:
    return Place(*said) if said else None


def error_as_json(bad: ReqapError) -> dict[str, Any]:
    """An error of the error tree by its class's name and what it says."""
    name = next(kind.__name__ for kind in type(bad).__mro__ if getattr(errors, kind.__name__, None) is kind)
    if isinstance(bad, LocatedError):
        place = place_as_json(bad.place)
        return {"name": name, "text": bad.message, "place": place, "expected": bad.expected, "nearest": bad.nearest}
    return {"name": name, "text": str(bad)}


def error_of_json(said: dict[str, Any]) -> ReqapError:
    kind = getattr(errors, said["name"])
    if issubclass(kind, LocatedError):
        place = place_of_json(said["place"])
        return kind(said["text"], place=place, expected=said["expected"], nearest=said["nearest"])
    return kind(said["text"])
