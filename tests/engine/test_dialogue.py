"""Dialogues that are kept apart: journal, asking what was asked, killed processes, stores of older versions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.admin.doctor import Outcome, examine
from reqap_kg.engine.admin.manage import status
from reqap_kg.engine.conversation.dialogue import Dialogue
from reqap_kg.engine.conversation.journal import Journal, Message
from reqap_kg.engine.conversation.kept import forget_dialogues, kept_in, opened_graph, read_dialogues
from reqap_kg.engine.importing.catalog import catalog_quads
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.importing.report import SourceReport
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import SourceError, StoreError
from reqap_kg.ontology.namespaces import EV, RDF_TYPE, catalog_graph, source_graph
from reqap_kg.store.generations import begin_import, open_graph
from reqap_kg.store.rdf import Literal, NamedNode, Quad, write_nquads

NOW = datetime(2024, 6, 1, 12)
SETTINGS = Settings(encoder="/no/such/model")
TURNS = """SELECT ?session ?position ?sender ?text { ?e a ev:ChatMessage ; ev:session ?session ;
  ev:positionInSession ?position ; ev:sender ?sender ; ev:text ?text } ORDER BY ?session ?position"""
QUESTION = "How many workouts did I do in 2024?"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    runs = [
        {"source": "workout", "workout_type": "running", "start_date": f"2024-03-0{day}", "start_time": "08:00:00"}
        for day in range(1, 6)
    ]
    (tmp_path / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    ingest([tmp_path / "runs.json"], tmp_path / "store", IngestOptions(SETTINGS, NOW))
    return tmp_path / "store"


def told(store: Path) -> list[tuple[str, ...]]:
    """What was said, as the dialogues have it."""
    with open_graph(read_dialogues(store, SETTINGS, now=NOW)) as graph:
        return [tuple(term.value if term else "" for term in row) for row in graph.select(TURNS)]


def events_of(store: Path) -> set[str]:
    """Every event of the life, and of which class."""
    with open_graph(store) as graph:
        return {str(row) for row in graph.select("SELECT ?e ?class { ?e ev:source ?s ; a ?class }")}


def test_a_dialogue_is_kept(store: Path) -> None:
    with Dialogue.open(store, SETTINGS) as dialogue:
        assert dialogue.ask(QUESTION, now=NOW).answer is not None
        dialogue.ask("And in 2023?", now=NOW + timedelta(minutes=2))
        dialogue.ask("Xyzzy frobnicates?", now=NOW + timedelta(hours=2))
    found = told(store)
    assert [row[:3] for row in found] == [
        ("1", "1", "me"),
        ("1", "2", "reqap-kg"),
        ("1", "3", "me"),
        ("1", "4", "reqap-kg"),
        ("2", "1", "me"),
        ("2", "2", "reqap-kg"),
    ]
    assert found[0][3] == QUESTION
    assert "5" in found[1][3]
    kept = status(store, SETTINGS).dialogues
    assert (kept.dialogues, kept.questions) == (2, 3)


def test_it_is_no_event_of_the_life(store: Path) -> None:
    before, generation = events_of(store), (store / "CURRENT").read_text(encoding="ascii")
    with Dialogue.open(store, SETTINGS) as dialogue:
        dialogue.ask(QUESTION, now=NOW)
        dialogue.ask("What did I ask you today?", now=NOW)
    assert events_of(store) == before
    assert (store / "CURRENT").read_text(encoding="ascii") == generation
    found = status(store, SETTINGS)
    assert [entry.name for entry in found.sources] == ["runs"]
    assert dict(found.classes) == {"workout": 5}


@pytest.mark.long
def test_one_can_ask_what_was_asked(store: Path) -> None:
    day = timedelta(days=1)
    with Dialogue.open(store, SETTINGS) as dialogue:
        dialogue.ask(QUESTION, now=NOW - day)
        dialogue.ask("Xyzzy frobnicates?", now=NOW)
        asked = dialogue.ask("What did I ask you yesterday?", now=NOW + timedelta(hours=1)).answer
        assert asked is not None
        assert asked.values == (QUESTION,)
        assert any("kept apart" in note for note in asked.notes)
        again = dialogue.ask("How many questions did I ask you?", now=NOW + timedelta(hours=2)).answer
        assert again is not None
        assert again.values == (3,)  # the one that is being asked is none of them
    with KnowledgeGraph.open(store, SETTINGS) as known:
        assert known.ask("When did we talk about my workouts?", now=NOW).values[0] == "2024-05-31"
        assert 'attr["sender"] == "me"' in known.plan("What did I ask you yesterday?", now=NOW).tree


@pytest.mark.long
def test_a_killed_dialogue_is_kept(store: Path) -> None:
    code = f"""
import os, signal
from datetime import datetime
from pathlib import Path
from reqap_kg.config import Settings
from reqap_kg.engine.conversation.dialogue import Dialogue
now = datetime(2024, 6, 1, 12)
with Dialogue.open(Path({str(store)!r}), Settings(encoder="/no/such/model")) as dialogue:
    dialogue.ask({QUESTION!r}, now=now)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False)
    assert ended.returncode == -signal.SIGKILL
    with (store / "dialogue.jsonl").open("ab") as journal:
        journal.write(b'{"reqap_kg_turn": 9, "ti')  # and it was killed while it wrote
    assert kept_in(store, SETTINGS).questions == 1
    with Dialogue.open(store, SETTINGS) as dialogue:
        dialogue.ask("How many workouts did I do in 2023?", now=NOW + timedelta(minutes=1))
        about = dialogue.ask("What did I ask you yesterday?", now=NOW + timedelta(minutes=2))
        assert "line 3 of dialogue.jsonl" in str(about.failure)
    assert [finding.part for finding in examine(store, SETTINGS) if finding.outcome is Outcome.DAMAGED] == ["journal"]
    mended = [finding.part for finding in examine(store, SETTINGS, repair=True) if finding.outcome is Outcome.MENDED]
    assert mended == ["journal"]
    assert [row[2] for row in told(store)] == ["me", "reqap-kg"] * 3


def is_told(journal: Journal) -> bool:
    """Whether the journal is told to be damaged, and what to do."""
    try:
        journal.check()
    except StoreError as bad:
        return str(bad).endswith("reqap-kg doctor --repair mends what can be mended")
    return False


def test_each_line_is_as_it_was_written_or_told(store: Path) -> None:
    journal = Journal(store)
    said = [
        Message("me", "Wie spät ist es?", NOW),
        Message("reqap-kg", "nothing\nmatched", NOW),
        Message("me", "And?", NOW),
    ]
    for message in said:
        journal.add(message.sender, message.text, message.at)
    journal.check()
    assert list(journal.messages()) == said
    whole = journal.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    ends = {b"".join(lines[:number]): number for number in range(len(lines))}
    for place, byte in enumerate(whole):
        flipped = bytes([byte ^ 1 << place % 8])
        for held in (whole[:place] + flipped + whole[place + 1 :], whole[:place] + whole[place + 1 :], whole[:place]):
            journal.path.write_bytes(held)
            found = list(journal.messages())
            assert all(message in said for message in found)
            assert is_told(journal) or found == said[: ends.get(held, len(said))]  # it may end after any line
    journal.path.write_bytes(lines[0] + lines[2])
    with pytest.raises(StoreError, match="stands elsewhere than it was written"):
        journal.check()
    journal.rewrite(journal.messages())
    journal.check()
    assert list(journal.messages()) == [said[0], said[2]]


def test_lines_of_older_versions_are_read(store: Path) -> None:
    line = {"reqap_kg_turn": 0, "time": "2024-06-01T12:00:00", "sender": "me", "text": "Hello"}
    (store / "dialogue.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    Journal(store).add("reqap-kg", "Good day", NOW)
    Journal(store).check()
    assert told(store) == [("1", "1", "me", "Hello"), ("1", "2", "reqap-kg", "Good day")]


def test_dialogues_can_be_forgotten_or_not_be_kept_at_all(store: Path) -> None:
    with Dialogue.open(store, SETTINGS) as dialogue:
        dialogue.ask(QUESTION, now=NOW)
    assert told(store)
    assert forget_dialogues(store, SETTINGS).questions == 1
    assert kept_in(store, SETTINGS).questions == 0
    assert not list(store.rglob("dialogue*"))
    with Dialogue.open(store, SETTINGS.model_copy(update={"keep_dialogue": False})) as dialogue:
        dialogue.ask(QUESTION, now=NOW)
    assert not list(store.rglob("dialogue*"))


def test_only_the_owner_can_read_what_was_said(store: Path) -> None:
    before = os.umask(0)
    try:
        Journal(store).add("me", "Hello", NOW)
    finally:
        os.umask(before)
    assert (store / "dialogue.jsonl").stat().st_mode & 0o777 == 0o600


def test_the_journal_is_no_export(store: Path, tmp_path: Path) -> None:
    Journal(store).add("me", "Hello", NOW)
    Journal(store).add("reqap-kg", "Good day", NOW)
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "chat.jsonl").write_bytes((store / "dialogue.jsonl").read_bytes())
    with pytest.raises(SourceError, match="no events of your life"):
        ingest([folder / "chat.jsonl"], store, IngestOptions(SETTINGS, NOW))
    report = ingest([folder], store, IngestOptions(SETTINGS, NOW))
    assert not report.sources
    assert "kept apart" in report.refused[0].reason


@pytest.mark.long
@pytest.mark.parametrize("lines", [0, 1, 2])
def test_dialogues_among_the_events_of_an_older_store_are_set_apart(store: Path, tmp_path: Path, lines: int) -> None:
    before = events_of(store)
    for sender, text in (("me", "Who am I?"), ("reqap-kg", "Nobody knows."))[:lines]:
        Journal(store).add(sender, text, NOW)
    (store / "dialogue.kept").write_text("200\n", encoding="ascii")
    as_older_versions_did(store, tmp_path / "old.nq")
    assert events_of(store) != before
    with opened_graph(store, SETTINGS) as graph:
        assert not graph.ask("ASK { ?e a ev:DialogueTurn }")
    assert events_of(store) == before
    assert [row[2:] for row in told(store)] == [("me", "Who am I?"), ("reqap-kg", "Nobody knows.")]
    found = status(store, SETTINGS)
    assert [entry.name for entry in found.sources] == ["runs"]
    assert found.dialogues.questions == 1
    assert forget_dialogues(store, SETTINGS).questions == 1
    assert not list(store.rglob("dialogue*"))
    assert not [path for path in store.rglob("*") if path.is_file() and b"Nobody knows" in path.read_bytes()]


def as_older_versions_did(store: Path, file: Path) -> None:
    """Dialogues as a source of the store, whose name is reqap-kg."""
    source, graph = NamedNode(source_graph("reqap-kg")), NamedNode(catalog_graph("reqap-kg"))
    rows: list[Quad] = []
    for place, (sender, text) in enumerate((("me", "Who am I?"), ("reqap-kg", "Nobody knows."))):
        event = NamedNode(f"https://example.org/turn/{place}")
        values = {
            "start": Literal("2024-06-01T12:00:00", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#dateTime")),
            "sender": Literal(sender),
            "text": Literal(text),
            "positionInLog": Literal(place),
            "source": Literal("reqap-kg"),
        }
        rows.append(Quad(event, NamedNode(RDF_TYPE), NamedNode(EV + "DialogueTurn"), source))
        rows += [Quad(event, NamedNode(EV + name), value, source) for name, value in values.items()]
    report = SourceReport("reqap-kg", "dialogue", digest="0", records=2, events=2)
    write_nquads(file, [*rows, *catalog_quads(report, home_zone="UTC", now=NOW)])
    with begin_import(store) as new:
        new.build(frozenset({source.value, graph.value}), [file])
        new.commit()
