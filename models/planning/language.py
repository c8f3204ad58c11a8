"""A language model behind an OpenAI-compatible address: messages in, a few answers out.

This is the only place of the package that sends anything. What it sends is what it is given: the prompt, worked
decompositions of the package, and questions. No proxy, no redirect, no answer beyond a limit of size.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import perf_counter
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
        timeout = httpx.Timeout(self._settings.seconds)
        try:
            with (
                httpx.Client(timeout=timeout, trust_env=False, follow_redirects=False) as client,
                client.stream("POST", self._url, json=asked, headers=headers) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    raise ModelUnreachable(f"{self._url} answered with status {response.status_code}")
                return self._read(response)
        except (httpx.HTTPError, httpx.InvalidURL) as bad:
            raise ModelUnreachable(f"{self._url}: {type(bad).__name__} {bad}".strip()) from bad

    def _read(self, response: httpx.Response) -> bytes:
        """The body, in no more than the time of a request: a slow trickle is cut off, too."""
        read = bytearray()
        begin = perf_counter()
        for chunk in response.iter_bytes():
            read += chunk
            if len(read) > LARGEST_ANSWER:
                raise ModelUnreachable(f"{self._url} answered with more than {LARGEST_ANSWER} bytes")
            if perf_counter() - begin > self._settings.seconds:
                raise ModelUnreachable(f"{self._url} took more than {self._settings.seconds:g} s")
        return bytes(read)


def _answers(body: bytes) -> list[str]:
    try:
        choices = json.loads(body)["choices"]
        found = [choice["message"]["content"] for choice in choices]
    except (ValueError, KeyError, TypeError, RecursionError) as bad:
        raise ModelUnreachable("the address answered with something that is no chat completion") from bad
    return [text for text in found if isinstance(text, str)]
