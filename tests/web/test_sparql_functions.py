"""rq:matches and rq:extract in queries of clients: the same as in this process, in every format, over any dataset."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from time import monotonic, sleep
from typing import Any

import pytest
from derived_life import DINNERS, without_weights
from derived_life import NOW as THEN
from sparql_endpoint import NOW, served
from starlette.testclient import TestClient

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import QueryTimeout
from reqap_kg.store.queries.results import ResultFormat
from reqap_kg.web.holding import Held
from reqap_kg.web.sparql.endpoint import _Endpoint

SETTINGS = Settings(home_zone="Europe/Oslo")
DINED = f'SELECT DISTINCT ?e {{ ?e ev:source ?s FILTER(rq:matches(?e, "{DINNERS}")) }} ORDER BY ?e'


@pytest.fixture(scope="module")
def store(small_life: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small life that is this module's own."""
    return Path(copytree(small_life, tmp_path_factory.mktemp("life") / "store"))


@pytest.fixture(scope="module")
def expected(store: Path) -> str:
    """What the engine says of the dinners."""
    with pytest.MonkeyPatch.context() as patch:
        without_weights(patch)
        with KnowledgeGraph.open(store, SETTINGS) as known:
            return str(known.sparql_text(DINED, ResultFormat.CSV, now=THEN).value)


@pytest.fixture(scope="module")
def client(store: Path, expected: str) -> Iterator[TestClient]:
    """A client of the small life, of a service without the encoder."""
    with pytest.MonkeyPatch.context() as patch:
        without_weights(patch)
        with served(store, SETTINGS) as made:
            yield made


def _asked(client: TestClient, query: str, accept: str = "text/csv", **more: str) -> Any:
    return client.get("/sparql", params={"query": query, **more}, headers={"Accept": accept})


def test_matches_says_what_it_says_in_this_process(client, expected):
    found = _asked(client, DINED)
    assert found.text == expected
    assert len(found.text.split()) == 3
    assert "etag" not in found.headers
    assert found.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize("accept", ["application/sparql-results+xml", "application/sparql-results+json"])
def test_matches_in_every_format_of_rows(client, expected, accept):
    found = _asked(client, DINED, accept)
    assert found.headers["content-type"] == accept
    assert all(iri in found.text for iri in expected.split()[1:])


def test_matches_in_triples(client, expected):
    query = DINED.replace("SELECT DISTINCT ?e", "CONSTRUCT { ?e a <urn:dinner> }").replace("ORDER BY ?e", "")
    found = _asked(client, query, "application/n-triples").text
    assert {line.split()[0].strip("<>") for line in found.splitlines()} == set(expected.split()[1:])


def test_matches_over_a_dataset(client, expected):
    graphs = _asked(client, "SELECT DISTINCT ?g { GRAPH ?g { ?e ev:source ?s } }").text.split()[1:]
    parts = [_asked(client, DINED, **{"default-graph-uri": graph}).text.split()[1:] for graph in graphs]
    assert sorted(iri for part in parts for iri in part) == expected.split()[1:]
    assert [] in parts
    own = [_asked(client, DINED.replace("{", f"FROM <{graph}> {{", 1)).text.split()[1:] for graph in graphs]
    assert own == parts


def test_a_wrong_call_is_told_with_its_place(client):
    found = _asked(client, "ASK {\n FILTER(rq:matchez(?e, 'runs')) }")
    assert found.status_code == 400
    assert found.text.startswith("line 2, column 9: there is no function rq:matchez")
    assert "did you mean rq:matches?" in found.text


def test_what_takes_too_long_is_told_without_words_of_the_command_line(client, monkeypatch):
    def slow(*_: object, **__: object) -> None:
        raise QueryTimeout("the query passed its limit; raise --timeout")

    monkeypatch.setattr(KnowledgeGraph, "evaluated", slow)
    found = _asked(client, DINED, timeout="7")
    assert (found.status_code, found.text) == (504, "the query passed its limit of 7 s\n")


def test_what_is_retrieved_counts_towards_the_limit(client, monkeypatch):
    def slow(*_: object, **__: object) -> None:
        end = monotonic() + 10
        while monotonic() < end:
            sleep(0.01)

    monkeypatch.setattr(KnowledgeGraph, "evaluated", slow)
    begin = monotonic()
    found = _asked(client, DINED, timeout="0.3")
    assert (found.status_code, found.text) == (504, "the query passed its limit of 0.3 s\n")
    assert monotonic() - begin < 5


def test_work_of_a_client_that_is_gone_is_stopped(small_life, tmp_path):
    """Nobody else could ask the engine while it goes on."""
    begun, ended = threading.Event(), threading.Event()

    def endless(*_: object, **__: object) -> None:
        begun.set()
        try:
            while True:
                sleep(0.01)
        finally:
            ended.set()

    async def asked_and_gone(held: Held) -> None:
        async def receive() -> dict[str, str]:
            await asyncio.to_thread(begun.wait, 30)
            return {"type": "http.disconnect"}

        async def send(_: object) -> None: ...

        query = "query=" + "".join(f"%{byte:02x}" for byte in DINED.encode())
        scope = {"type": "http", "method": "GET", "path": "/sparql", "query_string": query.encode(), "headers": []}
        await _Endpoint(held, lambda: NOW)(scope, receive, send)

    store = Path(copytree(small_life, tmp_path / "store"))
    with pytest.MonkeyPatch.context() as patch, Held(store, SETTINGS) as held:
        patch.setattr(KnowledgeGraph, "evaluated", endless)
        asyncio.run(asked_and_gone(held))
        assert ended.wait(10)
