"""EXTRACT for single events and in batches."""

import json
from datetime import datetime

import pytest
from typer.testing import CliRunner

from reqap_kg.cli.app import app
from reqap_kg.config import Settings
from reqap_kg.engine.admin.extraction import ExtractionRequest
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 1, 1, 12)
EVENTS = [
    {"id": 1, "source": "calendar", "start_date": "2024-03-13", "start_time": "19:00:00", "end_date": "2024-03-13",
     "end_time": "21:00:00", "summary": "Dinner w/ Otto & Maja", "location": "Trattoria Lupo",
     "description": "gnocchi!"},
    {"id": 2, "source": "mail", "start_date": "2024-03-14", "start_time": "08:00:00", "sender": "Nordhem",
     "recipient": "Tove Lind", "subject": "Your order", "text": "1 x Copper kettle  €49.00\nTotal: €49.00"},
    {"id": 3, "source": "workout", "start_date": "2024-03-15", "start_time": "07:00:00", "end_date": "2024-03-15",
     "end_time": "07:50:00", "workout_type": "running", "distance": 8.4},
]  # fmt: skip
PROFILE = {
    "name": "Tove Lind",
    "first_name": "Tove",
    "friends": [{"name": "Otto Berg", "nickname": "Otto"}],
    "siblings": [{"name": "Maja Lind", "relation": "sister"}],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("extraction")
    (folder / "observables.jsonl").write_text("\n".join(map(json.dumps, EVENTS)), encoding="utf-8")
    (folder / "profile.json").write_text(json.dumps(PROFILE), encoding="utf-8")
    target = folder / "store"
    ingest([folder / "observables.jsonl", folder / "profile.json"], target, IngestOptions(Settings(), NOW))
    return target


def test_many_requests_are_answered_in_order(store):
    asked = [
        ExtractionRequest("1", "participants", "list"),
        ExtractionRequest("2", "amount_spent", "float"),
        ExtractionRequest("1", "cuisine"),
        ExtractionRequest("1", "event_date", "date"),
        ExtractionRequest("3", "workout_type"),
        ExtractionRequest("3", "distance", "float"),
        ExtractionRequest("1", "place"),
        ExtractionRequest("2", "product"),
        ExtractionRequest("2", "cuisine"),
        ExtractionRequest("9", "cuisine"),
        ExtractionRequest("1", "cuisine", "colour"),
    ]
    with KnowledgeGraph.open(store) as known:
        found = known.extract_many(asked, now=NOW)
    assert [(one.value, one.evidence) for one in found[:8]] == [
        (["Otto Berg", "Maja Lind"], "Otto, Maja"),
        (49, "€49.00"),
        ("Italian", "Trattoria"),
        ("2024-03-13", None),
        ("running", "running"),
        (8.4, "8.4"),
        ("Trattoria Lupo", "Trattoria Lupo"),
        ("Copper kettle", "Copper kettle"),
    ]
    assert (found[8].value, found[8].error) == (None, None)
    assert "no event has the source id '9'" in str(found[9].error)
    assert "unknown type 'colour'" in str(found[10].error)


def test_one_event_is_read_by_its_source_id(store):
    with KnowledgeGraph.open(store) as known:
        found, none = known.extract_many(
            [ExtractionRequest("1", "dish", "str"), ExtractionRequest("none", "dish", "str")], now=NOW
        )
    assert (found.value, found.evidence) == ("gnocchi", "gnocchi")
    assert none.error == "no event has the source id 'none'"


def test_a_batch_goes_on_past_bad_lines_and_is_refused_with_a_broken_one(store, tmp_path):
    lines = [
        '{"id": "a", "event": 1, "key": "cuisine", "type": "str"}',
        '{"id": "b", "event": 1}',
        '{"id": "c", "event": 404, "key": "cuisine"}',
        '{"id": "d", "event": 2, "key": "shop", "type": "str"}',
    ]
    batch, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text("\n".join([*lines, "{broken"]), encoding="utf-8")
    command = ["extract", "--store", str(store), "--batch", str(batch), "--out", str(out)]
    assert CliRunner().invoke(app, command).exit_code != 0
    assert not out.exists()
    batch.write_text("\n".join(lines), encoding="utf-8")
    assert CliRunner().invoke(app, command).exit_code == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(row["id"], row["value"], "error" in row) for row in rows] == [
        ("a", "Italian", False),
        ("b", None, True),
        ("c", None, True),
        ("d", "Nordhem", False),
    ]


def test_without_texts_only_the_keys_of_events_are_read(store):
    """The ablation `bench run --keys-only`."""
    asked = [
        ExtractionRequest("3", "workout_type"),
        ExtractionRequest("1", "cuisine"),
        ExtractionRequest("1", "participants", "list"),
    ]
    with KnowledgeGraph.open(store, Settings(read_texts=False)) as known:
        found = known.extract_many(asked, now=NOW)
    assert [one.value for one in found] == ["running", None, None]
