"""The language model's address on the wire: what is sent, and what a bad answer does."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from chat_server import chat, completion
from pydantic import SecretStr

from reqap_kg.config import LanguageModel
from reqap_kg.errors import ModelUnreachable
from reqap_kg.models.planning.language import LARGEST_ANSWER, AddressModel

MESSAGES = [{"role": "user", "content": "Good day"}]


def test_messages_go_out_as_they_are_and_answers_come_back() -> None:
    with chat(lambda _: ["one", "two"]) as server:
        settings = LanguageModel(
            address=server.address, model="small", samples=2, temperature=0.4, key=SecretStr("k3y")
        )
        assert AddressModel(settings).complete(MESSAGES) == ["one", "two"]
        path, headers, body = server.requests[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer k3y"
    sent = json.loads(body)
    assert sent["messages"] == MESSAGES
    assert (sent["model"], sent["n"], sent["temperature"]) == ("small", 2, 0.4)


def test_no_key_no_header() -> None:
    with chat(lambda _: ["one"]) as server:
        AddressModel(LanguageModel(address=server.address)).complete(MESSAGES)
        assert "Authorization" not in server.requests[0][1]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'{"choices": 3}',
        b'{"choices": [{"message": null}]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_completion_is_refused(raw: bytes) -> None:
    with chat(lambda _: [], raw=raw) as server, pytest.raises(ModelUnreachable):
        AddressModel(LanguageModel(address=server.address)).complete(MESSAGES)


def test_answers_that_are_no_text_are_left_out() -> None:
    raw = json.dumps({"choices": [{"message": {"content": None}}, {"message": {"content": "yes"}}]}).encode()
    with chat(lambda _: [], raw=raw) as server:
        assert AddressModel(LanguageModel(address=server.address)).complete(MESSAGES) == ["yes"]


@pytest.mark.parametrize("status", [301, 401, 404, 500])
def test_another_status_is_told_and_no_redirect_is_followed(status: int) -> None:
    with (
        chat(lambda _: ["one"], status=status) as server,
        pytest.raises(ModelUnreachable, match=str(status)),
    ):
        AddressModel(LanguageModel(address=server.address)).complete(MESSAGES)


def test_an_endless_answer_is_cut_off() -> None:
    with (
        chat(lambda _: [], raw=completion(["x" * (LARGEST_ANSWER + 1)])) as server,
        pytest.raises(ModelUnreachable, match="bytes"),
    ):
        AddressModel(LanguageModel(address=server.address)).complete(MESSAGES)


def test_who_does_not_answer_is_not_waited_for() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        begin = time.perf_counter()
        with pytest.raises(ModelUnreachable, match=r"took more|Timeout"):
            AddressModel(LanguageModel(address=address, seconds=0.3)).complete(MESSAGES)
        assert time.perf_counter() - begin < 5


@contextmanager
def speaking(first: bytes, again: bytes) -> Iterator[str]:
    """An address that answers with `first`, then with `again` until nobody listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def serve() -> None:
            with suppress(OSError):
                other, _ = server.accept()
                with other:
                    other.recv(1 << 16)
                    other.sendall(first)
                    while again:
                        other.sendall(again)
                        time.sleep(0.01)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
    ],
    ids=["interim answers", "a byte at a time", "headers"],
)
def test_an_answer_that_never_ends_has_the_time_of_a_request(first: bytes, again: bytes) -> None:
    with speaking(first, again) as address:
        begin = time.perf_counter()
        with pytest.raises(ModelUnreachable):
            AddressModel(LanguageModel(address=address, seconds=0.5)).complete(MESSAGES)
        assert time.perf_counter() - begin < 5


def test_packed_answers_are_not_unpacked() -> None:
    body = gzip.compress(bytes(64 << 20))
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with speaking(head + body, b"") as address, pytest.raises(ModelUnreachable, match="packed"):
        AddressModel(LanguageModel(address=address)).complete(MESSAGES)


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelUnreachable):
            AddressModel(LanguageModel(address=address)).complete(MESSAGES)


def test_without_an_address_there_is_no_model() -> None:
    with pytest.raises(ModelUnreachable, match="address"):
        AddressModel(LanguageModel())
