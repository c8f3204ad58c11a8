"""The API answers as the command line does with --json, and refuses what nobody can answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import quote

import httpx
import jsonschema
import pytest
from typer.testing import CliRunner

from reqap_kg.cli.app import app
from reqap_kg.config import Settings
from reqap_kg.web.api.routes import document, routes
from reqap_kg.web.holding import Held
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import application

NOW = "2025-03-01T12:00:00"
HOST = "127.0.0.1:7378"
LOGGER = logging.getLogger("test.api")
RUNS = "How many runs did I do in 2024?"
BY_MONTH = "How many runs did I do each month?"
LARGE = "Show me my purchases"
TWO = "How many runs and how many yoga sessions did I do in 2024?"
TREE = 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'


@pytest.fixture(scope="module")
def client(demo_store: Path) -> Iterator[Any]:
    """Sends a request to the API of the demo life."""
    with _served(demo_store) as sent:
        yield sent


@contextmanager
def _served(store: Path) -> Iterator[Any]:
    with Held(store, Settings()) as held:
        access = Access(None, frozenset({HOST}), requests_per_minute=10_000)
        made = application(held, access, routes(held, lambda: datetime.fromisoformat(NOW), LOGGER), logger=LOGGER)

        def send(method: str, path: str, body: object = None, **more: Any) -> httpx.Response:
            async def sent() -> httpx.Response:
                transport = httpx.ASGITransport(app=made)
                async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", timeout=60) as client:
                    return await client.request(method, path, **({} if body is None else {"json": body}), **more)

            return asyncio.run(sent())

        yield send


@pytest.fixture(scope="module")
def printed(imported_demo: Path, tmp_path_factory):
    """What a command prints with --json over a store of its own: the served one is held."""
    store = copytree(imported_demo, tmp_path_factory.mktemp("cli") / "store")

    def run(command: str, *arguments: str) -> Any:
        now = () if command == "status" else ("--now", NOW)
        told = CliRunner().invoke(app, [command, *arguments, "--json", *now, "--store", str(store)])
        return json.loads(told.stdout)

    return run


def _timeless(answer: Mapping[str, Any]) -> Any:
    """An answer without what no two runs have in common: times."""
    left_out = ("timings_ms", "ms")
    if isinstance(answer, Mapping):
        return {name: _timeless(value) for name, value in answer.items() if name not in left_out}
    return [_timeless(one) for one in answer] if isinstance(answer, list) else answer


def _valid(value: object, *names: str) -> None:
    schemas = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    jsonschema.Draft202012Validator({"oneOf": schemas, "components": document()["components"]}).validate(value)


ASKED = [
    (RUNS, {"events": 0}, ["--events", "0"]),
    (RUNS, {"events": 3, "explain": True}, ["--events", "3", "--explain"]),
    (LARGE, {}, []),
]
DECLINED = ["Why did I run in 2024?", "How many runs did I do on 30 February 2024?", "?"]


@pytest.mark.parametrize(("question", "more", "options"), ASKED)
def test_a_question_is_answered_as_on_the_command_line(client, printed, question, more, options):
    found = client("POST", "/api/ask", {"question": question, **more})
    assert (found.status_code, found.headers["content-type"]) == (200, "application/json")
    assert _timeless(found.json()) == _timeless(printed("ask", question, *options))
    _valid(found.json(), "Answer")


@pytest.mark.parametrize("question", DECLINED)
def test_a_question_that_is_declined_has_an_answer_that_says_why(client, printed, question):
    found = client("POST", "/api/ask", {"question": question})
    assert (found.status_code, found.json()["answer_type"]) == (200, "none")
    assert found.json()["reason"]
    assert _timeless(found.json()) == _timeless(printed("ask", question))
    _valid(found.json(), "Answer")


def test_real_answers_show_every_part_that_the_document_describes(client):
    asked = [{"question": RUNS, "explain": True}, *({"question": one} for one in (BY_MONTH, LARGE, TWO))]
    answers = [client("POST", "/api/ask", one).json() for one in asked]
    for answer in answers:
        _valid(answer, "Answer")
    shown = {name for answer in answers for name in answer}
    described = set(document()["components"]["schemas"]["Answer"]["properties"])
    assert described - shown <= {"resolved", "told"}


def test_a_question_may_stand_in_the_address(client):
    body = client("POST", "/api/ask", {"question": RUNS, "events": 2, "now": "2024-06-01"})
    found = client("GET", f"/api/ask?question={quote(RUNS)}&events=2&now=2024-06-01&explain=false")
    assert _timeless(found.json()) == _timeless(body.json())
    assert found.json()["answer"] != client("POST", "/api/ask", {"question": RUNS}).json()["answer"]


def test_a_question_leans_on_its_context(client, printed, tmp_path):
    context = [RUNS, {"question": "And in 2023?", "answer": 12}]
    file = tmp_path / "context.json"
    file.write_text(json.dumps(context), encoding="utf-8")
    found = client("POST", "/api/ask", {"question": "And in May 2024?", "context": context}).json()
    assert found["resolved"]
    assert _timeless(found) == _timeless(printed("ask", "And in May 2024?", "--context", str(file)))
    _valid(found, "Answer")


def test_a_plan_is_the_one_of_the_command_line(client, printed):
    found = client("POST", "/api/plan", {"question": RUNS}).json()
    assert found == printed("plan", RUNS)
    _valid(found, "Planned", "Plans")
    found = client("POST", "/api/plan", {"question": RUNS, "top": 3}).json()
    assert found == printed("plan", RUNS, "--top", "3")
    _valid(found, "Planned", "Plans")


def test_a_question_without_a_plan_is_a_problem(client):
    found = client("POST", "/api/plan", {"question": DECLINED[1]})
    assert (found.status_code, found.json()["reason"]) == (422, "not_understood")
    _valid(found.json(), "ProblemDetails")


def test_a_tree_is_run_as_on_the_command_line(client, printed):
    found = client("POST", "/api/run", {"tree": TREE, "events": 2}).json()
    assert _timeless(found) == _timeless(printed("run", TREE, "--events", "2"))
    _valid(found, "Answer")


def test_a_tree_that_is_wrong_says_where(client):
    found = client("POST", "/api/run", {"tree": 'APPLY(l=RETREIVE(query="I ran"), fct=len)'})
    assert (found.status_code, found.json()["reason"]) == (422, "tree")
    assert found.json()["line"] == 1
    assert found.json()["column"]
    assert client("POST", "/api/run", {"tree": 'SUM(l=RETRIEVE(query="I ran"), attr_name="x")'}).status_code == 422


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/ask", {}),
        ("/api/ask", {"question": ""}),
        ("/api/ask", {"question": "a" * 1_001}),
        ("/api/ask", {"question": "a " * 121}),
        ("/api/ask", {"question": 5}),
        ("/api/ask", {"question": RUNS, "anything": 1}),
        ("/api/ask", {"question": RUNS, "events": -1}),
        ("/api/ask", {"question": RUNS, "events": "3"}),
        ("/api/ask", {"question": RUNS, "events": True}),
        ("/api/ask", {"question": RUNS, "explain": "yes"}),
        ("/api/ask", {"question": RUNS, "now": "soon"}),
        ("/api/ask", {"question": RUNS, "now": "2025-13-45"}),
        ("/api/ask", {"question": RUNS, "now": "1899-12-31T23:59:59"}),
        ("/api/ask", {"question": RUNS, "now": "2201-01-01"}),
        ("/api/ask", {"question": RUNS, "context": [RUNS] * 51}),
        ("/api/ask", {"question": RUNS, "context": "before"}),
        ("/api/ask", {"question": RUNS, "context": [{"question": "a " * 500}]}),
        ("/api/ask", [RUNS]),
        ("/api/plan", {"question": RUNS, "top": 0}),
        ("/api/run", {"tree": "x" * 50_001}),
    ],
)
def test_what_is_no_request_is_refused(client, path, body):
    found = client("POST", path, body)
    assert (found.status_code, found.json()["reason"]) == (422, "usage")
    assert found.headers["content-type"] == "application/problem+json"
    assert len(found.text) < 1_000
    _valid(found.json(), "ProblemDetails")


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"question": "\\ud800"}', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"question": "x"}', "text/plain", 415),
        (b"question=x", "application/x-www-form-urlencoded", 415),
        (b'{"question": "x"}', "", 415),
    ],
)
def test_a_body_is_json_that_says_so(client, content, kind, status):
    found = client("POST", "/api/ask", content=content, headers={"Content-Type": kind})
    assert found.status_code == status


@pytest.mark.parametrize("query", ["", "question=", "question=a&question=b", "question=a&x=1", "question=a&events=x"])
def test_an_address_without_a_question_is_refused(client, query):
    assert client("GET", f"/api/ask?{query}").status_code == 422


def test_an_event_is_found_by_its_iri_and_by_the_identifier_of_its_source(client):
    behind = client("POST", "/api/ask", {"question": RUNS, "events": 1}).json()["events"][0]
    found = client("GET", f"/api/events/{quote(behind['iri'], safe='')}").json()
    assert {name: found[name] for name in found if name != "values"} == {
        name: value for name, value in behind.items() if name != "basis"
    }
    assert found["values"]["workout type"] == "running"
    assert found["values"]["distance"] > 0
    assert client("GET", f"/api/events/{behind['source_id']}").json() == found
    _valid(found, "EventRecord")


@pytest.mark.parametrize(
    "name",
    ["none", "", "https://w3id.org/reqap-kg/event#Workout", "https://w3id.org/reqap-kg/data/none", "a b<>", "x" * 5_000,
     '" } ?event ?p ?o #', "x> ?p ?o"],
)  # fmt: skip
def test_what_is_no_event_is_not_found(client, name):
    assert client("GET", f"/api/events/{quote(name, safe='')}").status_code == 404


def test_the_status_says_what_the_store_holds_and_not_where(client, printed, demo_store):
    found, told = client("GET", "/api/status"), printed("status")
    _valid(found.json(), "Status")
    assert found.json()["kinds"] == told["classes"]
    assert [found.json()[name] for name in ("sources", "span")] == [told["sources"], told["span"]]
    assert str(demo_store) not in found.text


def test_health_says_nothing_else(client):
    assert client("GET", "/api/health").json() == {"status": "ok"}


def test_a_store_that_is_not_there_is_a_problem_that_says_no_path(tmp_path):
    with _served(tmp_path / "none") as send:
        for found in (send("POST", "/api/ask", {"question": RUNS}), send("GET", "/api/events/x")):
            assert (found.status_code, found.json()["reason"]) == (503, "store")
            assert str(tmp_path) not in found.text
            assert "/" not in found.json()["detail"]
