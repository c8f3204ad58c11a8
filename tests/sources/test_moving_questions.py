"""What questions find of workouts, days, nights and weights that trackers recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 3, 1, 12)
SETTINGS = Settings(proposers=("rules",), read_texts=False, home_zone="Europe/Dublin")
ACTIVITIES = (
    "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Moving Time,Distance\n"
    '1,"Jul 5, 2024, 6:30:00 AM",Down to the weir,Ride,3700,20.10,3600,20100.0\n'
    '2,"Aug 5, 2024, 6:30:00 AM",Lunch,Run,1800,5.0,1800,5000.0\n'
    '3,"Feb 24, 2025, 6:30:00 AM",Away,Ride,1800,10.0,1800,10000.0\n'
    '4,"Feb 25, 2024, 6:30:00 AM",Hill,Ride,1800,10.0,1800,10000.0\n'
)


def series(**days: Any) -> str:
    return json.dumps([{"dateTime": f"02/{day[1:]}/25 12:00:00", "value": value} for day, value in days.items()])


def sleep(day: int, minutes: int) -> dict[str, Any]:
    night = {"startTime": f"2025-02-{day}T00:10:00.000", "endTime": f"2025-02-{day}T08:00:00.000"}
    return {"logId": day, "dateOfSleep": f"2025-02-{day}", "minutesAsleep": minutes, **night}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = tmp_path_factory.mktemp("export")
    weights = [{"logId": 1, "weight": 176.4, "bmi": 24.7, "date": "02/17/25", "time": "07:30:00"}]
    files = {
        "activities.csv": ACTIVITIES,
        "steps-2025-02-01.json": series(d17="4000", d18="6000", d19="8000", d24="10000", d25="12000"),
        "resting_heart_rate-2025-02-01.json": series(d17={"value": 58.0}, d24={"value": 56.0}),
        "sleep-2025-02-01.json": json.dumps([sleep(17, 420), sleep(18, 390), sleep(24, 480)]),
        "weight-2025-02-01.json": json.dumps(weights),
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    store = tmp_path_factory.mktemp("life") / "store"
    ingest([folder], store, IngestOptions(SETTINGS, NOW))
    with KnowledgeGraph.open(store, SETTINGS) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How far did I cycle in 2024?", [30.1]),
        ("How many workouts did I do in 2024?", [3]),
        ("How many steps did I walk on average?", [8000]),
        ("How many steps did I take last week?", [18000]),
        ("How many steps per day did I take in February 2025?", [8000]),
        ("On which day did I take the most steps?", ["2025-02-25T00:00:00"]),
        ("What was my resting heart rate on average?", [57]),
        ("How long did I sleep last week?", [48600]),
        ("How long do I sleep on average?", [25800]),
        ("How many nights did I sleep less than 7 hours?", [1]),
        ("How much did I weigh on 17 February 2025?", [80.01]),
        ("When did I last weigh myself?", ["2025-02-17"]),
    ],
)
def test_questions_find_what_was_recorded(known: KnowledgeGraph, question: str, answer: list[Any]) -> None:
    assert known.ask(question, now=NOW).as_json()["answer"] == answer
