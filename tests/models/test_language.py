"""The language model's address on the wire: what is sent, and what a bad answer does."""

from __future__ import annotations

import json
import socket
import time

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
        with pytest.raises(ModelUnreachable, match="Timeout"):
            AddressModel(LanguageModel(address=address, seconds=0.3)).complete(MESSAGES)
        assert time.perf_counter() - begin < 5


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelUnreachable):
            AddressModel(LanguageModel(address=address)).complete(MESSAGES)


def test_without_an_address_there_is_no_model() -> None:
    with pytest.raises(ModelUnreachable, match="address"):
        AddressModel(LanguageModel())
