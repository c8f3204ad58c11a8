"""How long a query may take, what runs beside it, and what hostile requests get: a sentence, and nothing of this
machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

import pytest
from sparql_endpoint import EX, NOW, SLOW, served, small_store
from starlette.applications import Starlette
from starlette.testclient import TestClient

from reqap_kg.config import Settings
from reqap_kg.errors import QueryTooLarge, StoreBusy, StoreError
from reqap_kg.web.holding import MOST_WAITING, Held
from reqap_kg.web.sparql import running
from reqap_kg.web.sparql.endpoint import routes

DIRECT = {"Content-Type": "application/sparql-query"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ALL = "SELECT * { ?s ?p ?o }"
LARGE = 10 * 2**20


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the three graphs."""
    return small_store(tmp_path_factory.mktemp("graphs"))


@pytest.fixture(scope="module")
def client(store: Path) -> Iterator[TestClient]:
    """A client of it."""
    with served(store) as made:
        made.get("/sparql")  # opens the store
        yield made


@pytest.fixture
def other_store(tmp_path: Path) -> Path:
    """A store for a service of a test's own: it is held by one, as long as a query that was given up runs on."""
    return small_store(tmp_path)


def _asked(client: TestClient, query: str, **more: str) -> Any:
    return client.get("/sparql", params={"query": query, **more})


# ------------------------------------------------------------ time, memory, others
def test_a_query_that_takes_too_long_is_given_up(client):
    begin = monotonic()
    found = _asked(client, SLOW, timeout="0.1")
    assert monotonic() - begin < 1
    assert (found.status_code, found.text) == (504, "the query passed its limit of 0.1 s\n")
    assert "etag" not in found.headers
    assert _asked(client, "ASK {}").json()["boolean"] is True


def test_the_limit_of_the_settings_holds_whatever_is_asked(other_store):
    with served(other_store, Settings(query_seconds=0.1)) as client:
        client.get("/sparql")
        for more in ({}, {"timeout": "1000"}, {"timeout": "inf"}):
            assert "its limit of 0.1 s" in _asked(client, SLOW, **more).text


@pytest.mark.parametrize("said", ["0", "-1", "nan", "soon", ""])
def test_a_timeout_is_a_number_of_seconds(client, said):
    found = _asked(client, "ASK {}", timeout=said)
    assert (found.status_code, "seconds above 0" in found.text) == (400, True)


def test_a_timeout_is_said_once(client):
    assert client.get("/sparql?query=ASK+%7B%7D&timeout=1&timeout=2").status_code == 400
    assert client.get("/sparql?query=ASK+%7B%7D&timeout=1").status_code == 200


def test_a_small_query_does_not_wait_for_a_large_one(client):
    with ThreadPoolExecutor(1) as other:
        slow = other.submit(_asked, client, SLOW)
        ended = [_asked(client, "ASK {}").json()["boolean"] for _ in range(5)]
        assert not slow.done()
        assert slow.result(60).status_code == 200
    assert ended == [True] * 5


def test_a_query_does_not_wait_for_the_engine(other_store):
    with Held(other_store, Settings()) as held, TestClient(_over(held)) as client:
        release = threading.Event()
        client.get("/sparql")
        work = held.submit(lambda _: release.wait(30))
        assert _asked(client, "ASK {}").json()["boolean"] is True
        release.set()
        assert work.result.result(30)


def test_an_answer_that_is_too_long_is_none(client, monkeypatch):
    monkeypatch.setattr(running, "MOST_BYTES", 100)
    found = _asked(client, ALL)
    assert (found.status_code, "narrow it" in found.text) == (422, True)


@pytest.mark.parametrize(
    ("bad", "status", "retry"),
    [(StoreBusy("held"), 503, "2"), (StoreError("broken"), 503, None), (QueryTooLarge("too much"), 422, None)],
)
def test_what_the_store_says_is_told(other_store, bad, status, retry):
    class Failing(Held):
        def read(self, does: Any, *, seconds: float) -> Any:
            raise bad

    with Failing(other_store, Settings()) as held, TestClient(_over(held)) as client:
        for found in (_asked(client, "ASK {}"), client.get("/sparql")):
            assert (found.status_code, found.text) == (status, f"{bad}\n")
            assert found.headers.get("retry-after") == retry
            assert found.headers["content-type"] == "text/plain; charset=utf-8"


def test_whoever_comes_when_too_many_wait_is_told_so(other_store):
    begun, release = threading.Event(), threading.Event()
    with Held(other_store, Settings()) as held, TestClient(_over(held)) as client:
        works = [held.submit(lambda _: begun.set() or release.wait(60))]
        assert begun.wait(30)
        works += [held.submit(lambda _: True) for _ in range(MOST_WAITING)]
        found = _asked(client, "ASK { ?e ?p ?o FILTER(rq:matches(?e, 'runs')) }")
        release.set()
        assert (found.status_code, found.headers["retry-after"]) == (503, "2")
        assert all(work.result.result(30) for work in works)


def test_no_path_of_this_machine_is_told(tmp_path):
    folder = tmp_path / "not there"
    with served(folder) as client:
        found = _asked(client, "ASK {}")
    assert found.status_code == 503
    assert "no store at" in found.text
    assert str(tmp_path) not in found.text
    assert "not there" not in found.text


# ------------------------------------------------------------ hostile requests
HOSTILE = {
    "service": "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "escaped service": "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "service beside a dataset": "SELECT * FROM <urn:a> { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "load": "LOAD <http://127.0.0.1:9/>",
    "load beside a dataset": "LOAD <http://127.0.0.1:9/> FROM <urn:a>",
    "clear": "CLEAR ALL",
    "nothing": "",
    "NUL": "ASK { \x00 }",
    "two": "ASK {} ASK {}",
    "deep": "ASK " + "{" * 100_000,
    "deep dataset": "ASK FROM <urn:a> " + "{" * 100_000,
    "many": "ASK " + "FROM <urn:a> " * 10_000 + "{ ?s ?p }",
    "unknown function": "ASK { FILTER(<urn:f>(1)) }",
    "unknown function of ours": "ASK { FILTER(rq:nothing(1)) }",
    "surrogate": "ASK { ?s ?p '\\uD800' }",
    "long": "ASK {} #" + "x" * LARGE,
    "long dataset": "FROM " * (LARGE // 5),
    "quote": "ASK { ?s ?p 'not closed" + "\\" * 1001,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_query_is_refused_in_a_sentence(client, store, name):
    begin = monotonic()
    found = client.post("/sparql", content=HOSTILE[name].encode(), headers=DIRECT)
    assert monotonic() - begin < 5
    assert found.status_code == 400
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert 0 < len(found.text) < 1000
    assert "Traceback" not in found.text
    assert str(store.parent) not in found.text


@pytest.mark.parametrize(
    ("name", "said"), [("service", "reach the network"), ("load", "would write"), ("escaped service", "network")]
)
def test_what_would_go_beyond_is_refused_as_on_the_command_line(client, name, said):
    assert said in _asked(client, HOSTILE[name]).text


@pytest.mark.parametrize("bytes_", [b"\xed\xa0\x80", b"\xff\xfe", b"\xc0\x80", b"\xf5\x80\x80\x80"])
def test_what_is_no_text_is_refused(client, bytes_):
    """Lone surrogates and other bytes that UTF-8 does not have, raw and percent-encoded."""
    escaped = quote(bytes_).encode()
    sent = [
        client.post("/sparql", content=b"ASK { ?s ?p '" + bytes_ + b"' }", headers=DIRECT),
        client.post("/sparql", content=b"query=ASK+%7B%7D+%23" + bytes_, headers=FORM),
        client.post("/sparql", content=b"query=ASK+%7B%7D+%23" + escaped, headers=FORM),
        client.get("/sparql?query=ASK+%7B%7D+%23" + escaped.decode()),
    ]
    assert [(found.status_code, "no UTF-8" in found.text) for found in sent] == [(400, True)] * 4


def test_texts_of_any_character_come_back(client):
    text = "\x00\x01\x7f\u0085\u2028\ufeff\U0010ffff"
    found = client.post("/sparql", content=f"SELECT (STRLEN('{text}') AS ?n) ('{text}' AS ?x) {{}}", headers=DIRECT)
    (row,) = found.json()["results"]["bindings"]
    assert (row["n"]["value"], row["x"]["value"]) == (str(len(text)), text)


def test_floods_of_parameters_are_refused(client):
    for body in ("&".join(f"x{n}=1" for n in range(5000)), "&" * 100_000, "%" * 100_000, "=" * 100_000):
        found = client.post("/sparql", content=body, headers=FORM)
        assert found.status_code == 400


@pytest.mark.parametrize("kind", ["", ";", "/", "a/b;charset", "application/sparql-query;charset=\x7f", "x" * 5000])
def test_odd_media_types_are_refused(client, kind):
    assert client.post("/sparql", content=b"ASK {}", headers={"Content-Type": kind}).status_code == 415


@pytest.mark.parametrize("accept", [";;;", "a" * 5000, "*/*;q=" + "9" * 500, "," * 5000, "*/*;q=-1", "*/*;q=nan"])
def test_odd_accept_headers_are_borne(client, accept):
    assert client.get("/sparql?query=ASK+%7B%7D", headers={"Accept": accept}).status_code == 406


def test_nothing_was_written(client):
    found = _asked(client, f"SELECT (COUNT(*) AS ?n) {{ <{EX}name> <{EX}is> ?o }}")
    assert found.json()["results"]["bindings"][0]["n"]["value"] == "3"


def _over(held: Held) -> Starlette:
    return Starlette(routes=list(routes(held, lambda: NOW)))
