"""The baseline that reads: what it is given, what it makes of it, and where nothing is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from reqap_kg.bench.baselines.rag import is_here, open_rag
from reqap_kg.bench.baselines.wording import Wanted, read_wording
from reqap_kg.config import LanguageModel, Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.evaluation.suites.base import Life, Question
from reqap_kg.evaluation.systems import System, Tracing, answered

NOW = datetime(2024, 6, 30, 12)
LIFE = Life("x", (), NOW, ())


def records() -> Iterator[dict[str, Any]]:
    """Songs of two artists and four cups of coffee with Ruth, one of them two years before."""
    for day in range(12):
        on = (date(2024, 1, 1) + timedelta(days=5 * day)).isoformat()
        artist = "Low Tide" if day % 3 else "Ida Vane"
        yield {
            "source": "music_stream",
            "start_date": on,
            "start_time": "09:00:00",
            "end_date": on,
            "end_time": "09:04:00",
            "song_name": f"Kites {day % 4}",
            "song_artist": [artist],
            "duration": 240,
        }
    for on in ("2022-02-03", "2024-02-01", "2024-03-07", "2024-05-02"):
        yield {
            "source": "calendar",
            "start_date": on,
            "start_time": "15:30:00",
            "end_date": on,
            "end_time": "16:30:00",
            "summary": "Coffee with Ruth",
            "location": "Alba",
        }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rag")
    rows = (json.dumps({"id": number, **record}) for number, record in enumerate(records()))
    (folder / "observables.jsonl").write_text("\n".join(rows), encoding="utf-8")
    ingest([folder / "observables.jsonl"], folder / "store", IngestOptions(Settings(home_zone="UTC"), NOW))
    return folder / "store"


def asked(system: System, text: str) -> list[Any]:
    return list(answered(system, Question("q", text, NOW)).answer)


@pytest.mark.model
def test_it_counts_dates_and_names_what_it_retrieved(store: Path) -> None:
    with KnowledgeGraph.open(store) as known:
        system = open_rag(known, LIFE, Tracing())
        assert asked(system, "How often did I have coffee with Ruth?") == [4]
        assert asked(system, "How often did I have coffee with Ruth in 2024?") == [3]
        assert asked(system, "When did I last have coffee with Ruth?") == ["2024-05-02"]
        assert asked(system, "When did I first have coffee with Ruth?") == ["2022-02-03"]
        assert asked(system, "Where do I usually have coffee with Ruth?") == ["Alba"]
        assert asked(system, "What time was my coffee with Ruth?") == ["15:30"]
        assert asked(system, "Did I have coffee with Ruth?") == [True]
        assert asked(system, "Which artist do I listen to most?") == ["Low Tide"]
        assert asked(system, "How many minutes of Ida Vane did I listen to in total?") == [16]
        assert asked(system, "How many different artists did I hear playing Kites?") == [2]


@pytest.mark.parametrize(
    ("question", "wanted", "noun"),
    [
        ("How many songs did I play?", Wanted.COUNT, "songs did i play"),
        ("how far did I run in 2023", Wanted.AMOUNT, "distance"),
        ("How many hours did I sleep?", Wanted.AMOUNT, "duration"),
        ("In which month did I swim?", Wanted.MONTH, ""),
        ("what day of the week was it?", Wanted.WEEKDAY, ""),
        ("Who came?", Wanted.VALUE, "who"),
        ("Have I been to Oslo?", Wanted.TRUTH, ""),
        ("top artist of the year", Wanted.VALUE, "top artist of the year"),
    ],
)
def test_the_wording_says_what_is_wanted(question: str, wanted: Wanted, noun: str) -> None:
    found = read_wording(question, NOW)
    assert (found.wanted, found.noun) == (wanted, noun)


def test_the_wording_says_which_time_is_meant() -> None:
    assert read_wording("runs in 2023", NOW).covers(date(2023, 12, 31))
    assert not read_wording("runs in 2023", NOW).covers(date(2024, 1, 1))
    assert read_wording("runs since 2023", NOW).covers(date(2024, 1, 1))
    last = read_wording("songs last month", NOW)
    assert (last.since, last.until, last.order) == (date(2024, 5, 1), date(2024, 5, 31), "")
    assert read_wording("runs in March", NOW).covers(date(2020, 3, 2))
    assert not read_wording("runs in March", NOW).covers(None)


class _Server(BaseHTTPRequestHandler):
    seen: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        self.seen.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = json.dumps({"choices": [{"message": {"content": "- Alba\n- the harbour"}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.mark.model
def test_a_language_model_on_this_machine_reads_what_was_retrieved(store: Path) -> None:
    server = HTTPServer(("127.0.0.1", 0), _Server)
    Thread(target=server.serve_forever, daemon=True).start()
    model = LanguageModel(address=f"http://127.0.0.1:{server.server_port}/v1", model="small")
    try:
        # Rules alone: who answers is the baseline, which plans nothing.
        with KnowledgeGraph.open(store, Settings(language_model=model, proposers=("rules",))) as known:
            assert asked(open_rag(known, LIFE, Tracing()), "Where do I have coffee?") == ["Alba", "the harbour"]
    finally:
        server.shutdown()
    prompt = _Server.seen[0]["messages"][0]["content"]
    assert "Coffee with Ruth" in prompt
    assert "Where do I have coffee?" in prompt


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://localhost:8080/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://[::1]:1/v1", True),
        ("https://models.example.org/v1", False),
        ("http://10.0.0.7:8000/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1@models.example.org/v1", False),
    ],
)
def test_what_was_retrieved_is_never_sent_to_another_machine(address: str, here: bool) -> None:
    assert is_here(address) is here


@pytest.mark.model
def test_with_an_address_elsewhere_the_extractive_reader_reads(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("something was sent")

    monkeypatch.setattr("reqap_kg.models.planning.language.AddressModel.complete", refused)
    elsewhere = LanguageModel(address="https://models.example.org/v1", model="large")
    with KnowledgeGraph.open(store, Settings(language_model=elsewhere, proposers=("rules",))) as known:
        found = open_rag(known, LIFE, Tracing())(Question("q", "How often coffee with Ruth?", NOW))
        assert found.answer == (4,)
        assert found.more["reader"] == "extractive"
