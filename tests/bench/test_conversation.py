"""Sessions and days of a conversation, as questions name them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from small_lives import lines, read

from reqap_kg.bench.conversation import Message, Span, sessions_meant, sessions_of, spelled
from reqap_kg.bench.running import RunOptions, run_suite
from reqap_kg.config import Settings

BEGIN = datetime(2024, 3, 1, 10)


def test_a_pause_of_more_than_twenty_minutes_begins_a_session() -> None:
    minutes = (0, 5, 25, 46, 50)
    messages = [Message(str(n), BEGIN + timedelta(minutes=at)) for n, at in enumerate(minutes)]
    assert [[m.number for m in session] for session in sessions_of(messages)] == [["0", "1", "2"], ["3", "4"]]
    assert sessions_of([]) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("What did we discuss in our first session?", range(1)),
        ("our twenty-first discussion", range(20, 21)),
        ("in our 13th session", range(12, 13)),
        ("over sessions 8 through 10", range(7, 10)),
        ("the fourth through sixth sessions", range(3, 6)),
        ("3 sessions ago", range(27, 28)),
        ("two conversations ago", range(28, 29)),
        ("over the last three sessions", range(27, 30)),
        ("in our last session", range(29, 30)),
        ("the session before last", range(28, 29)),
        ("not the last discussion, but the one before that", range(28, 29)),
        ("In session 7, where did she go?", range(6, 7)),
        ("we had several discussions", None),
        ("What did we talk about in May?", None),
    ],
)
def test_sessions_that_a_text_names(text: str, meant: range | None) -> None:
    assert sessions_meant(text, 30) == meant


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("between May eighth and June ninth?", "from May 8 to June 9?"),
        ("talked about June 27th through July 6th", "talked about from June 27 to July 6"),
        ("what we discussed May twenty-fifth.", "what we discussed on May 25."),
        ("on August 17th", "on August 17"),
        ("over this last week", "over the last week"),
        ("What may I do?", "What may I do?"),
    ],
)
def test_days_in_words(text: str, read_as: str) -> None:
    assert spelled(text).replace("about from", "about from") == read_as


def test_a_span_has_days_and_times_of_day() -> None:
    morning = Span(date(2024, 3, 1), date(2024, 3, 2), time(5), time(12))
    assert morning.holds(datetime(2024, 3, 2, 11, 59))
    assert not morning.holds(datetime(2024, 3, 2, 12))
    assert not morning.holds(datetime(2024, 3, 3, 8))


def test_a_conversation_is_answered_by_time_session_and_earlier_turns(tmp_path: Path) -> None:
    said = [("2024-03-01", "I adopted a puppy"), ("2024-03-05", "We went hiking"), ("2024-03-09", "My exam went well")]
    responses = [
        {"number": 2 * n + k, "speaker": who, "time": f"{day}T10:0{k}:00", "text": text if k == 0 else "Tell me more!"}
        for n, (day, text) in enumerate(said)
        for k, who in enumerate(("Ada", "Ben"))
    ]
    import json

    told = {"conversation": 1, "now": "2024-03-10T12:00:00", "responses": responses}
    (tmp_path / "conversation_1.json").write_text(json.dumps(told), encoding="utf-8")
    turns = [{"speaker": "Ada", "text": "I see that we talked on March ninth."}, {"speaker": "Ben", "text": "We did!"}]
    asked = [
        {"id": "a", "question": "What did we talk about on March 5th?"},
        {"id": "b", "question": "What did we discuss in our first session?"},
        {"id": "c", "question": "What did we discuss two sessions ago?"},
        {"id": "d", "question": "Can you summarize what we discussed?", "context": turns, "speaker": "Ada"},
        {"id": "e", "question": "What did we talk about on March 6th?"},
    ]
    lines(tmp_path / "questions_1.jsonl", asked)
    out = tmp_path / "out" / "p.jsonl"
    run_suite("temporal-memory", tmp_path, out, RunOptions(settings=Settings(home_zone="UTC")))
    found = {row["id"]: row["events"] for row in read(out)}
    assert found == {"a": [2, 3], "b": [0, 1], "c": [2, 3], "d": [4, 5], "e": []}
