"""Lifelogs in the neutral TimelineQA layout (Tan et al. 2023), read by a domain (examples/timelineqa).

A folder holds episodes.jsonl, text.jsonl, persona.json and questions_*.jsonl; `read` chooses whether episodes or only
their texts are imported. A question has no time of asking: it is the end of the last day that is told of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ...engine.authoring.domain import load_domain
from ...errors import UsageError
from .base import MISSING, Gold, Judged, Life, Options, Question, folders_with, lines_of, moment, needs_gold, required
from .comparing_timelineqa import empty, judged

FORMS: Final = {"episodes": "episodes.jsonl", "text": "text.jsonl"}
DOMAIN: Final = Path(__file__).resolve().parents[2] / "examples" / "timelineqa"


class TimelineQA:
    """The suite `timelineqa`."""

    name = "timelineqa"
    measures = ("Hit@1", "relaxed Hit@1")
    field = "answer"

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """One life per folder, in the shipped domain if no other is named."""
        domain = options.domain or DOMAIN
        if not (domain / "domain.ttl").is_file():
            raise UsageError(f"there is no domain {domain} to read lifelogs by: name one with --domain")
        for folder in _folders(directory):
            data = _data(folder, options.read)
            now = _last_day(data)
            persona = folder / "persona.json"
            paths = (data, persona) if persona.is_file() and _reads(domain, persona.name) else (data,)
            questions = tuple(_question(row, now, str(folder)) for row in _rows(folder, options))
            yield Life(folder.name, paths, now, questions, domain)

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """What is right; with `clean` for the questions whose gold is not doubtful."""
        for folder in _folders(directory):
            for row in _rows(folder, options):
                needs_gold(row, ("answer",), str(folder))
                if not (options.clean and row.get("suspect")):
                    yield Gold(str(row["id"]), row["question"], row, _groups(row, folder.name), _happenings(row))

    def judge(self, gold: Gold, answer: object) -> Judged:
        """By the rules of `comparing_timelineqa`; no prediction at all is wrong, also where nothing is right."""
        if answer is MISSING:
            return Judged(0.0, 0.0, given=False)
        exact, near = judged(gold.row, answer)
        return Judged(float(exact), float(near), not empty(answer))


def _reads(domain: Path, name: str) -> bool:
    """Whether a map of the domain reads a file of that name."""
    return any(name in path.read_text(encoding="utf-8") for path in load_domain(domain).maps)


def _folders(directory: Path) -> list[Path]:
    return folders_with(directory, ("questions_*.jsonl",))


def _rows(folder: Path, options: Options) -> Iterator[dict[str, Any]]:
    """The questions of all files, each once: the same may stand in several."""
    seen = set[str]()
    for path in sorted(folder.glob("questions_*.jsonl")):
        if options.only in path.name:
            for row in lines_of(path):
                if str(row.get("id")) not in seen:
                    seen.add(str(row.get("id")))
                    yield row | {"set": path.stem.removeprefix("questions_").split("_")[0]}


def _data(folder: Path, form: str | None) -> Path:
    if form not in (None, *FORMS):
        raise UsageError(f"--read {form!r}: expected {' or '.join(FORMS)}")
    names = [FORMS[form]] if form else list(FORMS.values())
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise UsageError(f"{folder} has no {' or '.join(names)}")
    return found


def _last_day(path: Path) -> datetime:
    days = [str(row.get("end") or row.get("start") or row.get("date") or "") for row in lines_of(path)]
    last = max((day[:10] for day in days), default="")
    return moment(last)


def _question(row: Mapping[str, Any], now: datetime, where: str) -> Question:
    return Question(
        str(required(row, "id", where)),
        required(row, "question", where),
        moment(row["now"]) if row.get("now") else now,
    )


def _groups(row: Mapping[str, Any], persona: str) -> tuple[tuple[str, str], ...]:
    told = [("questions", row["set"]), ("gold", "suspect" if row.get("suspect") else "clean")]
    told += [(key, str(row[key])) for key in ("op", "answer_type", "template") if row.get(key) is not None]
    return (*told, ("persona", persona))


def _happenings(row: Mapping[str, Any]) -> tuple[frozenset[str], ...] | None:
    return tuple(frozenset((str(event),)) for event in row["evidence"]) if row.get("evidence") else None
