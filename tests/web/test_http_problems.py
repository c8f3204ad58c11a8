"""What is said of a request that fails: a problem with a reason, without paths, traces or the words of a fault."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from reqap_kg.config import Settings
from reqap_kg.errors import NotUnderstood, Place, QueryError, StoreBusy, StoreError, TreeSyntaxError
from reqap_kg.web.holding import Held, Stopped
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import application
from reqap_kg.web.http.problems import Hidden

HOST = "127.0.0.1:7378"


@pytest.fixture
def asked(tmp_path: Path):
    """Sends one request to an application that fails by `bad`, and gives the response."""

    def ask(path: str = "/fails", method: str = "GET", *, bad: BaseException | None = None) -> httpx.Response:
        async def fails(_: Request) -> Response:
            if bad is not None:
                raise bad
            return PlainTextResponse("")

        routes = [Route("/fails", fails, methods=["GET", "POST"])]
        access = Access(None, frozenset({HOST}))
        made = application(Held(tmp_path / "store", Settings()), access, routes, logger=logging.getLogger("test.http"))

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=made)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                return await client.request(method, path)

        return asyncio.run(send())

    return ask


def test_what_nobody_foresaw_is_told_without_its_words_and_logged(asked, caplog):
    found = asked(bad=RuntimeError("secret of /home/me/life/file.json"))
    assert (found.status_code, found.json()["reason"]) == (500, "unexpected")
    assert found.headers["content-type"] == "application/problem+json"
    assert "secret" not in found.text
    assert "Traceback" not in found.text
    assert "secret of" in caplog.text


@pytest.mark.parametrize(
    ("bad", "status", "reason"),
    [
        (StoreBusy("wait"), 503, "busy"),
        (NotUnderstood("no"), 422, "not_understood"),
        (QueryError("no"), 400, "query"),
        (Stopped(), 409, "stopped"),
    ],
)
def test_errors_of_ours_have_a_status_and_a_reason(asked, bad, status, reason):
    found = asked(bad=bad)
    assert (found.status_code, found.json()["status"], found.json()["reason"]) == (status, status, reason)
    assert found.headers["content-type"] == "application/problem+json"
    assert ("retry-after" in found.headers) == (reason == "busy")


def test_an_error_of_a_text_says_where(asked):
    bad = TreeSyntaxError("bad name", place=Place(3, 7, "/home/me/t.txt"), expected="one", nearest="SUM")
    told = asked(bad=bad).json()
    assert (told["line"], told["column"], told["expected"], told["nearest"]) == (3, 7, "one", "SUM")
    assert told["detail"] == "bad name"
    assert "/home" not in str(told)


def test_where_files_lie_is_told_to_nobody(asked, tmp_path):
    bad = StoreError(f"no store at {tmp_path}/store; see /home/me/.config/reqap-kg/config.toml")
    told = asked(bad=bad).json()["detail"]
    assert str(tmp_path) not in told
    assert "/home" not in told
    assert "no store at" in told


def test_known_paths_are_hidden_in_values_and_iris_stay():
    hidden = Hidden(["/data", "/tmp/my life/store"])
    iri = "https://w3id.org/reqap-kg/data/apple"
    value = {"a": [iri, "note of /data/rules.ttl", "in /tmp/my life/store:3", "\n/data"], "n": float("inf"), "k": 1}
    assert hidden.value(value) == {"a": [iri, "note of …/rules.ttl", "in …:3", "\n…"], "n": "inf", "k": 1}
    harmless = "by either/or, http://127.0.0.1/v1 and a/b/c"
    assert hidden.message(harmless) == harmless


def test_unknown_paths_and_methods_are_problems(asked):
    assert asked("/none").json()["reason"] == "not_found"
    found = asked("/fails", "DELETE")
    assert (found.status_code, found.json()["reason"]) == (405, "method")
    assert set(found.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
