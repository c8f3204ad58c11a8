"""A small invented life in the personas' layout: films, workouts and questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

NOW = "2024-06-30 12:00:00"
OBSERVABLES: list[dict[str, Any]] = [
    {
        "id": number,
        "source": "workout",
        "start_date": f"2024-0{month}-10",
        "start_time": "07:00:00",
        "end_date": f"2024-0{month}-10",
        "end_time": "07:30:00",
        "workout_type": kind,
        "duration": 30,
        "duration_unit": "min",
        "distance": distance,
        "distance_unit": "km",
    }
    for number, (month, kind, distance) in enumerate(
        [(1, "running", 5.0), (2, "running", 6.0), (3, "cycling", 20.0), (4, "running", 7.0)], start=1
    )
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "s1-q1",
        "question": "How many workouts did I do in 2024?",
        "now": NOW,
        "answer": [4],
        "answer_type": "number",
        "complexity": ["aggregation", "temporal"],
        "events": ["w1", "w2", "w3", "w4"],
    },
    {
        "id": "s1-q2",
        "question": "How many times did I go running?",
        "now": NOW,
        "answer": [4],
        "answer_type": "number",
        "complexity": ["aggregation"],
        "events": ["w1", "w2", "w3", "w4"],
    },
    {
        "id": "s1-q3",
        "question": "Frobnicate the gizmo sideways",
        "now": NOW,
        "answer": ["x"],
        "answer_type": "text",
        "complexity": ["join"],
    },
]
GOLD = ("answer", "answer_type", "complexity", "events", "also_accept", "sql")


def life(folder: Path, *, gold: bool = True) -> Path:
    """Writes the life, with or without what is right."""
    folder.mkdir(parents=True)
    rows = QUESTIONS if gold else [{k: v for k, v in row.items() if k not in GOLD} for row in QUESTIONS]
    lines(folder / "observables.jsonl", OBSERVABLES)
    lines(folder / "questions.jsonl", rows)
    profile = {"name": "Ada Small", "first_name": "Ada", "gender": "female", "friends": []} | {
        "now": "2024-06-30T12:00:00"
    }
    (folder / "profile.json").write_text(json.dumps(profile), encoding="utf-8")
    if gold:
        links = "".join(f"w{number},{number},,1\n" for number in range(1, 5))
        (folder / "links.csv").write_text(
            "canonical_id,observable_id,expressed_attributes,exact_time\n" + links, encoding="utf-8"
        )
    return folder


def lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def read(path: Path) -> list[dict[str, Any]]:
    """Reads JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
