"""Trakt: the history of films and episodes and the ratings, as JSON lists.

A rating of something that the history has is put to each viewing of it; another one is an event of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_object
from ..json.jsonstream import json_elements
from ..peek import json_shape
from .record import clean, label_of, moment_of, put, stars, whole

__all__ = ["FORMAT"]

_THINGS: Final = ("episode", "movie", "season", "show")
_DATED: Final = ("watched_at", "rated_at", "listed_at", "collected_at", "last_watched_at")
_NOT_VIEWED: Final = {
    "listed_at": "on a list: not watched by that",
    "collected_at": "in a collection: not watched by that",
    "last_watched_at": "only how often and when last: each viewing is in the history",
}


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    if shape is None or shape.kind != "array":
        return 0.0
    return 1.0 if any(_dated(row) and _thing(row) for row in shape.elements) else 0.0


def _dated(row: dict[str, Any] | Any) -> str | None:
    """Under which key an element has its date."""
    return next((key for key in _DATED if key in row), None)


def _thing(row: Any) -> str | None:
    """What an element is about: the episode of a show, a film, a season, a show."""
    return next((name for name in _THINGS if isinstance(row.get(name), dict)), None)


def _key(row: Any, thing: str) -> str:
    """What identifies the thing of an element in any file of the export."""
    ids = as_object(row[thing].get("ids"))
    own = next((f"{name} {ids[name]}" for name in ("trakt", "imdb", "tmdb", "slug") if ids.get(name)), None)
    return f"{thing}\n{own or row[thing].get('title')}"


def _survey(file: InputFile, context: ReadContext) -> None:
    """Notes what the history has, and the ratings, so that each is read with its viewing."""
    for element in json_elements(file, context.limits):
        row = None if isinstance(element, BadRecord) else as_object(element.value)
        if row and (thing := _thing(row)) is not None:
            if "watched_at" in row:
                context.parts[f"watched\n{_key(row, thing)}"] = True
            elif "rated_at" in row:
                context.parts[f"rated\n{_key(row, thing)}"] = stars(row.get("rating"), of=10)


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Viewings and ratings; `_start` is in UTC."""
    identities = Identities()
    tally = Tally(file.path)
    for element in json_elements(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
            continue
        record = _record(element.value, context.parts)
        if isinstance(record, str):
            tally.add(element.where, record)
            continue
        record["_id"] = identities.number(str(record["_id"]))
        yield record
    yield from tally.report()


def _record(row: Any, parts: dict[str, Any]) -> Record | str:
    """The record of an element, or why there is none."""
    if not isinstance(row, dict):
        return "not an object"
    thing, dated = _thing(row), _dated(row)
    if thing is None or dated is None:
        return "no film and no episode" if thing is None else "no date"
    if dated in _NOT_VIEWED:
        return _NOT_VIEWED[dated]
    start = moment_of(row[dated], utc=True)
    if start is None:
        return f"{dated} is no date-time: {row[dated]!r:.60}"
    if dated == "rated_at":
        return _rating(row, thing, start, parts)
    if thing not in ("movie", "episode"):
        return f"a {thing}, not a film or an episode"
    told = _work(row, thing)
    if (told.get("movieTitle") or told.get("seriesTitle")) is None:
        return "no title"
    own = whole(row.get("id"))
    record: Record = {"_class": "MovieStream" if thing == "movie" else "EpisodeStream", "_start": start}
    record["_id"] = f"history-{own}" if own is not None else Identities().of(start, _key(row, thing))
    put(record, {**told, "rating": parts.get(f"rated\n{_key(row, thing)}"), "label": _label(row, thing)})
    action = clean(row.get("action"))
    return record if action is None else record | {"action": action}


def _rating(row: Any, thing: str, start: str, parts: dict[str, Any]) -> Record | str:
    if f"watched\n{_key(row, thing)}" in parts:
        return "its rating is with its viewing"
    rating = stars(row.get("rating"), of=10)
    label = _label(row, thing)
    if rating is None or label is None:
        return "no title" if label is None else f"rating is none from 1 to 10: {row.get('rating')!r:.60}"
    record: Record = {"_class": "Rating", "_start": start, "_id": Identities().of("rating", _key(row, thing))}
    put(record, {"rating": rating, "title": label, "label": label})
    return record | {"rated": thing}


def _work(row: Any, thing: str) -> dict[str, Any]:
    """The properties of a film or an episode."""
    own, show = row[thing], as_object(row.get("show"))
    if thing == "movie":
        return {"movieTitle": clean(own.get("title")), "releaseYear": whole(own.get("year"))}
    season = whole(own.get("season"), least=0)
    return {
        "seriesTitle": clean(show.get("title")),
        "seasonNumber": season,
        "seasonName": None if season is None else f"Season {season}",
        "episodeName": clean(own.get("title")),
        "episodeNumber": whole(own.get("number"), least=0),
    }


def _label(row: Any, thing: str) -> str | None:
    own, show = row[thing], clean(as_object(row.get("show")).get("title"))
    title = clean(own.get("title"))
    if thing == "season":
        number = whole(own.get("number"), least=0)
        return label_of((show, title or (None if number is None else f"Season {number}")))
    return label_of((show, title)) if thing == "episode" else title


FORMAT = Format(
    name="trakt",
    label="Trakt history and ratings",
    map_file="media.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "trakt",
    survey=_survey,
)
