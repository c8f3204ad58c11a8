"""A generated life of 45,000 events as a key-value list: what the benchmarks of operators run over.

Music comes in sessions of songs back to back, some of them during workouts; the rest is spread over the same years.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from .events import calendar, episode, mail, movie, post, purchase, span, title, workout

NOW: Final = datetime(2024, 6, 1, 12)
"""The moment of asking, in every benchmark over a life."""
_FIRST_DAY: Final = datetime(2019, 1, 1)
_SLOT_HOURS: Final = (6.5, 9.0, 11.5, 14.0, 16.5, 19.0, 21.5)
"""When a session or a workout may begin; two and a half hours apart, so that no two meet."""
_OTHER_SPORTS: Final = ("cycling", "yoga", "swimming", "football", "hiking")

Event = dict[str, Any]


@dataclass(frozen=True)
class Life:
    """How many events of each kind, over how many days. Films and episodes are streams too, as music streams are."""

    songs: int = 38_000
    workouts: int = 800
    runs: int = 300
    films: int = 600
    episodes: int = 1_400
    purchases: int = 900
    appointments: int = 1_500
    mails: int = 1_200
    posts: int = 600
    days: int = 1_826

    def scaled(self, factor: float) -> Life:
        """The same life with `factor` times the events of each kind; a longer one where it would be more crowded."""
        counts = {name: round(count * factor) for name, count in vars(self).items() if name != "days"}
        return Life(**counts, days=round(self.days * max(1.0, factor)))


@dataclass(frozen=True)
class _Song:
    title: str
    artists: tuple[str, ...]
    album: str
    seconds: int


def life(wanted: Life, seed: int) -> Iterator[Event]:
    """The events of a life in order of time; the same for the same arguments."""
    rng = random.Random(seed)
    slots = rng.sample(range(wanted.days * len(_SLOT_HOURS)), k=wanted.days * len(_SLOT_HOURS))
    workouts = [_workout(rng, _slot(rng, slots.pop()), running=n < wanted.runs) for n in range(wanted.workouts)]
    events = [*workouts, *_music(rng, wanted.songs, workouts, slots), *_rest(rng, wanted)]
    events.sort(key=lambda event: (event["start_date"], event["start_time"]))
    for number, event in enumerate(events):
        yield {"id": number, **event}


def write_life(path: Path, wanted: Life, seed: int) -> None:
    """Writes a life as JSON Lines."""
    with path.open("w", encoding="utf-8") as out:
        for event in life(wanted, seed):
            out.write(json.dumps(event) + "\n")


def import_life(folder: Path, wanted: Life, seed: int) -> Path:
    """Imports a life as any export is imported; returns the store's folder."""
    export, store = folder / "life.jsonl", folder / "store"
    write_life(export, wanted, seed)
    ingest([export], store, IngestOptions(Settings(), NOW))
    return store


def _slot(rng: random.Random, number: int) -> datetime:
    day, place = divmod(number, len(_SLOT_HOURS))
    return _FIRST_DAY + timedelta(days=day, hours=_SLOT_HOURS[place], seconds=rng.randint(0, 1500))


def _workout(rng: random.Random, at: datetime, *, running: bool) -> Event:
    return {**workout(rng, at, ()), "workout_type": "running" if running else rng.choice(_OTHER_SPORTS)}


def _music(rng: random.Random, count: int, workouts: list[Event], slots: list[int]) -> list[Event]:
    """Exactly `count` songs: during half of the workouts as long as they last, and in sessions of their own."""
    songs = _songs(rng)
    popularity = list(accumulate(1 / (rank + 20) for rank in range(len(songs))))
    played = list[Event]()
    for event in rng.sample(workouts, k=len(workouts) // 2):
        begin = datetime.fromisoformat(f"{event['start_date']}T{event['start_time']}")
        at, end = begin + timedelta(seconds=rng.randint(-300, 300)), begin + timedelta(minutes=event["duration"])
        while at < end:
            played.append(_play(rng.choices(songs, cum_weights=popularity)[0], at))
            at += timedelta(seconds=played[-1]["duration"])
    while len(played) < count:
        at = _slot(rng, slots.pop())
        for song in rng.choices(songs, cum_weights=popularity, k=rng.randint(3, 18)):
            played.append(_play(song, at))
            at += timedelta(seconds=song.seconds)
    return played[:count]


def _songs(rng: random.Random) -> list[_Song]:
    artists = [title(rng, 2) for _ in range(300)]
    return [
        _Song(
            title(rng, 3),
            tuple(rng.sample(artists, k=2 if rng.random() < 0.1 else 1)),
            title(rng, 2),
            rng.randint(120, 420),
        )
        for _ in range(4000)
    ]


def _play(song: _Song, at: datetime) -> Event:
    return {
        **span("music_stream", at, song.seconds),
        "event": "music stream",
        "duration": song.seconds,
        "duration_unit": "seconds",
        "song_name": song.title,
        "song_artist": list(song.artists),
        "song_album": song.album,
    }


def _rest(rng: random.Random, wanted: Life) -> Iterator[Event]:
    kinds = (
        (movie, wanted.films),
        (episode, wanted.episodes),
        (purchase, wanted.purchases),
        (calendar, wanted.appointments),
        (mail, wanted.mails),
        (post, wanted.posts),
    )
    for make, count in kinds:
        for _ in range(count):
            hours = rng.triangular(7, 23, 20)
            at = _FIRST_DAY + timedelta(days=rng.randrange(wanted.days), seconds=round(hours * 3600))
            yield make(rng, at, ())
