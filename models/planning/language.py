"""A language model behind an OpenAI-compatible address: messages in, a few answers out.

This is the only place of the package that sends anything. What it sends is what it is given: the prompt, worked
decompositions of the package, and questions. No proxy, no redirect, no answer beyond a limit of size.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Final

import httpx

from ...config import LanguageModel
from ...errors import ModelUnreachable

LARGEST_ANSWER: Final = 1 << 20
"""Bytes of one response."""
Message = dict[str, str]
"""One turn: role (system, user, assistant) and content."""


class AddressModel:
    """Chat completions of one model at one address."""

    def __init__(self, settings: LanguageModel) -> None:
        if settings.address is None:
            raise ModelUnreachable("no address of a language model is configured: [language_model] address")
        self._settings = settings
        self._url = settings.address.rstrip("/") + "/chat/completions"

    @property
    def name(self) -> str:
        """How people call the model."""
        return self._settings.model

    def complete(self, messages: Sequence[Message]) -> list[str]:
        """Answers to a conversation, as many as were asked for or fewer. Raises ModelUnreachable where the address does
        not answer in time, or answers something that is no chat completion."""
        chosen = self._settings
        asked = {
            "model": chosen.model,
            "messages": list(messages),
            "temperature": chosen.temperature,
            "max_tokens": chosen.answer_tokens,
            "n": chosen.samples,
            "stream": False,
        }
        key = chosen.key
        headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key is not None else {}
        return _answers(self._post(asked, headers))

    def _post(self, asked: dict[str, Any], headers: dict[str, str]) -> bytes:
        """The body of the answer. The whole exchange has the time of a request: the timeouts of the client begin anew
        with every byte, and an address may send interim answers without end before the one that counts."""
        seconds = self._settings.seconds
        found: Future[bytes] = Future()
        with httpx.Client(timeout=httpx.Timeout(seconds), trust_env=False, follow_redirects=False) as client:
            threading.Thread(target=self._exchange, args=(client, asked, headers, found), daemon=True).start()
            try:
                return found.result(timeout=seconds)
            except TimeoutError as bad:
                raise ModelUnreachable(f"{self._url} took more than {seconds:g} s") from bad
            except (httpx.HTTPError, httpx.InvalidURL) as bad:
                raise ModelUnreachable(f"{self._url}: {type(bad).__name__} {bad}".strip()) from bad

    def _exchange(
        self, client: httpx.Client, asked: dict[str, Any], headers: dict[str, str], found: Future[bytes]
    ) -> None:
        # What is packed may unpack to any size, and the client unpacks a chunk whole: it is asked for as it is.
        plain = {**headers, "Accept-Encoding": "identity"}
        try:
            with client.stream("POST", self._url, json=asked, headers=plain) as response:
                found.set_result(self._read(response))
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ModelUnreachable, OSError, RuntimeError) as bad:
            found.set_exception(bad)

    def _read(self, response: httpx.Response) -> bytes:
        if response.status_code != httpx.codes.OK:
            raise ModelUnreachable(f"{self._url} answered with status {response.status_code}")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ModelUnreachable(f"{self._url} answered with packed content, which was not asked for")
        read = bytearray()
        for chunk in response.iter_raw():
            read += chunk
            if len(read) > LARGEST_ANSWER:
                raise ModelUnreachable(f"{self._url} answered with more than {LARGEST_ANSWER} bytes")
        return bytes(read)


def _answers(body: bytes) -> list[str]:
    try:
        choices = json.loads(body)["choices"]
        found = [choice["message"]["content"] for choice in choices]
    except (ValueError, KeyError, TypeError, RecursionError) as bad:
        raise ModelUnreachable("the address answered with something that is no chat completion") from bad
    return [text for text in found if isinstance(text, str)]
