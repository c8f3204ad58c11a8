"""Whoever can write to somebody chooses what is in their data: subjects of mails and titles of invitations that say
pieces of a question change no answer."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 3, 1, 12)
LIFE = Path(__file__).resolve().parents[2] / "examples" / "demo" / "exports"
QUESTIONS = (
    "How many runs did I do in 2024?",
    "What was my longest run in 2023?",
    "How many songs did I listen to in January 2024?",
    "How often did I listen to Gwenno in 2024?",
    "What was the average distance of my runs in 2024?",
    "How often did I go running in March 2024?",
    "How many movies did I watch last year?",
)


def _pieces(question: str) -> list[str]:
    words = question.rstrip("?").split()
    return [" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 2, len(words) + 1)]


def _mails(pieces: list[str]) -> str:
    return "\n".join(
        f"From x@y Mon Jan 10 10:00:00 2022\nFrom: S <s@example.org>\nTo: r@example.org\nSubject: {piece}\n"
        f"Date: Mon, 10 Jan 2022 10:00:00 +0000\nMessage-ID: <{number}@example.org>\n\nhello\n"
        for number, piece in enumerate(pieces)
    )


def _calendar(pieces: list[str]) -> str:
    entries = "".join(
        f"BEGIN:VEVENT\r\nUID:{number}@example.org\r\nDTSTART:20220110T100000Z\r\nSUMMARY:{piece}\r\nEND:VEVENT\r\n"
        for number, piece in enumerate(pieces)
    )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Strangers\r\n{entries}END:VCALENDAR\r\n"


def _answers(exports: list[Path], store: Path) -> list[object]:
    ingest(exports, store, IngestOptions(Settings(), NOW))
    with KnowledgeGraph.open(store) as known:
        return [known.ask(question, now=NOW).as_json()["answer"] for question in QUESTIONS]


def test_what_strangers_write_changes_no_answer(tmp_path: Path) -> None:
    names = ("apple_health", "spotify", "netflix")
    own = [path for path in LIFE.iterdir() if path.name.lower().startswith(names)]
    assert len(own) == len(names), [path.name for path in LIFE.iterdir()]
    pieces = [piece for question in QUESTIONS for piece in _pieces(question)]
    (tmp_path / "spam.mbox").write_text(_mails(pieces), encoding="utf-8")
    (tmp_path / "strangers.ics").write_text(_calendar(pieces), encoding="utf-8")
    before = _answers(own, tmp_path / "before")
    after = _answers([*own, tmp_path / "spam.mbox", tmp_path / "strangers.ics"], tmp_path / "after")
    assert json.dumps(after) == json.dumps(before)
    assert all(before)
