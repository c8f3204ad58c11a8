"""The personas' exports tell the same as their observables: starts, titles, prices, distances."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.sources.registry import format_named

pytestmark = pytest.mark.shared_data
ZONES = {"p1": "Europe/Dublin", "p2": "America/Chicago"}


@pytest.fixture(params=sorted(ZONES))
def persona(request: pytest.FixtureRequest, shared_data: Path) -> Path:
    return shared_data / "personas" / request.param


def observed(persona: Path, *sources: str) -> Iterator[dict[str, Any]]:
    with (persona / "observables.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            if record["source"] in sources:
                yield record


def start(record: dict[str, Any]) -> str:
    return f"{record['start_date']}T{record['start_time']}"


def events(mapped: Any, persona: Path, name: str, pattern: str) -> list[dict[str, list[str]]]:
    files = sorted((persona / "exports").glob(pattern))
    assert files, pattern
    form = format_named(name)
    return [event for file in files for event in mapped(form, file, zone=ZONES[persona.name]).events.values()]


def test_spotify(mapped: Any, persona: Path) -> None:
    found = events(mapped, persona, "spotify-extended", "Spotify*/*.json")
    told = Counter((start(r), r["song_name"], r["song_artist"][0]) for r in observed(persona, "music_stream"))
    assert Counter((e["ev:start"][0], e["ev:songName"][0], e["ev:artist"][0]) for e in found) == told


def test_netflix(mapped: Any, persona: Path) -> None:
    found = events(mapped, persona, "netflix-activity", "netflix/*/*.csv")
    films = Counter((start(r), r["movie_title"], r["duration"]) for r in observed(persona, "movie_stream"))
    episodes = Counter(
        (start(r), r["tvseries_title"], r["tvseries_season"], r["episode_name"], r["episode_number"], r["duration"])
        for r in observed(persona, "tvseries_stream")
    )
    assert films == Counter(
        (e["ev:start"][0], e["ev:movieTitle"][0], int(e["ev:duration"][0]))
        for e in found
        if e["a"] == ["ev:MovieStream"]
    )
    names = ("ev:start", "ev:seriesTitle", "ev:seasonNumber", "ev:episodeName", "ev:episodeNumber", "ev:duration")
    shown = [[e.get(name, ["0"])[0] for name in names] for e in found if e["a"] == ["ev:EpisodeStream"]]
    assert episodes == Counter((a, b, int(c), d, int(e), int(f)) for a, b, c, d, e, f in shown)
    assert len(found) == films.total() + episodes.total()


def test_amazon(mapped: Any, persona: Path) -> None:
    found = events(mapped, persona, "amazon-orders", "amazon/*/*.csv")
    told = Counter(
        (
            start(r),
            r["product"],
            f"{float(r['price'].split()[0]):g}",
            r["price"].split()[1],
            str(r["product_quantity"]),
            r["shop"],
        )
        for r in observed(persona, "online_purchase")
    )
    names = ("ev:start", "ev:product", "ev:price", "ev:currency", "ev:quantity", "ev:shop")
    assert Counter(tuple(e[name][0] for name in names) for e in found) == told


def test_apple_health(mapped: Any, persona: Path) -> None:
    found = events(mapped, persona, "apple-health", "apple_health_export/export.xml")
    told = Counter(
        (start(r), r["workout_type"], r["duration"] * 60, r["calories"], r.get("distance", 0), r["average_heart_rate"])
        for r in observed(persona, "workout")
    )
    names = ("ev:duration", "ev:energy", "ev:distance", "ev:averageHeartRate")
    shown = [[float(e.get(name, ["0"])[0]) for name in names] for e in found]
    assert told == Counter(
        (e["ev:start"][0], e["ev:workoutType"][0], *numbers) for e, numbers in zip(found, shown, strict=True)
    )


def test_observables(mapped: Any, persona: Path) -> None:
    outcome = mapped(format_named("key-value"), persona / "observables.jsonl", zone=ZONES[persona.name])
    assert outcome.bad == []
    found = {event["ev:sourceId"][0]: event for event in outcome.events.values()}
    with (persona / "observables.jsonl").open(encoding="utf-8") as stream:
        told = {str(record["id"]): start(record) for record in map(json.loads, stream)}
    assert {name: event["ev:start"][0] for name, event in found.items()} == told


def test_profile(mapped: Any, persona: Path) -> None:
    outcome = mapped(format_named("profile"), persona / "profile.json", zone=ZONES[persona.name])
    profile = json.loads((persona / "profile.json").read_text(encoding="utf-8"))
    assert outcome.bad == []
    people = {event["foaf:name"][0]: event for event in outcome.events.values() if event["a"] == ["ev:Person"]}
    for name, nickname in profile["nicknames"].items():
        assert nickname in people[name]["ev:nickname"]
    assert len(outcome.by("ev:jobTitle")) == len({job["title"] for job in profile["career"]})
    assert people[profile["partner"]["name"]]["ev:relation"] == [profile["partner_entry"]["relation"]]
