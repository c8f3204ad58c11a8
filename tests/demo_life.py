"""The demo life read straight from its exports with the standard library: what answers are compared with."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

EXPORTS = Path(__file__).resolve().parents[1] / "examples" / "demo" / "exports"
HOME = ZoneInfo("Europe/Amsterdam")


@dataclass(frozen=True)
class Workout:
    """A workout of the watch; km and kcal where the export has them, heart rates in beats a minute."""

    kind: str
    start: datetime
    end: datetime
    minutes: float
    km: float | None
    kcal: float | None
    heart: float | None
    heart_most: float | None


@dataclass(frozen=True)
class Song:
    """A stream of a song."""

    start: datetime
    end: datetime
    artist: str
    name: str
    album: str
    seconds: float
    skipped: bool


@dataclass(frozen=True)
class Order:
    """An order line that was not cancelled."""

    at: datetime
    product: str
    total: float
    quantity: int
    shop: str


@dataclass(frozen=True)
class Film:
    """A film watched, no trailer; or an episode, whose series is then its title."""

    start: datetime
    title: str
    seconds: float


def _local(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "")).replace(tzinfo=UTC).astimezone(HOME).replace(tzinfo=None)


@cache
def workouts() -> list[Workout]:
    """All workouts, oldest first."""
    found: list[Workout] = []
    for item in ET.parse(EXPORTS / "apple_health_export" / "export.xml").getroot().iter("Workout"):
        held = {part.get("type", "").removeprefix("HKQuantityTypeIdentifier"): part for part in item}
        distance = next((part for name, part in held.items() if name.startswith("Distance")), None)
        heart, energy = held.get("HeartRate"), held.get("ActiveEnergyBurned")
        metres = 1000 if distance is not None and distance.get("unit") == "m" else 1
        found.append(
            Workout(
                str(item.get("workoutActivityType")).removeprefix("HKWorkoutActivityType").lower(),
                datetime.fromisoformat(str(item.get("startDate"))[:19]),
                datetime.fromisoformat(str(item.get("endDate"))[:19]),
                float(str(item.get("duration"))),
                None if distance is None else float(str(distance.get("sum"))) / metres,
                None if energy is None else float(str(energy.get("sum"))),
                None if heart is None else float(str(heart.get("average"))),
                None if heart is None else float(str(heart.get("maximum"))),
            )
        )
    return sorted(found, key=lambda one: one.start)


@cache
def runs() -> list[Workout]:
    """All runs."""
    return [one for one in workouts() if one.kind == "running"]


@cache
def songs() -> list[Song]:
    """All songs streamed, podcasts left out."""
    found: list[Song] = []
    for path in sorted((EXPORTS / "Spotify Extended Streaming History").glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            if row["master_metadata_track_name"] is None:
                continue
            end = _local(row["ts"])
            artist, name, album = (
                str(row[f"master_metadata_{key}"]) for key in ("album_artist_name", "track_name", "album_album_name")
            )
            seconds = row["ms_played"] / 1000
            found.append(Song(end - timedelta(seconds=seconds), end, artist, name, album, seconds, row["skipped"]))
    return sorted(found, key=lambda one: one.end)


@cache
def orders() -> list[Order]:
    """All order lines but the cancelled ones."""
    path = EXPORTS / "amazon" / "Retail.OrderHistory.1" / "Retail.OrderHistory.1.csv"
    rows = list(csv.DictReader(path.open(encoding="utf-8-sig", newline="")))
    return [
        Order(
            _local(row["Order Date"]),
            row["Product Name"],
            float(row["Total Owed"].replace(",", "")),
            int(row["Quantity"]),
            row["Website"],
        )
        for row in sorted(rows, key=lambda row: row["Order Date"])
        if row["Order Status"] != "Cancelled"
    ]


@cache
def _viewings() -> list[tuple[bool, Film]]:
    path = EXPORTS / "netflix" / "CONTENT_INTERACTION" / "ViewingActivity.csv"
    found: list[tuple[bool, Film]] = []
    for row in csv.DictReader(path.open(encoding="utf-8-sig", newline="")):
        if row["Supplemental Video Type"]:
            continue
        hours, minutes, seconds = map(int, row["Duration"].split(":"))
        episode = "(Episode " in row["Title"] or ": Season " in row["Title"]
        title = row["Title"].split(": ")[0] if episode else row["Title"]
        found.append((episode, Film(_local(row["Start Time"]), title, hours * 3600 + minutes * 60 + seconds)))
    return sorted(found, key=lambda pair: pair[1].start)


@cache
def films() -> list[Film]:
    """All films watched."""
    return [one for episode, one in _viewings() if not episode]


@cache
def episodes() -> list[Film]:
    """All episodes watched; the title is the series."""
    return [one for episode, one in _viewings() if episode]


@cache
def posts() -> list[tuple[datetime, tuple[str, ...]]]:
    """All posts that are no boosts: when, and their tags."""
    box = json.loads((EXPORTS / "mastodon" / "outbox.json").read_text(encoding="utf-8"))
    made = [item["object"] for item in box["orderedItems"] if item["type"] == "Create"]
    return sorted(
        (_local(one["published"]), tuple(tag["name"].lstrip("#") for tag in one["tag"] if tag["type"] == "Hashtag"))
        for one in made
    )
