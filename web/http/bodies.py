"""Reads the body of a request before anybody else does: whole, in time, and no more than may be."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.types import Message, Receive

from .access import Access
from .problems import Problem


async def whole_body(request: Request, receive: Receive, access: Access) -> bytes | Problem | None:
    """The body, or why it is refused; None where the client is gone."""
    said = request.headers.get("content-length", "0")
    if said.isdecimal() and int(said[:20]) > access.request_bytes:
        return _too_long(access)
    try:
        async with asyncio.timeout(access.body_seconds):
            return await _read(receive, access)
    except TimeoutError:
        return Problem(408, "slow", f"the request did not come whole within {access.body_seconds:g} s")


async def _read(receive: Receive, access: Access) -> bytes | Problem | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > access.request_bytes:
            return _too_long(access)
        if not message.get("more_body", False):
            return bytes(body)


def _too_long(access: Access) -> Problem:
    return Problem(413, "size", f"a request has at most {access.request_bytes:,} bytes")


class Replayed:
    """Gives a body that was read to whoever reads it next, then what else is received: that the client is gone."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._message: Message | None = {"type": "http.request", "body": body, "more_body": False}
        self._receive = receive

    async def __call__(self) -> Message:
        """The next message."""
        message, self._message = self._message, None
        return message if message is not None else await self._receive()
