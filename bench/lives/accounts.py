"""Observables and what they tell; the self-describing records of streams, workouts and purchases (Table 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from .diary import Row
from .persona import Persona

KM_IN_MILE: Final = 1.609344


@dataclass(frozen=True)
class Told:
    """A canonical event in an observable: the attributes that it expresses, and whether it says the time."""

    row: Row
    attributes: frozenset[str]
    exact: bool


@dataclass(frozen=True)
class Account:
    """An observable as observables.jsonl shows it, but for its id, and what it tells. `at` orders them.
    `stated`: the values that its text names, for each line of a log, else once for the whole text."""

    at: datetime
    shown: dict[str, Any]
    tells: tuple[Told, ...] = ()
    stated: tuple[tuple[str, ...], ...] = ()


def record(row: Row, persona: Persona) -> Account:
    """The entry of the service that recorded it."""
    shown, attributes = {
        "workout": _workout, "movie_stream": _film, "tvseries_stream": _episode,
        "music_stream": _song, "online_purchase": _purchase,
    }[row["type"]](row, persona)  # fmt: skip
    kept = {key: value for key, value in shown.items() if value is not None}
    told = Told(row, frozenset(key for key in attributes if row.get(key) is not None), exact=True)
    return Account(row["start"], {"source": row["type"], **span(row["start"], row["end"]), **kept}, (told,))


def span(start: datetime, end: datetime) -> dict[str, str]:
    """The four keys of when something was."""
    return {
        "start_date": start.date().isoformat(), "start_time": start.time().isoformat("seconds"),
        "end_date": end.date().isoformat(), "end_time": end.time().isoformat("seconds"),
    }  # fmt: skip


def written(source: str, at: datetime, **keys: str) -> dict[str, Any]:
    """A text with the moment at which it was written."""
    day, time = at.date().isoformat(), at.time().isoformat("seconds")
    stamp = {} if source == "note" else {"timestamp": at.isoformat()}
    return {
        "source": source,
        "start_date": day,
        "start_time": time,
        "end_date": None,
        "end_time": None,
        **stamp,
        **keys,
    }


def day_words(day: date) -> str:
    """3 May 2021."""
    return f"{day.day} {day:%B %Y}"


def _workout(row: Row, persona: Persona) -> tuple[dict[str, Any], tuple[str, ...]]:
    miles = persona.unit == "mi"
    scale, unit = (1 / KM_IN_MILE, "mi") if miles else (1.0, "km")

    def length(key: str) -> float | None:
        return None if row[key] is None else round(row[key] * scale, 2)

    km = row["distance_km"] is not None
    shown = {
        "event": "workout", "workout_type": row["workout_type"], "duration": row["duration_min"],
        "duration_unit": "min",
        "minimum_heart_rate": row["min_hr"], "maximum_heart_rate": row["max_hr"], "average_heart_rate": row["avg_hr"],
        "calories": row["calories"], "distance": length("distance_km"), "distance_unit": unit if km else None,
        "average_speed": length("avg_speed_kmh"), "maximum_speed": length("max_speed_kmh"),
        "speed_unit": f"{'mph' if miles else 'km/h'}" if km else None,
    }  # fmt: skip
    return shown, (
        "workout_type", "duration_min", "distance_km", "min_hr", "max_hr", "avg_hr", "avg_speed_kmh", "max_speed_kmh",
        "calories",
    )  # fmt: skip


def _stream(row: Row, style: str) -> dict[str, Any]:
    return {
        "event": f"{style.replace('_', ' ')} stream", "duration": row["duration_s"], "duration_unit": "seconds",
        "stream_end_time": row["end"].time().isoformat("seconds"), "stream_style": style,
    }  # fmt: skip


def _film(row: Row, _: Persona) -> tuple[dict[str, Any], tuple[str, ...]]:
    title = {"movie_title": row["movie_title"], "stream_full_title": row["movie_title"]}
    screen = {"country": row["country"], "device": row["device"]}
    return {**_stream(row, "movie"), **title, **screen}, ("movie_title", "duration_s", "device", "country")


def _episode(row: Row, _: Persona) -> tuple[dict[str, Any], tuple[str, ...]]:
    shown = {
        **_stream(row, "tv_series"), "tvseries_title": row["tvseries_title"],
        "season_name": f"{row['tvseries_title']}, season {row['season']}", "tvseries_season": row["season"],
        "episode_name": row["episode_name"], "episode_number": row["episode_number"],
        "country": row["country"], "device": row["device"],
    }  # fmt: skip
    return shown, ("tvseries_title", "season", "episode_number", "episode_name", "duration_s", "device", "country")


def _song(row: Row, _: Persona) -> tuple[dict[str, Any], tuple[str, ...]]:
    shown = {
        "event": "music stream", "duration": row["duration_s"], "duration_unit": "seconds",
        "song_name": row["song_name"], "song_artist": row["artists"], "song_album": row["album"],
    }  # fmt: skip
    return shown, ("song_name", "artists", "album", "duration_s")


def _purchase(row: Row, _: Persona) -> tuple[dict[str, Any], tuple[str, ...]]:
    shown = {
        "event": "online purchase", "shop": row["shop"], "order": f"{row['quantity']} x {row['product']}",
        "product": row["product"], "category": row["category"], "product_quantity": row["quantity"],
        "price": f"{row['price']:.2f} {row['currency']}",
    }  # fmt: skip
    return shown, ("shop", "product", "category", "quantity", "unit_price", "price", "currency")
