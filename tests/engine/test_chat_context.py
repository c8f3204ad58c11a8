"""Questions that lean on what was said just before, about an earlier conversation."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from reqap_kg.cli.asking import ask_command
from reqap_kg.config import Settings
from reqap_kg.engine.conversation.chat_context import ChatContext, said_in
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2024, 3, 10, 12, 0)
TALKS = ("2024-02-11T18:00", "2024-03-01T10:00", "2024-03-05T10:00", "2024-03-09T19:00", "2024-03-10T09:00")


def stored(folder):
    """A store of five talks of two messages each."""
    said = ("I adopted a puppy, her name is Biscuit.", "That is lovely! How old is she?")
    responses = [
        {"number": 2 * n + place, "speaker": speaker, "time": f"{begin[:-1]}{place}:00", "text": said[place]}
        for n, begin in enumerate(TALKS)
        for place, speaker in enumerate(("Ada", "Ben"))
    ]
    log = folder / "conversation_7.json"
    log.write_text(json.dumps({"speaker_a": "Ada", "speaker_b": "Ben", "responses": responses}), encoding="utf-8")
    ingest((log,), folder / "store", IngestOptions(Settings(), NOW, "UTC"))
    return folder / "store"


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    with KnowledgeGraph.open(stored(tmp_path_factory.mktemp("talk"))) as graph:
        yield graph


def numbers(answer) -> list[int]:
    return [int(event.source_id) for event in answer.events if event.type == "ChatMessage"]


@pytest.mark.parametrize(
    ("turns", "question", "meant"),
    [
        (["I see that we talked on March ninth.", "Yes, we did."], "Can you summarize it?", [6, 7]),
        (["Our chat from two sessions ago was nice.", "It was."], "Yes, please do.", [6, 7]),
        (["We talked a lot last month.", "We did, as always."], "Could you tell me what was said?", [0, 1]),
        (
            ["I am trying to remember what we talked about in our second discussion.", "Shall I tell you?"],
            "Sure!",
            [2, 3],
        ),
        (["Do you recall sessions 2 through 3?", "I do, would you like a recap?"], "Yes please", [2, 3, 4, 5]),
        (["We spoke yesterday evening.", "Indeed."], "What did we talk about then?", [6, 7]),
        (["Earlier today we had a talk.", "Right."], "Remind me what we discussed.", [8, 9]),
        (["Our last chat was fun.", "It was!"], "What did Ben say?", [9]),
        (["What did we discuss in our second session?", "A puppy."], "And the third?", [4, 5]),
        (["What did we discuss in our second session?", "A puppy."], "And in the one before it?", [0, 1]),
        (["What did Ben say on March 1st?", "He asked."], "And on March 5th?", [5]),
        (["What did Ben say on March 1st?", "He asked."], "And Ada?", [2]),
        (["We wrote on 9 March, twice.", "So we did."], "What was the evening one about?", [6, 7]),
        (["March was busy. We talked a lot.", "Shall I sum it up?"], "go on then", [2, 3, 4, 5, 6, 7, 8, 9]),
        (["We talked on 1 March."], "And on the 5th?", [4, 5]),
        (["We wrote on 1 March and then on 9 March."], "What was said on the second of those days?", [6, 7]),
        (["We talked on 1 March.", "I recall it."], "That would be great.", [2, 3]),
        (["I liked our first discussion. And the one before last.", "Me too."], "Please summarize that one.", [6, 7]),
    ],
)
def test_time_and_session_come_from_the_last_turn_that_tells_them(known, turns, question, meant):
    answer = known.ask(question, now=NOW, context=turns)
    assert numbers(answer) == meant
    assert answer.question == question
    assert answer.resolved not in ("", question)


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["We talked on March ninth."], "What did we discuss in our first session?"),
        (["We talked on March ninth."], "How many runs did I do?"),
        (["I went for a run on March ninth."], "Yes, please do."),
        ([], "What did we discuss?"),
    ],
)
def test_what_needs_no_turn_or_is_about_something_else_stays(known, turns, question):
    assert ChatContext(known, NOW).question(question, turns) is None


def test_the_topic_of_the_turn_is_kept(known):
    turns = ["I try to remember what Ada said about her puppy in February.", "Shall I look it up?"]
    assert ChatContext(known, NOW).question("Yes, please.", turns) == "what Ada said about her puppy in February?"


def test_turns_are_read_in_the_forms_that_contexts_have():
    told = ["a", {"speaker": "Ada", "text": "b"}, {"question": "c", "answer": "d"}, {"question": "e", "answer": [1]}, 7]
    assert said_in(told) == ["a", "b", "c", "d", "e"]
    assert said_in({"question": "a"}) == []


def test_a_batch_answers_after_the_turns_beside_a_question(tmp_path):
    batch, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    turns = [
        {"speaker": "Ada", "text": "We talked on March 5th."},
        {"speaker": "Ben", "text": "Would you like a recap?"},
    ]
    rows = [
        {"id": 1, "question": "Yes, please do.", "context": turns, "now": NOW.isoformat()},
        {"id": 2, "question": "What did we discuss in our last session?", "now": NOW.isoformat()},
    ]
    batch.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    ask_command(None, stored(tmp_path), None, False, False, 0, None, batch, out, None)
    first, second = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert [event["source_id"] for event in first["events"]] == ["4", "5"]
    assert [event["source_id"] for event in second["events"]] == ["8", "9"]
