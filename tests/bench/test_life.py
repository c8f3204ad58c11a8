"""The generated life has what the benchmarks count on."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import pairwise

from reqap_kg.bench.life import Event, Life, life

SMALL = Life().scaled(0.05)


def _span(event: Event) -> tuple[datetime, datetime]:
    start = datetime.fromisoformat(f"{event['start_date']}T{event['start_time']}")
    return start, datetime.fromisoformat(f"{event['end_date']}T{event['end_time']}")


def test_the_whole_life_has_the_numbers_that_the_figures_name() -> None:
    whole = Life()
    assert sum(vars(whole).values()) - whole.days - whole.runs == 45_000
    assert whole.songs + whole.films + whole.episodes == 40_000


def test_a_life_has_as_many_events_of_each_kind_as_wanted() -> None:
    events = list(life(SMALL, seed=1))
    kinds = Counter(event["source"] for event in events)
    assert kinds["music_stream"] == SMALL.songs == 1_900
    assert kinds["workout"] == SMALL.workouts == 40
    assert sum(event.get("workout_type") == "running" for event in events) == SMALL.runs == 15
    assert len({event["id"] for event in events}) == len(events)


def test_the_same_seed_gives_the_same_life() -> None:
    assert list(life(SMALL, seed=1)) == list(life(SMALL, seed=1))
    assert list(life(SMALL, seed=1)) != list(life(SMALL, seed=2))


def test_songs_follow_each_other_and_some_are_heard_while_running() -> None:
    events = list(life(SMALL, seed=1))
    songs = [_span(event) for event in events if event["source"] == "music_stream"]
    runs = [_span(event) for event in events if event.get("workout_type") == "running"]
    assert sum(before[1] == after[0] for before, after in pairwise(songs)) > len(songs) / 2
    within = sum(run[0] <= song[0] and song[1] <= run[1] for song in songs for run in runs)
    assert 0 < within < len(songs) / 4


def test_a_longer_life_is_no_denser() -> None:
    assert Life().scaled(10).days == 10 * Life().days
    assert Life().scaled(0.1).days == Life().days
