"""The layout in which PerQA is released (ReQAP, section 4; its repository's README).

<split>/<persona>/questions.json         [{question, answers, reference_date, ...}]
<split>/<persona>/<persona>_obs.csv      id, start_date, ..., event_type, event_data (JSON)
<split>/<persona>/<persona>.json         the questionnaire
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ...errors import UsageError
from .base import MISSING, Gold, Judged, Life, Options, Question, folders_with, json_of, moment, needs_gold, required
from .comparing_personas import number, right

_TIMES: Final = ("start_date", "start_time", "end_date", "end_time")
_UNSEEN: Final = ("properties_mentioned",)
_KINDS: Final = ("complexity", "complexity_types", "complexity_type", "question_types")


class PerQA:
    """The suite `perqa`."""

    name = "perqa"
    measures = ("Hit@1", "relaxed Hit@1")
    field = "answer"

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """One life per persona; its observables are written to the work folder as key-value events."""
        for folder in _folders(directory):
            rows = _rows(folder, options)
            now = max((moment(row["reference_date"]) for row in rows if "reference_date" in row), default=None)
            if now is None:
                raise UsageError(f"{folder}: no question has a 'reference_date'")
            questions = tuple(_question(row, now, str(folder)) for row in rows)
            yield Life(folder.name, _written(folder, options.work / folder.name), now, questions, options.domain)

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """What is right for the questions of all personas."""
        for folder in _folders(directory):
            for row in _rows(folder, options):
                needs_gold(row, ("answers", "answer"), str(folder))
                answers = row.get("answers", row.get("answer"))
                values = answers if isinstance(answers, list) else [answers]
                judged = {**row, "answer": values, "answer_type": row.get("answer_type") or _type(values)}
                yield Gold(row["id"], row["question"], judged, _groups(row, folder.name))

    def judge(self, gold: Gold, answer: object) -> Judged:
        """By the same rules as other personas' answers."""
        given = [] if answer is None or answer is MISSING else answer
        exact, near = right(gold.row, given), right(gold.row, given, relaxed=True)
        return Judged(float(exact), float(near), given not in ([], ""))


def _folders(directory: Path) -> list[Path]:
    return folders_with(directory, ("questions.json",))


def _rows(folder: Path, options: Options) -> list[dict[str, Any]]:
    """The questions, with an id where they have none: the persona's name and the question's number."""
    rows = json_of(folder / "questions.json") if options.only in "questions.json" else []
    if not isinstance(rows, list):
        raise UsageError(f"{folder / 'questions.json'} is no list of questions")
    return [{**row, "id": str(row.get("id", f"{folder.name}-{at}"))} for at, row in enumerate(rows)]


def _question(row: Mapping[str, Any], now: datetime, where: str) -> Question:
    at = moment(row["reference_date"]) if "reference_date" in row else now
    return Question(row["id"], required(row, "question", where), at)


def _groups(row: Mapping[str, Any], persona: str) -> tuple[tuple[str, str], ...]:
    kinds = next((row[key] for key in _KINDS if row.get(key)), ())
    named = [kinds] if isinstance(kinds, str) else list(kinds)
    return (*(("complexity", str(kind)) for kind in named), ("persona", persona))


def _type(values: list[Any]) -> str:
    """The type of an answer that does not say it."""
    if not values:
        return "none"
    if len(values) > 1:
        return "list"
    return "number" if number(values[0]) is not None and not isinstance(values[0], str) else "text"


def _written(folder: Path, work: Path) -> tuple[Path, ...]:
    work.mkdir(parents=True, exist_ok=True)
    source = next(iter(sorted(folder.glob("*_obs.csv"))), None)
    if source is None:
        raise UsageError(f"{folder} has no *_obs.csv")
    target = work / "observables.jsonl"
    with source.open(encoding="utf-8", newline="") as stream, target.open("w", encoding="utf-8") as out:
        csv.field_size_limit(sys.maxsize)
        for row in csv.DictReader(stream):
            out.write(json.dumps(_observable(row, str(source)), ensure_ascii=False) + "\n")
    profile = folder / f"{folder.name}.json"
    if not profile.is_file():
        return (target,)
    copied = work / "profile.json"
    copied.write_bytes(profile.read_bytes())
    return target, copied


def _observable(row: Mapping[str, str], where: str) -> dict[str, Any]:
    """One event as key-value pairs: what stands in columns, and its data."""
    try:
        data = json.loads(row.get("event_data") or "{}")
    except ValueError as bad:
        raise UsageError(f"{where}: event {row.get('id')}: event_data is not JSON") from bad
    times = {key: row[key] for key in _TIMES if row.get(key)}
    kept = {key: value for key, value in data.items() if key not in _UNSEEN and key not in times}
    return {"id": row["id"], "source": row.get("event_type"), **times, **kept}
