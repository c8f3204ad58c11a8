"""Steps are told as events, in their order; work ends where its client goes away or somebody stops it."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
import uvicorn

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import StoreError
from reqap_kg.web.api.routes import routes
from reqap_kg.web.holding import Held
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import application
from reqap_kg.web.http.serving import server_settings

NOW = datetime(2025, 3, 1, 12)
TOKEN = "a-token-that-nobody-guesses"
RUNS = {"question": "How many runs did I do in 2024?"}
TREE = {"tree": 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'}
STEPS = {"Accept": "text/event-stream"}
LOGGER = logging.getLogger("test.api")


@pytest.fixture(scope="module")
def client(demo_store: Path) -> Iterator[httpx.Client]:
    """A client of a service over the demo life."""
    with Held(demo_store, Settings()) as held, socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        access = Access.of(TOKEN, "127.0.0.1", port, Settings().service)
        made = application(held, access, routes(held, lambda: NOW, LOGGER), logger=LOGGER)
        server = uvicorn.Server(server_settings(made))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as client:
            while not server.started:
                sleep(0.01)
            yield client
        server.should_exit = True
        thread.join(20)


class Endless:
    """Stands in the place of what a question does: it goes on, telling steps, until it is stopped."""

    def __init__(self, tells: bool = False) -> None:
        self.tells = tells
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self, known: KnowledgeGraph, *_: object, **__: object) -> None:
        self.begun.set()
        try:
            while True:
                if self.tells and known._progress is not None:
                    known._progress("search", 1, 2)
                sleep(0.01)
        finally:
            self.ended.set()


@pytest.fixture
def endless(monkeypatch) -> Callable[..., Endless]:
    """Makes running a tree endless."""

    def made(*, tells: bool = False) -> Endless:
        work = Endless(tells)
        monkeypatch.setattr(KnowledgeGraph, "run", lambda *_, **__: work(*_, **__))
        return work

    return made


def _events(response: httpx.Response) -> Iterator[tuple[str, Any]]:
    """The events of a response, as they come."""
    event = ""
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            event = value
        elif name == "data":
            yield event, json.loads(value)


def _asked(client: httpx.Client, path: str, body: dict[str, Any]) -> list[tuple[str, Any]]:
    with client.stream("POST", path, json=body, headers=STEPS) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        return list(_events(response))


def _runs(client: httpx.Client) -> Any:
    begin = monotonic()
    found = client.post("/api/ask", json=RUNS).json()["answer"]
    assert monotonic() - begin < 20
    return found


def test_events_come_in_their_order_and_the_answer_last(client):
    events = _asked(client, "/api/ask", RUNS)
    names = [name for name, _ in events]
    assert names[0] == "begun"
    assert names[-1] == "answer"
    assert set(names[1:-1]) == {"step"}
    steps = [data for name, data in events if name == "step"]
    assert all({"step", "done", "total"} <= set(step) for step in steps)
    (planned,) = [step for step in steps if step["step"] == "planned"]
    told = client.post("/api/ask", json=RUNS).json()
    assert planned["tree"] == told["plan"] == events[-1][1]["plan"]
    assert events[-1][1]["answer"] == told["answer"]


def test_what_the_engine_tells_on_its_thread_comes_as_steps(client, monkeypatch):
    def told(known: KnowledgeGraph, tree: str, **more: Any) -> Any:
        for done in range(3):
            known._progress("searching", done * 100, 400)  # type: ignore[misc]
        return known.ask(tree, tree=tree, **more)

    monkeypatch.setattr(KnowledgeGraph, "run", told)
    steps = [
        (one["step"], one["done"], one["total"]) for name, one in _asked(client, "/api/run", TREE) if name == "step"
    ]
    assert steps == [("running", 0, 0), *(("searching", done, 400) for done in (0, 100, 200))]


def test_a_question_in_an_address_and_a_plan_have_steps_too(client):
    with client.stream("GET", "/api/ask", params=RUNS, headers=STEPS) as response:
        assert next(reversed(list(_events(response))))[0] == "answer"
    events = _asked(client, "/api/plan", RUNS)
    assert events[-1] == ("answer", client.post("/api/plan", json=RUNS).json())


def test_an_error_is_the_last_event(client, demo_store, monkeypatch):
    name, told = _asked(client, "/api/run", {"tree": "SUM("})[-1]
    assert (name, told["reason"], told["line"]) == ("error", "tree", 1)

    def fails(*_: object, **__: object) -> None:
        raise StoreError(f"something is wrong with {demo_store}")

    monkeypatch.setattr(KnowledgeGraph, "run", fails)
    name, told = _asked(client, "/api/run", TREE)[-1]
    assert (name, told["reason"]) == ("error", "store")
    assert str(demo_store) not in str(told)


def test_what_nobody_foresaw_is_logged_and_told_without_its_words(client, monkeypatch, caplog):
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(KnowledgeGraph, "run", fails)
    name, told = _asked(client, "/api/run", TREE)[-1]
    assert (name, told["reason"]) == ("error", "unexpected")
    assert "secret" not in str(told)
    assert "secret" in caplog.text


@pytest.mark.parametrize("headers", [STEPS, {}])
@pytest.mark.parametrize("tells", [True, False])
def test_work_ends_when_its_client_goes_away(client, endless, headers, tells):
    work = endless(tells=tells)
    impatient = httpx.Timeout(20, read=0.5)
    with pytest.raises((httpx.ReadTimeout, StopIteration)):  # noqa: SIM117, PT012 - the stream ends in the middle
        with client.stream("POST", "/api/run", json=TREE, headers=headers, timeout=impatient) as response:
            assert work.begun.wait(20)
            events = _events(response)
            assert next(events)[0] == "begun"
            raise StopIteration
    assert work.ended.wait(10)
    assert _runs(client)


def test_work_that_waits_is_not_begun_when_its_client_goes_away(client, endless):
    work = endless()
    with client.stream("POST", "/api/run", json=TREE, headers=STEPS) as first:
        assert work.begun.wait(20)
        with client.stream("POST", "/api/ask", json=RUNS, headers=STEPS) as second:
            assert next(_events(second))[0] == "begun"
        assert next(_events(first))[0] == "begun"
    assert work.ended.wait(10)
    assert _runs(client)


def test_work_is_stopped_by_its_id(client, endless):
    work = endless(tells=True)
    with client.stream("POST", "/api/run", json=TREE, headers=STEPS) as response:
        events = _events(response)
        _, begun = next(events)
        assert work.begun.wait(20)
        assert client.delete(f"/api/work/{begun['id']}").status_code == 204
        last = list(events)[-1]
    assert (last[0], last[1]["reason"], last[1]["status"]) == ("error", "stopped", 409)
    assert work.ended.wait(10)
    assert client.delete(f"/api/work/{begun['id']}").status_code == 404
    assert _runs(client)


def test_work_that_is_done_or_unknown_is_not_found(client):
    (_, begun), *_ = _asked(client, "/api/ask", RUNS)
    assert client.delete(f"/api/work/{begun['id']}").status_code == 404
    assert client.delete("/api/work/none").json()["reason"] == "no_such_work"


def test_a_reader_that_reads_slowly_gets_the_answer_and_not_every_step(client, monkeypatch, caplog):
    def told(known: KnowledgeGraph, tree: str, **more: Any) -> Any:
        for done in range(20_000):
            known._progress("searching", done, 20_000)  # type: ignore[misc]
        return known.ask(tree, tree=tree, **more)

    monkeypatch.setattr(KnowledgeGraph, "run", told)
    events = _asked(client, "/api/run", TREE)
    assert events[-1][0] == "answer"
    done = [one["done"] for name, one in events if name == "step"]
    assert done == sorted(done)
    assert len(done) < 20_000
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_long_pause_is_filled_with_comments(client, endless, monkeypatch):
    monkeypatch.setattr("reqap_kg.web.api.streaming._PULSE_SECONDS", 0.05)
    work = endless()
    with client.stream("POST", "/api/run", json=TREE, headers=STEPS) as response:
        lines = response.iter_lines()
        assert any(line.startswith(": ") for line in lines)
    assert work.ended.wait(10)
