"""Answers to the plans of tests/engine/plans/demo.jsonl, computed from the raw exports of the demo life.

One function per answer, named as the plan's `answer`; each gives the list of values that the plan must answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from statistics import mean, median
from typing import Any

from demo_life import Song, Workout, orders, runs, songs, workouts

NOW = datetime(2025, 3, 1, 12)
ANSWERS: dict[str, Callable[[], list[Any]]] = {}


def answer(function: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
    """Registers an answer under its name."""
    ANSWERS[function.__name__] = function
    return function


def of_kind(kind: str) -> list[Workout]:
    return [one for one in workouts() if one.kind == kind]


def most(values: Iterable[Any]) -> list[Any]:
    """The most frequent values, all ties."""
    counts = Counter(values)
    return sorted(value for value, count in counts.items() if count == max(counts.values()))


def km(held: Iterable[Workout]) -> list[float]:
    return [one.km for one in held if one.km is not None]


def days_of(held: Iterable[Workout]) -> list[date]:
    return sorted({one.start.date() for one in held})


# ---------------------------------------------------------------- counting, summing, extremes
@answer
def runs_2024() -> list[Any]:
    return [sum(one.start.year == 2024 for one in runs())]


@answer
def runs_last_year() -> list[Any]:
    return [sum(one.start.year == NOW.year - 1 for one in runs())]


@answer
def early_runs_2024() -> list[Any]:
    return [sum(one.start.year == 2024 and one.start.time() < time(8) for one in runs())]


@answer
def cycled_summer() -> list[Any]:
    return [sum(one.km or 0 for one in of_kind("cycling") if one.start.year == 2023 and 6 <= one.start.month <= 8)]


@answer
def mean_run_2024() -> list[Any]:
    return [mean(km(one for one in runs() if one.start.year == 2024))]


@answer
def median_run() -> list[Any]:
    return [median(km(runs()))]


@answer
def range_of_runs() -> list[Any]:
    return [max(km(runs())) - min(km(runs()))]


@answer
def football_heart() -> list[Any]:
    return [max(one.heart_most for one in of_kind("soccer") if one.heart_most is not None)]


@answer
def longest_run_day() -> list[Any]:
    best = max(km(runs()))
    return sorted(one.start.date() for one in runs() if one.km == best)


@answer
def first_and_last_run() -> list[Any]:
    return [(max(days_of(runs())) - min(days_of(runs()))).days]


@answer
def runs_last_six_months() -> list[Any]:
    return [sum(one.start.date() >= date(2024, 9, 1) for one in runs())]


@answer
def runs_last_30_days() -> list[Any]:
    return [sum(one.start.date() >= NOW.date() - timedelta(days=30) for one in runs())]


@answer
def weekend_runs() -> list[Any]:
    return [sum(one.start.weekday() in (5, 6) for one in runs())]


@answer
def share_of_weekend_runs() -> list[Any]:
    return [100 * weekend_runs()[0] / len(runs())]


@answer
def runs_of_an_hour() -> list[Any]:
    return [sum(one.minutes >= 60 for one in runs())]


@answer
def hours_of_yoga() -> list[Any]:
    return [sum(one.minutes for one in of_kind("yoga")) / 60]


@answer
def pace_of_runs() -> list[Any]:
    return [mean(one.minutes / one.km for one in runs() if one.km)]


@answer
def difference_of_years() -> list[Any]:
    by_year = Counter(one.start.year for one in runs())
    return [by_year[2024] - by_year[2023]]


@answer
def kcal_of_rides() -> list[Any]:
    return [sum(one.kcal or 0 for one in of_kind("cycling"))]


@answer
def runs_without_heart() -> list[Any]:
    return [sum(one.heart is None for one in runs())]


@answer
def nothing() -> list[Any]:
    return []


@answer
def zero() -> list[Any]:
    return [0]


# ---------------------------------------------------------------- groups
@answer
def run_weekday() -> list[Any]:
    return [["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][day]
            for day in most(one.start.weekday() for one in runs())]  # fmt: skip


@answer
def run_month() -> list[Any]:
    return most(f"{one.start:%Y-%m}" for one in runs())


@answer
def run_month_name() -> list[Any]:
    return most(f"{one.start:%B}" for one in runs())


@answer
def most_km_in_a_month() -> list[Any]:
    by_month: dict[tuple[int, int], float] = defaultdict(float)
    for one in runs():
        by_month[one.start.year, one.start.month] += one.km or 0
    return [max(by_month.values())]


@answer
def mean_runs_a_month() -> list[Any]:
    return [mean(Counter((one.start.year, one.start.month) for one in runs()).values())]


@answer
def kinds_of_workouts() -> list[Any]:
    return [len({one.kind for one in workouts()})]


@answer
def kinds_over_50() -> list[Any]:
    return [sum(count > 50 for count in Counter(one.kind for one in workouts()).values())]


@answer
def longest_workout_kind() -> list[Any]:
    minutes: dict[str, list[float]] = defaultdict(list)
    for one in workouts():
        minutes[one.kind].append(one.minutes)
    return [max(minutes, key=lambda kind: mean(minutes[kind]))]


@answer
def top_artist_2024() -> list[Any]:
    return most(one.artist for one in songs() if one.start.year == 2024)


def _top(count: int, of: Callable[[Song], str]) -> list[Any]:
    counts = Counter(of(one) for one in songs())
    return [name for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:count]]


@answer
def top_three_artists() -> list[Any]:
    return _top(3, lambda one: one.artist)


@answer
def artists() -> list[Any]:
    return [len({one.artist for one in songs()})]


@answer
def artists_over_100() -> list[Any]:
    return sorted(name for name, count in Counter(one.artist for one in songs()).items() if count > 100)


@answer
def skipped_share() -> list[Any]:
    return [100 * sum(one.skipped for one in songs()) / len(songs())]


@answer
def most_songs_in_a_day() -> list[Any]:
    return most(one.start.date() for one in songs())


@answer
def hours_of_songs_2023() -> list[Any]:
    return [sum(one.seconds for one in songs() if one.start.year == 2023) / 3600]


@answer
def top_song_of_gwenno() -> list[Any]:
    return most(one.name for one in songs() if one.artist == "Gwenno")


@answer
def artists_only_in_2024() -> list[Any]:
    years: dict[str, set[int]] = defaultdict(set)
    for one in songs():
        years[one.artist].add(one.start.year)
    return sorted(name for name, held in years.items() if min(held) == 2024)


# ---------------------------------------------------------------- money, films, posts
@answer
def spent_2023() -> list[Any]:
    return [sum(one.total for one in orders() if one.at.year == 2023)]


@answer
def spent_three_years() -> list[Any]:
    return [sum(one.total for one in orders() if one.at.date() >= date(2022, 3, 1))]


@answer
def dearest() -> list[Any]:
    best = max(one.total for one in orders())
    return [one.product for one in orders() if one.total == best]


@answer
def things_bought() -> list[Any]:
    return [sum(one.quantity for one in orders() if one.at.date() >= date(2024, 9, 1))]


@answer
def german_share() -> list[Any]:
    german = sum(one.total for one in orders() if one.shop == "Amazon.de")
    return [round(100 * german / sum(one.total for one in orders()), 1)]


@answer
def month_of_most_money() -> list[Any]:
    spent: dict[str, float] = defaultdict(float)
    for one in orders():
        spent[f"{one.at:%Y-%m}"] += one.total
    return [max(spent, key=lambda month: spent[month])]


@answer
def above_average_orders() -> list[Any]:
    middle = mean(one.total for one in orders())
    return [sum(one.total > middle for one in orders())]
