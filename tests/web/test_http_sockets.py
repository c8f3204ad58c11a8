"""The server itself: slow clients, bodies without a stated length, floods of headers, and what it says of itself."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from reqap_kg.config import Settings
from reqap_kg.config.parts import Service
from reqap_kg.web.holding import Held
from reqap_kg.web.http import serving
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import application
from reqap_kg.web.http.serving import server_settings

TOKEN = "a-token-that-nobody-guesses"
BEARER = f"Authorization: Bearer {TOKEN}\r\n"
SECONDS = 0.5


async def _echo(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture(scope="module")
def port(tmp_path_factory) -> Iterator[int]:
    """A server that has little patience."""
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as listening:
        patch.setattr(serving._Impatient, "head_seconds", SECONDS)
        number = listening.getsockname()[1]
        access = Access.of(TOKEN, "127.0.0.1", number, Service(request_bytes=10_000))
        held = Held(Path(tmp_path_factory.mktemp("none")), Settings())
        routes = [Route("/x", _echo, methods=["GET", "POST"])]
        made = application(held, replace(access, body_seconds=SECONDS), routes, logger=logging.getLogger("test.http"))
        server = uvicorn.Server(server_settings(made))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            sleep(0.01)
        yield number
        server.should_exit = True
        thread.join(10)


def _head(port: int, more: str = "", method: str = "POST", path: str = "/x") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{BEARER}{more}\r\n".encode()


def _connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def _rest(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    with suppress(ConnectionResetError):  # what was still being sent goes unread
        while piece := connection.recv(65_536):
            found += piece
    return found


def test_a_request_is_answered_without_a_word_of_the_server(port):
    found = httpx.post(f"http://127.0.0.1:{port}/x", headers={"Authorization": f"Bearer {TOKEN}"}, content=b"abc")
    assert (found.status_code, found.text) == (200, "3")
    assert "server" not in found.headers


@pytest.mark.parametrize("stated", ["Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"])
def test_a_body_that_comes_too_slowly_is_cut_off(port, stated):
    begin = monotonic()
    with _connected(port) as connection:
        connection.sendall(_head(port, stated))
        piece = b"1\r\nx\r\n" if "chunked" in stated else b"x"
        for _ in range(3):
            connection.sendall(piece)
            sleep(SECONDS / 5)
        found = _rest(connection)
    assert found.startswith(b"HTTP/1.1 408 ")
    assert SECONDS <= monotonic() - begin < SECONDS + 3


def test_a_body_without_a_stated_length_has_a_limit(port):
    with _connected(port) as connection:
        connection.sendall(_head(port, "Transfer-Encoding: chunked\r\n"))
        for _ in range(12):
            connection.sendall(b"3e8\r\n" + b"x" * 1_000 + b"\r\n")
        assert _rest(connection).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_states_too_much_is_not_waited_for(port):
    begin = monotonic()
    with _connected(port) as connection:
        connection.sendall(_head(port, "Content-Length: 999999999999\r\nExpect: 100-continue\r\n"))
        assert _rest(connection).startswith(b"HTTP/1.1 413 ")
    assert monotonic() - begin < SECONDS


def test_whoever_is_refused_sends_no_body(port):
    with _connected(port) as connection:
        connection.sendall(_head(port, "Content-Length: 5000\r\n").replace(TOKEN.encode(), b"wrong"))
        found = _rest(connection)
    assert found.startswith(b"HTTP/1.1 401 ")
    assert b"connection: close" in found.lower()


@pytest.mark.parametrize("said", [b"", b"GET /x HT", b"GET /x HTTP/1.1\r\nHost: a\r\n"])
def test_a_head_that_does_not_come_is_not_waited_for(port, said):
    begin = monotonic()
    with _connected(port) as connection:
        connection.sendall(said)
        assert _rest(connection) == b""
    assert monotonic() - begin < SECONDS + 3


def test_a_second_head_that_trickles_is_not_waited_for(port):
    with _connected(port) as connection:
        connection.sendall(_head(port, "Content-Length: 0\r\n"))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        begin = monotonic()
        with suppress(ConnectionError):
            while monotonic() - begin < SECONDS + 3:
                connection.sendall(b"G")
                sleep(SECONDS / 5)
    assert monotonic() - begin < SECONDS + 3


def test_a_flood_of_headers_and_a_long_address_are_refused(port):
    with _connected(port) as connection:
        connection.sendall(_head(port, "X-A: " + "a" * 70_000).removesuffix(b"\r\n"))
        assert _rest(connection).startswith(b"HTTP/1.1 400 ")
    with _connected(port) as connection:
        connection.sendall(_head(port, method="GET", path="/x?" + "a" * 20_000))
        assert _rest(connection).startswith(b"HTTP/1.1 414 ")


def test_two_hosts_are_refused(port):
    with _connected(port) as connection:
        connection.sendall(_head(port, "Host: evil.example\r\n", method="GET"))
        assert _rest(connection).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 421 "))


def test_what_a_client_claims_of_its_address_is_not_believed_and_no_log_has_addresses(port):
    settings = server_settings(lambda *_: None)  # type: ignore[arg-type]
    assert not settings.proxy_headers
    assert not settings.access_log
    assert settings.ws == "none"
    assert settings.limit_concurrency


def test_no_log_says_what_was_asked_for(port, caplog):
    caplog.set_level(logging.DEBUG)
    with _connected(port) as connection:
        connection.sendall(_head(port, "Connection: close\r\n", method="GET", path=f"/x?token={TOKEN}"))
        assert _rest(connection).startswith(b"HTTP/1.1 401 ")
    assert TOKEN not in caplog.text
