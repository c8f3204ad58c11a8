"""The suite of conversations: messages found through the system, with earlier turns and content."""

from __future__ import annotations

import json
from pathlib import Path

from small_lives import lines, read

from reqap_kg.config import Settings
from reqap_kg.evaluation.running import RunOptions, run_suite


def test_a_conversation_is_answered_by_time_session_and_earlier_turns(tmp_path: Path) -> None:
    said = [("2024-03-01", "I adopted a puppy"), ("2024-03-05", "We went hiking"), ("2024-03-09", "My exam went well")]
    responses = [
        {"number": 2 * n + k, "speaker": who, "time": f"{day}T10:0{k}:00", "text": text if k == 0 else "Tell me more!"}
        for n, (day, text) in enumerate(said)
        for k, who in enumerate(("Ada", "Ben"))
    ]
    told = {"conversation": 1, "now": "2024-03-10T12:00:00", "responses": responses}
    (tmp_path / "conversation_1.json").write_text(json.dumps(told), encoding="utf-8")
    turns = [{"speaker": "Ada", "text": "I see that we talked on March ninth."}, {"speaker": "Ben", "text": "We did!"}]
    asked = [
        {"id": "a", "question": "What did we talk about on March 5th?"},
        {"id": "b", "question": "What did we discuss in our first session?"},
        {"id": "c", "question": "What did we discuss two sessions ago?"},
        {"id": "d", "question": "Can you summarize what we discussed?", "context": turns, "speaker": "Ada"},
        {"id": "e", "question": "What did we talk about on March 6th?"},
        {"id": "f", "question": "What did we talk about on February 6th?"},
        {"id": "g", "question": "In our first session, what pet did Ada say she adopted?"},
        {"id": "h", "question": "What did Ada say about the exam?"},
    ]
    lines(tmp_path / "questions_1.jsonl", asked)
    out = tmp_path / "out" / "p.jsonl"
    run_suite("temporal-memory", tmp_path, out, RunOptions(settings=Settings(home_zone="UTC")))
    found = {row["id"]: row["events"] for row in read(out)}
    assert 0 in found.pop("g")
    assert 4 in found.pop("h")
    assert found == {"a": [2, 3], "b": [0, 1], "c": [2, 3], "d": [4, 5], "e": [2, 3], "f": []}
