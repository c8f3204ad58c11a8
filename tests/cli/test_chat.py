"""`reqap-kg chat` by a pipe, and what it completes at a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from small_lives import life

from reqap_kg.cli.app import run
from reqap_kg.cli.chat import COMMANDS
from reqap_kg.cli.chat_input import completions, prompted
from reqap_kg.store.folder import private_files

NOW = "2024-06-30T12:00:00"
Say = Callable[..., str]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Say:
    """A chat of these lines, and what it prints."""
    store = ["--store", str(tmp_path / "store"), "--now", NOW]
    assert run(["ingest", str(life(tmp_path / "life")), *store]) == 0
    capsys.readouterr()

    def chat(*lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert run(["chat", *store]) == 0
        return capsys.readouterr().out

    return chat


@pytest.mark.long
def test_follow_ups_are_shown_as_they_are_read(say: Say) -> None:
    said = say("How many times did I go running in 2024?", "And cycling?", "When was that?")
    assert "> How many times did I go running in 2024?\n3 running workouts in 2024, by Observables." in said
    assert "read as: How many times did I go cycling in 2024?\n1 cycling workout in 2024, by Observables." in said
    assert "Sunday, 10 March 2024" in said


def test_an_offer_of_its_own_is_accepted(say: Say) -> None:
    said = say("How many times did I go running in 2024?", "yes please")
    assert "Shall I list them?" in said
    assert said.index("Shall I list them?") < said.index("read as: ")
    assert said.count("2024-01-10 07:00") == 2


def test_commands_show_what_is_behind_the_last_answer(say: Say) -> None:
    said = say(
        "/plan", "How many times did I go running?", "/why", "/plan", "/sparql", "/events 1", "/help", "/nothing"
    )
    assert "> /plan\nnothing was answered yet" in said
    assert "planned by rules" in said
    assert 'RETRIEVE(query="I went running")' in said
    assert "up to 20" in said  # the past stops at now
    assert "SELECT" in said
    assert "… 2 more events" in said
    assert all(name in said for name in COMMANDS)
    assert "there is no /nothing; /help lists commands" in said


def test_a_new_conversation_leans_on_nothing(say: Say) -> None:
    said = say("How many times did I go running in 2024?", "/new", "And cycling?")
    assert "a new conversation" in said
    assert "read as" not in said


def test_what_is_not_understood_ends_nothing(say: Say) -> None:
    said = say("Why do I run?", "", "How many times did I go running?", "/quit", "How many workouts did I do?")
    assert "> Why do I run?\nThis asks for a cause" in said
    assert "3 running workouts" in said
    assert "How many workouts" not in said


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("/e", [("/events", 2)]),
        ("/events 1", []),
        ("how many songs by Gw", [("Gwenno", 2)]),
        ("songs by cate l", [("Cate Le Bon", 6)]),
        ("I", []),
        ("", []),
        ("Gwenno", []),
    ],
)
def test_completion(typed: str, offered: list[tuple[str, int]]) -> None:
    names = ["Gwenno", "Cate Le Bon", "Low"]
    assert list(completions(typed, list(COMMANDS), lambda: names)) == offered


def test_lines_at_a_terminal_are_kept(tmp_path: Path) -> None:
    history = tmp_path / "history"
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("first question\r\x03second question\r\x04")
        assert list(prompted(history, list(COMMANDS), list)) == ["first question", "second question"]
    kept = history.read_text(encoding="utf-8")
    assert "+first question" in kept
    assert "+second question" in kept


def test_a_question_is_taken_back(say: Say) -> None:
    said = say("/undo", "How many times did I go running in 2024?", "what about cycling?", "/undo", "And in 2023?")
    assert "> /undo\nnothing was asked yet" in said
    assert "“what about cycling?” is taken back: “How many times did I go running in 2024?” is the last" in said
    assert "leans on question 1, “How many times did I go running in 2024?”" in said
    assert "read as: How many times did I go running in 2023?" in said


def test_an_unknown_command_suggests_the_nearest(say: Say) -> None:
    assert "there is no /evnts; did you mean /events? /help lists commands" in say("/evnts")


def test_what_is_kept_is_said_and_can_be_forgotten(
    say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ["--store", str(tmp_path / "store")]
    journal = tmp_path / "store" / "dialogue.jsonl"
    say("How many times did I go running in 2024?")
    assert journal.is_file()
    kept = journal.read_bytes()
    say("How many times did I go cycling?", "/forget")
    assert journal.read_bytes() == kept
    assert run(["status", *store]) == 0
    assert "1 dialogue, 1 question asked of reqap-kg" in capsys.readouterr().out
    assert run(["forget", "--dialogues", *store]) == 0
    assert "forgot 1 dialogue with reqap-kg, 1 question" in capsys.readouterr().out
    assert not journal.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("How many times did I go running?\n"))
    assert run(["chat", "--no-keep", *store, "--now", NOW]) == 0
    assert "Nothing of this chat is kept." in capsys.readouterr().err
    assert not journal.exists()


def test_the_history_of_the_prompt_is_private_or_none(tmp_path: Path) -> None:
    history = tmp_path / "history"
    for kept in (history, None):
        with private_files(), create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
            keys.send_text("a question\r\x04")
            assert list(prompted(kept, list(COMMANDS), list)) == ["a question"]
    assert history.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [history]
