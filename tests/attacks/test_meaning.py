"""What an answer counts: records and not what texts tell, the past and not what is to come, whether or not texts were
read ahead. Every question of the demo life, and those of meaning_questions.txt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from reqap_kg.cli.app import run
from reqap_kg.engine.answers.answer import TOLD, Answer
from reqap_kg.engine.importing.precompute import ahead
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.planner.search.tense import Tense, tense_of

NOW = datetime(2025, 3, 1, 12)
DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo" / "questions.jsonl"
OWN = Path(__file__).with_name("meaning_questions.txt")
SHORT = (
    "How many runs have I done this year?",
    "How many times did I play football in March 2024?",
    "How many kilometres have I run this year?",
    "What was my longest run?",
    "When did I last go running?",
    "What was the last film I watched?",
    "How much did I spend on Amazon in 2024?",
    "How many appointments did I have this week?",
    "How many appointments have I had?",
    "What was my last appointment?",
    "When did I last have football in my calendar?",
    "How often was football in my calendar?",
)
"""Those that no search answers, which takes seconds each."""
COMING = (
    "Dentist: check-up", "Football ⚽", "Run w/ Noukie", "Concert: Gwenno", "Dinner at La Rana", "Swim", "Film: Flow",
    "Physio, ankle", "Wedding of T&G", "Trip to Wales", "Sushi with Leila", "Dentist: filling",
)  # fmt: skip


def questions() -> list[str]:
    """All of the demo life and those written for this."""
    demo = [json.loads(line)["question"] for line in DEMO.read_text(encoding="utf-8").splitlines()]
    own = [line for line in OWN.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [*demo, *own]


@dataclass(frozen=True)
class Said:
    """What an answer comes to; of a question that nobody reads nothing."""

    values: tuple[object, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def ask(known: KnowledgeGraph, question: str) -> Said:
    """The answer to a question."""
    try:
        found = known.ask(question, now=NOW)
    except NotUnderstood:
        return Said()
    return Said(found.values, found.notes, found.warnings)


def is_searched(answer: Said) -> bool:
    """Whether the events of an answer were found by a search of texts."""
    return any("was searched" in note for note in answer.notes)


def calendar() -> str:
    """A calendar of what is to come, from the next hour on."""
    entries = []
    for number in range(60):
        at = NOW + timedelta(hours=1 + 31 * number)
        title = COMING[number % len(COMING)]
        entries.append(
            f"BEGIN:VEVENT\r\nUID:coming-{number}@example.org\r\nSUMMARY:{title}\r\nDTSTART:{at:%Y%m%dT%H%M%S}\r\n"
            f"DTEND:{at + timedelta(hours=1):%Y%m%dT%H%M%S}\r\nEND:VEVENT\r\n"
        )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//coming//EN\r\n{''.join(entries)}END:VCALENDAR\r\n"


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def later(imported_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    """The demo life with much to come."""
    folder = tmp_path_factory.mktemp("later")
    store = Path(copytree(imported_demo, folder / "store"))
    (folder / "coming.ics").write_text(calendar(), encoding="utf-8", newline="")
    assert run(["ingest", str(folder / "coming.ics"), "--store", str(store), "--now", NOW.isoformat()]) == 0
    with KnowledgeGraph.open(store) as opened:
        yield opened


@pytest.fixture(scope="module")
def asked(full_attack: bool) -> list[str]:
    """The questions that are put."""
    return [*SHORT, *questions()] if full_attack else list(SHORT)


def test_what_is_to_come_changes_no_answer_about_the_past(
    known: KnowledgeGraph, later: KnowledgeGraph, asked: list[str]
) -> None:
    past = [question for question in asked if tense_of(question).tense is Tense.PAST]
    assert len(past) >= 10
    before, after = ({question: ask(one, question) for question in past} for one in (known, later))
    other = [question for question in past if after[question].values != before[question].values]
    # A search classifies key-value pairs that many events have; of more events, more pairs are that frequent.
    assert [question for question in other if not is_searched(before[question])] == []
    assert len(other) <= 0.02 * len(past)


def test_without_the_tense_it_would(known: KnowledgeGraph, later: KnowledgeGraph) -> None:
    for question in ("How many appointments have I had?", "What was my last appointment?"):
        tree = 'APPLY(l=RETRIEVE(query="appointments I had"), fct=len)'
        assert known.run(tree, now=NOW).values != later.run(tree, now=NOW).values
        assert any(note == "up to 2025-03-01 12:00" for note in later.ask(question, now=NOW).notes)


def test_what_is_next_begins_now(later: KnowledgeGraph) -> None:
    assert later.ask("What is my next appointment?", now=NOW).values == ("Dentist: check-up",)
    assert later.ask("When is my next appointment?", now=NOW).values == ("2025-03-01",)


def test_an_answer_is_the_same_before_and_after_reading_ahead_or_says_why_not(
    known: KnowledgeGraph,
    imported_demo: Path,
    tmp_path_factory: pytest.TempPathFactory,
    asked: list[str],
    full_attack: bool,
) -> None:
    if not full_attack:
        pytest.skip("reading the texts of the demo life ahead takes a minute: --attacks full")
    store = Path(copytree(imported_demo, tmp_path_factory.mktemp("read") / "store"))
    with KnowledgeGraph.open(store) as read:
        ahead(read._context(NOW))  # pyright: ignore[reportPrivateUsage]
        for question in asked:
            first, second = ask(known, question), ask(read, question)
            explained = any("texts were not read ahead" in note for note in first.notes)
            assert first.values == second.values or explained, question
        _of_records_and_texts(read)


def _of_records_and_texts(read: KnowledgeGraph) -> None:
    """What the watch shows is counted, and what only texts tell, each happening once; which is which is said."""
    for question, shown, both in (
        ("How many runs did I do in 2023?", 39, 40),
        ("How many times did I play football in March 2024?", 3, 4),
    ):
        answer = read.ask(question, now=NOW)
        assert answer.values == (both,)
        assert answer.told is not None
        assert answer.told.recorded == (shown,)
        assert f"By records alone: {shown}." in answer.text
        assert {event.basis for event in answer.told.events} == {TOLD}
    far = read.ask("How many kilometres have I run this year?", now=NOW)
    assert far.values == (52.12,)
    assert far.told is None or far.told.recorded == far.values


def test_what_nothing_records_is_counted_as_it_is_told(known: KnowledgeGraph, full_attack: bool) -> None:
    if not full_attack:
        pytest.skip("a search reads all texts of the demo life: --attacks full")
    found: Answer = known.ask("How many times have I been to the dentist?", now=NOW)
    assert found.values == (5,)
    assert {event.basis for event in found.events} == {TOLD}
    assert "told in texts or calendar entries" in found.text
    assert found.as_json()["events"][0]["basis"] == TOLD
