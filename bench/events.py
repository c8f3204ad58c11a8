"""A key-value event list as in the ReQAP paper's Table 13, of any length: what the import benchmark reads."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

_WORDS = [
    "harbour",
    "lantern",
    "copper",
    "willow",
    "meadow",
    "ribbon",
    "velvet",
    "ember",
    "canyon",
    "marble",
    "thistle",
    "saffron",
    "orchard",
    "glacier",
    "pepper",
    "violet",
    "anchor",
    "cinder",
    "juniper",
    "walnut",
    "feather",
    "granite",
    "lagoon",
    "nectar",
    "pebble",
    "quartz",
    "raven",
    "sable",
    "timber",
    "umber",
]
_SPORTS = ("running", "cycling", "yoga", "swimming", "football", "hiking")
_CATEGORIES = ("Books", "Groceries", "Electronics", "Garden", "Clothing", "Toys")


def events(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """`count` events in time order, three in four of them music streams, as in the paper's Table 2."""
    rng = random.Random(seed)
    artists = [title(rng, 2) for _ in range(300)]
    songs = [(title(rng, 3), rng.choice(artists), title(rng, 2)) for _ in range(4000)]
    kinds = (music, episode, movie, workout, purchase, calendar, mail, post)
    weights = (75, 5, 3, 4, 3, 5, 3, 2)
    at = datetime(2018, 1, 1, 7)
    for number in range(count):
        at += timedelta(seconds=rng.randint(120, 9000))
        kind = rng.choices(kinds, weights)[0]
        yield {"id": number, **kind(rng, at, songs)}


def write_events(path: Path, count: int, seed: int) -> None:
    """Writes `count` events as JSON Lines."""
    write_lines(path, events(count, seed))


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Writes rows as JSON Lines."""
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")


def title(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(_WORDS) for _ in range(words)).title()


def span(source: str, at: datetime, seconds: int) -> dict[str, Any]:
    end = at + timedelta(seconds=seconds)
    return {
        "source": source,
        "start_date": at.date().isoformat(),
        "start_time": at.time().isoformat("seconds"),
        "end_date": end.date().isoformat(),
        "end_time": end.time().isoformat("seconds"),
    }


def music(rng: random.Random, at: datetime, songs: list[tuple[str, str, str]]) -> dict[str, Any]:
    song, artist, album = rng.choice(songs)
    seconds = rng.randint(60, 400)
    return {
        **span("music_stream", at, seconds),
        "event": "music stream",
        "duration": seconds,
        "duration_unit": "seconds",
        "song_name": song,
        "song_artist": [artist],
        "song_album": album,
    }


def episode(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    seconds, season, series = rng.randint(1200, 3600), rng.randint(1, 6), f"The {rng.choice(_WORDS).title()}"
    return {
        **span("tvseries_stream", at, seconds),
        "event": "tv series stream",
        "duration": seconds,
        "duration_unit": "seconds",
        "tvseries_title": series,
        "tvseries_season": season,
        "season_name": f"{series}, season {season}",
        "episode_name": title(rng, 2),
        "episode_number": rng.randint(1, 12),
        "device": "TV",
    }


def movie(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    seconds = rng.randint(4800, 9600)
    return {
        **span("movie_stream", at, seconds),
        "event": "movie stream",
        "duration": seconds,
        "duration_unit": "seconds",
        "movie_title": title(rng, 3),
        "country": "Norway",
        "device": "TV",
    }


def workout(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    minutes = rng.randint(20, 120)
    return {
        **span("workout", at, minutes * 60),
        "event": "workout",
        "workout_type": rng.choice(_SPORTS),
        "duration": minutes,
        "duration_unit": "min",
        "minimum_heart_rate": rng.randint(70, 100),
        "maximum_heart_rate": rng.randint(150, 195),
        "average_heart_rate": rng.randint(110, 150),
        "distance": round(rng.uniform(2, 25), 2),
        "distance_unit": "km",
        "calories": rng.randint(150, 900),
    }


def purchase(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    product = title(rng, 3)
    return {
        **span("online_purchase", at, 0),
        "event": "online purchase",
        "order": f"1 x {product}",
        "product": product,
        "category": rng.choice(_CATEGORIES),
        "product_quantity": rng.randint(1, 4),
        "price": f"{rng.uniform(3, 200):.2f} EUR",
    }


def calendar(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    return {
        **span("calendar", at, 3600),
        "summary": title(rng, 3),
        "location": title(rng, 2),
        "description": " ".join(rng.choice(_WORDS) for _ in range(12)),
    }


def mail(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    return {
        **span("mail", at, 0),
        "sender": title(rng, 2),
        "recipient": title(rng, 2),
        "subject": title(rng, 5),
        "text": " ".join(rng.choice(_WORDS) for _ in range(80)),
    }


def post(rng: random.Random, at: datetime, _: object) -> dict[str, Any]:
    return {**span("social_media", at, 0), "text": " ".join(rng.choice(_WORDS) for _ in range(30))}
