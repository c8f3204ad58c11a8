"""Events of a period, and all that tells of somebody, are forgotten: no file has a word of them."""

from __future__ import annotations

import gzip
import json
from datetime import date, datetime
from pathlib import Path

import pytest

from reqap_kg.cli.app import run
from reqap_kg.config import Settings
from reqap_kg.engine.admin.forgetting_events import Period, forget_events
from reqap_kg.engine.admin.manage import status
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import UsageError
from reqap_kg.retrieval.people import load_people
from reqap_kg.store.generations import open_graph
from reqap_kg.store.vocabulary import packaged_vocabulary

NOW = datetime(2025, 1, 1, 12)
SETTINGS = Settings(home_zone="Europe/Oslo")
PROFILE = {
    "name": "Ada Lund",
    "birth_date": "1990-01-01",
    "friends": [{"name": "Quilla Brix"}, {"name": "Rolf Ek"}, {"name": "Rolf Berg"}],
    "nicknames": {"Quilla Brix": ["Quix"]},
}


def note(number: int, title: str, start: str, text: str) -> dict[str, object]:
    return {"id": str(number), "source": "note", "title": title, "start_datetime": start, "text": text}


ROWS = [
    note(1, "Kayak", "2023-05-01T10:00:00", "With Quilla."),
    note(2, "Tea", "2023-12-31T23:30:00", "QUIX came by."),
    note(3, "Chess", "2024-01-01T00:00:00", "Against Rolf Ek."),
    note(4, "Fixing", "2024-02-02T09:00:00", "The squilla-lamp."),
    note(5, "Dinner", "2024-03-03T19:00:00", "At eight.") | {"source": "calendar", "participants": ["Quilla Brix"]},
]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    for name, content in (("profile", PROFILE), ("rows", ROWS)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
        ingest([tmp_path / f"{name}.json"], tmp_path / "store", IngestOptions(SETTINGS, NOW, source=name))
    return tmp_path / "store"


def titles(store: Path) -> set[str]:
    with open_graph(store) as graph:
        return {row[0].value for row in graph.select("SELECT ?t { ?e a ev:Event ; ev:title ?t }") if row[0]} | {
            row[0].value for row in graph.select("SELECT ?t { ?e ev:title ?t }") if row[0]
        }


def has_word(store: Path, word: str) -> list[Path]:
    """The files of a store that have a word."""
    found: list[Path] = []
    for path in store.rglob("*"):
        if path.is_file():
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            found += [path] * (word.casefold().encode() in data.lower())
    return found


def test_a_period_goes_with_both_its_days(store: Path) -> None:
    found = forget_events(store, SETTINGS, Period(date(2023, 5, 1), date(2023, 12, 31)))
    assert found.events == {"rows": 2}
    assert titles(store) == {"Chess", "Fixing", "Dinner"}
    assert not has_word(store, "came by")
    (entry,) = [one for one in status(store, SETTINGS).sources if one.name == "rows"]
    assert entry.events == 3


@pytest.mark.parametrize("called", ["Quilla Brix", "quix", "Quilla"])
def test_somebody_goes_by_all_their_names(store: Path, called: str) -> None:
    assert has_word(store, "quilla brix")
    found = forget_events(store, SETTINGS, called)
    assert found.events == {"profile": 0, "rows": 3}
    assert {"Quilla Brix", "Quix", "Quilla"} == set(found.names)
    assert titles(store) == {"Chess", "Fixing"}
    for word in ("quilla brix", "quix", "with quilla", "came by"):
        assert not has_word(store, word), word
    with KnowledgeGraph.open(store, SETTINGS) as known:
        assert known.ask("How many notes did I write?", now=NOW).values == (2,)
    with open_graph(store) as graph:
        people = load_people(graph, packaged_vocabulary())
    assert not people.called("Quix")
    assert people.called("Rolf Ek")


def test_two_of_a_name_are_asked_about_and_nothing_goes(store: Path) -> None:
    with pytest.raises(UsageError, match="say which"):
        forget_events(store, SETTINGS, "Rolf")
    assert "Chess" in titles(store)
    assert forget_events(store, SETTINGS, "Rolf Ek").names == ("Rolf Ek",)
    assert "Chess" not in titles(store)


def test_somebody_whom_no_profile_names_goes_by_that_name(store: Path) -> None:
    assert forget_events(store, SETTINGS, "squill").events == {}
    assert forget_events(store, SETTINGS, "lamp").events == {"rows": 1}


@pytest.mark.parametrize("called", ["Ada Lund", "", "?", "x"])
def test_who_cannot_be_forgotten_is_told(store: Path, called: str) -> None:
    before = titles(store)
    with pytest.raises(UsageError):
        forget_events(store, SETTINGS, called)
    assert titles(store) == before


def test_a_dry_run_changes_nothing(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = status(store, SETTINGS).generation
    assert run(["forget", "--person", "Quix", "--dry-run", "--store", str(store)]) == 0
    said = capsys.readouterr().out
    assert "would forget 3 events in rows" in said
    assert "“Quilla”" in said
    assert status(store, SETTINGS).generation == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from", "May"], ["--person", "x", "--from", "2024-01-01"], ["rows", "--person", "Quix"],
        ["rows", "--dry-run"], ["--dialogues", "--derived"],
    ],
)  # fmt: skip
def test_wishes_that_do_not_go_together_are_refused(store: Path, arguments: list[str]) -> None:
    before = titles(store)
    assert run(["forget", *arguments, "--store", str(store)]) == 2
    assert titles(store) == before


def test_an_export_that_is_known_does_not_bring_back_what_was_forgotten(store: Path, tmp_path: Path) -> None:
    forget_events(store, SETTINGS, Period(last=date(2023, 12, 31)))
    ingest([tmp_path / "rows.json"], store, IngestOptions(SETTINGS, NOW, source="rows"))
    assert titles(store) == {"Chess", "Fixing", "Dinner"}
