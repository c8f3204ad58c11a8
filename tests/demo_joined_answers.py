"""More answers to the plans over the demo life: films and posts, sequences, and what is joined (see demo_answers)."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import timedelta
from itertools import pairwise
from statistics import mean
from typing import Any

from demo_answers import answer, days_of, most, of_kind
from demo_life import episodes, films, orders, posts, runs, songs, workouts


@answer
def films_october() -> list[Any]:
    return [one.title for one in films() if (one.start.year, one.start.month) == (2023, 10)]


@answer
def films_twice() -> list[Any]:
    return sorted(title for title, count in Counter(one.title for one in films()).items() if count > 1)


@answer
def last_paddington() -> list[Any]:
    return [max(one.start.date() for one in films() if one.title == "Paddington 2")]


@answer
def series_most() -> list[Any]:
    return most(one.title for one in episodes())


@answer
def dark() -> list[Any]:
    return [sum(one.title == "Dark" for one in episodes())]


@answer
def tag_most() -> list[Any]:
    return most(tag for _, tags in posts() for tag in set(tags))


@answer
def posts_about_birds() -> list[Any]:
    return [sum("birds" in tags for _, tags in posts())]


@answer
def posts_without_tags() -> list[Any]:
    return [sum(not tags for _, tags in posts())]


# ---------------------------------------------------------------- sequences
@answer
def longest_gap() -> list[Any]:
    held = days_of(runs())
    return [max((later - earlier).days for earlier, later in pairwise(held))]


@answer
def consecutive_days() -> list[Any]:
    held = days_of(workouts())
    return [sum((later - earlier).days == 1 for earlier, later in pairwise(held))]


@answer
def last_five_runs() -> list[Any]:
    return [mean([one.km for one in runs() if one.km is not None][-5:])]


# ---------------------------------------------------------------- joins
@answer
def songs_while_running() -> list[Any]:
    return [sum(run.start <= one.start and one.end <= run.end for one in songs() for run in runs())]


@answer
def artist_while_running() -> list[Any]:
    return most(one.artist for one in songs() for run in runs() if run.start <= one.start and one.end <= run.end)


@answer
def songs_touching_runs() -> list[Any]:
    return [sum(run.start <= one.end and one.start <= run.end for one in songs() for run in runs())]


@answer
def run_and_yoga_days() -> list[Any]:
    return [len(set(days_of(runs())) & set(days_of(of_kind("yoga"))))]


@answer
def films_after_football() -> list[Any]:
    return [
        len({one.start for one in films() for game in of_kind("soccer")
             if game.end < one.start and one.start.date() == game.start.date()})
    ]  # fmt: skip


@answer
def runs_before_orders() -> list[Any]:
    return [sum(run.start.date() + timedelta(days=1) == one.at.date() for run in runs() for one in orders())]


@answer
def nearest_yoga() -> list[Any]:
    """How many days on average from a swim to the nearest yoga."""
    yoga = [one.start for one in of_kind("yoga")]
    pairs = [
        abs((one.start.date() - other.date()).days)
        for one in of_kind("swimming")
        for least in [min(abs(one.start - at) for at in yoga)]
        for other in yoga
        if abs(one.start - other) == least
    ]
    return [mean(pairs)]


@answer
def runs_after_first_film() -> list[Any]:
    first = min(one.start.date() for one in films())
    return [sum(one.start.date() > first for one in runs())]


@answer
def runs_on_post_days() -> list[Any]:
    told = {at.date() for at, _ in posts()}
    return [sum(one.start.date() in told for one in runs())]


@answer
def above_own_average() -> list[Any]:
    years: dict[int, list[float]] = defaultdict(list)
    for one in orders():
        years[one.at.year].append(one.total)
    return list(dict.fromkeys(sum(total > mean(held) for total in held) for _, held in sorted(years.items())))


@answer
def most_workout_days_in_a_week() -> list[Any]:
    held = days_of(workouts())
    return [max(sum(0 <= (day - first).days <= 6 for day in held) for first in held)]


@answer
def day_of_100_km() -> list[Any]:
    total = 0.0
    for one in runs():
        total += one.km or 0
        if total >= 100:
            return [one.start.date()]
    return []


@answer
def tuesday_runs() -> list[Any]:
    return [sum((one.km or 0) > 5 and one.start.year == 2024 and one.start.weekday() == 1 for one in runs())]


@answer
def first_film_2024() -> list[Any]:
    return [min((one for one in films() if one.start.year == 2024), key=lambda one: one.start).title]


@answer
def earliest_run() -> list[Any]:
    first = min(one.start.time() for one in runs())
    return [one.start.date() for one in runs() if one.start.time() == first]
