"""Long conversations with questions about time and content (Alonso et al. 2024, on LoCoMo).

conversation_N.json has {responses: [{number, speaker, time, text}], now}; questions_N.jsonl {id, question, context,
speaker}. What is to be found are numbers of responses. Sessions are not read from the file: they are inferred from
pauses (see `conversation`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import UsageError
from .base import Gold, Judged, Life, Options, Question, json_of, lines_of, moment, needs_gold, required


class TemporalMemory:
    """The suite `temporal-memory`: recall and F2 of the responses found."""

    name = "temporal-memory"
    measures = ("recall", "F2")
    field = "events"

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """One life per conversation; its responses are written to the work folder as chat messages."""
        for path in _conversations(directory):
            told = json_of(path)
            now = moment(required(told, "now", str(path)))
            questions = tuple(_question(row, now, str(path)) for row in _rows(path, options))
            yield Life(path.stem, (_written(told, path, options.work),), now, questions, options.domain)

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """The responses that are relevant."""
        for path in _conversations(directory):
            for row in _rows(path, options):
                needs_gold(row, ("relevant",), str(path))
                kind, test = str(row.get("kind", "")), str(row.get("test", ""))
                groups = (("kind", kind), ("test", f"{kind}: {test}"), ("conversation", path.stem))
                yield Gold(str(row["id"]), row["question"], row, groups)

    def judge(self, gold: Gold, answer: object) -> Judged:
        """Recall, and F2 = 5PR / (4P + R)."""
        found = set(map(str, answer)) if isinstance(answer, list) else set[str]()
        relevant = set(map(str, gold.row["relevant"]))
        shared = len(found & relevant)
        recall = shared / len(relevant) if relevant else float(not found)
        precision = shared / len(found) if found else float(not relevant)
        f2 = 5 * precision * recall / (4 * precision + recall) if precision and recall else 0.0
        return Judged(recall, f2, bool(found))


def _conversations(directory: Path) -> list[Path]:
    found = sorted(directory.glob("**/conversation_*.json"))
    if not found:
        raise UsageError(f"{directory} has no conversation_*.json")
    return found


def _rows(conversation: Path, options: Options) -> Iterator[dict[str, Any]]:
    path = conversation.with_name(conversation.stem.replace("conversation", "questions", 1) + ".jsonl")
    if options.only in path.name and path.is_file():
        yield from lines_of(path)


def _question(row: Mapping[str, Any], now: datetime, where: str) -> Question:
    turns = tuple((str(turn.get("speaker", "")), str(turn.get("text", ""))) for turn in row.get("context") or ())
    text = required(row, "question", where)
    return Question(str(required(row, "id", where)), text, now, turns, row.get("speaker"))


def _written(told: Mapping[str, Any], path: Path, work: Path) -> Path:
    """The conversation as a log of its own, without what a system may not read."""
    target = work / path.stem / path.name
    target.parent.mkdir(parents=True, exist_ok=True)
    kept = ("number", "speaker", "time", "text")
    responses = [{key: row[key] for key in kept if key in row} for row in required(told, "responses", str(path))]
    speakers = {key: told[key] for key in ("speaker_a", "speaker_b") if key in told}
    target.write_text(json.dumps({**speakers, "responses": responses}, ensure_ascii=False), encoding="utf-8")
    return target
