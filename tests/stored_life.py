"""A small life in a store, with chats, for attacks on its files."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from reqap_kg.cli.app import run

NOW = "2025-01-01T12:00:00"
SECRET = "Zubrowka"
QUESTIONS = (
    "How many runs did I do in 2024?",
    "What was the longest run I did in 2024?",
    "How many workouts did I do in March 2024?",
)
HOW_MANY = "How many questions did I ask you?"
EVENTS: list[dict[str, object]] = [
    {
        "source": "workout",
        "start_date": f"2024-{month:02d}-10",
        "start_time": "07:30:00",
        "workout_type": "running" if month % 3 else "cycling",
        "distance": 4.5 + month,
    }
    for month in range(1, 13)
]
NOTES: list[dict[str, object]] = [
    {
        "source": "note",
        "start_date": f"2024-05-{day:02d}",
        "start_time": "12:00:00",
        "text": f"Lunch with {SECRET} {day}",
    }
    for day in range(1, 9)
]


def exports(folder: Path) -> list[Path]:
    """Two exports: workouts, and notes that speak of SECRET."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, rows in (("sport", EVENTS), ("diary", NOTES)):
        paths.append(folder / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return paths


def import_life(folder: Path, store: Path) -> Path:
    """Imports both exports, each as its own source."""
    for path in exports(folder):
        assert run(["ingest", str(path), "--source", path.stem, "--no-index", "--store", str(store), "--now", NOW]) == 0
    return store


def chat(store: Path, *lines: str) -> int:
    """A chat from a pipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
        return run(["chat", "--store", str(store), "--now", NOW])


def answers(store: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[int, object, str]]:
    """Exit code, answer and errors of each of the QUESTIONS, and of how many questions were asked in chats."""
    found: list[tuple[int, object, str]] = []
    capsys.readouterr()
    for question in (*QUESTIONS, HOW_MANY):
        code = run(["ask", question, "--json", "--store", str(store), "--now", NOW])
        said = json.loads(capsys.readouterr().out)
        found.append((code, said["answer"] if code == 0 else None, f"reqap-kg: {said['error']}\n" if code else ""))
    return found
