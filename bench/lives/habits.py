"""Canonical events of habits: workouts, films, series, purchases and music, in the patterns that people have."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Any, Final

from .catalogue import some, stock
from .diary import Diary, Row, World

_HOURS: Final = ((7.2, 0.9, 0.25), (12.5, 1.5, 0.1), (17.2, 1.6, 0.25), (20.0, 1.8, 0.4))
"""When music sessions begin: hour, spread, share."""
_YOUNG: Final = timedelta(days=1500)


def workouts(world: World) -> Iterator[Row]:
    """Each sport on weekdays of its own; fitness and favourites drift over the years; some with others, some races."""
    rng, life, who = world.rng, stock("life"), world.persona
    sports = list(who.likes["workouts"])
    habit = {sport: (rng.sample(range(7), k=3), rng.choice((6.5, 12.0, 17.5, 19.0))) for sport in sports}
    weights = [1 / (n + 1) for n in range(len(sports))]
    for _ in range(world.repeats(52 * who.weekly["workouts_per_week"] * world.factor)):
        sport = rng.choices(sports, weights=weights)[0]
        days, hour = habit[sport]
        day = world.day()
        if day.weekday() not in days and rng.random() < 0.7:
            continue
        start = world.at(day, hour, hour + 1.5)
        row = _effort(world, sport, life["sport"][sport], start)
        if day in world.away or not world.past(row["end"]) or not world.diary.book(row["start"], row["end"]):
            continue
        yield row


def _effort(world: World, sport: str, means: dict[str, Any], start: datetime) -> Row:
    rng = world.rng
    fit = 1 + 0.15 * (start.date() - world.persona.begin).days / world.days
    minutes = max(10, round(means["minutes"] * rng.gauss(1, 0.2)))
    km = round(means["km"] * fit * minutes / means["minutes"] * rng.uniform(0.9, 1.1), 2) or None
    low, high = (rate + rng.randint(-10, 10) for rate in means["rate"])
    race = None
    if sport in stock("life")["races"] and rng.random() < 0.03:
        race = rng.choice(stock("life")["races"][sport]).format(world.persona.city)
    known = [p.name for p in world.persona.known(start.date())]
    speed = km * 60 / minutes if km else None
    return {
        "type": "workout", "start": start, "end": start + timedelta(minutes=minutes), "workout_type": sport,
        "duration_min": minutes, "distance_km": km, "min_hr": low, "max_hr": high,
        "avg_hr": round(low + (high - low) * rng.uniform(0.5, 0.75), 1),
        "avg_speed_kmh": round(speed, 2) if speed else None,
        "max_speed_kmh": round(speed * rng.uniform(1.2, 1.8), 2) if speed else None,
        "calories": round(minutes * rng.uniform(5, 11)),
        "participants": list(some(rng, known, 1, 2)) if rng.random() < 0.15 else None, "event_name": race,
    }  # fmt: skip


def films(world: World) -> Iterator[Row]:
    """Evenings and Sunday afternoons; favourites come again; more of them in winter."""
    rng, who, media = world.rng, world.persona, stock("media")
    liked = who.likes["movie_genres"]
    weights = {t: (4.0 if genre in liked else 1.0) for t, (_, genre) in media["films"].items()}
    weights |= dict.fromkeys(who.likes["favourite_movies"], 9.0)
    titles, shares = list(weights), list(accumulate(weights.values()))
    for _ in range(world.repeats(52 * who.weekly["movies_per_week"] * world.factor)):
        day = world.day(weekend=2.2)
        if 4 <= day.month <= 9 and rng.random() < 0.3:
            continue
        title = rng.choices(titles, cum_weights=shares)[0]
        start = world.at(day, 15, 17) if day.weekday() > 4 and rng.random() < 0.3 else world.at(day, 19.5, 21.5)
        seconds = media["films"][title][0] * 60
        seconds = round(seconds * rng.uniform(0.3, 0.95)) if rng.random() < 0.06 else seconds
        end = start + timedelta(seconds=seconds)
        if world.past(end) and world.diary.book(start, end):
            yield {
                "type": "movie_stream",
                "start": start,
                "end": end,
                "movie_title": title,
                "duration_s": seconds,
            } | _screen(world, day)


def _screen(world: World, day: date) -> Row:
    away = world.away.get(day)
    devices = stock("media")["watch"]["devices"]
    device = world.rng.choices(devices, weights=(6, 2, 2, 1, 1))[0] if not away else world.rng.choice(devices[1:4])
    return {"device": device, "country": away["country"] if away else world.persona.country}


def episodes(world: World) -> Iterator[Row]:
    """One series after the other, in order, several episodes an evening, some series again from the start."""
    rng, who, media = world.rng, world.persona, stock("media")
    liked = [t for t, row in media["series"].items() if row[3] in who.likes["tv_genres"]]
    rota = [*who.likes["favourite_series"], *liked, *some(rng, list(media["series"]), 4, 8)]
    wanted = world.repeats(52 * who.weekly["tv_episodes_per_week"] * world.factor)
    evenings = sorted({world.day(weekend=1.2) for _ in range(round(wanted / 2.2) + 1)})
    running = _in_order(rng, rota)
    for day in evenings:
        at = world.at(day, 19.5, 21.5)
        for _ in range(rng.choice((1, 1, 2, 2, 3, 5))):
            title, season, number = next(running)
            seconds = round(media["series"][title][2] * 60 * rng.uniform(0.93, 1.04))
            end = at + timedelta(seconds=seconds)
            if not world.past(end) or not world.diary.book(at, end):
                break
            yield {
                "type": "tvseries_stream", "start": at, "end": end, "tvseries_title": title, "season": season,
                "episode_number": number, "episode_name": f"Episode {number}", "duration_s": seconds,
            } | _screen(world, day)  # fmt: skip
            at = end + timedelta(seconds=rng.choice((5, 15, 60, 300)))


def _in_order(rng: random.Random, rota: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Episodes without end: a series is watched for a season or more, then another takes its turn."""
    at: dict[str, int] = {}
    while True:
        title = rng.choices(rota, weights=[1 / (n + 2) for n in range(len(rota))])[0]
        seasons, per = stock("media")["series"][title][:2]
        for _ in range(per):
            number = at.get(title, 0) % (seasons * per)
            at[title] = number + 1
            yield title, number // per + 1, number % per + 1


def purchases(world: World) -> Iterator[Row]:
    """Online orders, more before Christmas, prices that rise; things are bought again; some are gifts."""
    rng, who, media = world.rng, world.persona, stock("media")
    for _ in range(world.repeats(32 * world.factor)):
        day = world.day()
        if rng.random() < (0 if day.month in (11, 12) else 0.25):
            continue
        category = _category(world, day)
        goods = media["category"][category]
        product = rng.choices(list(goods["products"]), weights=[1 / (n + 2) for n in range(len(goods["products"]))])[0]
        scale = {"SEK": 11.0, "PLN": 4.3, "INR": 85.0, "CAD": 1.5, "AUD": 1.6}.get(who.currency, 1.0)
        rise = 1 + 0.03 * (day.year - who.begin.year)
        price = round(goods["products"][product] * scale * rise * rng.choice((1, 1, 1, 0.9, 1.05)), 2)
        count = rng.choice((1, 1, 1, 1, 2, 2, 3)) if price < 40 * scale else 1
        at = world.at(day, 7, 22.5) + timedelta(seconds=rng.randrange(300))
        known = [p.name for p in who.known(day)]
        gift = rng.choice(known) if known and rng.random() < 0.08 else None
        if world.past(at):
            yield {
                "type": "online_purchase", "start": at, "end": at,
                "shop": rng.choices(goods["shops"], weights=range(len(goods["shops"]), 0, -1))[0],
                "product": product, "category": category, "quantity": count, "unit_price": price,
                "price": round(price * count, 2), "currency": who.currency, "gift_for": gift,
            }  # fmt: skip


def _category(world: World, day: date) -> str:
    who = world.persona
    young = any(kid.birth and kid.birth - timedelta(days=60) < day < kid.birth + _YOUNG for kid in who.kids)
    pets = any(pet.start <= day for pet in who.pets)
    return world.rng.choice(
        [*who.likes["shopping_categories"], *["Baby"] * (2 * young), *["Pet Supplies"] * (2 * pets)]
    )


@dataclass(frozen=True)
class _Song:
    title: str
    artist: str
    album: str
    seconds: int
    weight: float


def music(world: World, wanted: int, efforts: Sequence[Row]) -> list[Row]:
    """Exactly `wanted` streams: during half of the workouts as long as they last, and in sessions of their own."""
    rng, own = world.rng, Diary()
    songs = _songs(world)
    tastes = {year: _taste(rng, songs) for year in world.yearly()}
    played: list[Row] = []
    for effort in rng.sample(list(efforts), k=len(efforts) // 2):
        if len(played) < wanted * 0.4 and own.book(effort["start"], effort["end"]):
            played += _session(rng, songs, tastes, effort["start"], effort["end"])
    while len(played) < wanted:
        hour, spread, _ = rng.choices(_HOURS, weights=[share for *_, share in _HOURS])[0]
        day = world.day(weekend=1.3)
        start = world.at(day, hour, hour + spread) + timedelta(seconds=rng.randrange(300))
        end = start + timedelta(minutes=rng.choice((9, 20, 32, 45, 60, 80)))
        if world.past(end) and (own.book(start, end) or rng.random() < 0.02):
            played += _session(rng, songs, tastes, start, end)
    return played[:wanted]


def _taste(rng: random.Random, songs: Sequence[_Song]) -> list[float]:
    """How a year's listening is spread: every artist has better and worse years."""
    years = {song.artist: rng.paretovariate(1.1) for song in songs}
    return list(accumulate(song.weight * min(8.0, years[song.artist]) for song in songs))


def _session(
    rng: random.Random, songs: Sequence[_Song], tastes: dict[int, list[float]], at: datetime, end: datetime
) -> Iterator[Row]:
    shares = tastes[at.year]
    one = rng.choices(songs, cum_weights=shares)[0].artist if rng.random() < 0.2 else None
    among = [song for song in songs if song.artist == one] if one else None
    while at < end:
        song = rng.choice(among) if among else rng.choices(songs, cum_weights=shares)[0]
        seconds = song.seconds if rng.random() < 0.9 else rng.randint(20, song.seconds)
        yield {
            "type": "music_stream", "start": at, "end": at + timedelta(seconds=seconds), "song_name": song.title,
            "artists": [song.artist], "album": song.album, "duration_s": seconds,
        }  # fmt: skip
        at += timedelta(seconds=seconds + rng.choice((0, 0, 1, 2)))


def _songs(world: World) -> list[_Song]:
    """The catalogue, liked genres and favourites first, and a long tail of artists nobody else knows."""
    rng, likes = world.rng, world.persona.likes
    found = []
    for artist, row in stock("media")["music"].items():
        weight = 6.0 if row["genre"] in likes["music_genres"] else 0.8
        weight *= 4.0 if artist in likes["favourite_artists"] else 1.0
        for album, titles in row.items():
            if album != "genre":
                found += [_song(rng, title, artist, album, weight) for title in titles.split("; ")]
    return [*found, *_tail(rng)]


def _song(rng: random.Random, title: str, artist: str, album: str, weight: float) -> _Song:
    seconds = random.Random(artist + title).randint(130, 420)
    return _Song(title, artist, album, seconds, weight * rng.uniform(0.3, 2))


def _tail(rng: random.Random) -> Iterator[_Song]:
    words = stock("media")["tail"]
    for _ in range(40):
        artist = f"{rng.choice(words['first'])} {rng.choice(words['second'])}"
        album = f"{rng.choice(words['things'])}s"
        titles = {
            rng.choice(words["songs"]).format(
                first=rng.choice(words["first"]), second=rng.choice(words["second"]), thing=rng.choice(words["things"]),
                verb=rng.choice(words["verbs"]), month=rng.choice(words["months"]),
            )
            for _ in range(6)
        }  # fmt: skip
        yield from (_song(rng, title, artist, album, 0.4) for title in sorted(titles))
